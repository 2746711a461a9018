package codegen

import (
	"strings"
	"testing"
)

// expTwice is a kernel that takes an exponential of what it loads and, behind a branch, another: F stands for the function and Y for that one's argument.
const expTwice = `
declare double @F(double)
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @TID()
  %p = getelementptr double, ptr addrspace(1) %in, i32 %t
  %q = getelementptr double, ptr addrspace(1) %out, i32 %t
  %x = load double, ptr addrspace(1) %p
  %y = fmul double %x, 3.0
  %e = call double @F(double %x)
  %large = fcmp ogt double %e, 0.875
  br i1 %large, label %more, label %end
more:
  %f = call double @F(double Y)
  %g = fmul double %f, 3.0
  store double %g, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
`

// Calls of the device math library with one argument are one call, and others are not.
func TestMathTwice(t *testing.T) {
	skipWithoutLLVM(t)
	for arch, name := range map[string]string{"gfx942": "__ocml_exp_f64", "sm_80": "__nv_exp"} {
		tid := "llvm.amdgcn.workitem.id.x" // which request declares
		if arch[0] == 's' {
			tid = "llvm.nvvm.read.ptx.sreg.tid.x"
		}
		of := func(arg string) *Request {
			return request(strings.NewReplacer("F(", name+"(", "TID", tid, "Y", arg).Replace(expTwice), "k", arch)
		}
		if _, ok := HasMathLib(of("%x").Kind); !ok {
			continue
		}
		same, other := linesOf(t, of("%x")), linesOf(t, of("%y"))
		t.Logf("%s: %d lines of code for one argument, %d for two", arch, same, other)
		if same*5 > other*4 {
			t.Errorf("%s: they are two calls", arch)
		}
	}
}

// Of what a function of a library is declared to do it is called pure only if it takes numbers alone.
func TestPureMath(t *testing.T) {
	for declared, want := range map[string]bool{
		"declare double @__nv_exp(double %0)":                          true,
		"declare float @__nv_powf(float %0, float %1)":                 true,
		"declare float @__ocml_ldexp_f32(float, i32)":                  true,
		"declare float @__nv_frexpf(float %0, ptr %1)":                 false,
		"declare float @__ocml_sincos_f32(float, ptr addrspace(5))":    false,
		"declare void @__nv_sincosf(float %0, ptr %1, ptr %2)":         false,
		"declare i32 @heddle_other(i32 %0)":                            false,
		"declare <2 x half> @__ocml_exp_2f16(<2 x half> %0)":           false,
		"define double @__nv_exp(double %0) {\n\tret double %0\n}\n\n": false,
	} {
		_, name, _ := strings.Cut(declared, "@")
		name, _, _ = strings.Cut(name, "(")
		call := "\t%1 = call double @" + name + "(double %x)\n"
		if got := mathTwice(call + call + declared + "\n")[name]; got != want {
			t.Errorf("%s: %v, want %v", declared, got, want)
		}
		if mathTwice(call + declared + "\n")[name] {
			t.Errorf("%s: it is called once", declared)
		}
	}
}
