package ssa2ir

import (
	"testing"

	"heddle/internal/target"
)

// TestLowerKeepsPlan holds the code for one machine to what it is where no other came before:
// math.J0 is a library function of one, and planned from its Go source for the other.
func TestLowerKeepsPlan(t *testing.T) {
	pkg := buildAs(t, "math", "k.go", `package math

func J0(x float64) float64 { return float64(x*x) + 1 }
func K(x []float64) { x[0] = J0(x[0])*x[1] + x[2] }
`)
	prog, err := Check(kernelOf(t, pkg, "K"))
	if err != nil {
		t.Fatal(err)
	}
	insts, names := len(prog.plan.insts), len(prog.plan.names)
	first := map[bool]string{}
	for i, lib := range []bool{true, false, true, false} {
		m, err := target.For(goldenArch, 0)
		if err != nil {
			t.Fatal(err)
		}
		m.CodeObject, m.MathLib = 4, lib
		res, err := prog.Lower(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if was, ok := first[lib]; !ok {
			first[lib] = string(res.IR)
		} else if was != string(res.IR) {
			t.Errorf("lowering %d (library: %t) is another than the first", i, lib)
		}
	}
	if first[true] == first[false] {
		t.Error("the library makes no difference: the test shows nothing")
	}
	if len(prog.plan.insts) != insts || len(prog.plan.names) != names {
		t.Errorf("%d instances and %d names are left of %d and %d", len(prog.plan.insts), len(prog.plan.names), insts, names)
	}
}
