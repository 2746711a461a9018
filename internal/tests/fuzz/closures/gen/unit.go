package main

import (
	"fmt"
	"strings"
)

// unitKinds are the forms in which a package makes kernels.
func unitKinds() []choice {
	return []choice{
		{10, (*gen).builder}, {8, (*gen).makerUnit}, {3, (*gen).methodKernel}, {3, (*gen).declaredKernel},
		{3, (*gen).packageVar}, {1, (*gen).initFunc}, {2, (*gen).embedding},
	}
}

// open begins a unit's test function, which has a Checker.
func (g *gen) open(name string) {
	g.unit, g.hasC, g.hasH = name, true, true
	g.printf("func %s(c *run.Checker) {\nh := c.Next()\n", name)
}

func (g *gen) closeUnit() {
	g.use(0)
	g.printf("_ = h\n}\n\n")
	g.units = append(g.units, unit{g.unit, g.buf.String()})
}

// check writes a unit that checks some expressions.
func (g *gen) check(name string, kernels ...string) {
	g.fresh(func() {
		g.open(name)
		for _, k := range kernels {
			g.printf("c.Check(%s, %s)\n", g.kernelID(), k)
		}
		g.closeUnit()
	})
}

// builder is a function that makes kernels in all kinds of statements.
func (g *gen) builder() {
	name := g.top("B")
	g.fresh(func() {
		g.open(name)
		for range 1 + g.IntN(4) {
			g.declare()
		}
		g.budget = 4 + g.IntN(10)
		g.stmts()
		if g.kerns == 0 {
			g.emit()
		}
		g.closeUnit()
	})
}

// makerUnit is a function that returns a kernel, or a func for kernels to call.
func (g *gen) makerUnit() {
	m := &maker{name: g.top("M"), deep: 1, fn: g.IntN(3) == 0}
	g.fresh(func() {
		g.unit = m.name
		recv := ""
		switch g.IntN(5) {
		case 0:
			m.recv = oneOf(g, g.localTypes())
			recv = fmt.Sprintf("(r %s) ", m.recv.name)
			g.add("r", m.recv)
		case 1:
			if gts := g.localGenerics(); len(gts) > 0 {
				gt := oneOf(g, gts)
				arg := g.argType(integer)
				m.recv, m.bind = gt.of(arg), map[*typ]*typ{gt.param: arg}
				recv = fmt.Sprintf("(r %s[E]) ", gt.name)
				g.params = []*typ{gt.param}
				g.add("r", gt.of(gt.param))
			}
		}
		tparams := ""
		if m.recv == nil && g.IntN(2) == 0 {
			tparams = g.typeParams(m)
		}
		params := list(make([]int, g.IntN(4)), func(int, int) string {
			t := g.varType()
			if g.IntN(6) == 0 {
				t = fnT
			}
			if n := len(m.tparams); n > 0 && m.tparams[n-1].class == function && g.IntN(2) == 0 {
				t = m.tparams[n-1]
			}
			m.params = append(m.params, t)
			v := g.add(g.name(), t)
			v.fixed = t.param && t.class == function // no literal has its type
			return v.name + " " + t.name
		})
		result := "func([]uint64)"
		if m.fn {
			result = fnT.name
		} else {
			m.deep += g.IntN(3) * g.IntN(2)
		}
		if g.IntN(4) == 0 {
			g.printf("//go:noinline\n")
		}
		g.printf("func %s%s%s(%s) %s%s {\n", recv, m.name, tparams, params, strings.Repeat("func() ", m.deep-1), result)
		g.makerBody(m)
		g.printf("}\n\n")
		g.decls.Write(g.buf.Bytes())
	})
	g.makers = append(g.makers, m)
	if !m.fn {
		g.fresh(func() {
			g.open(m.name + "u")
			g.declare()
			for range 1 + g.IntN(3) {
				e := g.callMaker(m)
				g.printf("c.Check(%s, %s)\n", g.kernelID(), e)
			}
			g.closeUnit()
		})
	}
}

