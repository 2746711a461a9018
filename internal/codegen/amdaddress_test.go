package codegen

import (
	"regexp"
	"strings"
	"testing"
)

// apartKernel loads and stores near an address that has been made in another block.
const apartKernel = `
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %o = shl nuw i32 OFFSET, 2
  %w = zext i32 %o to i64
  %p = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %w
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %c = icmp ult i32 %x, %n
  br i1 %c, label %next, label %end
next:
  %y = load i32, ptr addrspace(1) %q
  %r = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %w
  store i32 %y, ptr addrspace(1) %r
  %z = load i32, ptr addrspace(1) %p
  store i32 %z, ptr addrspace(1) %q
  LAST
end:
  ret void
}
`

// What is addressed in a block has its address made there, but of a loop that it is made ahead of, and an offset that all lanes have.
func TestRemakeAddresses(t *testing.T) {
	for _, c := range []struct {
		offset, last string
		made         int // addresses and offsets
	}{
		{"%t", "br label %end", 3},
		{"%t", "%d = icmp ult i32 %z, %n\n  br i1 %d, label %next, label %end", 0},
		{"%n", "br label %end", 0},
	} {
		text := strings.NewReplacer("OFFSET", c.offset, "LAST", c.last).Replace(apartKernel)
		got, ok := remakeAddresses(text)
		if n := len(regexp.MustCompile(`(?m)^  %heddle\.near\.\d+ = `).FindAllString(got, -1)); n != c.made || ok != (c.made > 0) {
			t.Errorf("%d are made, want %d\n%s", n, c.made, got)
		}
	}
	helper := strings.Replace(strings.NewReplacer("OFFSET", "%t", "LAST", "br label %end").Replace(apartKernel), "amdgpu_kernel ", "", 1)
	if got, ok := remakeAddresses(helper); ok {
		t.Errorf("a function's parameters may differ between lanes:\n%s", got)
	}
}

// Such an address needs no instruction, from GFX9 on.
func TestRemadeAddresses(t *testing.T) {
	major := skipWithoutLLVM(t)
	text := strings.NewReplacer("OFFSET", "%t", "LAST", "br label %end").Replace(apartKernel)
	for arch, wide := range map[string]bool{"gfx803": true, "gfx90a": false, "gfx942": false, "gfx1030": false, "gfx1100": false} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		asm, err := Assembly(request(text, "k", arch))
		if err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`v_lshl_add_u64|v_addc_co|v_addc_u32|v_add_co_ci|(global|flat)_\w+ v\[|(global|flat)_store_dword v\[`).MatchString(asm); got != wide {
			t.Errorf("%s: addresses of 64 bits: %v\n%s", arch, got, asm)
		}
	}
}
