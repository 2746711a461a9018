package main

import (
	"fmt"
	"maps"
	"strings"
)

// hostStatements are what only host code can do. Many make kernels.
func hostStatements() []choice {
	return []choice{
		{14, (*gen).emit}, {2, (*gen).deferStmt}, {2, (*gen).selectStmt}, {2, (*gen).typeSwitch},
		{2, (*gen).rangeMap}, {2, (*gen).goStmt}, {2, (*gen).localMaker}, {3, (*gen).useMaker},
		{3, (*gen).localFunc}, {2, (*gen).namedResult},
	}
}

const maxKernels = 6 // literals of a unit

// kernelLit is a function literal that is a kernel.
func (g *gen) kernelLit() string {
	save, types := *g.body, g.types
	g.depth++
	g.device, g.floor, g.loops, g.calls, g.level = true, len(g.vars), 0, 0, maxLevel
	g.budget = g.IntN(6)
	text := g.text(func() {
		g.printf("func(out []uint64) {\n")
		g.kernelBody()
		g.printf("}")
	})
	save.buf = g.buf
	*g.body, g.types = save, types
	return text
}

// kernelBody is the body of a kernel whose last parameter is out.
func (g *gen) kernelBody() {
	if g.IntN(6) == 0 {
		g.printf("out[0] = %s + %d\n", g.expr(3), g.id())
		return
	}
	if g.hasH && g.IntN(4) == 0 {
		g.printf("h := h ^ %d\n", g.id())
	} else {
		g.printf("h := uint64(%d)\n", g.id())
	}
	g.hasH = true
	g.reads(8)
	known := len(g.vars)
	g.stmts()
	g.reads(2)
	g.use(known)
	g.printf("out[0] = h\n")
	if g.IntN(4) == 0 {
		g.printf("out[1] = %s\n", g.expr(2))
	}
}

// kernelID is a new kernel's name, as Go writes it.
func (g *gen) kernelID() string {
	g.kerns++
	return fmt.Sprintf(`"%s.%d"`, g.unit, g.kerns)
}

// full reports whether no more kernels are to be made here.
func (g *gen) full() bool { return !g.hasC || g.kerns >= maxKernels || g.device }

// emit makes a kernel and checks it.
func (g *gen) emit() {
	if g.full() {
		g.declare()
		return
	}
	if g.IntN(80) == 0 {
		g.alike()
		return
	}
	lit, id := g.kernelLit(), g.kernelID()
	switch g.IntN(18) {
	case 0, 1:
		g.printf("c.Check(%s, %s)\n", id, lit)
	case 2:
		g.printf("{\nz := %s\nc.Check(%s, z)\n}\n", lit, id)
	case 3:
		g.printf("{\nz := struct{ k func([]uint64); n int }{k: %s}\nc.Check(%s, z.k)\n}\n", lit, id)
	case 4:
		g.printf("{\nz := map[string]func([]uint64){\"a\": %s}\nc.Check(%s, z[\"a\"])\n}\n", lit, id)
	case 5:
		g.printf("for _, z := range []func([]uint64){\n%s,\n%s,\n} {\nc.Check(%s, z)\n}\n", lit, g.kernelLit(), id)
	case 6:
		g.printf("defer c.Check(%s, %s)\n", id, lit)
	case 7:
		g.printf("defer func() {\nc.Check(%s, %s)\n}()\n", id, lit)
	case 8:
		g.printf("func(z func([]uint64)) {\nc.Check(%s, z)\n}(%s)\n", id, lit)
	case 9:
		g.printf("c.Check(%s, func() func([]uint64) {\nreturn %s\n}())\n", id, lit)
	case 10:
		g.printf("{\nvar z func([]uint64)\nif %s {\nz = %s\n} else {\nz = %s\n}\nc.Check(%s, z)\n}\n", g.cond(1), lit, g.kernelLit(), id)
	case 11:
		g.printf("{\nvar z any = %s\nc.Check(%s, z.(func([]uint64)))\n}\n", lit, id)
	case 12:
		g.printf("c.Check(%s, run.Pass(%s))\n", id, lit)
	case 13:
		g.printf("c.Check(%s, run.Kern(%s))\n", id, lit)
	default:
		g.mutated(id, lit)
	}
}

