package codegen

import (
	"strings"
	"testing"
)

var widthTests = []struct {
	name, code string // from %x and %y, which is 1 to 32, to %r
	signed     bool
}{
	{"mask", "%d = sub i32 32, %y\n  %m = lshr i32 -1, %d\n  %r = and i32 %m, %x", false},
	{"mask without wrapping", "%d = sub nuw nsw i32 32, %y\n  %m = lshr i32 -1, %d\n  %r = and i32 %x, %m", false},
	{"to the left and back", "%d = sub i32 32, %y\n  %l = shl i32 %x, %d\n  %r = lshr i32 %l, %d", false},
	{"with its sign", "%d = sub i32 32, %y\n  %l = shl i32 %x, %d\n  %r = ashr i32 %l, %d", true},
	{"by an int", "%y8 = zext i32 %y to i64\n  %d8 = sub i64 32, %y8\n  %d = trunc i64 %d8 to i32\n  %m = lshr i32 -1, %d\n  %r = and i32 %m, %x", false},
	{"of two", "%d = sub <2 x i32> <i32 32, i32 32>, %yy\n  %m = lshr <2 x i32> <i32 -1, i32 -1>, %d\n  %rr = and <2 x i32> %m, %xx\n  %r = extractelement <2 x i32> %rr, i32 1", false},
	{"of two with their signs", "%d = sub <2 x i32> <i32 32, i32 32>, %yy\n  %l = shl <2 x i32> %xx, %d\n  %s = ashr <2 x i32> %l, %d\n  %r = extractelement <2 x i32> %s, i32 1", true},
}

// widthModule is what stands around a test's code.
const widthModule = `  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %x = trunc i64 %a to i32
  %y = trunc i64 %b to i32
  %x1 = insertelement <2 x i32> poison, i32 %x, i32 0
  %xx = insertelement <2 x i32> %x1, i32 %x, i32 1
  %y1 = insertelement <2 x i32> poison, i32 %y, i32 0
  %yy = insertelement <2 x i32> %y1, i32 %y, i32 1
  CODE
  %r8 = zext i32 %r to i64
  store i64 %r8, ptr addrspace(1) %p
  ret void
}
`

// The lowest 32 bits of a number are the number.
func TestWidths(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(uint32(i+1) * 0x9e3779b9), uint64(i%32) + 1}
	}
	for _, test := range widthTests {
		for _, level := range []string{"default<O3>", "default<O0>"} {
			for _, arch := range []string{"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
				if !cpus.Get()[arch].has(major) {
					continue
				}
				r := request(inputsHead+strings.ReplaceAll(widthModule, "CODE", test.code), "k", arch)
				r.Passes = level
				out := make([]uint64, threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Fatalf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
				}
				for i, in := range in {
					x, rest := uint32(in[0]), 32-uint32(in[1])
					want := x << rest >> rest
					if test.signed {
						want = uint32(int32(x) << rest >> rest)
					}
					if uint32(out[i]) != want {
						t.Errorf("LLVM %d, %s, %s, %s: %d bits of %#x: %#x, want %#x", major, arch, level, test.name, in[1], x, out[i], want)
						break
					}
				}
			}
		}
	}
}

// What is no value's lower half has no operand to look at.
func TestWidthsOfConstants(t *testing.T) {
	const text = `
define void @f(i32 %x, i32 %y) {
  %d = sub i32 32, %y
  %c = trunc i64 7 to i32
  %l = shl i32 %x, %d
  %r = lshr i32 %l, %d
  ret void
}
`
	if held, ok := holdWidths(text); !ok || !strings.Contains(held, "%heddle.width.1, %y") {
		t.Errorf("not held: %s", held)
	}
}
