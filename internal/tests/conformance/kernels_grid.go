package conformance

import (
	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

// cgGrid has each block hand its numbers to the next, steps times.
func cgGrid(x, y []int32, b []cg.GridBarrier, steps int, ranks []int) {
	g := cg.ThisGrid(&b[0])
	n, t := dsl.BlockDim().X, dsl.ThreadIdx().X
	i := g.BlockRank()*n + t
	from := (g.BlockRank()+1)%g.NumBlocks()*n + t
	for range steps {
		y[i] = x[from] + 1
		g.Sync()
		x[i] = y[i]
		g.Sync()
	}
	if g.IsValid() && g.GroupDim() == dsl.GridDim() {
		ranks[i] = g.ThreadRank()*g.Size() + g.Size()
	}
}

func gridCases() []Case {
	k := kernel.New(cgGrid)
	return []Case{{"cg/grid", "grid_group", []*kernel.Kernel{k}, func(t *T) {
		const threads, steps = 40, 3
		limit, err := k.Resident(t.Dev, launch.Config{Block: launch.Dim3{X: threads}})
		t.must(err)
		y := min(limit/3, 4)
		if y == 0 {
			t.Fatalf("%d blocks are resident", limit)
		}
		n := 3 * y * threads
		in := filled(n, func(i int) int32 { return int32(i * 3) })
		a, b, barrier, ranks := upload(t, in), alloc[int32](t, n), alloc[cg.GridBarrier](t, 1), alloc[int](t, n)
		for range 2 { // the barrier serves one launch after the other
			t.run(k, launch.Config{Grid: launch.Dim3{X: 3, Y: y}, Block: launch.Dim3{X: threads}, Cooperative: true}, a, b, barrier, steps, ranks)
		}
		same(t, download(t, a), filled(n, func(i int) int32 { return in[(i+2*steps*threads)%n] + 2*steps }))
		same(t, download(t, ranks), filled(n, func(i int) int { return i*n + n }))
	}}}
}

// meeting is where the grids of all devices meet, and handed what they hand to each other.
var meeting = dsl.NewManaged([1]cg.GridBarrier{})

var handed = dsl.NewManaged([2 * 64]int32{})

// cgMultiGrid has each grid add to what the other one had before, steps times.
func cgMultiGrid(own []cg.GridBarrier, rank, grids, steps int, ranks []int) {
	g := cg.ThisMultiGrid(&own[0], &meeting.Ptr()[0], rank, grids)
	all, i := handed.Ptr(), g.ThreadRank()
	for range steps {
		v := all[(i+g.Size()/g.NumGrids())%g.Size()] + 1
		g.Sync()
		all[i] = v
		g.Sync()
	}
	if g.IsValid() {
		ranks[i%(g.Size()/g.NumGrids())] = i*g.Size() + g.GridRank()
	}
}

// multiGridCase runs two launches at once where two can: on streams of their own, and where each
// waits for the one before, a group of one.
func multiGridCase() Case {
	k := kernel.New(cgMultiGrid)
	return Case{"cg/multigrid", "multi_grid_group", []*kernel.Kernel{k}, func(t *T) {
		const blocks, threads, steps = 2, 32, 3
		n := blocks * threads
		for grids := 1; grids <= 2; grids++ {
			devs := []*launch.Device{t.Dev, t.Dev}[:grids]
			kind := t.Dev.Info().Name
			if grids == 2 && kind != "cuda:0" && kind != "hip:0" {
				if t.omits() {
					break
				}
				second, err := launch.Open(kind)
				t.must(err)
				defer second.Close()
				devs[1] = second
			}
			all := handed.Ptr()
			for i := range all {
				all[i] = int32(i)
			}
			var streams []*launch.Stream
			var ranks []*launch.Buffer[int]
			for rank, dev := range devs {
				s, err := dev.NewStream()
				t.must(err)
				r, err := launch.Alloc[int](dev, n)
				t.must(err)
				own, err := launch.Alloc[cg.GridBarrier](dev, 1)
				t.must(err)
				cfg := launch.Config{Grid: launch.Dim3{X: blocks}, Block: launch.Dim3{X: threads}, Cooperative: true}
				t.must(k.Launch(s, cfg, own, rank, grids, steps, r))
				streams, ranks = append(streams, s), append(ranks, r)
			}
			for _, s := range streams {
				t.must(s.Sync())
			}
			size := grids * n
			same(t, all[:size], filled(size, func(i int) int32 { return int32((i+steps*n)%size) + steps }))
			for rank, r := range ranks {
				same(t, download(t, r), filled(n, func(i int) int { return (rank*n+i)*size + rank }))
			}
		}
	}}
}
