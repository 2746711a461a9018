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