// alike checks two literals of one type on one line, which heddle may refuse.
func (g *gen) alike() {
	one := func() string {
		save := *g.body
		defer func() { save.buf = g.buf; *g.body = save }()
		g.depth++
		g.device, g.floor, g.calls, g.level = true, len(g.vars), 0, maxLevel
		return fmt.Sprintf("func(out []uint64) { out[0] = %s + %d }", g.expr(2), g.id())
	}
	g.printf("{\nz, zz := %s, %s\n", one(), one())
	g.printf("c.Check(%s, z)\nc.Check(%s, zz)\n}\n", g.kernelID(), g.kernelID())
}

// mutated checks a kernel, changes variables, and checks it again.
func (g *gen) mutated(id, lit string) {
	k := fmt.Sprintf("k%d", g.id())
	g.printf("%s := c.Check(%s, %s)\n", k, id, lit)
	vs := g.writable()
	for i := 0; i < 3 && len(vs) > 0; i++ {
		v := oneOf(g, vs)
		if g.IntN(3) == 0 && v.typ.class != opaque {
			g.printf("func() {\n")
			g.assignTo(v)
			g.printf("}()\n")
		} else {
			g.assignTo(v)
		}
	}
	g.printf("%s.Check()\n", k)
}

func (g *gen) deferStmt() {
	g.printf("defer func() ")
	loops := g.loops
	g.nested()
	g.loops = loops
	g.printf("()\n")
}

func (g *gen) selectStmt() {
	if !g.hasC {
		g.update()
		return
	}
	known, name := len(g.vars), g.name()
	g.depth++
	g.printf("select {\ncase %s := <-c.Chan():\n_ = %s\n", name, name)
	g.add(name, u64T).depth = g.depth + 1 // of the clause
	g.few1()
	g.depth--
	g.vars = g.vars[:known]
	g.printf("}\n")
}

func (g *gen) typeSwitch() {
	if !g.hasC {
		g.update()
		return
	}
	known, name := len(g.vars), g.name()
	g.depth++
	v := g.add(name, i32T)
	v.depth = g.depth + 1 // of the clauses
	g.printf("switch %s := c.Any().(type) {\n", name)
	for _, t := range []*typ{i32T, boolT, f64T} {
		v.typ = t
		g.printf("case %s:\n_ = %s\n", t.name, name)
		g.few1()
	}
	g.printf("}\n")
	g.depth--
	g.vars = g.vars[:known]
}

func (g *gen) rangeMap() {
	if !g.hasC || g.loops > 0 {
		g.update()
		return
	}
	k, x := g.name(), g.name()
	for k == x {
		x = g.name()
	}
	vk, vx := &variable{name: k, typ: i16T}, &variable{name: x, typ: u32T}
	switch g.IntN(3) {
	case 0:
		g.loop(fmt.Sprintf("for %s, %s := range c.Map(2)", k, x), vk, vx)
	case 1:
		g.loop(fmt.Sprintf("for %s := range c.Map(2)", k), vk)
	default:
		vk.typ, vx.typ = intT, i32T
		g.loop(fmt.Sprintf("for %s, %s := range c.Slice(2)", k, x), vk, vx)
	}
}

func (g *gen) goStmt() {
	if !g.hasC || g.loops > 0 || g.lits > 2 {
		g.update()
		return
	}
	done := fmt.Sprintf("done%d", g.id())
	g.printf("%s := make(chan bool)\ngo func() {\ndefer close(%s)\n", done, done) // after the calls that the block defers
	g.lits++
	g.block(g.few)
	g.lits--
	g.printf("}()\n<-%s\n", done)
}

