// Package inner is an internal package: kernels, makers of kernels, and
// functions that kernels call.
package inner

import (
	"embed"
	"os"

	"heddle/dsl"
	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

func init() {
	if os.Getenv("MATRIX_EMBEDDED") != "" {
		kernel.Source(sources)
	}
}

// Declared is a kernel.
func Declared(out []int64) { out[0] = Half(out[1]) + 11 }

// Half is called by kernels.
func Half(x int64) int64 { return x / 2 }

// Global is a literal in a package variable.
var Global = func(out []int64) { out[1] = out[0] + 12 }

// Adder is small enough to be inlined into its callers.
func Adder(a int64) func([]int64) {
	return func(out []int64) { out[0] += a + 13 }
}

// Outer is inlined into its callers, and Adder into it.
func Outer(a int64) func([]int64) { return Adder(a * 2) }

// Deep returns a literal of a literal of a literal.
func Deep(a int64) func(int64) func(int64) func([]int64) {
	return func(b int64) func(int64) func([]int64) {
		return func(c int64) func([]int64) {
			return func(out []int64) { out[0] = a + 10*b + 100*c }
		}
	}
}

// Leaf's literal begins with a callee of another file, inlined.
func Leaf(a int64) func([]int64) {
	return func(out []int64) {
		out[0] = elsewhere(out[0])
		out[1] = a
	}
}

// A Base has methods for others to embed.
type Base struct{ K int64 }

// Store is a kernel of a value receiver.
func (b Base) Store(out []int64) { out[0] = b.K + 14 }

// StorePointer is a kernel of a pointer receiver.
func (b *Base) StorePointer(out []int64) { out[0] = b.K + 15 }

// Maker returns a literal of a method.
func (b Base) Maker() func([]int64) {
	return func(out []int64) { out[0] = b.K + 16 }
}

// Variable is a device variable.
var Variable = dsl.NewConstant(int64(500))
