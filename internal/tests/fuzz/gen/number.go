package main

import (
	"fmt"
	"strings"
)

// integer is an operation with an integer result.
func (g *gen) integer(t *typ, deep int) string {
	x := func() string { return g.expr(t, deep) }
	y := func() string { return g.operand(t, deep) }
	return weighted(g, []choice[func() string]{
		{6, func() string { return fmt.Sprintf("(%s %s %s)", x(), oneOf(g, []string{"+", "-", "*"}), y()) }},
		{4, func() string { return fmt.Sprintf("(%s %s %s)", x(), oneOf(g, []string{"&", "|", "^", "&^"}), y()) }},
		{3, func() string { return fmt.Sprintf("(%s %s (%s | 1))", y(), oneOf(g, []string{"/", "%"}), x()) }},
		{2, func() string { return fmt.Sprintf("(%s %s %s)", x(), oneOf(g, []string{"/", "%"}), g.literal(t)) }},
		{4, func() string { return fmt.Sprintf("(%s %s %s)", x(), oneOf(g, []string{"<<", ">>"}), g.count(t, deep)) }},
		{2, func() string { return fmt.Sprintf("%s(%s)", oneOf(g, []string{"-", "^", "+"}), x()) }},
		{5, func() string { return g.fromNumber(t, deep) }},
		{2, func() string { return fmt.Sprintf("%s(%s, %s)", oneOf(g, []string{"min", "max"}), x(), y()) }},
		{3, func() string { return fmt.Sprintf("%s(%s)", t.name, g.bitsCall(deep)) }},
		{1, func() string { return fmt.Sprintf("%s(bit(%s))", t.name, g.expr(boolT, deep)) }},
		{1, func() string { return fmt.Sprintf("%s(%s)", t.name, g.size(deep)) }},
		{g.weight(index, 6), func() string { return g.idiom(t) }},
		{g.weight(extend, 8), func() string { return g.extendedBinary(t, deep) }},
		{g.weight(media, 8), func() string { return g.media(t, deep) }},
		{g.weight(pack, 10), func() string { return g.packed(t, deep) }},
		{g.weight(nan, 3), func() string {
			if t.param {
				return x()
			}
			return g.absInteger(t, deep)
		}},
	})()
}

// size is a length, a capacity or a byte of a string.
func (g *gen) size(deep int) string {
	for _, v := range g.vars {
		if v.typ.class == slice && g.IntN(2) == 0 && !g.hidden(v) {
			return oneOf(g, []string{"len", "cap"}) + "(" + v.name + ")"
		}
	}
	if g.IntN(2) == 0 {
		return fmt.Sprintf("len(%s)", g.expr(textT, deep))
	}
	return fmt.Sprintf("%s[%s&3]", oneOf(g, []string{`"warp"`, `"weft"`}), g.given(oneOf(g, integerTypes)))
}

func (g *gen) hidden(v *variable) bool {
	for i, w := range g.vars {
		if w == v {
			return g.shadowed(i)
		}
	}
	return true
}

// count is a shift count: any unsigned number, or one that is not negative.
func (g *gen) count(t *typ, deep int) string {
	switch g.IntN(4) {
	case 0:
		return fmt.Sprint(g.IntN(t.bits))
	case 1:
		return fmt.Sprintf("(%s & 63)", g.expr(oneOf(g, []*typ{intT, i32T}), deep))
	case 2:
		return fmt.Sprintf("(%s %% 70)", g.expr(oneOf(g, []*typ{u8T, u32T, u64T, uintT}), deep))
	}
	return g.expr(oneOf(g, []*typ{u8T, u32T, u64T, uintT}), deep)
}

// fromNumber converts another number.
func (g *gen) fromNumber(t *typ, deep int) string {
	if g.IntN(3) > 0 || t.param {
		return fmt.Sprintf("%s(%s)", t.name, g.expr(oneOf(g, integerTypes), deep))
	}
	return fmt.Sprintf("%s(variable(%s))", t.name, g.expr(oneOf(g, []*typ{f32T, f64T}), deep))
}

