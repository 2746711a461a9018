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

// orRight is a refusal only where the binary has no symbol table: else the func
// value is found, and must be the right one.
func orRight(name, why, hint string, make func() func([]int64)) Case {
	c := refusal(name, why, hint, make)
	c.OrRight = true
	return c
}

// genLone, genPicked and genBeside are for instances that share a statement.
func genLone[T any](out []int64) {
	var x T
	out[0] = int64(unsafe.Sizeof(x))
}

func genPicked[T any](out []int64) {
	var x T
	out[0] = int64(unsafe.Sizeof(x)) + 10
}

func genBeside[T offsetter](by int64) func([]int64) {
	return func(out []int64) { out[0] = by + T(3).offset() }
}

//go:noinline
func second(_, f func([]int64)) func([]int64) { return f }

// picked names another instance where it uses f.
func picked(f func([]int64)) func([]int64) { return second(genPicked[int8], f) }

var refusals = []Case{
	orRight("instances in a statement", "cannot find the type argument T", "spelled out", func() func([]int64) {
		return second(genLone[int8],
			genLone[int16])
	}),
	orRight("instances in an inlined function", "cannot find the type argument T", "spelled out", func() func([]int64) {
		return picked(genPicked[int16])
	}),
	{Name: "instance that a call returns", Refused: []string{"cannot find the type argument T", "spelled out"}, OrRight: true, Make: func(*launch.Device) Value {
		f := picked(genPicked[int16])
		return With(kernel.New(second(genPicked[int8], f)), f)
	}},
	orRight("instances side by side", "cannot find the type argument T", "on a line of its own", func() func([]int64) {
		return second(genBeside[celsius](Three), genBeside[kelvin](Three))
	}),
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
	refusal("captured map", "captured variable m: map", "use a slice", func() func([]int64) { m := map[int]int64{1: Three}; return func(out []int64) { out[0] = m[1] } }),
	refusal("captured channel", "captured variable c: channel", "shared or global memory", func() func([]int64) { c := make(chan int64); return func(out []int64) { out[0] = <-c } }),
	refusal("captured interface", "captured variable x: interface", "use a type parameter", func() func([]int64) { var x any = Three; return func(out []int64) { out[0] = x.(int64) } }),
	refusal("nil func", "captured func f is nil", "assign a function", func() func([]int64) { var f func(int64) int64; return func(out []int64) { out[0] = f(2) } }),
	refusal("write to captured", "write to captured variable a", "copy it to a local variable", func() func([]int64) { a := Three; return func(out []int64) { a++; out[0] = a } }),
}

// All are the cases of this package.
func All() (all []Case) {
	for _, list := range [][]Case{origins, methods, generics, captures, more, tagged, compiled, symbols, refusals} {
		all = append(all, list...)
	}
	return all
}
