package cases

import (
	"heddle/kernel"
	"heddle/launch"

	"example.com/matrix/internal/inner"
)

// Method values and method expressions.

type scaler struct {
	By    int64
	Shift [2]int32
}

func (s scaler) fill(out []int64)         { out[0] = s.By + int64(s.Shift[1]) }
func (s *scaler) fillPointer(out []int64) { out[0] = s.By * 2 }
func (s scaler) with(out []int64, x int64) {
	out[0] = s.By*x + int64(s.Shift[0])
}

type wide struct{ X [40]int64 }

func (w wide) fill(out []int64) { out[0] = w.X[7] + w.X[39] }

type number int64

func (x number) fill(out []int64) { out[0] = int64(x) + 61 }

type promoting struct {
	Z int64
	inner.Base
}

type promotingDeep struct {
	A, B int32
	promoting
}

type none struct{}

func (none) fill(out []int64) { out[0] = 62 }

type list [4]int16

func (l list) fill(out []int64) { out[0] = int64(l[0]) + int64(l[3]) }

type inside struct {
	out []int64
	by  int64
}

func (v inside) fill(out []int64) { out[0] = v.out[1] * v.by }

// namedKernel makes a kernel of a func of a named type.
func namedKernel(f fill) Value {
	return With(kernel.New(f), f)
}

var methods = []Case{
	value("method value", func() func([]int64) { return scaler{Three, [2]int32{5, 6}}.fill }),
	value("method value of variable", func() func([]int64) {
		s := scaler{By: 1}
		s.By += Three
		f := s.fill
		s.By = 1000
		return f
	}),
	value("method value of pointer", func() func([]int64) { s := &scaler{By: Three}; return s.fill }),
	value("method value wide", func() func([]int64) { var w wide; w.X[7], w.X[39] = Three, 4; return w.fill }),
	value("method value number", func() func([]int64) { return number(Three).fill }),
	value("method value empty", func() func([]int64) { return none{}.fill }),
	value("method value array", func() func([]int64) { return list{1, 2, 3, int16(Three)}.fill }),
	value("method value other package", func() func([]int64) { return inner.Base{K: Three}.Store }),
	value("method value promoted", func() func([]int64) { return promoting{1, inner.Base{K: Three}}.Store }),
	value("method value promoted twice", func() func([]int64) {
		return promotingDeep{1, 2, promoting{1, inner.Base{K: Three}}}.Store
	}),
	value("method value local type", func() func([]int64) {
		type local struct{ inner.Base }
		return local{inner.Base{K: Three}}.Store
	}),
	{Name: "method value with device memory", Make: func(dev *launch.Device) Value {
		return Of(inside{device[int64](dev, 7, 8), Three}.fill)
	}},
	value("method value captured", func() func([]int64) {
		f := scaler{By: Three}.twice
		return func(out []int64) { out[0] = f(5) }
	}),
	value("method of capture", func() func([]int64) {
		s := scaler{By: Three}
		return func(out []int64) { s.fill(out) }
	}),
	value("method promoted of capture", func() func([]int64) {
		s := promotingDeep{1, 2, promoting{1, inner.Base{K: Three}}}
		return func(out []int64) { s.Store(out) }
	}),
	{Name: "method expression", Make: func(*launch.Device) Value {
		s := scaler{Three, [2]int32{5, 6}}
		return Launched(kernel.New(scaler.fill), s.fill, func(out *launch.Buffer[int64]) []any { return []any{s, out} })
	}},
	{Name: "method expression arguments", Make: func(*launch.Device) Value {
		s := scaler{Three, [2]int32{5, 6}}
		return Launched(kernel.New(scaler.with), func(out []int64) { s.with(out, 9) }, func(out *launch.Buffer[int64]) []any { return []any{s, out, int64(9)} })
	}},
	{Name: "method expression other package", Make: func(*launch.Device) Value {
		b := inner.Base{K: Three}
		return Launched(kernel.New(inner.Base.Store), b.Store, func(out *launch.Buffer[int64]) []any { return []any{b, out} })
	}},
	{Name: "method expression promoted", Make: func(*launch.Device) Value {
		p := promoting{1, inner.Base{K: Three}}
		return Launched(kernel.New(promoting.Store), p.Store, func(out *launch.Buffer[int64]) []any { return []any{p, out} })
	}},
	{Name: "method expression pointer", Make: func(dev *launch.Device) Value {
		s := []scaler{{By: Three}}
		buf := upload(dev, s)
		return Launched(kernel.New((*scaler).fillPointer), s[0].fillPointer, func(out *launch.Buffer[int64]) []any { return []any{buf, out} })
	}},
	{Name: "method expression pointer of value method", Make: func(dev *launch.Device) Value {
		s := []scaler{{By: Three}}
		buf := upload(dev, s)
		return Launched(kernel.New((*scaler).fill), s[0].fill, func(out *launch.Buffer[int64]) []any { return []any{buf, out} })
	}},
}

func (s scaler) twice(x int64) int64 { return s.By * x * 2 }

// kept are buffers: one that is forgotten is closed, whatever captures its memory.
var kept []any

// upload is a buffer with these values, which lives as long as the program.
func upload[T any](dev *launch.Device, values []T) *launch.Buffer[T] {
	b, err := launch.Upload(dev, values)
	if err != nil {
		panic(err)
	}
	kept = append(kept, b)
	return b
}

// device is device memory that a closure may capture.
func device[T any](dev *launch.Device, values ...T) []T { return upload(dev, values).Device() }
