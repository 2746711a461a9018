package fuzz

//lint:file-ignore U1000 batches of kernels call what is here

import "math"

// What generated kernels call besides their own functions. These are kernel
// code too.

type integers interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}

type floats interface{ ~float32 | ~float64 }

// bit is 1 for true.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// bits32 are a float's bits. NaNs are all alike.
func bits32(f float32) uint64 {
	if f != f {
		return 0x7fc00000
	}
	return uint64(math.Float32bits(f))
}

// bits64 are a float's bits. NaNs are all alike.
func bits64(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f)
}

// str tells strings apart.
func str(s string) uint64 {
	h := uint64(len(s))
	for i := range len(s) {
		h = h*31 + uint64(s[i])
	}
	return h
}

// number replaces NaN, whose sign is not defined.
func number[F floats](f F) F {
	if f != f {
		return 1
	}
	return f
}

func numbers64(c complex64) complex64    { return complex(number(real(c)), number(imag(c))) }
func numbers128(c complex128) complex128 { return complex(number(real(c)), number(imag(c))) }

// variable is f, and no constant, which would have to fit what it is converted to.
func variable[F floats](f F) F { return f }

// taken is what x holds if that is a T, else other.
func taken[T any](x any, other T) T {
	switch v := x.(type) {
	case T:
		return v
	case interface{ none() T }:
		return v.none()
	}
	return other
}

// A box is known by its method.
type box[T any] struct{ v T }

func (b *box[T]) get() T { return b.v }

func open[T any](b interface{ get() T }) T {
	c := b.get
	return pick(b != nil, c(), *new(T))
}

func through[T any](x T) T {
	var b any = &box[T]{x}
	if o, ok := b.(interface{ get() T }); ok {
		return open(o)
	}
	return *new(T)
}

// pick is a conditional expression.
func pick[T any](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}

// at is an element of a slice of any length.
func at[T any](s []T, i uint64) T {
	if len(s) == 0 {
		var zero T
		return zero
	}
	return s[i%uint64(len(s))]
}

// part is a substring, whatever the bounds.
func part(s string, i, j uint64) string {
	n := uint64(len(s)) + 1
	lo, hi := i%n, j%n
	if lo > hi {
		lo, hi = hi, lo
	}
	return s[lo:hi]
}

// window is a slice of a slice, whatever the bounds.
func window[T any](s []T, i, j uint64) []T {
	n := uint64(cap(s)) + 1
	lo, hi := i%n, j%n
	if lo > hi {
		lo, hi = hi, lo
	}
	return s[lo:hi]
}

// fold calls f for every number below n.
func fold[T any](n int, acc T, f func(T, int) T) T {
	for i := range n {
		acc = f(acc, i)
	}
	return acc
}

// ops holds funcs, of which g may be nil.
type ops[T any] struct {
	f, g func(T) T
	by   T
	n    int
}

func (o ops[T]) get(T) T { return o.by }

func (o ops[T]) do(x T) T {
	if o.g != nil && o.n%2 == 1 {
		x = o.g(x)
	}
	return o.f(x)
}

func (o *ops[T]) at(x T) T {
	o.n++
	return o.do(o.f(x))
}

func (o ops[T]) turned() ops[T] {
	if o.g != nil {
		o.f, o.g = o.g, o.f
	}
	return o
}

func (o ops[T]) then(f func(T) T) ops[T] {
	first := o.f
	o.f = func(x T) T { return f(first(x)) }
	return o
}

// chosen is one of several funcs.
func chosen[T any](n uint, fs ...func(T) T) func(T) T { return fs[n%uint(len(fs))] }

// always makes a func that returns x.
func always[T any](x T) func(T) T { return func(T) T { return x } }

func same[T any](x T) T { return x }

// twice calls f two times.
func twice(f func()) {
	f()
	f()
}

// upto yields 0 to n-1.
func upto(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// backward yields a slice's elements from the end.
func backward[T any](s []T) func(yield func(int, T) bool) {
	return func(yield func(int, T) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

// A pair is a generic struct with methods.
type pair[A, B any] struct {
	X A
	Y B
}

func (p pair[A, B]) swap() pair[B, A] { return pair[B, A]{p.Y, p.X} }

func (p *pair[A, B]) set(x A, y B) (old A) {
	old = p.X
	p.X, p.Y = x, y
	return old
}
