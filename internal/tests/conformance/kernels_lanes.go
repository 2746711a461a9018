package conformance

import (
	"fmt"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

// Shuffles of which the lanes are known while compiling, and the reductions of a warp that
// are made of them: AMD GPUs have instructions for many patterns.

// A lanePattern writes what a lane reads by a number of patterns, each of one constant.
type lanePattern interface {
	Do(v int32, out []int32)
	// Lane is the lane that a lane reads by pattern n.
	Lane(n, lane, warp int) int
}

const lanePatterns = 32

type xorLanes struct{}

func (xorLanes) Do(v int32, out []int32) {
	//heddle:unroll
	for n := range lanePatterns {
		out[n] = dsl.ShflXor(v, n+1)
	}
}

func (xorLanes) Lane(n, lane, warp int) int {
	if from := lane ^ (n + 1); from < warp {
		return from
	}
	return lane
}

type upLanes struct{}

func (upLanes) Do(v int32, out []int32) {
	//heddle:unroll
	for n := range lanePatterns {
		out[n] = dsl.ShflUpWidth(v, n/4*n/8+1, 4<<(n%4))
	}
}

func (upLanes) Lane(n, lane, warp int) int {
	if d := n/4*n/8 + 1; lane&(4<<(n%4)-1) >= d {
		return lane - d
	}
	return lane
}

type downLanes struct{}

func (downLanes) Do(v int32, out []int32) {
	//heddle:unroll
	for n := range lanePatterns {
		out[n] = dsl.ShflDownWidth(v, n/4*n/8+1, 4<<(n%4))
	}
}

func (downLanes) Lane(n, lane, warp int) int {
	if d, w := n/4*n/8+1, 4<<(n%4); lane&(w-1)+d < w {
		return lane + d
	}
	return lane
}

type atLanes struct{}

func (atLanes) Do(v int32, out []int32) {
	//heddle:unroll
	for n := range lanePatterns {
		out[n] = dsl.ShflWidth(v, n, 32>>((1-n&1)*(n/2%6)))
	}
}

func (atLanes) Lane(n, lane, warp int) int {
	w := 32 >> ((1 - n&1) * (n / 2 % 6))
	return lane&^(w-1) | n&(w-1)
}

// whole is of the whole warp, and of lanes that the program computes.
type wholeLanes struct{}

func (wholeLanes) Do(v int32, out []int32) {
	l := dsl.LaneID()
	//heddle:unroll
	for n := range lanePatterns / 8 {
		out[n*8+0] = dsl.ShflUp(v, 1<<(n+1))
		out[n*8+1] = dsl.ShflDown(v, 1<<(n+1))
		out[n*8+2] = dsl.Shfl(v, n*15)
		out[n*8+3] = dsl.Shfl(v, l^(n*5+1))
		out[n*8+4] = dsl.Shfl(v, dsl.WarpSize()-1-l)
		out[n*8+5] = dsl.Shfl(v, l&^15|(l+n)&15)
		out[n*8+6] = dsl.Shfl(v, l&^7|(l*3+n)&7)
		out[n*8+7] = dsl.Shfl(v, l&^15|(l*5+n)&15^16&(dsl.WarpSize()-1))
	}
}

func (wholeLanes) Lane(n, l, warp int) int {
	k := n / 8
	switch n % 8 {
	case 0:
		if l >= 1<<(k+1) {
			return l - 1<<(k+1)
		}
		return l
	case 1:
		if l+1<<(k+1) < warp {
			return l + 1<<(k+1)
		}
		return l
	case 2:
		return k * 15 % warp
	case 3:
		return l ^ (k*5 + 1)
	case 4:
		return warp - 1 - l
	case 5:
		return l&^15 | (l+k)&15
	case 6:
		return l&^7 | (l*3+k)&7
	}
	return (l&^15 | (l*5+k)&15) ^ 16
}

func byPattern[P lanePattern](in, out []int32) {
	i := dsl.GlobalIdx().X
	var p P
	var all [lanePatterns]int32
	p.Do(in[i], all[:])
	for n, v := range all {
		out[i*lanePatterns+n] = v
	}
	if dsl.LaneID()%3 != 0 { // what goes by way of a lane that is not active is lost
		p.Do(in[i], all[:])
		for n, v := range all {
			out[(dsl.GlobalSize().X+i)*lanePatterns+n] = v
		}
	}
}

func patternCase[P lanePattern](name string, k *kernel.Kernel) Case {
	return Case{"lanes/" + name, "Shfl ShflUp ShflDown ShflXor of constants", []*kernel.Kernel{k}, func(t *T) {
		const n = 128
		var p P
		in := filled(n, func(i int) int32 { return int32(i*0x01010101 + 7) })
		out := alloc[int32](t, 2*n*lanePatterns)
		t.run(k, launch.Linear(n, n), upload(t, in), out)
		got := download(t, out)
		want := filled(2*n*lanePatterns, func(i int) int32 {
			thread := i / lanePatterns % n
			lane := thread % t.warp()
			from := p.Lane(i%lanePatterns, lane, t.warp())
			switch parted := i >= n*lanePatterns; {
			case parted && lane%3 == 0:
				return 0
			case parted && from%3 == 0:
				return got[i] // undefined: the lane is not active
			}
			return in[thread-lane+from]
		})
		compare(t, got, want, nil, exact, func(i int) string {
			return fmt.Sprintf("thread %d, pattern %d", i/lanePatterns, i%lanePatterns)
		})
	}}
}

// The warp-size reduction of the HIP documents, with the width as a template's argument
// and as warpSize: each reduces by shuffles.

// sumOfRun sums runs of as many lanes as the type says.
func sumOfRun[S cg.Size](v int32) int32 {
	var s S
	for d := s.Threads() / 2; d > 0; d /= 2 {
		v += dsl.ShflXorWidth(v, d, s.Threads())
	}
	return v
}

func warpSumTemplate[S cg.Size](in, out []int32) {
	i := dsl.GlobalIdx().X
	var s S
	sum := sumOfRun[S](in[i])
	if i%s.Threads() == 0 {
		out[i/s.Threads()] = sum
	}
}

func warpSumSize(in, out []int32) {
	i, w := dsl.GlobalIdx().X, dsl.WarpSize()
	v := in[i]
	for d := w / 2; d > 0; d /= 2 {
		v += dsl.ShflXor(v, d)
	}
	if dsl.LaneID() == 0 {
		out[i/w] = v
	}
}

func warpSumSync(in, out []int32) {
	i := dsl.GlobalIdx().X
	sum := dsl.ReduceAddSync(^uint64(0), in[i])
	if dsl.LaneID() == 0 {
		out[i/dsl.WarpSize()] = sum
	}
}

func warpSumCaseOf(name string, k *kernel.Kernel, size int) Case {
	return Case{"lanes/sum-" + name, "warp-size reduction", []*kernel.Kernel{k}, func(t *T) {
		n := size
		if n == 0 {
			n = t.warp()
		}
		in := filled(512, func(i int) int32 { return int32(i * i) })
		want := make([]int32, len(in)/n)
		for i, v := range in {
			want[i/n] += v
		}
		out := alloc[int32](t, len(want))
		t.run(k, launch.Linear(len(in), 128), upload(t, in), out)
		same(t, download(t, out), want)
	}}
}

func laneCases() []Case {
	return []Case{
		patternCase[xorLanes]("xor", kernel.New(byPattern[xorLanes])),
		patternCase[upLanes]("up", kernel.New(byPattern[upLanes])),
		patternCase[downLanes]("down", kernel.New(byPattern[downLanes])),
		patternCase[atLanes]("at", kernel.New(byPattern[atLanes])),
		patternCase[wholeLanes]("whole", kernel.New(byPattern[wholeLanes])),
		warpSumCaseOf("template16", kernel.New(warpSumTemplate[cg.Size16]), 16),
		warpSumCaseOf("template32", kernel.New(warpSumTemplate[cg.Size32]), 32),
		warpSumCaseOf("warpsize", kernel.New(warpSumSize), 0), warpSumCaseOf("sync", kernel.New(warpSumSync), 0),
	}
}
