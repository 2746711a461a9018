package codegen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// farKernel loads from many addresses that are made ahead of a loop, which are by bytes behind each other.
func farKernel(many, by int) string {
	var ahead, loads strings.Builder
	for k := 1; k <= many; k++ {
		fmt.Fprintf(&ahead, "  %%q%d = getelementptr inbounds i8, ptr addrspace(1) %%p, i64 %d\n", k, k*by)
		fmt.Fprintf(&loads, "  %%x%[1]d = load volatile i32, ptr addrspace(1) %%q%[1]d, align 4\n  %%s%[1]d = add i32 %%s%[2]d, %%x%[1]d\n", k, k-1)
	}
	return fmt.Sprintf(`
define amdgpu_kernel void @k(ptr addrspace(1) %%in, ptr addrspace(1) %%out, i32 %%n) {
  %%t = call i32 @llvm.amdgcn.workitem.id.x()
  %%o = shl nuw i32 %%t, 2
  %%w = zext i32 %%o to i64
  %%p = getelementptr inbounds i8, ptr addrspace(1) %%in, i64 %%w
%s  br label %%loop
loop:
  %%k = phi i32 [ 0, %%0 ], [ %%k1, %%loop ]
  %%s0 = phi i32 [ 0, %%0 ], [ %%s%[3]d, %%loop ]
%[2]s  %%k1 = add i32 %%k, 1
  %%c = icmp ult i32 %%k1, %%n
  br i1 %%c, label %%loop, label %%end
end:
  %%r = getelementptr inbounds i8, ptr addrspace(1) %%out, i64 %%w
  store i32 %%s%[3]d, ptr addrspace(1) %%r, align 4
  ret void
}
`, ahead.String(), loads.String(), many)
}

// Many far addresses are made of one that lanes share for each 4 KB; a few, near ones and such of too large a range stay.
func TestPartFar(t *testing.T) {
	for _, c := range []struct {
		name                 string
		many, by             int
		shared, near, behind int
	}{
		{"rows", 40, 256, 2, 2, 25},
		{"few", 20, 256, 0, 0, 0},
		{"near", 40, 64, 0, 0, 0},
		{"far apart", 40, 4096, 0, 0, 0},
	} {
		got, ok := partFar(farKernel(c.many, c.by))
		count := func(expr string) int { return len(regexp.MustCompile(`(?m)^  `+expr).FindAllString(got, -1)) }
		shared := count(`%heddle\.far\.\d+\.at\.\d+ = `)
		if near := count(`%heddle\.far\.\d+ = .*%heddle\.far\.\d+\.at\.\d+, i64 %`); shared != c.shared || near != c.near || ok != (c.shared > 0) {
			t.Errorf("%s: %d addresses for all lanes, want %d; %d of a lane, want %d", c.name, shared, c.shared, near, c.near)
		}
		if n := count(`%x\d+ = load volatile i32, ptr addrspace\(1\) %heddle\.far\.`); n != c.behind {
			t.Errorf("%s: %d loads from these, want %d\n%s", c.name, n, c.behind, got)
		}
	}
}

// Without that, each far address of the loop takes two registers.
func TestFarRegisters(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		obj, err := Emit(request(farKernel(56, 256), "k", arch))
		if err != nil {
			t.Fatal(err)
		}
		if obj.Res.VGPR > 72 {
			t.Errorf("%s: %d registers", arch, obj.Res.VGPR)
		}
	}
}
