package main

import (
	"os"
	"testing"

	"example.com/matrix/cases"
)

// Func values of a test of package main.

func testDeclared(out []int64) { out[0] = 131 }

var inTest = []cases.Case{
	value("main test declared", func() func([]int64) { return testDeclared }),
	value("main test literal", func() func([]int64) { a := cases.Three; return func(out []int64) { out[0] = a + 132 } }),
}

func TestMatrix(t *testing.T) {
	if cases.Run(os.Stdout, append(append(cases.All(), mains...), inTest...)) > 0 {
		t.Fail()
	}
}
