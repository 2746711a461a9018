package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// loopPanics have checks that can be made ahead of a loop, or of a group of its iterations;
// s has the values 1 to 4, and n is 5.
type loopPanics struct{}

func (loopPanics) Names() []string {
	return []string{"last", "first", "down", "rows", "step", "unknown step", "second check of the last", "bound from memory",
		"table", "table in a second group", "table behind a condition", "second table", "table that goes down", "of no known length",
		"ahead of no iteration", "small block", "second small block", "small block in a loop",
		"place that goes on", "place that goes back", "place that goes on twice"}
}

func (loopPanics) Do(which, n int, s []int) {
	x := 0
	switch which {
	case 0:
		for k := 0; k < n; k++ {
			x += s[k]
		}
	case 1:
		for k := 4 - n; k < n; k++ {
			x += s[k]
		}
	case 2:
		for k := n - 2; k > 3-n; k-- {
			x += s[k]
		}
	case 3:
		for k := 0; k < n; k++ {
			x += s[k*(n-3)]
		}
	case 4:
		for k := 1; k <= n; k += 2 {
			x += s[k]
		}
	case 5:
		for k := 0; k < n*4; k += n - 2 {
			x += s[k]
		}
	case 6:
		for k := 1; k < n; k++ {
			x += s[k-1]
			x ^= s[k]
		}
	case 7:
		for k := 0; k <= s[n-2]; k++ {
			x += s[k]
		}
	case 15, 16, 17:
		x = smallPanics(which, n, s)
	case 18, 19, 20:
		x = placePanics(which, n, s)
	default:
		x = tablePanics(which, n, s)
	}
	if x == -1 {
		s[0] = x
	}
}

// smallPanics have a check in a block that is run on a condition; one that is not run fails nowhere.
func smallPanics(which, n int, s []int) int {
	var l [4]int
	if s[0] == which-14 {
		l[n] = 7
	}
	if s[0] == which-15 {
		l[n+1] = 8
	}
	for k := range n {
		if k == s[2] {
			l[k+s[0]] = k
		}
	}
	return l[s[1]]
}

// placePanics have an index that goes on by itself, in loops of a constant number of iterations.
func placePanics(which, n int, s []int) (x int) {
	at := n - 6
	switch which {
	case 18:
		for range 5 {
			at += n - 4
			x += s[at]
		}
	case 19:
		at = n - 1
		for k := 4; k >= 0; k-- {
			at -= n - 4
			x += k * s[at]
		}
	case 20:
		for k := range 4 {
			at += n - 3
			x += k * s[at]
			at -= n - 4
			x ^= s[at+1]
		}
	}
	return x
}

// tablePanics have an index that is loaded or computed.
func tablePanics(which, n int, s []int) (x int) {
	switch which {
	case 8:
		for k := 0; k < n-1; k++ {
			i := s[k]
			x += s[i]
		}
	case 9:
		for k := 0; k < n*4; k++ {
			i := s[k&3] - 1 + k/8
			x += s[i]
		}
	case 10:
		for k := 0; k < n*4; k++ {
			if i := s[k&3] - 1 + k/9; i > 1 {
				x += s[i]
			}
		}
	case 11:
		for k := 0; k < n*4; k++ {
			i, j := s[k&3]-1, s[k&1]-1+k/6
			x += s[i]
			x ^= s[j]
		}
	case 12:
		for k := n * 3; k >= 0; k-- {
			i := s[k&3] - 2 + k/8
			x += s[i]
		}
	case 13:
		k := 0
		for u := uint(n) * 8; u != 0; u >>= 1 {
			if u&1 != 0 {
				x += s[k]
			}
			k++
		}
	case 14:
		for k := n; ; k++ {
			x += s[n]
			if k < n {
				x += s[k-n]
				continue
			}
			break
		}
	}
	return x
}

// loopSums add up what is loaded from 32 bits or less, of which some fit in 32 bits together and others do not.
type loopSums struct{}

type loopSumsOut struct {
	Counts                     [8]int32
	Words                      [8]uint32
	Bytes                      [8]int8
	Sum, Below, Thrice, Mixed  int
	OfWords                    uint64
	OfBytes, Left, Many, Start int64
}

// summed are values by what is to be seen: small ones, the first that is too great, negative ones, the greatest.
var summed = [...]int32{5, 1 << 21, 1<<22 - 1, 1 << 26, -1, 1<<31 - 1, -1 << 31, 1 << 30, 0, 77}

