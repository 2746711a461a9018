package codegen

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// This file makes random divisions, in IR and in Go.

// A step makes an integer from one, in IR and in Go.
type step struct {
	op    string // of the IR; "uniform" or "own" for what a chain begins with
	width int    // of the result
	c     uint64 // the constant operand, if the operation has one
}

// A chain is an operand of a division: a 64-bit input, in steps to the width of
// the division.
type chain []step

// A division is one of TestDivide's.
type division struct {
	op    string // udiv, urem, sdiv, srem
	width int
	x, y  chain
	flags string // "const": y is the constant; "odd": it is y|1; "guard": 1 for 0
	c     uint64
}

func mask(width int) uint64 { return ^uint64(0) >> (64 - width) }

func signed(v uint64, width int) int64 { return int64(v<<(64-width)) >> (64 - width) }

// eval is a chain's value.
func (c chain) eval(own, uniform uint64) uint64 {
	v, width := uint64(0), 64
	for _, s := range c {
		switch s.op {
		case "own":
			v = own
		case "uniform":
			v = uniform
		case "sext":
			v = uint64(signed(v, width))
		case "and":
			v &= s.c
		case "or":
			v |= s.c
		case "add":
			v += s.c
		case "lshr":
			v >>= s.c
		case "ashr":
			v = uint64(signed(v, width) >> s.c)
		case "shl":
			v <<= s.c
		}
		width = s.width
		v &= mask(width)
	}
	return v
}

// eval is a division's result, extended with zeros. MinInt / -1 is MinInt, as in Go.
func (d *division) eval(in [4]uint64) uint64 {
	x, y := d.x.eval(in[0], in[2]), d.divisor(in)
	sx, sy := signed(x, d.width), signed(y, d.width)
	switch d.op {
	case "udiv":
		return x / y
	case "urem":
		return x % y
	case "sdiv":
		return uint64(sx/sy) & mask(d.width)
	}
	return uint64(sx%sy) & mask(d.width)
}

func (d *division) divisor(in [4]uint64) uint64 {
	if d.flags == "const" {
		return d.c
	}
	y := d.y.eval(in[1], in[3])
	if d.flags == "odd" {
		y |= 1
	}
	return max(y, 1)
}

// A divideWriter writes IR.
type divideWriter struct {
	strings.Builder
	n int
}

func (w *divideWriter) let(format string, args ...any) string {
	w.n++
	fmt.Fprintf(w, "  %%v%d = "+format+"\n", append([]any{w.n}, args...)...)
	return fmt.Sprintf("%%v%d", w.n)
}

func (w *divideWriter) chain(c chain, own, uniform string) string {
	v, width := own, 64
	for _, s := range c {
		switch s.op {
		case "own":
		case "uniform":
			v = uniform
		case "trunc", "zext", "sext":
			v = w.let("%s i%d %s to i%d", s.op, width, v, s.width)
		default:
			v = w.let("%s i%d %s, %d", s.op, width, v, signed(s.c, width))
		}
		width = s.width
	}
	return v
}

// divide writes a division as ssa2ir does: MinInt / -1 is avoided.
func (w *divideWriter) divide(d *division) string {
	t := fmt.Sprintf("i%d", d.width)
	x, y := w.chain(d.x, "%a", "%ua"), fmt.Sprint(signed(d.c, d.width))
	if d.flags != "const" {
		y = w.chain(d.y, "%b", "%ub")
		if d.flags == "odd" {
			y = w.let("or %s %s, 1", t, y)
		}
		zero := w.let("icmp eq %s %s, 0", t, y)
		y = w.let("select i1 %s, %s 1, %s %s", zero, t, t, y)
	}
	if d.op[0] == 'u' || d.flags == "const" {
		return w.let("%s %s %s, %s", d.op, t, x, y)
	}
	minusOne := w.let("icmp eq %s %s, -1", t, y)
	y = w.let("select i1 %s, %s 1, %s %s", minusOne, t, t, y)
	q := w.let("%s %s %s, %s", d.op, t, x, y)
	if d.op == "srem" {
		return q
	}
	neg := w.let("sub %s 0, %s", t, x)
	return w.let("select i1 %s, %s %s, %s %s", minusOne, t, neg, t, q)
}

