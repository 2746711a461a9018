package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A gen makes one kernel: its types, tables and functions, and itself.
type gen struct {
	*rand.Rand
	id    string
	decls bytes.Buffer // the declarations before the kernel
	types []*typ       // declared for this kernel
	fns   []*fn        // callable, innermost last
	seq   int          // of names
	risks int          // statements that may panic
	wild  int          // statements with indices that may be out of range
	on    feature      // what the kernel may do
	shape shape        // of the launch, if it is decided
	whole bool         // no warp lacks a lane
	large *typ         // a type of a hundred scalars, if any
	// how many shared variables there are, and in which depth all threads of a
	// block run a statement together
	sharing, step0 int
	listing        *listing // of a kernel of slices of structs
	*body
}

// A body is the function being generated.
type body struct {
	buf     bytes.Buffer
	vars    []*variable
	depth   int    // of blocks
	floor   int    // variables below this index may only be read: the function is pure
	results []*typ // what return returns
	named   bool   // results have names
	loops   []loop
	trips   int  // how often the current statement may run
	cost    int  // how often the most frequent one does
	budget  int  // statements left
	main    bool // the kernel itself: it has out, and may panic
	generic *typ // the type parameter, if any
}

type variable struct {
	name  string
	typ   *typ
	fixed bool // not assigned to
	depth int
	table bool // a package-level array: its address is not taken
}

type loop struct {
	label   string
	used    *bool
	isLoop  bool // not a switch
	barrier bool // a function literal begins: nothing outside can be left
	uniform bool // all threads run it alike: it cannot be left
}

func newGen(seed uint64, i int, on feature) *gen {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, uint64(i))), id: fmt.Sprintf("%03d", i+1)}
	g.chooseFeatures(on)
	g.chooseShape()
	if g.has(warp) {
		g.risks, g.wild = maxRisks, maxWild // where threads wait for each other, none may panic
	}
	return g
}

// kernel is the source of everything the kernel needs, and of the kernel.
func (g *gen) kernel() string {
	if g.has(planes) {
		return g.planeKernel()
	}
	if g.has(lists) {
		return g.listKernel()
	}
	g.declareTypes()
	budget := 10 + g.IntN(14)
	if g.on != 0 { // what they find is local
		budget = 5 + g.IntN(13)
	}
	g.open(nil, budget)
	g.main = true
	if g.IntN(2) == 0 {
		g.table()
	}
	g.declareCoordinates()
	for _, t := range g.types {
		g.declare(t)
	}
	g.stmts()
	for _, v := range slices.Clone(g.vars) {
		g.sink(v.name, v.typ, 0)
	}
	g.sinkIdioms()
	body := g.buf.String()
	return fmt.Sprintf("%sfunc f%s(in *Input, out *Output, u Uniform) {\n%s}\n\nfunc k%s(in []Input, out []Output, u Uniform) { %s(f%s, in, out, u) }\n\n",
		g.decls.String(), g.id, body, g.id, g.wrapper(), g.id)
}

// wrapper is the function that makes a kernel of one for a thread.
func (g *gen) wrapper() string {
	switch {
	case g.has(warp):
		return "together"
	case g.has(alike):
		return "eachAlike"
	case g.shape != (shape{}):
		return "eachOf"
	}
	return "each"
}

// entry is the kernel's in the table of cases.
func (g *gen) entry() string {
	s := fmt.Sprintf("{Name: \"k%s\", Run: k%s, Do: f%s", g.id, g.id, g.id)
	if g.has(planes) {
		s = fmt.Sprintf("{Name: \"k%s\", Whole: k%s, Lengths: [3]int{%d, %d, %d}", g.id, g.id, g.length(), g.length(), g.length())
	}
	if g.has(lists) {
		s = fmt.Sprintf("{Name: \"k%s\", %s", g.id, g.listing.entry())
	}
	if g.shape != (shape{}) {
		dims := func(d [3]int) string { return fmt.Sprintf("[3]int{%d, %d, %d}", d[0], d[1], d[2]) }
		s += fmt.Sprintf(", Grid: %s, Block: %s", dims(g.shape.grid), dims(g.shape.block))
	}
	if g.has(warp) && !g.has(planes) {
		s += ", Together: true"
	}
	if g.has(alike) && !g.has(warp|planes|lists) {
		s += ", Alike: true"
	}
	return s + "},\n"
}

// open begins a function and returns the one around it.
func (g *gen) open(results []*typ, budget int) (outer *body) {
	outer = g.body
	g.body = &body{results: results, trips: 1, cost: 1, budget: budget}
	return outer
}

func (g *gen) printf(format string, args ...any) { fmt.Fprintf(&g.buf, format, args...) }

// name is a new name.
func (g *gen) name(prefix string) string {
	g.seq++
	return fmt.Sprintf("%s%d", prefix, g.seq)
}

// add makes a variable known.
func (g *gen) add(name string, t *typ, fixed bool) *variable {
	v := &variable{name: name, typ: t, fixed: fixed, depth: g.depth}
	g.vars = append(g.vars, v)
	return v
}

// block writes { ... } around what f writes. What it declares is used at its
// end, and forgotten.
func (g *gen) block(f func()) { g.blockEnding(f, func() string { return "" }) }

