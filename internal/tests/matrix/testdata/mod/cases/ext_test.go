package cases_test

import (
	"os"
	"testing"

	"example.com/helper"
	"example.com/matrix/cases"
	"heddle/kernel"
	"heddle/launch"
)

// Func values of an external test.

func declared(out []int64) { out[0] = 111 }

var global = func(out []int64) { out[0] = 112 }

func maker(a int64) func([]int64) { return func(out []int64) { out[0] = a + 113 } }

type own int32

func phantom[T helper.Num](out []int64) { out[0] = int64(T(7) / T(2)) }

var external = []cases.Case{
	{Name: "external declared", Make: func(*launch.Device) cases.Value { return cases.Of(declared) }},
	{Name: "external global", Make: func(*launch.Device) cases.Value { return cases.Of(global) }},
	{Name: "external maker", Make: func(*launch.Device) cases.Value { return cases.Of(maker(cases.Three)) }},
	{Name: "external literal", Make: func(*launch.Device) cases.Value {
		a := cases.Three
		return cases.Of(func(out []int64) { out[0] = a + 114 })
	}},
	{Name: "external generic", Make: func(*launch.Device) cases.Value { return cases.Of(helper.Scaler(own(cases.Three))) }},
	{Name: "external phantom", Make: func(*launch.Device) cases.Value {
		return cases.With(kernel.New(phantom[own]), phantom[own])
	}},
}

func TestExternal(t *testing.T) {
	if cases.Run(os.Stdout, append(cases.All(), external...)) > 0 {
		t.Fail()
	}
}
