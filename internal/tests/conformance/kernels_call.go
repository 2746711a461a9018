package conformance

import (
	"math/bits"
	"slices"

	"heddle/vector"
)

// Panics in what a kernel calls: the calls that led there are named, as Go does.

type callPanics struct{}

func (callPanics) Names() []string {
	return []string{"helper", "the same elsewhere", "helper of a helper", "the same by another way", "generic", "method", "promoted", "promoted through a pointer",
		"method value", "method expression", "closure", "closure of a variable", "func argument", "declared func argument", "returned closure", "iterator", "body of an iterator",
		"division in the library", "overflow in the library", "slices.Delete", "slices.MaxFunc", "comparison of a search", "twice on a line", "not inlined",
		"the same not inlined elsewhere", "another package", "deep", "in a loop"}
}

func (callPanics) Do(which, n int, s []int) {
	w := wrapped{&inner{s}, inner{s[:2]}}
	switch which {
	case 0:
		s[0] = pick(s, n)
	case 1:
		s[0] = pick(s, n+1)
	case 2:
		s[0] = pickTwice(s, n)
	case 3:
		s[0] = pick(s, 0) +
			pickTwice(s, n-5) +
			pickTwice(s, n+3)
	case 4:
		s[0] = pickAny(s, n)
	case 5:
		s[0] = w.shown.pick(n)
	case 6:
		s[0] = w.pick(n)
	case 7:
		p := &w
		s[0] = p.pick(n + 2)
	case 8:
		f := w.shown.pick
		s[0] = f(n)
	case 9:
		s[0] = (*inner).pick(&w.shown, n)
	case 10:
		s[0] = func(i int) int { return s[i] }(n)
	case 11:
		at := func(i int) int {
			return s[i] + n
		}
		s[0] = at(0) + at(n)
	case 12:
		s[0] = applied(s, func(i int) int { return s[i+n] })
	case 13:
		s[0] = applied(s, strictly)
	case 14:
		s[0] = picker(s)(n)
	case 15:
		for i := range elements(s, n) {
			s[0] += i
		}
	case 16:
		for i := range elements(s, 3) {
			s[0] = s[i*n]
		}
	case 17:
		q, _ := bits.Div64(0, uint64(n), uint64(n-5))
		s[0] = int(q)
	case 18:
		q, _ := bits.Div64(uint64(n), 0, 1)
		s[0] = int(q)
	case 19:
		s = slices.Delete(s, n-3, n)
		s[0] = len(s)
	case 20:
		s[0] = slices.MaxFunc(s[:n-5], func(a, b int) int { return a - b })
	case 21:
		s[0], _ = slices.BinarySearchFunc(s, n, func(a, b int) int { return s[a*n] - b })
	case 22:
		s[0], s[1] = pick(s, n-3), pick(s, n)
	case 23:
		s[0] = apart(s, n)
	case 24:
		s[0] = apart(s, 1) + apart(s, n)
	case 25:
		s[0] = int(vector.MakeInt2(int32(n), 1).Div(vector.MakeInt2(1, int32(n-5))).X)
	case 26:
		s[0] = deep1(s, n)
	case 27:
		for i := range n {
			s[0] += pick(s, i)
		}
	}
}

func pick(s []int, i int) int { return s[i] }

func pickTwice(s []int, i int) int {
	return pick(s, i&3) +
		pick(s, i)
}

func pickAny[S ~[]E, E any](s S, i int) E { return s[i] }

type inner struct{ s []int }

func (x *inner) pick(i int) int { return x.s[i] }

type wrapped struct {
	*inner
	shown inner
}

func applied(s []int, f func(int) int) int {
	return f(len(s))
}

func strictly(i int) int { return strict(-i) }

func picker(s []int) func(int) int {
	return func(i int) int { return s[i] }
}

func elements(s []int, n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(s[i]) {
				return
			}
		}
	}
}

//go:noinline
func apart(s []int, i int) int { return pick(s, i) }

func deep1(s []int, n int) int { return deep2(s, n) }
func deep2(s []int, n int) int { return deep3(s, n) + deep3(s, n) }
func deep3(s []int, n int) int { return pickTwice(s, 1) + s[n/(n-5)] }