func (loopSums) Do(i int, out *loopSumsOut) {
	c, u, b := out.Counts[:], out.Words[:], out.Bytes[:]
	for k := range c {
		c[k] = int32(k)
		if k == i/7&7 || i&1 != 0 {
			c[k] = summed[uint(i)%uint(len(summed))]
		}
		u[k], b[k] = uint32(c[k]), int8(c[k]>>k)
	}
	n, m := i/10&15, i&3
	out.Below = i & 15
	for k := range n {
		x := int(c[k])
		if k < m {
			out.Below += x
		}
		out.Sum += x
	}
	for k := n - 1; k >= 0; k-- {
		out.OfWords += uint64(u[k])
		out.OfBytes += int64(b[k])
	}
	sum, thrice, mixed, start := 0, 0, 0, int(c[m])
	for k := 0; k < n; k++ {
		x := int(c[k])
		thrice += x
		thrice += x
		thrice += x
		mixed += x + k
		start += int(u[k])
		if sum += x; k == m {
			sum++
		}
	}
	out.Thrice, out.Mixed, out.Left, out.Start = thrice, mixed, int64(sum), int64(start)
	for k := 0; k < i*3; k++ {
		out.Many += int64(c[k&7])
	}
}

// joinedPanics have many checks with nothing in between, of which one fails, or two.
type joinedPanics struct{}

func (joinedPanics) Names() []string {
	return []string{"first", "second", "third", "fourth", "fifth", "sixth", "second and fifth", "third and last", "below", "above"}
}

func (joinedPanics) Do(which, n int, s []int) {
	two := 0
	if which == 6 || which == 7 {
		which, two = which-5, 3
	}
	i, j, k := far(n, which), far(n, which-1), far(n, which-2)
	l, m, o := far(n, which-3), far(n, which+two-4), far(n, which+two-5)
	low, high := 1-far(n, which-8)/20*2, far(n, which-9)/20*2
	x := s[i]
	x ^= s[j] << 1
	x ^= s[k] << 2
	x ^= s[l] << 3
	x ^= s[m] << 4
	x ^= s[o] << 5
	x ^= s[low]
	x += s[low+1]
	x *= s[high+1]
	x -= s[high+2]
	x ^= s[high]
	if x == -1 {
		s[0] = x
	}
}

// wrappedPanics have the checks of a ring that is shorter than it should be.
type wrappedPanics struct{}

func (wrappedPanics) Names() []string { return []string{"first", "later", "last", "round"} }

func (wrappedPanics) Do(which, n int, s []int) {
	at := 4 - which
	switch {
	case which == 3:
		at = 7
	case which > 3:
		return
	}
	for k := range 3 + n/5*2 {
		s[0] ^= s[(at+k)%8]
	}
	for k := range 8 {
		s[0] += s[(at+k)%8]
	}
}

// far is n*5 if d is 0, else at most 2.
func far(n, d int) int { return n * 5 / (1 + 9*d*d) }

// laneLoops runs loops from from[i] to to[i] over more, which is 0 to 95. Where they do not run,
// these are no indices.
func laneLoops(from, to, more, out []int32) {
	i := dsl.GlobalIdx().X
	out[i] = loopsOf(from[i], to[i], more)
}

func loopsOf(a, b int32, more []int32) (x int32) {
	for k := a; k < b; k++ {
		x += more[k] ^ more[k+1]
	}
	for k := int(b) - 1; k >= int(a); k-- {
		x = x*3 + more[k] - more[95-k]
	}
	for k := 0; k < int(b-a); k++ {
		x += more[k+int(more[a])]
	}
	for k := a; k < b; k += 3 {
		x ^= more[k]
		x -= more[a+b-k]
	}
	return x
}

// lanesCase has the lanes of a warp run loops differently, and one lane fail.
func lanesCase() Case {
	k := kernel.New(laneLoops)
	return Case{"loop/lanes", "loops", []*kernel.Kernel{k}, func(t *T) {
		const n = 192
		from, to, more, want := make([]int32, n), make([]int32, n), make([]int32, 96), make([]int32, n)
		for i := range more {
			more[i] = int32(i)
		}
		for i := range int32(n) {
			from[i], to[i] = i%40, i%40+i%6*8
			switch i % 12 {
			case 0:
				from[i], to[i] = -1<<31+i, -1<<31
			case 6:
				from[i], to[i] = 1<<30, 1<<30-i
			}
			want[i] = loopsOf(from[i], to[i], more)
		}
		cfg := launch.Linear(n, 64)
		s, out := upload(t, more), alloc[int32](t, n)
		t.run(k, cfg, upload(t, from), upload(t, to), s, out)
		same(t, download(t, out), want)
		from[77], to[77] = 90, 97
		p := t.fails(k, cfg, upload(t, from), upload(t, to), s, out)
		if p.Value != "index out of range [96] with length 96" || p.Block.X != 1 || p.Thread.X != 13 {
			t.Errorf("panic %q of block %v, thread %v", p.Value, p.Block, p.Thread)
		}
	}}
}
