package conformance

import (
	"math/bits"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Geometry and shared memory.

type place struct {
	Thread, Block, Dim, Grid, Global, Size vector.Dim3
	Warp, Lane, WarpSize                   int
}

func geometry(out []place) {
	g, n := dsl.GlobalIdx(), dsl.GlobalSize()
	out[(g.Z*n.Y+g.Y)*n.X+g.X] = place{
		dsl.ThreadIdx(), dsl.BlockIdx(), dsl.BlockDim(), dsl.GridDim(), g, n,
		dsl.WarpID(), dsl.LaneID(), dsl.WarpSize(),
	}
}

func geometryCases() []Case {
	k := kernel.New(geometry)
	return []Case{{"geometry/3d", "built-in values", []*kernel.Kernel{k}, func(t *T) {
		for _, cfg := range []launch.Config{
			{},
			{Grid: launch.Dim3{X: 3, Y: 2, Z: 2}, Block: launch.Dim3{X: 5, Y: 3, Z: 7}},
			{Grid: launch.Dim3{Y: 7}, Block: launch.Dim3{X: 33}},
			{Grid: launch.Dim3{Z: 3}, Block: launch.Dim3{Z: 64, X: 2}},
			{Grid: launch.Dim3{X: 9}, Block: launch.Dim3{X: 1, Y: 129}},
		} {
			b, g := ones(cfg.Block), ones(cfg.Grid)
			size := vector.Dim3{X: b.X * g.X, Y: b.Y * g.Y, Z: b.Z * g.Z}
			out := alloc[place](t, size.X*size.Y*size.Z)
			t.run(k, cfg, out)
			want := filled(out.Len(), func(i int) place {
				at := vector.Dim3{X: i % size.X, Y: i / size.X % size.Y, Z: i / size.X / size.Y}
				block := vector.Dim3{X: at.X / b.X, Y: at.Y / b.Y, Z: at.Z / b.Z}
				thread := vector.Dim3{X: at.X % b.X, Y: at.Y % b.Y, Z: at.Z % b.Z}
				number := (thread.Z*b.Y+thread.Y)*b.X + thread.X
				return place{thread, block, b, g, at, size, number / t.warp(), number % t.warp(), t.warp()}
			})
			same(t, download(t, out), want)
		}
	}}}
}

// ones is d with its zero axes made 1.
func ones(d launch.Dim3) launch.Dim3 {
	return launch.Dim3{X: max(d.X, 1), Y: max(d.Y, 1), Z: max(d.Z, 1)}
}

// blockSum reduces each block's part in static shared memory.
func blockSum[T number](in, out []T) {
	tile := dsl.Shared[[128]T]()
	t := dsl.ThreadIdx().X
	tile[t] = in[dsl.GlobalIdx().X]
	dsl.SyncThreads()
	for d := dsl.BlockDim().X / 2; d > 0; d /= 2 {
		if t < d {
			tile[t] += tile[t+d]
		}
		dsl.SyncThreads()
	}
	if t == 0 {
		out[dsl.BlockIdx().X] = tile[0]
	}
}

func sumCase[E number](name string, k *kernel.Kernel) Case {
	return Case{name, "__shared__ static", []*kernel.Kernel{k}, func(t *T) {
		in := filled(128*5, func(i int) E { return E(i % 50) })
		want := make([]E, 5)
		for i, v := range in {
			want[i/128] += v
		}
		out := alloc[E](t, 5)
		t.run(k, launch.Linear(len(in), 128), upload(t, in), out)
		same(t, download(t, out), want)
	}}
}

// cell is a struct in shared memory.
type cell struct {
	Key  uint8
	Mean float64
	At   [2]int16
}

// several uses four shared variables and reverses the block through each.
func several(out []cell, sums []int) {
	cells, keys := dsl.Shared[[96]cell](), dsl.Shared[[96]uint8]()
	grid, total := dsl.Shared[[8][12]int16](), dsl.Shared[int]()
	t, n := dsl.ThreadIdx().X, dsl.BlockDim().X
	cells[t] = cell{uint8(t), float64(t) / 2, [2]int16{int16(t), int16(dsl.BlockIdx().X)}}
	keys[t] = uint8(200 + t)
	grid[t/12][t%12] = int16(t * 3)
	if t == 0 {
		*total = 0
	}
	dsl.SyncThreads()
	other := n - 1 - t
	c := cells[other]
	c.Key += keys[other]
	c.At[0] += grid[other/12][other%12]
	out[dsl.GlobalIdx().X] = c
	dsl.AtomicAdd(total, other)
	dsl.SyncThreads()
	if t == n/2 {
		sums[dsl.BlockIdx().X] = *total
	}
}

func severalCase() Case {
	k := kernel.New(several)
	return Case{"shared/several", "__shared__ static", []*kernel.Kernel{k}, func(t *T) {
		out, sums := alloc[cell](t, 96*3), alloc[int](t, 3)
		t.run(k, launch.Linear(96*3, 96), out, sums)
		same(t, download(t, out), filled(96*3, func(i int) cell {
			o := 95 - i%96
			return cell{uint8(o) + uint8(200+o), float64(o) / 2, [2]int16{int16(o * 4), int16(i / 96)}}
		}))
		same(t, download(t, sums), []int{95 * 48, 95 * 48, 95 * 48})
	}}
}

// dynamic scans its block in dynamic shared memory, of which it also looks at
// the same bytes as another type.
func dynamic(in, out []uint32, lens []int) {
	buf := dsl.DynamicShared[uint32]()
	t, n := dsl.ThreadIdx().X, dsl.BlockDim().X
	buf[t] = in[dsl.GlobalIdx().X]
	dsl.SyncThreads()
	from, to := buf[:n], buf[n:2*n]
	for d := 1; d < n; d *= 2 {
		if t >= d {
			to[t] = from[t] + from[t-d]
		} else {
			to[t] = from[t]
		}
		from, to = to, from
		dsl.SyncThreads()
	}
	out[dsl.GlobalIdx().X] = from[t]
	if dsl.GlobalIdx().X == 0 {
		lens[0], lens[1] = len(buf), len(dsl.DynamicShared[[3]uint16]())
	}
	dsl.SyncThreads()
	bytes := dsl.DynamicShared[uint8]()
	if t == 0 {
		bytes[4], bytes[5], bytes[6], bytes[7] = 1, 2, 0, 1
	}
	dsl.SyncThreads()
	if t == 1 {
		lens[2+dsl.BlockIdx().X] = int(buf[1])
	}
}

func dynamicCase() Case {
	k := kernel.New(dynamic)
	return Case{"shared/dynamic", "extern __shared__", []*kernel.Kernel{k}, func(t *T) {
		for _, n := range []int{32, 100, 256} {
			in := filled(n*3, func(i int) uint32 { return uint32(i*i%1000 + 1<<24) })
			want := make([]uint32, len(in))
			for i, v := range in {
				if want[i] = v; i%n > 0 {
					want[i] += want[i-1]
				}
			}
			out, lens := alloc[uint32](t, len(in)), alloc[int](t, 5)
			cfg := launch.Linear(len(in), n)
			cfg.Shared = n*8 + 4
			t.run(k, cfg, upload(t, in), out, lens)
			same(t, download(t, out), want)
			same(t, download(t, lens), []int{2*n + 1, (n*8 + 4) / 6, 0x01000201, 0x01000201, 0x01000201})
		}
	}}
}

// votes has the barriers that count.
func votes(in []int, counts []int, and, or []bool) {
	i := dsl.GlobalIdx().X
	for round := range 3 {
		p := in[i]>>round&1 == 1
		n := dsl.SyncThreadsCount(p)
		all, some := dsl.SyncThreadsAnd(p), dsl.SyncThreadsOr(p)
		if dsl.ThreadIdx().X == dsl.BlockDim().X-1 {
			at := dsl.BlockIdx().X*3 + round
			counts[at], and[at], or[at] = n, all, some
		}
	}
}

func votesCase() Case {
	k := kernel.New(votes)
	return Case{"sync/count", "SyncThreads, SyncThreadsCount, And, Or", []*kernel.Kernel{k}, func(t *T) {
		const n, blocks = 200, 4
		in := filled(n*blocks, func(i int) int {
			v := 0
			if i%3 == 0 {
				v |= 1
			}
			if i/n != 2 { // bit 1: in all threads of three blocks
				v |= 2
			}
			if i == n*3+77 { // bit 2: in one thread of one block
				v |= 4
			}
			return v
		})
		counts, and, or := alloc[int](t, 3*blocks), alloc[bool](t, 3*blocks), alloc[bool](t, 3*blocks)
		t.run(k, launch.Linear(len(in), n), upload(t, in), counts, and, or)
		want := make([]int, 3*blocks)
		for i, v := range in {
			for round := range 3 {
				want[i/n*3+round] += v >> round & 1
			}
		}
		same(t, download(t, counts), want)
		same(t, download(t, and), filled(3*blocks, func(i int) bool { return want[i] == n }))
		same(t, download(t, or), filled(3*blocks, func(i int) bool { return want[i] > 0 }))
	}}
}

// helper calls share a variable by its place in the source: both calls of
// scratch give the same memory.
func scratch() *[64]int { return dsl.Shared[[64]int]() }

func throughHelper(out []int) {
	t := dsl.ThreadIdx().X
	scratch()[t] = t * t
	dsl.SyncThreads()
	out[dsl.GlobalIdx().X] = scratch()[63-t]
}

func helperCase() Case {
	k := kernel.New(throughHelper)
	return Case{"shared/helper", "__shared__ static", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 128)
		t.run(k, launch.Linear(128, 64), out)
		same(t, download(t, out), filled(128, func(i int) int { return (63 - i%64) * (63 - i%64) }))
	}}
}

