package cases

import (
	"example.com/helper"
	"example.com/matrix/internal/inner"
	"heddle/launch"
)

// Func values of every origin: declared, literal, inlined, initialiser.

// Three is 3, but the compiler cannot know it.
var Three = func() int64 { return int64(len(sourcesOf)) }()

var sourcesOf = []string{"a", "b", "c"}

func init() {
	if len(sources2()) > 0 {
		sourcesOf = append(sourcesOf, "d")
	}
}

//go:noinline
func sources2() []string { return nil }

// value is a case whose func value needs no device.
func value(name string, make func() func([]int64)) Case {
	return Case{Name: name, Make: func(*launch.Device) Value { return Of(make()) }}
}

func declared(out []int64) { out[0] = out[0] + 1 }

// Declared is exported.
func Declared(out []int64) { out[0] = helper.Twice(inner.Half(40)) + 2 }

//go:noinline
func notInlined(out []int64) { out[2] = 3 }

var global = func(out []int64) { out[0] = 4 }

var globalTable = map[string]func([]int64){
	"a": func(out []int64) { out[0] = 5 },
	"b": func(out []int64) { out[0] = 6 },
}

var globalSlice = []func([]int64){
	func(out []int64) { out[0] = 7 },
	func(out []int64) { out[0] = 8 },
}

var globalStruct = struct {
	n int
	f func([]int64)
}{9, func(out []int64) { out[0] = 9 }}

var globalNested = [2]struct{ fs map[int]func([]int64) }{
	{map[int]func([]int64){0: func(out []int64) { out[1] = 10 }}},
	{map[int]func([]int64){0: func(out []int64) { out[1] = 11 }}},
}

var globalCalled = func() func([]int64) {
	return func(out []int64) { out[1] = 12 }
}()

var globalCapturing = func(a int64) func([]int64) {
	return func(out []int64) { out[1] = 13 * a }
}(Three)

var globalA, globalB = func(out []int64) { out[1] = 14 },
	func(out []int64) { out[1] = 15 }

var inInit, inInit2 func([]int64)

func init() {
	inInit = func(out []int64) { out[0] = 16 }
}

func init() {
	a := Three
	inInit2 = func(out []int64) { out[0] = 17 * a }
}

type fill func([]int64)

type holder struct {
	f    func([]int64)
	list []func([]int64)
}

func adder(a int64) func([]int64) {
	return func(out []int64) { out[0] += a + 18 }
}

//go:noinline
func adderNoinline(a int64) func([]int64) {
	return func(out []int64) { out[0] += a + 19 }
}

func twoMakers(a int64) (func([]int64), func(int64) func([]int64)) {
	return adder(a), func(b int64) func([]int64) { return func(out []int64) { out[0] = a*100 + b } }
}

func passed(f func([]int64)) func([]int64) { return passedOn(f) }

//go:noinline
func passedOn(f func([]int64)) func([]int64) { return f }

func each(yield func(int64) bool) {
	for i := range Three {
		if !yield(i + 20) {
			return
		}
	}
}

