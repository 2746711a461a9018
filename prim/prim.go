// Package prim has algorithms for a whole device: what CUB, rocPRIM and Thrust are to C++.
//
//	err := prim.Reduce(s, sum, x, 0, prim.Add[float32])
//	err = prim.SortKeys(s, keys, keys)
//	err = prim.Select(s, out, count, in, func(v float32) bool { return v > limit })
//
// A call is queued on a stream and returns; outputs come before inputs. Operators, conditions and computed inputs are
// Go funcs, which may capture what a kernel may. A call's own mistakes are an [*Error], and nothing is launched then.
// docs/prim.md lists the functions.
package prim

import (
	"embed"

	"heddle/kernel"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Number is the types that have arithmetic and an order.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Add is the operator a + b.
func Add[T Number](a, b T) T { return a + b }

// Mul is the operator a * b.
func Mul[T Number](a, b T) T { return a * b }

// Min is the operator min(a, b), Go's: a NaN if one is, and -0 less than 0.
func Min[T Number](a, b T) T { return min(a, b) }

// Max is the operator max(a, b), as [Min] is.
func Max[T Number](a, b T) T { return max(a, b) }
