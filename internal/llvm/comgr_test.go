package llvm

import (
	"os"
	"strings"
	"sync"
	"testing"
)

func mustOpenComgr(t testing.TB) *Comgr {
	t.Helper()
	if len(ComgrCandidates()) == 0 {
		t.Skip("no libamd_comgr on this machine")
	}
	c, err := OpenComgr()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var comgrOptions = []string{"-O3"}

func TestComgr(t *testing.T) {
	c := mustOpenComgr(t)
	t.Logf("%s %d.%d", c.Path, c.Major, c.Minor)
	text := ComgrInput{"k.ll", []byte("target triple = \"amdgcn-amd-amdhsa\"\n" + addIR)}
	var wg sync.WaitGroup
	for _, arch := range []string{"gfx906", "gfx90a", "gfx1030"} {
		wg.Go(func() {
			obj, err := c.Compile(arch, Object, comgrOptions, text)
			if err != nil || !strings.HasPrefix(string(obj), "\x7fELF") {
				t.Errorf("%s: object of %d bytes, %v", arch, len(obj), err)
			}
			asm, err := c.Compile(arch, Assembly, comgrOptions, text)
			if err != nil || !strings.Contains(string(asm), "global_store_dword") {
				t.Errorf("%s: %v\n%s", arch, err, asm)
			}
		})
	}
	wg.Wait()
	_, err := c.Compile("gfx90a", Object, comgrOptions, ComgrInput{"k.ll", []byte("define void @f() {\n  ret i32 i32\n}")})
	if err == nil || !strings.Contains(err.Error(), "k.ll:2:11: error: expected value token") {
		t.Errorf("bad IR: %v", err)
	}
	if _, err := c.Compile("gfx9999", Object, comgrOptions, text); err == nil || !strings.Contains(err.Error(), "gfx9999") {
		t.Errorf("bad processor: %v", err)
	}
}

// Libraries given beside the module are linked into it, text or bitcode.
func TestComgrLink(t *testing.T) {
	c := mustOpenComgr(t)
	const ocml = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc"
	lib, err := os.ReadFile(ocml)
	if err != nil {
		t.Skip(err)
	}
	main := `target triple = "amdgcn-amd-amdhsa"
declare float @__ocml_sin_f32(float)
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__ocml_sin_f32(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
`
	controls := "target triple = \"amdgcn-amd-amdhsa\"\n"
	for _, name := range []string{"finite_only_opt", "unsafe_math_opt", "daz_opt", "correctly_rounded_sqrt32", "wavefrontsize64"} {
		controls += "@__oclc_" + name + " = linkonce_odr hidden addrspace(4) constant i8 0\n"
	}
	controls += "@__oclc_ISA_version = linkonce_odr hidden addrspace(4) constant i32 9010\n"
	asm, err := c.Compile("gfx90a", Assembly, comgrOptions, ComgrInput{"k.ll", []byte(main)}, ComgrInput{"controls.ll", []byte(controls)}, ComgrInput{"ocml.bc", lib})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(asm), "v_sin_f32") && !strings.Contains(string(asm), "v_fma") {
		t.Errorf("no sine in\n%s", asm)
	}
}
