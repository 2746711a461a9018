package wrong

import (
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
)

// A gen writes one kernel.
type gen struct {
	r     *rand.Rand
	uni   *universe
	id    int
	names int             // given so far
	depth int             // of statements
	decls strings.Builder // of the package
}

func newGen(uni *universe, seed uint64, id int) *gen {
	return &gen{r: rand.New(rand.NewPCG(seed, uint64(id))), uni: uni, id: id}
}

// chance is true once in n times.
func (g *gen) chance(n int) bool { return g.r.IntN(n) == 0 }

func pick[T any](g *gen, list []T) T { return list[g.r.IntN(len(list))] }

// name is a new name that begins with a letter.
func (g *gen) name(letter string) string {
	g.names++
	return fmt.Sprintf("%s%d_%d", letter, g.id, g.names)
}

// kernel is the source of one kernel: its declarations, and an expression of it.
func (g *gen) kernel() (decls, expr string) {
	params := []string{"o []int"}
	for g.chance(6) {
		params = append(params, g.name("p")+" "+g.typ(0))
	}
	if g.chance(2) { // the slice need not come first
		params[0], params[len(params)-1] = params[len(params)-1], params[0]
	}
	sig := "(" + strings.Join(params, ", ") + ")"
	var body strings.Builder
	for range 1 + g.r.IntN(3) {
		body.WriteString(g.stmt())
	}
	name := g.name("K")
	switch g.r.IntN(8) {
	case 0, 1, 2: // a closure, which may capture
		fmt.Fprintf(&g.decls, "func %s() any {\n", name)
		for range g.r.IntN(3) {
			v := g.name("c")
			fmt.Fprintf(&g.decls, "var %s %s\n_ = %s\n", v, g.typ(0), v)
			body.WriteString(g.use(v))
		}
		fmt.Fprintf(&g.decls, "return func%s {\n%s}\n}\n", sig, body.String())
		return g.decls.String(), name + "()"
	case 3: // a method, bound to a receiver
		t := g.name("R")
		fmt.Fprintf(&g.decls, "type %s %s\nfunc (r %s%s) M%s {\n%s}\n", t, g.typ(0), pick(g, []string{"", "*"}), t, sig, body.String())
		return g.decls.String(), fmt.Sprintf("new(%s).M", t)
	case 4: // generic
		fmt.Fprintf(&g.decls, "func %s[P %s]%s {\nvar x P\n_ = x\n%s}\n", name, pick(g, constraints), sig, body.String())
		return g.decls.String(), fmt.Sprintf("%s[%s]", name, g.typ(0))
	}
	fmt.Fprintf(&g.decls, "%sfunc %s%s {\n%s}\n", pick(g, directives), name, sig, body.String())
	return g.decls.String(), name
}

// parses reports whether a declaration is Go by its syntax.
func parses(decls string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+decls, 0)
	return err == nil
}

// typ is a type that gc may refuse where it stands.
func (g *gen) typ(depth int) string {
	for {
		if t := g.anyType(depth); depth > 0 || parses("var x "+t) {
			return t
		}
	}
}

func (g *gen) anyType(depth int) string {
	if depth > 2 || g.chance(2) {
		return pick(g, plainTypes)
	}
	if g.chance(8) {
		return g.uni.typ(g)
	}
	return g.fillAt(pick(g, madeTypes), nil, depth+1)
}

// stmt is a statement, or a few.
func (g *gen) stmt() string {
	if g.depth > 3 {
		return "o[0]++\n"
	}
	g.depth++
	defer func() { g.depth-- }()
	for {
		if s := g.anyStmt(); parses("func f() { for {" + s + "} }") {
			return s
		}
	}
}

func (g *gen) anyStmt() string {
	switch g.r.IntN(12) {
	case 0, 1:
		return g.uni.call(g) + "\n"
	case 2:
		return g.fill(pick(g, variables)) + "\n"
	case 3:
		return g.fill("var $v $T = $V\n_ = $v\n" + pick(g, uses) + "\n")
	}
	return g.fill(pick(g, statements)) + "\n"
}

// use is a statement with the value v.
func (g *gen) use(v string) string {
	return g.fillWith(pick(g, uses), map[string]string{"v": v}) + "\n"
}

func (g *gen) fill(text string) string { return g.fillWith(text, nil) }

func (g *gen) fillWith(text string, set map[string]string) string { return g.fillAt(text, set, 0) }

