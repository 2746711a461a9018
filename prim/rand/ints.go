package rand

import "heddle/launch"

// Int is a type of integers.
type Int interface {
	int | int32 | int64 | uint32 | uint64
}

// Ints fills out with integers from lo to hi, both included, each as likely: there is no bias. An element draws two
// words. Where it rejects them, with probability below (hi-lo+1) * 2^-64, it draws two at a place that is 0x9e3779b97f4a7c15
// words further, and so on: so elements do not wait for each other. lo must not be above hi.
func Ints[T Int, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P, lo, hi T) error {
	if lo > hi {
		return wrong("Ints", "lo", "is %d, above hi, which is %d", lo, hi)
	}
	return fillWith("Ints", s, out, g, ints[T, S, P]{lo, uint64(hi) - uint64(lo) + 1})
}

type ints[T Int, S any, P Engine[S]] struct {
	Lo    T
	Count uint64 // 0 is 2^64
}

func (ints[T, S, P]) words() int { return 2 }

func (d ints[T, S, P]) draw(g P) (x, y T) { return d.one(g), d.one(g) }

func (d ints[T, S, P]) one(g P) T {
	x := g.Uint64()
	if d.Count != 0 {
		n, ok := within(x, d.Count)
		if !ok {
			n = again[S, P](*g, d.Count)
		}
		x = n
	}
	return d.Lo + T(x)
}

// again draws far from g, which has drawn what was rejected. It is rare, and its code large.
//
//go:noinline
func again[S any, P Engine[S]](g S, count uint64) uint64 {
	for {
		P(&g).Skip(0x9e3779b97f4a7c15 - 2)
		if n, ok := within(P(&g).Uint64(), count); ok {
			return n
		}
	}
}