// bitsCall is a call of package math/bits.
func (g *gen) bitsCall(deep int) string {
	width := oneOf(g, []string{"", "8", "16", "32", "64"})
	x := func() string { return g.expr(g.uintOf(width), deep) }
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("bits.RotateLeft%s(%s, int(%s))", width, x(), g.expr(oneOf(g, integerTypes), deep))
	case 1:
		if width == "8" {
			return "bits.Reverse8(" + x() + ")"
		}
		return fmt.Sprintf("bits.%s%s(%s)", oneOf(g, []string{"Reverse", "ReverseBytes"}), width, x())
	}
	return fmt.Sprintf("bits.%s%s(%s)", oneOf(g, []string{"LeadingZeros", "TrailingZeros", "OnesCount", "Len"}), width, x())
}

func (g *gen) uintOf(width string) *typ {
	for _, t := range integerTypes {
		if t.name == "uint"+width {
			return t
		}
	}
	panic("no uint" + width)
}

// product is a multiplication rounded by a conversion, so that no device may fuse it.
func (g *gen) product(t *typ, deep int) string {
	return fmt.Sprintf("%s(%s * %s)", t.name, g.expr(t, deep), g.operand(t, deep))
}

// sum is a float or complex operation with one of some operators, each of one character,
// and what follows the operator. None is x + x, -x - x or the like: that is a product by
// 2, which a device may fuse with what follows, so that it does not overflow.
func (g *gen) sum(x, operators, behind string, other func() string) string {
	op := operators[g.IntN(len(operators))]
	y := other()
	minusX, bareX := bare(x)
	minusY, bareY := bare(y)
	switch {
	case bareX != bareY || op == '/':
	case minusX == minusY:
		op = '-'
	default:
		op = '+'
	}
	return x + " " + string(op) + behind + y
}

// bare is an expression without the minuses before it, as floating writes them, and
// whether their number is odd.
func bare(e string) (negative bool, of string) {
	for strings.HasPrefix(e, "-(") {
		negative, e = !negative, e[2:len(e)-1]
	}
	return negative, e
}

// floating is an operation with a float result.
func (g *gen) floating(t *typ, deep int) string {
	x := func() string { return g.expr(t, deep) }
	y := func() string { return g.operand(t, deep) }
	other := map[int]*typ{32: f64T, 64: f32T}[t.bits]
	part := map[int]*typ{32: c64T, 64: c128T}[t.bits]
	all := []choice[func() string]{
		{6, func() string { return "(" + g.sum(x(), "+-", " ", y) + ")" }},
		{4, func() string { return g.product(t, deep) }},
		{3, func() string { return "(" + g.sum(x(), "+-", " ", func() string { return g.product(t, deep) }) + ")" }},
		{3, func() string { return fmt.Sprintf("(%s / %s)", x(), y()) }},
		{2, func() string { return fmt.Sprintf("-(%s)", x()) }},
		{2, func() string { return fmt.Sprintf("%s(%s, %s)", oneOf(g, []string{"min", "max"}), x(), y()) }},
		{2, func() string { return fmt.Sprintf("%s(%s)", t.name, g.expr(oneOf(g, integerTypes), deep)) }},
	}
	if !t.param {
		all = append(all, []choice[func() string]{
			{4, func() string { return fmt.Sprintf("%s(%s)", t.name, g.mathCall(deep)) }},
			{2, func() string { return fmt.Sprintf("%s(%s)", t.name, g.expr(other, deep)) }},
			{1, func() string { return fmt.Sprintf("%s(%s)", oneOf(g, []string{"real", "imag"}), g.expr(part, deep)) }},
			{1, func() string {
				return fmt.Sprintf("math.Float%dfrombits(%s)", t.bits, g.expr(map[int]*typ{32: u32T, 64: u64T}[t.bits], deep))
			}},
		}...)
	}
	return weighted(g, all)()
}

// mathCall is a call of one of package math's exact functions.
func (g *gen) mathCall(deep int) string {
	x := func() string { return g.expr(f64T, deep) }
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("math.Copysign(%s, number(%s))", x(), x())
	case 1:
		return fmt.Sprintf("math.%s(%s, %s)", oneOf(g, []string{"Max", "Min", "Dim", "Mod", "Remainder", "Nextafter"}), x(), g.operand(f64T, deep))
	case 2:
		if g.IntN(2) == 0 {
			return fmt.Sprintf("math.FMA(%s, %s, %s)", x(), x(), x())
		}
		return fmt.Sprintf("math.Ldexp(%s, int(%s))", x(), g.expr(oneOf(g, integerTypes), deep))
	case 3:
		if g.IntN(2) == 0 { // gc has an instruction of 32 bits for it
			return fmt.Sprintf("float32(math.Sqrt(float64(%s)))", g.expr(f32T, deep))
		}
	}
	return fmt.Sprintf("math.%s(%s)", oneOf(g, []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "Round", "RoundToEven", "Logb"}), x())
}

