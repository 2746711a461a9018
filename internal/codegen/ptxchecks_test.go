package codegen

import (
	"slices"
	"strings"
	"testing"
)

// between is a kernel with two checks and MIDDLE between them.
const between = `.visible .entry K(
)
{
	setp.lt.u32 	%p1, %r1, %r9;
	@!%p1 bra 	$L__BB0_7;
	red.global.add.f32 	[%rd1], %f1;
	MIDDLE
	add.s32 	%r2, %r2, 1;
	setp.lt.u32 	%p2, %r2, %r9;
	@!%p2 bra 	$L__BB0_8;
	red.global.add.f32 	[%rd2], %f2;
	ret;
$L__BB0_7:
	mov.u32 	%r7, 1;
	mov.u64 	%rd7, heddle_panic_lock;
	exit;
$L__BB0_8:
	mov.u32 	%r7, 2;
	mov.u64 	%rd7, heddle_panic_lock;
	exit;
}
`

// The second check is made with the first, of registers of its own; where one of them fails all is done in order.
func TestChecksAhead(t *testing.T) {
	got := string(checksAhead([]byte(strings.Replace(between, "\tMIDDLE\n", "", 1))))
	for _, want := range []string{
		`	setp.lt.u32 	%p1, %r1, %r9;
	add.s32 	%heddle_b32_0, %r2, 1;
	setp.lt.u32 	%heddle_pred_0, %heddle_b32_0, %r9;
	and.pred 	%heddle_pred_1, %p1, %heddle_pred_0;
	@!%heddle_pred_1 bra 	$L__heddle_late0;
	red.global.add.f32 	[%rd1], %f1;
	add.s32 	%r2, %r2, 1;
	setp.lt.u32 	%p2, %r2, %r9;
	red.global.add.f32 	[%rd2], %f2;
	ret;
`, `
$L__heddle_late0:
	@!%p1 bra 	$L__BB0_7;
	red.global.add.f32 	[%rd1], %f1;
	add.s32 	%r2, %r2, 1;
	setp.lt.u32 	%p2, %r2, %r9;
	@!%p2 bra 	$L__BB0_8;
	exit;
}
`} {
		if !strings.Contains(got, want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
}

// Checks stay where they are if what they compare comes from memory or is computed at length, if lanes wait ahead of them, or
// another way leads there; an assembly is not taken apart.
func TestChecksNotAhead(t *testing.T) {
	for _, middle := range []string{
		"ld.global.u32 \t%r2, [%rd3];", "div.u32 \t%r2, %r3, %r4;", "bar.sync \t0;", "shfl.sync.idx.b32 \t%r5, %r6, 0, 31, -1;", "@%p3 mov.u32 \t%r2, 1;",
		"{ .reg .b32 t; mov.b32 t, %r3; mov.b32 %r2, t; }", "{\n\t.reg .b32 t;\n\tmov.b32 t, %r3;\n\tmov.b32 %r2, t;\n\t}", "@%p3 bra \t$L__BB0_9;\n$L__BB0_9:",
		"mov.u32 \t%r2, %clock;", "mov.b64 \t{%r2, %r3}, %rd5;",
	} {
		text := strings.Replace(between, "MIDDLE", middle, 1)
		if got := string(checksAhead([]byte(text))); got != text {
			t.Errorf("%s: a check is made ahead of it:\n%s", middle, got)
		}
	}
}

// Between loads checks stay where they are.
func TestChecksOfLoads(t *testing.T) {
	text := strings.Replace(strings.Replace(between, "\tMIDDLE\n", "", 1), "red.global.add.f32 \t[%rd1], %f1;", "ld.global.f32 \t%f1, [%rd1];", 1)
	if got := string(checksAhead([]byte(text))); got != text {
		t.Errorf("a check is made ahead of a load:\n%s", got)
	}
}

// A check that is made ahead lets one behind a load be made where it stands, and what a group's last check is may be one of a group of its own.
func TestChecksAheadInGroups(t *testing.T) {
	third := "ld.global.u32 \t%r4, [%rd3];\n\tsetp.lt.u32 \t%p3, %r4, %r9;\n\t@!%p3 bra \t$L__BB0_7;\n\tst.global.u32 \t[%rd4], %r4;"
	got := string(checksAhead([]byte(strings.Replace(between, "MIDDLE", third, 1))))
	_, body, _ := strings.Cut(got, "{\n")
	fast, late, ok := strings.Cut(body, "$L__heddle_late0:")
	if !ok || strings.Count(fast, "bra") != 2 || !strings.Contains(fast, "@!%p3 bra") || strings.Count(late, "bra") != 3 {
		t.Errorf("want a branch of two checks and that of the one between them:\n%s", got)
	}
}

// Ways to a panic are found through blocks that go on to the next one, and not where one leads to what is no block.
func TestColdPTX(t *testing.T) {
	blocks := ptxBlocks(strings.SplitAfter(`	@%p1 bra 	$L__BB0_1;
	ret;
$L__BB0_1:
	@%p2 bra 	$L__BB0_3;
	mov.u32 	%r1, 1;
$L__BB0_2:
	exit;
$L__BB0_3:
	mov.u32 	%r1, 2;
	bra.uni 	$L__BB0_2;
$L__BB0_4:
	@%p1 bra 	$L__BB0_9_out;
$L__BB0_5:
	exit;
`, "\n"))
	var cold []string
	for label, is := range coldPTX(blocks) {
		if is {
			cold = append(cold, strings.TrimPrefix(label, "$L__BB0_"))
		}
	}
	slices.Sort(cold)
	if got := strings.Join(cold, " "); got != "1 2 3 5" {
		t.Errorf("ways to a panic are %s, want 1 2 3 5", got)
	}
}
