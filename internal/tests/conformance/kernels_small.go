package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Arithmetic of numbers of 16 bits and their vectors, bit for bit but for NaNs. What the host's
// methods give is held to a second implementation by package vector's tests.

// number16 is what these kernels do with Half and BFloat16.
type number16[T any] interface {
	dsl.Float16[T]
	Bits() uint16
	IsNaN() bool
	IsInf() bool
	Add(T) T
	Sub(T) T
	Mul(T) T
	Div(T) T
	Fma(T, T) T
	Neg() T
	Abs() T
	Min(T) T
	Max(T) T
	Sqrt() T
	Rcp() T
	Rsqrt() T
	Floor() T
	Ceil() T
	Trunc() T
	Rint() T
	Equal(T) bool
	Less(T) bool
	LessEqual(T) bool
	Greater(T) bool
	GreaterEqual(T) bool
}

// plainBits are a number's bits, the same of all NaNs.
func plainBits[T number16[T]](x T) uint16 {
	if x.IsNaN() {
		return 0x7fff
	}
	return x.Bits()
}

type smallUnary[T number16[T]] struct{}

type smallUnaryOut struct {
	Neg, Abs, Sqrt, Rcp, Rsqrt, Floor, Ceil, Trunc, Rint uint16
	Wide                                                 float32
	IsInf                                                bool
}

func (smallUnary[T]) Do(x T, out *smallUnaryOut) {
	*out = smallUnaryOut{
		plainBits(x.Neg()), plainBits(x.Abs()), plainBits(x.Sqrt()), plainBits(x.Rcp()), plainBits(x.Rsqrt()),
		plainBits(x.Floor()), plainBits(x.Ceil()), plainBits(x.Trunc()), plainBits(x.Rint()), 0, x.IsInf(),
	}
	if !x.IsNaN() {
		out.Wide = x.Float32()
	}
}

type smallIn[T any] struct{ X, Y, Z T }

type smallBinary[T number16[T]] struct{}

type smallBinaryOut struct {
	Add, Sub, Mul, Div, Fma, Min, Max uint16
	Compared                          [5]bool
}

func (smallBinary[T]) Do(in smallIn[T], out *smallBinaryOut) {
	x, y := in.X, in.Y
	*out = smallBinaryOut{
		plainBits(x.Add(y)), plainBits(x.Sub(y)), plainBits(x.Mul(y)), plainBits(x.Div(y)), plainBits(x.Fma(y, in.Z)), plainBits(x.Min(y)), plainBits(x.Max(y)),
		[5]bool{x.Equal(y), x.Less(y), x.LessEqual(y), x.Greater(y), x.GreaterEqual(y)},
	}
}

// halfNarrow converts to Half by every rounding mode.
type halfNarrow struct{}

func (halfNarrow) Do(x float32, out *[5]uint16) {
	*out = [5]uint16{
		plainBits(vector.MakeHalf(x)), plainBits(vector.MakeHalfRd(x)), plainBits(vector.MakeHalfRu(x)), plainBits(vector.MakeHalfRz(x)),
		plainBits(vector.HalfOf64(float64(x) * 1.0000001)),
	}
}

type bfloatNarrow struct{}

func (bfloatNarrow) Do(x float32, out *[5]uint16) {
	*out = [5]uint16{
		plainBits(vector.MakeBFloat16(x)), plainBits(vector.MakeBFloat16Rd(x)), plainBits(vector.MakeBFloat16Ru(x)), plainBits(vector.MakeBFloat16Rz(x)),
		plainBits(vector.BFloat16Of64(float64(x) * 1.0000001)),
	}
}

// smallVectors does the operations of vectors of two and four.
type smallVectors struct{}

type smallVectorsOut struct {
	H2      [9]vector.Half2
	H4      [9]vector.Half4
	B2      [9]vector.BFloat162
	B4      [9]vector.BFloat164
	Less    [2]bool
	Equal   [4]bool
	Compare [6]bool
	F       vector.Float2
}

// noNaN2 has 0 for each NaN.
func noNaN2(v vector.Half2) vector.Half2 { return vector.MakeHalf2(noNaN(v.X()), noNaN(v.Y())) }

