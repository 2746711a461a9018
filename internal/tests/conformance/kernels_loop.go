package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Loops of every form, and switches.

type loopOut struct {
	Classic, While, Forever, Labels, RangeInt, RangeArray, RangeSlice, RangePtr int
	Nested, Down, Bytes, Captured, Goto, Literal                                int
}

// below is an iterator over the even numbers below n.
func below(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i += 2 {
			if !yield(i) {
				return
			}
		}
	}
}

// indexed is an iterator with two values, over an array.
func indexed(a *[5]int) func(yield func(int, int) bool) {
	return func(yield func(int, int) bool) {
		for i, v := range a {
			if !yield(i, v) {
				return
			}
		}
	}
}

type loopOps struct{}

func (loopOps) Do(n int, out *loopOut) {
	for i := 0; i < n; i++ {
		if i%3 == 1 {
			continue
		}
		out.Classic += i
	}
	for x := n; x > 1; out.While++ { // Collatz
		if x%2 == 0 {
			x /= 2
		} else {
			x = 3*x + 1
		}
	}
	for {
		if out.Forever += 7; out.Forever > n {
			break
		}
	}
outer:
	for i := range 10 {
		for j := range 10 {
			switch {
			case j > i:
				continue outer
			case i*j > n:
				break outer
			}
			out.Labels += i*10 + j
		}
	}
	for i := range n {
		out.RangeInt += i * i
	}
	for range 3 {
		out.RangeInt++
	}
	for i := range uint8(200) {
		out.Bytes += int(i) & n
	}
	a := [5]int{n, 1, 2, 3, 4}
	for i, v := range a {
		a[4-i] += v
		out.RangeArray = out.RangeArray*10 + v
	}
	for i, v := range a[1:] {
		out.RangeSlice += i * v
	}
	for i := range &a {
		out.RangePtr += a[i]
	}
	for i := range func(yield func(int) bool) { _ = yield(n) && yield(2) && yield(a[1]) } {
		if out.Literal += i; i == 2 {
			break
		}
	}
	for i := n; i >= 0; i -= 3 {
		for j := i; j < n; j <<= 1 {
			out.Nested++
			j++
		}
		out.Down += i
	}
	out.captured(n)
	i := 0
again:
	if i < n {
		out.Goto += i ^ 3
		i++
		goto again
	}
}

type iterOut struct{ Iter, Iter2, Early int }

// iterOps ranges over functions: with a break, a continue, a return and a label.
type iterOps struct{}

func (iterOps) Do(n int, o *iterOut) {
	a := [5]int{n, 1, 2, 3, 4}
	for i := range below(n) {
		if i == 4 {
			continue
		}
		if i > 20 {
			break
		}
		o.Iter += i
	}
rows:
	for i, v := range indexed(&a) {
		for j := range below(i) {
			if j == 2 {
				continue rows
			}
			o.Iter2 += v
		}
		o.Iter2 *= 3
	}
	o.Early = firstAbove(n, 6)
}

func firstAbove(n, limit int) int {
	for i := range below(n) {
		if i > limit {
			return i * 100
		}
	}
	return -1
}

// captured has a variable for each iteration, as Go has since 1.22.
func (o *loopOut) captured(n int) {
	for i := 0; i < 3; i++ {
		add := func() { o.Captured = o.Captured*10 + i + n }
		i++
		add()
	}
}

// ringSum sums eight elements of a ring. Which check of all fails first is looked for in a loop that only a panic leaves.
func ringSum(ring, out []int) {
	i, sum := dsl.GlobalIdx().X, 0
	for k := range 8 {
		sum += ring[(i+k)%512]
	}
	out[i] = sum
}

func wrappedCase() Case {
	k := kernel.New(ringSum)
	return Case{"loop/wrapped", "loops", []*kernel.Kernel{k}, func(t *T) {
		ring := filled(512, func(i int) int { return i * i })
		out := alloc[int](t, 1024)
		t.run(k, launch.Linear(1024, 128), upload(t, ring), out)
		same(t, download(t, out), filled(1024, func(i int) (sum int) {
			for k := range 8 {
				sum += ring[(i+k)%512]
			}
			return sum
		}))
	}}
}

func loopCases() []Case {
	return []Case{
		wrappedCase(),
		lanesCase(),
		tilesCase(),
		repeatCase(),
		wholeCase(),
		onEach("loop/ops", "loops", each[loopOps], upTo(40)),
		onEach("loop/sums", "loops", each[loopSums], upTo(89)),
		onEach("loop/leave", "loops", each[leaving], upTo(90)),
		onEach("loop/iterators", "loops", each[iterOps], upTo(40)),
	}
}

type switchOut struct {
	Plain, Fall, Tagless, Init, Multi, Kind, Chain, Default, Nested int
}

type switchOps struct{}

func (switchOps) Do(n int, out *switchOut) {
	switch n {
	case 0:
		out.Plain = 10
	case 1, 2, 3:
		out.Plain = 20
	case -1:
		out.Plain = 30
	}
	switch n % 5 {
	case 0:
		out.Fall++
		fallthrough
	case 1:
		out.Fall += 10
		fallthrough
	default:
		out.Fall += 100
	case 3:
		out.Fall += 1000
	}
	switch {
	case n < 0:
		out.Tagless = -1
	case n > 100, n == 7:
		out.Tagless = 1
	}
	switch h := n * n; {
	case h > 50:
		out.Init = h
	}
	switch x := uint8(n); x {
	case 200, 255:
		out.Multi = 2
	default:
		out.Multi = int(x)
	}
	out.Kind = width[int8]()*1000 + width[uint64]()*10 + width[float32]()
	out.Chain = chain(n)
	switch float32(n) {
	case 2:
		out.Default = 2
	case 3.0:
		if n > 2 {
			break
		}
		out.Default = 99
	default:
		out.Default = 1
	}
	for i := range 4 {
		switch {
		case i == 2:
			continue
		case n > 20 && i > 0:
			return
		}
		out.Nested += i + 1
	}
}

// width is decided by the type argument: a constant in each instance.
func width[T number]() int {
	switch max := T(0) - 1; {
	case max < 0 && T(1)/2 != 0:
		return 1 // a float
	case max < 0:
		return 2
	}
	return 3
}

func chain(n int) int {
	if n < 3 {
		return 1
	} else if n < 9 && n != 5 || n == 31 {
		return 2
	} else if !(n < 20) {
		return 3
	}
	return 4
}

func switchCases() []Case {
	return []Case{onEach("switch/ops", "switch", each[switchOps], append(upTo(35), -1, -7, 101, 200, 255))}
}
