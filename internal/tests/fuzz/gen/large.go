package main

import (
	"fmt"
	"strings"
)

// This file makes structs of a hundred scalars and more, and what copies them.

// declareLarge declares a type of 100 to 150 scalars, arrays in it.
func (g *gen) declareLarge() {
	if !g.has(large) {
		return
	}
	t := &typ{name: "s" + g.id + "large", class: structure}
	var b strings.Builder
	for n := 0; n < 100; {
		var of *typ
		switch g.IntN(5) {
		case 0:
			of = oneOf(g, basicTypes)
		case 1:
			of = g.narrowArray()
		case 2:
			of = arrayOf(2+g.IntN(7), arrayOf(2+g.IntN(7), oneOf(g, basicTypes[1:])))
		case 3:
			of = arrayOf(10+g.IntN(31), oneOf(g, basicTypes))
		default:
			of = g.plainType(2)
		}
		if n+of.scalars() > 150 {
			continue
		}
		n += of.scalars()
		f := field{fmt.Sprintf("F%d", len(t.fields)), of}
		t.fields = append(t.fields, f)
		fmt.Fprintf(&b, "%s %s\n", f.name, of.name)
	}
	fmt.Fprintf(&g.decls, "type %s struct {\n%s}\n\n", t.name, &b)
	g.types = append(g.types, t)
	g.large = t
	g.twist(t)
}

// twist declares a method that changes some of a large value's elements, at places
// that differ between threads.
func (g *gen) twist(t *typ) {
	fmt.Fprintf(&g.decls, "func (r %s) twist(k int) %s {\n", t.name, t.name)
	for range 3 {
		f := oneOf(g, t.fields)
		e := "r." + f.name
		switch of := f.typ; {
		case of.class != array:
			fmt.Fprintf(&g.decls, "%s = pick(k&%d == 0, *new(%s), %s)\n", e, 1+g.IntN(3), of.name, e)
		case of.elem == boolT:
			fmt.Fprintf(&g.decls, "%s[uint(k)%%%d] = !%s[uint(k)%%%d]\n", e, of.len, e, of.len)
		default:
			a, b := fmt.Sprintf("[uint(k)%%%d]", of.len), fmt.Sprintf("[uint(%d-k)%%%d]", of.len-1, of.len)
			fmt.Fprintf(&g.decls, "%s%s, %s%s = %s%s, %s%s\n", e, a, e, b, e, b, e, a)
		}
	}
	g.decls.WriteString("return r\n}\n\n")
}

// two makes an array of large values, and takes one of them.
func (g *gen) two(v string, t *typ) {
	x, of := g.name("v"), arrayOf(2, t)
	g.printf("%s := %s{%s, %s}\n", x, of.name, v, g.expr(t, 1))
	if g.IntN(2) == 0 {
		g.part(fmt.Sprintf("%s[%s]", x, g.index(2)), t)
	}
	w := g.name("v")
	g.printf("%s := %s[%s].twist(%s)\n", w, x, g.index(2), g.expr(intT, 1))
	g.add(w, t, false)
	if g.IntN(2) == 0 {
		g.add(x, of, false)
	}
}

// scalars is how many numbers, bools and strings a value has.
func (t *typ) scalars() int {
	switch t.class {
	case structure:
		n := 0
		for _, f := range t.fields {
			n += f.typ.scalars()
		}
		return n
	case array:
		return t.len * t.elem.scalars()
	}
	return 1
}

// largeStmt copies, compares and joins large values, and writes parts of them.
func (g *gen) largeStmt() {
	t := g.large
	if t == nil || g.generic != nil {
		g.assign()
		return
	}
	v := ""
	for i, w := range g.vars {
		if same(w.typ, t) && !w.fixed && i >= g.floor && !g.shadowed(i) {
			v = w.name
		}
	}
	if v == "" {
		g.declare(t)
		return
	}
	switch g.IntN(9) {
	case 6:
		g.printf("%s = %s.twist(%s).twist(%s)\n", v, v, g.expr(intT, 2), g.expr(intT, 1))
	case 7, 8:
		g.two(v, t)
	case 0: // a copy, and then a change of one of them
		w := g.name("v")
		g.printf("%s := %s\n", w, v)
		g.add(w, t, false)
		g.part(oneOf(g, []string{v, w}), t)
	case 1: // a join
		if c, x := g.expr(boolT, 2), g.expr(t, 2); x != v {
			g.printf("if %s {\n%s = %s\n}\n", c, v, x)
		}
	case 2: // a comparison
		w := g.name("v")
		g.printf("%s := %s == %s\n", w, v, g.expr(t, 1))
		g.add(w, boolT, false)
	case 3: // carried around a loop
		if g.trips*3 > maxTrips {
			g.assign()
			return
		}
		w := g.name("v")
		g.printf("%s := %s\nfor range 2 {\n", w, v)
		g.part(v, t)
		g.printf("%s, %s = %s, %s\n}\n", v, w, w, v)
		g.add(w, t, false)
	default:
		g.part(v, t)
	}
}

// part writes part of a value, or exchanges elements.
func (g *gen) part(v string, t *typ) {
	for range 1 + g.IntN(2) {
		f := oneOf(g, t.fields)
		e, of := v+"."+f.name, f.typ
		if of.class == array && of.len > 1 && g.IntN(2) == 0 {
			a, b := g.index(of.len), g.index(of.len)
			if a != b {
				g.printf("%s[%s], %s[%s] = %s[%s], %s[%s]\n", e, a, e, b, e, b, e, a)
				continue
			}
		}
		for of.class == array {
			e, of = e+"["+g.index(of.len)+"]", of.elem
		}
		if x := g.expr(of, 2); x != e {
			g.printf("%s = %s\n", e, x)
		}
	}
}
