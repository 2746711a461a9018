package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A gen makes one package: types, helpers, and units that make kernels.
type gen struct {
	*rand.Rand
	letter    string // of the package: names at package level begin so
	decls     bytes.Buffer
	units     []unit
	types     []*typ
	generics  []*generic
	helpers   []string // functions of package level, of fnT
	templates []string // generic ones, with one type parameter
	makers    []*maker
	seq       int
	vetted    bool // go vet has nothing to say
	*body
}

// A unit is a function of the package that makes and checks kernels.
type unit struct {
	name string
	text string
}

// A maker is a function that returns a kernel, or a fnT.
type maker struct {
	name    string
	recv    *typ // of a method
	tparams []*typ
	params  []*typ
	bind    map[*typ]*typ // the receiver's type parameter
	deep    int           // how many calls lead to the kernel: 2 is M()()
	fn      bool          // it returns a fnT
}

// A body is the function being generated.
type body struct {
	buf    bytes.Buffer
	unit   string
	kerns  int // kernels of the unit
	vars   []*variable
	params []*typ // type parameters
	depth  int    // of blocks
	floor  int    // variables below this index may only be read
	device bool   // the code is a kernel's: no defer, no maps, ...
	hasC   bool   // there is a Checker, c
	hasH   bool   // there is a sum, h
	level  int    // funcs above this level are not called
	calls  int    // of func values so far
	loops  int    // around the statement
	lits   int    // literals around the statement
	budget int    // statements left
}

type variable struct {
	name  string
	typ   *typ
	depth int
	level int // of a func: one more than the funcs it calls
	fixed bool
}

// top is a new name of package level.
func (g *gen) top(prefix string) string {
	g.seq++
	return fmt.Sprintf("%s%s%d", prefix, g.letter, g.seq)
}

// id is a number that tells one function from all others.
func (g *gen) id() int { g.seq++; return 2*g.seq + 1 }

func (g *gen) printf(format string, args ...any) { fmt.Fprintf(&g.buf, format, args...) }

// fresh writes a function of package level: f's variables are its own.
func (g *gen) fresh(f func()) {
	outer, types := g.body, g.types
	g.body = &body{level: maxLevel, depth: 1}
	f()
	g.body, g.types = outer, types
}

// text is what f writes.
func (g *gen) text(f func()) string {
	outer := g.buf
	g.buf = bytes.Buffer{}
	f()
	s := g.buf.String()
	g.buf = outer
	return s
}

// add makes a variable known.
func (g *gen) add(name string, t *typ) *variable {
	v := &variable{name: name, typ: t, depth: g.depth}
	g.vars = append(g.vars, v)
	return v
}

const shortNames = "abdefgijklmnopqstuvwxy"

// name is a name that the current block does not have; it may shadow another.
func (g *gen) name() string {
	s := string(shortNames[g.IntN(len(shortNames))])
	if g.IntN(4) > 0 {
		s += string(shortNames[g.IntN(len(shortNames))])
	}
	for _, v := range g.vars {
		if v.name == s && v.depth == g.depth {
			return g.name()
		}
	}
	switch s {
	case "if", "do", "go": // keywords among them
		return g.name()
	}
	return s
}

// visible are the variables that nothing shadows, with their indices.
func (g *gen) visible(want func(*variable) bool) (all []*variable) {
	seen := map[string]bool{}
	for i := len(g.vars) - 1; i >= 0; i-- {
		v := g.vars[i]
		if !seen[v.name] && want(v) {
			all = append(all, v)
		}
		seen[v.name] = true
	}
	return all
}

// writable are the variables that the function may assign to.
func (g *gen) writable() []*variable {
	own := map[*variable]bool{}
	for _, v := range g.vars[min(g.floor, len(g.vars)):] {
		own[v] = true
	}
	return g.visible(func(v *variable) bool { return own[v] && !v.fixed && (v.typ != fnT || !g.device) })
}

// readable are variables that expressions may use here.
func (g *gen) readable() []*variable {
	return g.visible(func(v *variable) bool {
		return v.typ.class != function || v.level <= g.level && g.calls < 3 && g.loops < 2
	})
}

// block writes { ... } around what f writes.
func (g *gen) block(f func()) { g.blockEnding(f, "") }

func (g *gen) blockEnding(f func(), last string) {
	known, types := len(g.vars), g.types
	g.depth++
	g.printf("{\n")
	f()
	g.use(known)
	g.printf("%s}", last)
	g.depth--
	g.vars, g.types = g.vars[:known], types
}

// use reads some of the variables from index known on.
func (g *gen) use(known int) {
	own := map[*variable]bool{}
	for _, v := range g.vars[known:] {
		own[v] = true
	}
	for _, v := range g.visible(func(v *variable) bool { return own[v] && v.typ.class != function }) {
		if g.IntN(3) == 0 {
			g.digest(v.name, v.typ, 0)
		}
	}
}

// oneOf picks an element.
func oneOf[T any](g *gen, all []T) T { return all[g.IntN(len(all))] }

type choice struct {
	weight int
	do     func(*gen)
}

// weighted runs one of the choices.
func (g *gen) weighted(all []choice) {
	sum := 0
	for _, c := range all {
		sum += c.weight
	}
	n := g.IntN(sum)
	for _, c := range all {
		if n -= c.weight; n < 0 {
			c.do(g)
			return
		}
	}
}

// list joins what f makes of each.
func list[T any](all []T, f func(i int, x T) string) string {
	var ss []string
	for i, x := range all {
		ss = append(ss, f(i, x))
	}
	return strings.Join(ss, ", ")
}
