package codegen

import (
	"regexp"
	"strings"
	"testing"
)

// addCarry is the exclusive or of both words of a sum and, above it, the carry of the second
// addition of the upper words alone.
func addCarry(a, b uint64) uint64 {
	lo, s := uint32(a)+uint32(b), uint32(a>>32)+uint32(b>>32)
	c := uint32(b2i(lo < uint32(a)))
	return uint64(b2i(s+c < s))<<32 | uint64(lo^(s+c))
}

// addCarryByte is addCarry with upper words of one byte.
func addCarryByte(a, b uint64) uint64 {
	lo, s := uint32(a)+uint32(b), uint8(a>>32)+uint8(b>>32)
	c := uint8(b2i(lo < uint32(a)))
	return uint64(b2i(s+c < s))<<32 | uint64(lo^uint32(s+c))
}

// addCarryWide is addCarry with upper words of 64 bits.
func addCarryWide(a, b uint64) uint64 {
	lo, s := uint32(a)+uint32(b), (a>>32|0xffffffff<<32)+b>>32
	c := uint64(b2i(lo < uint32(a)))
	return uint64(b2i(s+c < s))<<32 | uint64(lo^uint32(s+c))
}

// subCarry is the same of a difference.
func subCarry(a, b uint64) uint64 {
	s := uint32(a>>32) - uint32(b>>32)
	c := uint32(b2i(uint32(a) < uint32(b)))
	return uint64(b2i(s < c))<<32 | uint64((uint32(a)-uint32(b))^(s-c))
}

var carryTests = []struct {
	name, code string // from the words %a0, %a1, %b0, %b1 to %lo, %t and %o
	want       func(a, b uint64) uint64
}{
	{"sum", `  %lo = add i32 %a0, %b0
  %cc = icmp ult i32 %lo, %a0
  %c = zext i1 %cc to i32
  %s = add i32 %a1, %b1
  %t = add i32 %s, %c
  %o = icmp ult i32 %t, %s
`, addCarry},
	{"sum of bytes", `  %lo = add i32 %a0, %b0
  %cc = icmp ult i32 %lo, %a0
  %c = zext i1 %cc to i8
  %s1 = trunc i32 %a1 to i8
  %s2 = trunc i32 %b1 to i8
  %s = add i8 %s1, %s2
  %t8 = add i8 %s, %c
  %o = icmp ult i8 %t8, %s
  %t = zext i8 %t8 to i32
`, addCarryByte},
	{"sum of 64 bits", `  %lo = add i32 %a0, %b0
  %cc = icmp ult i32 %lo, %a0
  %c = zext i1 %cc to i64
  %s1 = or i64 %a2, -4294967296
  %s = add i64 %s1, %b2
  %t64 = add i64 %s, %c
  %o = icmp ult i64 %t64, %s
  %t = trunc i64 %t64 to i32
`, addCarryWide},
	{"difference", `  %lo = sub i32 %a0, %b0
  %cc = icmp ult i32 %a0, %b0
  %c = zext i1 %cc to i32
  %s = sub i32 %a1, %b1
  %t = sub i32 %s, %c
  %o = icmp ult i32 %s, %c
`, subCarry},
	{"intrinsic", `  %l = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a0, i32 %b0)
  %lo = extractvalue { i32, i1 } %l, 0
  %cc = extractvalue { i32, i1 } %l, 1
  %c = zext i1 %cc to i32
  %s = add i32 %a1, %b1
  %h = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %s, i32 %c)
  %t = extractvalue { i32, i1 } %h, 0
  %o = extractvalue { i32, i1 } %h, 1
`, addCarry},
	{"intrinsic of a difference", `  %l = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a0, i32 %b0)
  %lo = extractvalue { i32, i1 } %l, 0
  %cc = extractvalue { i32, i1 } %l, 1
  %c = zext i1 %cc to i32
  %s = sub i32 %a1, %b1
  %h = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %s, i32 %c)
  %t = extractvalue { i32, i1 } %h, 0
  %o = extractvalue { i32, i1 } %h, 1
`, subCarry},
}

// carryModule is what stands around a test's code.
const carryModule = `  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %a0 = trunc i64 %a to i32
  %b0 = trunc i64 %b to i32
  %a2 = lshr i64 %a, 32
  %b2 = lshr i64 %b, 32
  %a1 = trunc i64 %a2 to i32
  %b1 = trunc i64 %b2 to i32
CODE  %x = xor i32 %lo, %t
  %x8 = zext i32 %x to i64
  %o8 = zext i1 %o to i64
  %o9 = shl i64 %o8, 32
  %r = or i64 %o9, %x8
  store i64 %r, ptr addrspace(1) %p
  ret void
}
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
`