func noNaN4(v vector.Half4) vector.Half4 {
	return vector.MakeHalf4(noNaN(v.X()), noNaN(v.Y()), noNaN(v.Z()), noNaN(v.W()))
}

func noNaNB2(v vector.BFloat162) vector.BFloat162 {
	return vector.MakeBFloat162(noNaN(v.X()), noNaN(v.Y()))
}

func noNaNB4(v vector.BFloat164) vector.BFloat164 {
	return vector.MakeBFloat164(noNaN(v.X()), noNaN(v.Y()), noNaN(v.Z()), noNaN(v.W()))
}

func noNaN[T number16[T]](x T) T {
	if x.IsNaN() {
		return x.Of(0)
	}
	return x
}

func (smallVectors) Do(in [3]uint64, out *smallVectorsOut) {
	a2, b2, c2 := vector.Half2FromBits(uint32(in[0])), vector.Half2FromBits(uint32(in[1])), vector.Half2FromBits(uint32(in[2]))
	a4, b4, c4 := vector.Half4FromBits(in[0]), vector.Half4FromBits(in[1]), vector.Half4FromBits(in[2])
	out.H2 = [9]vector.Half2{noNaN2(a2.Add(b2)), noNaN2(a2.Sub(b2)), noNaN2(a2.Mul(b2)), noNaN2(a2.Div(b2)), noNaN2(a2.Fma(b2, c2)), a2.Neg(), a2.Abs(), noNaN2(a2.Min(b2)), noNaN2(a2.Max(b2))}
	out.H4 = [9]vector.Half4{noNaN4(a4.Add(b4)), noNaN4(a4.Sub(b4)), noNaN4(a4.Mul(b4)), noNaN4(a4.Div(b4)), noNaN4(a4.Fma(b4, c4)), a4.Neg(), a4.Abs(), noNaN4(a4.Min(b4)), noNaN4(a4.Max(b4))}
	d2, e2, f2 := vector.BFloat162FromBits(uint32(in[0])), vector.BFloat162FromBits(uint32(in[1])), vector.BFloat162FromBits(uint32(in[2]))
	d4, e4, f4 := vector.BFloat164FromBits(in[0]), vector.BFloat164FromBits(in[1]), vector.BFloat164FromBits(in[2])
	out.B2 = [9]vector.BFloat162{noNaNB2(d2.Add(e2)), noNaNB2(d2.Sub(e2)), noNaNB2(d2.Mul(e2)), noNaNB2(d2.Div(e2)), noNaNB2(d2.Fma(e2, f2)), d2.Neg(), d2.Abs(), noNaNB2(d2.Min(e2)), noNaNB2(d2.Max(e2))}
	out.B4 = [9]vector.BFloat164{noNaNB4(d4.Add(e4)), noNaNB4(d4.Sub(e4)), noNaNB4(d4.Mul(e4)), noNaNB4(d4.Div(e4)), noNaNB4(d4.Fma(e4, f4)), d4.Neg(), d4.Abs(), noNaNB4(d4.Min(e4)), noNaNB4(d4.Max(e4))}
	out.Less, out.Equal = a2.Less(b2), a4.Equal(b4)
	l, g := d2.LessEqual(e2), a2.Greater(b2)
	m := a2.GreaterEqual(b2)
	out.Compare = [6]bool{l[0], l[1], g[0], g[1], m[0], m[1]}
	out.F = noNaN2(vector.Half2Of(noNaN2(a2).Float2())).Float2()
}