// makerBody returns the kernel through m.deep functions.
func (g *gen) makerBody(m *maker) {
	for i := range m.deep {
		if g.IntN(2) == 0 {
			if !g.hasH || g.IntN(2) == 0 {
				g.printf("h := %s\n_ = h\n", g.expr(1))
				g.hasH = true
			}
			g.budget = 1 + g.IntN(3)
			g.stmts()
		}
		if i < m.deep-1 {
			g.depth++
			g.printf("return func() %sfunc([]uint64) {\n", strings.Repeat("func() ", m.deep-2-i))
			defer g.printf("}\n")
			continue
		}
		if g.IntN(2) == 0 {
			g.instances()
		}
		lit := ""
		if m.fn {
			g.level = 1
			lit, _ = g.fnLit()
		} else {
			lit = g.kernelLit()
		}
		g.printf("return %s\n", lit)
	}
}

// typeParams declares type parameters.
func (g *gen) typeParams(m *maker) string {
	constraints := map[class]string{integer: "run.Integer", floating: "run.Float", opaque: "run.Getter", function: "run.Func"}
	for i, c := range []class{integer, floating, opaque, integer, function} {
		if g.IntN(2) == 0 {
			m.tparams = append(m.tparams, &typ{name: fmt.Sprintf("P%d", i), class: c, param: true})
		}
	}
	if len(m.tparams) == 0 {
		return ""
	}
	for _, t := range m.tparams {
		if t.class != function {
			g.params = append(g.params, t)
		}
	}
	return "[" + list(m.tparams, func(_ int, t *typ) string { return t.name + " " + constraints[t.class] }) + "]"
}

// localTypes are the named types of this package.
func (g *gen) localTypes() (all []*typ) {
	for _, t := range g.types {
		if t.named && !strings.Contains(t.name, ".") {
			all = append(all, t)
		}
	}
	return all
}

func (g *gen) localGenerics() (all []*generic) {
	for _, t := range g.generics {
		if !strings.Contains(t.name, ".") {
			all = append(all, t)
		}
	}
	return all
}

// methodKernel is a method that is a kernel, as method value and expression.
func (g *gen) methodKernel() {
	name, t, recv := g.top("K"), oneOf(g, g.localTypes()), ""
	g.fresh(func() {
		g.device = true
		recv = t.name
		of := t
		if gts := g.localGenerics(); len(gts) > 0 && g.IntN(2) == 0 {
			gt := oneOf(g, gts)
			t, of = gt.of(g.argType(integer)), gt.of(gt.param)
			recv = gt.name + "[E]"
			g.params = []*typ{gt.param}
		}
		g.add("r", of)
		g.floor = 1
		g.budget = g.IntN(4)
		g.printf("func (r %s) %s(out []uint64) {\n", recv, name)
		g.kernelBody()
		g.printf("}\n\n")
		g.decls.Write(g.buf.Bytes())
	})
	g.fresh(func() {
		g.open(name + "u")
		g.printf("v := %s\n", g.value(t))
		g.add("v", t)
		g.printf("c.Check(%s, v.%s)\n", g.kernelID(), name)
		g.printf("c.Check(%s, (%s).%s)\n", g.kernelID(), g.value(t), name)
		g.printf("c.Check(%s, (&v).%s)\n", g.kernelID(), name)
		g.printf("c.Check(%s, %s.%s, v)\n", g.kernelID(), t.name, name)
		g.printf("for range 2 {\n")
		g.assignTo(g.vars[0])
		g.printf("c.Check(%s, v.%s)\n}\n", g.kernelID(), name)
		g.closeUnit()
	})
}

// embedding is a struct that embeds a type whose promoted method is a kernel.
func (g *gen) embedding() {
	t, name, outer := oneOf(g, g.localTypes()), g.top("K"), g.top("E")
	fmt.Fprintf(&g.decls, "type %s struct {\nZ int8\n%s\n}\n\n", outer, t.name)
	g.fresh(func() {
		g.device = true
		g.add("r", t)
		g.floor = 1
		g.budget = g.IntN(3)
		g.printf("func (r %s) %s(out []uint64) {\n", t.name, name)
		g.kernelBody()
		g.printf("}\n\n")
		g.decls.Write(g.buf.Bytes())
	})
	g.fresh(func() {
		g.open(name + "u")
		g.printf("v := %s{int8(c.Next()), %s}\n", outer, g.value(t))
		g.printf("c.Check(%s, v.%s)\n", g.kernelID(), name)
		g.printf("c.Check(%s, %s.%s, v)\n", g.kernelID(), outer, name)
		g.printf("c.Check(%s, func(out []uint64) {\nv.%s(out)\n})\n", g.kernelID(), name)
		g.closeUnit()
	})
}

