package codegen

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// withPanic is a kernel with two checks of what it loads, one of them in a loop, and heddle_panic
// as package ssa2ir makes it.
const withPanic = `
@heddle_panic_sink = protected addrspace(1) externally_initialized global ptr addrspace(1) null, align 8
@heddle_panic_lock = protected addrspace(1) externally_initialized global i32 0, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %in, i64 %len, ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %t
  %first = load i64, ptr addrspace(1) %q
  br label %loop
loop:
  %i = phi i64 [ %first, %0 ], [ %x, %ok ]
  %good = icmp ult i64 %i, %len
  br i1 %good, label %ok, label %fail
ok:
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %more = icmp ne i64 %x, 0
  br i1 %more, label %loop, label %end
end:
  %bad = icmp ugt i64 %i, 1000
  br i1 %bad, label %large, label %fine
fine:
  store i64 %i, ptr addrspace(1) %q
  ret void
fail:
  call void @heddle_panic(i32 7, i64 %i, i64 %len) noreturn
  unreachable
large:
  call void @heddle_panic(i32 100000, i64 %i, i64 -5000000000) noreturn
  unreachable
}
define internal void @heddle_panic(i32 %site, i64 %a, i64 %b) cold noinline noreturn nounwind {
0:
  %1 = cmpxchg ptr addrspace(1) @heddle_panic_lock, i32 0, i32 1 syncscope("agent") monotonic monotonic
  %2 = extractvalue { i32, i1 } %1, 0
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %4, label %22

4:
  %5 = load ptr addrspace(1), ptr addrspace(1) @heddle_panic_sink, align 8
  %6 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 4
  store volatile i32 %site, ptr addrspace(1) %6, align 4
  %7 = call i32 @llvm.amdgcn.workgroup.id.x()
  %8 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 8
  store volatile i32 %7, ptr addrspace(1) %8, align 4
  %9 = call i32 @llvm.amdgcn.workitem.id.x()
  %10 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 20
  store volatile i32 %9, ptr addrspace(1) %10, align 4
  %11 = call i32 @llvm.amdgcn.workgroup.id.y()
  %12 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 12
  store volatile i32 %11, ptr addrspace(1) %12, align 4
  %13 = call i32 @llvm.amdgcn.workitem.id.y()
  %14 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 24
  store volatile i32 %13, ptr addrspace(1) %14, align 4
  %15 = call i32 @llvm.amdgcn.workgroup.id.z()
  %16 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 16
  store volatile i32 %15, ptr addrspace(1) %16, align 4
  %17 = call i32 @llvm.amdgcn.workitem.id.z()
  %18 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 28
  store volatile i32 %17, ptr addrspace(1) %18, align 4
  %19 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 32
  store volatile i64 %a, ptr addrspace(1) %19, align 4
  %20 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 40
  store volatile i64 %b, ptr addrspace(1) %20, align 4
  fence seq_cst
  %21 = getelementptr inbounds i8, ptr addrspace(1) %5, i64 0
  store volatile i32 1, ptr addrspace(1) %21, align 4
  fence seq_cst
  br label %22

22:
  call void @llvm.amdgcn.endpgm() noreturn
  unreachable
}
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare void @llvm.amdgcn.endpgm()
`

