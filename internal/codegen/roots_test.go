package codegen

import (
	"strings"
	"testing"

	"heddle/internal/abi"
)

// Roots of constants are computed, with what is made of them, and others stay as they are.
func TestConstantRoots(t *testing.T) {
	const head = "target triple = \"nvptx64-nvidia-cuda\"\n\ndefine ptx_kernel void @k(ptr addrspace(1) %out, float %x, double %y) {\n"
	for _, c := range []struct{ name, body, want string }{
		{"float", `%r = call float asm "sqrt.rn.f32 $0, $1;", "=f,f"(float 4.0) nounwind willreturn memory(none)
  %q = fdiv float 3.0, %r
  store float %q, ptr addrspace(1) %out`, "store float 1.500000e+00"},
		{"double", `%r = call double asm "sqrt.rn.f64 $0, $1;", "=d,d"(double 2.25) nounwind willreturn memory(none)
  store double %r, ptr addrspace(1) %out`, "store double 1.500000e+00"},
		{"by the next one", `%r = call float asm "sqrt.rn.f32 $0, $1;", "=f,f"(float 16.0) nounwind willreturn memory(none)
  %s = fmul float %r, %x
  %q = call float asm "sqrt.rn.f32 $0, $1;", "=f,f"(float %s) nounwind willreturn memory(none)
  store float %q, ptr addrspace(1) %out`, `asm "sqrt.rn.f32 $0, $1;", "=f,f"(float %s)`},
		{"hexadecimal", `%r = call float asm "sqrt.rn.f32 $0, $1;", "=f,f"(float 0x3FB99999A0000000) nounwind willreturn memory(none)
  store float %r, ptr addrspace(1) %out`, "store float 0x3FD43D1"},
		{"less than 0", `%r = call float asm "sqrt.rn.f32 $0, $1;", "=f,f"(float -4.0) nounwind willreturn memory(none)
  store float %r, ptr addrspace(1) %out`, `asm "sqrt.rn.f32 $0, $1;", "=f,f"(float -4.000000e+00)`},
	} {
		text := head + "  " + c.body + ", align 4\n  ret void\n}\n"
		got, err := OptimisedIR(&Request{Kernel: "k", Kind: abi.PTX, Triple: "nvptx64-nvidia-cuda", CPU: "sm_90", IR: []byte(text), Passes: "default<O3>"})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: want %s\n%s", c.name, c.want, got)
		}
	}
}
