package codegen

import (
	"strings"
	"testing"
)

const leaves = `.visible .entry K(
)
{
	@%p1 bra 	$L__BB0_9;
	bra.uni 	$L__BB0_1;
$L__BB0_1:
	BARRIER
	@%p2 bra 	$L__BB0_9;
	@%p3 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_1;
$L__BB0_2:
	mov.u64 	%rd1, heddle_panic_lock;
	atom.global.cas.b32 	%r1, [%rd1], 0, 1;
	exit;
$L__BB0_8:
	@%p4 bra 	$L__BB0_1;
$L__BB0_9:
	.loc	1 2 3
	ret;
}
`

// A return gets stores behind a branch that is not taken, in functions that panic: more of them than a panic has instructions.
func TestMeetAtReturns(t *testing.T) {
	got := string(meetAtReturns([]byte(strings.Replace(leaves, "BARRIER", "membar.sys;", 1))))
	for what, want := range map[string]int{
		"\tret;\n": 2, "\tst.volatile.global.u32 [heddle_panic_lock], %heddle_n;\n": 3 + moreThanPanic, "@%heddle_p bra $L__heddle_meet1;\n\tret;\n$L__heddle_meet1:\n": 1,
		"bra \t$L__BB0_9;": 2, plainReturn: 0,
	} {
		if n := strings.Count(got, what); n != want {
			t.Errorf("%q stands %d times, want %d:\n%s", what, n, want, got)
		}
	}
	if without := strings.ReplaceAll(leaves, "heddle_panic_lock", "lock"); string(meetAtReturns([]byte(without))) != without {
		t.Error("code without panics is changed")
	}
}

// Lanes do not wait at a return for those that come to a barrier.
func TestMeetEarly(t *testing.T) {
	for _, barrier := range []string{"bar.sync 0;", "vote.sync.ballot.b32 %r1, %p1, -1;", "barrier.cluster.arrive;"} {
		got := string(meetAtReturns([]byte(strings.Replace(leaves, "BARRIER", barrier, 1))))
		for what, want := range map[string]int{
			"bra \t$L__BB0_9;": 0, "bra \t$L__BB0_9_out;": 2, "\tbra.uni \t$L__BB0_9_out;\n$L__BB0_9:\n": 1,
			"$L__BB0_9_out:\n\tret;\n": 1, "$L__heddle_meet1:\n": 1,
		} {
			if n := strings.Count(got, what); n != want {
				t.Errorf("%s: %q stands %d times, want %d:\n%s", barrier, what, n, want, got)
			}
		}
	}
	// Behind the barrier is a return at which lanes may wait.
	behind := strings.Replace(strings.Replace(leaves, "BARRIER", "bar.sync 0;", 1), "\t@%p2 bra \t$L__BB0_9;\n\t@%p3 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_1;\n", "\t@%p3 bra \t$L__BB0_2;\n\tbra.uni \t$L__BB0_9;\n", 1)
	if got := string(meetAtReturns([]byte(behind))); !strings.Contains(got, "bra.uni \t$L__BB0_9;") || strings.Count(got, plainReturn+";") != 2 {
		t.Errorf("got\n%s", got)
	}
}

// Lanes that return ahead of a barrier wait for no others either if they store something first, or return by themselves.
func TestMeetStores(t *testing.T) {
	const text = `.visible .entry K(
)
{
	@%p1 bra 	$L__BB0_4;
	@%p2 bra 	$L__BB0_5;
$L__BB0_1:
	bar.sync 	0;
	@%p3 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_9;
$L__BB0_2:
	mov.u64 	%rd1, heddle_panic_lock;
	atom.global.cas.b32 	%r1, [%rd1], 0, 1;
	exit;
$L__BB0_4:
	st.global.u32 	[%rd2], %r2;
	bra.uni 	$L__BB0_9;
$L__BB0_5:
	st.global.u32 	[%rd2], %r3;
	ret;
$L__BB0_9:
	ret;
}
`
	got := string(meetAtReturns([]byte(text)))
	for what, want := range map[string]int{
		"st.global.u32 \t[%rd2], %r2;\n\tbra.uni \t$L__BB0_9_out;": 1, "st.global.u32 \t[%rd2], %r3;\n\tret;\n": 1,
		"bra.uni \t$L__BB0_9;": 1, "$L__heddle_meet1:": 1, "$L__heddle_meet2:": 0,
	} {
		if n := strings.Count(got, what); n != want {
			t.Errorf("%q stands %d times, want %d:\n%s", what, n, want, got)
		}
	}
}
