package ssa2ir

import (
	"strings"
	"testing"
)

// On NVIDIA GPUs a square root is inline assembly, which LLVM does not compute ahead of a condition. On AMD GPUs there is no such assembly, and with FastMath
// none of floats, nor of doubles that were floats.
func TestSquareRoots(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(a []float32, b []float64) {\n\tif a[1] >= 0 { a[0] = dsl.Sqrt(a[1]) }\n\tif b[1] >= 0 { b[0] = dsl.Sqrt(b[1]) }\n" +
		"\tif a[2] >= 0 { b[3] = dsl.Sqrt(float64(a[2])) }\n}\n"
	for _, c := range []struct {
		arch                   string
		opts                   Options
		floats, doubles, plain int // roots by assembly, and by LLVM
	}{{"sm_90", Options{}, 1, 2, 0}, {"sm_90", Options{FastMath: true}, 0, 1, 2}, {"gfx942", Options{FastMath: true}, 0, 0, 3}} {
		ir := string(lowered(t, source, c.arch, c.opts).IR)
		for text, want := range map[string]int{`asm "sqrt.rn.f32`: c.floats, `asm "sqrt.rn.f64`: c.doubles, "call fast float @llvm.sqrt.f32(": min(1, c.plain), "call fast double @llvm.sqrt.f64(": max(0, c.plain-1)} {
			if got := strings.Count(ir, text); got != want {
				t.Errorf("%s, %+v: %d times %s, want %d", c.arch, c.opts, got, text, want)
			}
		}
	}
}

// TestPower: powers by some constants are products, and need no library.
func TestPower(t *testing.T) {
	for _, y := range []string{"2", "3", "4", "-1", "-2", "0.5"} {
		for _, pow := range []string{"math.Pow(x[0], " + y + ")", "dsl.Pow(x[0], " + y + ")"} {
			source := "package p\n\nimport (\n\"math\"\n\"heddle/dsl\"\n)\n\nvar _, _ = math.Pi, dsl.SyncThreads\n\nfunc K(x []float64) { x[0] = " + pow + " }\n"
			if ir := string(lowered(t, source, "gfx942", Options{NoBounds: true}).IR); strings.Contains(strings.ToLower(ir), "pow") {
				t.Errorf("%s is no product:\n%s", pow, ir)
			}
		}
	}
}

// With FastMath a GPU's int32 of a float is what its instruction makes of it, frozen as it may be an index; not so an int, of which the prover knows more, nor on
// the processor, whose instruction makes the least one anyway.
func TestFastInts(t *testing.T) {
	source := "package p\n\nfunc K(a []int32, b []int64, x []float32) {\n\ta[0] = int32(x[0])\n\tb[0] = int64(x[1])\n}\n"
	for _, c := range []struct {
		arch            string
		fast            bool
		frozen, chooses int
	}{{"sm_90", true, 1, 1}, {"gfx942", true, 1, 1}, {"x86-64-v3", true, 0, 2}, {"sm_90", false, 0, 2}} {
		ir := string(lowered(t, source, c.arch, Options{NoBounds: true, FastMath: c.fast}).IR)
		if frozen, chooses := strings.Count(ir, " = freeze i32 "), strings.Count(ir, " = select "); frozen != c.frozen || chooses != c.chooses {
			t.Errorf("%s, fast %t: %d frozen and %d choices, want %d and %d:\n%s", c.arch, c.fast, frozen, chooses, c.frozen, c.chooses, ir)
		}
	}
}
