package codegen

import "testing"

// A kernel with a local array that has an index and is copied, of which LLVM makes no vector.
const localArrayIR = `
declare void @llvm.memcpy.p1.p5.i64(ptr addrspace(1), ptr addrspace(5), i64, i1)
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %local = alloca [4 x i32], align 16, addrspace(5)
  %i = load i32, ptr addrspace(1) %in
  %j = and i32 %i, 3
  %n = zext i32 %i to i64
  %q = getelementptr inbounds [4 x i32], ptr addrspace(5) %local, i32 0, i32 1
  store i32 5, ptr addrspace(5) %q
  %p = getelementptr inbounds [4 x i32], ptr addrspace(5) %local, i32 0, i32 %j
  store i32 %i, ptr addrspace(5) %p
  call void @llvm.memcpy.p1.p5.i64(ptr addrspace(1) %out, ptr addrspace(5) %local, i64 %n, i1 false)
  ret void
}`

// Local arrays take no memory that a block shares, whatever its size.
func TestLocalNotShared(t *testing.T) {
	skipWithoutLLVM(t)
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
		obj, err := Emit(request(localArrayIR, "k", arch))
		if err != nil {
			t.Fatal(err)
		}
		if obj.Res.LDS != 0 || obj.Res.Scratch < 16 {
			t.Errorf("%s: %d bytes of shared memory, %d of scratch", arch, obj.Res.LDS, obj.Res.Scratch)
		}
	}
}
