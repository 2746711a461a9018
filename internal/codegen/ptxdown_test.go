package codegen

import (
	"strings"
	"testing"
)

// The limit of a loop that counts down is no neg, whatever it is moved to; other uses of a neg are as they were.
func TestHideNegations(t *testing.T) {
	const head, end = ".visible .entry k(\n)\n{\n", "\tret;\n}\n"
	for _, c := range []struct{ name, in, want string }{
		{"limit", "\tneg.s64 \t%rd12, %rd350;\n\tsetp.lt.s64 \t%p94, %rd35, %rd12;\n", "\tnot.b64 \t%rd12, %rd350;\n\tadd.s64 \t%rd12, %rd12, 1;\n\tsetp.lt.s64 \t%p94, %rd35, %rd12;\n"},
		{"first operand, behind the loop", "\tsetp.hi.u32 \t%p1, %r2, %r3;\n\tneg.s32 \t%r2, %r2;\n", "\tsetp.hi.u32 \t%p1, %r2, %r3;\n\tnot.b32 \t%r2, %r2;\n\tadd.s32 \t%r2, %r2, 1;\n"},
		{"moved, narrowed", "\tneg.s64 \t%rd1, %rd2;\n\tmov.u64 \t%rd3, %rd1;\n\tcvt.u32.u64 \t%r4, %rd3;\n\tsetp.ge.and.s32 \t%p1, %r5, %r4, %p2;\n", "\tnot.b64 \t%rd1, %rd2;\n\tadd.s64 \t%rd1, %rd1, 1;\n\tmov.u64 \t%rd3, %rd1;\n\tcvt.u32.u64 \t%r4, %rd3;\n\tsetp.ge.and.s32 \t%p1, %r5, %r4, %p2;\n"},
		{"moved to and fro", "\tneg.s64 \t%rd1, %rd2;\n\tmov.u64 \t%rd3, %rd1;\n\tmov.u64 \t%rd1, %rd3;\n", ""},
		{"added", "\tneg.s64 \t%rd1, %rd2;\n\tadd.s64 \t%rd3, %rd1, %rd4;\n\tsetp.lt.s64 \t%p1, %rd3, %rd4;\n", ""},
		{"equal", "\tneg.s64 \t%rd1, %rd2;\n\tsetp.eq.s64 \t%p1, %rd1, %rd4;\n", ""},
		{"a name's beginning", "\tneg.s64 \t%rd1, %rd2;\n\tsetp.lt.s64 \t%p1, %rd10, %rd12;\n", ""},
		{"floats", "\tneg.f32 \t%f1, %f2;\n\tneg.s32 \t%r1, %r2;\n\tsetp.lt.f32 \t%p1, %f1, %f3;\n", ""},
	} {
		if c.want == "" {
			c.want = c.in
		}
		if got := string(hideNegations([]byte(head + c.in + end))); got != head+c.want+end {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
	// Each function has registers of its own.
	two := head + "\tneg.s64 \t%rd1, %rd2;\n" + end + head + "\tsetp.lt.s64 \t%p1, %rd1, %rd2;\n" + end
	if got := string(hideNegations([]byte(two))); got != two || strings.Contains(got, "not.b64") {
		t.Errorf("two functions: got\n%s", got)
	}
}
