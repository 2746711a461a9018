// Package lib holds functions in every form a kernel may have, for the tests of
// package source: they are called, and inlined, from other packages.
package lib

import (
	"embed"
	"math"
)

// Sources are this package's own files.
//
//go:embed *.go
var Sources embed.FS

// ID marks the function it is called in, so that a test can tell which one was found.
func ID(string) {}

// Num is what the generic functions here are made for.
type Num interface{ ~float32 | ~float64 | ~int32 }

// Global is a literal in a package variable.
var Global = func(x int) int { ID("global"); return x + 7 }

// Table holds literals in one initialiser.
var Table = map[string]func(int) int{
	"a": func(x int) int { ID("tableA"); return x + 1 },
	"b": func(x int) int { ID("tableB"); return x + 2 },
}

// Nested is a literal returned by a literal in an initialiser.
var Nested = func() func(int) int {
	return func(x int) int { ID("nested"); return x * 2 }
}()

// InInit is set by an init function.
var InInit func(int) int

func init() {
	InInit = func(x int) int { ID("inInit"); return x - 1 }
}

// MakeAdder is small enough to be inlined into other packages.
func MakeAdder(a int) func(int) int {
	return func(x int) int { ID("adder"); return x + a }
}

// MakeTwo returns two literals of one type from one line.
func MakeTwo(a int) (func(int) int, func(int) int) {
	return func(x int) int { return x + a }, func(x int) int { return x - a }
}

const debug = false

// AfterDead returns two alike literals after one in dead code, which the
// compiler does not number.
//
//go:noinline
func AfterDead(a int) (f, g func(int) int) {
	if debug {
		return func(x int) int { ID("dead"); return x * a }, nil
	}
	f, g = func(x int) int { ID("afterDead1"); return x + a }, func(x int) int { ID("afterDead2"); return x - a }
	return f, g
}

// AfterCalls returns two alike literals after others that are called in every way.
//
//go:noinline
func AfterCalls(a int) (f, g func(int) int) {
	defer func() { ID("deferred") }()
	func() { a++ }()
	done := make(chan int)
	go func() { done <- 1 }()
	a += <-done
	f, g = func(x int) int { ID("afterCalls1"); return x + a }, func(x int) int { ID("afterCalls2"); return x - a }
	return f, g
}

// MakeNoinline is never inlined.
//
//go:noinline
func MakeNoinline(a int) func(int) int {
	return func(x int) int { ID("noinline"); return x + a }
}

// MakeDeep nests two literals.
func MakeDeep(a int) func(int) func(int) int {
	return func(b int) func(int) int {
		return func(x int) int { ID("deep"); return x + a*b }
	}
}

// Small is inlined wherever it is called.
func Small(x int) int { ID("small"); return x * 3 }

// Leaf's literal begins with an inlined callee of another file.
func Leaf(a int) func(int) int {
	return func(x int) int {
		x = otherFile(x)
		ID("leaf")
		return x + a
	}
}

// GenAdder returns a literal in a generic function.
func GenAdder[T Num](a T) func(T) T {
	ID("genAdderFunc")
	return func(x T) T { ID("genAdder"); return x + a }
}

// Reduce is generic; its signature tells T.
func Reduce[T Num](xs []T) T {
	ID("reduce")
	var s T
	for _, x := range xs {
		s += x
	}
	return s
}

// Phantom has a type argument that its signature does not mention.
func Phantom[K any, T Num](xs []T) T {
	ID("phantom")
	var k K
	_ = k
	return xs[0]
}

// PhantomLit returns a literal whose type does not mention K.
func PhantomLit[K any, T Num](a T) func(T) T {
	return func(x T) T {
		ID("phantomLit")
		var k K
		_ = k
		return x * a
	}
}

// Unused returns a literal that its type parameters make no difference to.
//
//go:noinline
func Unused[K any, S Scaled](a int) func(int) int {
	return func(x int) int { ID("unused"); return x + a }
}

// MakeUnused calls it from generic code.
func MakeUnused[S Scaled](a int) func(int) int { return Unused[[2]S, S](a) }

// Nullary mentions no type argument at all.
func Nullary[T Num]() { ID("nullary"); _ = T(1) }

// Curry uses a generic function as a value in generic code.
//
//go:noinline
func Curry[T Num]() func([]T) T { return Reduce[T] }

// Scaled has a method that generic code calls.
type Scaled interface {
	Num
	Scale() float32
}

// Fill calls a method through its type parameter.
func Fill[S Scaled](dst []float32, xs []S) {
	ID("fill")
	for i := range dst {
		dst[i] = xs[i].Scale()
	}
}

// Vec is a generic type with methods.
type Vec[T Num] struct{ D []T }

// Sum has a value receiver.
func (v Vec[T]) Sum() T { ID("vecSum"); return Reduce(v.D) }

// PSum has a pointer receiver.
func (v *Vec[T]) PSum(k T) T { ID("vecPSum"); return Reduce(v.D) * k }

// Len does not mention T.
func (v *Vec[T]) Len() int { ID("vecLen"); return len(v.D) }

// Kern returns a literal in a method of a generic type.
func (v Vec[T]) Kern(off T) func(T) T {
	return func(x T) T { ID("vecKern"); return v.D[0]*x + off }
}

// Plain has methods.
type Plain struct{ K int }

// Mul has a value receiver.
func (p Plain) Mul(x int) int { ID("mul"); return x * p.K }

// PMul has a pointer receiver.
func (p *Plain) PMul(x int) int { ID("pmul"); return x * p.K }

// Emb promotes Plain's methods.
type Emb struct {
	Z int
	Plain
}

// Muler is implemented by Plain.
type Muler interface{ Mul(int) int }

// Weights is only ever read.
var Weights = [...]float32{1, 2, 3}

// Counter is assigned by Bump.
var Counter int

// Bump changes Counter.
func Bump() { Counter++ }

// Hypotenuse calls the standard library.
func Hypotenuse(y []float64) { y[0] = math.Hypot(y[0], math.Sin(y[1])) }
