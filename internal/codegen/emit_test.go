package codegen

import (
	"os"
	"testing"

	"heddle/internal/llvm"
)

func skipWithoutLLVM(t testing.TB) (major int) {
	t.Helper()
	if len(llvm.Candidates()) == 0 && os.Getenv(llvm.EnvLLVM) == "" {
		t.Skip("no libLLVM on this machine")
	}
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	return lib.Major
}

// Every module compiles for every architecture that this LLVM knows.
func TestEmit(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, m := range modules {
		for _, arch := range append(amdArchs, nvArchs...) {
			r := request(m.text, m.kernel, arch)
			if !cpus[arch].has(major) {
				if _, err := Emit(r); err == nil {
					t.Errorf("%s: compiled by LLVM %d, which does not know it", arch, major)
				}
				continue
			}
			obj, err := Emit(r)
			if err != nil {
				t.Errorf("%s: %v", m.name, err)
				continue
			}
			if obj.Kind != r.Kind || obj.Arch != arch || obj.Kernel != m.kernel || obj.WarpSize != r.WarpSize {
				t.Errorf("%s for %s: %v %v %v %v", m.name, arch, obj.Kind, obj.Arch, obj.Kernel, obj.WarpSize)
			}
			t.Log(m.name, arch, obj.Res)
		}
	}
}
