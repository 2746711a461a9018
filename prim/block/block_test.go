package block_test

import (
	"embed"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
	"heddle/prim/block"
	"heddle/prim/warp"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	threads = 128
	items   = 5
	// searches are of how many lengths
	searches = 40
	all      = threads * items
)

// An affine map; composing them depends on the order.
type affine struct{ A, B int32 }

func compose(f, g affine) affine { return affine{f.A * g.A, f.B*g.A + g.B} }

func add(a, b int32) int32 { return a + b }

// A result has what each function makes of the same numbers.
type result struct {
	Sum, First                                   int32
	Inclusive, Exclusive, Back, Scattered, Wide  [all]int32
	Up, Down                                     [threads]int32
	Heads, Tails                                 [all]bool
	Radix, Merge                                 [all]int32
	Counts                                       [10]uint32
	Decoded, Offsets                             [4 * all]int32
	DecodedN                                     int32
	Maps                                         [all]affine
	WarpSum, WarpFirst, WarpHeads                [threads]int32
	WarpInclusive, WarpExclusive, WarpSort       [threads]int32
	WarpBlocked, WarpStriped, WarpRank, WarpSize [all]int32
	WarpSearch                                   [threads]int32
}

// Everything calls all functions of packages block and warp. n is how many of the numbers the sorts sort, and a vector is
// two numbers.
func Everything(in []int32, wide []block.Vec[[2]int32], maps []affine, n int, out *result) {
	tmp := dsl.Shared[[all]int32]()[:]
	tmpMaps := dsl.Shared[[all]affine]()[:]
	counts := dsl.SharedSlice[uint32](block.RadixCounts(threads))
	t := dsl.ThreadIdx().X
	at := func(i int) int32 { return in[i] }
	put := func(to *[all]int32) func(i int, v int32) { return func(i int, v int32) { to[i] = v } }

	var v [items]int32
	block.Load(&v, 0, len(in), at)
	sum := block.ReduceItems(&v, add)
	first := block.ReduceFirst(v[0], 70, add)
	if t == 0 {
		out.Sum, out.First = sum, first
	}
	block.ToBlocked(&v, tmp)
	own := v
	block.InclusiveScan(&v, add)
	block.ToStriped(&v, tmp)
	block.Store(&v, 0, all, put(&out.Inclusive))
	v = own
	block.ExclusiveScan(&v, 100, add)
	block.ToStriped(&v, tmp)
	block.Store(&v, 0, all, put(&out.Exclusive))
	v = own
	block.ToStriped(&v, tmp)
	block.Store(&v, 0, all, put(&out.Back))

	v = own
	var ranks [items]int32
	for i := range items {
		ranks[i] = int32(all - 1 - (t*items + i))
	}
	block.Scatter(&v, &ranks, tmp)
	block.ToStriped(&v, tmp)
	block.Store(&v, 0, all, put(&out.Scattered))
	var pair [4]int32
	block.LoadVec[int32](&pair, wide, 0)
	out.Wide[t] = pair[0] + 2*pair[1] + 3*pair[2] + 4*pair[3]

	out.Up[t] = block.Up(own[0], 3, tmp)
	out.Down[t] = block.Down(own[0], 3, tmp)
	differ := func(a, b int32) bool { return a != b }
	var flags [items]bool
	block.Heads(&flags, &own, 1, true, differ, tmp)
	for i := range items {
		out.Heads[t*items+i] = flags[i]
	}
	block.Tails(&flags, &own, 0, false, differ, tmp)
	for i := range items {
		out.Tails[t*items+i] = flags[i]
	}

	block.LoadOr(&v, 0, len(in), -1, at)
	counted(&v, own, tmp, out)

	var m [items]affine
	for i := range items {
		m[i] = maps[t*items+i]
	}
	block.InclusiveScan(&m, compose)
	for i := range items {
		out.Maps[t*items+i] = m[i]
	}
	block.ToStriped(&m, tmpMaps)

	inWarp := dsl.WarpSize() * items
	base := dsl.WarpID() * inWarp
	warp.Load(&v, base, len(in), at)
	var places [items]uint32
	block.RadixSort(&v, &places, n, 0, 32, func(v int32) uint64 { return uint64(uint32(v) ^ 1<<31) }, tmp, counts)
	warp.Store(&v, base, all, put(&out.Radix))
	v = own
	block.MergeSort(&v, n, func(a, b int32) bool { return a < b }, tmp)
	block.ToStriped(&v, tmp)
	block.Store(&v, 0, all, put(&out.Merge))
	ofWarps(in, tmp, out)
}

