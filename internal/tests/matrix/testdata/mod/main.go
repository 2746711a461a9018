// Command matrix runs func values of every form as kernels: those of package
// cases, and its own.
package main

import (
	"embed"
	"os"

	"example.com/helper"
	"example.com/matrix/cases"
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var sources embed.FS

func init() {
	if os.Getenv("MATRIX_EMBEDDED") != "" {
		kernel.Source(sources)
	}
}

func declared(out []int64) { out[0] = helper.Square(out[1]) + 121 }

var global = func(out []int64) { out[0] = 122 }

func maker(a int64) func([]int64) { return func(out []int64) { out[0] = a + 123 } }

type own int16

func (o own) fill(out []int64) { out[0] = int64(o) + 124 }

func phantom[T helper.Num](out []int64) { out[0] = int64(T(7) / T(2)) }

var variable = dsl.NewGlobal(int64(60))

func reads(out []int64) { out[0] = *variable.Ptr() }

func value(name string, make func() func([]int64)) cases.Case {
	return cases.Case{Name: name, Make: func(*launch.Device) cases.Value { return cases.Of(make()) }}
}

var mains = []cases.Case{
	value("main declared", func() func([]int64) { return declared }),
	value("main global", func() func([]int64) { return global }),
	value("main maker", func() func([]int64) { return maker(cases.Three) }),
	value("main literal", func() func([]int64) { a := cases.Three; return func(out []int64) { out[0] = a + 125 } }),
	value("main method value", func() func([]int64) { return own(cases.Three).fill }),
	value("main inlined", func() func([]int64) { return helper.Adder(cases.Three) }),
	{Name: "main generic", Make: func(*launch.Device) cases.Value { return cases.Of(helper.Fill[own]) }},
	{Name: "main literal in generic", Make: func(*launch.Device) cases.Value { return cases.Of(helper.Scaler(own(cases.Three))) }},
	{Name: "main device variable", Make: func(*launch.Device) cases.Value { return cases.Variables(reads, 60) }},
	{Name: "main phantom", Make: func(*launch.Device) cases.Value { return cases.With(kernel.New(phantom[own]), phantom[own]) }},
}

func main() {
	if cases.Run(os.Stdout, append(cases.All(), mains...)) > 0 {
		os.Exit(1)
	}
}
