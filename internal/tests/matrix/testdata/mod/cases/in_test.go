package cases

import (
	"os"
	"testing"

	"heddle/launch"
)

// Func values of a package's own test.

func testDeclared(out []int64) { out[0] = 101 }

var testGlobal = func(out []int64) { out[0] = 102 }

func testMaker(a int64) func([]int64) { return func(out []int64) { out[0] = a + 103 } }

func testGeneric[T offsetter](by T) func([]T) { return func(out []T) { out[0] = by + T(by.offset()) } }

var inTest = []Case{
	value("test declared", func() func([]int64) { return testDeclared }),
	value("test global", func() func([]int64) { return testGlobal }),
	value("test maker", func() func([]int64) { return testMaker(Three) }),
	value("test literal", func() func([]int64) { a := Three; return func(out []int64) { out[0] = a + 104 } }),
	{Name: "test generic", Make: makeTestGeneric},
}

func makeTestGeneric(*launch.Device) Value { return Of(testGeneric(celsius(Three))) }

func TestIn(t *testing.T) {
	if Run(os.Stdout, append(All(), inTest...)) > 0 {
		t.Fail()
	}
}