// origins are the func values of functions and literals without type parameters.
var origins = []Case{
	value("declared", func() func([]int64) { return declared }),
	value("declared exported", func() func([]int64) { return Declared }),
	value("declared noinline", func() func([]int64) { return notInlined }),
	value("declared internal package", func() func([]int64) { return inner.Declared }),
	value("declared other module", func() func([]int64) { return helper.Declared }),
	value("global", func() func([]int64) { return global }),
	value("global map", func() func([]int64) { return globalTable["b"] }),
	value("global slice", func() func([]int64) { return globalSlice[1] }),
	value("global struct", func() func([]int64) { return globalStruct.f }),
	value("global nested", func() func([]int64) { return globalNested[1].fs[0] }),
	value("global called", func() func([]int64) { return globalCalled }),
	value("global capturing", func() func([]int64) { return globalCapturing }),
	value("global pair, first", func() func([]int64) { return globalA }),
	value("global pair, second", func() func([]int64) { return globalB }),
	value("global internal package", func() func([]int64) { return inner.Global }),
	value("global other module", func() func([]int64) { return helper.Global }),
	value("global map other module", func() func([]int64) { return helper.Table["b"] }),
	value("init", func() func([]int64) { return inInit }),
	value("init capturing", func() func([]int64) { return inInit2 }),
	value("init other module", func() func([]int64) { return helper.InInit }),
	value("literal", func() func([]int64) { return func(out []int64) { out[0] = 21 } }),
	value("literal capturing", func() func([]int64) { a := Three; return func(out []int64) { out[0] = 22 + a } }),
	value("literal nested 2", func() func([]int64) {
		a := Three
		return func() func([]int64) {
			b := a + 1
			return func(out []int64) { out[0] = a*10 + b }
		}()
	}),
	value("literal nested 3", func() func([]int64) {
		a := Three
		two := func(b int64) func(int64) func([]int64) {
			return func(c int64) func([]int64) {
				return func(out []int64) { out[0] = a + b*10 + c*100 }
			}
		}
		return two(4)(5)
	}),
	value("literal nested 4", func() func([]int64) { return inner.Deep(Three)(6)(7) }),
	value("inlined", func() func([]int64) { return adder(Three) }),
	value("inlined twice", func() func([]int64) { f, _ := twoMakers(Three); return f }),
	value("inlined result of result", func() func([]int64) { _, f := twoMakers(Three); return f(8) }),
	value("inlined from internal package", func() func([]int64) { return inner.Adder(Three) }),
	value("inlined from internal package twice", func() func([]int64) { return inner.Outer(Three) }),
	value("inlined from other module", func() func([]int64) { return helper.Adder(Three) }),
	value("returned noinline", func() func([]int64) { return adderNoinline(Three) }),
	value("returned noinline other module", func() func([]int64) { return helper.AdderNoinline(Three) }),
	value("inlined callee first", func() func([]int64) { return inner.Leaf(Three) }),
	value("variable", func() func([]int64) {
		f := func(out []int64) { out[0] = 23 }
		g := f
		return g
	}),
	value("variable reassigned", func() func([]int64) {
		f, a := declared, Three
		if a == 3 {
			f = func(out []int64) { out[0] = 24 + a }
		}
		return f
	}),
	value("struct field", func() func([]int64) {
		h := &holder{f: func(out []int64) { out[0] = 25 }}
		return h.f
	}),
	value("slice", func() func([]int64) {
		var h holder
		for i := range Three {
			h.list = append(h.list, func(out []int64) { out[0] = 26 + i })
		}
		return h.list[1]
	}),
	value("map", func() func([]int64) {
		return map[string]func([]int64){"x": func(out []int64) { out[0] = 27 }}["x"]
	}),
	value("channel", func() func([]int64) {
		c, a := make(chan func([]int64), 1), Three
		c <- func(out []int64) { out[0] = 28 * a }
		return <-c
	}),
	value("interface", func() func([]int64) {
		var x any = func(out []int64) { out[0] = 29 }
		return x.(func([]int64))
	}),
	value("pointer", func() func([]int64) {
		f := func(out []int64) { out[0] = 30 }
		p := &f
		return *p
	}),
	value("passed through", func() func([]int64) { a := Three; return passed(func(out []int64) { out[0] = 41 + a }) }),
	value("named type", func() func([]int64) {
		var f fill = func(out []int64) { out[0] = 42 }
		return f
	}),
	{Name: "named type as kernel", Make: func(*launch.Device) Value {
		var f fill = func(out []int64) { out[0] = 43 }
		return namedKernel(f)
	}},
	value("deferred", func() (f func([]int64)) {
		a := Three
		defer func() { f = func(out []int64) { out[0] = 44 + a } }()
		return nil
	}),
	value("goroutine", func() func([]int64) {
		c := make(chan func([]int64))
		go func() { a := Three; c <- func(out []int64) { out[0] = 45 + a } }()
		return <-c
	}),
	value("called at once", func() func([]int64) {
		return func(a int64) func([]int64) { return func(out []int64) { out[0] = 46 + a } }(Three)
	}),
	value("switch", func() func([]int64) {
		switch a := Three; a {
		case 3:
			return func(out []int64) { out[0] = 47 + a }
		default:
			return func(out []int64) { out[0] = 48 + a }
		}
	}),
	value("range over func", func() (f func([]int64)) {
		for a := range each {
			f = func(out []int64) { out[0] = 49 + a }
		}
		return f
	}),
	value("several lines", func() func([]int64) {
		a := Three
		return func(
			out []int64,
		) {
			out[0] = 50 + a
		}
	}),
	value("two types on a line", func() func([]int64) {
		g, f := func(out []int32) { out[0] = 51 }, func(out []int64) { out[0] = 52 }
		g(make([]int32, 1))
		return f
	}),
	value("in a method", func() func([]int64) { return inner.Base{K: Three}.Maker() }),
	value("line directive", func() func([]int64) { return renamed(Three) }),
}
