package codegen

import "testing"

// negativeIndex reads elements 60-j and 61-j of a local array, whose element k is 3*k.
const negativeIndex = inputsHead + `  %array = alloca [64 x i32], align 16, addrspace(5)
  br label %fill
fill:
  %k = phi i32 [ 0, %entry ], [ %k1, %fill ]
  %e = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %k
  %v = mul i32 %k, 3
  store volatile i32 %v, ptr addrspace(5) %e
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %fill, label %read
read:
  %j8 = and i64 %a, 31
  %j = trunc i64 %j8 to i32
  %l = sub i32 60, %j
  %m = sub i32 61, %j
  %pl = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %l
  %pm = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %m
  %x = load i32, ptr addrspace(5) %pl
  %y = load i32, ptr addrspace(5) %pm
  %y5 = mul i32 %y, 5
  %s = add i32 %x, %y5
  %r = zext i32 %s to i64
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %r, ptr addrspace(1) %p
  ret void
}
`

// What is known of an address in private memory is not taken for known of a part of it: the
// emulator stops where a scratch instruction's register is negative.
func TestNegativeIndex(t *testing.T) {
	major := skipWithoutLLVM(t)
	in := make([][4]uint64, 64)
	for i := range in {
		in[i][0] = uint64(i)
	}
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		out := make([]uint64, len(in))
		if _, err := emulate(request(negativeIndex, "k", arch), bytesOf(in), bytesOf(out), len(in)); err != nil {
			t.Errorf("LLVM %d, %s: %v", major, arch, err)
			continue
		}
		for i, got := range out {
			if j := uint64(i & 31); got != 3*(60-j)+15*(61-j) {
				t.Errorf("LLVM %d, %s, thread %d: %d, want %d", major, arch, i, got, 3*(60-j)+15*(61-j))
			}
		}
	}
}
