package main

import "fmt"

// This file makes arrays of bool and of small integers, and extended integers.

var narrowTypes []*typ

func init() {
	narrowTypes = []*typ{boolT, boolT, boolT, u8T}
	for _, t := range integerTypes {
		if t.bits < 32 {
			narrowTypes = append(narrowTypes, t)
		}
	}
}

// narrowArray is an array of bool or of small integers.
func (g *gen) narrowArray() *typ {
	return arrayOf(oneOf(g, []int{2, 3, 4, 5, 7, 8, 10, 12, 12, 16, 17, 33, 40}), oneOf(g, narrowTypes))
}

// scatter writes elements of an array, in a loop at places that differ between
// threads, and maybe looks for what it wrote.
func (g *gen) scatter() {
	if g.trips*8 > maxTrips {
		g.assign()
		return
	}
	v := g.scattered()
	if v == "" {
		return
	}
	t := g.last().typ
	j := g.name("i")
	place := func() string { // a function, because it is drawn anew
		i, _ := g.number()
		if g.chance(index, 2) {
			i = g.idiom(intT)
		}
		return fmt.Sprintf("uint(int(%s) + %s*%d) %% %d", i, j, 1+g.IntN(7), t.len)
	}
	g.looping(8, fmt.Sprintf("for %s := range %s", j, oneOf(g, []string{g.small(), fmt.Sprint(1 + g.IntN(8))})), func() {
		g.add(j, intT, true)
		p := place()
		switch {
		case t.elem == boolT && g.IntN(2) == 0:
			g.printf("%s[%s] = !%s[%s]\n", v, p, v, oneOf(g, []string{p, place()}))
		case t.elem == boolT && g.IntN(2) == 0:
			g.printf("%s[%s] = true\n", v, p)
		case t.elem.isInteger() && g.IntN(2) == 0:
			g.printf("%s[%s] %s= %s\n", v, p, oneOf(g, []string{"+", "-", "^", "|", "*"}), g.operand(t.elem, 2))
		default:
			g.printf("%s[%s] = %s\n", v, p, g.expr(t.elem, 2))
		}
	})
	if g.IntN(2) == 0 {
		g.search(v, t)
	}
}

// scattered is the name of a new array, the last variable, or "".
func (g *gen) scattered() string {
	if g.IntN(3) == 0 {
		return g.declare(g.narrowArray()).name
	}
	t := g.narrowArray()
	v := g.name("v")
	g.printf("var %s %s\n", v, t.name)
	g.add(v, t, false)
	return v
}

func (g *gen) last() *variable { return g.vars[len(g.vars)-1] }

// search counts, or finds the first of, the elements that something holds for.
func (g *gen) search(v string, t *typ) {
	n, i, x := g.name("n"), g.name("i"), g.name("x")
	cond := x
	if t.elem != boolT {
		cond = fmt.Sprintf("%s %s %s", x, oneOf(g, comparisons), g.operand(t.elem, 1))
	}
	g.printf("%s := 0\nfor %s, %s := range %s {\nif %s {\n", n, i, x, v, cond)
	if g.IntN(2) == 0 {
		g.printf("%s = %s*3 + %s\n", n, n, i)
	} else {
		g.printf("%s = %s + 1\nbreak\n", n, i)
	}
	g.printf("}\n}\n")
	g.add(n, intT, false)
}

// extended is an integer that is extended or cut step by step.
func (g *gen) extended(t *typ, deep int) string {
	from := oneOf(g, integerTypes)
	if from.bits == 64 && g.IntN(4) > 0 {
		from = oneOf(g, narrowTypes[4:])
	}
	e := g.expr(from, deep)
	for range 1 + g.IntN(2) {
		e = fmt.Sprintf("%s(%s)", oneOf(g, integerTypes).name, e)
	}
	return fmt.Sprintf("%s(%s)", t.name, e)
}

// extendedBinary is an operation on extended integers.
func (g *gen) extendedBinary(t *typ, deep int) string {
	if t.param {
		return g.expr(t, deep)
	}
	x, y := g.extended(t, deep), g.extended(t, deep)
	if g.IntN(3) == 0 { // of which a half or more is all ones
		y = "^" + y
	}
	switch op := oneOf(g, []string{"/", "/", "/", "%", "%", "*", "+", "-", "&", "|", "|", "&^", "^", "<<", ">>"}); op {
	case "/", "%":
		return fmt.Sprintf("(%s %s (%s | 1))", x, op, y)
	case "<<", ">>":
		return fmt.Sprintf("(%s %s (%s & %d))", x, op, y, t.bits-1)
	default:
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	}
}

// extendedComparison compares them.
func (g *gen) extendedComparison(deep int) string {
	t := oneOf(g, integerTypes)
	return fmt.Sprintf("(%s %s %s)", g.extended(t, deep), oneOf(g, comparisons), oneOf(g, []string{g.extended(t, deep), g.operand(t, deep)}))
}
