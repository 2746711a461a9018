package conformance

import (
	"math"
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Atomics at the scopes of blocks and of the system, and the type Atomic with its orders.

// A way does the atomics of numbers.
type way[T dsl.AtomicNumber] interface {
	tally(c *tallies[T], v T)
	count(p *T, by T) T
}

type (
	blockWay[T dsl.AtomicNumber]           struct{}
	systemWay[T dsl.AtomicNumber]          struct{}
	orderedWay[T dsl.AtomicNumber, F form] struct{}
)

func (blockWay[T]) tally(c *tallies[T], v T) {
	dsl.AtomicAddBlock(&c.Add, v)
	dsl.AtomicSubBlock(&c.Sub, v)
	dsl.AtomicMinBlock(&c.Min, v)
	dsl.AtomicMaxBlock(&c.Max, v)
	for guess := dsl.AtomicAddBlock(&c.Swapped, 0); ; {
		old := dsl.AtomicCASBlock(&c.Swapped, guess, guess+v+1)
		if old == guess {
			break
		}
		guess = old
	}
	dsl.AtomicExchBlock(&c.Exch, v)
}

func (blockWay[T]) count(p *T, by T) T { return dsl.AtomicAddBlock(p, by) }

func (systemWay[T]) tally(c *tallies[T], v T) {
	dsl.AtomicAddSystem(&c.Add, v)
	dsl.AtomicSubSystem(&c.Sub, v)
	dsl.AtomicMinSystem(&c.Min, v)
	dsl.AtomicMaxSystem(&c.Max, v)
	for guess := dsl.AtomicAddSystem(&c.Swapped, 0); ; {
		old := dsl.AtomicCASSystem(&c.Swapped, guess, guess+v+1)
		if old == guess {
			break
		}
		guess = old
	}
	dsl.AtomicExchSystem(&c.Exch, v)
}

func (systemWay[T]) count(p *T, by T) T { return dsl.AtomicAddSystem(p, by) }

// A form is a scope, and an order for what reads and writes.
type form interface {
	scope() dsl.Scope
	order() dsl.Order
}

type (
	blockAcqRel   struct{}
	deviceRelaxed struct{}
	deviceAcquire struct{}
	deviceRelease struct{}
	systemAcqRel  struct{}
	systemSeqCst  struct{}
	blockSeqCst   struct{}
)

func (blockAcqRel) scope() dsl.Scope   { return dsl.ScopeBlock }
func (blockAcqRel) order() dsl.Order   { return dsl.AcqRel }
func (deviceRelaxed) scope() dsl.Scope { return dsl.ScopeDevice }
func (deviceRelaxed) order() dsl.Order { return dsl.Relaxed }
func (deviceAcquire) scope() dsl.Scope { return dsl.ScopeDevice }
func (deviceAcquire) order() dsl.Order { return dsl.Acquire }
func (deviceRelease) scope() dsl.Scope { return dsl.ScopeDevice }
func (deviceRelease) order() dsl.Order { return dsl.Release }
func (systemAcqRel) scope() dsl.Scope  { return dsl.ScopeSystem }
func (systemAcqRel) order() dsl.Order  { return dsl.AcqRel }
func (systemSeqCst) scope() dsl.Scope  { return dsl.ScopeSystem }
func (systemSeqCst) order() dsl.Order  { return dsl.SeqCst }
func (blockSeqCst) scope() dsl.Scope   { return dsl.ScopeBlock }
func (blockSeqCst) order() dsl.Order   { return dsl.SeqCst }

func (orderedWay[T, F]) tally(c *tallies[T], v T) {
	var f F
	dsl.AtomicOf(&c.Add).Add(v, f.scope(), f.order())
	dsl.AtomicOf(&c.Sub).Sub(v, f.scope(), f.order())
	dsl.AtomicOf(&c.Min).Min(v, f.scope(), f.order())
	dsl.AtomicOf(&c.Max).Max(v, f.scope(), f.order())
	swapped := dsl.AtomicOf(&c.Swapped)
	for guess := swapped.Load(f.scope(), dsl.Relaxed); ; {
		old, ok := swapped.CompareExchange(guess, guess+v+1, f.scope(), f.order())
		if ok {
			break
		}
		guess = old
	}
	dsl.AtomicOf(&c.Exch).Exchange(v, f.scope(), f.order())
}

func (orderedWay[T, F]) count(p *T, by T) T {
	var f F
	return dsl.AtomicOf(p).Add(by, f.scope(), f.order())
}

// numbersBy is numbers by two ways: that of blocks and that of the grid.
func numbersBy[L, G way[T], T dsl.AtomicNumber](in []T, all, blocks []tallies[T], counter []T, seen []uint32) {
	var own L
	var global G
	local := dsl.Shared[tallies[T]]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	if t == 0 {
		*local = all[1]
	}
	dsl.SyncThreads()
	global.tally(&all[0], in[i])
	own.tally(local, in[i])
	dsl.SyncThreads()
	if t == 0 {
		blocks[dsl.BlockIdx().X] = *local
	}
	dsl.AtomicAdd(&seen[int(global.count(&counter[0], 1))], 1)
	minus := T(0)
	minus--
	dsl.AtomicAdd(&seen[len(in)-1-int(global.count(&counter[1], minus))], 1)
}

// A bitWay does the atomics that only integers have.
type bitWay[T dsl.AtomicInteger] interface {
	and(p *T, v T)
	or(p *T, v T)
	xor(p *T, v T)
}

type (
	blockBits[T dsl.AtomicInteger]           struct{}
	systemBits[T dsl.AtomicInteger]          struct{}
	orderedBits[T dsl.AtomicInteger, F form] struct{}
)

func (blockBits[T]) and(p *T, v T)  { dsl.AtomicAndBlock(p, v) }
func (blockBits[T]) or(p *T, v T)   { dsl.AtomicOrBlock(p, v) }
func (blockBits[T]) xor(p *T, v T)  { dsl.AtomicXorBlock(p, v) }
func (systemBits[T]) and(p *T, v T) { dsl.AtomicAndSystem(p, v) }
func (systemBits[T]) or(p *T, v T)  { dsl.AtomicOrSystem(p, v) }
func (systemBits[T]) xor(p *T, v T) { dsl.AtomicXorSystem(p, v) }
func (orderedBits[T, F]) and(p *T, v T) {
	var f F
	dsl.AtomicOf(p).And(v, f.scope(), f.order())
}
func (orderedBits[T, F]) or(p *T, v T) {
	var f F
	dsl.AtomicOf(p).Or(v, f.scope(), f.order())
}
func (orderedBits[T, F]) xor(p *T, v T) {
	var f F
	dsl.AtomicOf(p).Xor(v, f.scope(), f.order())
}

// bitwiseBy is bitwise by two ways.
func bitwiseBy[L, G bitWay[T], T dsl.AtomicInteger](in []T, all, blocks []bitTallies[T]) {
	var own L
	var global G
	local := dsl.Shared[bitTallies[T]]()
	t, v := dsl.ThreadIdx().X, in[dsl.GlobalIdx().X]
	if t == 0 {
		*local = bitTallies[T]{And: ^T(0)}
	}
	dsl.SyncThreads()
	global.and(&all[0].And, ^(v & (v >> 1) & (v >> 2)))
	global.or(&all[0].Or, v&(v>>3))
	global.xor(&all[0].Xor, v)
	own.and(&local.And, ^(v & (v >> 1) & (v >> 2)))
	own.or(&local.Or, v&(v>>3))
	own.xor(&local.Xor, v)
	dsl.SyncThreads()
	if t == 0 {
		blocks[dsl.BlockIdx().X] = *local
	}
}

// wrappingScoped is wrapping at other scopes.
func wrappingScoped(c []uint32) {
	s := dsl.Shared[[2]uint32]()
	if dsl.ThreadIdx().X == 0 {
		s[0], s[1] = 0, 5
	}
	dsl.SyncThreads()
	dsl.AtomicIncSystem(&c[0], 9)
	dsl.AtomicDecSystem(&c[1], 9)
	dsl.AtomicIncBlock(&s[0], 4)
	dsl.AtomicDecBlock(&s[1], 5)
	dsl.SyncThreads()
	if dsl.GlobalIdx().X == 0 {
		c[2], c[3] = s[0], s[1]
	}
}

// bump adds to numbers of less than 32 bits, whose neighbours others add to.
func bump[T ~int8 | ~uint8 | ~int16 | ~uint16](x []T, by T) {
	i := dsl.GlobalIdx().X % len(x)
	old := dsl.AtomicCAS(&x[i], 0, 0)
	for {
		seen := dsl.AtomicCAS(&x[i], old, old+by)
		if seen == old {
			return
		}
		old = seen
	}
}

// passing hands a sum from block to block: an Acquire that sees a Release sees what came before.
func passing(data []int32, flags []dsl.Atomic[uint32], sums []int32) {
	b, t := dsl.BlockIdx().X, dsl.ThreadIdx().X
	ready := dsl.Shared[dsl.Atomic[int32]]()
	if t == 0 {
		sum := data[b]
		if b > 0 {
			for flags[b-1].Load(dsl.ScopeDevice, dsl.Acquire) == 0 {
			}
			sum += sums[b-1]
		}
		sums[b] = sum
		flags[b].Store(1, dsl.ScopeDevice, dsl.Release)
		ready.Store(sum, dsl.ScopeBlock, dsl.SeqCst)
	}
	dsl.SyncThreads()
	if t == 1 {
		data[b] = ready.Load(dsl.ScopeWarp, dsl.Relaxed)
	}
}

// addFloats adds safely and unsafely.
func addFloats[T float](in, out []T) {
	v := in[dsl.GlobalIdx().X]
	dsl.SafeAtomicAdd(&out[0], v)
	dsl.UnsafeAtomicAdd(&out[1], v)
	local := dsl.Shared[[2]T]()
	t := dsl.ThreadIdx().X
	if t < 2 {
		local[t] = 0
	}
	dsl.SyncThreads()
	dsl.SafeAtomicAdd(&local[0], v)
	dsl.UnsafeAtomicAdd(&local[1], v)
	dsl.SyncThreads()
	if t < 2 {
		dsl.AtomicAdd(&out[2+t], local[t])
	}
}

// addPairs adds to two numbers at once, where that is possible.
func addPairs(x [][2]uint64) {
	p, by := &x[dsl.GlobalIdx().X%2], uint64(dsl.GlobalIdx().X)<<40
	if a := dsl.Arch(); !a.IsGPU() || a.IsNVIDIA() && a.Major() >= 9 {
		old := dsl.AtomicCAS128(p, [2]uint64{}, [2]uint64{})
		for {
			seen := dsl.AtomicCAS128(p, old, [2]uint64{old[0] + by, old[1] + old[0]&1 + 3})
			if seen == old {
				return
			}
			old = seen
		}
	}
	dsl.AtomicAdd(&p[0], by)
	dsl.AtomicAdd(&p[1], 3)
}

func scopedCases() []Case {
	words := func(i int) int32 { return int32(i*7919%2000 - 1000) }
	longs := func(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 }
	quarters := func(i int) float32 { return float32(i%200) / 4 }
	eighths := func(i int) float64 { return float64(i-300) / 8 }
	const whole = math.MaxUint64
	return []Case{
		numbersCase("atomic/scopes/int32", kernel.New(numbersBy[blockWay[int32], systemWay[int32], int32]), words, math.MinInt32, math.MaxInt32),
		numbersCase("atomic/scopes/uint64", kernel.New(numbersBy[blockWay[uint64], systemWay[uint64], uint64]), longs, 0, whole),
		numbersCase("atomic/scopes/float32", kernel.New(numbersBy[blockWay[float32], systemWay[float32], float32]), quarters, -math.MaxFloat32, math.MaxFloat32),
		numbersCase("atomic/scopes/float64", kernel.New(numbersBy[blockWay[float64], systemWay[float64], float64]), eighths, -math.MaxFloat64, math.MaxFloat64),
		numbersCase("atomic/orders/int32", kernel.New(numbersBy[orderedWay[int32, blockAcqRel], orderedWay[int32, systemSeqCst], int32]), words, math.MinInt32, math.MaxInt32),
		numbersCase("atomic/orders/uint32", kernel.New(numbersBy[orderedWay[uint32, deviceRelaxed], orderedWay[uint32, deviceAcquire], uint32]), func(i int) uint32 { return uint32(i) * 0x9e3779b9 }, 0, math.MaxUint32),
		numbersCase("atomic/orders/uint64", kernel.New(numbersBy[orderedWay[uint64, blockSeqCst], orderedWay[uint64, systemAcqRel], uint64]), longs, 0, whole),
		numbersCase("atomic/orders/float32", kernel.New(numbersBy[orderedWay[float32, blockSeqCst], orderedWay[float32, deviceRelease], float32]), quarters, -math.MaxFloat32, math.MaxFloat32),
		numbersCase("atomic/orders/float64", kernel.New(numbersBy[orderedWay[float64, blockAcqRel], orderedWay[float64, systemSeqCst], float64]), eighths, -math.MaxFloat64, math.MaxFloat64),
		bitwiseCase[uint32]("atomic/scopes/bits/uint32", kernel.New(bitwiseBy[blockBits[uint32], systemBits[uint32], uint32])),
		bitwiseCase[int64]("atomic/scopes/bits/int64", kernel.New(bitwiseBy[blockBits[int64], systemBits[int64], int64])),
		bitwiseCase[int32]("atomic/orders/bits/int32", kernel.New(bitwiseBy[orderedBits[int32, blockSeqCst], orderedBits[int32, systemAcqRel], int32])),
		bitwiseCase[uint64]("atomic/orders/bits/uint64", kernel.New(bitwiseBy[orderedBits[uint64, deviceRelease], orderedBits[uint64, systemSeqCst], uint64])),
		wrappingScopedCase(), passingCase(), pairsCase(),
		bumpCase("atomic/narrow/int8", kernel.New(bump[int8]), int8(3)), bumpCase("atomic/narrow/uint8", kernel.New(bump[uint8]), uint8(251)),
		bumpCase("atomic/narrow/int16", kernel.New(bump[int16]), int16(-300)), bumpCase("atomic/narrow/uint16", kernel.New(bump[uint16]), uint16(4099)),
		addFloatsCase[float32]("atomic/safe/float32", kernel.New(addFloats[float32])), addFloatsCase[float64]("atomic/safe/float64", kernel.New(addFloats[float64])),
	}
}

func wrappingScopedCase() Case {
	k := kernel.New(wrappingScoped)
	return Case{"atomic/scopes/inc-dec", "AtomicInc Dec", []*kernel.Kernel{k}, func(t *T) {
		c := upload(t, []uint32{3, 100, 0, 0})
		t.run(k, launch.Linear(256, 64), c)
		same(t, download(t, c), []uint32{(3 + 256) % 10, 9 - 255%10, 64 % 5, (5 + 6*64 - 64) % 6})
	}}
}

func pairsCase() Case {
	k := kernel.New(addPairs)
	return Case{"atomic/pairs", "AtomicCAS of 128 bits", []*kernel.Kernel{k}, func(t *T) {
		const n = 256
		x := upload(t, [][2]uint64{{2, 5}, {4, 6}})
		t.run(k, launch.Linear(n, 64), x)
		want := [][2]uint64{{2, 5}, {4, 6}}
		for i := range uint64(n) {
			want[i%2] = [2]uint64{want[i%2][0] + i<<40, want[i%2][1] + 3}
		}
		same(t, download(t, x), want)
	}}
}

func bumpCase[E ~int8 | ~uint8 | ~int16 | ~uint16](name string, k *kernel.Kernel, by E) Case {
	return Case{name, "AtomicCAS of 8 and 16 bits", []*kernel.Kernel{k}, func(t *T) {
		const cells, threads = 7, 512
		x := upload(t, filled(cells, func(i int) E { return E(i) }))
		t.run(k, launch.Linear(threads, 128), x, by)
		same(t, download(t, x), filled(cells, func(i int) E {
			v := E(i)
			for n := i; n < threads; n += cells {
				v += by
			}
			return v
		}))
	}}
}

func passingCase() Case {
	k := kernel.New(passing)
	return Case{"atomic/passing", "Atomic", []*kernel.Kernel{k}, func(t *T) {
		const blocks = 24
		in := filled(blocks, func(i int) int32 { return int32(i*i - 50) })
		want, sum := make([]int32, blocks), int32(0)
		for i, v := range in {
			sum += v
			want[i] = sum
		}
		data, sums := upload(t, in), alloc[int32](t, blocks)
		t.run(k, launch.Linear(32*blocks, 32), data, alloc[dsl.Atomic[uint32]](t, blocks), sums)
		same(t, download(t, sums), want)
		same(t, download(t, data), want)
	}}
}

func addFloatsCase[E float](name string, k *kernel.Kernel) Case {
	return Case{name, "SafeAtomicAdd UnsafeAtomicAdd", []*kernel.Kernel{k}, func(t *T) {
		const n = 320
		out := alloc[E](t, 4)
		t.run(k, launch.Linear(n, 64), upload(t, filled(n, func(i int) E { return E(i) / 4 })), out)
		same(t, download(t, out), filled(4, func(int) E { return n * (n - 1) / 8 }))
	}}
}

// An Atomic lies in memory as its number does.
var _ [unsafe.Sizeof(dsl.Atomic[float64]{}) - 8]struct{}
