package codegen

import (
	"strings"
	"testing"
)

// The product of the lower 24 bits of two values is that, also as a part of a sum of 64 bits.
func TestMaskedProducts(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(i)*0x9e3779b97f4a7c15 + 1, uint64(i)*0xd1342543de82ef95 + 0xff<<24, 1<<50 - 3, 0}
	}
	signed := func(x uint64) int64 { return int64(x) << 40 >> 40 }
	for _, test := range []struct {
		name, code string // from %a, %b to %m
		want       func(a, b uint64) uint64
	}{
		{"masks of 64 bits", `  %x = and i64 %a, 16777215
  %y = and i64 %b, 16777215
  %m = mul i64 %x, %y
`, func(a, b uint64) uint64 { return a & 0xffffff * (b & 0xffffff) }},
		{"masks of 32 bits", `  %x4 = and i32 %a4, 16777215
  %y4 = and i32 %b4, 8388607
  %x = zext i32 %x4 to i64
  %y = zext i32 %y4 to i64
  %m = mul i64 %x, %y
`, func(a, b uint64) uint64 { return a & 0xffffff * (b & 0x7fffff) }},
		{"signed", `  %x1 = shl i64 %a, 40
  %y1 = shl i64 %b, 40
  %x = ashr i64 %x1, 40
  %y = ashr i64 %y1, 40
  %m = mul i64 %x, %y
`, func(a, b uint64) uint64 { return uint64(signed(a) * signed(b)) }},
	} {
		for _, arch := range []string{"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(inputsHead+strings.ReplaceAll(`  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %a4 = trunc i64 %a to i32
  %b4 = trunc i64 %b to i32
PRODUCT  %r = add i64 %m, %ua
  store i64 %r, ptr addrspace(1) %p
  ret void
}
`, "PRODUCT", test.code), "k", arch)
			out := make([]uint64, threads)
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Errorf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
				continue
			}
			for i, in := range in {
				if want := test.want(in[0], in[1]) + 1<<50 - 3; out[i] != want {
					t.Errorf("LLVM %d, %s, %s, thread %d: %#x, want %#x", major, arch, test.name, i, out[i], want)
					break
				}
			}
		}
	}
}