// counted makes a histogram of v, and decodes runs of own.
func counted(v *[items]int32, own [items]int32, tmp []int32, out *result) {
	t := dsl.ThreadIdx().X
	bins := dsl.Shared[[10]uint32]()
	if t < len(bins) {
		bins[t] = 0
	}
	dsl.SyncThreads()
	block.Histogram(v, bins[:])
	if t < len(bins) {
		out.Counts[t] = bins[t]
	}
	lengths := own
	for i := range items {
		lengths[i] &= 3
	}
	starts := dsl.Shared[[all]int32]()[:]
	total := block.RunLengthDecode(&own, &lengths, starts, tmp, func(i int, v int32, offset int) {
		out.Decoded[i], out.Offsets[i] = v, int32(offset)
	})
	if t == 0 {
		out.DecodedN = int32(total)
	}
}

// ofWarps calls the functions of package warp.
func ofWarps(in, tmp []int32, out *result) {
	t := dsl.ThreadIdx().X
	x := in[t]
	out.WarpSum[t] = warp.Reduce(x, add)
	out.WarpFirst[t] = warp.ReduceFirst(x, 20, add)
	out.WarpHeads[t] = warp.ReduceHeads(x, t%5 == 0, add)
	out.WarpInclusive[t] = warp.InclusiveScan(x, add)
	out.WarpExclusive[t] = warp.ExclusiveScan(x, 50, add)
	out.WarpSort[t] = warp.Sort(x, func(a, b int32) bool { return a < b })
	out.WarpRank[t] = int32(dsl.Popc(warp.Peers(uint32(x)&3, 2)))
	out.WarpSize[t] = int32(dsl.WarpSize())
	for i := range searches {
		from, to := i*5, i*i*9 // at first none
		k := warp.Search(from, to, func(k int) bool { return k < i*i*8 })
		if out.WarpSearch[t] += int32(k); k < from || k > max(from, to) {
			out.WarpSearch[t] = -1 << 30
		}
	}
	inWarp := dsl.WarpSize() * items
	base := dsl.WarpID() * inWarp
	var v [items]int32
	warp.Load(&v, base, len(in), func(i int) int32 { return in[i] })
	warp.ToBlocked(&v, tmp, base)
	for i := range items {
		out.WarpBlocked[t*items+i] = v[i]
	}
	warp.ToStriped(&v, tmp, base)
	warp.Store(&v, base, all, func(i int, v int32) { out.WarpStriped[i] = v })
}

var everything = kernel.NewWith(Everything, kernel.Options{MaxThreads: threads})

