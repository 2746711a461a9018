package codegen

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"heddle/internal/amdemu"
	"heddle/internal/llvm"
)

var (
	divideSeed  = flag.Uint64("divideseed", 1, "which divisions TestDivide makes")
	divideCount = flag.Int("divides", 2, "kernels of `n` divisions each that TestDivide compiles for each processor")
)

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

func bytesOf[E any](s []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(s[0]))
}

// loadEmulated compiles and loads a kernel of two pointers; run launches one block of it.
func loadEmulated(r *Request) (run func(in, out []byte, threads int) (*amdemu.Stats, error), err error) {
	obj, err := Emit(r)
	if err != nil {
		return nil, err
	}
	lib, err := llvm.Open()
	if err != nil {
		return nil, err
	}
	m := amdemu.NewMemory(amdemu.Options{})
	disasm := func(triple, cpu, features string, code []byte, addr uint64) (lines []amdemu.Line, err error) {
		list, err := lib.Disassemble(triple, cpu, features, code, addr)
		for _, l := range list {
			lines = append(lines, amdemu.Line(l))
		}
		return lines, err
	}
	p, err := amdemu.Load(obj.Code, m, disasm)
	if err != nil {
		return nil, err
	}
	k, err := p.Kernel(r.Kernel)
	if err != nil {
		return nil, err
	}
	return func(in, out []byte, threads int) (*amdemu.Stats, error) {
		var args []byte
		for _, b := range [][]byte{in, out} {
			p := unsafe.Pointer(&b[0])
			if err := m.Add(p, len(b), "a buffer", true); err != nil {
				return nil, err
			}
			defer m.Remove(p)
			args = binary.LittleEndian.AppendUint64(args, uint64(uintptr(p)))
		}
		return k.Run(amdemu.Config{Grid: [3]int{1, 1, 1}, Block: [3]int{threads, 1, 1}, Args: args, Memory: m})
	}, nil
}

// emulate compiles a kernel and runs it once.
func emulate(r *Request, in, out []byte, threads int) (*amdemu.Stats, error) {
	run, err := loadEmulated(r)
	if err != nil {
		return nil, err
	}
	return run(in, out, threads)
}

// Divisions of all widths, of values that are extended, masked, shifted and
// constant, are right on emulated processors, whichever way their reciprocals
// are rounded. LLVM's own are not: see divide.go.
func TestDivide(t *testing.T) {
	major := skipWithoutLLVM(t)
	const each, threads = 24, 256
	seed := *divideSeed
	for _, passes := range []string{"default<O3>", "default<O1>", "default<O0>"} {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			for n := range *divideCount {
				rnd := rand.New(rand.NewPCG(seed, uint64(n)))
				var ds []*division
				for range each {
					ds = append(ds, randomDivision(rnd))
				}
				in := divideInputs(rnd, threads)
				for i := range in { // as all threads see them
					in[i][2], in[i][3] = in[0][2], in[0][3]
				}
				r := request(divideModule(ds), "k", arch)
				r.Passes = passes
				amdemu.ReciprocalError.Store(int32(n%3 - 1))
				defer amdemu.ReciprocalError.Store(0)
				out := make([]uint64, each*threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Fatal(err)
				}
				for k, d := range ds {
					wrong := 0
					for i := range in {
						got, want := out[i*each+k], d.eval(in[i])
						if got == want {
							continue
						}
						if wrong++; wrong == 1 {
							t.Errorf("LLVM %d, %s, %s, kernel %d: %s i%d of %v and %v (%s %d), at %#x: %#x, want %#x",
								major, arch, passes, n, d.op, d.width, d.x, d.y, d.flags, d.c, in[i], got, want)
						}
					}
				}
			}
			seed++
		}
	}
}

// The estimates of divide.ll are never too large, and two corrections make them
// right, for divisors of all sizes beside multiples of them, whichever way the
// reciprocals are rounded.
func TestDivideEstimates(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 1024
	kinds := []*division{
		{op: "udiv", width: 64, flags: "guard"},
		{op: "udiv", width: 32, flags: "guard"},
		{op: "udiv", width: 16, flags: "guard"},
		{op: "sdiv", width: 16, flags: "guard"},
	}
	for _, d := range kinds {
		own := chain{{"own", 64, 0}}
		if d.width < 64 {
			own = append(own, step{"trunc", d.width, 0})
		}
		d.x, d.y = own, own
	}
	const arch = "gfx90a"
	if !cpus.Get()[arch].has(major) {
		t.Skip("not known to this LLVM")
	}
	defer amdemu.ReciprocalError.Store(0)
	rnd := rand.New(rand.NewPCG(*divideSeed, 3))
	k, err := loadEmulated(request(divideModule(kinds), "k", arch))
	if err != nil {
		t.Fatal(err)
	}
	for e := range int32(3) {
		amdemu.ReciprocalError.Store(e - 1)
		for range 30 * *divideCount {
			in := make([][4]uint64, threads)
			for i := range in {
				width := kinds[rnd.IntN(len(kinds))].width
				y := rnd.Uint64() >> (64 - width) >> rnd.IntN(width)
				if rnd.IntN(4) == 0 { // near a power of two, where units are largest
					y = 1<<rnd.IntN(width) + uint64(rnd.IntN(65)) - 32
				}
				y = max(1, y&mask(width))
				q := mask(width) / y
				if rnd.IntN(2) == 0 {
					q = rnd.Uint64N(q) + 1
				}
				in[i] = [4]uint64{q*y + uint64(rnd.IntN(3)) - 1, y}
			}
			out := make([]uint64, len(kinds)*threads)
			if _, err := k(bytesOf(in), bytesOf(out), threads); err != nil {
				t.Fatal(err)
			}
			for i := range in {
				for j, d := range kinds {
					if got, want := out[i*len(kinds)+j], d.eval(in[i]); got != want {
						t.Fatalf("reciprocals %+d units off: %s i%d %#x, %#x: %#x, want %#x", e-1, d.op, d.width, in[i][0], in[i][1], got, want)
					}
				}
			}
		}
	}
}