// The carry of t + c, where t is a sum itself and c a carry, is not that of both additions.
func TestCarries(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		x := uint64(i) * 0x9e3779b97f4a7c15
		in[i] = [4]uint64{x, uint64(i) * 0xd1342543de82ef95}
		if i%3 == 1 {
			in[i][1] = ^x + 1
		} else if i%3 == 2 {
			in[i][1] = x
		}
	}
	for _, test := range carryTests {
		for _, arch := range []string{"gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(inputsHead+strings.ReplaceAll(carryModule, "CODE", test.code), "k", arch)
			out := make([]uint64, threads)
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Errorf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
				continue
			}
			for i, in := range in {
				if want := test.want(in[0], in[1]); out[i] != want {
					t.Errorf("LLVM %d, %s, %s, thread %d: %#x, want %#x", major, arch, test.name, i, out[i], want)
					break
				}
			}
		}
	}
}

var overflowTests = []struct {
	name, code string // from %x, a product, and %b to the sum %s and the condition %o
	want       func(x, b uint64) bool
}{
	{"next is zero", "%s = add i64 %x, 1\n  %o = icmp eq i64 %s, 0", func(x, _ uint64) bool { return x+1 == 0 }},
	{"next is not zero", "%s = add i64 %x, 1\n  %o = icmp ne i64 %s, 0", func(x, _ uint64) bool { return x+1 != 0 }},
	{"is the last", "%s = add i64 %x, 1\n  %o = icmp eq i64 %x, -1", func(x, _ uint64) bool { return x == 1<<64-1 }},
	{"is not zero", "%s = add i64 %x, -1\n  %o = icmp ne i64 %x, 0", func(x, _ uint64) bool { return x != 0 }},
	{"sum below", "%s = add i64 %x, %b\n  %o = icmp ult i64 %s, %x", func(x, b uint64) bool { return x+b < x }},
	{"sum below the other", "%s = add i64 %x, %b\n  %o = icmp ugt i64 %b, %s", func(x, b uint64) bool { return x+b < b }},
	{"complement below", "%n = xor i64 %x, -1\n  %s = add i64 %x, %b\n  %o = icmp ult i64 %n, %b", func(x, b uint64) bool { return ^x < b }},
	{"below, and the difference", "%s = sub i64 %x, %b\n  %o = icmp ult i64 %x, %b", func(x, b uint64) bool { return x < b }},
	{"below a number", "%s = add i64 %x, -5\n  %o = icmp ult i64 %x, 5", func(x, _ uint64) bool { return x < 5 }},
	{"intrinsic", "%h = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %x, i64 %b)\n  %s = extractvalue { i64, i1 } %h, 0\n  %o = extractvalue { i64, i1 } %h, 1",
		func(x, b uint64) bool { return x+b < x }},
}

// overflowModule is what stands around a test's code.
const overflowModule = `  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %ab = mul i64 $a, $b
  %x = mul i64 %ab, $b
  CODE
  %s8 = shl i64 %s, 1
  %o8 = zext i1 %o to i64
  %r = or i64 %s8, %o8
  store i64 %r, ptr addrspace(1) %p
  ret void
}
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
`

// The carry of x + y, where x is a product, is not that of the additions that make the product's upper half, too.
func TestOverflows(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, test := range overflowTests {
		code := strings.ReplaceAll(overflowModule, "CODE", regexp.MustCompile(`%b\b`).ReplaceAllString(test.code, "$$b"))
		for _, uniform := range []string{"", "u"} {
			ir := inputsHead + strings.NewReplacer("$a", "%"+uniform+"a", "$b", "%"+uniform+"b").Replace(code)
			for _, arch := range []string{"gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
				if !cpus.Get()[arch].has(major) {
					continue
				}
				for begin := range 12 {
					in, out := make([][4]uint64, 12), make([]uint64, 12)
					for i := range in {
						k := uint64(begin + i)
						a, b := k*0x9e3779b97f4a7c15^k%4, k%3-1
						if k%2 == 0 {
							a = k%5 - 1
						}
						in[i] = [4]uint64{a, b, a, b}
					}
					if _, err := emulate(request(ir, "k", arch), bytesOf(in), bytesOf(out), len(in)); err != nil {
						t.Fatalf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
					}
					for i, l := range in {
						if uniform != "" {
							l = in[0]
						}
						x := l[0] * l[1] * l[1]
						if got, want := out[i]&1 != 0, test.want(x, l[1]); got != want {
							t.Fatalf("LLVM %d, %s, %s%s: of %d, %d: %v, want %v", major, arch, uniform, test.name, int64(x), int64(l[1]), got, want)
						}
					}
				}
			}
		}
	}
}
