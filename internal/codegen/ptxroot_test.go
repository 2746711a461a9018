package codegen

import (
	"strings"
	"testing"
)

func TestPlainRoots(t *testing.T) {
	const head, end = ".visible .entry k()\n{\n", "\tret;\n}\n"
	const zero, root, unless = "\tsetp.eq.ftz.f32 \t%p1, %f1, 0f00000000;\n", "\tsqrt.approx.ftz.f32 \t%f2, %f1;\n", "\tselp.f32 \t%f3, 0f00000000, %f2, %p1;\n"
	const loc, plain = "\t.loc\t1 2 3\n", "\tmov.f32 \t%f3, %f2;\n"
	for _, c := range []struct{ name, in, want string }{
		{"a root", zero + root + unless, zero + root + plain},
		{"with lines between", zero + loc + root + loc + unless, zero + loc + root + loc + plain},
		{"two", zero + root + unless + zero + root + unless, zero + root + plain + zero + root + plain},
		{"of another number", strings.Replace(zero, "%f1", "%f9", 1) + root + unless, ""},
		{"another condition", zero + root + strings.Replace(unless, "%p1", "%p9", 1), ""},
		{"another root", zero + root + strings.Replace(unless, "%f2", "%f9", 1), ""},
		{"a condition of 1", strings.Replace(zero, "0f00000000", "0f3F800000", 1) + root + unless, ""},
		{"the condition is set again", zero + root + strings.Replace(zero, "%f1", "%f4", 1) + unless, ""},
		{"not rounded so", strings.Replace(zero+root+unless, "sqrt.approx.ftz", "sqrt.rn", 1) + "\tsqrt.approx.ftz.f32 \t%f8, %f9;\n", ""},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := string(plainRoots([]byte(head + c.in + end))); got != head+want+end {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}
