package codegen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// wideShiftForms are 32 bits of a signed shift of 64 bits, %e, beside bytes of another number.
var wideShiftForms = []struct {
	name, code string
	want       func(e, b uint64, m int) uint32
}{
	{"lower", "%s = shl i64 %b, M\n%o = or i64 %e, %s\n%t = trunc i64 %o to i32",
		func(e, b uint64, m int) uint32 { return uint32(e | b<<m) }},
	{"upper", "%s = shl i64 %b, M\n%o = or i64 %e, %s\n%h = lshr i64 %o, 32\n%t = trunc i64 %h to i32",
		func(e, b uint64, m int) uint32 { return uint32((e | b<<m) >> 32) }},
	{"word", "%s = shl i64 %b, M\n%l = trunc i64 %s to i32\n%o = trunc i64 %e to i32\n%t = or i32 %o, %l",
		func(e, b uint64, m int) uint32 { return uint32(e) | uint32(b<<m) }},
	{"upper word", "%s = shl i64 %b, M\n%l = trunc i64 %s to i32\n%h = lshr i64 %e, 32\n%o = trunc i64 %h to i32\n%t = or i32 %o, %l",
		func(e, b uint64, m int) uint32 { return uint32(e>>32) | uint32(b<<m) }},
	{"bytes from 8", "%s = shl i64 %b, M\n%l = trunc i64 %s to i32\n%h = lshr i64 %e, 8\n%o = trunc i64 %h to i32\n%t = or i32 %o, %l",
		func(e, b uint64, m int) uint32 { return uint32(e>>8) | uint32(b<<m) }},
	{"bytes from 24", "%s = shl i64 %b, M\n%l = trunc i64 %s to i32\n%h = lshr i64 %e, 24\n%o = trunc i64 %h to i32\n%t = or i32 %o, %l",
		func(e, b uint64, m int) uint32 { return uint32(e>>24) | uint32(b<<m) }},
}

// shiftOf64 is a kernel of one such form and one count, for all bytes of the other number.
func shiftOf64(code, shift string, k uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %%e = %s i64 %%a, %d\n", shift, k)
	sum, local := "0", regexp.MustCompile(`%[hlost]\b`)
	for m := 8; m < 64; m += 8 {
		fmt.Fprintf(&b, "%s\n", local.ReplaceAllString(strings.ReplaceAll(code, "M", fmt.Sprint(m)), fmt.Sprintf("${0}%d", m)))
		fmt.Fprintf(&b, "%%z%[1]d = zext i32 %%t%[1]d to i64\n%%m%[1]d = mul i64 %[2]s, 1099511628211\n%%x%[1]d = xor i64 %%m%[1]d, %%z%[1]d\n", m, sum)
		sum = fmt.Sprintf("%%x%d", m)
	}
	return inputsHead + b.String() + "%p = getelementptr i64, ptr addrspace(1) %out, i64 %i\nstore i64 " + sum + ", ptr addrspace(1) %p\nret void\n}\n"
}

// The sign is in the bytes above a signed shift of 64 bits, too.
func TestWideShifts(t *testing.T) {
	major := skipWithoutLLVM(t)
	in := make([][4]uint64, 64)
	for i := range in {
		k := uint64(i) * 0x9e3779b97f4a7c15
		in[i] = [4]uint64{k ^ k>>29, k*k | 1<<63}
	}
	for _, arch := range []string{"gfx90a", "gfx1030"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		for _, form := range wideShiftForms {
			for k := 8; k < 64; k += 8 {
				for shift, by := range map[string]uint64{"ashr": uint64(k), "sdiv": 1 << k} {
					out := make([]uint64, len(in))
					if _, err := emulate(request(shiftOf64(form.code, shift, by), "k", arch), bytesOf(in), bytesOf(out), len(in)); err != nil {
						t.Fatalf("LLVM %d, %s, %s, %s by %d: %v", major, arch, form.name, shift, k, err)
					}
					for i, in := range in {
						e := int64(in[0])
						if shift == "sdiv" && e < 0 {
							e += int64(by) - 1
						}
						want := uint64(0)
						for m := 8; m < 64; m += 8 {
							want = want*1099511628211 ^ uint64(form.want(uint64(e>>k), in[1], m))
						}
						if out[i] != want {
							t.Errorf("LLVM %d, %s, %s, %s by %d, thread %d: %#x, want %#x", major, arch, form.name, shift, k, i, out[i], want)
							break
						}
					}
				}
			}
		}
	}
}
