package dsl

import (
	"fmt"
	"unsafe"

	"heddle/internal/simt"
)

// Shared returns the block's shared variable of type T that this call stands
// for (HIP __shared__ T v). A call in the source is one variable: all threads
// of the block get the same address from it, however often it runs, and
// different calls give different variables. Its contents are undefined when a
// block starts; the simulator fills it with a pattern that is NaN in floats,
// unless T holds pointers.
//
//	tile := dsl.Shared[[16][16]float32]()
//	tile[y][x] = v
func Shared[T any]() *T { return simt.SharedVar[T](simt.Running("Shared"), "Shared") }

// SharedSlice is [Shared] for n elements: the block's shared slice that this call stands for
// (HIP __shared__ T v[n] in a template with a parameter n). n must be known while compiling:
// a constant, a method of a type argument, the warp size, or a captured variable that is
// specialized.
//
//	func Reduce[S interface{ Size() int }](in []float32) {
//		var s S
//		tile := dsl.SharedSlice[float32](s.Size())
func SharedSlice[T any](n int) []T {
	if n < 0 {
		panic(fmt.Sprintf("dsl.SharedSlice: %d elements", n))
	}
	return simt.SharedSlice[T](simt.Running("SharedSlice"), "SharedSlice", n)
}

// DynamicShared returns the shared memory whose size the launch's Config.Shared
// gives, as a slice of as many T as fit (HIP extern __shared__ T v[]). All
// calls in a kernel return the same memory, whatever T is. Its contents are
// undefined when a block starts. T must hold no pointers.
func DynamicShared[T any]() []T {
	b := simt.Running("DynamicShared").SharedBytes()
	var zero T
	if simt.HoldsPointers[T]() {
		panic(fmt.Sprintf("dsl.DynamicShared: %T holds pointers", zero))
	}
	if unsafe.Sizeof(zero) == 0 || len(b) < int(unsafe.Sizeof(zero)) {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
