package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Short vectors. Package vector's own tests have every method of every type; here are
// types of each size and kind on devices.

// A short is a short vector V of components E; A is an array of these, M of bools.
type short[V, E, A, M any] interface {
	Add(V) V
	Sub(V) V
	Mul(V) V
	Min(V) V
	Max(V) V
	Eq(V) M
	Ne(V) M
	Lt(V) M
	Le(V) M
	Gt(V) M
	Ge(V) M
	Dot(V) E
	Array() A
}

type shortOut[V, E, A, M any] struct {
	Add, Sub, Mul, Min, Max V
	Eq, Ne, Lt, Le, Gt, Ge  M
	Dot                     E
	Array                   A
}

type shortOps[V short[V, E, A, M], E, A, M any] struct{}

func (shortOps[V, E, A, M]) Do(in pair[V], out *shortOut[V, E, A, M]) {
	a, b := in.X, in.Y
	out.Add, out.Sub, out.Mul, out.Min, out.Max = a.Add(b), a.Sub(b), a.Mul(b), a.Min(b), a.Max(b)
	out.Eq, out.Ne, out.Lt, out.Le, out.Gt, out.Ge = a.Eq(b), a.Ne(b), a.Lt(b), a.Le(b), a.Gt(b), a.Ge(b)
	out.Dot, out.Array = a.Dot(b), a.Array()
}

type shortInteger[V any] interface {
	Div(V) V
	Rem(V) V
	And(V) V
	Or(V) V
	Xor(V) V
	AndNot(V) V
	Not() V
	Shl(V) V
	Shr(V) V
}

type shortIntegerOps[V shortInteger[V]] struct{}

func (shortIntegerOps[V]) Do(in pair[V], out *[9]V) {
	a, b := in.X, in.Y
	*out = [9]V{a.Div(b), a.Rem(b), a.And(b), a.Or(b), a.Xor(b), a.AndNot(b), a.Not(), a.Shl(b), a.Shr(b)}
}

type shortFloatOps struct{}

func (shortFloatOps) Do(in pair[vector.Float4], out *[2]vector.Float4) {
	*out = [2]vector.Float4{in.X.Div(vector.SplatFloat4(8)), in.Y.Neg()}
}

// A shortConverted is a vector of four as all types.
type shortConverted struct {
	I8  vector.Char4
	U8  vector.Uchar4
	I16 vector.Short4
	U16 vector.Ushort4
	I32 vector.Int4
	U32 vector.Uint4
	I64 vector.Longlong4
	U64 vector.Ulonglong4
	F32 vector.Float4
	F64 vector.Double4
}

type convertFloat4 struct{}

func (convertFloat4) Do(v vector.Float4, out *shortConverted) {
	*out = shortConverted{v.Char4(), v.Uchar4(), v.Short4(), v.Ushort4(), v.Int4(), v.Uint4(), v.Long4(), v.Ulong4(), v, v.Double4()}
}

type convertInt4 struct{}

func (convertInt4) Do(v vector.Int4, out *shortConverted) {
	*out = shortConverted{v.Char4(), v.Uchar4(), v.Short4(), v.Ushort4(), v, v.Uint4(), v.Long4(), v.Ulong4(), v.Float4(), v.Double4()}
}

type convertUlong4 struct{}

func (convertUlong4) Do(v vector.Ulong4, out *shortConverted) {
	*out = shortConverted{v.Char4(), v.Uchar4(), v.Short4(), v.Ushort4(), v.Int4(), v.Uint4(), v.Long4(), v, v.Float4(), v.Double4()}
}

// shorts are pairs of vectors that from makes of four numbers; no second operand has a
// component below 1.
func shorts[V any, E number](from func([4]E) V, xs []E) (all []pair[V]) {
	for i := range xs {
		var a, b [4]E
		for c := range 4 {
			a[c] = xs[(i+c*5)%len(xs)]
			if b[c] = xs[(i*3+c*7)%len(xs)]; i%4 == c {
				b[c] = a[c]
			}
			if b[c] < 1 {
				b[c] = E(i%40 + 1)
			}
		}
		all = append(all, pair[V]{from(a), from(b)})
	}
	return all
}

// eighths are numbers whose products have exact sums.
func eighths[T float]() []T { return filled(97, func(i int) T { return T(i*37%200-100) / 8 }) }

