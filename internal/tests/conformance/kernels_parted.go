package conformance

import (
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Lanes that part, in code with checks, and meet again before an operation of their warp
// without a mask. A GPU may let them come by one after another: ptxas does after a loop
// from which a check leads to a panic.

type partedOut struct {
	Loop, Active, Branch, Rounds, Switch uint64
	Neighbour                            int32
}

// limited adds numbers up to a limit: lanes leave its loop in different iterations, by two
// ways.
func limited(in []int32, i int, count int32) (s int32) {
	for j := range count {
		s += in[i+int(j)*7]
		if s > 150 {
			break
		}
	}
	return s
}

func parted(in []int32, n int, out []partedOut) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	var o partedOut
	s, round := int32(0), int(in[i]%9)
	for j := range round {
		s += in[i+j*7]
		for k := range in[i+j] % 3 {
			s ^= k * in[i+j*5]
		}
		if s > 150 {
			break
		}
	}
	o.Loop = dsl.Ballot(s&1 == 1)
	o.Active = dsl.ActiveMask()
	o.Neighbour = dsl.ShflXor(s, 1)
	if s&2 == 0 {
		t := limited(in, i+1, s%11)
		o.Branch = dsl.Ballot(t&1 == 1)
	}
	for j := range in[i] % 4 {
		t := limited(in, i+int(j), in[i+1]%6)
		o.Rounds = o.Rounds*31 ^ dsl.Ballot(t&4 != 0)
		if t > 120 {
			break
		}
	}
	switch in[i] % 5 {
	case 1, 3:
		s = limited(in, i+2, s%7)
	case 2:
		s = limited(in, i+3, s%13)
	}
	o.Switch = dsl.Ballot(s&1 == 0)
	out[i] = o
}

// partedOn is what parted gives for warps of some size.
func partedOn(in []int32, n, block, warp int) []partedOut {
	want := make([]partedOut, n)
	s, t, last, rounds, live := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]bool, n)
	all := func(i int, p func(j int) bool) uint64 {
		return mask(i, block, warp, func(j int) bool { return j < n && p(j) })
	}
	for i := range n {
		for j := range int(in[i] % 9) {
			s[i] += in[i+j*7]
			for k := range in[i+j] % 3 {
				s[i] ^= k * in[i+j*5]
			}
			if s[i] > 150 {
				break
			}
		}
		if s[i]&2 == 0 {
			t[i] = limited(in, i+1, s[i]%11)
		}
		last[i], live[i] = s[i], true
		switch in[i] % 5 {
		case 1, 3:
			last[i] = limited(in, i+2, s[i]%7)
		case 2:
			last[i] = limited(in, i+3, s[i]%13)
		}
	}
	for i := range n {
		o := &want[i]
		o.Loop = all(i, func(j int) bool { return s[j]&1 == 1 })
		o.Active = all(i, func(int) bool { return true })
		o.Neighbour = s[i^1]
		if s[i]&2 == 0 {
			o.Branch = all(i, func(j int) bool { return s[j]&2 == 0 && t[j]&1 == 1 })
		}
		o.Switch = all(i, func(j int) bool { return last[j]&1 == 0 })
	}
	for round := range int32(3) {
		for i := range n {
			live[i] = live[i] && round < in[i]%4
			rounds[i] = limited(in, i+int(round), in[i+1]%6)
		}
		for i := range n {
			if live[i] {
				want[i].Rounds = want[i].Rounds*31 ^ all(i, func(j int) bool { return live[j] && rounds[j]&4 != 0 })
			}
		}
		for i := range n {
			live[i] = live[i] && rounds[i] <= 120
		}
	}
	return want
}

func partedCase() Case {
	k := kernel.New(parted)
	return Case{"warp/parted", "All Any Ballot ActiveMask and Sync", []*kernel.Kernel{k}, func(t *T) {
		const n, block = 330, 96
		in := filled(n+100, func(i int) int32 { return int32(i*i%97 + i%13) })
		out := alloc[partedOut](t, n)
		t.run(k, launch.Linear(block*4, block), upload(t, in), n, out)
		same(t, download(t, out), partedOn(in, n, block, t.warp()))
	}}
}

// Lanes that panic do not keep those waiting that go on, nor are they kept waiting.
func partedPanicCase() Case {
	k := kernel.New(parted)
	return Case{"panic/parted", "panics", []*kernel.Kernel{k}, func(t *T) {
		const n, block = 330, 96
		for _, left := range []int{1, 3, 8, 14} { // elements behind the last thread's own
			in := filled(n+left, func(i int) int32 { return int32(i*i%97 + i%13) })
			p := t.fails(k, launch.Linear(block*4, block), upload(t, in), n, alloc[partedOut](t, n))
			if !strings.Contains(p.Error(), "index out of range") {
				t.Errorf("%d left: %v", left, p)
			}
		}
	}}
}
