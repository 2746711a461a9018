package spmd

import (
	"strings"
	"testing"
)

// A tree of comparisons is a switch in gangs of one lane, if it tells enough values apart and
// its variables are the same wherever other values leave it.
func TestSwitches(t *testing.T) {
	const text = `
declare i32 @heddle.thread.x()
define void @k(ptr %p) {
entry:
  %x = call i32 @heddle.thread.x()
  %q = getelementptr i32, ptr %p, i32 %x
  %v = load i32, ptr %q, align 4
  %c = icmp slt i32 %v, 3
  br i1 %c, label %low, label %high
low:
  %c1 = icmp slt i32 %v, 2
  br i1 %c1, label %lower, label %done
lower:
  %c2 = icmp eq i32 %v, 1
  br i1 %c2, label %one, label %done
high:
  %c3 = icmp slt i32 %v, 5
  br i1 %c3, label %three, label %higher
higher:
  %c4 = icmp eq i32 %v, 7
  br i1 %c4, label %seven, label %done
one:
  br label %done
three:
  br label %done
seven:
  br label %done
done:
  %w = phi i32 [ 20, %low ], [ LOWER, %lower ], [ 40, %higher ], [ 1, %one ], [ 3, %three ], [ 7, %seven ]
  store i32 %w, ptr %q, align 4
  ret void
}
`
	for _, c := range []struct {
		lower string
		lanes int
		want  bool
	}{{"40", 1, true}, {"41", 1, false}, {"40", 8, false}} {
		out, err := Vectorize(strings.Replace(text, "LOWER", c.lower, 1), Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32, Lanes: c.lanes})
		if err != nil {
			t.Fatal(err)
		}
		_, cases, has := strings.Cut(out, "switch i32 %v")
		cases, _, _ = strings.Cut(cases, "]")
		if has != c.want || has && (strings.Count(cases, "i32 ") != 5 || !strings.Contains(cases, "i32 2, ") || !strings.Contains(cases, "i32 4, ")) {
			t.Errorf("other values %s, %d lanes: a switch: %v (%s), want %v", c.lower, c.lanes, has, cases, c.want)
		}
	}
}
