package conformance

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Warp operations of which arguments are constant or the same in all lanes.

// fixedOut has the four shuffles by constant and uniform lanes and widths, of values that differ
// between lanes, that do not, and of the lane itself.
type fixedOut[T dsl.Number] struct {
	Zero, Three, ThreeOf8, ThreeOf, NOf8, OneOf1 [4]T
	Same, SameByLane, Const                      [4]T
	Lane, LaneOf8                                [4]int
	Branch                                       [2]T
}

func shflFixed[T dsl.Number](in []T, u T, n, w int, out []fixedOut[T]) {
	i, l := dsl.GlobalIdx().X, dsl.LaneID()
	v, c := in[i], T(7)
	o := fixedOut[T]{
		Zero:       [4]T{dsl.Shfl(v, 0), dsl.ShflUp(v, 0), dsl.ShflDown(v, 0), dsl.ShflXor(v, 0)},
		Three:      [4]T{dsl.Shfl(v, 3), dsl.ShflUp(v, 3), dsl.ShflDown(v, 3), dsl.ShflXor(v, 3)},
		ThreeOf8:   [4]T{dsl.ShflWidth(v, 3, 8), dsl.ShflUpWidth(v, 3, 8), dsl.ShflDownWidth(v, 3, 8), dsl.ShflXorWidth(v, 3, 8)},
		ThreeOf:    [4]T{dsl.ShflWidth(v, 3, w), dsl.ShflUpWidth(v, 3, w), dsl.ShflDownWidth(v, 3, w), dsl.ShflXorWidth(v, 3, w)},
		NOf8:       [4]T{dsl.ShflWidth(v, n, 8), dsl.ShflUpWidth(v, n, 8), dsl.ShflDownWidth(v, n, 8), dsl.ShflXorWidth(v, n, 8)},
		OneOf1:     [4]T{dsl.ShflWidth(v, 1, 1), dsl.ShflUpWidth(v, 1, 1), dsl.ShflDownWidth(v, 1, 1), dsl.ShflXorWidth(v, 1, 1)},
		Same:       [4]T{dsl.Shfl(u, 3), dsl.ShflUp(u, n), dsl.ShflDownWidth(u, 3, 8), dsl.ShflXorWidth(u, n, w)},
		SameByLane: [4]T{dsl.Shfl(u, l+1), dsl.ShflUp(u, l), dsl.ShflDownWidth(u, l, 8), dsl.ShflXorWidth(u, l&1, w)},
		Const:      [4]T{dsl.Shfl(c, 3), dsl.ShflUp(c, n), dsl.ShflDown(c, l), dsl.ShflXorWidth(c, 1, w)},
		Lane:       [4]int{dsl.Shfl(l, 3), dsl.ShflUp(l, 3), dsl.ShflDown(l, n), dsl.ShflXor(l, 3)},
		LaneOf8:    [4]int{dsl.ShflWidth(l, 3, 8), dsl.ShflUpWidth(l, 3, 8), dsl.ShflDownWidth(l, n, 8), dsl.ShflXorWidth(l, 3, 8)},
	}
	if l%2 == 0 {
		o.Branch = [2]T{dsl.ShflSync(evenLanes, v, 4), dsl.ShflXorSync(evenLanes, v, 2)}
	}
	out[i] = o
}

