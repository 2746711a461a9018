package spmd

// This file writes accesses to memory of random scalar IR.

// address computes an address that nothing is read from.
func (g *generator) address() {
	if g.o.Runs {
		return
	}
	t := pickOne(g, "i64", "i64", "i32", "i16", "i8")
	elem := pickOne(g, "i8", "i32", "i64", "[3 x i32]", "{ i32, i64 }")
	x, p := g.value(t, true), g.value("ptr", false)
	switch elem {
	case "[3 x i32]":
		g.let("ptr", "getelementptr %s, ptr %s, %s %s, i64 %d", elem, p, t, x, g.IntN(3))
	case "{ i32, i64 }":
		g.let("ptr", "getelementptr %s, ptr %s, %s %s, i32 %d", elem, p, t, x, g.IntN(2))
	default:
		g.let("ptr", "getelementptr %s, ptr %s, %s %s", elem, p, t, x)
	}
}

// odd are the widths that LLVM makes accesses to memory of where it has joined or cut
// others: fewer bytes than the type takes in an array.
var odd = []string{"i24", "i40", "i48", "i56"}

// load reads memory: any, or an element of ints, or some bytes of two.
func (g *generator) load() {
	if !g.o.Runs {
		t := pickOne(g, "i8", "i16", "i32", "i64")
		g.let(t, "load %s, ptr %s", t, g.value("ptr", false))
		return
	}
	x := g.value("i64", false)
	if g.IntN(2) == 0 {
		v := g.value("i32", false)
		x = g.let("i64", "zext i32 %s to i64", v)
	}
	i := g.let("i64", "and i64 %s, %d", x, pickOne(g, 255, 255, 127, 63, 15, 3))
	p := g.name()
	if g.IntN(6) == 0 {
		t := pickOne(g, odd...)
		i = g.let("i64", "and i64 %s, 127", i)
		g.line("%s = getelementptr i32, ptr %%ints, i64 %s", p, i)
		g.let(t, "load %s, ptr %s, align 4", t, p)
		return
	}
	g.line("%s = getelementptr i32, ptr %%ints, i64 %s", p, i)
	g.let("i32", "load i32, ptr %s, align 4", p)
}

// store writes a value to this thread's next place in out, or its lower bytes.
func (g *generator) store() {
	t, to := g.recentType(), "i64"
	v := g.value(t, false)
	if g.IntN(6) == 0 {
		to = pickOne(g, odd...)
	}
	switch n, m := bitsOf(t), bitsOf(to); {
	case n < m:
		v = g.let(to, "zext %s %s to %s", t, v, to)
	case n > m:
		v = g.let(to, "trunc %s %s to %s", t, v, to)
	}
	p := g.name()
	g.line("%s = getelementptr i8, ptr %%mine, i64 %d", p, 8*ThreadsMax*g.stores)
	g.stores++
	g.line("store %s %s, ptr %s, align 8", to, v, p)
}