// Multipliers divide right up to their limits: the last multiple of the divisor
// there, what is before and after it, and the limit.
func TestMultiplier(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*divideSeed, 5))
	found := 0
	for n := range 200000 {
		c := uint64(n) + 3
		if n > 1000 {
			c = rnd.Uint64()>>rnd.IntN(60) | 3
		}
		for _, limit := range []uint64{1 << 63, 1<<64 - 1, 1<<62 - 1} {
			m, s, ok := multiplier(c, limit)
			if !ok {
				continue
			}
			found++
			for _, x := range []uint64{limit, limit/c*c - 1, limit / c * c, (limit+1)/c*c - 1, rnd.Uint64() & limit} {
				if high, _ := bits.Mul64(x, m); x <= limit && high>>s != x/c {
					t.Fatalf("%d / %d is %d, want %d", x, c, high>>s, x/c)
				}
			}
		}
	}
	if found < 300000 {
		t.Errorf("only %d have one", found)
	}
}

// Divisions of other forms: vectors, odd widths, exact ones, names in quotes.
func TestDivideForms(t *testing.T) {
	major := skipWithoutLLVM(t)
	const arch, threads = "gfx90a", 64
	if !cpus.Get()[arch].has(major) {
		t.Skip("not known to this LLVM")
	}
	forms := []struct {
		text string // computes %r, i64, from %a and %b
		want func(a, b uint64) uint64
	}{
		{`
  %x = bitcast i64 %a to <2 x i32>
  %y0 = bitcast i64 %b to <2 x i32>
  %y = or <2 x i32> %y0, <i32 1, i32 1>
  %q = udiv <2 x i32> %x, %y
  %s = urem <2 x i32> <i32 1000000, i32 -5>, %y
  %t = xor <2 x i32> %q, %s
  %r = bitcast <2 x i32> %t to i64`,
			func(a, b uint64) uint64 {
				one := func(a, b, c uint32) uint64 { return uint64(a/(b|1) ^ c%(b|1)) }
				return one(uint32(a), uint32(b), 1000000) | one(uint32(a>>32), uint32(b>>32), 1<<32-5)<<32
			}},
		{`
  %x = trunc i64 %a to i24
  %y0 = trunc i64 %b to i24
  %y = or i24 %y0, 1
  %"a q" = udiv i24 %x, %y
  %s = urem i24 %"a q", 10
  %t = add i24 %"a q", %s
  %r = zext i24 %t to i64`,
			func(a, b uint64) uint64 {
				q := a & mask(24) / (b&mask(24) | 1)
				return (q + q%10) & mask(24)
			}},
		{`
  %x = trunc i64 %a to i48
  %y0 = trunc i64 %b to i48
  %y = or i48 %y0, 3
  %s = srem i48 %x, %y
  %q = sdiv i48 %x, -10
  %t = xor i48 %q, %s
  %r = zext i48 %t to i64`,
			func(a, b uint64) uint64 {
				x := signed(a, 48)
				return uint64(x%(signed(b|3, 48))^x/-10) & mask(48)
			}},
		{`
  %x = trunc i64 %a to i9
  %y0 = trunc i64 %b to i9
  %y = or i9 %y0, 3
  %z = and i9 %y, 127
  %s = srem i9 %x, %z
  %q = sdiv i9 %x, %z
  %t = xor i9 %q, %s
  %r = zext i9 %t to i64`,
			func(a, b uint64) uint64 {
				x, y := signed(a, 9), signed((b|3)&127, 9)
				return uint64(x%y^x/y) & mask(9)
			}},
		{`
  %x = ashr i64 %a, 8
  %y = mul i64 %x, 24
  %q = sdiv exact i64 %y, 24
  %r = sub i64 %q, %b`,
			func(a, b uint64) uint64 { return uint64(int64(a)>>8) - b }},
		{`
  %h = lshr i64 %a, 8
  %y = mul i64 %h, 132
  %q = udiv exact i64 %y, 132
  %r = sub i64 %q, %b`,
			func(a, b uint64) uint64 { return a>>8 - b }},
		{`
  %s = srem i64 %a, -10
  %q = sdiv i64 %a, -10
  %q1 = sdiv i64 %b, -9223372036854775808
  %q2 = srem i64 %b, -8
  %q3 = sdiv i64 %b, -8
  %q4 = udiv i64 %b, -9223372036854775808
  %t = xor i64 %q, %s
  %t1 = xor i64 %q1, %t
  %t2 = xor i64 %q2, %t1
  %t3 = xor i64 %q3, %t2
  %r = xor i64 %q4, %t3`,
			func(a, b uint64) uint64 {
				x, y := int64(a), int64(b)
				return uint64(x%-10^x/-10^y/(-1<<63)^y%-8^y/-8) ^ b/(1<<63)
			}},
		{`
  %y = or i64 %b, 1
  br label %next
next:
  %n = urem i64 %a, %y
  %q = udiv i64 %a, %y
  %c = icmp eq i64 %n, 3
  br i1 %c, label %then, label %end
then:
  %q1 = udiv i64 %a, %y
  br label %end
end:
  %m = phi i64 [ %q1, %then ], [ 5, %next ]
  %t = xor i64 %m, %n
  %r = add i64 %t, %q`,
			func(a, b uint64) uint64 {
				y, p := b|1, uint64(5)
				if a%y == 3 {
					p = a / y
				}
				return (p ^ a%y) + a/y
			}},
	}
	rnd := rand.New(rand.NewPCG(*divideSeed, 4))
	in := divideInputs(rnd, threads)
	for _, passes := range []string{"default<O0>", "default<O3>"} {
		for n, f := range forms {
			r := request(inputsHead+`  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i`+f.text+`
  store i64 %r, ptr addrspace(1) %p
  ret void
}
`, "k", arch)
			r.Passes = passes
			out := make([]uint64, threads)
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Errorf("form %d: %v", n, err)
				continue
			}
			for i := range in {
				if got, want := out[i], f.want(in[i][0], in[i][1]); got != want {
					t.Errorf("%s, form %d at %#x: %#x, want %#x", passes, n, in[i][:2], got, want)
					break
				}
			}
		}
	}
}

