package main

import (
	"fmt"
	"strings"
)

// packed is a number put together of pieces of others, as in x<<16 | x>>16, or of bytes.
// The pieces are cut by constants, and most are of one number.
func (g *gen) packed(t *typ, deep int) string {
	if t.param {
		return g.expr(t, deep)
	}
	x := g.expr(t, min(deep, 1))
	var pieces []string
	for range 2 + g.IntN(3) {
		pieces = append(pieces, g.piece(t, x))
		if g.IntN(4) == 0 {
			x = g.expr(t, min(deep, 1))
		}
	}
	return "(" + strings.Join(pieces, oneOf(g, []string{" | ", " | ", " | ", " ^ ", " + ", " - "})) + ")"
}

// piece is a part of x, at its own place in it or at another.
func (g *gen) piece(t *typ, x string) string {
	switch n := g.places(t.bits); g.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("%s<<%d", x, n)
	case 2, 3:
		return fmt.Sprintf("%s>>%d", x, n)
	case 4:
		return fmt.Sprintf("%s%s(1<<%d)", x, oneOf(g, []string{"/", "%", "*"}), min(n, t.bits-2))
	case 5:
		return fmt.Sprintf("(%s%s(1<<%d-1))", x, oneOf(g, []string{"&", "&^"}), min(n, t.bits-1))
	case 6:
		return fmt.Sprintf("(%s&(%d<<%d))", x, 1+g.IntN(127), min(n, max(t.bits-9, 0)))
	default:
		return fmt.Sprintf("%s(%s(%s>>%d))<<%d", t.name, oneOf(g, integerTypes).name, x, n, g.places(t.bits))
	}
}

// places is how far a piece moves: mostly by bytes, or by half its type.
func (g *gen) places(bits int) int {
	switch g.IntN(4) {
	case 0:
		return bits / 2
	case 1:
		return g.IntN(bits)
	}
	return 8 * g.IntN(bits/8)
}

// sheet puts out many numbers, each made by a few operations: instruction selection looks
// at few at a time, and each kind of processor at others.
func (g *gen) sheet() {
	if !g.main || g.inFunc() || g.trips > 1 {
		g.assign()
		return
	}
	for range 16 {
		if g.IntN(4) == 0 {
			t := oneOf(g, basicTypes)
			g.sink(g.expr(t, 2), t, 0)
			continue
		}
		t := oneOf(g, integerTypes)
		g.sink(oneOf(g, []func(*typ, int) string{g.packed, g.integer, g.extendedBinary})(t, 2), t, 0)
	}
}
