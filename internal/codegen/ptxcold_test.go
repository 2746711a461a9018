package codegen

import (
	"strings"
	"testing"
)

const past = `.visible .entry K(
)
{
	@%p1 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_3;
$L__BB0_2:
	@!%p2 bra 	$L__BB0_4;
	bra.uni 	$L__BB0_5;
$L__BB0_4:
	@%p3 bra 	$L__BB0_6;
	bra.uni 	$L__BB0_7;
$L__BB0_6:
	ret;
$L__BB0_7:
	bra.uni 	$L__BB0_6;
$L__BB0_3:
	@%p4 bra 	$L__BB0_8;
	bra.uni 	$L__BB0_5;
$L__BB0_8:
	bra.uni 	$L__BB0_5;
$L__BB0_5:
	mov.u64 	%rd1, heddle_panic_lock;
	atom.global.cas.b32 	%r1, [%rd1], 0, 1;
	exit;
}
`

// A check branches to the way to its panic, one block or several; other branches stay as they are.
func TestColdAside(t *testing.T) {
	got := string(coldAside([]byte(past)))
	for what, want := range map[string]int{
		"\t@!%p1 bra \t$L__BB0_3;\n$L__BB0_2:\n": 1, "\t@%p2 bra \t$L__BB0_5;\n$L__BB0_4:\n": 1,
		"\t@%p3 bra \t$L__BB0_6;\n\tbra.uni \t$L__BB0_7;\n": 1, "bra.uni": 3, "\t@!%p4 bra \t$L__BB0_5;\n$L__BB0_8:\n": 1,
	} {
		if n := strings.Count(got, what); n != want {
			t.Errorf("%q stands %d times, want %d:\n%s", what, n, want, got)
		}
	}
	if without := strings.ReplaceAll(past, "heddle_panic_lock", "lock"); string(coldAside([]byte(without))) != without {
		t.Error("code without panics is changed")
	}
}
