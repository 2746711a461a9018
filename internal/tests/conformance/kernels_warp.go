package conformance

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Votes and shuffles, at the device's warp size.

type voteOut struct {
	Ballot, Active, Branch, Sync     uint64
	Any, Any7, All, AllPositive      bool
	BranchAny, BranchAll, WarpSynced bool
}

const evenLanes = 0x5555555555555555

func vote(in []int, out []voteOut) {
	i := dsl.GlobalIdx().X
	v := in[i]
	var o voteOut
	o.Ballot, o.Active = dsl.Ballot(v&1 == 1), dsl.ActiveMask()
	o.Any, o.Any7 = dsl.Any(v&1 == 1), dsl.Any(v == 7)
	o.All, o.AllPositive = dsl.All(v&1 == 1), dsl.All(v >= 0)
	if dsl.LaneID()%2 == 0 {
		o.Branch = dsl.BallotSync(evenLanes, v&2 != 0)
		o.BranchAny = dsl.AnySync(evenLanes, v == 7)
		o.BranchAll = dsl.AllSync(evenLanes, v >= 0)
	} else {
		o.Branch = dsl.BallotSync(evenLanes<<1, v&4 != 0)
		o.BranchAny = dsl.AnySync(evenLanes<<1, v == 8)
		o.BranchAll = dsl.AllSync(evenLanes<<1, v < 100)
	}
	dsl.SyncWarp()
	o.Sync = dsl.BallotSync(^uint64(0), v > 50)
	o.WarpSynced = dsl.AllSync(^uint64(0), o.Sync != 0)
	out[i] = o
}

// mask is the lanes of i's warp, among n threads a block, for which p holds.
func mask(i, n, warp int, p func(j int) bool) (m uint64) {
	first := i / n * n
	start := first + (i-first)/warp*warp
	for j := start; j < min(start+warp, first+n); j++ {
		if p(j) {
			m |= 1 << (j - start)
		}
	}
	return m
}

func voteCase() Case {
	k := kernel.New(vote)
	return Case{"warp/vote", "All Any Ballot ActiveMask and Sync", []*kernel.Kernel{k}, func(t *T) {
		const n = 144 // the last warp of a block is not full
		in := filled(n*3, func(i int) int { return (i*37 + i/32*11) % 101 })
		for i := range 32 {
			in[i] = 7 // a warp that agrees
		}
		out := alloc[voteOut](t, len(in))
		t.run(k, launch.Linear(len(in), n), upload(t, in), out)
		want := filled(len(in), func(i int) voteOut {
			warp := t.warp()
			lanes := func(p func(j int) bool) uint64 { return mask(i, n, warp, p) }
			full := lanes(func(int) bool { return true })
			lane := func(j int) int { return j % n % warp }
			o := voteOut{Ballot: lanes(func(j int) bool { return in[j]&1 == 1 }), Active: full}
			o.Any, o.All = o.Ballot != 0, o.Ballot == full
			o.Any7, o.AllPositive = lanes(func(j int) bool { return in[j] == 7 }) != 0, true
			if lane(i)%2 == 0 {
				o.Branch = lanes(func(j int) bool { return in[j]&2 != 0 && lane(j)%2 == 0 })
				o.BranchAny = lanes(func(j int) bool { return in[j] == 7 && lane(j)%2 == 0 }) != 0
				o.BranchAll = true
			} else {
				o.Branch = lanes(func(j int) bool { return in[j]&4 != 0 && lane(j)%2 == 1 })
				o.BranchAny = lanes(func(j int) bool { return in[j] == 8 && lane(j)%2 == 1 }) != 0
				o.BranchAll = lanes(func(j int) bool { return in[j] >= 100 && lane(j)%2 == 1 }) == 0
			}
			o.Sync = lanes(func(j int) bool { return in[j] > 50 })
			o.WarpSynced = o.Sync != 0
			return o
		})
		same(t, download(t, out), want)
	}}
}

// active looks at the mask of active lanes in branches.
func active(out []uint64) {
	i := dsl.GlobalIdx().X
	switch dsl.LaneID() % 3 {
	case 0:
		out[i] = dsl.ActiveMask()
	case 1:
		for range dsl.LaneID() {
			out[i] = dsl.ActiveMask()
		}
	}
}

