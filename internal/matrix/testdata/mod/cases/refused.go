package cases

import (
	"reflect"

	"heddle/kernel"
	"heddle/launch"

	"example.com/matrix/internal/inner"
)

// Func values that no kernel can be made of.

// refusal is a case whose error must mention why.
func refusal(name, why string, make func() func([]int64)) Case {
	return Case{Name: name, Refused: why, Make: func(*launch.Device) Value {
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
func atLaunch(name, why string, make func() func([]int64)) Case {
	c := refusal(name, why, make)
	c.AtLaunch = true
	return c
}

var refusals = []Case{
	refusal("two alike literals on a line", "separate lines", func() func([]int64) { return alike(Three) }),
	refusal("reflect.MakeFunc", "reflect.MakeFunc", func() func([]int64) { return reflectMade(declared).(func([]int64)) }),
	refusal("reflect method", "reflect", func() func([]int64) {
		return reflect.ValueOf(inner.Base{K: Three}).MethodByName("Store").Interface().(func([]int64))
	}),
	refusal("interface method value", "interface", func() func([]int64) { var s storer = inner.Base{K: Three}; return s.Store }),
	atLaunch("pointer receiver", "host memory", func() func([]int64) { s := &scaler{By: Three}; return s.fillPointer }),
	atLaunch("host pointer", "host memory", func() func([]int64) { p := new(int64); return func(out []int64) { out[0] = *p } }),
	atLaunch("host slice", "host memory", func() func([]int64) { s := []int64{Three}; return func(out []int64) { out[0] = s[0] } }),
	refusal("string", "string", func() func([]int64) { s := string(rune(Three)); return func(out []int64) { out[0] = int64(len(s)) } }),
	refusal("map", "map", func() func([]int64) { m := map[int]int64{1: Three}; return func(out []int64) { out[0] = m[1] } }),
	refusal("channel", "channel", func() func([]int64) { c := make(chan int64); return func(out []int64) { out[0] = <-c } }),
	refusal("interface", "interface", func() func([]int64) { var x any = Three; return func(out []int64) { out[0] = x.(int64) } }),
	refusal("nil func", "nil", func() func([]int64) { var f func(int64) int64; return func(out []int64) { out[0] = f(Three) } }),
	refusal("write to captured", "write to captured", func() func([]int64) { a := Three; return func(out []int64) { a++; out[0] = a } }),
}

// All are the cases of this package.
func All() (all []Case) {
	for _, list := range [][]Case{origins, methods, generics, captures, tagged, compiled, refusals} {
		all = append(all, list...)
	}
	return all
}
