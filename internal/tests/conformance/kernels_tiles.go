package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// tileLoops gathers from from[i] to to[i], by tiles.
func tileLoops(from, to, table, more, out []int32) {
	i := dsl.GlobalIdx().X
	out[i] = tilesOf(int(from[i]), int(to[i]), table, more)
}

// tilesOf has loops with two tests, one of which is of how long a tile is.
func tilesOf(a, b int, table, more []int32) (x int32) {
	for j := a; j < b; j += 32 {
		for k := 0; k < 32 && j+k < b; k++ {
			x = x*3 + more[table[j+k]]
		}
	}
	for j := a; j < b; j += 9 {
		for k := 0; k < 9 && j+k < b; k++ {
			at := int(table[j+k]) - 1
			x ^= more[at+1] + more[at-int(table[a])+1]
		}
	}
	for k := 0; k <= 40 && a+2*k <= b-1; k++ {
		if i := table[a+2*k]; i > 3 {
			x += more[i]
		}
	}
	return x
}

// tilesCase has the lanes of a warp run such loops differently. What is behind their ends is no index.
func tilesCase() Case {
	k := kernel.New(tileLoops)
	return Case{"loop/tiles", "loops", []*kernel.Kernel{k}, func(t *T) {
		const n, size = 192, 96
		from, to, want := make([]int32, n), make([]int32, n), make([]int32, n)
		table, more := make([]int32, size), make([]int32, size+1)
		for i := range more {
			more[i] = int32(i*i) % 53
		}
		for i := range table {
			table[i] = int32(i*37)%(size-1) + 1
		}
		table[size-1] = 1000
		table[20] = 1
		for i := range from {
			from[i] = 20
			to[i] = 20 + int32(i*7)%(size-20)
			want[i] = tilesOf(int(from[i]), int(to[i]), table, more)
		}
		cfg := launch.Linear(n, 64)
		s, m, out := upload(t, table), upload(t, more), alloc[int32](t, n)
		t.run(k, cfg, upload(t, from), upload(t, to), s, m, out)
		same(t, download(t, out), want)
		to[77] = size
		p := t.fails(k, cfg, upload(t, from), upload(t, to), s, m, out)
		if p.Value != "index out of range [1000] with length 97" || p.Block.X != 1 || p.Thread.X != 13 {
			t.Errorf("panic %q of block %v, thread %v", p.Value, p.Block, p.Thread)
		}
	}}
}
