package main

import (
	"fmt"
	"strings"
)

// pointerStmt declares a pointer, or lets one point elsewhere.
func (g *gen) pointerStmt() {
	for i, v := range g.vars {
		if v.typ.class == pointer && !v.fixed && i >= g.floor && !g.shadowed(i) && g.IntN(3) == 0 {
			if a := g.address(v.typ, v.depth); a != "" && a != v.name {
				g.printf("%s = %s\n", v.name, a)
				return
			}
		}
	}
	_, t, ok := g.target(func(t *typ) bool { return true })
	if !ok {
		return
	}
	t = pointerTo(t)
	if a := g.address(t, g.depth); a != "" {
		p := g.name("p")
		g.printf("%s := %s\n", p, a)
		g.add(p, t, false)
	}
}

// sliceable is a variable that is a slice, or an array that can be sliced.
func (g *gen) sliceable(depth int) (*variable, bool) {
	var all []*variable
	for i, v := range g.vars {
		if (v.typ.class == array && !v.fixed || v.typ.class == slice) && i >= g.floor && !g.shadowed(i) && v.depth <= depth && !v.typ.elem.refers() {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	return oneOf(g, all), true
}

func (g *gen) sliceStmt() {
	v, ok := g.sliceable(g.depth)
	if !ok {
		g.declare(arrayOf(1+g.IntN(8), oneOf(g, basicTypes)))
		return
	}
	t := sliceOf(v.typ.elem)
	for i, w := range g.vars {
		if same(w.typ, t) && !w.fixed && i >= g.floor && !g.shadowed(i) && g.IntN(3) == 0 {
			if a := g.address(t, w.depth); a != "" && a != w.name {
				g.printf("%s = %s\n", w.name, a)
				return
			}
		}
	}
	s := g.name("s")
	g.printf("%s := %s\n", s, g.address(t, g.depth))
	g.add(s, t, false)
}

// viewStmt declares a local struct type that holds addresses.
func (g *gen) viewStmt() {
	v, ok := g.sliceable(g.depth)
	_, e, ok2 := g.target(func(t *typ) bool { return true })
	if !ok || !ok2 || g.generic != nil {
		return
	}
	p := pointerTo(e)
	s := sliceOf(v.typ.elem)
	pa, sa := g.address(p, g.depth), g.address(s, g.depth)
	if pa == "" || sa == "" {
		return
	}
	t := &typ{name: g.name("w" + g.id + "_"), class: structure, fields: []field{{"P", p}, {"N", intT}, {"S", s}}}
	fmt.Fprintf(&g.decls, "type %s struct {\nP %s\nN int\nS %s\n}\n\n", t.name, p.name, s.name)
	w := g.name("v")
	g.printf("%s := %s{%s, %s, %s}\n", w, t.name, pa, g.expr(intT, 2), sa)
	g.add(w, t, false)
}

// sliceStore writes an element of a slice that is not empty.
func (g *gen) sliceStore() {
	for i, v := range g.vars {
		if v.typ.class != slice || i < g.floor || g.shadowed(i) || v.typ.elem.refers() || g.IntN(2) == 0 {
			continue
		}
		g.printf("if len(%s) > 0 {\n%s[%s %% uint64(len(%s))] = %s\n}\n", v.name, v.name, g.expr(u64T, 2), v.name, g.expr(v.typ.elem, 3))
		return
	}
	g.sliceStmt()
}

func (g *gen) copyStmt() {
	v, ok := g.sliceable(g.depth)
	if !ok {
		return
	}
	t := sliceOf(v.typ.elem)
	to, from := g.address(t, g.depth), g.address(t, g.depth)
	if v.typ.elem.name == "uint8" && g.IntN(3) == 0 {
		from = g.literal(textT)
	}
	n := g.name("n")
	g.printf("%s := copy(%s, %s)\n", n, to, from)
	g.add(n, intT, false)
}

// appendStmt appends within the capacity: a device cannot grow a slice.
func (g *gen) appendStmt() {
	for i, v := range g.vars {
		if v.typ.class != slice || v.fixed || i < g.floor || g.shadowed(i) || v.typ.elem.refers() || g.IntN(2) == 0 {
			continue
		}
		g.printf("if len(%s)+2 <= cap(%s) {\n", v.name, v.name)
		switch g.IntN(3) {
		case 0:
			g.printf("%s = append(%s, %s)\n", v.name, v.name, g.expr(v.typ.elem, 2))
		case 1:
			g.printf("%s = append(%s, %s, %s)\n", v.name, v.name, g.expr(v.typ.elem, 2), g.expr(v.typ.elem, 1))
		default:
			g.printf("%s = append(%s[:len(%s)/2], %s[len(%s)-len(%s)/2:]...)\n", v.name, v.name, v.name, v.name, v.name, v.name)
		}
		g.printf("}\n")
		return
	}
}

func (g *gen) clearStmt() {
	if v, ok := g.sliceable(g.depth); ok {
		if a := g.address(sliceOf(v.typ.elem), g.depth); a != "" {
			g.printf("clear(%s)\n", a)
		}
	}
}

// swapArrays exchanges elements, or parts of a whole with one another.
func (g *gen) swapArrays() {
	for i, v := range g.vars {
		if v.fixed || i < g.floor || g.shadowed(i) || v.typ.refers() {
			continue
		}
		switch {
		case v.typ.class == array && v.typ.len > 1:
			a, b := g.index(v.typ.len), g.index(v.typ.len)
			if a != b {
				g.printf("%s[%s], %s[%s] = %s[%s], %s[%s]\n", v.name, a, v.name, b, v.name, b, v.name, a)
				return
			}
		case v.typ.class == structure && len(v.typ.fields) > 1:
			var parts []string
			for _, f := range v.typ.fields {
				parts = append(parts, f.name+": "+g.leaf(f.typ))
			}
			g.printf("%s = %s{%s}\n", v.name, v.typ.name, strings.Join(parts, ", "))
			return
		}
	}
}

func (g *gen) pairStmt() {
	for i, v := range g.vars {
		if !strings.HasPrefix(v.typ.name, "pair[") || i < g.floor || g.shadowed(i) || v.fixed {
			continue
		}
		a, b := v.typ.fields[0].typ, v.typ.fields[1].typ
		n := g.name("v")
		if g.IntN(2) == 0 {
			g.printf("%s := %s.set(%s, %s)\n", n, v.name, g.expr(a, 2), g.expr(b, 2))
			g.add(n, a, false)
		} else {
			g.printf("%s := %s.swap()\n", n, v.name)
			g.add(n, pairOf(b, a), false)
		}
		return
	}
	g.declare(pairOf(oneOf(g, basicTypes), oneOf(g, basicTypes)))
}

// maxRisks is how many statements of a kernel may panic: with more, few inputs
// come through.
const maxRisks = 3

// mayPanic is one operation that may panic. The operands do not.
func (g *gen) mayPanic() {
	if !g.main || g.floor > 0 || g.risks == maxRisks {
		g.assign()
		return
	}
	g.risks++
	rare := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) } // 0 is one of eight
	v := g.name("v")
	add := func(t *typ, format string, args ...any) {
		g.printf("%s := %s\n", v, fmt.Sprintf(format, args...))
		g.add(v, t, false)
	}
	a, ok := g.sliceable(g.depth)
	n := g.IntN(9)
	if !ok && n >= 3 && n < 7 {
		n = 0
	}
	switch n {
	case 0:
		t := oneOf(g, integerTypes)
		add(t, "%s %s %s(%s)", g.operand(t, 2), oneOf(g, []string{"/", "%"}), t.name, rare())
	case 1:
		t := oneOf(g, integerTypes)
		add(t, "%s %s (%s - 1)", g.expr(t, 2), oneOf(g, []string{"<<", ">>"}), rare())
	case 2:
		value := oneOf(g, []string{`"torn"`, `"100% wool"`, "in.Int[0]", "in.U8[1]", "in.Bool[0]", "in.I16[0]", "in.U64[0]", "number(in.F64[0])", "uint16(40000)"})
		g.printf("if %s == 7 && %s < 2 {\npanic(%s)\n}\n", rare(), rare(), value)
	case 3, 4:
		i := rare()
		if g.IntN(3) == 0 {
			i = oneOf(g, integerTypes).name + "(" + i + ")"
		} else if g.IntN(3) == 0 {
			i += " - 1"
		}
		if g.IntN(3) == 0 {
			g.printf("%s[%s] = %s\n", a.name, i, g.expr(a.typ.elem, 2))
			return
		}
		add(a.typ.elem, "%s[%s]", a.name, i)
	case 5:
		form := oneOf(g, []string{"lo:hi", "lo:hi:max", ":hi:max", "lo:", ":hi"})
		for _, bound := range []string{"lo", "hi", "max"} {
			form = strings.Replace(form, bound, rare(), 1)
		}
		add(sliceOf(a.typ.elem), "%s[%s]", a.name, form)
	case 6:
		t := arrayOf(1+g.IntN(4), a.typ.elem)
		if s := g.address(sliceOf(a.typ.elem), g.depth); g.IntN(2) == 0 {
			add(t, "%s(%s)", t.name, s)
		} else {
			add(pointerTo(t), "(*%s)(%s)", t.name, s)
		}
	case 7:
		if e, t, ok := g.target(func(*typ) bool { return true }); ok {
			p := g.name("p")
			g.printf("var %s *%s\nif %s != 3 {\n%s = &%s\n}\n", p, t.name, rare(), p, e)
			add(t, "*%s", p)
		}
	default:
		add(u64T, "bits.Rem64(%s, %s, uint64(%s))", g.leaf(u64T), g.leaf(u64T), rare())
	}
}

// overlapStmt copies within one array, from one part to another that may share
// elements with it.
func (g *gen) overlapStmt() {
	e, t, ok := g.target(func(t *typ) bool { return t.class == array && t.len > 1 })
	if !ok {
		g.declare(arrayOf(oneOf(g, []int{2, 3, 4, 5, 8, 11, 16, 40}), oneOf(g, basicTypes)))
		e, t = g.last().name, g.last().typ
	}
	part := func() string {
		switch g.IntN(4) {
		case 0:
			return e + "[:]"
		case 1, 2:
			return fmt.Sprintf("%s[%d:]", e, g.IntN(t.len))
		}
		return fmt.Sprintf("window(%s[:], %s, %s)", e, g.given(u64T), g.given(u64T))
	}
	to, from := part(), part()
	if to == from {
		from = fmt.Sprintf("%s[1:]", e)
	}
	if g.trips*7 <= maxTrips && g.IntN(3) == 0 {
		g.cost = max(g.cost, g.trips*7)
		g.printf("for range %s {\ncopy(%s, %s)\n}\n", g.small(), to, from)
		return
	}
	g.printf("copy(%s, %s)\n", to, from)
}