// activeCase asks only what holds on every GPU: that the calling lane is
// active and those of the other branch are not.
func activeCase() Case {
	k := kernel.New(active)
	return Case{"warp/active", "ActiveMask", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[uint64](t, 128)
		t.run(k, launch.Linear(128, 128), out)
		for i, got := range download(t, out) {
			lane := i % t.warp()
			if lane%3 == 2 {
				if got != 0 {
					t.Errorf("lane %d wrote %#x", lane, got)
				}
				continue
			}
			allowed := mask(i, 128, t.warp(), func(j int) bool { return j%t.warp()%3 == lane%3 })
			if got>>lane&1 != 1 || got&^allowed != 0 {
				t.Errorf("lane %d: active mask %#x, want itself and at most %#x", lane, got, allowed)
			}
		}
	}}
}

// warpSum sums each warp with shuffles, whatever its size.
func warpSum(in, out []int32) {
	v := in[dsl.GlobalIdx().X]
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflDown(v, d)
	}
	if dsl.LaneID() == 0 {
		out[dsl.GlobalIdx().X/dsl.WarpSize()] = v
	}
}

func warpSumCase() Case {
	k := kernel.New(warpSum)
	return Case{"warp/sum", "warpSize", []*kernel.Kernel{k}, func(t *T) {
		in := filled(512, func(i int) int32 { return int32(i * i) })
		want := make([]int32, 512/t.warp())
		for i, v := range in {
			want[i/t.warp()] += v
		}
		out := alloc[int32](t, len(want))
		t.run(k, launch.Linear(512, 128), upload(t, in), out)
		same(t, download(t, out), want)
	}}
}

func warpCases() []Case { return []Case{voteCase(), activeCase(), partedCase(), warpSumCase()} }

// shflOut has every shuffle.
type shflOut[T dsl.Shuffleable] struct {
	Lane, Up, Down, Xor                                     T
	LaneSync, UpSync, DownSync, XorSync                     T
	LaneWidth, UpWidth, DownWidth, XorWidth                 T
	LaneSyncWidth, UpSyncWidth, DownSyncWidth, XorSyncWidth T
}

func shfl[T dsl.Shuffleable](in []T, arg, width int, out []shflOut[T]) {
	i := dsl.GlobalIdx().X
	v, all := in[i], ^uint64(0)
	out[i] = shflOut[T]{
		dsl.Shfl(v, arg), dsl.ShflUp(v, arg), dsl.ShflDown(v, arg), dsl.ShflXor(v, arg),
		dsl.ShflSync(all, v, arg), dsl.ShflUpSync(all, v, arg), dsl.ShflDownSync(all, v, arg), dsl.ShflXorSync(all, v, arg),
		dsl.ShflWidth(v, arg, width), dsl.ShflUpWidth(v, arg, width), dsl.ShflDownWidth(v, arg, width), dsl.ShflXorWidth(v, arg, width),
		dsl.ShflSyncWidth(all, v, arg, width), dsl.ShflUpSyncWidth(all, v, arg, width),
		dsl.ShflDownSyncWidth(all, v, arg, width), dsl.ShflXorSyncWidth(all, v, arg, width),
	}
}

// lanesRead are the lanes that each kind reads from, by HIP's rules.
func lanesRead(lane, arg, width, warp int) (at, up, down, xor int) {
	start := lane &^ (width - 1)
	at, up, down, xor = start+arg&(width-1), lane, lane, lane
	if arg < 0 {
		return
	}
	if lane-arg >= start {
		up = lane - arg
	}
	if lane+arg < start+width {
		down = lane + arg
	}
	if lane^arg < start+width && lane^arg < warp {
		xor = lane ^ arg
	}
	return
}

