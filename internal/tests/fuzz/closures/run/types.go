package run

import "math/rand/v2"

// What generated code is made with.

// Integer is a constraint of generated generic functions.
type Integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}

// Float is a constraint of generated generic functions.
type Float interface{ ~float32 | ~float64 }

// Func is a constraint of generated generic functions.
type Func interface{ ~func(uint64) uint64 }

// A Getter is a constraint with a method.
type Getter interface{ Get(uint64) uint64 }

// Debug is false.
const Debug = false

// Upto yields 0 to n-1.
func Upto(n uint64) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// Pick is a conditional expression.
func Pick[T any](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}

// Text is one of a few strings.
//
//go:noinline
func Text(x uint64) string { return "heddle, shed and reed"[:x%5*4] }

// At is a byte of s, 0 if there is none.
func At(s string, i uint64) uint64 {
	if len(s) == 0 {
		return 0
	}
	return uint64(s[i%uint64(len(s))])
}

// Apply calls f.
func Apply(f func(uint64) uint64, x uint64) uint64 { return f(x) }

var random = rand.New(rand.NewPCG(1, 2))

// Next is a random number for code that has no Checker.
//
//go:noinline
func Next() uint64 { return random.Uint64() >> (random.Uint64() % 64) }

// K is x, which the type checker does not know.
func K(x uint64) uint64 { return x }

// A Kern is a named func type.
type Kern func([]uint64)

// Pass returns k; it is inlined.
func Pass(k func([]uint64)) func([]uint64) { return k }

// Table is only read.
var Table = [...]uint64{3, 1, 4, 1, 5, 9, 2, 6}
