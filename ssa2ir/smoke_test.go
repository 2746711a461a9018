package ssa2ir

import (
	"os"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/target"
)

func TestSmoke(t *testing.T) {
	src, err := os.ReadFile("testdata/smoke.go")
	if err != nil {
		t.Fatal(err)
	}
	pkg := buildSource(t, "smoke.go", string(src))
	for _, name := range []string{"Saxpy", "Reduce", "Types", "Strings", "Closures", "Complex", "Slices", "Arrays", "Panics"} {
		prog, err := Check(kernelOf(t, pkg, name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, arch := range []string{"gfx90a", "gfx1100", "sm_90"} {
			m, err := target.For(arch, 0)
			if err != nil {
				t.Fatal(err)
			}
			res, err := prog.Lower(m, Options{})
			if err != nil {
				t.Errorf("%s %s: %v", name, arch, err)
				continue
			}
			if os.Getenv("SMOKE") != "" {
				os.WriteFile(os.Getenv("SMOKE")+"/"+name+"."+arch+".ll", res.IR, 0o644)
			}
			req := &codegen.Request{IR: res.IR, Triple: m.Triple, CPU: m.CPU, Features: m.Features, Kind: m.Kind, Kernel: res.Symbol, WarpSize: m.WarpSize, CodeObject: m.CodeObject}
			obj, err := codegen.Emit(req)
			if err != nil {
				t.Errorf("%s %s: %v", name, arch, err)
				continue
			}
			t.Logf("%s %s %+v", name, arch, obj.Res)
		}
	}
}
