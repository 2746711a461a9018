package main

import "fmt"

// This file makes thread coordinates, and the idioms that kernels form of them:
// i%n, i&1, i>>3*5, int8(i)/7.

// A shape is a launch's: blocks, and threads of a block.
type shape struct{ grid, block [3]int }

var blocks = [][3]int{
	{64, 1, 1}, {32, 1, 1}, {128, 1, 1}, {33, 1, 1}, {7, 1, 1}, {100, 1, 1}, {31, 1, 1}, {96, 1, 1},
	{8, 8, 1}, {16, 4, 1}, {5, 7, 1}, {3, 11, 1}, {2, 33, 1}, {1, 64, 1}, {64, 2, 1}, {40, 3, 1},
	{4, 4, 4}, {3, 5, 2}, {2, 3, 7}, {1, 1, 40}, {8, 2, 4}, {1, 6, 6},
}

// wholeBlocks are those without a warp that is not full, at any warp size.
var wholeBlocks = [][3]int{{64, 1, 1}, {128, 1, 1}, {8, 8, 1}, {16, 8, 1}, {2, 32, 1}, {4, 4, 4}, {1, 2, 64}}

// threads is about how many threads a kernel of any shape has, at most 256.
const threads = 160

// chooseShape decides the launch.
func (g *gen) chooseShape() {
	if !g.has(index | warp) {
		if g.has(alike) { // many blocks of few threads have as many inputs
			g.shape = shape{[3]int{threads / 4, 1, 1}, [3]int{4, 1, 1}}
		}
		return
	}
	b := oneOf(g, blocks)
	if g.has(warp) {
		if g.whole = g.IntN(3) > 0; g.whole {
			b = oneOf(g, wholeBlocks)
		}
	}
	size := b[0] * b[1] * b[2]
	n := max(1, threads/size)
	grid := [3]int{n, 1, 1}
	if n > 3 && g.IntN(2) == 0 {
		grid = [3]int{2, n / 2, 1}
		if n > 7 && g.IntN(2) == 0 {
			grid = [3]int{2, n / 4, 2}
		}
	}
	if b[1] > 1 && g.IntN(2) == 0 {
		grid[0], grid[1] = grid[1], grid[0]
	}
	g.shape = shape{grid, b}
}

// coordinate is a thread coordinate, an int.
func (g *gen) coordinate() string {
	axis := oneOf(g, []string{"X", "X", "Y", "Z"})
	for i, name := range []string{"X", "Y", "Z"} { // rather one that varies
		if axis == name && g.shape.block[i] == 1 && g.IntN(4) > 0 {
			axis = "X"
		}
	}
	return weighted(g, []choice[func() string]{
		{9, func() string { return "dsl.ThreadIdx()." + axis }},
		{2, func() string { return "dsl.BlockIdx()." + axis }},
		{4, func() string { return "dsl.GlobalIdx()." + axis }},
		{1, func() string {
			return oneOf(g, []string{"dsl.BlockDim()", "dsl.GridDim()", "dsl.GlobalSize()"}) + "." + axis
		}},
		{3, func() string {
			return oneOf(g, []string{"dsl.LaneID()", "dsl.LaneID()", "dsl.LaneID()", "dsl.WarpID()", "dsl.WarpSize()"})
		}},
	})()
}

// idiom is an integer made of a coordinate.
func (g *gen) idiom(t *typ) string {
	e, from := g.coordinate(), intT
	if !t.param && g.IntN(3) == 0 {
		from = t
		e = fmt.Sprintf("%s(%s)", from.name, e)
	}
	steps := 1 + g.IntN(3)
	if g.IntN(4) == 0 { // the commonest of all: one bit, times something
		if g.IntN(2) == 0 {
			from = oneOf(g, integerTypes)
			e = fmt.Sprintf("%s(%s)", from.name, e)
		}
		by := g.given(from)
		if g.IntN(2) == 0 {
			by = fmt.Sprint(3 + g.IntN(60))
		}
		e = fmt.Sprintf("(%s %s * %s)", e, oneOf(g, []string{"% 2", "& 1", ">> 1 & 1", "& 3", "% 4", "& 2"}), by)
		steps = g.IntN(2)
	}
	for range steps {
		if g.IntN(3) == 0 {
			from = oneOf(g, integerTypes)
			e = fmt.Sprintf("%s(%s)", from.name, e)
		}
		e = g.step(e, from)
	}
	if same(from, t) {
		return e
	}
	return fmt.Sprintf("%s(%s)", t.name, e)
}

// step is one operation of an idiom, with a constant or now and then a value.
func (g *gen) step(e string, t *typ) string {
	n := oneOf(g, []int{1, 2, 2, 2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 100})
	if g.IntN(3) == 0 { // the low bit is the commonest
		n = oneOf(g, []int{1, 2})
	}
	switch op := oneOf(g, []string{"%", "%", "&", "&", ">>", "/", "*", "*", "+", "-", "^", "|", "<<", "%x", "+x"}); op {
	case ">>", "<<":
		return fmt.Sprintf("(%s %s %d)", e, op, 1+g.IntN(min(t.bits-1, 7)))
	case "%x":
		return fmt.Sprintf("(%s %% (%s | 1))", e, g.given(t))
	case "+x":
		return fmt.Sprintf("(%s + %s)", e, g.given(t))
	default:
		return fmt.Sprintf("(%s %s %d)", e, op, n)
	}
}

// declareCoordinates declares the variables that kernels begin with.
func (g *gen) declareCoordinates() {
	if !g.has(index) {
		return
	}
	for range 1 + g.IntN(3) {
		t := oneOf(g, []*typ{intT, intT, i32T, u32T, oneOf(g, integerTypes)})
		e := fmt.Sprintf("%s(%s)", t.name, g.coordinate())
		if g.IntN(2) == 0 {
			e = g.idiom(t)
		}
		name := g.name("k")
		g.printf("%s := %s\n", name, e)
		g.add(name, t, g.IntN(2) == 0)
	}
}

// sinkIdioms stores some idioms as they are: what an index becomes in memory.
func (g *gen) sinkIdioms() {
	if !g.has(index) {
		return
	}
	for range 1 + g.IntN(4) {
		t := oneOf(g, integerTypes)
		g.sink("("+g.idiom(t)+")", t, 0)
	}
}