// BenchmarkDivide compiles a kernel of one kind of division, with what it costs:
// the instructions that a wave executes and the bytes of code, by LLVM's own back end
// and by divide.go's.
func BenchmarkDivide(b *testing.B) {
	major := skipWithoutLLVM(b)
	own := chain{{"own", 64, 0}}
	to := func(steps ...step) chain { return append(own[:1:1], steps...) }
	i8, i16, i32 := step{"trunc", 8, 0}, step{"trunc", 16, 0}, step{"trunc", 32, 0}
	small := step{"and", 64, mask(24)}
	kinds := []struct {
		name  string
		width int
		x, y  chain
		c     uint64
	}{
		{"i8", 8, to(i8), to(i8), 0},
		{"i16", 16, to(i16), to(i16), 0},
		{"i32", 32, to(i32), to(i32), 0},
		{"i64 of 32", 64, to(i32, step{"zext", 64, 0}), to(i32, step{"zext", 64, 0}), 0},
		{"i64 of signed 32", 64, to(i32, step{"sext", 64, 0}), to(i32, step{"sext", 64, 0}), 0},
		{"i64, small", 64, to(step{"lshr", 64, 40}, step{"add", 64, 1 << 50}, step{"xor", 64, 1 << 50}), to(step{"lshr", 64, 40}), 0},
		{"i64", 64, own, own, 0},
		{"i64 by 10", 64, own, nil, 10},
		{"i64 by 7", 64, own, nil, 7},
		{"i64 of 24 by 10", 64, to(small), nil, 10},
		{"i32 by 7", 32, to(i32), nil, 7},
	}
	in := divideInputs(rand.New(rand.NewPCG(1, 2)), 64)
	for _, arch := range []string{"gfx90a", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		for _, k := range kinds {
			for _, op := range []string{"udiv", "urem", "sdiv", "srem"} {
				d := &division{op: op, width: k.width, x: k.x, y: k.y, flags: "guard", c: k.c}
				if k.c != 0 {
					d.flags = "const"
				}
				for _, leave := range []bool{true, false} {
					name := fmt.Sprintf("%s/%s/%s/%s", arch, op, k.name, map[bool]string{true: "LLVM", false: "ours"}[leave])
					b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
						leaveDivisions = leave
						defer func() { leaveDivisions = false }()
						r := request(divideModule([]*division{d}), "k", arch)
						out := make([]uint64, 64)
						stats, err := emulate(r, bytesOf(in), bytesOf(out), 64)
						if err != nil {
							b.Fatal(err)
						}
						obj, err := Emit(r)
						if err != nil {
							b.Fatal(err)
						}
						for b.Loop() {
							if _, err := Emit(r); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(stats.Total()), "instructions")
						b.ReportMetric(float64(obj.Res.CodeBytes), "bytes")
					})
				}
			}
		}
	}
}
