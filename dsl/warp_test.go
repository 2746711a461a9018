package dsl_test

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/simt"
)

// run runs body as a kernel of one block of n threads.
func run(t *testing.T, warp, n int, body func()) {
	t.Helper()
	if err := simt.Run(line(warp, n), body); err != nil {
		t.Fatal(err)
	}
}

// line is a launch of one block of n threads.
func line(warp, n int) simt.Config {
	return simt.Config{Grid: simt.Dim{X: 1, Y: 1, Z: 1}, Block: simt.Dim{X: n, Y: 1, Z: 1}, WarpSize: warp}
}

// eachShape runs f for both warp sizes with blocks of full and partial warps.
func eachShape(t *testing.T, f func(t *testing.T, warp, n int)) {
	for _, warp := range []int{32, 64} {
		for _, n := range []int{1, 32, 48, 64, 96, 200} {
			t.Run(fmt.Sprintf("warp%d/%d", warp, n), func(t *testing.T) { f(t, warp, n) })
		}
	}
}

// lanesOf returns how many lanes the warp of thread i has.
func lanesOf(i, warp, n int) int { return min(warp, n-i/warp*warp) }

// wantShfl is __shfl and its kin by HIP's reference: the source lane and whether it is the caller itself.
func wantShfl(kind string, lane, arg, width int) int {
	base := lane - lane%width
	switch kind {
	case "idx":
		return base + ((arg%width)+width)%width
	case "up":
		if lane-arg < base {
			return lane
		}
		return lane - arg
	case "down":
		if lane%width+arg >= width {
			return lane
		}
		return lane + arg
	}
	if src := lane ^ arg; src < base+width {
		return src
	}
	return lane
}

func TestShuffles(t *testing.T) {
	type form struct {
		name, kind string
		width      bool
		call       func(v int32, arg, width int) int32
	}
	all := ^uint64(0)
	forms := []form{
		{"Shfl", "idx", false, func(v int32, a, w int) int32 { return dsl.Shfl(v, a) }},
		{"ShflWidth", "idx", true, func(v int32, a, w int) int32 { return dsl.ShflWidth(v, a, w) }},
		{"ShflSync", "idx", false, func(v int32, a, w int) int32 { return dsl.ShflSync(all, v, a) }},
		{"ShflSyncWidth", "idx", true, func(v int32, a, w int) int32 { return dsl.ShflSyncWidth(all, v, a, w) }},
		{"ShflUp", "up", false, func(v int32, a, w int) int32 { return dsl.ShflUp(v, a) }},
		{"ShflUpWidth", "up", true, func(v int32, a, w int) int32 { return dsl.ShflUpWidth(v, a, w) }},
		{"ShflUpSync", "up", false, func(v int32, a, w int) int32 { return dsl.ShflUpSync(all, v, a) }},
		{"ShflUpSyncWidth", "up", true, func(v int32, a, w int) int32 { return dsl.ShflUpSyncWidth(all, v, a, w) }},
		{"ShflDown", "down", false, func(v int32, a, w int) int32 { return dsl.ShflDown(v, a) }},
		{"ShflDownWidth", "down", true, func(v int32, a, w int) int32 { return dsl.ShflDownWidth(v, a, w) }},
		{"ShflDownSync", "down", false, func(v int32, a, w int) int32 { return dsl.ShflDownSync(all, v, a) }},
		{"ShflDownSyncWidth", "down", true, func(v int32, a, w int) int32 { return dsl.ShflDownSyncWidth(all, v, a, w) }},
		{"ShflXor", "xor", false, func(v int32, a, w int) int32 { return dsl.ShflXor(v, a) }},
		{"ShflXorWidth", "xor", true, func(v int32, a, w int) int32 { return dsl.ShflXorWidth(v, a, w) }},
		{"ShflXorSync", "xor", false, func(v int32, a, w int) int32 { return dsl.ShflXorSync(all, v, a) }},
		{"ShflXorSyncWidth", "xor", true, func(v int32, a, w int) int32 { return dsl.ShflXorSyncWidth(all, v, a, w) }},
	}
	eachShape(t, func(t *testing.T, warp, n int) {
		for _, f := range forms {
			for _, width := range []int{1, 8, warp} {
				if !f.width && width != warp {
					continue
				}
				for _, arg := range []int{0, 1, 5, 16, 31, 33} {
					got := make([]int32, n)
					run(t, warp, n, func() {
						i := dsl.ThreadIdx().X
						got[i] = f.call(int32(i+100), arg, width)
					})
					for i, v := range got {
						src := wantShfl(f.kind, i%warp, arg, width)
						want := int32(i - i%warp + src + 100)
						if src >= lanesOf(i, warp, n) {
							want = int32(-23131) // of no lane
						}
						if v != want {
							t.Fatalf("%s arg %d width %d thread %d: %d, want %d", f.name, arg, width, i, v, want)
						}
					}
				}
			}
		}
	})
}

type celsius float32

func TestShuffleTypes(t *testing.T) {
	checkShuffle(t, -1, 2)
	checkShuffle[int32](t, math.MinInt32, 7)
	checkShuffle[int64](t, math.MinInt64, 7)
	checkShuffle[uint](t, math.MaxUint, 7)
	checkShuffle[uint32](t, math.MaxUint32, 7)
	checkShuffle[uint64](t, math.MaxUint64, 7)
	checkShuffle[float32](t, -1.5, 7)
	checkShuffle(t, math.Pi, 7)
	checkShuffle[celsius](t, -273.15, 7)
	checkShuffle[int8](t, math.MinInt8, 7)
	checkShuffle[uint16](t, math.MaxUint16, 7)
	checkShuffle(t, true, false)
	checkShuffle(t, [4]float64{1, 2, 3, 4}, [4]float64{-5, 6, -7, 8})
	checkShuffle(t, sample{-1, 1e300, true, [2]uint16{3, 4}}, sample{2, -1, false, [2]uint16{5, 6}})
	checkShuffle(t, struct{}{}, struct{}{})
}