// divideModule is a kernel of divisions: thread i has the inputs in[4*i:][:2],
// all have in[2:4], and its results are out[i*n:][:n].
func divideModule(ds []*division) string {
	w := new(divideWriter)
	w.WriteString(inputsHead)
	for k, d := range ds {
		q := w.divide(d)
		if d.width < 64 {
			q = w.let("zext i%d %s to i64", d.width, q)
		}
		p := w.let("getelementptr [%d x i64], ptr addrspace(1) %%out, i64 %%i, i64 %d", len(ds), k)
		fmt.Fprintf(w, "  store i64 %s, ptr addrspace(1) %s\n", q, p)
	}
	w.WriteString("  ret void\n}\n")
	return w.String()
}

var divideWidths = []int{8, 16, 32, 64}

// randomChain ends at a width.
func randomChain(r *rand.Rand, width int) chain {
	c := chain{{"own", 64, 0}}
	if r.IntN(4) == 0 {
		c[0].op = "uniform"
	}
	at := 64
	to := func(n int) {
		switch {
		case n < at:
			c = append(c, step{"trunc", n, 0})
		case n > at:
			c = append(c, step{[]string{"zext", "sext"}[r.IntN(2)], n, 0})
		}
		at = n
	}
	for range 1 + r.IntN(4) {
		switch k := uint64(r.IntN(at)); r.IntN(8) {
		case 0, 1, 2, 3, 4:
			to(divideWidths[r.IntN(4)])
		case 5:
			c = append(c, step{[]string{"lshr", "ashr", "shl"}[r.IntN(3)], at, k})
		case 6:
			c = append(c, step{"and", at, r.Uint64() >> (64 - at) >> k})
		case 7:
			c = append(c, step{[]string{"add", "or"}[r.IntN(2)], at, r.Uint64() >> (64 - at) >> k})
		}
	}
	to(width)
	return c
}

var divisors = []uint64{2, 3, 5, 7, 10, 11, 13, 16, 60, 100, 127, 128, 255, 256, 641, 1000, 1 << 15, 65535, 65536, 65537,
	1e6, 1<<24 - 1, 1 << 24, 1e9, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1e10, 1e18, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 2, 1<<64 - 7, 1<<64 - 10}

func randomDivision(r *rand.Rand) *division {
	d := &division{op: []string{"udiv", "urem", "sdiv", "srem"}[r.IntN(4)], width: divideWidths[[]int{0, 1, 2, 2, 3, 3, 3, 3}[r.IntN(8)]]}
	d.x, d.y = randomChain(r, d.width), randomChain(r, d.width)
	d.flags = []string{"guard", "odd", "const"}[[]int{0, 0, 1, 1, 2}[r.IntN(5)]]
	if d.flags == "const" {
		if d.c = divisors[r.IntN(len(divisors))]; r.IntN(3) == 0 {
			d.c = r.Uint64() >> r.IntN(64)
		}
		if d.c &= mask(d.width); d.c <= 1 || d.c == mask(d.width) { // ssa2ir emits none by -1
			d.c = 3
		}
	}
	return d
}

// divideInputs are edges, numbers of all sizes, and products.
func divideInputs(r *rand.Rand, n int) [][4]uint64 {
	one := func() uint64 {
		v := r.Uint64() >> r.IntN(64)
		switch r.IntN(4) {
		case 0:
			v = uint64(1) << r.IntN(64)
			v += uint64(r.IntN(5)) - 2
		case 1:
			v = -v
		}
		return v
	}
	in := make([][4]uint64, n)
	for i := range in {
		in[i] = [4]uint64{one(), one(), one(), one()}
		if i < 64 { // each power of two, for a constant divisor
			in[i][0] = 1<<i - uint64(r.IntN(2))
			continue
		}
		if r.IntN(3) == 0 { // beside a multiple
			k := r.Uint64() >> r.IntN(bits.LeadingZeros64(in[i][1]|1)+1) >> r.IntN(64)
			in[i][0] = in[i][1]*k + uint64(r.IntN(3)) - 1
		}
	}
	return in
}
