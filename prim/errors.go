package prim

import (
	"fmt"
	"reflect"
	"unsafe"

	"heddle/launch"
)

// An Error is a call's argument that is wrong. Nothing was launched.
type Error struct {
	Func   string // of this package: "Reduce"
	Arg    string // the argument: "out"
	Reason string
	// Need and Have are numbers of elements or bytes, where the reason is one of length.
	Need, Have int
}

// Error is the text, "prim.Reduce: out: too short: has 0, needs 1".
func (e *Error) Error() string {
	text := fmt.Sprintf("prim.%s: %s: %s", e.Func, e.Arg, e.Reason)
	if e.Need != 0 || e.Have != 0 {
		text += fmt.Sprintf(": has %d, needs %d", e.Have, e.Need)
	}
	return text
}

// live refuses a buffer that is nil or closed.
func live[T any](fn, arg string, b *launch.Buffer[T]) error {
	switch {
	case b == nil:
		return &Error{Func: fn, Arg: arg, Reason: "is a nil Buffer"}
	case b.On() == nil:
		return &Error{Func: fn, Arg: arg, Reason: "is not a usable Buffer (" + b.String() + ")"}
	case b.Len() > 0 && b.Pointer() == nil:
		return &Error{Func: fn, Arg: arg, Reason: "is closed"}
	}
	return nil
}

// atLeast refuses a buffer that is not live, or has fewer than n elements.
func atLeast[T any](fn, arg string, b *launch.Buffer[T], n int) error {
	if err := live(fn, arg, b); err != nil {
		return err
	}
	if b.Len() < n {
		return &Error{Func: fn, Arg: arg, Reason: "too short", Need: n, Have: b.Len()}
	}
	return nil
}

// same refuses a buffer of another length.
func same[T any](fn, arg string, b *launch.Buffer[T], n int) error {
	if err := live(fn, arg, b); err != nil {
		return err
	}
	if b.Len() != n {
		return &Error{Func: fn, Arg: arg, Reason: "has another length", Need: n, Have: b.Len()}
	}
	return nil
}

// overlap reports whether two buffers share memory.
func overlap[T, U any](a *launch.Buffer[T], b *launch.Buffer[U]) bool {
	p, q := uintptr(a.Pointer()), uintptr(b.Pointer())
	n, m := uintptr(a.Len())*unsafe.Sizeof(*new(T)), uintptr(b.Len())*unsafe.Sizeof(*new(U))
	return p != 0 && q != 0 && n != 0 && m != 0 && p < q+m && q < p+n
}

// apart refuses two buffers that share memory. Where whole is set they may be the very same.
func apart[T, U any](fn, arg string, a *launch.Buffer[T], other string, b *launch.Buffer[U], whole bool) error {
	if !overlap(a, b) || whole && a.Pointer() == b.Pointer() && unsafe.Sizeof(*new(T)) == unsafe.Sizeof(*new(U)) {
		return nil
	}
	return &Error{Func: fn, Arg: arg, Reason: "shares memory with " + other}
}

// first is the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// maxValue is the bytes of the largest value that lanes exchange.
const maxValue = 32

// exchanged refuses a type whose values lanes cannot exchange.
func exchanged[T any](fn string) error {
	if size := unsafe.Sizeof(*new(T)); size > maxValue || size == 0 {
		return &Error{Func: fn, Arg: fmt.Sprintf("type %T", *new(T)), Reason: "has no size that threads exchange: at least 1 byte and at most 32"}
	}
	return nil
}

func stream(fn string, s *launch.Stream) error {
	if s == nil {
		return &Error{Func: fn, Arg: "s", Reason: "is a nil Stream"}
	}
	return nil
}

func count(fn string, n int) error {
	if n < 0 {
		return &Error{Func: fn, Arg: "n", Reason: "is negative", Have: n}
	}
	return nil
}

// function refuses a nil func.
func function(fn, arg string, f any) error {
	if reflect.ValueOf(f).IsNil() {
		return &Error{Func: fn, Arg: arg, Reason: "is a nil func"}
	}
	return nil
}
