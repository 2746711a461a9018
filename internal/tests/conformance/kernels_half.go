package conformance

import (
	"math"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Numbers of 16 bits: one value of the machine's own type where it has one, and of Go's
// layout in every memory.

type halfIn struct {
	H vector.Half
	X float32
	N uint8
}

type halfOut struct {
	Wide          float32
	Narrow, Moved vector.Half
	Bits          uint16
	Pair          [2]vector.Half
	Odd           struct {
		A byte
		H vector.Half
	}
	Same, Differ, NaN, Zero bool
	Mine                    myHalf
}

// myHalf is Go's declaration of a Half, and so another type.
type myHalf vector.Half

// halved keeps a number of 16 bits in what a function returns.
func halved(x float32) (h vector.Half, ok bool) {
	h = vector.MakeHalf(x)
	return h, !h.IsNaN()
}

// largeHalves is too large for registers.
type largeHalves struct {
	H [40]vector.Half
	N int
}

func (l largeHalves) sum() (s float32) {
	for _, h := range l.H {
		s += h.Float32()
	}
	return s
}

type halfOps struct{}

func (halfOps) Do(in halfIn, out *halfOut) {
	if h := in.H; !h.IsNaN() { // a NaN's bits are the machine's
		out.Wide = h.Float32()
	}
	out.NaN, out.Bits, out.Moved = in.H.IsNaN(), in.H.Bits(), in.H
	h, ok := halved(in.X)
	if ok {
		out.Narrow = h
	}
	best, other := h, in.H
	if in.N&1 != 0 {
		best, other = other, best
	}
	for k := range 3 {
		best, other = other, best
		out.Pair[k&1] = best
	}
	if out.Pair[0].IsNaN() {
		out.Pair[0] = vector.Half{}
	}
	if p := &out.Pair[1]; p.IsNaN() {
		*p = vector.HalfFromBits(uint16(in.N))
	}
	out.Same, out.Differ, out.Zero = in.H == vector.HalfFromBits(in.H.Bits()), in.H != vector.HalfFromBits(in.H.Bits()^1), in.H == vector.Half{}
	var l largeHalves
	for k := range l.H {
		l.H[k] = vector.MakeHalf(float32(k) + float32(in.N)/4)
	}
	out.Odd.A, out.Odd.H = in.N, vector.MakeHalf(l.sum())
	out.Mine = myHalf(in.H)
	if vector.Half(out.Mine).Bits() != in.H.Bits() {
		out.Mine = myHalf{}
	}
}

// halfCase passes numbers of 16 bits in every way: buffers, shared memory, a parameter,
// a captured variable and a constant.
func halfCase(row string) Case {
	captured := vector.MakeHalf(0.25)
	constant := [3]vector.Half{vector.MakeHalf(1), vector.MakeHalf(-2), vector.MakeHalf(1.0 / 3)}
	fn := func(x, y []vector.Half, by vector.Half) {
		tile := dsl.Shared[[64]vector.Half]()
		i, t := dsl.GlobalIdx().X, dsl.ThreadIdx().X
		tile[t] = x[i]
		dsl.SyncThreads()
		y[i] = vector.MakeHalf(tile[63-t].Float32()*by.Float32() + captured.Float32() + constant[t%3].Float32())
	}
	passed := kernel.New(fn)
	baked := kernel.NewWith(fn, kernel.Options{Specialize: []string{"captured", "constant"}})
	return Case{"half/passed", row, []*kernel.Kernel{passed, baked}, func(t *T) {
		x := filled(128, func(i int) vector.Half { return vector.MakeHalf(float32(i*i)/16 - 100) })
		by := vector.MakeHalf(0.75)
		want := filled(128, func(i int) vector.Half {
			r := i/64*64 + 63 - i%64
			return vector.MakeHalf(x[r].Float32()*by.Float32() + captured.Float32() + constant[i%64%3].Float32())
		})
		for _, k := range []*kernel.Kernel{passed, baked} {
			y := alloc[vector.Half](t, len(x))
			t.run(k, launch.Linear(len(x), 64), upload(t, x), y, by)
			same(t, download(t, y), want)
		}
	}}
}

func halfCases() []Case {
	row := "numbers of 16 bits"
	xs := floats[float32]()
	in := filled(640, func(i int) halfIn {
		x := xs[i%len(xs)] * float32(math.Ldexp(1, i%37-18))
		return halfIn{vector.HalfFromBits(uint16(i * 40503 >> 3)), x, uint8(i * 7)}
	})
	for i, b := range []uint16{0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xffff} {
		in[i].H = vector.HalfFromBits(b)
	}
	return []Case{onEach("half/values", row, each[halfOps], in), halfCase(row)}
}
