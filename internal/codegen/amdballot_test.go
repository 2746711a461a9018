package codegen

import (
	"strings"
	"testing"
)

// A ballot of an ordered comparison is none of an unordered one.
func TestHoldBallots(t *testing.T) {
	skipWithoutLLVM(t)
	const text = `
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %x = load float, ptr addrspace(1) %p
  COMPARE
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  store i64 %b, ptr addrspace(1) %out
  ret void
}
declare i64 @llvm.amdgcn.ballot.i64(i1)
`
	for _, compare := range []string{
		"%c = fcmp one float %x, 1.0",
		"%d = fcmp ueq float %x, 1.0\n  %c = xor i1 %d, true",
	} {
		asm, err := Assembly(request(strings.Replace(text, "COMPARE", compare, 1), "k", "gfx942"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(asm, "v_cmp_lg_f32") || strings.Contains(asm, "v_cmp_neq_f32") {
			t.Errorf("%s:\n%s", compare, asm)
		}
	}
}
