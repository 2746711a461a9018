package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// A few registers less are asked for where that lets another wave run.
func TestMoreWaves(t *testing.T) {
	for _, c := range []struct {
		arch      string
		registers int
		want      int
	}{
		{"gfx942", 24, 0}, {"gfx942", 64, 0}, {"gfx942", 71, 0}, {"gfx942", 110, 5}, {"gfx942", 128, 5}, {"gfx942", 138, 4}, {"gfx942", 256, 0},
		{"gfx1100", 96, 0}, {"gfx1100", 108, 0}, {"gfx1100", 185, 0}, {"gfx1100", 200, 8},
	} {
		for i := range registerFiles {
			if f := &registerFiles[i]; f.arch == c.arch || f.arch == "gfx94" && c.arch == "gfx942" {
				if got := f.more(c.registers); got != c.want {
					t.Errorf("%s, %d registers: %d waves, want %d", c.arch, c.registers, got, c.want)
				}
			}
		}
	}
}

// A kernel of which LLVM keeps some numbers too many gets room for another wave.
func TestCompiledForWaves(t *testing.T) {
	skipWithoutLLVM(t)
	const many = 126
	var loads, sums strings.Builder
	for k := range many {
		fmt.Fprintf(&loads, "  %%p%[1]d = getelementptr inbounds i8, ptr addrspace(1) %%p, i64 %[2]d\n  %%x%[1]d = load volatile i32, ptr addrspace(1) %%p%[1]d, align 4\n", k, 4*k)
	}
	last := "%t"
	for k := range many * 2 {
		fmt.Fprintf(&sums, "  %%m%[1]d = mul i32 %[2]s, %%x%[3]d\n  %%s%[1]d = xor i32 %%m%[1]d, %%x%[4]d\n", k, last, k%many, (k+7)%many)
		last = fmt.Sprintf("%%s%d", k)
	}
	text := "define amdgpu_kernel void @k(ptr addrspace(1) %in) {\n  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %o = shl nuw i32 %t, 2\n  %w = zext i32 %o to i64\n" +
		"  %p = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %w\n" + loads.String() + sums.String() +
		"  store i32 " + last + ", ptr addrspace(1) %p, align 4\n  ret void\n}\n"
	r, err := request(text, "k", "gfx90a").normal()
	if err != nil {
		t.Fatal(err)
	}
	obj, err := Emit(r)
	if err != nil {
		t.Fatal(err)
	}
	if obj.Res.VGPR > 128 || obj.Res.Scratch > mostSpill {
		t.Errorf("%d registers, %d bytes are spilled", obj.Res.VGPR, obj.Res.Scratch)
	}
	asm, err := Assembly(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(".vgpr_count:     %d", obj.Res.VGPR); !strings.Contains(asm, want) {
		t.Errorf("the text has no %q", want)
	}
}
