package cases

import (
	"unsafe"

	"example.com/helper"
	"heddle/launch"

	"example.com/matrix/internal/inner"
)

// Func values where several things come together.

type twins[T any] = pair[T, T]

type pointing struct{ *inner.Base }

type tree[T helper.Num] struct {
	Leaf T
	Subs [2]struct{ Leaf T }
}

func (t *tree[T]) literal(by T) func([]T) {
	leaf, subs := t.Leaf, t.Subs
	return func(out []T) { out[0] = leaf*by + subs[1].Leaf }
}

type embeddingGeneric[T helper.Num] struct {
	Z int8
	vec[T]
}

func genLocal[T helper.Num](x T) func([]T) {
	type box struct {
		small int8
		value T
	}
	b := box{3, x}
	return func(out []T) { out[0] = b.value + T(b.small) }
}

func genInside[T helper.Num](x T) func([]T) {
	type box struct {
		small int8
		value [2]T
	}
	return func(out []T) {
		b := box{4, [2]T{x, 5}}
		out[0] = b.value[0] + b.value[1] + T(b.small)
	}
}

func genLarge[T helper.Num](x T) func([]T) {
	var a [70]T
	a[69] = x
	return func(out []T) { out[0] = a[69] + a[0] }
}

func genChanged[T helper.Num](x T) (func([]T), func()) {
	y := pair[int8, T]{1, x}
	return func(out []T) { out[0] = x + y.Second }, func() { x, y.Second = x+1, 40 }
}

func genLoop[T helper.Num](x T) (f func([]T)) {
	for i := range 3 {
		f = func(out []T) { out[i] = x * T(i) }
	}
	return f
}

func genFuncs[T helper.Num](x T) func([]T) {
	f := func(y T) T { return y*x + T(1) }
	g := func(y T) T { return f(f(y)) }
	return func(out []T) { out[0] = g(2) }
}

func genApply[T helper.Num](f func(T) T) func([]T) {
	return func(out []T) { out[0] = f(6) }
}

func genDouble[T helper.Num](x T) T { return x + x + T(unsafe.Sizeof(x)) }

func genMethodValue[T helper.Num](v vec[T]) func([]T) { return v.store }

// atStart is made while the package is initialised.
var atStart = genScaler(Three + 200)

// phantoms are in static data: no code names them.
var phantoms = [...]func([]int64){genStatic[int8], genStatic[int16]}

func genStatic[T any](out []int64) {
	var x T
	out[0] = int64(unsafe.Sizeof(x)) + 20
}

type carrying struct{ storer }

var more = []Case{
	value("global of generic", func() func([]int64) { return atStart }),
	value("generic alias", func() func([]int64) {
		a := twins[int64]{Three, 4}
		return func(out []int64) { out[0] = a.First*10 + a.Second }
	}),
	{Name: "generic alias as argument", Make: func(*launch.Device) Value {
		return Of(genPair(twins[float32]{float32(Three), 4}))
	}},
	value("method value promoted through pointer", func() func([]int64) { return pointing{&inner.Base{K: Three}}.Store }),
	value("generic method value promoted, own type", func() func([]int64) {
		return embeddingGeneric[int64]{1, vec[int64]{Three, 4}}.store
	}),
	value("literal in generic pointer method", func() func([]int64) {
		t := tree[int64]{Leaf: Three}
		t.Subs[1].Leaf = 7
		return t.literal(9)
	}),
	value("local type in generic, captured", func() func([]int64) { return genLocal(Three) }),
	{Name: "local type in generic, captured, float", Make: func(*launch.Device) Value { return Of(genLocal(float32(Three))) }},
	value("local type in generic, inside", func() func([]int64) { return genInside(Three) }),
	{Name: "local type in generic, inside, float", Make: func(*launch.Device) Value { return Of(genInside(float32(Three))) }},
	value("large in generic", func() func([]int64) { return genLarge(Three) }),
	{Name: "large in generic, small type", Make: func(*launch.Device) Value { return Of(genLarge(int8(Three))) }},
	{Name: "changed in generic", Make: func(*launch.Device) Value {
		f, step := genChanged(Three)
		return Of(f).Then(step).Then(step)
	}},
	{Name: "changed in generic, named type", Make: func(*launch.Device) Value {
		f, step := genChanged(celsius(Three))
		return Of(f).Then(step)
	}},
	value("loop variable in generic", func() func([]int64) { return genLoop(Three) }),
	value("funcs in generic", func() func([]int64) { return genFuncs(Three) }),
	{Name: "funcs in generic, float", Make: func(*launch.Device) Value { return Of(genFuncs(float32(Three))) }},
	value("generic func captured", func() func([]int64) { return genApply(genDouble[int64]) }),
	{Name: "generic func captured, small", Make: func(*launch.Device) Value { return Of(genApply(genDouble[int16])) }},
	value("literal captured in generic", func() func([]int64) { a := Three; return genApply(func(x int64) int64 { return x * a }) }),
	refusal("method value in generic", "method value store of a generic type", "function literal", func() func([]int64) {
		return genMethodValue(vec[int64]{Three, 4})
	}),
	refusal("literal beside an instance in generic, alike", "several funcs", "separate lines", func() func([]int64) { return genOrLiteral[int64](Three == 3) }),
	orRight("generic in static data", "cannot find the type argument T", "spelled out", func() func([]int64) { return phantoms[1] }),
	refusal("interface promoted", "method value of an interface", "method value of the concrete value", func() func([]int64) {
		return carrying{inner.Base{K: Three}}.Store
	}),
}
