package main

// shortWay gives a variable a part of a number at the end of a way that threads come to in
// several ways, and that some of them leave on one of these.
func (g *gen) shortWay() {
	e, t, ok := g.target(func(t *typ) bool { return t.isInteger() && !t.param })
	if !ok {
		g.assign()
		return
	}
	used := false
	g.loops = append(g.loops, loop{used: &used})
	defer func() { g.loops = g.loops[:len(g.loops)-1] }()
	v := g.name("v")
	g.printf("switch %s := %s; {\ndefault:\nif %s ", v, g.parenthesised(oneOf(g, []*typ{u64T, intT}), 2), g.expr(boolT, 2))
	g.blockEnding(g.stmts, func() string { return "if " + g.expr(boolT, 2) + " {\nbreak\n}" })
	g.printf("\n%s = %s(%s)\n}\n", e, t.name, v)
}

// unequal gives a variable a constant or another number, by whether a float is less or greater than it.
func (g *gen) unequal() {
	t := oneOf(g, []*typ{f32T, f64T})
	all := g.paths(t, true, g.depth)
	if len(all) == 0 {
		g.assign()
		return
	}
	e, v, k := oneOf(g, all), g.name("v"), g.literal(t)
	g.printf("if %s := %s; %s < %s || %s > %s {\n%s = %s\n} else {\n%s = %s\n}\n", v, g.parenthesised(t, 2), v, k, v, k, e, g.expr(t, 2), e, k)
}
