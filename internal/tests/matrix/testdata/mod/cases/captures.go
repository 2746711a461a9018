package cases

import (
	"math"

	"example.com/helper"
	"heddle/kernel"
	"heddle/launch"
)

// Captured variables of every type that may cross, and in every way.

type inner2 struct {
	A int8
	B int64
	C [3]struct{ D, E uint16 }
}

type record struct {
	Flag  bool
	Small uint8
	In    inner2
	F     float32
	Z     complex64
	None  struct{}
	Last  bool
}

type alias = inner2

type number16 uint16

const text = "heddle"

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func parameter(a int64, b int8) func([]int64) {
	return func(out []int64) { out[0] = a*100 + int64(b) }
}

//go:noinline
func parameterReassigned(a int64) func([]int64) {
	a += 5
	return func(out []int64) { out[0] = a }
}

//go:noinline
func namedResult() (f func([]int64), a int64) {
	a = Three
	f = func(out []int64) { out[0] = a + 81 }
	return f, a
}

func genBuffer[T helper.Num](b *launch.Buffer[T]) func([]T) {
	return func(out []T) { out[0] = b.Device()[1] * T(b.Len()) }
}

// specialized makes a Value of a func some of whose captured variables become
// constants.
func specialized(f func([]int64), names ...string) Value {
	return With(kernel.NewWith(f, kernel.Options{Specialize: names}), f)
}

// changing is a case that is launched again after each step.
func changing(name string, make func() (func([]int64), []func())) Case {
	return Case{Name: name, Make: func(*launch.Device) Value {
		f, steps := make()
		v := Of(f)
		v.Steps = steps
		return v
	}}
}