// shortCase passes short vectors as a parameter, a captured variable, elements of shared
// memory and of an array that is indexed by a variable.
func shortCase(row string) Case {
	move := vector.MakeFloat4(0.5, -1, 2, 0)
	k := kernel.New(func(x, y []vector.Float4, by vector.Float3) {
		tile := dsl.Shared[[64]vector.Float4]()
		i, t := dsl.GlobalIdx().X, dsl.ThreadIdx().X
		tile[t] = x[i]
		dsl.SyncThreads()
		v := tile[63-t].Array()
		v[t%4] += by.Array()[t%3]
		y[i] = vector.Float4From(v).Add(move)
	})
	return Case{"vector/passed", row, []*kernel.Kernel{k}, func(t *T) {
		x := filled(128, func(i int) vector.Float4 {
			return vector.SplatFloat4(float32(i)).Mul(vector.MakeFloat4(1, 2, 0.25, -1))
		})
		by := vector.MakeFloat3(100, 200, 300)
		want := filled(128, func(i int) vector.Float4 {
			v := x[i/64*64+63-i%64].Array()
			v[i%4] += by.Array()[i%64%3]
			return vector.Float4From(v).Add(move)
		})
		y := alloc[vector.Float4](t, len(x))
		t.run(k, launch.Linear(len(x), 64), upload(t, x), y, by)
		same(t, download(t, y), want)
	}}
}

func vectorCases() []Case {
	row := "short vectors"
	first := func(ps []pair[vector.Float4]) []vector.Float4 {
		return filled(len(ps), func(i int) vector.Float4 { return ps[i].Y })
	}
	return []Case{
		onEach("vector/char4", row, each[shortOps[vector.Char4, int8, [4]int8, [4]bool]], shorts(vector.Char4From, integers[int8]())),
		onEach("vector/ushort3", row, each[shortOps[vector.Ushort3, uint16, [3]uint16, [3]bool]],
			shorts(func(a [4]uint16) vector.Ushort3 { return vector.MakeUshort3(a[0], a[1], a[2]) }, integers[uint16]())),
		onEach("vector/int4", row, each[shortOps[vector.Int4, int32, [4]int32, [4]bool]], shorts(vector.Int4From, integers[int32]())),
		onEach("vector/ulonglong2", row, each[shortOps[vector.Ulonglong2, uint64, [2]uint64, [2]bool]],
			shorts(func(a [4]uint64) vector.Ulonglong2 { return vector.MakeUlonglong2(a[0], a[1]) }, integers[uint64]())),
		onEach("vector/float4", row, each[shortOps[vector.Float4, float32, [4]float32, [4]bool]], shorts(vector.Float4From, eighths[float32]())),
		onEach("vector/double3", row, each[shortOps[vector.Double3, float64, [3]float64, [3]bool]],
			shorts(func(a [4]float64) vector.Double3 { return vector.MakeDouble3(a[0], a[1], a[2]) }, eighths[float64]())),
		onEach("vector/integer/uchar4", row, each[shortIntegerOps[vector.Uchar4]], shorts(vector.Uchar4From, integers[uint8]())),
		onEach("vector/integer/int4", row, each[shortIntegerOps[vector.Int4]], shorts(vector.Int4From, integers[int32]())),
		onEach("vector/integer/longlong1", row, each[shortIntegerOps[vector.Longlong1]],
			shorts(func(a [4]int64) vector.Longlong1 { return vector.MakeLonglong1(a[0]) }, integers[int64]())),
		onEach("vector/signs", row, each[shortFloatOps], shorts(vector.Float4From, eighths[float32]())),
		onEach("vector/convert/float4", row, each[convertFloat4], first(shorts(vector.Float4From, eighths[float32]()))),
		onEach("vector/convert/int4", row, each[convertInt4], filled(60, func(i int) vector.Int4 {
			return vector.MakeInt4(int32(i*i*i*7919), -int32(i), int32(i)<<25, int32(i*40503))
		})),
		onEach("vector/convert/ulong4", row, each[convertUlong4], filled(60, func(i int) vector.Ulong4 {
			return vector.MakeUlong4(uint64(i*i*i*7919), ^uint64(i), uint64(i)<<57, uint64(i)<<30+uint64(i))
		})),
		shortCase(row),
	}
}
