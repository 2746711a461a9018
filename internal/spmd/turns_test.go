package spmd

import (
	"fmt"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// A loop that goes by what all lanes share has turns: it is unrolled if it is small, and reads memory ahead. A
// loop that goes by a constant has none.
func TestTurns(t *testing.T) {
	const text = `
declare i32 @heddle.thread.x() nofree nosync nounwind speculatable willreturn readnone
declare i32 @heddle.dim.x() nofree nosync nounwind speculatable willreturn readnone
define void @k(ptr %%p, ptr %%out, i64 %%n) {
entry:
  %%t = call i32 @heddle.thread.x()
  %%d = call i32 @heddle.dim.x()
  %%first = zext i32 %%t to i64
  %%dim = zext i32 %%d to i64
  %%some = icmp ult i64 %%first, %%n
  br i1 %%some, label %%before, label %%out.of.it
before:
  br label %%loop
loop:
  %%i = phi i64 [ %%first, %%before ], [ %%i1, %%loop ]
  %%s = phi float [ 0.0, %%before ], [ %%s1, %%loop ]
  %%q = getelementptr float, ptr %%p, i64 %%i
  %%v0 = load float, ptr %%q, align 4
%s  %%s1 = fadd float %%s, %%v%d
  %%i1 = add i64 %%i, %s
  %%more = icmp ult i64 %%i1, %%n
  br i1 %%more, label %%loop, label %%behind
behind:
  br label %%out.of.it
out.of.it:
  %%r = phi float [ 0.0, %%entry ], [ %%s1, %%behind ]
  %%o = getelementptr float, ptr %%out, i64 %%first
  store float %%r, ptr %%o, align 4
  ret void
}
`
	for _, c := range []struct {
		step             string
		size             int // instructions more
		turns, unrolling bool
	}{
		{"%dim", 1, true, true}, {"%dim", 2 * maxTurned, true, false}, {"64", 1, false, false},
	} {
		var more strings.Builder
		for n := range c.size {
			fmt.Fprintf(&more, "  %%v%d = fmul float %%v%d, 2.0\n", n+1, n)
		}
		out, err := Vectorize(fmt.Sprintf(text, more.String(), c.size, c.step), Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32, Lanes: 16})
		if err != nil {
			t.Fatal(err)
		}
		for what, want := range map[string]bool{
			"call void @heddle.turn(": c.turns, "call void @llvm.prefetch.p0(": c.turns, fmt.Sprintf("i64 %d\n", aheadBytes): c.turns, ", !llvm.loop !1": c.unrolling,
		} {
			if strings.Contains(out, what) != want {
				t.Errorf("a loop by %s with %d instructions more: %q: %v", c.step, c.size, what, !want)
			}
		}
	}
}

// Blocks take turns with each other that have such a loop before all barriers, and little shared memory.
func TestSeveral(t *testing.T) {
	const text = `
declare i32 @heddle.thread.x()
declare i32 @heddle.dim.x()
declare void @heddle.barrier(i32)
declare ptr @heddle.shared(i64)
declare ptr @heddle.dynamic()
@heddle_shared_size = constant i64 64
define void @k(ptr %p, ptr %out, i64 %n) {
entry:
  %t = call i32 @heddle.thread.x()
  %d = call i32 @heddle.dim.x()
  %i0 = zext i32 %t to i64
  %dim = zext i32 %d to i64
  FIRST
  br label %loop
loop:
  %i = phi i64 [ %i0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %q = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %q, align 4
  %s1 = fadd float %s, %v
  %i1 = add i64 %i, %dim
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %behind
behind:
  %o = getelementptr float, ptr %out, i64 %i0
  store float %s1, ptr %o, align 4
  LAST
  ret void
}
`
	const shared, dynamic, barrier = "%b = call ptr @heddle.shared(i64 0)\n  store i32 %t, ptr %b", "%b = call ptr @heddle.dynamic()\n  store i32 %t, ptr %b", "call void @heddle.barrier(i32 0)"
	for _, c := range []struct {
		first, last string
		bytes       int
		want        bool
	}{
		{"", "", 64, true}, {shared, "", 64, true}, {shared, "", severalShared + 16, false}, {dynamic, "", 64, false}, {shared, barrier, 64, true}, {barrier, "", 64, false},
	} {
		more := c.first + c.last
		out, err := Vectorize(strings.NewReplacer("FIRST", c.first, "LAST", c.last, "i64 64", fmt.Sprint("i64 ", c.bytes)).Replace(text), Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32, Lanes: 16})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, "call void @heddle.turn(") {
			t.Errorf("%q: no turns", more)
		}
		if got := strings.Contains(out, "call i32 @heddle.times("); got != c.want {
			t.Errorf("%q: several blocks take turns: %v", more, got)
		}
	}
}

// The driver makes room for what the code takes.
func TestSeveralRoom(t *testing.T) {
	if severalBlocks != abi.NativeSeveral || severalStacks != abi.NativeStacks {
		t.Errorf("%d blocks, %d stacks; the driver has %d and %d", severalBlocks, severalStacks, abi.NativeSeveral, abi.NativeStacks)
	}
	for shared := range int64(300) {
		if got, want := severalStride(shared), int64(abi.NativeStride(uint64(shared))); got != want || got%64 != 0 || got < shared+64 {
			t.Errorf("%d bytes of shared memory are %d apart, the driver's %d", shared, got, want)
		}
	}
}
