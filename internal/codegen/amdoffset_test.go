package codegen

import (
	"strings"
	"testing"
)

// An offset whose upper half is masked is one of 32 bits, and others stay as they are.
func TestShortOffsets(t *testing.T) {
	const kernel = "\ndefine amdgpu_kernel void @k(ptr addrspace(1) %in, i64 %x) {\n  %o = and i64 %x, 4294967292\n  %p = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %o, !dbg !3\n  ret void\n}\n"
	got, ok := shortOffsets(kernel)
	for _, want := range []string{
		"  %heddle.offset.1.low = trunc i64 %x to i32\n  %heddle.offset.1.masked = and i32 %heddle.offset.1.low, -4\n  %heddle.offset.1 = zext i32 %heddle.offset.1.masked to i64\n",
		"getelementptr inbounds i8, ptr addrspace(1) %in, i64 %heddle.offset.1, !dbg !3\n",
	} {
		if !ok || !strings.Contains(got, want) {
			t.Errorf("%v\n%s\nlacks\n%s", ok, got, want)
		}
	}
	for _, other := range []string{
		strings.Replace(kernel, "4294967292", "8589934588", 1), strings.Replace(kernel, "4294967292", "-4", 1),
		strings.Replace(kernel, "and i64", "or i64", 1), strings.Replace(kernel, "i64 %o,", "i64 %x,", 1),
	} {
		if got, ok := shortOffsets(other); ok {
			t.Errorf("it is another one:\n%s", got)
		}
	}
}

// What a mask leaves of an index leads to the same place.
func TestShortOffsetsRun(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(i)<<40 | uint64(threads-1-i), 3, 5, 7}
	}
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		r := request(inputsHead+"  %s = shl i64 %a, 3\n  %o = and i64 %s, 4294967288\n  %p = getelementptr i8, ptr addrspace(1) %out, i64 %o\n  store i64 %a, ptr addrspace(1) %p\n  ret void\n}\n", "k", arch)
		out := make([]uint64, threads)
		if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
			t.Errorf("%s: %v", arch, err)
			continue
		}
		for i := range in {
			if want := in[threads-1-i][0]; out[i] != want {
				t.Errorf("%s, place %d: %#x, want %#x", arch, i, out[i], want)
				break
			}
		}
	}
}
