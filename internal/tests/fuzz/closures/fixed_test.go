package closures

import (
	"heddle/internal/tests/fuzz/closures/run"
)

// A large has more scalars than registers hold.
type large struct {
	A [39]uint32
	B int8
}

// Get sums.
func (l large) Get(k uint64) uint64 {
	for _, a := range l.A {
		k = k*31 + uint64(a)
	}
	return k + uint64(l.B)
}

// A small is kept in registers.
type small struct{ A, B int16 }

// Get sums.
func (s small) Get(k uint64) uint64 { return k*31 + uint64(s.A) - uint64(s.B) }

// unused returns a literal that does not depend on its type parameters.
func unused[P run.Float, Q run.Getter](x uint64, f func(uint64) uint64) func() func([]uint64) {
	return func() func([]uint64) {
		return func(out []uint64) { out[0] = f(x) }
	}
}

// unusedOutside returns a literal that does not depend on P, and captures another one; both need the dictionary of their instance.
//
//go:noinline
func unusedOutside[P run.Float, Q run.Getter](x uint64, q Q, f func(Q, uint64) uint64) func([]uint64) {
	plus := func(v uint64) uint64 { return v + f(q, x) + q.Get(x) }
	return func(out []uint64) { out[0] = plus(f(q, out[0]) + q.Get(3)) }
}

// fixed are closures that once went wrong, each after its fix.
func fixed(c *run.Checker) {
	// a captured method value was taken for a plain function without captures
	s := small{int16(c.Next()), int16(c.Next())}
	get := s.Get
	k := c.Check("fixed.bound", func(out []uint64) { out[0] = get(out[1]) })
	get = small{int16(c.Next()), int16(c.Next())}.Get
	k.Check()

	// a large receiver was not loaded
	l := large{B: int8(c.Next())}
	l.A[7] = uint32(c.Next())
	sum := l.Get
	c.Check("fixed.largeBound", func(out []uint64) { out[0] = sum(7) + run.Apply(sum, 3) })

	// two captured variables of one name gave two parameters of one name
	x := c.Next()
	f := func(k uint64) uint64 { return k + x }
	g := func(k uint64) uint64 { return f(k) - x }
	{
		x := c.Next()
		c.Check("fixed.names", func(out []uint64) { out[0] = x + g(f(x)) })
	}

	// an array of which only the indices are used is not captured
	a, b := [3]uint64{c.Next()}, [5]uint32{uint32(c.Next())}
	c.Check("fixed.indices", func(out []uint64) {
		for i := range a {
			out[0] += uint64(i) + uint64(b[i])
		}
		for range &a {
			out[0]++
		}
	})

	// the arguments of type parameters were missed that make no difference
	c.Check("fixed.unused", unused[float64, small](c.Next(), func(k uint64) uint64 {
		return k * 7
	})())
	c.Check("fixed.unused", unused[float32, large](c.Next(), func(k uint64) uint64 {
		return k * 11
	})())

	// stand-ins for arguments that make no difference were taken for those of captured funcs, too
	for _, of := range []func(uint64, large, func(large, uint64) uint64) func([]uint64){unusedOutside[float32, large], unusedOutside[float64, large]} {
		c.Check("fixed.unusedOutside", of(c.Next(), large{B: 5}, getLarge))
	}

	// what constants make dead was compiled, and a func there had no source
	var dead func(uint64) uint64
	if c.Next() == 0 {
		dead = f
	}
	names := map[string]uint64{}
	c.Check("fixed.dead", func(out []uint64) {
		if run.Debug && x > 3 {
			out[0] = dead(x) + names["x"]
		}
		out[0] += x
	})
}

func getLarge(l large, k uint64) uint64 { return l.Get(k) }