// rank counts those before a thread in its block, and all of them, that have an odd number, by
// small numbers of the warps: as they are, as ints in rows, and the numbers' low bits.
func rank(in []int, out [][4]int) {
	counts, rows := dsl.Shared[[32]int32](), dsl.Shared[[4][8]int]()
	low := dsl.SharedSlice[uint32](256)
	i, t, warp := dsl.GlobalIdx().X, dsl.ThreadIdx().X, dsl.WarpID()
	odd := dsl.Ballot(in[i]&1 != 0)
	if dsl.LaneID() == 0 {
		counts[warp] = int32(bits.OnesCount64(odd))
		rows[warp/8][warp%8] = 3 * bits.OnesCount64(odd)
	}
	low[t] = uint32(in[i]) & 0xffff
	dsl.SyncThreads()
	before, all := bits.OnesCount64(odd&(1<<dsl.LaneID()-1)), 1<<40
	three, sum := 7, 0
	for w := range (dsl.BlockDim().X + dsl.WarpSize() - 1) / dsl.WarpSize() {
		n := int(counts[w])
		if w < warp {
			before += n
		}
		all += n
		three -= rows[w/8][w%8]
	}
	for k := range dsl.BlockDim().X {
		sum += int(low[k])
	}
	out[i] = [4]int{before, all, three, sum}
}

