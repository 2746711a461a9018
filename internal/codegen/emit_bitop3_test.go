package codegen

import (
	"strings"
	"testing"
)

// Bitwise operations on results of others are no v_bitop3_b32 on gfx950, whose table of results LLVM 22 gets
// wrong for some (the emulator does not know the instruction).
func TestBitwiseOfThree(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(i) * 0x9e3779b97f4a7c15, uint64(i) * 0xd1342543de82ef95}
	}
	for _, test := range []struct {
		name, code string // from %x, %y and %z to %r
		want       func(x, y, z uint32) uint32
	}{
		{"or, xor, and", "%o = or i32 %x, %y\n  %d = xor i32 %o, %y\n  %r = and i32 %d, %o", func(x, y, z uint32) uint32 { return ((x | y) ^ y) & (x | y) }},
		{"and not of and", "%n = xor i32 %z, -1\n  %u = and i32 %x, %z\n  %o = or i32 %u, %n\n  %m = xor i32 %o, -1\n  %p = and i32 %y, %o\n  %q = or i32 %p, %m\n  %r = xor i32 %q, %u",
			func(x, y, z uint32) uint32 { return (y&(x&z|^z) | ^(x&z | ^z)) ^ x&z }},
		{"majority", "%u = and i32 %x, %y\n  %o = or i32 %x, %y\n  %v = and i32 %o, %z\n  %r = or i32 %u, %v", func(x, y, z uint32) uint32 { return x&y | (x|y)&z }},
	} {
		for _, arch := range []string{"gfx942", "gfx950"} {
			for _, passes := range []string{"default<O0>", "default<O3>"} {
				if !cpus.Get()[arch].has(major) {
					continue
				}
				text := inputsHead + `  %q64 = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %x = trunc i64 %a to i32
  %y = trunc i64 %b to i32
  %h = lshr i64 %a, 32
  %z = trunc i64 %h to i32
  CODE
  %w = zext i32 %r to i64
  store i64 %w, ptr addrspace(1) %q64
  ret void
}
`
				r, out := request(strings.Replace(text, "CODE", test.code, 1), "k", arch), make([]uint64, threads)
				r.Passes = passes
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Errorf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
					continue
				}
				for i, in := range in {
					if want := test.want(uint32(in[0]), uint32(in[1]), uint32(in[0]>>32)); uint32(out[i]) != want {
						t.Errorf("LLVM %d, %s, %s, %s, thread %d: %#x, want %#x", major, arch, passes, test.name, i, out[i], want)
						break
					}
				}
			}
		}
	}
}