// declaredKernel is a function that is a kernel, generic perhaps.
func (g *gen) declaredKernel() {
	m := &maker{name: g.top("F"), deep: 1}
	g.fresh(func() {
		g.device = true
		tparams := ""
		if g.IntN(3) > 0 {
			tparams = g.typeParams(m)
		}
		params := list(make([]int, g.IntN(3)), func(int, int) string {
			t := g.plainType(2)
			m.params = append(m.params, t)
			return g.add(g.name(), t).name + " " + t.name + ", "
		})
		params = strings.ReplaceAll(params, ", , ", ", ")
		g.floor = len(g.vars)
		g.budget = g.IntN(4)
		g.printf("func %s%s(%s out []uint64) {\n", m.name, tparams, strings.TrimSpace(params))
		g.kernelBody()
		g.printf("}\n\n")
		g.decls.Write(g.buf.Bytes())
	})
	g.fresh(func() {
		g.open(m.name + "u")
		for range 2 {
			if fn, args := g.call(m); args == "" {
				g.printf("c.Check(%s, %s)\n", g.kernelID(), fn)
			} else {
				g.printf("c.Check(%s, %s, %s)\n", g.kernelID(), fn, args)
			}
		}
		g.closeUnit()
	})
}

// packageVar is a package variable whose initialiser has kernels.
func (g *gen) packageVar() {
	name := g.top("V")
	var kernels []string
	g.fresh(func() {
		switch g.IntN(4) {
		case 0:
			kernels = []string{name}
			g.printf("var %s = %s\n\n", name, g.kernelLit())
		case 1:
			kernels = []string{name + `["a"]`, name + `["b"]`}
			g.printf("var %s = map[string]func([]uint64){\n\"a\": %s,\n\"b\": %s,\n}\n\n", name, g.kernelLit(), g.kernelLit())
		case 2:
			kernels = []string{name + "[0].k", name + "[1].k"}
			g.printf("var %s = []struct{ n int; k func([]uint64) }{\n{k: %s},\n{2, %s},\n}\n\n", name, g.kernelLit(), g.kernelLit())
		default:
			kernels = []string{name}
			m := &maker{deep: 1 + g.IntN(3)}
			g.printf("var %s = func() %sfunc([]uint64) {\n", name, strings.Repeat("func() ", m.deep-1))
			g.declare()
			g.makerBody(m)
			g.printf("}%s\n\n", strings.Repeat("()", m.deep))
		}
		g.decls.Write(g.buf.Bytes())
	})
	g.check(name+"u", kernels...)
}

// initFunc is an init function that sets a variable to a kernel.
func (g *gen) initFunc() {
	name := g.top("V")
	g.fresh(func() {
		g.printf("var %s func([]uint64)\n\nfunc init() {\n", name)
		g.printf("h := run.Next()\n")
		g.hasH = true
		g.declare()
		g.budget = 2 + g.IntN(3)
		g.stmts()
		g.printf("%s = %s\n", name, g.kernelLit())
		g.use(0)
		g.printf("_ = h\n}\n\n")
		g.decls.Write(g.buf.Bytes())
	})
	g.check(name+"u", name)
}

// helper is a function of package level that funcs may hold.
func (g *gen) helper(template bool) {
	name := g.top("H")
	g.fresh(func() {
		g.device, g.hasH = true, true
		g.level = -1
		g.add("k", u64T)
		g.floor = 1
		g.budget = g.IntN(3)
		if template {
			g.printf("func %s[P any](k uint64) uint64 {\nh := k + %d + uint64(unsafe.Sizeof(*new(P)))\n", name, g.id())
		} else {
			g.printf("func %s(k uint64) uint64 {\nh := k + %d\n", name, g.id())
		}
		g.stmts()
		g.use(1)
		g.printf("return h\n}\n\n")
		g.decls.Write(g.buf.Bytes())
	})
	if template {
		g.templates = append(g.templates, name)
	} else {
		g.helpers = append(g.helpers, name)
	}
}