func fixedCase[E dsl.Number](name string, k *kernel.Kernel, value func(i int) E) Case {
	return Case{name, "Shfl ShflUp ShflDown ShflXor with Width, Sync, SyncWidth", []*kernel.Kernel{k}, func(t *T) {
		const n, by, width = 128, 5, 16
		in := filled(n, value)
		out := alloc[fixedOut[E]](t, n)
		t.run(k, launch.Linear(n, n), upload(t, in), in[9], by, width, out)
		want := filled(n, func(i int) fixedOut[E] {
			warp := t.warp()
			lane := i % warp
			v := in[i-lane:]
			lanes := func(arg, width int) [4]int {
				a, u, d, x := lanesRead(lane, arg, width, warp)
				return [4]int{a, u, d, x}
			}
			of := func(l [4]int) [4]E { return [4]E{v[l[0]], v[l[1]], v[l[2]], v[l[3]]} }
			same := [4]E{in[9], in[9], in[9], in[9]}
			byThree, byN, threeOf8, nOf8 := lanes(3, warp), lanes(by, warp), lanes(3, 8), lanes(by, 8)
			o := fixedOut[E]{
				Zero: of(lanes(0, warp)), Three: of(byThree), ThreeOf8: of(threeOf8), ThreeOf: of(lanes(3, width)),
				NOf8: of(nOf8), OneOf1: of(lanes(1, 1)), Same: same, SameByLane: same, Const: [4]E{7, 7, 7, 7},
				Lane:    [4]int{byThree[0], byThree[1], byN[2], byThree[3]},
				LaneOf8: [4]int{threeOf8[0], threeOf8[1], nOf8[2], threeOf8[3]},
			}
			if lane%2 == 0 {
				o.Branch = [2]E{v[4], v[lane^2]}
			}
			return o
		})
		compare(t, download(t, out), want, nil, exact, func(i int) string { return fmt.Sprintf("thread %d", i) })
	}}
}

// fixedVotes are the votes on constants, on what is the same in all lanes, and on the lane.
type fixedVotes struct {
	True, False, Uniform, Lane, Sync uint64
	Third                            [2]uint64
	Any, All                         [4]bool
	Count                            [4]int
}

func voteFixed(n int, out []fixedVotes) {
	i, l := dsl.GlobalIdx().X, dsl.LaneID()
	var o fixedVotes
	o.True, o.False, o.Uniform, o.Lane = dsl.Ballot(true), dsl.Ballot(false), dsl.Ballot(n > 3), dsl.Ballot(l&1 == 1)
	o.Sync = dsl.BallotSync(^uint64(0), true)
	o.Any = [4]bool{dsl.Any(true), dsl.Any(false), dsl.Any(n > 3), dsl.AnySync(^uint64(0), n < 3)}
	o.All = [4]bool{dsl.All(true), dsl.All(false), dsl.All(n > 3), dsl.AllSync(^uint64(0), l < 64)}
	if l%3 == 0 {
		o.Third = [2]uint64{dsl.Ballot(true), dsl.ActiveMask()}
	}
	o.Count = [4]int{dsl.SyncThreadsCount(true), dsl.SyncThreadsCount(false), dsl.SyncThreadsCount(n > 3), dsl.SyncThreadsCount(l&1 == 1)}
	out[i] = o
}

func voteFixedCase() Case {
	k := kernel.New(voteFixed)
	return Case{"warp/fixed", "All Any Ballot ActiveMask and Sync", []*kernel.Kernel{k}, func(t *T) {
		const n = 144 // the last warp of a block is not full
		out := alloc[fixedVotes](t, 2*n)
		t.run(k, launch.Linear(2*n, n), 5, out)
		same(t, download(t, out), filled(2*n, func(i int) fixedVotes {
			warp := t.warp()
			lanes := func(p func(l int) bool) uint64 { return mask(i, n, warp, func(j int) bool { return p(j % n % warp) }) }
			full := lanes(func(int) bool { return true })
			o := fixedVotes{
				True: full, Uniform: full, Sync: full, Lane: lanes(func(l int) bool { return l&1 == 1 }),
				Any: [4]bool{true, false, true, false}, All: [4]bool{true, false, true, true}, Count: [4]int{n, 0, n, n / 2},
			}
			if i%n%warp%3 == 0 {
				third := lanes(func(l int) bool { return l%3 == 0 })
				o.Third = [2]uint64{third, third}
			}
			return o
		}))
	}}
}

func fixedCases() []Case {
	return []Case{
		voteFixedCase(),
		fixedCase("shuffle/fixed/int32", kernel.New(shflFixed[int32]), func(i int) int32 { return int32(i-64) * 0x01010101 }),
		fixedCase("shuffle/fixed/uint64", kernel.New(shflFixed[uint64]), func(i int) uint64 { return uint64(i) * 0x8765432112345678 }),
		fixedCase("shuffle/fixed/float32", kernel.New(shflFixed[float32]), func(i int) float32 { return float32(i) / 3 }),
		fixedCase("shuffle/fixed/float64", kernel.New(shflFixed[float64]), func(i int) float64 { return -float64(i) / 3 }),
	}
}
