package codegen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/abi"
)

const ocmlIR = `
declare float @__ocml_sin_f32(float)
declare double @__ocml_pow_f64(double, double)
declare i32 @__ockl_activelane_u32()
define KERNEL void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__ocml_sin_f32(float %x)
  store float %y, ptr addrspace(1) %p
  %a = load double, ptr addrspace(1) %q
  %b = call double @__ocml_pow_f64(double %a, double %a)
  %l = call i32 @__ockl_activelane_u32()
  %f = uitofp i32 %l to double
  %c = fadd double %b, %f
  store double %c, ptr addrspace(1) %q
  ret void
}`

func TestOCML(t *testing.T) {
	major := skipWithoutLLVM(t)
	if _, ok := HasMathLib(abi.HSACO); !ok {
		t.Skip("no OCML on this machine")
	}
	for _, arch := range amdArchs {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		obj, err := Emit(request(ocmlIR, "k", arch))
		if err != nil {
			t.Error(err)
			continue
		}
		if obj.Res.CodeBytes < 1000 {
			t.Errorf("%s: %d bytes of code", arch, obj.Res.CodeBytes)
		}
	}
	// Nothing of the library is left but what is called, and nothing is exported.
	ir, err := OptimisedIR(request(ocmlIR, "k", "gfx90a"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(ir) {
		if strings.HasPrefix(line, "define ") && !strings.HasPrefix(line, "define internal") && !strings.Contains(line, "@k(") {
			t.Errorf("left: %s", line)
		}
		if strings.Contains(line, "@__oclc") {
			t.Errorf("a control is left: %s", line)
		}
	}
}

func TestISAVersion(t *testing.T) {
	for cpu, want := range map[string]int{"gfx803": 8003, "gfx90a": 9010, "gfx942": 9402, "gfx1030": 10300, "gfx1201": 12001, "gfx9-generic": 9000, "gfx10-3-generic": 10300, "gfx11-generic": 11000} {
		if got, err := isaVersion(cpu); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", cpu, got, err, want)
		}
	}
	for _, cpu := range []string{"", "gfx", "gfx9", "gfxabc", "fiji"} {
		if got, err := isaVersion(cpu); err == nil {
			t.Errorf("%q: %d", cpu, got)
		}
	}
}

const nvIR = `
declare float @__nv_sinf(float)
define KERNEL void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__nv_sinf(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}`

// fakeLibdevice has the shape of NVIDIA's file: external definitions, a private
// table, and behaviour chosen by __nvvm_reflect. Pointers are written the old
// way for the sake of an old llvm-as.
const fakeLibdevice = `
target triple = "nvptx64-nvidia-gpulibs"
@.str = private unnamed_addr constant [11 x i8] c"__CUDA_FTZ\00"
declare i32 @__nvvm_reflect(i8*)
define float @__nv_sinf(float %x) {
  %ftz = call i32 @__nvvm_reflect(i8* getelementptr inbounds ([11 x i8], [11 x i8]* @.str, i32 0, i32 0))
  %c = icmp ne i32 %ftz, 0
  br i1 %c, label %flush, label %keep
flush:
  %a = fmul float %x, 4.0
  ret float %a
keep:
  %r = call float @llvm.nvvm.round.f(float %x) ; ties to even
  %b = fmul float %r, 8.0
  ret float %b
}
declare float @llvm.nvvm.round.f(float)
define float @__nv_cosf(float %x) {
  ret float %x
}
`

func TestLibdevice(t *testing.T) {
	major := skipWithoutLLVM(t)
	if _, ok := HasMathLib(abi.PTX); ok {
		for _, arch := range nvArchs {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			if obj, err := Emit(request(nvIR, "k", arch)); err != nil || strings.Contains(string(obj.Code), "__nv_") {
				t.Errorf("%s: %v", arch, err)
			}
		}
	}
	assembler := ""
	for _, name := range []string{"llvm-as-14", "llvm-as-15", "/usr/lib/llvm-14/bin/llvm-as"} { // whose bitcode all can read
		if path, err := exec.LookPath(name); err == nil {
			assembler = path
		}
	}
	if assembler == "" {
		t.Skip("no old llvm-as to make a library with")
	}
	dir := t.TempDir()
	cmd := exec.Command(assembler, "-o", filepath.Join(dir, "libdevice.10.bc"))
	cmd.Stdin = strings.NewReader(fakeLibdevice)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv(EnvDeviceLibs, dir)
	for fast, want := range map[bool]string{false: "0f41000000", true: "0f40800000"} {
		r := request(nvIR, "k", "sm_75")
		r.FastMath = fast
		obj, err := Emit(r)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(obj.Code); !strings.Contains(text, want) || strings.Contains(text, "__nv") {
			t.Errorf("fast %v: want a multiplication by %s, and no library function:\n%s", fast, want, text)
		}
		if !fast && !strings.Contains(string(obj.Code), "cvt.rni.f32.f32") {
			t.Errorf("nvvm.round is not rounded to even:\n%s", obj.Code)
		}
	}
}

// A module that needs a library that is not there says which, and what to do.
func TestNoMathLib(t *testing.T) {
	skipWithoutLLVM(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ocml.bc"), []byte("not bitcode"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvDeviceLibs, "off")
	for _, kind := range []abi.Kind{abi.HSACO, abi.PTX} {
		if path, ok := HasMathLib(kind); ok {
			t.Errorf("%s=off: found %s", EnvDeviceLibs, path)
		}
	}
	t.Setenv(EnvDeviceLibs, dir)
	if _, err := Emit(request("declare float @__ocml_sin_f32(float)\ndefine KERNEL void @k(float %x) {\n  %y = call float @__ocml_sin_f32(float %x)\n  ret void\n}", "k", "gfx90a")); err == nil || !strings.Contains(err.Error(), "ocml.bc") {
		t.Errorf("damaged library: %v", err)
	}
	if _, ok := HasMathLib(abi.PTX); ok {
		t.Skip("libdevice is there")
	}
	if _, err := Emit(request(nvIR, "k", "sm_75")); err == nil || !strings.Contains(err.Error(), "__nv_sinf needs the device math library") || !strings.Contains(err.Error(), "CUDA_HOME") {
		t.Errorf("missing library: %v", err)
	}
}