type sample struct {
	A int8
	B float64
	C bool
	D [2]uint16
}

func TestShuffleOfTooMuch(t *testing.T) {
	refused := func(want string, body func()) {
		t.Helper()
		err := simt.Run(line(32, 32), body)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	refused("has 40 bytes", func() { dsl.Shfl([5]float64{}, 1) })
	refused("holds addresses", func() { dsl.Shfl(new(int), 1) })
	refused("holds addresses", func() { dsl.Shfl("text", 1) })
}

// checkShuffle swaps a and b between neighbouring lanes.
func checkShuffle[T dsl.Shuffleable](t *testing.T, a, b T) {
	t.Helper()
	run(t, 32, 64, func() {
		mine, other := a, b
		if dsl.LaneID()%2 == 1 {
			mine, other = b, a
		}
		if got := dsl.ShflXor(mine, 1); got != other {
			panic(fmt.Sprintf("%T: %v, want %v", a, got, other))
		}
	})
}

func TestShuffleOfInactiveLane(t *testing.T) {
	run(t, 32, 32, func() {
		if dsl.LaneID() >= 16 {
			return
		}
		if v := dsl.ShflDown(float32(1), 16); v == v {
			panic(fmt.Sprint("float32 of a lane that has returned: ", v))
		}
		if v := dsl.ShflDown(1.0, 16); v == v {
			panic(fmt.Sprint("float64 of a lane that has returned: ", v))
		}
		if v := dsl.ShflDown([3]float64{1, 2, 3}, 16); v[0] == v[0] || v[2] == v[2] {
			panic(fmt.Sprint("[3]float64 of a lane that has returned: ", v))
		}
	})
}

func TestVotes(t *testing.T) {
	all := ^uint64(0)
	eachShape(t, func(t *testing.T, warp, n int) {
		run(t, warp, n, func() {
			i, lane := dsl.ThreadIdx().X, dsl.LaneID()
			lanes := lanesOf(i, warp, n)
			full := all >> (64 - lanes)
			threes := uint64(0)
			for l := 0; l < lanes; l += 3 {
				threes |= 1 << l
			}
			p := lane%3 == 0
			check("Ballot", dsl.Ballot(p), threes)
			check("BallotSync", dsl.BallotSync(all, p), threes)
			check("ActiveMask", dsl.ActiveMask(), full)
			check("Any", dsl.Any(lane == 0), true)
			check("Any none", dsl.Any(lane == warp), false)
			check("AnySync", dsl.AnySync(full, lane == lanes-1), true)
			check("AnySync none", dsl.AnySync(full, false), false)
			check("All", dsl.All(lane < warp), true)
			check("All but one", dsl.All(lane != lanes-1), false)
			check("AllSync", dsl.AllSync(full, true), true)
			check("AllSync but one", dsl.AllSync(full, lane != 0), false)
			dsl.SyncWarp()
		})
	})
}

// check panics in the kernel if got is not want.
func check[T comparable](what string, got, want T) {
	if got != want {
		panic(fmt.Sprintf("%s: %v, want %v", what, got, want))
	}
}

// Lanes that have taken different branches meet those of their own branch
// only, and all meet again behind it.
func TestDivergence(t *testing.T) {
	for _, warp := range []int{32, 64} {
		run(t, warp, warp, func() {
			full := ^uint64(0) >> (64 - warp)
			even := uint64(0x5555555555555555) & full
			lane := dsl.LaneID()
			if lane%2 == 0 {
				check("even branch", dsl.Ballot(true), even)
			} else {
				check("odd branch", dsl.Ballot(true), full&^even)
			}
			check("behind the branch", dsl.Ballot(true), full)
			for i := 0; i < lane; i++ { // lane 0 leaves first
				check("in the loop", bits.OnesCount64(dsl.Ballot(true)), warp-1-i)
			}
			check("behind the loop", dsl.Ballot(true), full)
			if lane < 4 {
				helper(uint64(0xf))
			} else {
				helper(full &^ 0xf)
			}
		})
	}
}

//go:noinline
func helper(want uint64) { check("one helper called from two branches", dsl.ActiveMask(), want) }

// A masked call waits for all lanes of the mask, however far ahead others are.
func TestMaskedInLoop(t *testing.T) {
	for _, warp := range []int{32, 64} {
		full := ^uint64(0) >> (64 - warp)
		run(t, warp, warp, func() {
			lane := dsl.LaneID()
			sum := 0
			for range 5 {
				sum += dsl.ShflSync(full, lane, 0)
				if lane%2 == 0 {
					check("even", dsl.BallotSync(full&0x5555555555555555, true), full&0x5555555555555555)
				}
			}
			check("sum", sum, 0)
		})
	}
}

// Two halves of a warp may use different masks at one call.
func TestDisjointMasks(t *testing.T) {
	run(t, 32, 32, func() {
		mask := uint64(0xffff)
		if dsl.LaneID() >= 16 {
			mask <<= 16
		}
		check("half", dsl.BallotSync(mask, true), mask)
	})
}

// The waterfall loop serves each distinct value once.
func TestWaterfall(t *testing.T) {
	run(t, 64, 64, func() {
		mine, rounds := dsl.LaneID()%5, 0
		for {
			rounds++
			active := dsl.ActiveMask()
			if dsl.Shfl(mine, bits.TrailingZeros64(active)) == mine {
				break
			}
		}
		check("rounds", rounds, mine+1)
		check("all back", dsl.Ballot(true), ^uint64(0))
	})
}