// fillAt replaces $ and a letter. A small letter, T, U and G stand for the same
// thing wherever they are in the text.
//
//	T, U  a type           V  a value of type T    G  a new package variable
//	E     an int           B  a bool               N  a small number
//	S     statements       others: a new name
func (g *gen) fillAt(text string, set map[string]string, depth int) string {
	if set == nil {
		set = map[string]string{}
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		key := after[:1]
		text = after[1:]
		known, ok := set[key]
		switch {
		case ok:
		case key == "T" || key == "U":
			known = g.typ(depth)
			set[key] = known
		case key == "G":
			if _, ok := set["T"]; !ok {
				set["T"] = g.typ(depth)
			}
			known = g.name("G")
			set[key] = known
			set["v"] = known
			init := g.fillWith(pick(g, globals), set)
			for !parses(init) {
				init = g.fillWith(pick(g, globals), set)
			}
			g.decls.WriteString(init + "\n")
		case key == "V":
			if _, ok := set["T"]; !ok {
				set["T"] = g.typ(depth)
			}
			known = g.fillWith(pick(g, values), set)
		case key == "E":
			known = g.intExpr()
		case key == "B":
			known = g.boolExpr()
		case key == "N":
			known = pick(g, numbers)
		case key == "S":
			known = "\n" + g.stmt()
		default:
			known = g.name(key)
			set[key] = known
		}
		b.WriteString(known)
	}
}

func (g *gen) intExpr() string {
	if g.depth > 5 || g.chance(2) {
		return pick(g, []string{"o[0]", "len(o)", "dsl.ThreadIdx().X", "3", "-1", "o[len(o)-1]"})
	}
	g.depth++
	defer func() { g.depth-- }()
	return g.fill(pick(g, ints))
}

func (g *gen) boolExpr() string {
	if g.depth > 5 || g.chance(2) {
		return pick(g, []string{"o[0] > 3", "true", "o[0]&1 == 0"})
	}
	g.depth++
	defer func() { g.depth-- }()
	return g.fill(pick(g, bools))
}

// A universe is what packages export.
type universe struct {
	packages []*types.Package
}

// exported is a random exported object of a random package.
func (u *universe) exported(g *gen) types.Object {
	for {
		p := pick(g, u.packages)
		if o := p.Scope().Lookup(pick(g, p.Scope().Names())); o.Exported() {
			return o
		}
	}
}

func qualifier(p *types.Package) string { return p.Name() }

// typ is an exported type.
func (u *universe) typ(g *gen) string {
	for range 50 {
		if t, ok := u.exported(g).(*types.TypeName); ok {
			if n, ok := t.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
				continue
			}
			return types.TypeString(t.Type(), qualifier)
		}
	}
	return "int"
}

// call calls an exported function or method, or mentions a variable.
func (u *universe) call(g *gen) string {
	switch o := u.exported(g).(type) {
	case *types.Func:
		return u.callOf(g, o.Pkg().Name()+"."+o.Name(), o.Signature())
	case *types.Var:
		return g.use(o.Pkg().Name() + "." + o.Name())
	case *types.TypeName:
		t := types.TypeString(o.Type(), qualifier)
		ms := types.NewMethodSet(types.NewPointer(o.Type()))
		if ms.Len() == 0 || strings.Contains(t, "[") {
			return fmt.Sprintf("{ var x %s; _ = x }", t)
		}
		m := ms.At(g.r.IntN(ms.Len())).Obj().(*types.Func)
		v := g.name("v")
		return fmt.Sprintf("var %s %s\n", v, t) + u.callOf(g, v+"."+m.Name(), m.Signature())
	}
	return "o[0]++"
}

// callOf calls a function with values of its parameters' types.
func (u *universe) callOf(g *gen, fn string, sig *types.Signature) string {
	if n := sig.TypeParams().Len(); n > 0 {
		args := make([]string, n)
		for i := range args {
			args[i] = pick(g, plainTypes)
		}
		text := fn
		if g.chance(2) {
			text += "[" + strings.Join(args, ", ") + "]"
		}
		args = args[:0]
		for range sig.Params().Len() {
			args = append(args, g.fill(pick(g, arguments)))
		}
		return g.result(fmt.Sprintf("%s(%s)", text, strings.Join(args, ", ")), sig)
	}
	var args []string
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			if g.chance(3) {
				break
			}
			t = t.(*types.Slice).Elem()
		}
		text := types.TypeString(t, qualifier)
		args = append(args, g.fillWith(pick(g, values), map[string]string{"T": text}))
	}
	return g.result(fmt.Sprintf("%s(%s)", fn, strings.Join(args, ", ")), sig)
}

// result does something with the results of a call.
func (g *gen) result(call string, sig *types.Signature) string {
	switch sig.Results().Len() {
	case 0:
		return pick(g, []string{"", "", "", "defer ", "go "}) + call
	case 1:
		if g.chance(3) {
			return g.use(call)
		}
		return "_ = " + call
	}
	return strings.Repeat("_, ", sig.Results().Len()-1) + "_ = " + call
}
