package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Values of a thread's place in its block: what differs between threads by constants
// is computed once for many of them, on a device that can.

// indexBits are an index's bits and parts.
type indexBits[T integer] struct {
	Low, LowTimes, LowLess, Mod2, Mod2Times, Mod4Times, Mod7 T
	Bit1, Turned, And, Or, Xor, AndNot, Gray                 T
	Shifted, Up, Back, Div2, Div8, Div3, Parity              T
}

func bitsOf[T integer](k, u T) indexBits[T] {
	return indexBits[T]{
		k & 1, k & 1 * u, k&1*33 - 1, k % 2, k % 2 * 33, k % 4 * 33, k % 7,
		k >> 1 & 1 * u, (k ^ 1) & 1 * u, k & 6, k | 9, k ^ 5, k &^ 2, k ^ k>>1,
		(k - 3) >> 1, k << 2, k << 6 >> 6, k / 2, k / 8, k / 3, T(dsl.Popc(uint64(k))&1) * u,
	}
}

// indexOrders are an index's comparisons and what is chosen by them.
type indexOrders[T integer] struct {
	Less, Equal, Below, Odd, Same, Both, Either, Neither bool
	Chosen, ByBit, Min, Max, Far, Clamped                T
	Wrapped, Product, Least                              T
}

func ordersOf[T integer](k, u T) indexOrders[T] {
	pick := func(c bool, a, b T) T {
		if c {
			return a
		}
		return b
	}
	odd := k&1 == 1
	return indexOrders[T]{
		k < 3, k == u, k-3 < 2, odd, odd == (u&1 == 1), odd && k&2 == 2, odd || k > 6, !odd && !(k&4 == 4),
		pick(odd, u, k), pick(k&2 == 2, 7, u), min(k, u), max(k, u), max(k-u, u-k), min(max(k, 3), 9),
		k + ^T(0)>>1, k * k, k * T(1<<6) >> 6,
	}
}

// indexCasts are an index in other types.
type indexCasts struct {
	U8, U8Part, I8, U16, I16, Back8         int
	U32High, I64High, U64High, Third, Tenth int
	F32, F64, Bit, Odd8                     int
	Hash, HashUp, HashLow                   uint64
}

func castsOf(k, u int32) indexCasts {
	hash, least := uint64(k)*6364136223846793005, uint64(k)*0x1fffffffffffffff
	return indexCasts{
		int(uint8(k << 6)), int(uint8(k*8) >> 2), int(int8(k << 5)), int(uint16(k<<12) >> 10), int(int16(k << 14)), int(uint8(k) * 8 >> 2),
		int(uint64(uint32(k-3)) >> 16), int(int64(k-3) >> 33), int(uint64(k-3) >> 33), int(uint32(k) * 0xaaaaaaab >> 1), int(int64(k) * 0x1999999a >> 32),
		int(float32(k) * 1.5), int(float64(k) * 1.5), int(uint64(k) * 3 & 1 * 5), int(uint8(k)&1) * int(u),
		hash >> 4, hash >> 27, least + least%8,
	}
}

func indexKernel[T integer](out []indexBits[T], orders []indexOrders[T], u T) {
	i := dsl.GlobalIdx().Y*dsl.GlobalSize().X + dsl.GlobalIdx().X
	k := T(dsl.ThreadIdx().X) + T(dsl.ThreadIdx().Y)
	out[i] = bitsOf(k, u)
	orders[i] = ordersOf(T(dsl.ThreadIdx().X), u)
}

func castKernel(out, lanes []indexCasts, u int32) {
	i := dsl.GlobalIdx().Y*dsl.GlobalSize().X + dsl.GlobalIdx().X
	out[i] = castsOf(int32(dsl.ThreadIdx().X), u)
	lanes[i] = castsOf(int32(dsl.LaneID()), u)
}

// indexBlocks are rows that fill gangs, those that do not, and short ones.
var indexBlocks = []launch.Dim3{{X: 256, Y: 1}, {X: 64, Y: 2}, {X: 16, Y: 8}, {X: 8, Y: 5}, {X: 37, Y: 3}}

func indexCase[E integer](name string) Case {
	k := kernel.New(indexKernel[E])
	return Case{name, "arithmetic", []*kernel.Kernel{k}, func(t *T) {
		for _, b := range indexBlocks {
			n, u := b.X*b.Y, E(5)
			out, orders := alloc[indexBits[E]](t, n), alloc[indexOrders[E]](t, n)
			t.run(k, launch.Config{Block: b}, out, orders, u)
			same(t, download(t, out), filled(n, func(i int) indexBits[E] { return bitsOf(E(i%b.X)+E(i/b.X), u) }))
			same(t, download(t, orders), filled(n, func(i int) indexOrders[E] { return ordersOf(E(i%b.X), u) }))
		}
	}}
}

func castCase() Case {
	k := kernel.New(castKernel)
	return Case{"index/casts", "conversions", []*kernel.Kernel{k}, func(t *T) {
		for _, b := range indexBlocks {
			n := b.X * b.Y
			out, lanes := alloc[indexCasts](t, n), alloc[indexCasts](t, n)
			t.run(k, launch.Config{Block: b}, out, lanes, int32(5))
			same(t, download(t, out), filled(n, func(i int) indexCasts { return castsOf(int32(i%b.X), 5) }))
			same(t, download(t, lanes), filled(n, func(i int) indexCasts { return castsOf(int32(i%t.warp()), 5) }))
		}
	}}
}

// Each on its own: beside others, the low bit is computed as a number once, not as a condition.

func lowTimes(out, in []int32) { k := int32(dsl.ThreadIdx().X); out[k] = k % 2 * 33 }
func lowOf(out, in []int32)    { k := dsl.ThreadIdx().X; out[k] = int32(k&1) * in[k] }
func lowLane(out, in []int32)  { out[dsl.ThreadIdx().X] = int32(dsl.LaneID() % 2 * 5) }
func lowByte(out, in []int32)  { k := dsl.ThreadIdx().X; out[k] = int32(uint8(k)&1) * 9 }
func lowEven(out, in []int32) {
	if k := dsl.ThreadIdx().X; k%2 == 0 {
		out[k] = in[k+1]
	}
}

func lowCase() Case {
	kernels := []*kernel.Kernel{kernel.New(lowTimes), kernel.New(lowOf), kernel.New(lowLane), kernel.New(lowByte), kernel.New(lowEven)}
	want := []func(i int) int32{
		func(i int) int32 { return int32(i % 2 * 33) },
		func(i int) int32 { return int32(i % 2 * (1000 - i)) },
		func(i int) int32 { return int32(i % 2 * 5) },
		func(i int) int32 { return int32(i % 2 * 9) },
		func(i int) int32 { return int32((1 - i%2) * (999 - i)) },
	}
	return Case{"index/low", "arithmetic", kernels, func(t *T) {
		const n = 128
		in := upload(t, filled(n, func(i int) int32 { return int32(1000 - i) }))
		for i, k := range kernels {
			out := upload(t, make([]int32, n))
			t.run(k, launch.Linear(n, n), out, in)
			same(t, download(t, out), filled(n, want[i]))
		}
	}}
}

func indexCases() []Case {
	return []Case{
		lowCase(),
		indexCase[int8]("index/int8"), indexCase[uint8]("index/uint8"), indexCase[int16]("index/int16"), indexCase[uint32]("index/uint32"),
		indexCase[int32]("index/int32"), indexCase[int]("index/int"), indexCase[uint64]("index/uint64"), castCase(),
	}
}