var captures = []Case{
	value("bool", func() func([]int64) {
		a, b := Three == 3, Three == 4
		return func(out []int64) { out[0] = b2i(a)*2 + b2i(b) }
	}),
	value("int", func() func([]int64) { a := -int(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("int8", func() func([]int64) { a := -int8(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("int16", func() func([]int64) { a := -int16(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("int32", func() func([]int64) { a := -int32(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("int64", func() func([]int64) { a := -Three << 40; return func(out []int64) { out[0] = a } }),
	value("uint", func() func([]int64) { a := ^uint(Three); return func(out []int64) { out[0] = int64(a >> 1) } }),
	value("uint8", func() func([]int64) { a := ^uint8(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("uint16", func() func([]int64) { a := ^uint16(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("uint32", func() func([]int64) { a := ^uint32(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("uint64", func() func([]int64) { a := ^uint64(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("float32", func() func([]int64) {
		a := float32(Three) / 7
		return func(out []int64) { out[0] = int64(math.Float32bits(a)) }
	}),
	value("float64", func() func([]int64) {
		a := float64(Three) / 7
		return func(out []int64) { out[0] = int64(math.Float64bits(a)) }
	}),
	value("complex64", func() func([]int64) {
		a := complex(float32(Three), -4)
		return func(out []int64) { out[0], out[1] = int64(real(a)), int64(imag(a)) }
	}),
	value("complex128", func() func([]int64) {
		a := complex(float64(Three), -4)
		return func(out []int64) { out[0], out[1] = int64(real(a*a)), int64(imag(a*a)) }
	}),
	value("rune and byte", func() func([]int64) {
		a, b := 'x', byte(Three)
		return func(out []int64) { out[0] = int64(a) + int64(b) }
	}),
	value("named type captured", func() func([]int64) { a := number16(Three); return func(out []int64) { out[0] = int64(a) } }),
	value("padding", func() func([]int64) {
		a, b, c, d, e := int8(Three), Three<<33, uint16(Three+1), true, float32(Three)
		return func(out []int64) {
			out[0], out[1], out[2] = int64(a), b, int64(c)
			if d {
				out[3] = int64(e)
			}
		}
	}),
	value("order of use", func() func([]int64) {
		a, b, c := Three, Three*2, Three*3
		return func(out []int64) { out[0], out[1], out[2] = c, a, b }
	}),
	value("array", func() func([]int64) {
		a := [5]int16{1, 2, 3, 4, int16(Three)}
		return func(out []int64) { out[0] = int64(a[0]) + int64(a[4])*10 }
	}),
	value("array nested", func() func([]int64) {
		a := [2][3]int64{{1, 2, 3}, {4, 5, Three}}
		return func(out []int64) { out[0] = a[1][2]*10 + a[0][1] }
	}),
	value("array of one", func() func([]int64) {
		a := [1]float32{float32(Three)}
		return func(out []int64) { out[0] = int64(a[0]) }
	}),
	value("struct", func() func([]int64) {
		a := struct{ X, Y int64 }{Three, 4}
		return func(out []int64) { out[0] = a.X*10 + a.Y }
	}),
	value("struct nested", func() func([]int64) {
		var a record
		a.In.B, a.In.C[2].E, a.Z, a.Last, a.Small = Three, 7, 2-3i, true, 200
		return func(out []int64) {
			out[0], out[1], out[2] = a.In.B, int64(a.In.C[2].E), int64(imag(a.Z))
			out[3], out[4] = b2i(a.Last)*2+b2i(a.Flag), int64(a.Small)
		}
	}),
	value("struct empty", func() func([]int64) {
		a, b := struct{}{}, Three
		return func(out []int64) {
			if a == struct{}{} {
				out[0] = b
			}
		}
	}),
	value("struct of generic type", func() func([]int64) {
		a := helper.Pair[int8, float32]{First: int8(Three), Second: 4}
		return func(out []int64) { out[0] = a.Sum() }
	}),
	value("alias", func() func([]int64) { a := alias{A: int8(Three)}; return func(out []int64) { out[0] = int64(a.A) } }),
	value("constant string", func() func([]int64) {
		const local = text + "!"
		a := Three
		return func(out []int64) { out[0] = int64(len(local)) + int64(local[a]) }
	}),
	value("string", func() func([]int64) {
		s := text + string(rune('a'+Three))
		return func(out []int64) { out[0] = int64(len(s))*1000 + int64(s[6]) }
	}),
	{Name: "buffer", Make: func(dev *launch.Device) Value {
		b, k := upload(dev, []int64{Three, 5, 6}), Three
		data := b.Device()
		return Launched(kernel.New(func(out []int64) { out[0] = b.Device()[1]*k + int64(b.Len()) }),
			func(out []int64) { out[0] = data[1]*k + 3 }, func(out *launch.Buffer[int64]) []any { return []any{out} })
	}},
	{Name: "buffer of structs", Make: func(dev *launch.Device) Value {
		b := upload(dev, []inner2{{}, {A: int8(Three), B: 7}})
		return Of(func(out []int64) { out[0] = b.Device()[1].B*10 + int64(b.Device()[1].A) })
	}},
	{Name: "buffer replaced", Make: func(dev *launch.Device) Value {
		b := upload(dev, []int64{Three, 5})
		return Of(func(out []int64) { out[0] = b.Device()[1] }).Then(func() { b = upload(dev, []int64{1, 8}) })
	}},
	{Name: "buffer in generic", Make: func(dev *launch.Device) Value {
		return Of(genBuffer(upload(dev, []float32{1, float32(Three)})))
	}},
	{Name: "device pointer", Make: func(dev *launch.Device) Value {
		p := &device(dev, inner2{}, inner2{A: int8(Three), B: 7})[1]
		return Of(func(out []int64) { out[0] = p.B*10 + int64(p.A) })
	}},
	{Name: "device slice", Make: func(dev *launch.Device) Value {
		a := device(dev, Three, 5, 6)
		return Of(func(out []int64) { out[0] = a[0]*100 + a[1]*10 + int64(len(a)) })
	}},
	{Name: "device slices", Make: func(dev *launch.Device) Value {
		a, b, c := device(dev, float32(Three), 5), device[int8](dev, 1, 2, 3), int16(Three)
		return Of(func(out []int64) { out[0] = int64(a[1])*100 + int64(b[2])*10 + int64(len(a)) + int64(c) })
	}},
	{Name: "device slice of slice", Make: func(dev *launch.Device) Value {
		a := device(dev, Three, 5, 6, 7)[1:3]
		return Of(func(out []int64) { out[0] = a[1]*10 + int64(len(a)) })
	}},
	{Name: "device slice of structs", Make: func(dev *launch.Device) Value {
		a := device(dev, inner2{}, inner2{A: int8(Three), B: 7})
		return Of(func(out []int64) { out[0] = a[1].B*10 + int64(a[1].A) })
	}},
	{Name: "device slice in struct", Make: func(dev *launch.Device) Value {
		a := struct {
			k    int64
			data []int64
		}{2, device(dev, Three, 5)}
		return Of(func(out []int64) { out[0] = a.data[1] * a.k })
	}},
	{Name: "device slices in array", Make: func(dev *launch.Device) Value {
		a := [2][]int64{device(dev, Three), device(dev, Three, 5)}
		return Of(func(out []int64) { out[0] = a[1][1] + int64(len(a[0])) })
	}},
	{Name: "device slice replaced", Make: func(dev *launch.Device) Value {
		a := device(dev, Three, 5)
		return Of(func(out []int64) { out[0] = a[1] + int64(len(a)) }).Then(func() { a = device[int64](dev, 8, 9, 10) })
	}},
	value("func literal", func() func([]int64) {
		k := Three
		f := func(x int64) int64 { return x*k + 1 }
		return func(out []int64) { out[0] = f(f(2)) }
	}),
	value("func declared", func() func([]int64) {
		f := helper.Square
		if Three == 4 {
			f = helper.Twice
		}
		return func(out []int64) { out[0] = f(9) }
	}),
	value("func of other module", func() func([]int64) { f := helper.Multiplier(Three); return func(out []int64) { out[0] = f(11) } }),
	value("func capturing func", func() func([]int64) {
		a := Three
		f := func(x int64) int64 { return x + a }
		g := func(x int64) int64 { return f(x) * a }
		h := func(x int64) int64 { return g(f(x)) }
		return func(out []int64) { out[0] = h(2) }
	}),
	value("func parameter", func() func([]int64) {
		return func(f func(int64) int64) func([]int64) { return func(out []int64) { out[0] = f(12) } }(helper.Twice)
	}),
	value("loop variable", func() (f func([]int64)) {
		for i := int64(0); i < Three; i++ {
			f = func(out []int64) { out[0] = i + 82 }
		}
		return f
	}),
	value("loop variable changed", func() (f func([]int64)) {
		for i := int64(0); i < Three; i++ {
			i++
			f = func(out []int64) { out[0] = i + 83 }
		}
		return f
	}),
	value("range variables", func() (f func([]int64)) {
		for i, x := range []int16{4, 5, 6} {
			f = func(out []int64) { out[0] = int64(i)*10 + int64(x) }
		}
		return f
	}),
	value("range over int", func() (f func([]int64)) {
		for i := range Three {
			f = func(out []int64) { out[0] = i + 84 }
		}
		return f
	}),
	value("range over func variable", func() (f func([]int64)) {
		sum := int64(0)
		for i := range each {
			sum += i
			f = func(out []int64) { out[0] = i*100 + sum }
		}
		return f
	}),
	value("range over array", func() (f func([]int64)) {
		for _, x := range [3]record{{}, {}, {Small: uint8(Three)}} {
			f = func(out []int64) { out[0] = int64(x.Small) }
		}
		return f
	}),
	changing("changed", func() (func([]int64), []func()) {
		a := Three
		return func(out []int64) { out[0] = a }, []func(){func() { a = 1 << 50 }, func() { a-- }}
	}),
	changing("changed types", func() (func([]int64), []func()) {
		a, b, c, d := int8(1), float32(2), [3]uint16{1, 2, 3}, record{Small: 4}
		return func(out []int64) {
			out[0], out[1], out[2], out[3] = int64(a), int64(b), int64(c[1]), int64(d.Small)*2+b2i(d.Flag)
		}, []func(){func() { a, b, c[1], d = -5, 6.5, 65535, record{Flag: true} }}
	}),
	changing("changed struct field", func() (func([]int64), []func()) {
		var a struct{ x, y int64 }
		return func(out []int64) { out[0] = a.x*10 + a.y }, []func(){func() { a.y = Three }, func() { a.x = Three }}
	}),
	changing("changed through address", func() (func([]int64), []func()) {
		a := Three
		p := &a
		return func(out []int64) { out[0] = a }, []func(){func() { *p = 85 }}
	}),
	changing("changed func", func() (func([]int64), []func()) {
		f := helper.Square
		return func(out []int64) { out[0] = f(7) }, []func(){func() { f = helper.Twice }, func() { f = helper.Multiplier(5) }, func() { f = helper.Multiplier(6) }}
	}),
	changing("changed capture of func", func() (func([]int64), []func()) {
		a := Three
		f := func(x int64) int64 { return x * a }
		return func(out []int64) { out[0] = f(7) }, []func(){func() { a = 9 }}
	}),
	changing("changed large", func() (func([]int64), []func()) {
		var a [100]int64
		return func(out []int64) { out[0] = a[3] + a[99] }, []func(){func() { a[3] = Three }, func() { a[99] = 1 << 33 }}
	}),
	{Name: "specialized", Make: func(*launch.Device) Value {
		a, b := Three, int8(Three)
		return specialized(func(out []int64) {
			for i := range a {
				out[i] = i*10 + int64(b)
			}
		}, "a")
	}},
	{Name: "specialized changed", Make: func(*launch.Device) Value {
		a, b := Three, record{Small: 7}
		return specialized(func(out []int64) { out[a] = int64(b.Small) + a }, "*").
			Then(func() { a = 5 }).Then(func() { b.Small, a = 9, 3 })
	}},
	{Name: "specialized receiver", Make: func(*launch.Device) Value {
		return specialized(scaler{Three, [2]int32{5, 6}}.fill, "s")
	}},
	{Name: "specialized func", Make: func(*launch.Device) Value {
		f := helper.Multiplier(Three)
		return specialized(func(out []int64) { out[0] = f(13) }, "*")
	}},
	value("large", func() func([]int64) {
		var a [40]int64
		a[39] = Three
		return func(out []int64) { out[0] = a[39] + a[0] }
	}),
	value("128 bytes", func() func([]int64) {
		a := [128]uint8{127: uint8(Three)}
		return func(out []int64) { out[0] = int64(a[127]) }
	}),
	value("129 bytes", func() func([]int64) {
		a := [129]uint8{128: uint8(Three)}
		return func(out []int64) { out[0] = int64(a[128]) }
	}),
	value("large parameter", func() func([]int64) {
		return func(a [33]int32) func([]int64) { return func(out []int64) { out[0] = int64(a[32]) } }([33]int32{32: int32(Three)})
	}),
	value("parameter", func() func([]int64) { return parameter(Three, -4) }),
	value("parameter reassigned", func() func([]int64) { return parameterReassigned(Three) }),
	value("named result", func() func([]int64) { f, _ := namedResult(); return f }),
	value("blank", func() func([]int64) {
		a, b, c := Three, int8(Three), Three*7
		return func(out []int64) {
			_, _ = a, b
			out[0] = c
		}
	}),
	value("dead code", func() func([]int64) {
		a, b, c := int16(Three), Three*5, int8(Three)
		return func(out []int64) {
			if text == "" {
				out[1] = int64(a)
			}
			out[0] = b + int64(c)
		}
	}),
	value("shadowed", func() func([]int64) {
		a := Three
		{
			a := a * 2
			f := func(out []int64) { a := a + 1; out[0] = a }
			if a > 0 {
				return f
			}
		}
		return func(out []int64) { out[0] = a }
	}),
	value("inner literal only", func() func([]int64) {
		a, b := Three, int8(Three)
		return func(out []int64) {
			add := func(x int64) { out[0] += x * a }
			add(int64(b))
			add(2)
		}
	}),
	value("two levels", func() func([]int64) {
		a, b := Three, int32(Three)
		return func() func([]int64) {
			c := a * 2
			return func(out []int64) { out[0] = c*100 + a*10 + int64(b) }
		}()
	}),
	value("type switch", func() func([]int64) {
		var x any = Three
		switch y := x.(type) {
		case int64:
			return func(out []int64) { out[0] = y + 86 }
		}
		return nil
	}),
	value("select", func() func([]int64) {
		c := make(chan int64, 1)
		c <- Three
		select {
		case x := <-c:
			return func(out []int64) { out[0] = x + 87 }
		default:
			return nil
		}
	}),
	value("swapped", func() func([]int64) {
		a, b := Three, Three*2
		a, b = b, a
		return func(out []int64) { out[0] = a*10 + b }
	}),
	value("assigned later", func() func([]int64) {
		var a int64
		f := func(out []int64) { out[0] = a }
		a = Three + 88
		return f
	}),
	value("conditional", func() func([]int64) {
		a := int64(1)
		if Three == 3 {
			a = 89
		}
		return func(out []int64) { out[0] = a }
	}),
}
