package conformance

import (
	"fmt"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

// Cooperative groups: lanes of a warp that are parted in several ways.

type cgOut struct {
	Size, Rank, MetaRank, MetaSize int
	Valid, Any, All, Same          bool
	Shfl, Up, Down, Xor            [2]int32
	Ballot, MatchAny, MatchAll     uint64
	Sum                            int32
	Inclusive, Exclusive           affine
}

type cgGroup interface {
	cg.Warp
	MetaGroupRank() int
	MetaGroupSize() int
}

const cgArg = 5

func useGroup[G cgGroup](g G, v int32) (o cgOut) {
	o.Size, o.Rank, o.MetaRank, o.MetaSize = g.Size(), g.ThreadRank(), g.MetaGroupRank(), g.MetaGroupSize()
	o.Valid = g.IsValid()
	o.Shfl = [2]int32{cg.Shfl(g, v, cgArg), cg.Shfl(g, v, int(v)&63)}
	o.Up = [2]int32{cg.ShflUp(g, v, 1), cg.ShflUp(g, v, cgArg)}
	o.Down = [2]int32{cg.ShflDown(g, v, 2), cg.ShflDown(g, v, cgArg)}
	o.Xor = [2]int32{cg.ShflXor(g, v, 1), cg.ShflXor(g, v, cgArg)}
	g.Sync()
	reduceGroup(g, v, &o)
	o.MatchAny = cg.MatchAny(g, v&3)
	o.MatchAll, o.Same = cg.MatchAll(g, v>>20)
	return o
}

// reduceGroup has what is defined where a tile lacks threads, too.
func reduceGroup[G cgGroup](g G, v int32, o *cgOut) {
	o.Any, o.All, o.Ballot = cg.Any(g, v&7 == 3), cg.All(g, v&7 != 3), cg.Ballot(g, v&4 == 0)
	o.Sum = cg.Reduce(g, v, func(x, y int32) int32 { return x + y })
	f := affine{uint32(v)<<1 | 1, uint32(v)}
	o.Inclusive = cg.InclusiveScan(g, f, affine.then)
	o.Exclusive = cg.ExclusiveScan(g, f, affine{1, 0}, affine.then)
}

// wantGroup is cgOut of a member, by its number among them; meta is that of the group, and
// how many there are.
func wantGroup(members []int32, rank int, meta [2]int, short bool) (o cgOut) {
	n, v := len(members), members[rank]
	at := func(i int) int32 {
		if i < 0 || i >= n {
			return v
		}
		return members[i]
	}
	o.All, o.Same, o.Exclusive = true, true, affine{1, 0}
	for i, w := range members {
		o.Any = o.Any || w&7 == 3
		o.All = o.All && w&7 != 3
		o.Same = o.Same && w>>20 == members[0]>>20
		o.Sum += w
		if w&4 == 0 {
			o.Ballot |= 1 << i
		}
		if w&3 == v&3 {
			o.MatchAny |= 1 << i
		}
		if i < rank {
			o.Exclusive = o.Exclusive.then(affine{uint32(w)<<1 | 1, uint32(w)})
		}
	}
	o.Inclusive = o.Exclusive.then(affine{uint32(v)<<1 | 1, uint32(v)})
	if short {
		o.MatchAny, o.Same = 0, false
		return o
	}
	if o.Same {
		o.MatchAll = 1<<(n-1)<<1 - 1
	}
	o.Size, o.Rank, o.MetaRank, o.MetaSize, o.Valid = n, rank, meta[0], meta[1], true
	o.Shfl = [2]int32{members[cgArg%n], members[int(v)&63%n]}
	o.Up = [2]int32{at(rank - 1), at(rank - cgArg)}
	o.Down = [2]int32{at(rank + 2), at(rank + cgArg)}
	o.Xor = [2]int32{at(rank ^ 1), at(rank ^ cgArg)}
	return o
}

func cgTile[S cg.Size](in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	out[i] = useGroup(cg.TiledPartition[S](cg.ThisThreadBlock()), in[i])
}

func cgShortTile[S cg.Size](in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	reduceGroup(cg.TiledPartition[S](cg.ThisThreadBlock()), in[i], &out[i])
}

func cgDynamic(in []int32, size int, out []cgOut) {
	i := dsl.GlobalIdx().X
	out[i] = useGroup(cg.TiledPartitionOf(cg.ThisThreadBlock(), size), in[i])
}

// cgNested parts tiles of 16 in tiles of 4.
func cgNested(in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	out[i] = useGroup(cg.TiledPartition[cg.Size4](cg.TiledPartition[cg.Size16](cg.ThisThreadBlock())), in[i])
}

func cgCoalesced(in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	if dsl.LaneID()%3 != 0 {
		out[i] = useGroup(cg.CoalescedThreads(), in[i])
	}
}

func cgLabeled(in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	tile := cg.TiledPartition[cg.Size16](cg.ThisThreadBlock())
	out[i] = useGroup(cg.LabeledPartition(tile, uint8(in[i]%3)), in[i])
}

func cgBinary(in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	if dsl.LaneID()%3 != 0 {
		out[i] = useGroup(cg.BinaryPartition(cg.CoalescedThreads(), in[i]&16 != 0), in[i])
	}
}

func cgParted(in []int32, out []cgOut) {
	i := dsl.GlobalIdx().X
	if dsl.LaneID()%3 != 0 {
		out[i] = useGroup(cg.TileCoalesced(cg.CoalescedThreads(), 5), in[i])
	}
}

// cgRun compares with what place says of thread i: its members by their threads, which is i's
// own number among them, and the group's; nil for a thread in no group.
func cgRun(t *T, k *kernel.Kernel, block int, short bool, what string, place func(i int, in []int32) (members []int, rank int, meta [2]int), args ...any) {
	n := block * 2
	in := filled(n, func(i int) int32 { return int32(i*i*7+i*3) % 97 })
	out := alloc[cgOut](t, n)
	t.run(k, launch.Linear(n, block), append(append([]any{upload(t, in)}, args...), out)...)
	want := filled(n, func(i int) cgOut {
		at, rank, meta := place(i, in)
		if at == nil {
			return cgOut{}
		}
		members := make([]int32, len(at))
		for j, m := range at {
			members[j] = in[m]
		}
		return wantGroup(members, rank, meta, short)
	})
	compare(t, download(t, out), want, nil, exact, func(i int) string { return fmt.Sprintf("%s, thread %d", what, i) })
}

// tilePlace is of tiles of a size in parents of a size, or in blocks of as many threads.
func tilePlace(size, parent, block int) func(int, []int32) ([]int, int, [2]int) {
	return func(i int, _ []int32) (members []int, rank int, meta [2]int) {
		first := i - i%block%size
		for j := first; j < min(first+size, i/block*block+block); j++ {
			members = append(members, j)
		}
		return members, i - first, [2]int{i % block % parent / size, (parent + size - 1) / size}
	}
}

// threadsOf are the threads among the lanes of i's warp, or run of lanes of a size, for which
// p holds.
func threadsOf(i, size int, p func(j int) bool) (all []int) {
	for j := i / size * size; j < i/size*size+size; j++ {
		if p(j) {
			all = append(all, j)
		}
	}
	return all
}

func rankIn(all []int, i int) int {
	for rank, j := range all {
		if j == i {
			return rank
		}
	}
	return -1
}

const cgBlock = 128

func cgTileCase[S cg.Size](k, short *kernel.Kernel) Case {
	var s S
	name := fmt.Sprintf("cg/tile%d", s.Threads())
	return Case{name, "thread_block_tile", []*kernel.Kernel{k, short}, func(t *T) {
		n := s.Threads()
		cgRun(t, k, cgBlock, false, name, tilePlace(n, cgBlock, cgBlock))
		cgRun(t, short, 107, true, name+" that lacks threads", tilePlace(n, 107, 107))
	}}
}

func cgCases() []Case {
	dynamic, nested, coalesced := kernel.New(cgDynamic), kernel.New(cgNested), kernel.New(cgCoalesced)
	labeled, binary, parted := kernel.New(cgLabeled), kernel.New(cgBinary), kernel.New(cgParted)
	some := func(t *T) func(j int) bool { return func(j int) bool { return j%t.warp()%3 != 0 } }
	return []Case{
		cgTileCase[cg.Size1](kernel.New(cgTile[cg.Size1]), kernel.New(cgShortTile[cg.Size1])),
		cgTileCase[cg.Size4](kernel.New(cgTile[cg.Size4]), kernel.New(cgShortTile[cg.Size4])),
		cgTileCase[cg.Size16](kernel.New(cgTile[cg.Size16]), kernel.New(cgShortTile[cg.Size16])),
		cgTileCase[cg.Size32](kernel.New(cgTile[cg.Size32]), kernel.New(cgShortTile[cg.Size32])),
		{"cg/dynamic", "tiled_partition of a size known at run time", []*kernel.Kernel{dynamic}, func(t *T) {
			for _, n := range []int{2, 8, t.warp()} {
				cgRun(t, dynamic, cgBlock, false, fmt.Sprint("tiles of ", n), tilePlace(n, cgBlock, cgBlock), n)
			}
			p := t.fails(dynamic, launch.Linear(32, 32), alloc[int32](t, 32), 3, alloc[cgOut](t, 32))
			if p.Value != "cg: the size of a tile is not a power of two up to the warp size" {
				t.Errorf("panic %q", p.Value)
			}
		}},
		{"cg/nested", "tiled_partition of a tile", []*kernel.Kernel{nested}, func(t *T) {
			cgRun(t, nested, cgBlock, false, "tiles of 4 in tiles of 16", tilePlace(4, 16, cgBlock))
		}},
		{"cg/coalesced", "coalesced_threads", []*kernel.Kernel{coalesced}, func(t *T) {
			cgRun(t, coalesced, cgBlock, false, "coalesced", func(i int, _ []int32) ([]int, int, [2]int) {
				all := threadsOf(i, t.warp(), some(t))
				if rankIn(all, i) < 0 {
					return nil, 0, [2]int{}
				}
				return all, rankIn(all, i), [2]int{0, 1}
			})
		}},
		{"cg/labeled", "labeled_partition", []*kernel.Kernel{labeled}, func(t *T) {
			cgRun(t, labeled, cgBlock, false, "labeled", func(i int, in []int32) ([]int, int, [2]int) {
				all := threadsOf(i, 16, func(j int) bool { return in[j]%3 == in[i]%3 })
				var labels []int32 // in the order of their first threads
				mine := 0
				for _, j := range threadsOf(i, 16, func(int) bool { return true }) {
					if first := threadsOf(j, 16, func(k int) bool { return in[k]%3 == in[j]%3 })[0]; first == j {
						if in[j]%3 == in[i]%3 {
							mine = len(labels)
						}
						labels = append(labels, in[j]%3)
					}
				}
				return all, rankIn(all, i), [2]int{mine, len(labels)}
			})
		}},
		{"cg/binary", "binary_partition", []*kernel.Kernel{binary}, func(t *T) {
			cgRun(t, binary, cgBlock, false, "binary", func(i int, in []int32) ([]int, int, [2]int) {
				all := threadsOf(i, t.warp(), func(j int) bool { return some(t)(j) && in[j]&16 == in[i]&16 })
				if rankIn(all, i) < 0 {
					return nil, 0, [2]int{}
				}
				return all, rankIn(all, i), [2]int{int(in[i] & 16 / 16), 2}
			})
		}},
		{"cg/parted", "tiled_partition of coalesced threads", []*kernel.Kernel{parted}, func(t *T) {
			cgRun(t, parted, cgBlock, false, "coalesced threads by fives", func(i int, in []int32) ([]int, int, [2]int) {
				all := threadsOf(i, t.warp(), some(t))
				rank := rankIn(all, i)
				if rank < 0 {
					return nil, 0, [2]int{}
				}
				first := rank / 5 * 5
				return all[first:min(first+5, len(all))], rank % 5, [2]int{rank / 5, (len(all) + 4) / 5}
			})
		}},
		cgBlockCase(),
	}
}

type cgBlockOut struct {
	Size, Rank         int
	Index, Thread, Dim dsl.Dim3
	Valid              bool
	Neighbour          int
}

func cgWhole(out []cgBlockOut) {
	b := cg.ThisThreadBlock()
	s := dsl.Shared[[64]int]()
	s[b.ThreadRank()] = b.ThreadRank() * 3
	b.Sync()
	g := b.GroupIndex()
	out[(g.Y*dsl.GridDim().X+g.X)*b.Size()+b.ThreadRank()] = cgBlockOut{
		b.Size(), b.ThreadRank(), g, b.ThreadIndex(), b.GroupDim(), b.IsValid(), s[(b.ThreadRank()+1)%b.Size()],
	}
}

func cgBlockCase() Case {
	k := kernel.New(cgWhole)
	return Case{"cg/block", "thread_block", []*kernel.Kernel{k}, func(t *T) {
		grid, block := launch.Dim3{X: 3, Y: 2, Z: 1}, launch.Dim3{X: 5, Y: 3, Z: 4}
		out := alloc[cgBlockOut](t, 6*60)
		t.run(k, launch.Config{Grid: grid, Block: block}, out)
		same(t, download(t, out), filled(6*60, func(i int) cgBlockOut {
			r, b := i%60, i/60
			return cgBlockOut{60, r, dsl.Dim3{X: b % 3, Y: b / 3}, dsl.Dim3{X: r % 5, Y: r / 5 % 3, Z: r / 15}, block, true, (r + 1) % 60 * 3}
		}))
	}}
}
