package dsl

import (
	"reflect"
	"unsafe"

	"heddle/internal/simt"
	"heddle/internal/symbol"
)

// The types of device variables hold a *symbol.Variable: what a kernel's types are made of is in
// package dsl alone.

// Global is a variable in device memory that kernels share (HIP __device__ T v). It is a
// package variable of its own line, made by [NewGlobal]:
//
//	var hits = dsl.NewGlobal([256]uint32{})
//
//	func Count(x []byte) {
//		dsl.AtomicAdd(&hits.Ptr()[x[dsl.GlobalIdx().X]], 1)
//	}
//
// There is one instance on each device, of all kernels of the program; it keeps its value
// from launch to launch until the device is closed. The host reads and writes it by
// [heddle/launch.CopyFromSymbol] and [heddle/launch.CopyToSymbol].
type Global[T any] struct{ v unsafe.Pointer }

// Constant is a variable in device memory that kernels read (HIP __constant__ T v): made by
// [NewConstant], one instance on each device, written by the host alone. The compiler takes
// its value not to change while a kernel runs, and a kernel that writes there is refused, or
// does what nobody can tell.
type Constant[T any] struct{ v unsafe.Pointer }

// Managed is a variable that the host and all devices share (HIP __managed__ T v): made by
// [NewManaged], it lies in page-locked memory of the host, which GPUs reach over their bus.
// While a kernel uses it the host must not.
type Managed[T any] struct{ v unsafe.Pointer }

// Symbol is a [Global], a [Constant] or a [Managed].
type Symbol[T any] interface {
	// Ptr is the variable's address, in a kernel.
	Ptr() *T
	isSymbol()
}

// NewGlobal makes a package variable that kernels share (HIP __device__): each device's instance
// starts with the initial value. T is made of what elements of a Buffer are.
func NewGlobal[T any](initial T) Global[T] {
	return Global[T]{unsafe.Pointer(symbol.New(symbol.Global, reflect.TypeFor[T](), unsafe.Pointer(&initial)))}
}

// NewConstant makes a package variable that kernels read (HIP __constant__).
func NewConstant[T any](initial T) Constant[T] {
	return Constant[T]{unsafe.Pointer(symbol.New(symbol.Constant, reflect.TypeFor[T](), unsafe.Pointer(&initial)))}
}

// NewManaged makes a package variable that the host and all devices share (HIP __managed__).
// T holds no pointers.
func NewManaged[T any](initial T) Managed[T] {
	if simt.HoldsPointers[T]() {
		panic("dsl.NewManaged: " + reflect.TypeFor[T]().String() + " holds pointers")
	}
	return Managed[T]{unsafe.Pointer(symbol.New(symbol.Managed, reflect.TypeFor[T](), unsafe.Pointer(&initial)))}
}

// Ptr is the variable's address, in a kernel (HIP &v).
func (g Global[T]) Ptr() *T { return (*T)(simt.Running("Global.Ptr").Symbol((*symbol.Variable)(g.v))) }

// Ptr is the variable's address, in a kernel (HIP &v), which must not write there.
func (c Constant[T]) Ptr() *T {
	return (*T)(simt.Running("Constant.Ptr").Symbol((*symbol.Variable)(c.v)))
}

// Ptr is the variable's address, in a kernel and on the host (HIP &v).
func (m Managed[T]) Ptr() *T {
	if m.v == nil {
		panic(simt.NoSymbol)
	}
	return (*T)((*symbol.Variable)(m.v).Value)
}

func (Global[T]) isSymbol()   {}
func (Constant[T]) isSymbol() {}
func (Managed[T]) isSymbol()  {}