// complexNum is an operation with a complex result.
func (g *gen) complexNum(t *typ, deep int) string {
	part := map[int]*typ{32: f32T, 64: f64T}[t.bits]
	other := map[int]*typ{32: c128T, 64: c64T}[t.bits]
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("complex(%s, %s)", g.expr(part, deep), g.expr(part, deep))
	case 1:
		return fmt.Sprintf("-(%s)", g.expr(t, deep))
	case 2:
		return fmt.Sprintf("%s(%s)", t.name, g.expr(other, deep))
	case 3:
		// the sign of a NaN would become that of a zero
		return fmt.Sprintf("(numbers%d(%s) / numbers%d(%s))", 2*t.bits, g.expr(t, deep), 2*t.bits, g.operand(t, deep))
	}
	return "(" + g.sum(g.expr(t, deep), "+-", " ", func() string { return g.operand(t, deep) }) + ")"
}

// absolute is an absolute value, written in one of several ways.
func (g *gen) absolute(t *typ, deep int) string {
	x := g.expr(t, deep)
	switch {
	case g.IntN(3) > 0 && t == f64T:
		return fmt.Sprintf("math.Abs(%s)", x)
	case g.IntN(3) > 0:
		return fmt.Sprintf("%s(math.Abs(float64(%s)))", t.name, x)
	}
	y := g.leaf(t)
	return fmt.Sprintf("pick(%s < 0, -(%s), %s)", y, y, y)
}

// absInteger is the absolute value of an integer in signs that the compiler sees, that of the
// least number at times: it is negative.
func (g *gen) absInteger(t *typ, deep int) string {
	x := g.leaf(t)
	switch g.IntN(4) {
	case 0, 1:
		one := "-1"
		if t.class == unsigned {
			one = "1"
		}
		x = fmt.Sprintf("pick(%s, %s(%s)<<%d, %s)", g.leaf(boolT), t.name, one, t.bits-1, x)
	case 2:
		x = g.expr(t, min(deep, 1))
	}
	abs := fmt.Sprintf("max(%[1]s, -(%[1]s))", x)
	switch n := g.IntN(t.bits - 1); g.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s >> %d)", abs, n)
	case 1:
		return fmt.Sprintf("(%s %s (1 << %d))", abs, oneOf(g, []string{"/", "%"}), min(n, t.bits-2))
	case 2:
		return fmt.Sprintf("-(%s)", abs)
	}
	return abs
}

// absComparison compares one, with what a number without a sign would not be below.
func (g *gen) absComparison(deep int) string {
	t := oneOf(g, integerTypes)
	for t.class != signed {
		t = oneOf(g, integerTypes)
	}
	x := g.absInteger(t, deep)
	if g.IntN(3) == 0 {
		x = fmt.Sprintf("%s(%s)", intT.name, x)
	}
	return fmt.Sprintf("(%s %s %s)", x, oneOf(g, comparisons), oneOf(g, []string{"0", "-1", "-2", "1", "-100", "5"}))
}

// nanComparison compares absolute values, negated ones, NaN and zeros.
func (g *gen) nanComparison(deep int) string {
	t := oneOf(g, []*typ{f32T, f64T})
	side := func() string {
		switch g.IntN(6) {
		case 0, 1:
			return g.absolute(t, deep)
		case 2:
			return fmt.Sprintf("-%s", g.absolute(t, deep))
		case 3:
			return fmt.Sprintf("-(%s)", g.expr(t, deep))
		case 4:
			return fmt.Sprintf("%s(%s)", t.name, oneOf(g, []string{"math.NaN()", "math.Copysign(0, -1)", "math.Inf(-1)", "math.Inf(1)"}))
		}
		return g.expr(t, deep)
	}
	right := side()
	if g.IntN(3) == 0 {
		right = oneOf(g, []string{"0", "0.5", "-1", "1e-40", "-0.25"})
	}
	left := g.expr(t, deep)
	if g.IntN(2) == 0 {
		left = g.absolute(t, deep)
	}
	return fmt.Sprintf("%s(%s %s %s)", oneOf(g, []string{"", "!"}), left, oneOf(g, comparisons), right)
}