// localMaker is a variable that holds a function which makes kernels.
func (g *gen) localMaker() {
	if g.full() || g.lits > 2 {
		g.declare()
		return
	}
	t, f := g.varType(), fmt.Sprintf("f%d", g.id())
	known, types, name := len(g.vars), g.types, g.name()
	g.lits++
	g.depth++
	g.add(name, t)
	result := "return"
	g.printf("%s := func(%s %s) ", f, name, t.name)
	if g.IntN(2) == 0 {
		g.printf("(z func([]uint64)) {\n")
		result = "z ="
	} else {
		g.printf("func([]uint64) {\n")
	}
	hasC := g.hasC
	g.budget, g.hasC = g.budget+g.IntN(3), false
	g.few()
	lit := g.kernelLit()
	g.hasC = hasC
	g.printf("%s %s\n", result, lit)
	if result != "return" {
		g.printf("return\n")
	}
	g.printf("}\n")
	g.depth--
	g.lits--
	g.vars, g.types = g.vars[:known], types
	g.printf("c.Check(%s, %s(%s))\n", g.kernelID(), f, g.value(t))
}

// namedResult checks a kernel that captures a named result.
func (g *gen) namedResult() {
	if g.full() || g.lits > 2 {
		g.declare()
		return
	}
	t, r := g.plainType(1), g.name()
	known := len(g.vars)
	g.lits++
	g.depth++
	g.add(r, t)
	g.printf("{\nz, _ := func() (z func([]uint64), %s %s) {\n", r, t.name)
	if g.IntN(2) == 0 {
		g.assignTo(g.vars[known])
	}
	g.printf("z = %s\nreturn z, %s\n}()\n", g.kernelLit(), g.value(t))
	g.depth--
	g.lits--
	g.vars = g.vars[:known]
	g.printf("c.Check(%s, z)\n}\n", g.kernelID())
}

// useMaker checks what a function of package level makes.
func (g *gen) useMaker() {
	if g.full() {
		g.declare()
		return
	}
	m := g.pickMaker(false)
	if m == nil {
		g.declare()
		return
	}
	e := g.callMaker(m)
	g.printf("c.Check(%s, %s)\n", g.kernelID(), e)
}

func (g *gen) pickMaker(fn bool) *maker {
	var all []*maker
	for _, m := range g.makers {
		if m.fn == fn {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return oneOf(g, all)
}

// callMaker calls a maker down to its kernel.
func (g *gen) callMaker(m *maker) string {
	fn, args := g.call(m)
	return fn + "(" + args + ")" + strings.Repeat("()", m.deep-1)
}

// call is a maker's instance, and arguments for it.
func (g *gen) call(m *maker) (fn, vals string) {
	args := maps.Clone(m.bind)
	if args == nil {
		args = map[*typ]*typ{}
	}
	var names []string
	for _, p := range m.tparams {
		args[p] = g.argType(p.class)
		names = append(names, args[p].name)
	}
	instance := func(t *typ) *typ {
		return t.rename(func(t *typ) *typ { return args[t] })
	}
	e := m.name
	if len(names) > 0 {
		e += "[" + strings.Join(names, ", ") + "]"
	}
	if m.recv != nil {
		vs := g.visible(func(v *variable) bool { return v.typ.name == m.recv.name })
		if len(vs) > 0 && g.IntN(2) == 0 {
			e = oneOf(g, vs).name + "." + e
		} else {
			e = "(" + g.value(m.recv) + ")." + e
		}
	}
	vals = list(m.params, func(_ int, t *typ) string {
		t = instance(t)
		vs := g.visible(func(v *variable) bool { return v.typ.name == t.name && (v.typ != fnT || v.level == 0) })
		if len(vs) > 0 && g.IntN(2) == 0 {
			return oneOf(g, vs).name
		}
		if t == fnT {
			level := g.level
			g.level = 0
			s, _ := g.fnLit()
			g.level = level
			return s
		}
		return g.value(t)
	})
	return e, vals
}

// argType is a type argument.
func (g *gen) argType(c class) *typ {
	if c == function {
		return fnT
	}
	if all := g.argTypes(c); len(all) > 0 {
		return oneOf(g, all)
	}
	return u64T // of opaque there is always one: each package begins with a type
}
