package conformance

import (
	"fmt"
	"slices"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// What the lanes of a warp, or the threads of a block, compute together of their values.

type matchOut struct {
	Any, AnySync, Branch, All, AllSync, AllBranch uint64
	Same, SameSync, SameBranch                    bool
}

func match[T dsl.Number](in []T, out []matchOut) {
	i := dsl.GlobalIdx().X
	v, full := in[i], ^uint64(0)
	var o matchOut
	o.Any, o.AnySync = dsl.MatchAny(v), dsl.MatchAnySync(full, v)
	o.All, o.Same = dsl.MatchAll(v)
	o.AllSync, o.SameSync = dsl.MatchAllSync(full, v)
	if dsl.LaneID()%2 == 0 {
		o.Branch = dsl.MatchAnySync(evenLanes, v)
		o.AllBranch, o.SameBranch = dsl.MatchAllSync(evenLanes, v)
	} else {
		o.Branch = dsl.MatchAnySync(evenLanes<<1, v)
	}
	out[i] = o
}

func matchCase[E dsl.Number](name string, k *kernel.Kernel, value func(i int) E) Case {
	return Case{name, "MatchAny MatchAll and Sync", []*kernel.Kernel{k}, func(t *T) {
		const n, count = 144, 144 * 3 // the last warp of a block is not full
		in := filled(count, func(i int) E {
			if i < 64 {
				return value(1) // warps that agree
			}
			return value(i * i % 5)
		})
		out := alloc[matchOut](t, count)
		t.run(k, launch.Linear(count, n), upload(t, in), out)
		want := filled(count, func(i int) (o matchOut) {
			even := func(j int) bool { return j%n%t.warp()%2 == 0 }
			o.Any = mask(i, n, t.warp(), func(j int) bool { return in[j] == in[i] })
			o.AnySync = o.Any
			all := mask(i, n, t.warp(), func(int) bool { return true })
			if o.Same = o.Any == all; o.Same {
				o.All = all
			}
			o.AllSync, o.SameSync = o.All, o.Same
			o.Branch = mask(i, n, t.warp(), func(j int) bool { return in[j] == in[i] && even(j) == even(i) })
			if alike := mask(i, n, t.warp(), even); even(i) && o.Branch == alike {
				o.AllBranch, o.SameBranch = alike, true
			}
			return o
		})
		same(t, download(t, out), want)
	}}
}

// reduceOut has the reductions, among all lanes and among those of two branches.
type reduceOut[T any] struct{ Add, Min, Max [2]T }

func reduceNumbers[T dsl.Number](in []T, out []reduceOut[T]) {
	i := dsl.GlobalIdx().X
	v, full := in[i], ^uint64(0)
	var o reduceOut[T]
	o.Add[0], o.Min[0], o.Max[0] = dsl.ReduceAddSync(full, v), dsl.ReduceMinSync(full, v), dsl.ReduceMaxSync(full, v)
	some := uint64(0x1112_4488_0010_f731)
	if some>>dsl.LaneID()&1 == 0 {
		some = ^some
	}
	o.Add[1], o.Min[1], o.Max[1] = dsl.ReduceAddSync(some, v), dsl.ReduceMinSync(some, v), dsl.ReduceMaxSync(some, v)
	out[i] = o
}

func reduceBits[T dsl.AnyInteger](in []T, out []reduceOut[T]) {
	i := dsl.GlobalIdx().X
	v, full := in[i], ^uint64(0)
	var o reduceOut[T]
	o.Add[0], o.Min[0], o.Max[0] = dsl.ReduceAndSync(full, v), dsl.ReduceOrSync(full, v), dsl.ReduceXorSync(full, v)
	some := uint64(0x1112_4488_0010_f731)
	if some>>dsl.LaneID()&1 == 0 {
		some = ^some
	}
	o.Add[1], o.Min[1], o.Max[1] = dsl.ReduceAndSync(some, v), dsl.ReduceOrSync(some, v), dsl.ReduceXorSync(some, v)
	out[i] = o
}

// reduceCase compares with ops, for the fields.
func reduceCase[E dsl.Number](name, row string, k *kernel.Kernel, value func(i int) E, ops [3]func(x, y E) E) Case {
	return Case{name, row, []*kernel.Kernel{k}, func(t *T) {
		const n, count = 144, 144 * 3
		in := filled(count, value)
		out := alloc[reduceOut[E]](t, count)
		t.run(k, launch.Linear(count, n), upload(t, in), out)
		some := func(j int) bool { return uint64(0x1112_4488_0010_f731)>>(j%n%t.warp())&1 != 0 }
		want := filled(count, func(i int) (o reduceOut[E]) {
			for f, op := range ops {
				all, alike := lanesOf(in, i, n, t.warp()), []E{}
				for j, v := range all {
					if at := i/n*n + i%n/t.warp()*t.warp() + j; some(at) == some(i) {
						alike = append(alike, v)
					}
				}
				for g, of := range [][]E{all, alike} {
					r := of[0]
					for _, v := range of[1:] {
						r = op(r, v)
					}
					*[]*E{&o.Add[g], &o.Min[g], &o.Max[g]}[f] = r
				}
			}
			return o
		})
		same(t, download(t, out), want)
	}}
}

// lanesOf is the part of in that belongs to i's warp, among n threads a block.
func lanesOf[E any](in []E, i, n, warp int) []E {
	first := i/n*n + i%n/warp*warp
	return in[first:min(first+warp, i/n*n+n)]
}

func reduceNumbersCase[E dsl.Number](name string, k *kernel.Kernel, value func(i int) E) Case {
	return reduceCase("reduce/"+name, "ReduceAddSync ReduceMinSync ReduceMaxSync", k, value, [3]func(x, y E) E{
		func(x, y E) E { return x + y }, func(x, y E) E { return min(x, y) }, func(x, y E) E { return max(x, y) }})
}

func reduceBitsCase[E dsl.AnyInteger](name string, k *kernel.Kernel, value func(i int) E) Case {
	return reduceCase("reduce/bits-"+name, "ReduceAndSync ReduceOrSync ReduceXorSync", k, value, [3]func(x, y E) E{
		func(x, y E) E { return x & y }, func(x, y E) E { return x | y }, func(x, y E) E { return x ^ y }})
}

// An affine function modulo 2^32: composing them depends on the order.
type affine struct{ A, B uint32 }

func (f affine) then(g affine) affine { return affine{f.A * g.A, f.B*g.A + g.B} }

type scanOut struct{ Inclusive, Exclusive, Some, SomeExclusive affine }

func warpScan(in []affine, out []scanOut) {
	i := dsl.GlobalIdx().X
	v, op := in[i], affine.then
	o := scanOut{Inclusive: dsl.WarpInclusiveScan(v, op), Exclusive: dsl.WarpExclusiveScan(v, affine{1, 0}, op)}
	if lane := dsl.LaneID(); lane%3 != 0 {
		o.Some, o.SomeExclusive = dsl.WarpInclusiveScan(v, op), dsl.WarpExclusiveScan(v, affine{1, 0}, op)
	}
	out[i] = o
}

func affines(n int) []affine {
	return filled(n, func(i int) affine { return affine{uint32(2*i + 1), uint32(i*i + 7)} })
}

func warpScanCase() Case {
	k := kernel.New(warpScan)
	return Case{"scan/warp", "WarpInclusiveScan WarpExclusiveScan and Sync", []*kernel.Kernel{k}, func(t *T) {
		const n, count = 144, 144 * 2
		in := affines(count)
		out := alloc[scanOut](t, count)
		t.run(k, launch.Linear(count, n), upload(t, in), out)
		want := filled(count, func(i int) scanOut {
			all := lanesOf(in, i, n, t.warp())
			lane := i % n % t.warp()
			o := scanOut{Exclusive: affine{1, 0}}
			some := affine{1, 0}
			for j := range lane {
				o.Exclusive = o.Exclusive.then(all[j])
				if j%3 != 0 {
					some = some.then(all[j])
				}
			}
			o.Inclusive = o.Exclusive.then(in[i])
			if lane%3 != 0 {
				o.Some, o.SomeExclusive = some.then(in[i]), some
			}
			return o
		})
		same(t, download(t, out), want)
	}}
}

type blockOut struct {
	Sum                  int64
	Least                float32
	Inclusive, Exclusive affine
}

func blockScan(in []affine, out []blockOut) {
	d, i := dsl.BlockDim(), dsl.ThreadIdx()
	at := dsl.BlockIdx().X*d.X*d.Y + i.Y*d.X + i.X
	v := in[at]
	out[at] = blockOut{
		dsl.BlockReduce(int64(v.A)-1000, func(x, y int64) int64 { return x + y }),
		dsl.BlockReduce(-float32(v.B), func(x, y float32) float32 { return min(x, y) }),
		dsl.BlockInclusiveScan(v, affine.then), dsl.BlockExclusiveScan(v, affine{1, 0}, affine.then),
	}
}

func blockScanCase() Case {
	k := kernel.New(blockScan)
	return Case{"scan/block", "BlockReduce BlockInclusiveScan BlockExclusiveScan", []*kernel.Kernel{k}, func(t *T) {
		for _, block := range []launch.Dim3{{X: 1}, {X: 33}, {X: 10, Y: 10}, {X: 256}} {
			n := block.X * max(block.Y, 1)
			in := affines(n * 3)
			slices.Reverse(in)
			out := alloc[blockOut](t, len(in))
			t.run(k, launch.Config{Grid: launch.Dim3{X: 3}, Block: block}, upload(t, in), out)
			want := filled(len(in), func(i int) blockOut {
				o := blockOut{Exclusive: affine{1, 0}, Least: 1}
				for j, v := range in[i/n*n : i/n*n+n] {
					o.Sum += int64(v.A) - 1000
					o.Least = min(o.Least, -float32(v.B))
					if j < i%n {
						o.Exclusive = o.Exclusive.then(v)
					}
				}
				o.Inclusive = o.Exclusive.then(in[i])
				return o
			})
			compare(t, download(t, out), want, nil, exact, func(i int) string { return fmt.Sprintf("block of %d, thread %d", n, i) })
		}
	}}
}

func togetherCases() []Case {
	return []Case{
		matchCase("match/int32", kernel.New(match[int32]), func(i int) int32 { return int32(i - 3) }),
		matchCase("match/uint64", kernel.New(match[uint64]), func(i int) uint64 { return uint64(i) << 40 }),
		matchCase("match/float64", kernel.New(match[float64]), func(i int) float64 { return float64(i) / 3 }),
		matchCase("match/float32", kernel.New(match[float32]), func(i int) float32 { return float32(i) / 3 }),
		matchCase("match/int8", kernel.New(match[int8]), func(i int) int8 { return int8(i - 2) }),
		reduceNumbersCase("int8", kernel.New(reduceNumbers[int8]), func(i int) int8 { return int8(i * 37) }),
		reduceNumbersCase("uint16", kernel.New(reduceNumbers[uint16]), func(i int) uint16 { return uint16(i * 4001) }),
		reduceNumbersCase("int32", kernel.New(reduceNumbers[int32]), func(i int) int32 { return int32(i * 123456789) }),
		reduceNumbersCase("uint32", kernel.New(reduceNumbers[uint32]), func(i int) uint32 { return uint32(i * 123456789) }),
		reduceNumbersCase("int64", kernel.New(reduceNumbers[int64]), func(i int) int64 { return int64(i) * 0x7123456789abcdef }),
		reduceNumbersCase("uint64", kernel.New(reduceNumbers[uint64]), func(i int) uint64 { return uint64(i) * 0x7123456789abcdef }),
		reduceNumbersCase("float32", kernel.New(reduceNumbers[float32]), func(i int) float32 { return float32(i%77) - 30.5 }),
		reduceNumbersCase("float64", kernel.New(reduceNumbers[float64]), func(i int) float64 { return float64(i*i) - 1e4 }),
		reduceBitsCase("int8", kernel.New(reduceBits[int8]), func(i int) int8 { return int8(i*37 | 1) }),
		reduceBitsCase("uint32", kernel.New(reduceBits[uint32]), func(i int) uint32 { return ^uint32(1 << (i * 7 % 32)) }),
		reduceBitsCase("int64", kernel.New(reduceBits[int64]), func(i int) int64 { return ^(1 << (i * 7 % 64)) }),
		warpScanCase(), blockScanCase(),
	}
}
