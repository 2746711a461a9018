package cases

import (
	"unsafe"

	"example.com/helper"
	"heddle/kernel"
	"heddle/launch"
)

// Func values that type parameters take part in.

type celsius int64
type kelvin int64
type meters float32

func (celsius) offset() int64 { return 71 }
func (kelvin) offset() int64  { return 72 }

type offsetter interface {
	~int64
	offset() int64
}

type pair[A, B any] struct {
	First  A
	Second B
}

func (p pair[A, B]) size() int64 { return int64(unsafe.Sizeof(p)) }

type point struct{ X, Y int16 }

func genFill[T helper.Num](out []T) { out[0] = T(5) / T(2) }

func genCore[S ~[]E, E helper.Num](out S) { out[0] = E(len(out)) }

func genOffset[T offsetter](out []T) { out[0] = T(T(0).offset()) }

func genPhantom[T any](out []int64) {
	var x T
	out[0] = int64(unsafe.Sizeof(x))
}

func genPhantomMethod[T offsetter](out []int64) { out[0] = T(1).offset() }

func genArray[A [3]int64 | [5]int64](out []int64) {
	var a A
	for i := range len(a) {
		a[i] = int64(i)
	}
	for i := range len(a) {
		out[0] += a[i]
	}
	out[1] = int64(len(a))
}

func genArrayOf[T any](out []int64) {
	var a [4]T
	out[0] = int64(len(a)) * int64(unsafe.Sizeof(a))
}

type operation interface{ apply(int64) int64 }
type triple struct{}
type negate struct{}

func (triple) apply(x int64) int64 { return 3 * x }
func (negate) apply(x int64) int64 { return -x }

func genFunctor[F operation](out []int64) {
	var f F
	out[0] = f.apply(73)
}

func genNested[T helper.Num](out []T) { genInner[T, pair[T, int16]](out) }

func genInner[T helper.Num, P interface{ size() int64 }](out []T) {
	var p P
	out[0] = T(p.size())
}

func genScaler[T helper.Num](by T) func([]T) {
	return func(out []T) { out[0] = by + T(1) }
}

//go:noinline
func genScalerNoinline[T helper.Num](by T) func([]T) {
	return func(out []T) { out[0] = by + T(2) }
}

func genOffsetter[T offsetter](by T) func([]T) {
	return func(out []T) { out[0] = by + T(by.offset()) }
}

// genCaptured's T is in no signature: only the captured variable has it.
func genCaptured[T helper.Num](by T) func([]int64) {
	return func(out []int64) { out[0] = int64(by*by) + int64(unsafe.Sizeof(by)) }
}

//go:noinline
func genCapturedNoinline[T helper.Num](by T) func([]int64) {
	return func(out []int64) { out[0] = int64(by*by) + int64(unsafe.Sizeof(by)) }
}

// genBody's T is in the literal's body alone.
func genBody[T offsetter](by int64) func([]int64) {
	return func(out []int64) { out[0] = by + T(2).offset() }
}

// genNone's literal uses no type parameter.
func genNone[T any](by int64) func([]int64) {
	return func(out []int64) { out[0] = by + 74 }
}

func genNestedLiterals[T helper.Num](a T) func([]T) {
	return func(b T) func([]T) {
		return func(out []T) { out[0] = a*T(10) + b }
	}(a + T(1))
}

func genFunc[F ~func(int64) int64](f F) func([]int64) {
	return func(out []int64) { out[0] = f(75) }
}

func genPair[A, B helper.Num](p pair[A, B]) func([]A) {
	return func(out []A) { out[0] = p.First + A(p.Second) }
}

// genEmpty's instances have dictionaries of no length, which are at one address.
func genEmpty[T ~int8 | ~int16]() func([]int64) {
	return func(out []int64) { out[0] = int64(unsafe.Sizeof(T(0))) }
}

//go:noinline
func genEmptyNoinline[T ~int8 | ~int16]() func([]int64) {
	return func(out []int64) { out[0] = int64(unsafe.Sizeof(T(0))) + 10 }
}

func genSize[T any]() func([]int64) {
	return func(out []int64) {
		var a [3]T
		out[0] = int64(unsafe.Sizeof(a))
	}
}

