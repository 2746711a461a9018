package codegen

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/link"
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

// envChild marks a re-execution of the test binary.
const envChild = "HEDDLE_TEST_CHILD"

// child runs tests of this binary in a process of its own, as libLLVM is
// opened once per process. It returns what the process wrote.
func child(t *testing.T, run string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", run, "-test.v")
	cmd.Env = append(append(os.Environ(), envChild+"=1"), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	warnings := regexp.MustCompile(`(?m)^`+llvm.Warning+`LLVM .*\n`).ReplaceAllString(stderr.String(), "")
	stderr.Reset()
	stderr.WriteString(warnings)
	if err != nil || !strings.Contains(string(out), "--- PASS") || stderr.Len() > 0 {
		t.Errorf("%s with %v: %v\n%s\nstandard error: %s", run, env, err, out, &stderr)
	}
	return string(out)
}

// compileTests are the tests that depend on the release of LLVM.
const compileTests = "^Test(Emit|WarpSize|Errors|PTXRuntime|PTXVersion|OCML|Libdevice|NoMathLib|Text|CPUTable|Scalar|Host|HostErrors|Memmove|Divide|DivideEstimates|DivideForms)$"

// The tests of code generation, with every libLLVM of this machine.
func TestEveryLLVM(t *testing.T) {
	if os.Getenv(envChild) != "" || os.Getenv(llvm.EnvLLVM) != "" {
		t.Skip("one libLLVM is chosen")
	}
	seen := map[int]bool{}
	for _, c := range llvm.Candidates() {
		if seen[c.Major] {
			continue
		}
		seen[c.Major] = true
		t.Run(fmt.Sprint(c.Major), func(t *testing.T) {
			child(t, compileTests, llvm.EnvLLVM+"="+c.Path)
		})
	}
}

// Every module compiles for every architecture that this LLVM knows.
func TestEmit(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, m := range modules {
		for _, arch := range append(amdArchs, nvArchs...) {
			r := request(m.text, m.kernel, arch)
			obj, err := Emit(r)
			if !cpus.Get()[arch].has(major) {
				if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("needs LLVM %d or later", cpus.Get()[arch].min)) {
					t.Errorf("%s on LLVM %d: %v", arch, major, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", m.name, err)
				continue
			}
			if obj.Kind != r.Kind || obj.Arch != arch || obj.Kernel != m.kernel || obj.WarpSize != r.WarpSize {
				t.Errorf("%s for %s: %v %v %v %v", m.name, arch, obj.Kind, obj.Arch, obj.Kernel, obj.WarpSize)
			}
			if r.Kind == abi.HSACO && (obj.Res.SGPR == 0 || obj.Res.VGPR == 0 || obj.Res.CodeBytes == 0 || obj.Res.LDS != m.lds) {
				t.Errorf("%s for %s: resources %+v", m.name, arch, obj.Res)
			}
		}
	}
}

// Both wave sizes come out as asked.
func TestWarpSize(t *testing.T) {
	skipWithoutLLVM(t)
	for _, size := range []int{32, 64} {
		r := request(modules[1].text, modules[1].kernel, "gfx1030")
		r.WarpSize, r.Features = size, fmt.Sprintf("+wavefrontsize%d", size)
		obj, err := Emit(r)
		if err != nil || obj.WarpSize != size {
			t.Errorf("%d: %+v, %v", size, obj, err)
		}
	}
}

// Modules that fail, each in its way; plainIR does not.
const undefinedIR = `
declare void @missing(i32)
declare i32 @absent()
@gone = external addrspace(1) global i32
define KERNEL void @k() {
  %v = call i32 @absent()
  call void @missing(i32 %v)
  store i32 1, ptr addrspace(1) @gone
  ret void
}`
const cosineIR = `
declare double @llvm.cos.f64(double)
define KERNEL void @k(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %y = call double @llvm.cos.f64(double %x)
  store double %y, ptr addrspace(1) %p
  ret void
}`
const tooMuchLDSIR = `
@lds = internal addrspace(3) global [300000 x i8] undef
define KERNEL void @k(i32 %i) {
  %p = getelementptr i8, ptr addrspace(3) @lds, i32 %i
  store volatile i8 1, ptr addrspace(3) %p
  ret void
}`
const plainIR = "define KERNEL void @k() {\n  ret void\n}"

func TestErrors(t *testing.T) {
	major := skipWithoutLLVM(t)
	tests := []struct {
		name, text, arch string
		change           func(*Request)
		want             string
	}{
		{"syntax", "define KERNEL void @k() {\n  ret i32 i32\n}", "gfx90a", nil, "kernel k for gfx90a: llvm: parse: k.ll:2:11: error: expected value token"},
		{"not IR", "kernel void k()", "sm_80", nil, "error: expected top-level entity"},
		{"invalid", "define KERNEL void @k() {\n  %x = add i32 %x, 1\n  ret void\n}", "gfx90a", nil, "verify: Only PHI nodes may reference their own value"},
		{"no kernel", "define KERNEL void @other() {\n  ret void\n}", "gfx90a", nil, `the module does not define this kernel; it defines ["other"]`},
		{"not a kernel", "define void @k() {\n  ret void\n}", "sm_80", nil, "the module does not define this kernel"},
		{"declared", "declare KERNEL void @k()", "gfx90a", nil, "the module does not define this kernel"},
		{"undefined", undefinedIR, "gfx90a", nil, "undefined symbol absent, gone, missing"},
		{"undefined PTX", undefinedIR, "sm_80", nil, "undefined symbol absent, gone, missing"},
		{"fatal", cosineIR, "gfx90a", nil, "fatal error: "},
		{"fatal PTX", cosineIR, "sm_80", nil, "fatal error: Cannot select"},
		{"memory", tooMuchLDSIR, "gfx90a", nil, "300000 bytes of static shared memory; the limit of gfx90a is 65536 a block"},
		{"processor", plainIR, "gfx9999", nil, fmt.Sprintf(`processor "gfx9999" is not known to LLVM %d`, major)},
		{"processor PTX", plainIR, "sm_999", nil, `processor "sm_999" is not known`},
		{"vendor", plainIR, "gfx90a", func(r *Request) { r.CPU = "sm_80" }, `processor "sm_80" is not one of amdgcn-amd-amdhsa`},
		{"old", plainIR, "gfx940", func(r *Request) {
			if major <= 19 {
				r.CPU = "gfx9402"
			}
		}, "processor"},
		{"wave", plainIR, "gfx906", func(r *Request) { r.Features = "+wavefrontsize32" }, "features"},
		{"wave size", plainIR, "gfx1030", func(r *Request) { r.WarpSize = 64 }, "compiled for warps of 32, not 64"},
		{"passes", plainIR, "gfx90a", func(r *Request) { r.Passes = "default<O3" }, "passes"},
		{"version", plainIR, "gfx90a", func(r *Request) { r.CodeObject = 3 }, "code object version 3"},
		{"empty", "", "gfx90a", func(r *Request) { r.IR = []byte(" \n") }, "the module is empty"},
		{"incomplete", plainIR, "gfx90a", func(r *Request) { r.Kernel = "" }, "incomplete request"},
		{"kind", plainIR, "gfx90a", func(r *Request) { r.Kind = abi.GoFunc }, "cannot compile to go"},
		{"triple", plainIR, "gfx90a", func(r *Request) { r.Triple = "amdgnc" }, "amdgnc"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := request(test.text, "k", test.arch)
			if test.change != nil {
				test.change(r)
			}
			obj, err := Emit(r)
			if err == nil || !strings.Contains(err.Error(), test.want) || obj != nil {
				t.Fatalf("got %v, %v, want an error that says %q", obj, err, test.want)
			}
		})
	}
	// After all that, compiles go on.
	if _, err := Emit(request(plainIR, "k", "gfx90a")); err != nil {
		t.Error(err)
	}
	_, err := Emit(request(undefinedIR, "k", "gfx90a"))
	if undefined := new(link.UndefinedError); !errors.As(err, &undefined) {
		t.Errorf("not an UndefinedError: %v", err)
	}
	_, err = Emit(request(cosineIR, "k", "gfx90a"))
	if fatal := new(llvm.FatalError); !errors.As(err, &fatal) {
		t.Errorf("not a FatalError: %v", err)
	}
}

// What a PTX module may leave to the driver.
func TestPTXRuntime(t *testing.T) {
	skipWithoutLLVM(t)
	obj, err := Emit(request(`
@dynamic = external addrspace(3) global [0 x float], align 16
declare ptr @malloc(i64)
declare void @free(ptr)
define KERNEL void @k(ptr addrspace(1) %p) {
  %m = call ptr @malloc(i64 16)
  store volatile i8 1, ptr %m
  call void @free(ptr %m)
  %v = load float, ptr addrspace(3) @dynamic
  store float %v, ptr addrspace(1) %p
  ret void
}`, "k", "sm_75"))
	if err != nil || !strings.Contains(string(obj.Code), ".extern .shared") {
		t.Errorf("%v", err)
	}
}

func TestText(t *testing.T) {
	skipWithoutLLVM(t)
	for arch, want := range map[string]string{"gfx90a": "global_store_dword", "sm_80": "st.global.f32"} {
		r := request(modules[0].text, "vecadd", arch)
		asm, err := Assembly(r)
		// LLVM 20 prints a float store by its bits.
		if err != nil || !strings.Contains(asm, want) && !strings.Contains(asm, "st.global.b32") {
			t.Errorf("%s: %v\n%s", arch, err, asm)
		}
		ir, err := OptimisedIR(r)
		if err != nil || !strings.Contains(ir, "fadd float") || !strings.Contains(ir, "target datalayout") {
			t.Errorf("%s: %v\n%s", arch, err, ir)
		}
		r.Passes = "default<O0>"
		if _, err := Emit(r); err != nil {
			t.Errorf("%s unoptimised: %v", arch, err)
		}
	}
}

// The table of processors agrees with this LLVM: what it has compiles for the
// processor named, as the object's header tells.
func TestCPUTable(t *testing.T) {
	major := skipWithoutLLVM(t)
	for cpu, r := range cpus.Get() {
		if !r.has(major) {
			continue
		}
		if slices.Contains(hostArchs, cpu) {
			continue // TestHost has it
		}
		req := request(plainIR, "k", cpu)
		if strings.HasSuffix(cpu, "-generic") {
			req.CodeObject = 6
			if strings.HasPrefix(cpu, "gfx1") {
				req.WarpSize = 32
			} else {
				req.WarpSize, req.Features = 64, ""
			}
		}
		if req.CodeObject == 6 && major < 19 {
			continue
		}
		if _, err := Emit(req); err != nil {
			t.Error(err)
		}
	}
}

// Instructions that need more than a processor's first PTX version select.
func TestPTXVersion(t *testing.T) {
	major := skipWithoutLLVM(t)
	obj, err := Emit(request(plainIR, "k", "sm_70"))
	if err != nil || !strings.Contains(string(obj.Code), ".version 7.0") {
		t.Errorf("%v\n%s", err, obj.Code)
	}
	r := request(plainIR, "k", "sm_70")
	r.Features = "+ptx99"
	if _, err := Emit(r); err == nil || !strings.Contains(err.Error(), "PTX version 9.9 is newer than LLVM") {
		t.Error(err)
	}
	// The newest version of this release is not ignored.
	newest := newestPTX(major)
	r.Features = fmt.Sprintf("+ptx%d", newest)
	if obj, err = Emit(r); err != nil || !strings.Contains(string(obj.Code), fmt.Sprintf(".version %d.%d", newest/10, newest%10)) {
		t.Errorf("%v\n%s", err, obj.Code)
	}
}

func TestSupports(t *testing.T) {
	for _, test := range []struct {
		triple, cpu string
		major       int
		want        string
	}{
		{amdTriple, "gfx90a", 19, ""},
		{amdTriple, "gfx90a", 15, "LLVM 15 is not one that heddle uses for AMDGPU: 40 of 500 random kernels were wrong"},
		{amdTriple, "gfx942", 16, "processor gfx942 needs LLVM 17 or later, and this is LLVM 16"},
		{amdTriple, "gfx950", 19, "processor gfx950 needs LLVM 20 or later, and this is LLVM 19"},
		{amdTriple, "gfx940", 22, "processor gfx940 was dropped after LLVM 19, and this is LLVM 22: set HEDDLE_LLVM=19"},
		{amdTriple, "gfx9999", 22, `processor "gfx9999" is not known to LLVM 22`},
		{amdTriple, "gfx9999", 99, "LLVM 99 is not one that heddle uses for AMDGPU"},
		{nvTriple, "sm_90", 22, "LLVM 22 is not one that heddle uses for NVPTX: shifts look at"},
		{amdTriple, "gfx942", 22, ""},
		{amdTriple, "gfx9999", 0, ""},
		{nvTriple, "sm_90", 16, "LLVM 16 is not one that heddle uses for NVPTX: 3 of 1,000"},
		{nvTriple, "sm_90", 15, "processor sm_90 needs LLVM 16 or later"},
		{"x86_64-unknown-linux-gnu", "x86-64-v3", 15, ""},
		{"aarch64-unknown-linux-gnu", "aarch64", 17, ""},
		{"aarch64-unknown-linux-gnu", "aarch64", 16, "processor aarch64 needs LLVM 17 or later, and this is LLVM 16"},
		{"aarch64-unknown-linux-gnu", "x86-64-v3", 15, `processor "x86-64-v3" is not one of aarch64-unknown-linux-gnu`},
		{"x86_64-unknown-linux-gnu", "x86-64-v5", 19, `processor "x86-64-v5" is not known to LLVM 19`},
		{nvTriple, "gfx90a", 22, `processor "gfx90a" is not one of nvptx64-nvidia-cuda: want a name that begins with sm_`},
	} {
		err := supports(test.triple, test.cpu, test.major)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s on LLVM %d: %v, want %q", test.cpu, test.major, err, test.want)
		}
	}
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine")
	}
	if err := Supports(amdTriple, "gfx90a"); err != nil {
		t.Error(err)
	}
}
