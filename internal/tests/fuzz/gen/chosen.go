package main

import (
	"fmt"
	"strings"
)

// This file writes funcs that are chosen at run time: by conditions, from arrays, out of
// fields, and such as may be nil.

// chosenStmt writes one of these. All funcs of it take and return the same type.
func (g *gen) chosenStmt() {
	if g.depth > 2 || g.trips > 20 {
		g.assign()
		return
	}
	f := &fn{pure: g.IntN(2) == 0 || g.floor > 0, depth: g.depth + 1}
	t := oneOf(g, basicTypes)
	f.params, f.results = []*typ{t}, []*typ{t}
	lit := func() string { return g.oneFunc(f, t) }
	f.name = g.name("c")
	v := g.name("v")
	var text string
	switch g.IntN(6) {
	case 0: // a variable, which later statements call
		text = fmt.Sprintf("%s := %s\nif %s {\n%s = %s\n} else if %s {\n%s = %s\n}\n", f.name, lit(), g.expr(boolT, 2), f.name, lit(), g.expr(boolT, 1), f.name, lit())
		text += fmt.Sprintf("%s := %s(%s)\n", v, f.name, g.operand(t, 2))
		g.fns = append(g.fns, f)
	case 1: // an array
		var all []string
		for range 2 + g.IntN(3) {
			all = append(all, lit())
		}
		text = fmt.Sprintf("%s := [...]func(%s) %s{%s}\n", f.name, t.name, t.name, strings.Join(all, ", "))
		text += fmt.Sprintf("%s := %s[uint(%s)%%%d](%s)\n", v, f.name, g.expr(u32T, 2), len(all), g.operand(t, 2))
	case 2: // one that may be nil
		text = fmt.Sprintf("var %s func(%s) %s\nif %s {\n%s = %s\n}\n", f.name, t.name, t.name, g.expr(boolT, 2), f.name, lit())
		text += fmt.Sprintf("%s := %s\nif %s != nil {\n%s = %s(%s)\n}\n", v, g.operand(t, 2), f.name, v, f.name, g.operand(t, 1))
	case 3: // one that a loop changes
		if f.cost*g.trips*8 > maxTrips {
			f.cost = 1
		}
		text = fmt.Sprintf("%s := %s\n%s := %s\n", f.name, lit(), v, g.operand(t, 2))
		i := g.name("i")
		text += fmt.Sprintf("for %s := range %s {\nif (%s+%d)%%3 == 0 {\n%s = %s\n}\n%s = %s(%s)\n}\n", i, g.small(), i, g.IntN(3), f.name, lit(), v, f.name, v)
		f.cost *= 8
	case 4: // arguments, of which the callee returns one
		text = fmt.Sprintf("%s := chosen(uint(%s), %s, %s, %s)(%s)\n", v, g.expr(u32T, 2), lit(), lit(), lit(), g.operand(t, 2))
	default: // fields
		text = g.funcFields(f.name, v, t, lit)
		f.cost *= 6
	}
	if g.trips*f.cost > maxTrips {
		g.fns = withoutFn(g.fns, f)
		g.assign()
		return
	}
	g.cost = max(g.cost, g.trips*f.cost)
	g.printf("%s", text)
	g.add(v, t, false)
}

func withoutFn(fns []*fn, f *fn) []*fn {
	if n := len(fns); n > 0 && fns[n-1] == f {
		return fns[:n-1]
	}
	return fns
}

// oneFunc is a function from t to t: a literal, a method value, or a declared one. f gets its cost.
func (g *gen) oneFunc(f *fn, t *typ) string {
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("same[%s]", t.name)
	case 1:
		return fmt.Sprintf("ops[%s]{by: %s}.get", t.name, g.operand(t, 1))
	case 2:
		return fmt.Sprintf("always(%s)", g.operand(t, 1))
	}
	lit, cost := g.literalFunc(f.pure, []*typ{t}, []*typ{t})
	f.cost = max(f.cost, cost)
	return lit
}

// funcFields declares a struct with funcs in it, changes it, and calls what it holds.
func (g *gen) funcFields(name, v string, t *typ, lit func() string) string {
	var b strings.Builder
	second := ""
	if g.IntN(2) == 0 {
		second = ", g: " + lit()
	}
	fmt.Fprintf(&b, "%s := ops[%s]{f: %s%s, by: %s, n: int(%s)}\n", name, t.name, lit(), second, g.operand(t, 1), g.expr(u8T, 1))
	if g.IntN(2) == 0 {
		fmt.Fprintf(&b, "if %s {\n%s.%s = %s\n}\n", g.expr(boolT, 2), name, oneOf(g, []string{"f", "g"}), lit())
	}
	if g.IntN(3) == 0 {
		fmt.Fprintf(&b, "%s = %s.turned()\n", name, name)
	}
	x := g.operand(t, 2)
	switch g.IntN(5) {
	case 0:
		fmt.Fprintf(&b, "%s := %s.do(%s)\n", v, name, x)
	case 1:
		fmt.Fprintf(&b, "%s := %s.at(%s)\n", v, name, x)
	case 2:
		fmt.Fprintf(&b, "%s := %s.then(%s).do(%s)\n", v, name, lit(), x)
	case 3:
		fmt.Fprintf(&b, "%s := [2]ops[%s]{{f: %s}, %s}[%s&1].do(%s)\n", v, t.name, lit(), name, g.expr(u32T, 1), x)
	default:
		m := g.name("b")
		fmt.Fprintf(&b, "%s := %s.do\n%s.by = %s\n%s := %s(%s)\n", m, name, name, g.operand(t, 1), v, m, x)
	}
	return b.String()
}
