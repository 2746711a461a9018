package conformance

import (
	"unsafe"

	"heddle/dsl"
	"heddle/vector"
)

// The rest of HIP's functions of numbers of 16 bits: saturation, comparisons that are true of
// NaNs, conversions from and to integers, whole vectors, and dot products. What the host gives
// is held to package big and to a second implementation by the tests of vector and dsl.

// restOf16 is what these kernels do with Half and BFloat16 beside number16.
type restOf16[T any] interface {
	number16[T]
	MinNaN(T) T
	MaxNaN(T) T
	Saturate() T
	NotEqual(T) bool
	EqualOrNaN(T) bool
	LessOrNaN(T) bool
	LessEqualOrNaN(T) bool
	GreaterOrNaN(T) bool
	GreaterEqualOrNaN(T) bool
}

type restIntoOut struct {
	Saturate uint16
	I8       [4]int8
	I16      [4]int16
	U16      [4]uint16
	I32      [4]int32
	U32      [4]uint32
	I64      [4]int64
	U64      [4]uint64
}

// restInto converts to integers by every rounding mode.
type restInto[T restOf16[T]] struct{}

func intoModes[I dsl.AnyInteger](x float32) [4]I {
	return [4]I{dsl.IntRn[I](x), dsl.IntRd[I](x), dsl.IntRu[I](x), dsl.IntRz[I](x)}
}

func (restInto[T]) Do(in T, out *restIntoOut) {
	x := in.Float32()
	out.Saturate = in.Saturate().Bits()
	out.I8, out.I16, out.U16 = intoModes[int8](x), intoModes[int16](x), intoModes[uint16](x)
	out.I32, out.U32, out.I64, out.U64 = intoModes[int32](x), intoModes[uint32](x), intoModes[int64](x), intoModes[uint64](x)
}

type restPairOut struct {
	Add, Sub, Mul, Fma, Min, Max uint16
	Compared                     [6]bool
}

type restPair[T restOf16[T]] struct{}

func (restPair[T]) Do(in smallIn[T], out *restPairOut) {
	x, y := in.X, in.Y
	*out = restPairOut{
		x.Add(y).Saturate().Bits(), x.Sub(y).Saturate().Bits(), x.Mul(y).Saturate().Bits(), x.Fma(y, in.Z).Saturate().Bits(),
		plainBits(x.MinNaN(y)), plainBits(x.MaxNaN(y)),
		[6]bool{x.NotEqual(y), x.EqualOrNaN(y), x.LessOrNaN(y), x.LessEqualOrNaN(y), x.GreaterOrNaN(y), x.GreaterEqualOrNaN(y)},
	}
}

// restFrom converts integers to both numbers of 16 bits by every rounding mode.
type restFrom[I dsl.AnyInteger] struct{}

func fromModes[T restOf16[T], I dsl.AnyInteger](n I) [4]uint16 {
	return [4]uint16{dsl.Float16Rn[T](n).Bits(), dsl.Float16Rd[T](n).Bits(), dsl.Float16Ru[T](n).Bits(), dsl.Float16Rz[T](n).Bits()}
}

func (restFrom[I]) Do(n I, out *[2][4]uint16) {
	*out = [2][4]uint16{fromModes[vector.Half](n), fromModes[vector.BFloat16](n)}
}

// restVectors does with vectors what the other kernels do with numbers.
type restVectors struct{}

type restVectorsOut struct {
	H2       [11]vector.Half2
	H4       [4]vector.Half4
	B2       [11]vector.BFloat162
	B4       [4]vector.BFloat164
	IsNaN    [4]bool
	IsInf    [2]bool
	All      [3]bool
	Compared [12]bool
	Dot      [2]float32
}

// sound is x, or 0 for a NaN.
func sound(x float32) float32 {
	if x != x {
		return 0
	}
	return x
}

func (restVectors) Do(in [3]uint64, out *restVectorsOut) {
	a, b, c := vector.Half2FromBits(uint32(in[0])), vector.Half2FromBits(uint32(in[1])), vector.Half2FromBits(uint32(in[2]))
	out.H2 = [11]vector.Half2{
		a.Add(b).Saturate(), a.Sub(b).Saturate(), a.Mul(b).Saturate(), a.Fma(b, c).Saturate(), noNaN2(a.MinNaN(b)), noNaN2(a.MaxNaN(b)),
		noNaN2(a.Sqrt()), noNaN2(a.Rcp()), noNaN2(b.Rsqrt()), noNaN2(a.Floor()), vector.SplatHalf2(b.X()),
	}
	a4, b4 := vector.Half4FromBits(in[0]), vector.Half4FromBits(in[1])
	out.H4 = [4]vector.Half4{a4.Mul(b4).Saturate(), noNaN4(a4.MaxNaN(b4)), noNaN4(b4.Rint()), vector.Half4FromBools(a4.LessOrNaN(b4))}
	d, e, f := vector.BFloat162FromBits(uint32(in[0])), vector.BFloat162FromBits(uint32(in[1])), vector.BFloat162FromBits(uint32(in[2]))
	out.B2 = [11]vector.BFloat162{
		d.Add(e).Saturate(), d.Sub(e).Saturate(), d.Mul(e).Saturate(), d.Fma(e, f).Saturate(), noNaNB2(d.MinNaN(e)), noNaNB2(d.MaxNaN(e)),
		noNaNB2(d.Sqrt()), noNaNB2(d.Rcp()), noNaNB2(e.Rsqrt()), noNaNB2(d.Ceil()), vector.BFloat162FromBools(d.NotEqual(e)),
	}
	d4, e4 := vector.BFloat164FromBits(in[0]), vector.BFloat164FromBits(in[1])
	out.B4 = [4]vector.BFloat164{d4.Add(e4).Saturate(), noNaNB4(d4.MinNaN(e4)), noNaNB4(e4.Trunc()), vector.SplatBFloat164(e4.Z().Neg())}
	out.IsNaN, out.IsInf = a4.IsNaN(), d.IsInf()
	out.All = [3]bool{a.Equal(b) == [2]bool{true, true}, d.GreaterOrNaN(e) == [2]bool{true, true}, d4.LessEqual(e4) == [4]bool{true, true, true, true}}
	for i, c := range [6][2]bool{a.NotEqual(b), a.EqualOrNaN(b), a.LessOrNaN(b), a.LessEqualOrNaN(b), a.GreaterOrNaN(b), a.GreaterEqualOrNaN(b)} {
		out.Compared[2*i], out.Compared[2*i+1] = c[0], c[1]
	}
	out.Dot = [2]float32{sound(dsl.HDot(a, b, a.X().Float32())), sound(dsl.HDot(d, e, f.Y().Float32()))}
}

