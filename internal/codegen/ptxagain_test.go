package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// again is a kernel that loads ahead of a loop, and stores at the same address behind it.
func again(ahead, inside, behind string) string {
	long := strings.Repeat("	add.rn.f64 	%fd1, %fd1, %fd2;\n", longLoop)
	return fmt.Sprintf(`.visible .entry K(
)
{
	.reg .b64 	%%rd<9>;
	ld.param.u64 	%%rd1, [K_param_0];
	ld.param.u64 	%%rd2, [K_param_3];
	shl.b64 	%%rd3, %%rd8, 3;
	add.s64 	%%rd4, %%rd1, %%rd3;
	ld.global.f64 	%%fd1, [%%rd4];
	add.s64 	%%rd5, %%rd2, %%rd3;
	ld.global.f64 	%%fd2, [%%rd5];
%s$L__BB0_1:
%s%s	@%%p1 bra 	$L__BB0_1;
$L__BB0_2:
	st.global.f64 	[%%rd4], %%fd1;
%s	ret;
}
`, ahead, long, inside, behind)
}

func TestComputeAgain(t *testing.T) {
	const both = "	st.global.f64 	[%rd5+8], %fd2;\n"
	for _, c := range []struct {
		name, text string
		sums       int // that are added
	}{
		{"two of one offset", again("", "", both), 2},
		{"one, and its offset is used", again("", "", "	st.global.u64 	[%rd9], %rd3;\n"), 1},
		{"one alone", again("", "", ""), 0},
		{"used in the loop", again("", "	ld.global.f64 	%fd2, [%rd4];\n", both), 0},
		{"an offset of two definitions", again("	mov.u64 	%rd3, %rd7;\n", "", both), 0},
		{"an offset that an assembly may define", again("	{ .reg .b64 t; mov.b64 t, %rd7; mov.b64 %rd3, t; }\n", "", both), 0},
		{"a base of two definitions", again("	mov.u64 	%rd1, %rd7;\n	mov.u64 	%rd2, %rd7;\n", "", both), 0},
		{"used in a loop behind", again("", "", both+"$L__BB0_3:\n	ld.global.f64 	%fd1, [%rd4];\n	ld.global.f64 	%fd1, [%rd5];\n	@%p2 bra 	$L__BB0_3;\n"), 0},
		{"a short loop", strings.Replace(again("", "", both), "	add.rn.f64 	%fd1, %fd1, %fd2;\n", "", 9), 0},
		{"no way to the loop", again("	bra.uni 	$L__BB0_2;\n", "", both), 0},
		{"a jump by a table", again("	brx.idx 	%r1, table;\n", "", both), 0},
	} {
		got := string(computeAgain([]byte(c.text)))
		if c.sums == 0 {
			if got != c.text {
				t.Errorf("%s is changed:\n%s", c.name, got)
			}
			continue
		}
		if n := strings.Count(got, "add.s64") - strings.Count(c.text, "add.s64"); n != c.sums {
			t.Errorf("%s: %d sums are added, want %d:\n%s", c.name, n, c.sums, got)
		}
		_, end, _ := strings.Cut(got, "$L__BB0_2:\n")
		for k := range c.sums {
			if sum, use := strings.Index(end, fmt.Sprintf("add.s64 	%%again%d, ", k)), strings.Index(end, fmt.Sprintf("[%%again%d", k)); sum < 0 || use < sum {
				t.Errorf("%s: address %d is not computed where it is used:\n%s", c.name, k, got)
			}
		}
		if strings.Contains(end, "[%rd4]") || !strings.Contains(got, fmt.Sprintf("{\n	.reg .b64 	%%again<%d>;\n", c.sums)) {
			t.Errorf("%s: the address waits, or its register is not declared:\n%s", c.name, got)
		}
	}
}
