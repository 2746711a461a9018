package main

import "fmt"

// This file makes what processors have vector instructions for, which LLVM looks for in the
// vectors of the cpu device: averages, saturation, upper halves of products and distances. And
// it makes operations behind a check that they do not overflow: LLVM trusts the check, and
// lanes that fail it compute all the same.

// media is a number that such an instruction makes.
func (g *gen) media(t *typ, deep int) string {
	if t.param {
		return g.expr(t, deep)
	}
	x, y := g.leaf(t), g.leaf(t)
	if wide, num := wider(t, t.class), wider(t, signed); wide != nil && g.IntN(3) > 0 {
		x, y := fmt.Sprintf("%s(%s)", wide.name, x), fmt.Sprintf("%s(%s)", wide.name, y)
		switch g.IntN(5) {
		case 0:
			return fmt.Sprintf("%s((%s + %s + %d) >> 1)", t.name, x, y, g.IntN(2))
		case 1:
			return fmt.Sprintf("%s(%s * %s >> %d)", t.name, x, y, oneOf(g, []int{t.bits, t.bits, t.bits - 1, t.bits + 1}))
		case 2:
			return fmt.Sprintf("%s((%s*%s>>%d + 1) >> 1)", t.name, x, y, t.bits-2)
		}
		least, top := limits(t)
		return fmt.Sprintf("%s(min(max(%s(%s) %s %s(%s), %d), %d))",
			t.name, num.name, g.leaf(t), oneOf(g, []string{"+", "-", "*"}), num.name, g.leaf(t), least, top)
	}
	return fmt.Sprintf(oneOf(g, []string{
		"pick(%[2]s+%[3]s < %[2]s, ^%[1]s(0), %[2]s+%[3]s)",
		"pick(%[2]s < %[3]s, 0, %[2]s-%[3]s)",
		"(max(%[2]s, %[3]s) - %[3]s)",
		"(max(%[2]s, %[3]s) - min(%[2]s, %[3]s))",
		"%[1]s(%[2]s&%[3]s + (%[2]s^%[3]s)>>1)",
		"%[1]s((%[2]s | %[3]s) - (%[2]s^%[3]s)>>1)",
	}), t.name, x, y)
}

// checked is a condition of an operation that does not overflow, as its first half tells.
func (g *gen) checked(deep int) string {
	t := oneOf(g, integerTypes)
	x, y, op := g.leaf(t), g.leaf(t), oneOf(g, comparisons)
	least, top := limits(t)
	switch n := g.IntN(5); {
	case n == 0:
		return fmt.Sprintf("(%s > 0 && %s %s %d-%s)", x, y, op, top, x)
	case n == 1 && t.class == signed:
		return fmt.Sprintf("(%s < 0 && %s %s %d-%s)", x, y, op, least, x)
	case n == 2 && t.class == signed && t.bits < 64:
		w := wider(t, unsigned)
		return fmt.Sprintf("(%s >= 0 && %s(%s) %s %s)", x, w.name, x, op, g.operand(w, deep))
	case n == 3:
		return fmt.Sprintf("(%s >= 0 && %s <= %d && %s%s %s %s)", x, x, top/8, x, oneOf(g, []string{"*5", "<<2", "+7", "*8"}), op, y)
	}
	return fmt.Sprintf("(%s >= %s && %s-%s %s %s)", x, y, x, y, op, g.operand(t, deep))
}

// wider is the integer of twice the size, nil of 64 bits.
func wider(t *typ, c class) *typ {
	for _, w := range integerTypes {
		if w.bits == 2*t.bits && w.class == c {
			return w
		}
	}
	return nil
}

// limits are the least and the greatest number of an integer type.
func limits(t *typ) (least int64, top uint64) {
	if t.class == unsigned {
		return 0, ^uint64(0) >> (64 - t.bits)
	}
	return -1 << (t.bits - 1), 1<<(t.bits-1) - 1
}