// smallLanes moves numbers between lanes, and adds them all up in shared and global memory.
func smallLanes(h []vector.Half, b []vector.BFloat16, h2 []vector.Half2, outH []vector.Half, outB []vector.BFloat16, out2 []vector.Half2, sums []vector.Half, brain []vector.BFloat16, pairs []vector.Half2, brains []vector.BFloat162) {
	i := dsl.GlobalIdx().X
	outH[i], outB[i], out2[i] = dsl.ShflXor(h[i], 3), dsl.ShflDown(b[i], 1), dsl.Shfl(h2[i], 5)
	tile := dsl.Shared[[2]vector.Half2]()
	if dsl.ThreadIdx().X == 0 {
		*tile = [2]vector.Half2{}
	}
	dsl.SyncThreads()
	dsl.AtomicAddHalf2(&tile[1], h2[i])
	dsl.UnsafeAtomicAddHalf2(&tile[0], h2[i])
	dsl.UnsafeAtomicAddBFloat162(&brains[0], vector.MakeBFloat162(b[i], b[i]))
	dsl.AtomicAddHalf(&sums[i%3], h[i])
	dsl.AtomicAddBFloat16(&brain[i%2], b[i])
	dsl.AtomicAddBFloat162(&brains[0], vector.MakeBFloat162(b[i], b[i].Neg()))
	dsl.SyncThreads()
	if dsl.ThreadIdx().X == 0 {
		dsl.AtomicAddHalf2(&pairs[0], tile[1])
		dsl.UnsafeAtomicAddHalf2(&pairs[0], tile[0])
	}
}

// smallMath is the mathematics of numbers of 16 bits.
func smallMath[T dsl.Float16[T]](x []T, out [][8]T) {
	if i := dsl.GlobalIdx().X; i < len(x) {
		v := x[i]
		out[i] = [8]T{dsl.HExp(v), dsl.HExp2(v), dsl.HExp10(v), dsl.HLog(v), dsl.HLog2(v), dsl.HLog10(v), dsl.HSin(v), dsl.HCos(v)}
	}
}

// edges16 are numbers of 16 bits at an edge of one of the formats, and others.
func edges16(n int) (all []uint16) {
	for _, e := range []uint16{0, 1, 2, 0x3ff, 0x400, 0x7f, 0x80, 0x7bff, 0x7c00, 0x7e00, 0x7f7f, 0x7f80, 0x3c00, 0x3c01, 0x3f80, 0x3f81} {
		all = append(all, e, e|0x8000)
	}
	for i := range n {
		all = append(all, uint16(i*40503+i>>3*7))
	}
	return all
}

func smallCases() []Case {
	row := "numbers of 16 bits"
	all := filled(1<<16, func(i int) uint16 { return uint16(i) })
	edges := edges16(60)
	n := len(edges)
	triple := func(i int) (x, y, z uint16) { return edges[i/n], edges[i%n], edges[(i*7+i/n*13)%n] }
	halves := filled(n*n, func(i int) smallIn[vector.Half] {
		x, y, z := triple(i)
		return smallIn[vector.Half]{vector.HalfFromBits(x), vector.HalfFromBits(y), vector.HalfFromBits(z)}
	})
	brains := filled(n*n, func(i int) smallIn[vector.BFloat16] {
		x, y, z := triple(i)
		return smallIn[vector.BFloat16]{vector.BFloat16FromBits(x), vector.BFloat16FromBits(y), vector.BFloat16FromBits(z)}
	})
	var wide []float32
	for _, e := range edges16(300) {
		h, b := vector.HalfFromBits(e).Float32(), vector.BFloat16FromBits(e).Float32()
		wide = append(wide, h, h*1.0001, h*(1+1.0/2048), h*(1-1.0/4096), b, b*1.0001, b*(1+1.0/256), b*(1-1.0/512))
	}
	words := filled(1500, func(i int) [3]uint64 {
		w := [3]uint64{}
		for k := range w {
			for j := range 4 {
				w[k] |= uint64(edges[(i*(k+3)+j*(i/7+1)+k)%n]) << (16 * j)
			}
		}
		return w
	})
	return []Case{
		onEach("half/unary", row, each[smallUnary[vector.Half]], filled(len(all), func(i int) vector.Half { return vector.HalfFromBits(all[i]) })),
		onEach("half/binary", row, each[smallBinary[vector.Half]], halves),
		onEach("half/narrow", row, each[halfNarrow], wide),
		onEach("bfloat16/unary", row, each[smallUnary[vector.BFloat16]], filled(len(all), func(i int) vector.BFloat16 { return vector.BFloat16FromBits(all[i]) })),
		onEach("bfloat16/binary", row, each[smallBinary[vector.BFloat16]], brains),
		onEach("bfloat16/narrow", row, each[bfloatNarrow], wide),
		onEach("half/vectors", row, each[smallVectors], words),
		smallLanesCase(row),
		smallMathCase[vector.Half]("half/math", kernel.New(smallMath[vector.Half])), smallMathCase[vector.BFloat16]("bfloat16/math", kernel.New(smallMath[vector.BFloat16])),
	}
}

