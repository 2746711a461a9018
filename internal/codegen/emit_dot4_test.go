package codegen

import "testing"

// Half of a product of bytes is half of it: LLVM 18 to 22 make x*y + x*y>>7 of it first, and
// took that for a sum of products, x*y + x*y + 7 (18 where bytes are loaded as words of 32 bits,
// as here, and not as bytes or as words of 64).
func TestHalvedProduct(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([]uint64, threads) // x in the first byte, y in the fifth
	for i := range in {
		in[i] = uint64(5*i+3) | uint64(251-3*i)<<32
	}
	const code = `
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @$tid()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %q = getelementptr i8, ptr addrspace(1) %p, i32 4
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %q
  %x = trunc i32 %a to i8
  %y = trunc i32 %b to i8
  %m = mul i8 %x, %y
  %h = sdiv i8 %m, -2
  %r = sext i8 %h to i64
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %r, ptr addrspace(1) %o
  ret void
}
`
	for _, arch := range []string{"gfx90a", "gfx1100"} {
		out := make([]int64, threads)
		if _, err := emulate(request(code, "k", arch), bytesOf(in), bytesOf(out), threads); err != nil {
			t.Errorf("LLVM %d, %s: %v", major, arch, err)
			continue
		}
		for i, w := range in {
			if want := int64(int8(w) * int8(w>>32) / -2); out[i] != want {
				t.Errorf("LLVM %d, %s, thread %d: %d, want %d", major, arch, i, out[i], want)
				break
			}
		}
	}
}