func rankCase() Case {
	k := kernel.New(rank)
	return Case{"shared/counts", "__shared__ static", []*kernel.Kernel{k}, func(t *T) {
		for _, block := range []int{1, 40, 64, 200, 256} {
			in := filled(3*block, func(i int) int { return i*i*7919 ^ i>>1 - 70000 })
			want := make([][4]int, len(in))
			for b := 0; b < len(in); b += block {
				n, low := 0, 0
				for i, x := range in[b : b+block] {
					want[b+i][0] = n
					n += x & 1
					low += x & 0xffff
				}
				for i := range block {
					want[b+i][1], want[b+i][2], want[b+i][3] = 1<<40+n, 7-3*n, low
				}
			}
			out := alloc[[4]int](t, len(in))
			t.run(k, launch.Linear(len(in), block), upload(t, in), out)
			same(t, download(t, out), want)
		}
	}}
}

func sharedCases() []Case {
	return []Case{
		sumCase[float32]("shared/sum/float32", kernel.New(blockSum[float32])),
		sumCase[int8]("shared/sum/int8", kernel.New(blockSum[int8])),
		sumCase[uint64]("shared/sum/uint64", kernel.New(blockSum[uint64])),
		severalCase(), dynamicCase(), votesCase(), helperCase(), rankCase(),
	}
}