func smallLanesCase(row string) Case {
	k := kernel.New(smallLanes)
	return Case{"half/lanes", row, []*kernel.Kernel{k}, func(t *T) {
		w := t.warp()
		n := 2 * w
		h := filled(n, func(i int) vector.Half { return vector.MakeHalf(float32(i%5) / 2) })
		b := filled(n, func(i int) vector.BFloat16 { return vector.MakeBFloat16(float32(i % 3)) })
		h2 := filled(n, func(i int) vector.Half2 { return vector.MakeHalf2(h[i], h[(i+1)%n].Neg()) })
		outH, outB, out2 := alloc[vector.Half](t, n), alloc[vector.BFloat16](t, n), alloc[vector.Half2](t, n)
		sums, brain, pairs, brains := alloc[vector.Half](t, 3), alloc[vector.BFloat16](t, 2), alloc[vector.Half2](t, 1), alloc[vector.BFloat162](t, 1)
		t.run(k, launch.Linear(n, w), upload(t, h), upload(t, b), upload(t, h2), outH, outB, out2, sums, brain, pairs, brains)
		same(t, download(t, outH), filled(n, func(i int) vector.Half { return h[i^3] }))
		same(t, download(t, outB), filled(n, func(i int) vector.BFloat16 { return b[min(i+1, i/w*w+w-1)] }))
		same(t, download(t, out2), filled(n, func(i int) vector.Half2 { return h2[i/w*w+5] }))
		var sum [3]float32
		var bsum [2]float32
		var pair [2]float32
		for i := range n {
			sum[i%3] += h[i].Float32()
			bsum[i%2] += b[i].Float32()
			pair[0], pair[1] = pair[0]+h2[i].X().Float32(), pair[1]+h2[i].Y().Float32()
		}
		same(t, download(t, sums), filled(3, func(i int) vector.Half { return vector.MakeHalf(sum[i]) }))
		same(t, download(t, brain), filled(2, func(i int) vector.BFloat16 { return vector.MakeBFloat16(bsum[i]) }))
		same(t, download(t, pairs), []vector.Half2{vector.Half2Of(vector.MakeFloat2(2*pair[0], 2*pair[1]))})
		both := vector.MakeBFloat16(bsum[0] + bsum[1])
		same(t, download(t, brains), []vector.BFloat162{vector.MakeBFloat162(both.Add(both), vector.MakeBFloat16(0))})
	}}
}

func smallMathCase[E dsl.Float16[E]](name string, k *kernel.Kernel) Case {
	return Case{name, "mathematics of numbers of 16 bits", []*kernel.Kernel{k}, func(t *T) {
		var one E
		x := filled(64, func(i int) E { return one.Of(float32(i+1) / 8) })
		out := alloc[[8]E](t, len(x))
		t.run(k, launch.Linear(len(x), 64), upload(t, x), out)
		for i, got := range download(t, out) {
			v := x[i].Float32()
			for j, want := range [8]float32{dsl.Exp(v), dsl.Exp2(v), dsl.Exp10(v), dsl.Log(v), dsl.Log2(v), dsl.Log10(v), dsl.Sin(v), dsl.Cos(v)} {
				// float32's error may move it over a middle: to a neighbour, then.
				if g := got[j].Float32(); g != one.Of(want).Float32() && g != one.Of(want*(1+1e-5)).Float32() && g != one.Of(want*(1-1e-5)).Float32() {
					t.Errorf("function %d of %v is %v, want %v", j, v, g, want)
				}
			}
		}
	}}
}
