// Package rand has random numbers on every device: generators as plain values for any kernel, and
// fills of a buffer. It does what cuRAND and rocRAND do.
//
// In a kernel, a generator is a struct of the thread's own:
//
//	func Walk(end []float32, seed uint64) {
//		i := dsl.GlobalIdx().X
//		g := rand.NewPhilox(seed, uint64(i), 0) // the subsequence of this thread
//		x := float32(0)
//		for range 100 {
//			x += rand.NormFloat32(&g)
//		}
//		end[i] = x
//	}
//
// On the host, a fill queues a kernel on a stream and returns:
//
//	g := rand.NewPhilox(42, 0, 0)
//	err := rand.Uniform(stream, buf, &g) // buf is a *launch.Buffer[float32]
//
// # Generators
//
// A generator is a sequence of 32-bit words. Uint32 is the next word, Uint64 the next two, the low
// one first. Skip moves over n words. NewX(seed, subsequence, offset) begins at word offset of a
// subsequence, as curand_init does:
//
//	type          words of a subsequence   subsequences   state     Skip costs
//	Philox        2^64                     2^64           48 bytes  nothing
//	Threefry2x32  2^33                     2^32           32 bytes  nothing
//	Threefry4x32  2^64                     2^64           48 bytes  nothing
//	Threefry2x64  2^64                     2^64           48 bytes  nothing
//	Threefry4x64  2^64                     2^64           64 bytes  nothing
//	XORWOW        2^67                     2^64           24 bytes  160 steps for each 4 bits of n
//	MRG32k3a      2^76                     2^64           24 bytes  2 steps for each bit of n
//
// Philox is the one to take without a reason for another. The words of Philox, XORWOW and MRG32k3a are those of
// cuRAND's device functions for the same seed, subsequence and offset (of MRG32k3a, see there).
//
// Sobol32 and Sobol64 are quasi-random: see [NewDirections].
//
// # What a fill writes
//
// A fill writes the numbers that one thread would draw one after the other, and leaves the generator where that
// would leave it: the next fill goes on. So the numbers depend on the generator alone,
// not on the device, the grid or the length: a longer fill starts with the numbers of a
// shorter one. Two fills with copies of one generator write the same. Ints that are rejected are drawn
// again from elsewhere; see [Ints].
//
// All numbers are the same bit for bit on every device. The transforms are made of
// operations that are exact or rounded once (dsl.FmaRn, dsl.SqrtRn, division), logarithm and sine included,
// and hold in kernels with FastMath too.
//
// # Errors
//
// An argument that is wrong is an [*ArgumentError], and nothing is queued. A buffer that was closed, or is another
// device's, is the launch's error.
package rand

import (
	"embed"
	"math/bits"

	"heddle/kernel"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

//go:generate go run ./gen

// A Source is a sequence of random words: what the functions of this package that run in
// kernels draw from. Any type with these methods is one, pointers to this package's generators
// among them.
type Source interface {
	Uint32() uint32 // the next word
	Uint64() uint64 // the next two words, the low one first
}

// An Engine is a pointer to a generator S of this package that can move: what fills take. S is a
// plain value. A copy of it draws the same numbers.
type Engine[S any] interface {
	*S
	Source
	Skip(n uint64) // moves over n words

	align()        // says that the next word's number is a multiple of 8: nothing, but the compiler learns it
	phase() int    // the next word's number modulo 8, 0 where the generator has no blocks
	blocked() bool // whether Skip costs nothing
}

// Float is a type of floating-point numbers.
type Float interface{ float32 | float64 }

// Float32 returns a number in [0, 1): one of 2^24 multiples of 2^-24, each as likely. It
// draws one word. 1 - Float32(g) is exact and in (0, 1], the interval of curand_uniform.
func Float32[P Source](g P) float32 { return float32(g.Uint32()>>8) * 0x1p-24 }

// Float64 returns a number in [0, 1): one of 2^53 multiples of 2^-53, each as likely. It
// draws two words. 1 - Float64(g) is exact and in (0, 1], the interval of curand_uniform_double.
func Float64[P Source](g P) float64 { return float64(g.Uint64()>>11) * 0x1p-53 }

// Uint32N returns a number in [0, n), each as likely: there is no bias (Lemire, Fast Random Integer
// Generation in an Interval, 2019). It draws two words, and two more each time that it
// rejects, with probability below n * 2^-64. n = 0 gives 0.
func Uint32N[P Source](g P, n uint32) uint32 { return uint32(Uint64N(g, uint64(n))) }

// Uint64N returns a number in [0, n), each as likely: there is no bias. It draws two words, and
// two more each time that it rejects, with probability below n * 2^-64. n = 0 gives 0.
func Uint64N[P Source](g P, n uint64) uint64 {
	hi, ok := within(g.Uint64(), n)
	for !ok {
		hi, ok = within(g.Uint64(), n)
	}
	return hi
}

// within scales x to [0, n), or says that x is one of the 2^64 mod n that would make some results
// likelier.
func within(x, n uint64) (uint64, bool) {
	hi, lo := bits.Mul64(x, n)
	if lo >= n {
		return hi, true
	}
	return hi, n == 0 || lo >= -n%n
}

// Bool returns true with probability p, to within 2^-32: always where p is 1 or more, never where it is
// 0 or less or a NaN. It draws one word.
func Bool[P Source](g P, p float64) bool { return uint64(g.Uint32()) < chance(p) }

// chance is how many of the 2^32 words are below p.
func chance(p float64) uint64 {
	switch {
	case p >= 1:
		return 1 << 32
	case p > 0:
		return uint64(p * (1 << 32))
	}
	return 0
}
