package codegen

import (
	"strings"
	"testing"
)

// selectModule is a kernel with a condition and a choice.
const selectModule = `target triple = "amdgcn-amd-amdhsa"
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext i32 %t to i64
  %at = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %x = load i64, ptr addrspace(1) %in
  %py = getelementptr i64, ptr addrspace(1) %in, i64 1
  %y = load i64, ptr addrspace(1) %py
  %pp = getelementptr i64, ptr addrspace(1) %in, i64 2
  %p = load i64, ptr addrspace(1) %pp
  %pq = getelementptr i64, ptr addrspace(1) %in, i64 3
  %q = load i64, ptr addrspace(1) %pq
  %po = getelementptr i64, ptr addrspace(1) %in, i64 4
  %o = load i64, ptr addrspace(1) %po
  %one = sitofp i64 %o to float
  COND
  CHOICE
  br i1 %c, label %end, label %then
then:
  %n3 = mul i64 %n, 3
  store volatile i64 %n3, ptr addrspace(1) %at
  br label %end
end:
  %r = phi i64 [ %n, %0 ], [ %n3, %then ]
  store volatile i64 %r, ptr addrspace(1) %at
  ret void
}
`

// TestSelectAndBranch has numbers that are the same for all lanes chosen by a condition that is a branch's, too.
func TestSelectAndBranch(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	const chosen = "%n = select i1 %c, i64 %p, i64 %q"
	choose := func(in []uint64) uint64 {
		if in[0] < in[1] {
			return in[2]
		}
		return in[3]
	}
	for _, test := range []struct {
		cond, choice string // of %c and %n
		want         func(in []uint64) uint64
	}{
		{"%c = icmp slt i64 %x, %y", chosen, choose},
		{"%c = icmp ult i64 %x, %y", chosen, choose},
		{"%fx = sitofp i64 %x to float\n  %fy = sitofp i64 %y to float\n  %c = fcmp olt float %fx, %fy", chosen, choose},
		{"%fx = sitofp i64 %x to double\n  %fy = sitofp i64 %y to double\n  %c = fcmp ult double %fx, %fy", chosen, choose},
		{"%less = icmp slt i64 %x, %y\n  %kinds = select i1 %less, float 1.0, float 0.0\n  %scaled = fmul float %kinds, %one\n  %c = call i1 @llvm.is.fpclass.f32(float %scaled, i32 256)", chosen, choose},
		{"%less = icmp slt i64 %x, %y\n  %kinds = select i1 %less, float 1.0, float 0.0\n  %scaled = fmul float %kinds, %one\n  %bits = bitcast float %scaled to i32\n  %high = lshr i32 %bits, 24\n  %c = trunc i32 %high to i1", chosen, choose},
		{"%c = icmp slt i64 %x, %y", "%n = call i64 @llvm.smin.i64(i64 %x, i64 %y)", func(in []uint64) uint64 { return min(in[0], in[1]) }},
		{"%c = icmp sgt i64 %y, %x", "%n = call i64 @llvm.smax.i64(i64 %x, i64 %y)", func(in []uint64) uint64 { return max(in[0], in[1]) }},
		{"%c = icmp ult i64 %x, %y", "%n = call i64 @llvm.umax.i64(i64 %y, i64 %x)", func(in []uint64) uint64 { return max(in[0], in[1]) }},
		{"%d = icmp uge i64 %x, %y\n  %c = xor i1 %d, true", "%n = call i64 @llvm.umin.i64(i64 %y, i64 %x)", func(in []uint64) uint64 { return min(in[0], in[1]) }},
		{"%c = icmp ult i64 %x, %y", "%n = call i64 @llvm.usub.sat.i64(i64 %x, i64 %y)", func(in []uint64) uint64 { return in[0] - min(in[0], in[1]) }},
		{"%c = icmp ult i64 %x, %y", "%n = call i64 @llvm.usub.sat.i64(i64 %y, i64 %x)", func(in []uint64) uint64 { return in[1] - min(in[0], in[1]) }},
		{"%c = icmp ult i64 %x, %y", "%n = call i64 @llvm.uadd.sat.i64(i64 %x, i64 %y)", func(in []uint64) uint64 { return in[0] + in[1] }},
	} {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(strings.NewReplacer("COND", test.cond, "CHOICE", test.choice).Replace(selectModule), "k", arch)
			r.Passes = "verify" // others make one branch of both
			for _, in := range [][]uint64{{3, 5, 70, 90, 1}, {5, 3, 70, 90, 1}} {
				want := test.want(in)
				if in[0] >= in[1] {
					want *= 3
				}
				out := make([]uint64, threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Errorf("%s: %v", arch, err)
					continue
				}
				for i, got := range out {
					if got != want {
						t.Errorf("LLVM %d, %s, %s, inputs %d: lane %d has %d, want %d", major, arch, test.cond[strings.Index(test.cond, "%c ="):]+"; "+test.choice, in, i, got, want)
						break
					}
				}
			}
		}
	}
}