//go:noinline
func genSizeNoinline[T any]() func([]int64) {
	return func(out []int64) {
		var a [5]T
		out[0] = int64(unsafe.Sizeof(a))
	}
}

func genThrough[T helper.Num](x T) func([]int64) { return genSize[pair[T, int8]]() }

func genThroughBody[T offsetter]() func([]int64) { return genBody[T](76) }

// genCurried uses an instance that its own type arguments do not tell.
//
//go:noinline
func genCurried[T offsetter]() func([]int64) { return genPhantomPair[pair[T, T], T] }

func genPhantomPair[P interface{ size() int64 }, T offsetter](out []int64) {
	var p P
	var x T
	out[0], out[1] = p.size(), x.offset()
}

//go:noinline
func genCurry[T helper.Num]() func([]T) { return genFill[T] }

// genTwice and genThrice are used as values on one line of generic code, one of them beside a literal, too.
func genTwice[T helper.Num](out []T) { out[0] = T(2) }

//go:noinline
func genThrice[T helper.Num](out []T) { out[0] = T(3) }

//go:noinline
func genEither[T helper.Num](first bool) func([]T) {
	f, g := genTwice[T], genThrice[T]
	if first {
		return f
	}
	return g
}

func genEitherInlined[T helper.Num](first bool) func([]T) {
	f, g := genThrice[T], genTwice[T]
	if first {
		return f
	}
	return g
}

func genOrLiteral[T helper.Num](first bool) func([]T) {
	f, g := func(out []T) { out[0] = T(4) }, genTwice[T]
	if first {
		return f
	}
	return g
}

func genOrCapturing[T helper.Num](first bool) func([]T) {
	a := Three
	f, g := func(out []T) { out[0] = T(a) }, genTwice[T]
	if first {
		return f
	}
	return g
}

func genOrLines[T helper.Num](first bool) func([]T) {
	f, g := func(out []T) {
		out[0] = T(5)
	}, genTwice[T]
	if first {
		return f
	}
	return g
}

// genBehind makes its literals behind an instance, whose closure the compiler numbers as it does theirs.
//
//go:noinline
func genBehind[T helper.Num](other bool) func([]T) {
	h := genThrice[T]
	f, g := func(out []T) { h(out) }, func(out []T) { out[1] = T(7) }
	if other {
		return g
	}
	return f
}

type genType[T helper.Num] func([]T)

type vec[T helper.Num] struct{ A, B T }

func (v vec[T]) store(out []T)         { out[0] = v.A*T(10) + v.B }
func (v *vec[T]) storePointer(out []T) { out[0] = v.A*T(20) + v.B }
func (v vec[T]) unrelated(out []int64) { out[0] = int64(v.A) + int64(unsafe.Sizeof(v)) }
func (v vec[T]) literal(by T) func([]T) {
	return func(out []T) { out[0] = v.A*by - v.B }
}

type array[T helper.Num, A [2]T | [4]T] struct{ Data A }

func (a array[T, A]) store(out []T) {
	for i := range len(a.Data) {
		out[0] += a.Data[i]
	}
}

type embedding struct {
	Z int32
	helper.Buffered[int64]
}

type linked[T any] struct {
	Value T
	Links [2]T
}

