package ssa2ir

import (
	"strings"
	"testing"

	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
	"heddle/intrinsics"
)

// A row refuses arguments that are no constants, what its check refuses, and machines that
// lack what it needs.
func TestRows(t *testing.T) {
	t.Cleanup(func() { lookupRow = intrinsics.Lookup })
	lookupRow = func(name string) *intrinsics.Row {
		if name != module.DSL+".Mulhi" {
			return intrinsics.Lookup(name)
		}
		return &intrinsics.Row{
			Facts: ops.Facts{Effect: ops.Pure, OfArgs: true},
			Const: []int{1},
			Check: func(s *intrinsics.Site) (msg, hint string) {
				if s.Consts[0] == nil && s.Consts[1].String() == "7" && s.TypeArgs[0].String() == "uint32" && len(s.ArgTypes) == 2 {
					return "7 is not allowed", "use 8"
				}
				return "", ""
			},
			Needs: func(m *target.Machine) string {
				if m.CPU == goldenArch {
					return ""
				}
				return "matrix cores"
			},
			Lower: func(c *intrinsics.Call) target.Value { return c.Args[1] },
		}
	}
	const head = "package p\n\nimport \"heddle/dsl\"\n\nfunc K(s []uint32, n uint32) { s[0] = dsl.Mulhi(n, "
	for _, c := range []struct{ arg, arch, want string }{
		{"9", goldenArch, ""},
		{"9", otherArch, "k.go:5:48: heddle/dsl.Mulhi[uint32] needs matrix cores, and this is compiled for " + otherArch + " (launch it on another device, or call it under a branch on dsl.Arch()"},
		{"n", goldenArch, "k.go:5:48: argument 2 of heddle/dsl.Mulhi[uint32] is not a constant (write a constant there, a method of a type argument, or a captured variable that Options.Specialize names)"},
		{"7", goldenArch, "k.go:5:48: call of heddle/dsl.Mulhi[uint32]: 7 is not allowed (use 8)"},
	} {
		prog, err := Check(kernelOf(t, buildSource(t, "k.go", strings.ReplaceAll(head, "heddle/dsl", module.DSL)+c.arg+") }\n"), "K"))
		if err == nil {
			var m *target.Machine
			if m, err = target.For(c.arch, 0); err != nil {
				t.Fatal(err)
			}
			_, err = prog.Lower(m, Options{})
		}
		want := strings.ReplaceAll(c.want, "heddle/dsl", module.DSL)
		if err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("argument %s on %s: %v; want %s", c.arg, c.arch, err, want)
		}
	}
}

// A function whose row has nothing for a machine, and whose Go body no device runs, is refused
// on every machine in the same words: nothing of what was planned for the first is left.
func TestDeclined(t *testing.T) {
	t.Cleanup(func() { lookupRow = intrinsics.Lookup })
	lookupRow = func(name string) *intrinsics.Row {
		if name != "p.Odd" {
			return intrinsics.Lookup(name)
		}
		return &intrinsics.Row{Facts: ops.Facts{Effect: ops.Pure, OfArgs: true}, Lower: func(*intrinsics.Call) target.Value { return nil }}
	}
	const text = "package p\n\nfunc K(s []uint32) { s[0] = Odd(s[1]) }\n\nfunc Odd(n uint32) uint32 { return Even(n)*2 + 1 }\n\nfunc Even(n uint32) uint32 { m := map[uint32]uint32{}; return m[n] }\n"
	prog, err := Check(kernelOf(t, buildSource(t, "k.go", text), "K"))
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for range 3 {
		m, err := target.For(goldenArch, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = prog.Lower(m, Options{})
		if err == nil || !strings.Contains(err.Error(), "map in kernel") {
			t.Fatal(err)
		}
		if first == "" {
			first = err.Error()
		} else if err.Error() != first {
			t.Errorf("%v; first %s", err, first)
		}
	}
}
