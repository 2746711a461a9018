package spmd

import (
	"strings"
	"testing"
)

// wholeIR is a kernel of which %s does something with the value %v.
const wholeIR = `
@heddle_shared_size = constant i64 2048
declare i32 @heddle.thread.x()
declare i32 @heddle.thread.y()
declare ptr @heddle.shared(i64)
declare void @heddle.barrier(i32)
declare i32 @heddle.shuffle.down(i32, i64, i64)
declare i64 @heddle.ballot(i1)
define void @k(ptr %in, ptr %out, i64 %n) {
  %x = call i32 @heddle.thread.x()
  %i = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %s = call ptr @heddle.shared(i64 0)
  %q = getelementptr i32, ptr %s, i64 %i
  BODY
  store i32 %w, ptr %q, align 4
  call void @heddle.barrier(i32 0)
  %u = load i32, ptr %s, align 4
  %o = getelementptr i32, ptr %out, i64 %i
  store i32 %u, ptr %o, align 4
  ret void
}
`

// A block is one gang where that is correct and its values fit the registers.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		name, isa, body string
		want            bool
	}{
		{"sum", "x86-64-v4", "%w = add i32 %v, 1", true},
		{"sum, fewer registers", "x86-64-v3", "%w = add i32 %v, 1", false},
		{"shuffle", "x86-64-v4", "%w = call i32 @heddle.shuffle.down(i32 %v, i64 16, i64 32)", true},
		{"shuffle by what is passed", "x86-64-v4", "%w = call i32 @heddle.shuffle.down(i32 %v, i64 %n, i64 32)", false},
		{"ballot", "x86-64-v4", "%c = icmp eq i32 %v, 0\n %b = call i64 @heddle.ballot(i1 %c)\n %w = trunc i64 %b to i32", false},
		{"atomic", "x86-64-v4", "%w = add i32 %v, 1\n %old = atomicrmw add ptr %q, i32 %v syncscope(\"workgroup\") monotonic", false},
		{"rows", "x86-64-v4", "%w = call i32 @heddle.thread.y()", true},
	} {
		out, err := Vectorize(strings.Replace(wholeIR, "BODY", c.body, 1), Options{Kernel: "k", ISA: c.isa, WarpSize: 32})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if has := strings.Contains(out, "@heddle.kernel.block("); has != c.want {
			t.Errorf("%s: a gang that is a block: %v, want %v", c.name, has, c.want)
		}
	}
}

// Rows of a tile that differ by one number are told by the first and the last.
func TestRowStep(t *testing.T) {
	const text = `
declare i32 @heddle.thread.x()
declare i32 @heddle.thread.y()
declare void @heddle.panic(i32, i64, i64)
define void @k(ptr %in, ptr %out, i64 %n, i64 %len) {
  %x = call i32 @heddle.thread.x(), !range !0
  %y = call i32 @heddle.thread.y(), !range !0
  %col = zext nneg i32 %x to i64
  %row = zext nneg i32 %y to i64
  %first = mul i64 %row, STEP
  %i = add i64 %first, %col
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %go, label %bad
bad:
  call void @heddle.panic(i32 0, i64 %i, i64 %len)
  unreachable
go:
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %o = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %o, align 4
  ret void
}
!0 = !{i32 0, i32 1024}
`
	count := func(step string) int {
		out, err := Vectorize(strings.Replace(text, "STEP", step, 1), Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32})
		if err != nil {
			t.Fatal(err)
		}
		_, tile, ok := strings.Cut(out, "define internal void @heddle.kernel.tile(")
		if !ok {
			t.Fatalf("no tile:\n%s", out)
		}
		tile, _, _ = strings.Cut(tile, ".each:")
		return strings.Count(tile, "icmp ult i64")
	}
	if n := count("%n"); n != 3 { // the step, the first row and the last
		t.Errorf("a step that is passed: %d comparisons, want 3", n)
	}
	if n := count("%row"); n != 4 { // of each row
		t.Errorf("squares: %d comparisons, want 4", n)
	}
}
