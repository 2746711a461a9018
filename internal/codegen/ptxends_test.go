package codegen

import (
	"strings"
	"testing"
)

const ends = `.visible .entry K(
)
{
	.reg .b32 	%r<9>;
	@%p1 bra 	$L__BB0_2;
	mov.b32 	%r9, 1;
	bra.uni 	$L__BB0_3;
$L__BB0_2:
	@%p2 bra 	$L__BB0_3;
	mov.b32 	%r9, 2;
	bra.uni 	$L__BB0_3;
$L__BB0_3:
	mov.u64 	%rd1, heddle_panic_lock;
	atom.global.cas.b32 	%r1, [%rd1], 0, 1;
$L__tmp1:
	@%p3 bra 	$L__BB0_31;
	st.volatile.global.u32 	[%rd2], %r9;
$L__BB0_31:
	exit;
	exit;
$L__func_end0:

}
`

// Each jump to the end of panics gets an end of its own, with its own labels; a branch on a condition keeps the common one.
func TestPartEnds(t *testing.T) {
	got := string(partEnds([]byte(ends)))
	for what, want := range map[string]int{
		"heddle_panic_lock;": 3, "bra.uni 	$L__BB0_3;": 0, "@%p2 bra 	$L__BB0_3;": 1, "@%p3 bra 	$L__BB0_31;": 1, "@%p3 bra 	$L__BB0_31_end1;": 1,
		"\n$L__BB0_31_end2:\n": 1, "$L__tmp1": 1, "$L__func_end0:": 1, "\texit;": 6, "\n}\n": 1,
	} {
		if n := strings.Count(got, what); n != want {
			t.Errorf("%q stands %d times, want %d:\n%s", what, n, want, got)
		}
	}
	// An end that leads elsewhere is left as it is.
	other := strings.Replace(ends, "	st.volatile", "	@%p4 bra 	$L__BB0_2;\n	st.volatile", 1)
	if got := string(partEnds([]byte(other))); got != other {
		t.Errorf("changed:\n%s", got)
	}
	if without := strings.ReplaceAll(ends, "heddle_panic_lock", "lock"); string(partEnds([]byte(without))) != without {
		t.Error("code without panics is changed")
	}
}
