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

// lanesText is a kernel of two operations on shared memory at indices that a number's parts are, each of so many bits.
func lanesText(bits int) string {
	return strings.ReplaceAll(`
define void @k(ptr %p) {
  %t = call i32 @heddle.thread.x()
  %x = mul i32 %t, %t
  %m = and i32 %x, MASK
  %s = call ptr @heddle.shared(i64 0)
  %i = zext i32 %m to i64
  %a = getelementptr i32, ptr %s, i64 %i
  %o = atomicrmw add ptr %a, i32 1 monotonic
  %h = lshr i32 %x, 16
  %n = and i32 %h, MASK
  %j = zext i32 %n to i64
  %b = getelementptr i32, ptr %s, i64 %j
  %q = atomicrmw add ptr %b, i32 1 monotonic
  ret void
}
declare i32 @heddle.thread.x()
declare ptr @heddle.shared(i64)
@heddle_shared_size = constant i64 1024
`, "MASK", fmt.Sprint(1<<bits-1))
}

// What lanes do one after the other reads them from stores that processors forward, two of
// four bytes at a time, and what is bytes of a number, from one store of the number.
func TestLanesByMemory(t *testing.T) {
	for _, isa := range []string{"x86-64-v3", "x86-64-v4"} {
		stores := map[int]int{}
		for _, bits := range []int{7, 8, 16} {
			out, err := Vectorize(lanesText(bits), Options{Kernel: "k", ISA: isa, WarpSize: 32, Lanes: 16})
			if err != nil {
				t.Fatal(err)
			}
			stores[bits] = strings.Count(out, "store volatile <8 x i32>")
			if stores[bits] == 0 || strings.Contains(out, "store volatile <16 x i32>") {
				t.Errorf("%s: not stored in parts of 32 bytes", isa)
			}
			want := map[int]string{7: "load volatile i64", 8: "load volatile i8", 16: "load volatile i16"}[bits]
			if !strings.Contains(out, want) {
				t.Errorf("%s: indices of %d bits: no %s", isa, bits, want)
			}
		}
		if stores[7] != 2*stores[8] || stores[16] != stores[8] {
			t.Errorf("%s: %d stores for two bytes of a number, %d for two indices", isa, stores[8], stores[7])
		}
	}
}

// Atomic operations on elements that follow each other are exchanges of 16 bytes, where the processor has them
// and nobody wants the values before.
func TestTogether(t *testing.T) {
	const text = `
define void @k(ptr %p, ptr %out) {
  %t = call i32 @heddle.thread.x()
  %i = zext nneg i32 %t to i64
  %a = getelementptr TYPE, ptr %p, i64 %i
  %x = mul i32 %t, %t
  %y = VALUE
  %o = atomicrmw OP ptr %a, TYPE %y monotonic
  USE
  ret void
}
declare i32 @heddle.thread.x()
`
	for _, c := range []struct {
		isa, op, typ, use string
		want              bool
	}{
		{"x86-64-v3", "add", "i32", "", true}, {"x86-64-v4", "umax", "i64", "", true}, {"x86-64-v2", "fadd", "float", "", true},
		{"aarch64", "add", "i32", "", false}, {"x86-64-v3", "xchg", "i32", "", false}, {"x86-64-v3", "nand", "i32", "", false}, {"x86-64-v3", "add", "i16", "", false},
		{"x86-64-v3", "add", "i32", "%q = getelementptr i32, ptr %out, i32 %x\n  store i32 %o, ptr %q", false},
	} {
		value := map[string]string{"i16": "trunc i32 %x to i16", "i32": "add i32 %x, 1", "i64": "zext i32 %x to i64", "float": "sitofp i32 %x to float"}[c.typ]
		kernel := strings.NewReplacer("TYPE", c.typ, "VALUE", value, "OP", c.op, "USE", c.use).Replace(text)
		out, err := Vectorize(kernel, Options{Kernel: "k", ISA: c.isa, WarpSize: 32, Lanes: 16})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out, "i128"); got != c.want {
			t.Errorf("%s, %s of %s: together is %v", c.isa, c.op, c.typ, got)
		}
	}
}
