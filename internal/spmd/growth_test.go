package spmd

import (
	"fmt"
	"strings"
	"testing"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// pieces are shapes of control flow, of which a kernel has many one after the other: each
// comes from block pN and goes on to block pNEXT. %v differs between lanes, %m does not.
var pieces = []struct{ name, text string }{
	{"loop of one count", `pN:
  br label %hN
hN:
  %iN = phi i32 [ 0, %pN ], [ %jN, %hN ]
  store i32 %iN, ptr %q
  %jN = add i32 %iN, 1
  %cN = icmp slt i32 %jN, %m
  br i1 %cN, label %hN, label %pNEXT
`},
	{"loop of one count in which lanes part", `pN:
  br label %hN
hN:
  %iN = phi i32 [ 0, %pN ], [ %jN, %lN ]
  %eN = icmp slt i32 %iN, %v
  br i1 %eN, label %tN, label %lN
tN:
  store i32 7, ptr %q
  br label %lN
lN:
  %jN = add i32 %iN, 1
  %cN = icmp slt i32 %jN, %m
  br i1 %cN, label %hN, label %pNEXT
`},
	{"loop of a count for each lane", `pN:
  br label %hN
hN:
  %iN = phi i32 [ 0, %pN ], [ %jN, %hN ]
  store i32 %iN, ptr %q
  %jN = add i32 %iN, 1
  %cN = icmp slt i32 %jN, %v
  br i1 %cN, label %hN, label %pNEXT
`},
	{"one of two conditions", `pN:
  %eN = icmp slt i32 %v, N
  br i1 %eN, label %tN, label %aN
aN:
  %fN = icmp sgt i32 %v, NEXT
  br i1 %fN, label %tN, label %pNEXT
tN:
  store i32 7, ptr %q
  br label %pNEXT
`},
	{"switch by which lanes part", `pN:
  %eN = icmp slt i32 %v, N
  br i1 %eN, label %aN, label %bN
aN:
  %fN = icmp slt i32 %v, -5
  br i1 %fN, label %cN, label %dN
bN:
  %gN = icmp sgt i32 %v, 5000
  br i1 %gN, label %eeN, label %fN
cN:
  store i32 1, ptr %q
  br label %pNEXT
dN:
  store i32 2, ptr %q
  br label %pNEXT
eeN:
  store i32 3, ptr %q
  br label %pNEXT
fN:
  store i32 4, ptr %q
  br label %pNEXT
`},
	{"check", `pN:
  %iN = load i32, ptr %q
  %eN = icmp slt i32 %iN, N
  br i1 %eN, label %pNEXT, label %tN
tN:
  call void @heddle.panic(i32 N, i64 0, i64 0)
  unreachable
`},
}

// pieced is a kernel of n pieces, around which there may be a loop.
func pieced(n int, piece string, loop bool) string {
	var b strings.Builder
	b.WriteString(`declare i32 @heddle.thread.x() nofree nosync nounwind speculatable willreturn readnone
declare void @heddle.panic(i32, i64, i64)
define void @k(ptr %p, i32 %m) {
  %x = call i32 @heddle.thread.x()
  %q = getelementptr i32, ptr %p, i32 %x
  %v = load i32, ptr %q
  br label %p0
`)
	for i := range n {
		b.WriteString(strings.NewReplacer("NEXT", fmt.Sprint(i+1), "N", fmt.Sprint(i)).Replace(piece))
	}
	fmt.Fprintf(&b, "p%d:\n", n)
	if loop {
		b.WriteString("  %more = load i32, ptr %p\n  %again = icmp eq i32 %more, 0\n  br i1 %again, label %p0, label %end\nend:\n")
	}
	b.WriteString("  ret void\n}\n")
	return b.String()
}

// The steps that the emitter takes to find which blocks have
// the same lanes, grow as a kernel does.
func TestSteps(t *testing.T) {
	steps := func(text string) int {
		mod, err := ll.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		f := mod.Func("k")
		params := map[*ll.Param]divergence.Shape{}
		for _, p := range f.Params {
			params[p] = divergence.IsUniform
		}
		v := &vectorizer{o: Options{Kernel: "k", ISA: "x86-64-v3", WarpSize: 32}, n: 8, mod: mod, declared: map[string]bool{},
			gangs: map[*ll.Func]string{}, lanesFuncs: map[string]string{}}
		e := v.newEmitter(divergence.Analyse(f, v.n, 32, true, 0, params), v.fullMask())
		e.function()
		return e.Steps
	}
	for _, p := range pieces {
		for _, loop := range []bool{false, true} {
			some, more := steps(pieced(128, p.text, loop)), steps(pieced(256, p.text, loop))
			t.Logf("%s (in a loop: %t): %d, %d steps", p.name, loop, some, more)
			if some == 0 || float64(more) > 2.2*float64(some) {
				t.Errorf("%s (in a loop: %t): %d steps for 128, %d for 256", p.name, loop, some, more)
			}
		}
	}
}