func TestEverything(t *testing.T) {
	for _, d := range launch.Devices() {
		kind, _, _ := strings.Cut(d.Name, ":")
		if kind == "emu" && d.Name != "emu:gfx942" && d.Name != "emu:gfx1100" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			dev, err := launch.Open(d.Name)
			must(t, err)
			defer dev.Close()
			in, maps := make([]int32, all), make([]affine, all)
			for i := range in {
				in[i] = int32(i*7919%37) / 4
				maps[i] = affine{int32(i%5) - 2, in[i]}
			}
			b, err := launch.Upload(dev, in)
			must(t, err)
			wide, err := launch.View[block.Vec[[2]int32]](b)
			must(t, err)
			m, err := launch.Upload(dev, maps)
			must(t, err)
			for _, n := range []int{all, 1, 333} {
				out, err := launch.Alloc[result](dev, 1)
				must(t, err)
				must(t, everything.Launch(dev.Stream(), launch.Linear(threads, threads), b, wide, m, n, out))
				got := make([]result, 1)
				must(t, out.Download(got))
				compare(t, in, maps, n, &got[0])
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// compare works all of it out in plain Go.
func compare(t *testing.T, in []int32, maps []affine, n int, got *result) {
	t.Helper()
	var sum, part int32
	var inclusive, exclusive, reversed, decoded, offsets []int32
	var scanned []affine
	heads, tails := make([]bool, all), make([]bool, all)
	var counts [10]uint32
	for i, v := range in {
		exclusive = append(exclusive, sum+100)
		sum += v
		inclusive, reversed = append(inclusive, sum), append(reversed, in[all-1-i])
		if i < 70 {
			part += v
		}
		heads[i] = i == 0 && v != 1 || i > 0 && v != in[i-1]
		tails[i] = i == all-1 || v != in[i+1]
		counts[v]++
		for k := range v & 3 {
			decoded, offsets = append(decoded, v), append(offsets, k)
		}
		if i == 0 {
			scanned = append(scanned, maps[0])
		} else {
			scanned = append(scanned, compose(scanned[i-1], maps[i]))
		}
	}
	same(t, "sums", []int32{got.Sum, got.First}, []int32{sum, part})
	same(t, "inclusive", got.Inclusive[:], inclusive)
	same(t, "exclusive", got.Exclusive[:], exclusive)
	same(t, "exchanged", got.Back[:], in)
	same(t, "scattered", got.Scattered[:], reversed)
	same(t, "heads", got.Heads[:], heads)
	same(t, "tails", got.Tails[:], tails)
	same(t, "counts", got.Counts[:], counts[:])
	same(t, "decoded", got.Decoded[:got.DecodedN], decoded)
	same(t, "offsets", got.Offsets[:got.DecodedN], offsets)
	same(t, "maps", got.Maps[:], scanned)
	for i := range threads {
		up, down := in[(i+threads-3)%threads*items], in[(i+3)%threads*items]
		if got.Up[i] != up || got.Down[i] != down {
			t.Errorf("thread %d has %d and %d of its neighbours, want %d and %d", i, got.Up[i], got.Down[i], up, down)
		}
		if want := in[4*i] + 2*in[4*i+1] + 3*in[4*i+2] + 4*in[4*i+3]; got.Wide[i] != want {
			t.Errorf("thread %d loads %d, want %d", i, got.Wide[i], want)
		}
	}
	// what is from n on stays there
	sorted := slices.Clone(in)
	slices.Sort(sorted[:n])
	same(t, fmt.Sprint("merge sort of ", n), got.Merge[:], sorted)
	same(t, fmt.Sprint("radix sort of ", n), got.Radix[:], sorted)
	compareWarps(t, in, got)
}

func compareWarps(t *testing.T, in []int32, got *result) {
	t.Helper()
	size := int(got.WarpSize[0])
	for base := 0; base < threads; base += size {
		own := in[base : base+size]
		sorted := slices.Clone(own)
		slices.Sort(sorted)
		same(t, "sorted by a warp", got.WarpSort[base:base+size], sorted)
		var sum, part int32
		for _, v := range own {
			sum += v
		}
		running := int32(0)
		for i, v := range own {
			if i < 20 {
				part += v
			}
			rank := int32(0)
			for _, w := range own {
				if w&3 == v&3 {
					rank++
				}
			}
			l := base + i
			if got.WarpExclusive[l] != running+50 || got.WarpInclusive[l] != running+v || got.WarpSum[l] != sum || got.WarpRank[l] != rank {
				t.Errorf("lane %d of %d has %d, %d, %d and %d", i, size, got.WarpExclusive[l], got.WarpInclusive[l], got.WarpSum[l], got.WarpRank[l])
			}
			running += v
			if i == 0 || l%5 == 0 {
				run := v
				for k := i + 1; k < size && (base+k)%5 != 0; k++ {
					run += own[k]
				}
				if got.WarpHeads[l] != run {
					t.Errorf("the run from lane %d of %d on is %d, want %d", i, size, got.WarpHeads[l], run)
				}
			}
		}
		if got.WarpFirst[base] != part {
			t.Errorf("the first lanes of %d are %d, want %d", size, got.WarpFirst[base], part)
		}
	}
	found := int32(0)
	for i := range searches {
		found += int32(i*5 + sort.Search(max(0, i*i*9-i*5), func(k int) bool { return i*5+k >= i*i*8 }))
	}
	same(t, "found by warps", got.WarpSearch[:], slices.Repeat([]int32{found}, threads))
	same(t, "blocked by warps", got.WarpBlocked[:], in)
	same(t, "striped by warps", got.WarpStriped[:], in)
}
