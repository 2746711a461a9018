package codegen

import (
	"strings"
	"testing"
)

func TestUnsignedLocals(t *testing.T) {
	const head, end = ".visible .entry k()\n{\n\tmov.u64 \t%SPL, __local_depot0;\n\tadd.u64 \t%rd1, %SPL, 96;\n", "\tret;\n}\n"
	const index, place, store = "\tmul.wide.s32 \t%rd2, %r1, 4;\n", "\tadd.s64 \t%rd3, %rd1, %rd2;\n", "\tst.local.u32 \t[%rd3+4], %r2;\n"
	for _, c := range []struct {
		name, in string
		changed  bool
	}{
		{"a store", index + place + store, true},
		{"a load", index + place + "\tld.local.u32 \t%r3, [%rd3];\n", true},
		{"two addresses", index + place + strings.ReplaceAll(place, "%rd3", "%rd4") + store + strings.ReplaceAll(store, "%rd3", "%rd4"), true},
		{"global memory", index + strings.Replace(place, "%rd1", "%rd9", 1) + "\tst.global.u32 \t[%rd3+4], %r2;\n", false},
		{"the index is used otherwise, too", index + place + store + "\tadd.s64 \t%rd5, %rd2, 1;\n", false},
		{"the address is used otherwise, too", index + place + store + "\tcvta.local.u64 \t%rd5, %rd3;\n", false},
		{"the address is stored", index + place + "\tst.local.u64 \t[%rd1], %rd3;\n", false},
		{"the address is set twice", index + place + strings.Replace(place, "%rd2", "%rd7", 1) + store, false},
		{"the address is set twice, and the index is in another", index + place + strings.ReplaceAll(place, "%rd3", "%rd4") + strings.Replace(place, "%rd2", "%rd7", 1) + store, false},
		{"a shift", "\tcvt.u64.u32 \t%rd4, %r1;\n\tshl.b64 \t%rd2, %rd4, 2; // so\n" + place + store, true},
		{"a shift in another block", "\tcvt.u64.u32 \t%rd4, %r1;\n$L__BB0_1:\n\tshl.b64 \t%rd2, %rd4, 2;\n" + place + store, false},
		{"a shift behind a change", "\tcvt.u64.u32 \t%rd4, %r1;\n\tmov.u32 \t%r1, %r5;\n\tshl.b64 \t%rd2, %rd4, 2;\n" + place + store, false},
		{"a shift of 64 bits", "\tshl.b64 \t%rd2, %rd4, 2;\n" + place + store, false},
		{"the index is compared", index + place + store + "\tsetp.lt.s64 \t%p1, %rd2, 0;\n", false},
	} {
		want := c.in
		if c.changed {
			want = strings.ReplaceAll(want, "mul.wide.s32", "mul.wide.u32")
		}
		want = strings.ReplaceAll(want, "\tshl.b64 \t%rd2, %rd4, 2; // so\n", "\tmul.wide.u32 \t%rd2, %r1, 4;\n")
		if got := string(unsignedLocals([]byte(head + c.in + end))); got != head+want+end {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}