// restMath holds functions of vectors to those of their numbers.
type restMath struct{}

func (restMath) Do(in [2]uint32, out *[10]bool) {
	a, d := vector.Half2FromBits(in[0]), vector.BFloat162FromBits(in[1])
	x, y := a.X(), d.Y()
	*out = [10]bool{
		plainBits(dsl.HExp(a).X()) == plainBits(dsl.HExp(x)), plainBits(dsl.HExp2(a).X()) == plainBits(dsl.HExp2(x)),
		plainBits(dsl.HExp10(d).Y()) == plainBits(dsl.HExp10(y)), plainBits(dsl.HLog(d).Y()) == plainBits(dsl.HLog(y)),
		plainBits(dsl.HLog2(a).X()) == plainBits(dsl.HLog2(x)), plainBits(dsl.HLog10(a).X()) == plainBits(dsl.HLog10(x)),
		plainBits(dsl.HSin(d).Y()) == plainBits(dsl.HSin(y)), plainBits(dsl.HCos(a).X()) == plainBits(dsl.HCos(x)),
		plainBits(a.Each(dsl.Tanh[float32]).X()) == plainBits(vector.MakeHalf(dsl.Tanh(x.Float32()))),
		plainBits(d.Each(func(v float32) float32 { return v * y.Float32() }).Y()) == plainBits(y.Mul(y)),
	}
}

// wholes16 are integers about the numbers of 16 bits and their middles, all of a short type.
func wholes16[I dsl.AnyInteger]() (all []I) {
	if unsafe.Sizeof(I(0)) <= 2 {
		return filled(1<<16, func(i int) I { return I(i) })
	}
	for shift := range 64 {
		for _, top := range []uint64{1, 3, 0x81, 0x83, 0xff, 0x101, 0x103, 0x401, 0x403, 0x7ff, 0x801, 0x803, 0xfff, 0x1001, 0x1000001, 0x1ffffff} {
			for d := range uint64(3) {
				n := I(top<<shift + d - 1)
				all = append(all, n, -n)
			}
		}
	}
	for n := uint64(65500); n < 65540; n++ {
		all = append(all, I(n), -I(n))
	}
	return all
}

func halfRestCases() []Case {
	row := "numbers of 16 bits"
	edges := edges16(36)
	n := len(edges)
	triple := func(i int) (x, y, z uint16) { return edges[i/n], edges[i%n], edges[(i*7+i/n*13)%n] }
	words := filled(1000, func(i int) [3]uint64 {
		w := [3]uint64{}
		for k := range w {
			for j := range 4 {
				w[k] |= uint64(edges[(i*(k+3)+j*(i/7+1)+k)%n]) << (16 * j)
			}
		}
		return w
	})
	pairs := filled(len(words), func(i int) [2]uint32 { return [2]uint32{uint32(words[i][0]), uint32(words[i][1])} })
	return []Case{
		onEach("half/into", row, each[restInto[vector.Half]], filled(1<<16, func(i int) vector.Half { return vector.HalfFromBits(uint16(i)) })),
		onEach("bfloat16/into", row, each[restInto[vector.BFloat16]], filled(1<<16, func(i int) vector.BFloat16 { return vector.BFloat16FromBits(uint16(i)) })),
		onEach("half/rest", row, each[restPair[vector.Half]], filled(n*n, func(i int) smallIn[vector.Half] {
			x, y, z := triple(i)
			return smallIn[vector.Half]{vector.HalfFromBits(x), vector.HalfFromBits(y), vector.HalfFromBits(z)}
		})),
		onEach("bfloat16/rest", row, each[restPair[vector.BFloat16]], filled(n*n, func(i int) smallIn[vector.BFloat16] {
			x, y, z := triple(i)
			return smallIn[vector.BFloat16]{vector.BFloat16FromBits(x), vector.BFloat16FromBits(y), vector.BFloat16FromBits(z)}
		})),
		onEach("half/from/int16", row, each[restFrom[int16]], wholes16[int16]()),
		onEach("half/from/uint16", row, each[restFrom[uint16]], wholes16[uint16]()),
		onEach("half/from/int32", row, each[restFrom[int32]], wholes16[int32]()),
		onEach("half/from/uint32", row, each[restFrom[uint32]], wholes16[uint32]()),
		onEach("half/from/int64", row, each[restFrom[int64]], wholes16[int64]()),
		onEach("half/from/uint64", row, each[restFrom[uint64]], wholes16[uint64]()),
		onEach("half/whole", row, each[restVectors], words),
		onEach("half/each", "mathematics of numbers of 16 bits", each[restMath], pairs),
	}
}
