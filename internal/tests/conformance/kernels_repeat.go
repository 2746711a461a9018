package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

const repeatBlock = 144 // threads; the last warp is not full

// repeat has loops whose threads wait for each other and vote, of which each block makes as many iterations as the launch says, and memory. Every
// seventh thread ends between them.
func repeat(n int, first, last, in []int32, out []uint64) {
	all := dsl.Shared[[repeatBlock]int32]()
	t, b := dsl.ThreadIdx().X, dsl.BlockIdx().X
	x := in[dsl.GlobalIdx().X]
	for k := 0; k < n; k++ {
		all[t] = x
		dsl.SyncThreads()
		x = x*3 + all[(t+1)%repeatBlock] + int32(k)
		dsl.SyncThreads()
	}
	if t%7 == 5 {
		return
	}
	var votes uint64
	for k := int(first[b]); k <= int(last[b]); k += 2 {
		if (x+int32(k))&1 == 0 {
			votes = votes*5 + dsl.Ballot(x&2 != 0)
		} else {
			votes ^= dsl.Ballot(x&4 != 0)
			if x&8 == 0 {
				continue
			}
		}
		x += int32(k)
	}
	for k := range last[b] {
		votes = votes*7 + dsl.Ballot(x&(k|1) != 0)
		x = x*5 + 1
	}
	out[dsl.GlobalIdx().X] = votes + uint64(uint32(x))
}

// A repeating is a thread of repeat.
type repeating struct {
	x     int32
	votes uint64
}

// repeatOf are what a block's threads make of repeat.
func repeatOf(n int, first, last int32, in []int32, warp int) []repeating {
	all := make([]repeating, repeatBlock)
	for i := range all {
		all[i].x = in[i]
	}
	step := func(f func(i int, was []repeating) repeating) {
		was := append([]repeating(nil), all...)
		for i := range all {
			all[i] = f(i, was)
		}
	}
	for k := range n {
		step(func(i int, was []repeating) repeating {
			return repeating{x: was[i].x*3 + was[(i+1)%repeatBlock].x + int32(k)}
		})
	}
	ballot := func(i int, p func(j int) bool) uint64 {
		return mask(i, repeatBlock, warp, func(j int) bool { return j%7 != 5 && p(j) })
	}
	for k := first; k <= last; k += 2 {
		step(func(i int, was []repeating) repeating {
			r := was[i]
			way := func(j int) bool { return (was[j].x+k)&1 == 0 }
			if way(i) {
				r.votes = r.votes*5 + ballot(i, func(j int) bool { return way(j) && was[j].x&2 != 0 })
			} else {
				r.votes ^= ballot(i, func(j int) bool { return !way(j) && was[j].x&4 != 0 })
				if r.x&8 == 0 {
					return r
				}
			}
			r.x += k
			return r
		})
	}
	for k := range last {
		step(func(i int, was []repeating) repeating {
			return repeating{was[i].x*5 + 1, was[i].votes*7 + ballot(i, func(j int) bool { return was[j].x&(k|1) != 0 })}
		})
	}
	return all
}

func repeatCase() Case {
	k := kernel.New(repeat)
	return Case{"loop/together", "loops", []*kernel.Kernel{k}, func(t *T) {
		const blocks = 12
		in := filled(blocks*repeatBlock, func(i int) int32 { return int32(uint32(i) * 2654435761) })
		first := filled(blocks, func(i int) int32 { return int32(i%4 - 2) })
		last := filled(blocks, func(i int) int32 { return int32(i - 1) })
		if t.omits() { // the loops in which they vote
			first, last = filled(blocks, func(int) int32 { return 0 }), filled(blocks, func(int) int32 { return -1 })
		}
		for n := range 10 {
			out := alloc[uint64](t, len(in))
			t.run(k, launch.Linear(len(in), repeatBlock), n, upload(t, first), upload(t, last), upload(t, in), out)
			var want []uint64
			for b := range blocks {
				for i, r := range repeatOf(n, first[b], last[b], in[b*repeatBlock:][:repeatBlock], t.warp()) {
					if want = append(want, r.votes+uint64(uint32(r.x))); i%7 == 5 {
						want[len(want)-1] = 0
					}
				}
			}
			same(t, download(t, out), want)
		}
	}}
}
