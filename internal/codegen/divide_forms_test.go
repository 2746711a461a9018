package codegen

import (
	"math/rand/v2"
	"testing"
)

// divisionForms are divisions that the random ones are not: vectors, odd widths, exact
// ones, names in quotes.
var divisionForms = []struct {
	text string // computes %r, i64, from %a and %b
	want func(a, b uint64) uint64
}{
	{`
  %x = bitcast i64 %a to <2 x i32>
  %y0 = bitcast i64 %b to <2 x i32>
  %y = or <2 x i32> %y0, <i32 1, i32 1>
  %q = udiv <2 x i32> %x, %y
  %s = urem <2 x i32> <i32 1000000, i32 -5>, %y
  %t = xor <2 x i32> %q, %s
  %r = bitcast <2 x i32> %t to i64`,
		func(a, b uint64) uint64 {
			one := func(a, b, c uint32) uint64 { return uint64(a/(b|1) ^ c%(b|1)) }
			return one(uint32(a), uint32(b), 1000000) | one(uint32(a>>32), uint32(b>>32), 1<<32-5)<<32
		}},
	{`
  %x = trunc i64 %a to i24
  %y0 = trunc i64 %b to i24
  %y = or i24 %y0, 1
  %"a q" = udiv i24 %x, %y
  %s = urem i24 %"a q", 10
  %t = add i24 %"a q", %s
  %r = zext i24 %t to i64`,
		func(a, b uint64) uint64 {
			q := a & mask(24) / (b&mask(24) | 1)
			return (q + q%10) & mask(24)
		}},
	{`
  %x = trunc i64 %a to i48
  %y0 = trunc i64 %b to i48
  %y = or i48 %y0, 3
  %s = srem i48 %x, %y
  %q = sdiv i48 %x, -10
  %t = xor i48 %q, %s
  %r = zext i48 %t to i64`,
		func(a, b uint64) uint64 {
			x := signed(a, 48)
			return uint64(x%(signed(b|3, 48))^x/-10) & mask(48)
		}},
	{`
  %x = trunc i64 %a to i9
  %y0 = trunc i64 %b to i9
  %y = or i9 %y0, 3
  %z = and i9 %y, 127
  %s = srem i9 %x, %z
  %q = sdiv i9 %x, %z
  %t = xor i9 %q, %s
  %r = zext i9 %t to i64`,
		func(a, b uint64) uint64 {
			x, y := signed(a, 9), signed((b|3)&127, 9)
			return uint64(x%y^x/y) & mask(9)
		}},
	{`
  %x = ashr i64 %a, 8
  %y = mul i64 %x, 24
  %q = sdiv exact i64 %y, 24
  %r = sub i64 %q, %b`,
		func(a, b uint64) uint64 { return uint64(int64(a)>>8) - b }},
	{`
  %h = lshr i64 %a, 8
  %y = mul i64 %h, 132
  %q = udiv exact i64 %y, 132
  %r = sub i64 %q, %b`,
		func(a, b uint64) uint64 { return a>>8 - b }},
	{`
  %s = srem i64 %a, -10
  %q = sdiv i64 %a, -10
  %q1 = sdiv i64 %b, -9223372036854775808
  %q2 = srem i64 %b, -8
  %q3 = sdiv i64 %b, -8
  %q4 = udiv i64 %b, -9223372036854775808
  %t = xor i64 %q, %s
  %t1 = xor i64 %q1, %t
  %t2 = xor i64 %q2, %t1
  %t3 = xor i64 %q3, %t2
  %r = xor i64 %q4, %t3`,
		func(a, b uint64) uint64 {
			x, y := int64(a), int64(b)
			return uint64(x%-10^x/-10^y/(-1<<63)^y%-8^y/-8) ^ b/(1<<63)
		}},
	{`
  %y = or i64 %b, 1
  br label %next
next:
  %n = urem i64 %a, %y
  %q = udiv i64 %a, %y
  %c = icmp eq i64 %n, 3
  br i1 %c, label %then, label %end
then:
  %q1 = udiv i64 %a, %y
  br label %end
end:
  %m = phi i64 [ %q1, %then ], [ 5, %next ]
  %t = xor i64 %m, %n
  %r = add i64 %t, %q`,
		func(a, b uint64) uint64 {
			y, p := b|1, uint64(5)
			if a%y == 3 {
				p = a / y
			}
			return (p ^ a%y) + a/y
		}},
}

// Divisions of other forms are right, too.
func TestDivideForms(t *testing.T) {
	major := skipWithoutLLVM(t)
	const arch, threads = "gfx90a", 64
	if !cpus.Get()[arch].has(major) {
		t.Skip("not known to this LLVM")
	}
	rnd := rand.New(rand.NewPCG(*divideSeed, 4))
	in := divideInputs(rnd, threads)
	for _, passes := range []string{"default<O0>", "default<O3>"} {
		for n, f := range divisionForms {
			r := request(inputsHead+`  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i`+f.text+`
  store i64 %r, ptr addrspace(1) %p
  ret void
}
`, "k", arch)
			r.Passes = passes
			out := make([]uint64, threads)
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Errorf("form %d: %v", n, err)
				continue
			}
			for i := range in {
				if got, want := out[i], f.want(in[i][0], in[i][1]); got != want {
					t.Errorf("%s, form %d at %#x: %#x, want %#x", passes, n, in[i][:2], got, want)
					break
				}
			}
		}
	}
}
