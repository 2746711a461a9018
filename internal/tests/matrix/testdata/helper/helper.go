// Package helper is another module's package: functions that make kernels, and
// functions that kernels call.
package helper

import (
	"embed"
	"os"

	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

func init() {
	if os.Getenv("MATRIX_EMBEDDED") != "" {
		kernel.Source(sources)
	}
}

// Num is what the generic functions here are made for.
type Num interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// Declared is a kernel.
func Declared(out []int64) { out[0], out[1] = 31, out[1]+Twice(4) }

// Twice is called by kernels of other modules.
func Twice(x int64) int64 { return 2 * x }

// Global is a literal in a package variable.
var Global = func(out []int64) { out[1] = out[0] + 32 }

// Table holds literals in a map.
var Table = map[string]func([]int64){
	"a": func(out []int64) { out[2] = 33 },
	"b": func(out []int64) { out[2] = 34 },
}

// InInit is set by an init function.
var InInit func([]int64)

func init() {
	InInit = func(out []int64) { out[3] = 35 + Twice(out[3]) }
}

// Adder is small enough to be inlined into its callers.
func Adder(a int64) func([]int64) {
	return func(out []int64) { out[0] += a + 36 }
}

// AdderNoinline is never inlined.
//
//go:noinline
func AdderNoinline(a int64) func([]int64) {
	return func(out []int64) { out[0] += a + 37 }
}

// Square is a func for kernels to capture.
func Square(x int64) int64 { return x * x }

// Multiplier returns a func for kernels to capture.
func Multiplier(k int64) func(int64) int64 {
	return func(x int64) int64 { return x * k }
}

// A Pair is a generic type.
type Pair[A, B Num] struct {
	First  A
	Second B
}

// Sum is a method of a generic type.
func (p Pair[A, B]) Sum() int64 { return int64(p.First)*10 + int64(p.Second) }

// Fill is a generic kernel; its signature tells T.
func Fill[T Num](out []T) {
	for i := range out {
		out[i] = T(i)*T(3) + out[0]
	}
}

// Scaler returns a literal of a generic function.
func Scaler[T Num](by T) func([]T) {
	return func(out []T) { out[1] = out[0]*by + by }
}

// A Buffered is a generic type with kernels for methods.
type Buffered[T Num] struct{ Base T }

// Store is a kernel.
func (b Buffered[T]) Store(out []T) { out[0] = b.Base + T(1) }

// StorePointer is a kernel of a pointer receiver.
func (b *Buffered[T]) StorePointer(out []T) { out[0] = b.Base + T(2) }

// Kernel returns a literal of a method.
func (b Buffered[T]) Kernel(by T) func([]T) {
	return func(out []T) { out[0] = b.Base*by + out[1] }
}
