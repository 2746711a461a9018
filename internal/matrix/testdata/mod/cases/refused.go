package cases

import (
	"reflect"
	"unsafe"

	"heddle/kernel"
	"heddle/launch"

	"example.com/matrix/internal/inner"
)

// Func values that no kernel can be made of.

// refusal is a case whose error must mention why, and what to do.
func refusal(name, why, hint string, make func() func([]int64)) Case {
	return Case{Name: name, Refused: []string{why, hint}, Make: func(*launch.Device) Value {
		f := make()
		return With(kernel.New(f), f)
	}}
}

// alike makes its literals inside another one, where their symbols' names do not
// tell them apart, inlined or not.
func alike(a int64) func([]int64) {
	return func() func([]int64) {
		f, g := func(out []int64) { out[0] = a + 1 }, func(out []int64) { out[0] = a + 2 }
		if a == 3 {
			return f
		}
		return g
	}()
}

type storer interface{ Store([]int64) }

func reflectMade(f any) any {
	return reflect.MakeFunc(reflect.TypeOf(f), func([]reflect.Value) []reflect.Value { return nil }).Interface()
}

// atLaunch is a refusal that depends on what is captured.
func atLaunch(name, why, hint string, make func() func([]int64)) Case {
	c := refusal(name, why, hint, make)
	c.AtLaunch = true
	return c
}

// genAlike is for two instances on one line, with dictionaries of no length.
func genAlike[T ~int8 | ~int16]() func([]int64) {
	return func(out []int64) { out[0] = int64(unsafe.Sizeof(T(0))) }
}

var refusals = []Case{
	refusal("two alike literals on a line", "2 function literals", "separate lines", func() func([]int64) { return alike(Three) }),
	refusal("two instances on a line", "cannot find the type argument T", "on a line of its own", func() func([]int64) {
		f, g := genAlike[int8](), genAlike[int16]()
		if Three == 4 {
			return g
		}
		return f
	}),
	refusal("reflect.MakeFunc", "has no source", "write the kernel as a Go function", func() func([]int64) { return reflectMade(declared).(func([]int64)) }),
	refusal("reflect method", "made by reflect", "write the method value as x.Method", func() func([]int64) {
		return reflect.ValueOf(inner.Base{K: Three}).MethodByName("Store").Interface().(func([]int64))
	}),
	refusal("interface method value", "method value of an interface", "method value of the concrete value", func() func([]int64) { var s storer = inner.Base{K: Three}; return s.Store }),
	atLaunch("pointer receiver", "captured variable s", "capture the value it points to", func() func([]int64) { s := &scaler{By: Three}; return s.fillPointer }),
	atLaunch("host pointer", "captured variable p", "capture the value it points to", func() func([]int64) { p := new(int64); return func(out []int64) { out[0] = *p } }),
	atLaunch("host slice", "captured variable s", "use the Device() of a Buffer", func() func([]int64) { s := []int64{Three}; return func(out []int64) { out[0] = s[0] } }),
	refusal("map", "captured variable m: map", "use a slice", func() func([]int64) { m := map[int]int64{1: Three}; return func(out []int64) { out[0] = m[1] } }),
	refusal("channel", "captured variable c: channel", "shared or global memory", func() func([]int64) { c := make(chan int64); return func(out []int64) { out[0] = <-c } }),
	refusal("interface", "captured variable x: interface", "use a type parameter", func() func([]int64) { var x any = Three; return func(out []int64) { out[0] = x.(int64) } }),
	refusal("nil func", "captured func f is nil", "assign a function", func() func([]int64) { var f func(int64) int64; return func(out []int64) { out[0] = f(2) } }),
	refusal("write to captured", "write to captured variable a", "copy it to a local variable", func() func([]int64) { a := Three; return func(out []int64) { a++; out[0] = a } }),
}

// All are the cases of this package.
func All() (all []Case) {
	for _, list := range [][]Case{origins, methods, generics, captures, tagged, compiled, refusals} {
		all = append(all, list...)
	}
	return all
}