var generics = []Case{
	value("generic", func() func([]int64) { return genFill[int64] }),
	{Name: "generic float", Make: func(*launch.Device) Value { return Of(genFill[float32]) }},
	{Name: "generic named float", Make: func(*launch.Device) Value { return Of(genFill[meters]) }},
	{Name: "generic int8", Make: func(*launch.Device) Value { return Of(genFill[int8]) }},
	value("generic other module", func() func([]int64) { return helper.Fill[int64] }),
	{Name: "generic other module own type", Make: func(*launch.Device) Value { return Of(helper.Fill[celsius]) }},
	value("generic core type", func() func([]int64) { return genCore[[]int64] }),
	{Name: "generic one shape, first", Make: func(*launch.Device) Value { return Of(genOffset[celsius]) }},
	{Name: "generic one shape, second", Make: func(*launch.Device) Value { return Of(genOffset[kelvin]) }},
	{Name: "generic phantom", Make: func(*launch.Device) Value { return With(kernel.New(genPhantom[int16]), genPhantom[int16]) }},
	{Name: "generic phantom struct", Make: func(*launch.Device) Value { return With(kernel.New(genPhantom[point]), genPhantom[point]) }},
	{Name: "generic phantom instance", Make: func(*launch.Device) Value {
		return With(kernel.New(genPhantom[pair[int8, linked[point]]]), genPhantom[pair[int8, linked[point]]])
	}},
	{Name: "generic phantom unnamed struct", Make: func(*launch.Device) Value {
		return With(kernel.New(genPhantom[struct{ A, B int64 }]), genPhantom[struct{ A, B int64 }])
	}},
	{Name: "generic phantom local type", Make: func(*launch.Device) Value {
		type local [3]int16
		return With(kernel.New(genPhantom[local]), genPhantom[local])
	}},
	{Name: "generic phantom other module", Make: func(*launch.Device) Value {
		return With(kernel.New(genPhantom[helper.Pair[int8, int64]]), genPhantom[helper.Pair[int8, int64]])
	}},
	{Name: "generic phantom method, first", Make: func(*launch.Device) Value {
		return With(kernel.New(genPhantomMethod[celsius]), genPhantomMethod[celsius])
	}},
	{Name: "generic phantom method, second", Make: func(*launch.Device) Value {
		return With(kernel.New(genPhantomMethod[kelvin]), genPhantomMethod[kelvin])
	}},
	{Name: "generic array length 3", Make: func(*launch.Device) Value { return With(kernel.New(genArray[[3]int64]), genArray[[3]int64]) }},
	{Name: "generic array length 5", Make: func(*launch.Device) Value { return With(kernel.New(genArray[[5]int64]), genArray[[5]int64]) }},
	{Name: "generic array of argument", Make: func(*launch.Device) Value {
		return With(kernel.New(genArrayOf[[7]int16]), genArrayOf[[7]int16])
	}},
	{Name: "generic functor, first", Make: func(*launch.Device) Value { return With(kernel.New(genFunctor[triple]), genFunctor[triple]) }},
	{Name: "generic functor, second", Make: func(*launch.Device) Value { return With(kernel.New(genFunctor[negate]), genFunctor[negate]) }},
	value("generic nested instances", func() func([]int64) { return genNested[int64] }),
	value("generic as value in generic", func() func([]int64) { return genCurry[int64]() }),
	value("generic as value in generic, first of a line", func() func([]int64) { return genEither[int64](Three == 3) }),
	value("generic as value in generic, second of a line", func() func([]int64) { return genEither[int64](Three != 3) }),
	value("generic as value in generic, first of a line inlined", func() func([]int64) { return genEitherInlined[int64](Three == 3) }),
	value("generic as value in generic, second of a line inlined", func() func([]int64) { return genEitherInlined[int64](Three != 3) }),
	value("generic as value in generic, beside a literal", func() func([]int64) { return genOrLiteral[int64](Three != 3) }),
	value("generic as value in generic, the literal beside", func() func([]int64) { return genOrCapturing[int64](Three == 3) }),
	value("generic as value in generic, beside a literal that captures", func() func([]int64) { return genOrCapturing[int64](Three != 3) }),
	value("generic as value in generic, the literal beside on lines", func() func([]int64) { return genOrLines[int64](Three == 3) }),
	value("literals behind a func in generic, second of a line", func() func([]int64) { return genBehind[int64](Three == 3) }),
	value("literals behind a func in generic, first of a line", func() func([]int64) { return genBehind[int64](Three != 3) }),
	{Name: "generic named func type", Make: func(*launch.Device) Value {
		var f genType[int32] = genFill[int32]
		return With(kernel.New(f), f)
	}},
	value("literal in generic", func() func([]int64) { return genScaler(Three) }),
	{Name: "literal in generic, named type", Make: func(*launch.Device) Value { return Of(genScaler(meters(Three))) }},
	{Name: "literal in generic noinline", Make: func(*launch.Device) Value { return Of(genScalerNoinline(float64(Three))) }},
	{Name: "literal in generic one shape, first", Make: func(*launch.Device) Value { return Of(genOffsetter(celsius(Three))) }},
	{Name: "literal in generic one shape, second", Make: func(*launch.Device) Value { return Of(genOffsetter(kelvin(Three))) }},
	value("literal in generic other module", func() func([]int64) { return helper.Scaler(Three) }),
	{Name: "literal in generic other module, own type", Make: func(*launch.Device) Value { return Of(helper.Scaler(kelvin(Three))) }},
	value("literal in generic captured only", func() func([]int64) { return genCaptured(int16(Three)) }),
	value("literal in generic captured only, named", func() func([]int64) { return genCaptured(celsius(Three)) }),
	value("literal in generic captured only noinline", func() func([]int64) { return genCapturedNoinline(int8(Three)) }),
	value("literal in generic captured only noinline, float", func() func([]int64) { return genCapturedNoinline(float32(Three)) }),
	value("literal in generic body only, first", func() func([]int64) { return genBody[celsius](Three) }),
	value("literal in generic body only, second", func() func([]int64) { return genBody[kelvin](Three) }),
	value("literal in generic without it", func() func([]int64) { return genNone[point](Three) }),
	value("literal in generic size only", func() func([]int64) { return genSize[point]() }),
	value("literal in generic size only, other", func() func([]int64) { return genSize[[5]int64]() }),
	value("literal in generic size only noinline", func() func([]int64) { return genSizeNoinline[point]() }),
	value("literal in generic size only noinline, other", func() func([]int64) { return genSizeNoinline[[5]int64]() }),
	value("literal in generic empty dictionary", func() func([]int64) { return genEmpty[int8]() }),
	value("literal in generic empty dictionary, other", func() func([]int64) { return genEmpty[int16]() }),
	value("literal in generic empty dictionary noinline", func() func([]int64) { return genEmptyNoinline[int8]() }),
	value("literal in generic empty dictionary noinline, other", func() func([]int64) { return genEmptyNoinline[int16]() }),
	value("literal in generic in generic", func() func([]int64) { return genThrough(int32(1)) }),
	value("literal in generic in generic, method", func() func([]int64) { return genThroughBody[kelvin]() }),
	value("generic phantom as value in generic", func() func([]int64) { return genCurried[kelvin]() }),
	value("literals nested in generic", func() func([]int64) { return genNestedLiterals(Three) }),
	value("func type argument", func() func([]int64) { a := Three; return genFunc(func(x int64) int64 { return x * a }) }),
	value("func type argument named", func() func([]int64) { return genFunc(unary(helper.Square)) }),
	{Name: "literal in generic capturing instance", Make: func(*launch.Device) Value {
		return Of(genPair(pair[float32, int8]{float32(Three), 4}))
	}},
	value("generic method value", func() func([]int64) { return vec[int64]{Three, 4}.store }),
	{Name: "generic method value float", Make: func(*launch.Device) Value { return Of(vec[float32]{float32(Three), 4}.store) }},
	value("generic method value unrelated", func() func([]int64) { return vec[int8]{int8(Three), 4}.unrelated }),
	{Name: "generic method value named", Make: func(*launch.Device) Value { return Of(vec[meters]{meters(Three), 4}.store) }},
	value("generic method value other module", func() func([]int64) { return helper.Buffered[int64]{Base: Three}.Store }),
	value("generic method value promoted", func() func([]int64) {
		return embedding{1, helper.Buffered[int64]{Base: Three}}.Store
	}),
	{Name: "generic method value array", Make: func(*launch.Device) Value {
		return Of(array[int32, [4]int32]{[4]int32{1, 2, 3, int32(Three)}}.store)
	}},
	{Name: "generic method expression", Make: func(*launch.Device) Value {
		v := vec[int32]{int32(Three), 4}
		return Launched(kernel.New(vec[int32].store), v.store, func(out *launch.Buffer[int32]) []any { return []any{v, out} })
	}},
	{Name: "generic method expression pointer", Make: func(dev *launch.Device) Value {
		v := []vec[int32]{{int32(Three), 4}}
		buf := upload(dev, v)
		return Launched(kernel.New((*vec[int32]).storePointer), v[0].storePointer, func(out *launch.Buffer[int32]) []any { return []any{buf, out} })
	}},
	value("literal in generic method", func() func([]int64) { return vec[int64]{Three, 4}.literal(5) }),
	value("literal in generic method other module", func() func([]int64) { return helper.Buffered[int64]{Base: Three}.Kernel(5) }),
}

type unary func(int64) int64