// A parameter list ends at its own bracket, whatever attributes have (LLVM 22 tells ranges there).
func TestListEnd(t *testing.T) {
	for s, want := range map[string]string{
		`) {`: "", `i32 %a) #0 {`: "i32 %a", `i32 range(i32 7, 100001) %a, i64 noundef %b) unnamed_addr #2 {`: "i32 range(i32 7, 100001) %a, i64 noundef %b",
		`ptr byval({ i32, [2 x i8] }) "odd)" %a) {`: `ptr byval({ i32, [2 x i8] }) "odd)" %a`, `i32 %a`: "i32 %a",
	} {
		if got := s[:listEnd(s)]; got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// What heddle_panic takes for registers, each kernel that goes there has, and that is all it
// has for it: LLVM knows of no call.
func TestPanicRegisters(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, arch := range amdArchs {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		r := request(withPanic, "k", arch)
		text, err := Assembly(r)
		if err != nil {
			t.Errorf("%s: %v", arch, err)
			continue
		}
		_, panics, ok := strings.Cut(text, "\nheddle_panic:")
		if !ok {
			t.Fatalf("%s: no heddle_panic in\n%s", arch, text)
		}
		panics, _, _ = strings.Cut(panics, "\n.Lfunc_end")
		if strings.Contains(text, "s_swappc") || strings.Contains(panics, "scratch_") || strings.Contains(panics, "buffer_store") || strings.Contains(panics, "buffer_load") {
			t.Errorf("%s: a call, or a stack:\n%s", arch, text)
		}
		obj, err := Emit(r)
		if err != nil {
			t.Fatal(err)
		}
		if v := highest(panics, "v"); v < 10 || v >= obj.Res.VGPR || obj.Res.VGPR > 24 && arch[3] != '8' {
			t.Errorf("%s: v%d, and the kernel has %d", arch, v, obj.Res.VGPR)
		}
		if s := highest(panics, "s"); s >= 30 || obj.Res.SGPR < 30 {
			t.Errorf("%s: s%d, and the kernel has %d", arch, s, obj.Res.SGPR)
		}
		if obj.Res.Scratch != 0 {
			t.Errorf("%s: %d bytes of scratch", arch, obj.Res.Scratch)
		}
	}
}

// A module with one panic is one whose heddle_panic LLVM leaves without parameters.
func TestPanicAlone(t *testing.T) {
	skipWithoutLLVM(t)
	text := strings.Replace(withPanic, "br i1 %bad, label %large, label %fine", "br label %fine", 1)
	text = strings.Replace(text, "i32 7, i64 %i, i64 %len", "i32 7, i64 1, i64 2", 1)
	text = strings.Replace(text, "large:\n  call void @heddle_panic(i32 100000, i64 %i, i64 -5000000000) noreturn\n  unreachable\n", "", 1)
	for _, arch := range []string{"gfx942", "gfx1100"} {
		if _, err := Emit(request(text, "k", arch)); err != nil {
			t.Error(err)
		}
	}
}

// highest is the highest register of a kind in a listing.
func highest(text, kind string) (n int) {
	for _, m := range regexp.MustCompile(`\b`+kind+`(?:(\d+)\b|\[\d+:(\d+)\])`).FindAllStringSubmatch(text, -1) {
		k, _ := strconv.Atoi(m[1] + m[2])
		n = max(n, k)
	}
	return n
}

// What one check of several says is not checked again, whichever comes first.
func TestFewerChecks(t *testing.T) {
	f := parseFlow(`
define amdgpu_kernel void @k(i32 %x, i64 %y) {
entry:
  %a = icmp ugt i32 %x, 31
  %b = icmp ugt i32 %x, 7
  %c = icmp uge i64 %y, 900
  %d = icmp ugt i64 %y, 7
  %e = icmp sgt i32 %x, 5
  %f = icmp ugt i32 %x, 15
  %ab = or i1 %a, %b
  %cd = or i1 %c, %d
  %abcd = or i1 %ab, %cd
  %abcde = or i1 %e, %abcd
  %bad = or i1 %abcde, %f
  ret void`)
	f.differs = map[string]bool{"%bad": true}
	less, lines := f.fewer("%bad", 3)
	want := `  %heddle.fewer.3.0 = or i1 %e, %b
  %heddle.fewer.3.1 = or i1 %heddle.fewer.3.0, %c
  %heddle.fewer.3.2 = or i1 %heddle.fewer.3.1, %d`
	if got := strings.Join(lines, "\n"); got != want || less != "%heddle.fewer.3.2" || !f.differs[less] {
		t.Errorf("%s of\n%s", less, got)
	}
	if less, lines := f.fewer("%cd", 4); less != "%cd" || lines != nil {
		t.Errorf("%s of %q", less, lines)
	}
}

// Products of an or of no common bits are made one from the other.
func TestAddForOr(t *testing.T) {
	got, ok := addForOr(`
define void @f(i64 %x, i64 %n) {
  %a = or disjoint i64 %x, 8
  %b = or disjoint i64 %x, 16
  %c = or disjoint i64 %x, %n
  %d = or i64 %x, 24
  %m = mul nuw i64 %n, %a
  %o = mul i64 %c, %d
  ret void
}
`)
	want := `
define void @f(i64 %x, i64 %n) {
  %a = add nuw nsw i64 %x, 8
  %b = or disjoint i64 %x, 16
  %c = or disjoint i64 %x, %n
  %d = or i64 %x, 24
  %m = mul nuw i64 %n, %a
  %o = mul i64 %c, %d
  ret void
}
`
	if got != want || !ok {
		t.Errorf("%t:%s", ok, got)
	}
}

// Sums of products are fused before LLVM makes pairs of them, where each product is for one sum
// and both say that they may be.
func TestFuse(t *testing.T) {
	text := `define amdgpu_kernel void @k(float %x, float %y, ptr addrspace(1) %p) {
  %1 = fmul contract float %x, %y
  %2 = fadd contract float %1, %y
  %3 = fmul contract float %x, %2
  %4 = fadd contract float %2, %3
  %5 = fadd contract float %4, %3
  %6 = fmul float %x, %x
  %7 = fadd contract float %6, %5
  %8 = fmul contract float %7, %7
  %9 = fadd float %8, %5
  store float %9, ptr addrspace(1) %p
  ret void
}
`
	r := request(text, "k", "gfx942")
	got := strings.Count(string(r.fuse([]byte(text))), "@llvm.fma.f32(float ")
	r.CPU = "gfx1100"
	if other := r.fuse([]byte(text)); got != 1 || string(other) != text {
		t.Errorf("%d are fused, want 1; on gfx1100:\n%s", got, other)
	}
}
