package codegen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// A memmove between pointers of these address spaces.
const memmoveIR = `
@shared = internal addrspace(3) global [64 x i64] undef, align 8
declare void @llvm.memmove.TYPES(ptr addrspace(TO), ptr addrspace(FROM), i64, i1)
define KERNEL void @k(ptr addrspace(1) %out, i64 %n) {
  %g0 = addrspacecast ptr addrspace(1) %out to ptr
  %s0 = addrspacecast ptr addrspace(3) @shared to ptr
  %p3 = getelementptr i8, ptr addrspace(3) @shared, i64 8
  %p1 = getelementptr i8, ptr addrspace(1) %out, i64 0
  %choose = icmp eq i64 %n, 17
  %p0 = select i1 %choose, ptr %g0, ptr %s0
  %source = getelementptr i8, ptr addrspace(FROM) %pFROM, i64 %n
  call void @llvm.memmove.TYPES(ptr addrspace(TO) %pTO, ptr addrspace(FROM) %source, i64 %n, i1 false)
  %last = load volatile i64, ptr addrspace(3) @shared
  ret void
}`

// No release drops a memmove, whatever the address spaces, nor crashes.
func TestMemmove(t *testing.T) {
	major := skipWithoutLLVM(t)
	stores := regexp.MustCompile(`\bst(\.shared|\.global)?\.[ub](8|64)`)
	for _, to := range []string{"0", "1", "3"} {
		for _, from := range []string{"0", "1", "3"} {
			types := fmt.Sprintf("p%s.p%s.i64", to, from)
			text := strings.NewReplacer("TYPES", types, "TO", to, "FROM", from).Replace(memmoveIR)
			for _, arch := range []string{"gfx90a", "gfx1030", "sm_80"} {
				for _, passes := range []string{"default<O0>", "default<O3>"} {
					r := request(text, "k", arch)
					r.Passes = passes
					obj, err := Emit(r)
					if err != nil {
						t.Errorf("%s: LLVM %d, %s: %v", types, major, passes, err)
					} else if r.Kind == abi.PTX && !stores.Match(obj.Code) {
						t.Errorf("%s: LLVM %d, %s: no store:\n%s", types, major, passes, obj.Code)
					}
				}
			}
		}
	}
}

// A kernel that moves memory still has its approximate division with FastMath.
func TestMemmoveKeepsFastMath(t *testing.T) {
	skipWithoutLLVM(t)
	text := strings.NewReplacer("TYPES", "p1.p1.i64", "TO", "1", "FROM", "1", "  ret void", `  %x = load float, ptr addrspace(1) %out
  %y = sitofp i64 %n to float
  %q = fdiv fast float %x, %y
  store float %q, ptr addrspace(1) %out
  ret void`).Replace(memmoveIR)
	r := request(text, "k", "sm_80")
	r.FastMath = true
	obj, err := Emit(r)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(obj.Code), "div.approx") {
		t.Errorf("no approximate division:\n%s", obj.Code)
	}
}

func TestMemmoveTypes(t *testing.T) {
	for _, types := range []string{"", "p0.p0", "p0.p0.i64.x", "p0.v4.i64", "p.p0.i64", "p0.p0.p0"} {
		if text, err := memmoveText(types); err == nil {
			t.Errorf("%q: %s", types, text)
		}
	}
}
