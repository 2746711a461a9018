package codegen

import (
	"strings"
	"testing"
)

// negativeIndex reads elements 60-j and 50-j of a local array, whose element k is 3*k.
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
  %m = sub i32 50, %j
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

// negativeSlice reads them of one of two slices of the array: LLVM finds that the address is private only in its back end.
var negativeSlice = strings.NewReplacer(
	"i32], ptr addrspace(5) %array, i32 0, i32 %l", "i32], ptr %slice, i64 0, i64 %l",
	"i32], ptr addrspace(5) %array, i32 0, i32 %m", "i32], ptr %slice, i64 0, i64 %m",
	"load i32, ptr addrspace(5)", "load i32, ptr",
	"and i64 %a, 31", "and i64 %a, 8589934591", // or it is an index of 32 bits
	"%j = trunc i64 %j8 to i32", "%j = sdiv i64 %j8, 1",
	"sub i32 ", "sub nsw i64 ",
	"read:\n", `read:
  %whole = addrspacecast ptr addrspace(5) %array to ptr
  %long = insertvalue { ptr, i64 } { ptr poison, i64 64 }, ptr %whole, 0
  %short = insertvalue { ptr, i64 } { ptr poison, i64 62 }, ptr %whole, 0
  %is = icmp slt i64 %b, 0
  %one = select i1 %is, { ptr, i64 } %short, { ptr, i64 } %long
  %slice = extractvalue { ptr, i64 } %one, 0
  %len = extractvalue { ptr, i64 } %one, 1
  %lenp = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store volatile i64 %len, ptr addrspace(1) %lenp
`).Replace(negativeIndex)

// What is known of an address in private memory is not taken for known of a part of it: the
// emulator stops where a scratch instruction's register is negative.
func TestNegativeIndex(t *testing.T) {
	major := skipWithoutLLVM(t)
	in := make([][4]uint64, 64)
	for i := range in {
		in[i][0] = uint64(i & 31)
	}
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
		for name, text := range map[string]string{"array": negativeIndex, "slice": negativeSlice} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			out := make([]uint64, len(in))
			if _, err := emulate(request(text, "k", arch), bytesOf(in), bytesOf(out), len(in)); err != nil {
				t.Errorf("LLVM %d, %s, %s: %v", major, arch, name, err)
				continue
			}
			for i, got := range out {
				if j := uint64(i & 31); got != 3*(60-j)+15*(50-j) {
					t.Errorf("LLVM %d, %s, %s, thread %d: %d, want %d", major, arch, name, i, got, 3*(60-j)+15*(50-j))
				}
			}
		}
	}
}