// blockEnding is block with a last statement.
func (g *gen) blockEnding(f func(), last func() string) {
	known, fns := len(g.vars), len(g.fns)
	g.depth++
	g.printf("{\n")
	f()
	end := last()
	for _, v := range g.vars[known:] {
		if g.main && !g.inFunc() && g.IntN(3) > 0 {
			g.sink(v.name, v.typ, 0)
		} else {
			g.printf("_ = %s\n", v.name)
		}
	}
	if end != "" {
		g.printf("%s\n", end)
	}
	g.printf("}")
	g.depth--
	g.vars, g.fns = g.vars[:known], g.fns[:fns]
}

// inFunc reports whether the statement is in a function literal.
func (g *gen) inFunc() bool {
	return slices.ContainsFunc(g.loops, func(l loop) bool { return l.barrier })
}

// sink stores a value to the output, part by part.
func (g *gen) sink(e string, t *typ, deep int) {
	put := func(format string) { g.printf("out.put(%d, %s)\n", g.IntN(24), fmt.Sprintf(format, e)) }
	switch t.class {
	case boolean:
		put("bit(%s)")
	case signed, unsigned:
		put("uint64(%s)")
	case floating:
		put(map[int]string{32: "bits32(float32(%s))", 64: "bits64(float64(%s))"}[t.bits])
	case complexNum:
		part := map[int]string{32: "bits32", 64: "bits64"}[t.bits]
		put(part + "(real(%s))")
		put(part + "(imag(%s))")
	case text:
		put("str(%s)")
	case structure:
		for _, f := range t.fields {
			g.sink(e+"."+f.name, f.typ, deep)
		}
	case array, slice:
		i := fmt.Sprintf("z%d", deep)
		g.printf("for %s := range %s {\n", i, e)
		g.sink(e+"["+i+"]", t.elem, deep+1)
		g.printf("}\n")
		if t.class == slice {
			put("uint64(len(%s))")
			put("uint64(cap(%s))")
		}
	case pointer:
		if t.elem.isBasic() {
			g.sink("(*"+e+")", t.elem, deep)
		} else {
			g.sink(e, t.elem, deep)
		}
	}
}

// maxScalars is how large a type is, except those that are to be large.
const maxScalars = 40

// oneOf picks an element.
func oneOf[T any](g *gen, all []T) T { return all[g.IntN(len(all))] }

// weighted picks a key by its weight.
func weighted[T any](g *gen, all []choice[T]) T {
	sum := 0
	for _, c := range all {
		sum += c.weight
	}
	n := g.IntN(sum)
	for _, c := range all {
		if n -= c.weight; n < 0 {
			return c.what
		}
	}
	panic("unreachable")
}

type choice[T any] struct {
	weight int
	what   T
}

// declareTypes makes the kernel's named types and a method for each.
func (g *gen) declareTypes() {
	if g.IntN(2) == 0 {
		of := oneOf(g, integerTypes)
		t := &typ{name: "n" + g.id, class: of.class, bits: of.bits, input: of.input, count: of.count}
		fmt.Fprintf(&g.decls, "type %s %s\n\n", t.name, of.name)
		g.types = append(g.types, t)
	}
	for i := range 1 + g.IntN(2) {
		t := &typ{name: fmt.Sprintf("s%s%c", g.id, 'a'+i), class: structure}
		var b strings.Builder
		for j := range 1 + g.IntN(5) {
			f := field{fmt.Sprintf("F%d", j), g.plainType(2)}
			if g.on != 0 && t.scalars()+f.typ.scalars() > maxScalars {
				f.typ = oneOf(g, basicTypes)
			}
			t.fields = append(t.fields, f)
			fmt.Fprintf(&b, "%s %s\n", f.name, f.typ.name)
		}
		fmt.Fprintf(&g.decls, "type %s struct {\n%s}\n\n", t.name, &b)
		g.types = append(g.types, t)
	}
	if g.IntN(4) == 0 {
		g.types = append(g.types, pairOf(oneOf(g, basicTypes), g.plainType(1)))
	}
	if g.IntN(4) == 0 { // more than 32 scalars are kept in memory
		g.types = append(g.types, arrayOf(33+g.IntN(9), oneOf(g, integerTypes)))
	}
	g.declareLarge()
}

// plainType is a type without addresses.
func (g *gen) plainType(deep int) *typ {
	t := g.anyPlainType(deep)
	for g.on != 0 && t.scalars() > maxScalars {
		t = g.anyPlainType(deep)
	}
	return t
}

func (g *gen) anyPlainType(deep int) *typ {
	if g.chance(narrow, 4) {
		return g.narrowArray()
	}
	switch n := g.IntN(10); {
	case n < 6 || deep == 0:
		return oneOf(g, basicTypes)
	case n < 8:
		return arrayOf(1+g.IntN(5), g.plainType(deep-1))
	}
	if len(g.types) == 0 {
		return oneOf(g, basicTypes)
	}
	return oneOf(g, g.types)
}

// table declares a package-level array that is never written.
func (g *gen) table() {
	t := arrayOf(2+g.IntN(6), oneOf(g, integerTypes))
	var all []string
	for range t.len {
		all = append(all, g.literal(t.elem))
	}
	name := "t" + g.id
	fmt.Fprintf(&g.decls, "var %s = %s{%s}\n\n", name, t.name, strings.Join(all, ", "))
	v := g.add(name, t, true)
	v.table = true
}
