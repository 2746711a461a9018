package spmd

import (
	"fmt"
	"strings"
	"testing"
)

// manyOf is a kernel of so many atomic operations and gathers, one after the other.
func manyOf(n int) string {
	var b strings.Builder
	b.WriteString("define void @k(ptr %p, ptr %out) {\n  %t = call i32 @heddle.thread.x()\n  %x0 = mul i32 %t, %t\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%m%d = and i32 %%x%d, 255\n", i, i)
		fmt.Fprintf(&b, "  %%a%d = getelementptr i32, ptr %%p, i32 %%m%d\n", i, i)
		fmt.Fprintf(&b, "  %%o%d = atomicrmw add ptr %%a%d, i32 %%x%d monotonic\n", i, i, i)
		fmt.Fprintf(&b, "  %%l%d = load i32, ptr %%a%d, align 4\n", i, i)
		fmt.Fprintf(&b, "  %%x%d = add i32 %%o%d, %%l%d\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "  %%q = getelementptr i32, ptr %%out, i32 %%t\n  store i32 %%x%d, ptr %%q, align 4\n  ret void\n}\ndeclare i32 @heddle.thread.x()\n", n)
	return b.String()
}

// What LLVM's passes take more than linear time for does not grow with a kernel: loops,
// which are in the loop over gangs too, branches, and the length of blocks.
func TestLargeKernels(t *testing.T) {
	blocks := func(n int) (labels, calls, inlined int) {
		out, err := Vectorize(manyOf(n), Options{Kernel: "k", ISA: "x86-64-v3", WarpSize: 32})
		if err != nil {
			t.Fatal(err)
		}
		length := 0
		for line := range strings.Lines(out) {
			if length++; strings.HasSuffix(line, ":\n") {
				length = 0
			}
			if length > longestBlock+50 {
				t.Fatalf("of %d operations, a block has more than %d lines", n, length)
			}
			switch {
			case strings.HasPrefix(line, "poll"): // they end long blocks
			case strings.HasPrefix(line, "define ") && strings.Contains(line, "@heddle.kernel.") && strings.Contains(line, "alwaysinline"):
				inlined++
			case strings.HasSuffix(line, ":\n"):
				labels++
			case strings.Contains(line, "call ") && strings.Contains(line, "@heddle.lanes."):
				calls++
			}
		}
		return
	}
	small, calls, inlined := blocks(2)
	if calls != 0 || inlined < 2 {
		t.Errorf("a small kernel: %d calls of what lanes do, %d forms inlined", calls, inlined)
	}
	some, calls, _ := blocks(600)
	more, twice, inlined := blocks(1200)
	if some != more || more > small {
		t.Errorf("%d blocks for 2 operations, %d for 600, %d for 1200", small, some, more)
	}
	if inlined != 0 {
		t.Errorf("%d forms of a large kernel are inlined into the loop over gangs", inlined)
	}
	if twice > 2*calls || calls < 600 {
		t.Errorf("%d calls for 600 operations, %d for 1200", calls, twice)
	}
}

// What lanes do one after the other reads them from stores that processors forward, two of
// four bytes at a time.
func TestLanesByMemory(t *testing.T) {
	const text = `
define void @k(ptr %p) {
  %t = call i32 @heddle.thread.x()
  %x = mul i32 %t, %t
  %m = and i32 %x, 255
  %s = call ptr @heddle.shared(i64 0)
  %i = zext i32 %m to i64
  %a = getelementptr i32, ptr %s, i64 %i
  %o = atomicrmw add ptr %a, i32 1 monotonic
  ret void
}
declare i32 @heddle.thread.x()
declare ptr @heddle.shared(i64)
@heddle_shared_size = constant i64 1024
`
	for _, isa := range []string{"x86-64-v3", "x86-64-v4"} {
		out, err := Vectorize(text, Options{Kernel: "k", ISA: isa, WarpSize: 32})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, "store volatile <8 x i32>") || strings.Contains(out, "store volatile <16 x i32>") {
			t.Errorf("%s: not stored in parts of 32 bytes", isa)
		}
		if !strings.Contains(out, "load volatile i64") {
			t.Errorf("%s: lanes are read one at a time", isa)
		}
	}
}