func shflCase[E dsl.Shuffleable](name string, k *kernel.Kernel, value func(i int) E) Case {
	return Case{name, "Shfl ShflUp ShflDown ShflXor with Width, Sync, SyncWidth", []*kernel.Kernel{k}, func(t *T) {
		const n = 128
		in := filled(n, value)
		x, out := upload(t, in), alloc[shflOut[E]](t, n)
		for _, arg := range []int{0, 1, 2, 3, 7, 16, 31, 32, 33, 63, 64, 100, -1} {
			for width := 1; width <= t.warp(); width *= 2 {
				t.run(k, launch.Linear(n, n), x, arg, width, out)
				want := filled(n, func(i int) shflOut[E] {
					lane := i % t.warp()
					v := in[i-lane:]
					a, u, d, xo := lanesRead(lane, arg, t.warp(), t.warp())
					aw, uw, dw, xw := lanesRead(lane, arg, width, t.warp())
					return shflOut[E]{
						v[a], v[u], v[d], v[xo], v[a], v[u], v[d], v[xo],
						v[aw], v[uw], v[dw], v[xw], v[aw], v[uw], v[dw], v[xw],
					}
				})
				compare(t, download(t, out), want, nil, exact, func(int) string {
					return fmt.Sprintf("arg %d, width %d", arg, width)
				})
			}
		}
	}}
}

func shuffleCases() []Case {
	return []Case{
		shflCase("shuffle/int32", kernel.New(shfl[int32]), func(i int) int32 { return int32(i-64) * 0x01010101 }),
		shflCase("shuffle/uint32", kernel.New(shfl[uint32]), func(i int) uint32 { return uint32(i) * 0x87654321 }),
		shflCase("shuffle/int64", kernel.New(shfl[int64]), func(i int) int64 { return int64(i-64) * 0x0102030405060708 }),
		shflCase("shuffle/uint64", kernel.New(shfl[uint64]), func(i int) uint64 { return uint64(i) * 0x8765432112345678 }),
		shflCase("shuffle/int", kernel.New(shfl[int]), func(i int) int { return (i - 64) << 40 }),
		shflCase("shuffle/uint", kernel.New(shfl[uint]), func(i int) uint { return uint(i)<<40 | uint(i) }),
		shflCase("shuffle/float32", kernel.New(shfl[float32]), func(i int) float32 { return float32(i) / 3 }),
		shflCase("shuffle/float64", kernel.New(shfl[float64]), func(i int) float64 { return -float64(i) / 3 }),
		shflCase("shuffle/int8", kernel.New(shfl[int8]), func(i int) int8 { return int8(i*37 - 1) }),
		shflCase("shuffle/uint8", kernel.New(shfl[uint8]), func(i int) uint8 { return uint8(i * 37) }),
		shflCase("shuffle/int16", kernel.New(shfl[int16]), func(i int) int16 { return int16(i*3001 - 7) }),
		shflCase("shuffle/uint16", kernel.New(shfl[uint16]), func(i int) uint16 { return uint16(i * 4001) }),
		shflCase("shuffle/bool", kernel.New(shfl[bool]), func(i int) bool { return i*i%7 < 3 }),
		shflCase("shuffle/named", kernel.New(shfl[shflNamed]), func(i int) shflNamed { return shflNamed(i * 12345) }),
		shflCase("shuffle/half", kernel.New(shfl[vector.Half]), func(i int) vector.Half { return vector.HalfFromBits(uint16(i * 499)) }),
		shflCase("shuffle/float4", kernel.New(shfl[vector.Float4]), func(i int) vector.Float4 {
			f := float32(i)
			return vector.MakeFloat4(f, -f, f/3, f*f)
		}),
		shflCase("shuffle/complex64", kernel.New(shfl[complex64]), func(i int) complex64 { return complex(float32(i), -float32(i*i)) }),
		shflCase("shuffle/struct", kernel.New(shfl[shflStruct]), func(i int) shflStruct {
			return shflStruct{int8(i - 64), float64(i) / 7, i%3 == 0, [2]uint16{uint16(i), uint16(i * 511)}, vector.HalfFromBits(uint16(i))}
		}),
	}
}

type shflNamed int16

// shflStruct has 32 bytes, with gaps.
type shflStruct struct {
	A int8
	B float64
	C bool
	D [2]uint16
	E vector.Half
}
