package conformance

import (
	"math"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Atomics on global and shared memory, under contention; fences.

// tallies are the cells that all threads work on.
type tallies[T dsl.AtomicNumber] struct{ Add, Sub, Min, Max, Swapped, Exch T }

// tally does every atomic that numbers have, to one set of cells.
func tally[T dsl.AtomicNumber](c *tallies[T], v T) {
	dsl.AtomicAdd(&c.Add, v)
	dsl.AtomicSub(&c.Sub, v)
	dsl.AtomicMin(&c.Min, v)
	dsl.AtomicMax(&c.Max, v)
	guess := dsl.AtomicAdd(&c.Swapped, 0)
	for {
		old := dsl.AtomicCAS(&c.Swapped, guess, guess+v+1)
		if old == guess {
			break
		}
		guess = old
	}
	dsl.AtomicExch(&c.Exch, v)
}

// numbers tallies a grid in global memory, and each block in shared memory.
// It counts in seen how often each old value of a counter was returned.
func numbers[T dsl.AtomicNumber](in []T, all, blocks []tallies[T], counter []T, seen []uint32) {
	local := dsl.Shared[tallies[T]]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	if t == 0 {
		*local = all[1]
	}
	dsl.SyncThreads()
	tally(&all[0], in[i])
	tally(local, in[i])
	dsl.SyncThreads()
	if t == 0 {
		blocks[dsl.BlockIdx().X] = *local
	}
	dsl.AtomicAdd(&seen[int(dsl.AtomicAdd(&counter[0], 1))], 1)
	dsl.AtomicAdd(&seen[len(in)-1-int(dsl.AtomicSub(&counter[1], 1))], 1)
}

func numbersCase[E dsl.AtomicNumber](name string, k *kernel.Kernel, value func(i int) E, least, greatest E) Case {
	return Case{name, "AtomicAdd Sub Min Max Exch CAS", []*kernel.Kernel{k}, func(t *T) {
		const n, blocks = 96, 7
		in := filled(n*blocks, value)
		start := tallies[E]{Min: greatest, Max: least}
		all, parts := upload(t, []tallies[E]{start, start}), alloc[tallies[E]](t, blocks)
		counter, seen := upload(t, []E{0, n*blocks - 1}), alloc[uint32](t, n*blocks)
		t.run(k, launch.Linear(n*blocks, n), upload(t, in), all, parts, counter, seen)
		check := func(what string, got tallies[E], in []E) {
			want, exchanged := start, false
			for _, v := range in {
				want.Add, want.Sub, want.Swapped = want.Add+v, want.Sub-v, want.Swapped+v+1
				want.Min, want.Max = min(want.Min, v), max(want.Max, v)
				exchanged = exchanged || v == got.Exch
			}
			if want.Exch = got.Exch; !exchanged {
				t.Errorf("%s: exchanged %v, which no thread had", what, got.Exch)
			}
			same(t, []tallies[E]{got}, []tallies[E]{want})
		}
		check("global", download(t, all)[0], in)
		for b, got := range download(t, parts) {
			check("shared", got, in[b*n:(b+1)*n])
		}
		same(t, download(t, seen), filled(n*blocks, func(int) uint32 { return 2 }))
	}}
}

type bitTallies[T dsl.AtomicInteger] struct{ And, Or, Xor T }

// bitwise does the atomics that only integers have.
func bitwise[T dsl.AtomicInteger](in []T, all, blocks []bitTallies[T]) {
	local := dsl.Shared[bitTallies[T]]()
	t, v := dsl.ThreadIdx().X, in[dsl.GlobalIdx().X]
	if t == 0 {
		*local = bitTallies[T]{And: ^T(0)}
	}
	dsl.SyncThreads()
	for _, c := range [...]*bitTallies[T]{&all[0], local} {
		dsl.AtomicAnd(&c.And, ^(v & (v >> 1) & (v >> 2)))
		dsl.AtomicOr(&c.Or, v&(v>>3))
		dsl.AtomicXor(&c.Xor, v)
	}
	dsl.SyncThreads()
	if t == 0 {
		blocks[dsl.BlockIdx().X] = *local
	}
}

func bitwiseCase[E dsl.AtomicInteger](name string, k *kernel.Kernel) Case {
	return Case{name, "AtomicAnd Or Xor", []*kernel.Kernel{k}, func(t *T) {
		const n, blocks = 64, 3
		in := filled(n*blocks, func(i int) E { return E(uint64(i*i+1) * 0x123456789) })
		all, parts := upload(t, []bitTallies[E]{{And: ^E(0)}}), alloc[bitTallies[E]](t, blocks)
		t.run(k, launch.Linear(n*blocks, n), upload(t, in), all, parts)
		of := func(in []E) bitTallies[E] {
			w := bitTallies[E]{And: ^E(0)}
			for _, v := range in {
				w.And, w.Or, w.Xor = w.And&^(v&(v>>1)&(v>>2)), w.Or|v&(v>>3), w.Xor^v
			}
			return w
		}
		same(t, download(t, all), []bitTallies[E]{of(in)})
		same(t, download(t, parts), filled(blocks, func(b int) bitTallies[E] { return of(in[b*n : (b+1)*n]) }))
	}}
}

// wrapping counts up and down within limits.
func wrapping(c []uint32) {
	s := dsl.Shared[[2]uint32]()
	if dsl.ThreadIdx().X == 0 {
		s[0], s[1] = 0, 5
	}
	dsl.SyncThreads()
	dsl.AtomicInc(&c[0], 9)
	dsl.AtomicDec(&c[1], 9)
	dsl.AtomicInc(&s[0], 4)
	dsl.AtomicDec(&s[1], 5)
	dsl.SyncThreads()
	if dsl.GlobalIdx().X == 0 {
		c[2], c[3] = s[0], s[1]
	}
}

func wrappingCase() Case {
	k := kernel.New(wrapping)
	return Case{"atomic/inc-dec", "AtomicInc Dec", []*kernel.Kernel{k}, func(t *T) {
		c := upload(t, []uint32{3, 100, 0, 0}) // 100 is over its limit: the first one makes it 9
		t.run(k, launch.Linear(256, 64), c)
		same(t, download(t, c), []uint32{(3 + 256) % 10, 9 - 255%10, 64 % 5, (5 + 6*64 - 64) % 6})
	}}
}

// floatExtremes starts with NaN, which gives way to a number.
func floatExtremes[T float](in, out []T) {
	v := in[dsl.GlobalIdx().X]
	dsl.AtomicMin(&out[0], v)
	dsl.AtomicMax(&out[1], v)
	dsl.AtomicMin(&out[2], v)
	dsl.AtomicCAS(&out[3], 0, v) // holds -0: never equal in bits
	dsl.AtomicCAS(&out[4], out[4], 7)
}

func extremesCase[E float](name string, k *kernel.Kernel) Case {
	return Case{name, "AtomicMin Max CAS", []*kernel.Kernel{k}, func(t *T) {
		nan := E(math.NaN())
		in := []E{3, -2.5, nan, E(math.Inf(1)), 1e-40, 0, -7, 100}
		start := []E{nan, nan, -100, E(math.Copysign(0, -1)), 4}
		out := upload(t, start)
		t.run(k, launch.Linear(len(in), len(in)), upload(t, in), out)
		same(t, download(t, out), []E{-7, E(math.Inf(1)), -100, start[3], 7})
	}}
}

// lastBlock lets the block that finishes last add up what all have written:
// the fence makes it visible.
func lastBlock(in, parts []int64, done []uint32, total *int64) {
	t := dsl.ThreadIdx().X
	last := dsl.Shared[bool]()
	v := in[dsl.GlobalIdx().X]
	tile := dsl.Shared[[64]int64]()
	tile[t] = v
	dsl.ThreadFenceBlock()
	dsl.SyncThreads()
	if t == 0 {
		sum := int64(0)
		for _, v := range tile {
			sum += v
		}
		parts[dsl.BlockIdx().X] = sum
		dsl.ThreadFence()
		*last = dsl.AtomicAdd(&done[0], 1) == uint32(dsl.GridDim().X-1)
		dsl.ThreadFenceSystem()
	}
	dsl.SyncThreads()
	if *last && t == 0 {
		dsl.ThreadFence()
		for i := range parts {
			*total += parts[i]
		}
	}
}

func fenceCase() Case {
	k := kernel.New(lastBlock)
	return Case{"atomic/fences", "ThreadFenceBlock ThreadFence ThreadFenceSystem", []*kernel.Kernel{k}, func(t *T) {
		in, sum := filled(64*40, func(i int) int64 { return int64(i) * 3 }), int64(0)
		for _, v := range in {
			sum += v
		}
		total := alloc[int64](t, 1)
		t.run(k, launch.Linear(len(in), 64), upload(t, in), alloc[int64](t, 40), alloc[uint32](t, 1), total)
		same(t, download(t, total), []int64{sum})
	}}
}

// inRow does atomics on elements that follow each other, from start on: a column of what all blocks have.
func inRow[T dsl.AtomicNumber](start, n int, in, sums, rest, least, most []T) {
	if i := dsl.GlobalIdx().X; i < n {
		t := dsl.ThreadIdx().X + start
		dsl.AtomicAdd(&sums[t], in[i])
		dsl.AtomicSub(&rest[t], in[i])
		dsl.AtomicMin(&least[t], in[i])
		dsl.AtomicMax(&most[t], in[i])
	}
}

func inRowCase[E dsl.AtomicNumber](name string, k *kernel.Kernel, value func(i int) E) Case {
	return Case{name, "AtomicAdd Sub Min Max", []*kernel.Kernel{k}, func(t *T) {
		const block, blocks = 96, 9
		in := filled(block*blocks, value)
		for start := range 5 {
			n := len(in) - 11*start
			var want [4][]E
			for k := range want {
				want[k] = filled(block+start+1, func(int) E { return 50 })
			}
			bufs := [4]*launch.Buffer[E]{upload(t, want[0]), upload(t, want[1]), upload(t, want[2]), upload(t, want[3])}
			t.run(k, launch.Linear(len(in), block), start, n, upload(t, in), bufs[0], bufs[1], bufs[2], bufs[3])
			for i, v := range in[:n] {
				c := i%block + start
				want[0][c], want[1][c] = want[0][c]+v, want[1][c]-v
				want[2][c], want[3][c] = min(want[2][c], v), max(want[3][c], v)
			}
			for k := range want {
				same(t, download(t, bufs[k]), want[k])
			}
		}
	}}
}

func atomicCases() []Case {
	return []Case{
		numbersCase("atomic/numbers/int32", kernel.New(numbers[int32]), func(i int) int32 { return int32(i*7919%2000 - 1000) }, math.MinInt32, math.MaxInt32),
		numbersCase("atomic/numbers/uint32", kernel.New(numbers[uint32]), func(i int) uint32 { return uint32(i) * 0x9e3779b9 }, 0, math.MaxUint32),
		numbersCase("atomic/numbers/int64", kernel.New(numbers[int64]), func(i int) int64 { return int64(i-300) << 40 }, math.MinInt64, math.MaxInt64),
		numbersCase("atomic/numbers/uint64", kernel.New(numbers[uint64]), func(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 }, 0, math.MaxUint64),
		numbersCase("atomic/numbers/int", kernel.New(numbers[int]), func(i int) int { return i*i - 5000 }, math.MinInt, math.MaxInt),
		numbersCase("atomic/numbers/uint", kernel.New(numbers[uint]), func(i int) uint { return uint(i) << 50 }, 0, math.MaxUint),
		numbersCase("atomic/numbers/float32", kernel.New(numbers[float32]), func(i int) float32 { return float32(i%200) / 4 }, -math.MaxFloat32, math.MaxFloat32),
		numbersCase("atomic/numbers/float64", kernel.New(numbers[float64]), func(i int) float64 { return float64(i-300) / 8 }, -math.MaxFloat64, math.MaxFloat64),
		bitwiseCase[int32]("atomic/bitwise/int32", kernel.New(bitwise[int32])),
		bitwiseCase[uint32]("atomic/bitwise/uint32", kernel.New(bitwise[uint32])),
		bitwiseCase[int64]("atomic/bitwise/int64", kernel.New(bitwise[int64])),
		bitwiseCase[uint64]("atomic/bitwise/uint64", kernel.New(bitwise[uint64])),
		bitwiseCase[int]("atomic/bitwise/int", kernel.New(bitwise[int])),
		bitwiseCase[uint]("atomic/bitwise/uint", kernel.New(bitwise[uint])),
		extremesCase[float32]("atomic/extremes/float32", kernel.New(floatExtremes[float32])),
		extremesCase[float64]("atomic/extremes/float64", kernel.New(floatExtremes[float64])),
		inRowCase("atomic/row/int32", kernel.New(inRow[int32]), func(i int) int32 { return int32(i*7919%2000 - 1000) }),
		inRowCase("atomic/row/uint64", kernel.New(inRow[uint64]), func(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 }),
		inRowCase("atomic/row/float32", kernel.New(inRow[float32]), func(i int) float32 { return float32(i%200) / 4 }),
		wrappingCase(), fenceCase(),
	}
}
