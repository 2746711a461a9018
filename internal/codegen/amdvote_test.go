package codegen

import (
	"strings"
	"testing"
)

// A ballot of joined comparisons needs no number in each lane, unless one of them is used elsewhere or comes from another block.
func TestPartBallots(t *testing.T) {
	skipWithoutLLVM(t)
	const text = `
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n, i32 %m) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %p
  %far = icmp ugt i32 %t, %n
  br label %next
next:
  %a = icmp slt i32 %x, %n
  %b = icmp ugt i32 %x, %m
  %c = icmp eq i32 %x, 77
  BODY
  %v = call iWAVE @llvm.amdgcn.ballot.iWAVE(i1 %bad)
  %any = icmp ne iWAVE %v, 0
  br i1 %any, label %some, label %none
some:
  store i32 ELSE, ptr addrspace(1) %out
  ret void
none:
  store i32 2, ptr addrspace(1) %p
  ret void
}
declare iWAVE @llvm.amdgcn.ballot.iWAVE(i1)
`
	for _, c := range []struct {
		body, other string
		parts       bool
	}{
		{"%bad = or i1 %a, %b", "1", true},
		{"%o = or i1 %a, %b\n  %bad = or i1 %o, %c", "1", true},
		{"%o = and i1 %a, %b\n  %bad = or i1 %c, %o", "1", true},
		{"%bad = or i1 %a, %far", "1", false},
		{"%bad = or i1 %a, %b\n  %e = zext i1 %a to i32", "%e", false},
		{"%bad = or i1 %a, %b\n  %e = zext i1 %bad to i32", "%e", false},
		{"%o = xor i1 %a, %b\n  %bad = or i1 %c, %o", "1", false},
		{"%bad = icmp ult i32 %x, %t", "1", false},
	} {
		for arch, wave := range map[string]string{"gfx942": "64", "gfx1100": "32"} {
			module := strings.NewReplacer("BODY", c.body, "ELSE", c.other, "WAVE", wave).Replace(text)
			if _, ok := partBallots(module); ok != c.parts {
				t.Errorf("%s: %s: parted: %v", arch, c.body, ok)
			}
			asm, err := Assembly(request(module, "k", arch))
			if err != nil {
				t.Fatal(err)
			}
			if c.parts && strings.Contains(asm, "v_cndmask") {
				t.Errorf("%s: %s\n%s", arch, c.body, asm)
			}
		}
	}
}
