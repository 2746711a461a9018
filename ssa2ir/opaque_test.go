package ssa2ir

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
	"heddle/intrinsics"
)

const fragSource = `package p

type Frag[T any] struct{ part [64]T }

func Make(x float32) Frag[float32] { return Frag[float32]{} }
func First(f Frag[float32]) float32 { return f.part[0] }

func twice(f Frag[float32], n int) (Frag[float32], bool) {
	for range n {
		f = Make(First(f) * 2)
	}
	return f, n > 3
}

type other Frag[float32]
type holds struct{ f Frag[float32] }

func K(out []float32, n int) {
	%s
}
`

// A type whose values lie in registers only is the machine's: its size may depend on the
// warp. It passes through variables, loops, parameters and results, and lies in no memory.
func TestRegisterType(t *testing.T) {
	t.Cleanup(func() { lookupRow, lookupType = intrinsics.Lookup, intrinsics.TypeOf })
	frag := &intrinsics.Type{LLVM: func(m *target.Machine, args []types.Type) target.Type {
		if len(args) != 1 || args[0] != types.Typ[types.Float32] {
			t.Errorf("type arguments %v", args)
		}
		return target.Array(256/int64(m.WarpSize), target.F32)
	}}
	lookupType = func(pkg, name string) *intrinsics.Type {
		if name == "Frag" {
			return frag
		}
		return intrinsics.TypeOf(pkg, name)
	}
	lookupRow = func(name string) *intrinsics.Row {
		pure := ops.Facts{Effect: ops.Pure, OfArgs: true}
		switch name[strings.LastIndexByte(name, '.')+1:] {
		case "Make":
			return &intrinsics.Row{Facts: pure, Lower: func(c *intrinsics.Call) target.Value {
				a := target.Array(256/int64(c.B.M.T.WarpSize), target.F32)
				return c.B.Emit(a, "insertvalue ", a.String(), " zeroinitializer, ", target.T(c.Args[0]), ", 0")
			}}
		case "First":
			return &intrinsics.Row{Facts: pure, Lower: func(c *intrinsics.Call) target.Value { return c.B.Extract(c.Args[0], 0) }}
		}
		return intrinsics.Lookup(name)
	}
	const keep = " (keep it in a local variable, and pass it to functions by value: it lies in registers only)"
	for _, c := range []struct{ body, want string }{
		{"f, ok := twice(Make(1), n); if ok { f = Make(3) }; var zero Frag[float32]; if n > 9 { f = zero }; out[0] = First(f)", ""},
		{"f := Make(1); p := &f; *p = Make(2); out[0] = First(*p)", "k.go:19:2: address of a p.Frag[float32] in kernel" + keep},
		{"var all [3]Frag[float32]; all[n] = Make(2); out[0] = First(all[n])", "p.Frag[float32] in an element in kernel" + keep},
		{"h := holds{Make(2)}; out[0] = First(h.f)", "p.Frag[float32] in field f in kernel" + keep},
		{"out[0] = First(Frag[float32](other(Make(2))))", "conversion of p.Frag[float32] to p.other in kernel (use p.Frag[float32] itself)"},
		{"if Make(2) == Make(3) { out[0] = 1 }", "comparison of p.Frag[float32] in kernel (compare what its package's functions make of it)"},
		{"out[0] = Make(2).part[n]", "field of a p.Frag[float32] in kernel (call its package's functions)"},
		{"f := Make(1); set := func() { f = Make(2) }; set(); out[0] = First(f)", "address of a p.Frag[float32] in kernel" + keep},
	} {
		prog, err := Check(kernelOf(t, buildSource(t, "k.go", fmt.Sprintf(fragSource, c.body)), "K"))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v; want %s", c.body, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		for warp, want := range map[int]string{32: "[8 x float]", 64: "[4 x float]"} {
			m, err := target.For("gfx1100", warp)
			if err != nil {
				t.Fatal(err)
			}
			res, err := prog.Lower(m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(res.IR), want) || strings.Contains(string(res.IR), "[64 x float]") || strings.Contains(string(res.IR), "alloca") {
				t.Errorf("warps of %d: want values of %s in registers:\n%s", warp, want, res.IR)
			}
		}
	}
}

// A register type is no parameter of a kernel.
func TestRegisterTypePassed(t *testing.T) {
	t.Cleanup(func() { lookupType = intrinsics.TypeOf })
	lookupType = func(_, name string) *intrinsics.Type {
		if name == "Frag" {
			return &intrinsics.Type{}
		}
		return nil
	}
	for _, param := range []string{"f Frag", "f []Frag", "f *Frag", "f [2]Frag", "f struct{ F Frag }"} {
		_, err := Check(kernelOf(t, buildSource(t, "k.go", "package p\n\ntype Frag struct{ x int }\n\nfunc K("+param+") {}\n"), "K"))
		if err == nil || !strings.HasPrefix(err.Error(), "k.go:5:8: parameter f: ") || !strings.Contains(err.Error(), "p.Frag") {
			t.Errorf("%s: %v", param, err)
		}
	}
}

// The pointers of a machine are of its generic address space.
func TestGenericSpace(t *testing.T) {
	m, err := target.For(goldenArch, 0)
	if err != nil {
		t.Fatal(err)
	}
	own, of := *m, *m.Target
	of.Generic, own.Target = 7, &of
	y := newLayout(&own)
	for _, typ := range []types.Type{types.NewPointer(types.Typ[types.Int]), types.NewSlice(types.Typ[types.Int]), types.Typ[types.String], types.NewArray(types.Typ[types.Int], 99)} {
		if got := y.llType(typ).String(); !strings.Contains(got, "ptr addrspace(7)") {
			t.Errorf("%s is %s", typ, got)
		}
	}
}

// A vector.Half is the machine's own number where it has one, else its bits.
func TestHalf(t *testing.T) {
	for _, c := range []struct {
		arch, body string
		want       []string
	}{
		{"gfx803", "vector.MakeHalf(x[0].Float32() + y[0])", []string{"load half", "fpext half", "fptrunc float", "store half"}},
		{"gfx1201", "vector.MakeHalf(x[0].Float32() + y[0])", []string{"load half", "fpext half", "fptrunc float", "store half"}},
		{"sm_70", "vector.MakeHalf(x[0].Float32() + y[0])", []string{"load half", "fpext half", "fptrunc float", "store half"}},
		{"x86-64-v3", "x[0]", []string{"load i16", "store i16"}},
		{"aarch64", "x[0]", []string{"load i16", "store i16"}},
	} {
		src := "package p\n\nimport \"" + module.Vector + "\"\n\nfunc K(x []vector.Half, y []float32) { x[1] = " + c.body + " }\n"
		prog, err := Check(kernelOf(t, buildSource(t, "k.go", src), "K"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := target.For(c.arch, 0)
		if err != nil {
			t.Fatal(err)
		}
		res, err := prog.Lower(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.want {
			if !strings.Contains(string(res.IR), text) {
				t.Errorf("%s: no %q:\n%s", c.arch, text, res.IR)
			}
		}
	}
}
