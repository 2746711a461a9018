package codegen

import (
	"strings"
	"testing"
)

// All threads add to one of four int16 by compare and exchange, each as often as it takes: the
// lanes of a wave leave the loop one after the other, and so the one that the code generator
// makes in it, which goes on where another int16 of the same word has changed.
func TestNarrowExchange(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	var sums [4]uint16
	for i := range in {
		in[i][0] = uint64(3*i + 1)
		sums[i%4] += uint16(in[i][0])
	}
	want := uint64(sums[0]) | uint64(sums[1])<<16 | uint64(sums[2])<<32 | uint64(sums[3])<<48
	for _, level := range []string{"O0", "O1", "O2", "O3"} {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(inputsHead+`  %by = trunc i64 %a to i16
  %n = and i64 %i, 3
  %p = getelementptr i16, ptr addrspace(1) %out, i64 %n
  %first = load atomic i16, ptr addrspace(1) %p syncscope("agent") monotonic, align 2
  br label %again

again:
  %old = phi i16 [ %first, %entry ], [ %seen, %again ]
  %new = add i16 %old, %by
  %x = cmpxchg ptr addrspace(1) %p, i16 %old, i16 %new syncscope("agent") monotonic monotonic
  %seen = extractvalue { i16, i1 } %x, 0
  %ok = extractvalue { i16, i1 } %x, 1
  br i1 %ok, label %done, label %again

done:
  ret void
}
`, "k", arch)
			r.Passes = "default<" + level + ">"
			out := make([]uint64, threads)
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Errorf("LLVM %d, %s, %s: %v", major, level, arch, err)
			} else if out[0] != want {
				t.Errorf("LLVM %d, %s, %s: the sums are %#x, want %#x", major, level, arch, out[0], want)
			}
		}
	}
}

// Every way to write a narrow compare and exchange is met, and nothing else is touched.
func TestCompareSeen(t *testing.T) {
	for _, test := range []struct{ exchange, old string }{
		{`cmpxchg ptr %p, i16 %old, i16 %new monotonic monotonic, align 2`, "i16 %old"},
		{`cmpxchg weak volatile ptr addrspace(1) %p, i8 -1, i8 %new syncscope("agent") acq_rel acquire, align 1`, "i8 -1"},
		{`cmpxchg ptr addrspace(3) @s, i16 0, i16 1 seq_cst seq_cst, align 2, !dbg !7`, "i16 0"},
		{`cmpxchg ptr addrspace(3) getelementptr inbounds ([4 x i16], ptr addrspace(3) @s, i32 0, i32 1), i16 %"the old", i16 %new monotonic monotonic, align 2`, `i16 %"the old"`},
		{`cmpxchg ptr addrspacecast (ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @s, i32 2) to ptr), i8 %old, i8 %new monotonic monotonic, align 1`, "i8 %old"},
		{`cmpxchg ptr %p, i32 %old, i32 %new monotonic monotonic, align 4`, ""},
		{`call { i16, i1 } @llvm.uadd.with.overflow.i16(i16 %a, i16 %b)`, ""},
	} {
		typ, _, _ := strings.Cut(test.old, " ")
		if typ == "" {
			typ = "i16"
		}
		text := "  %x = " + test.exchange + "\n  %ok = extractvalue { " + typ + ", i1 } %x, 1, !dbg !8\n"
		want, ok := text, test.old != ""
		if ok {
			want = "  %x = " + test.exchange + "\n  %heddle.seen.1 = extractvalue { " + typ + ", i1 } %x, 0, !dbg !8\n  %ok = icmp eq " + strings.Replace(test.old, " ", " %heddle.seen.1, ", 1) + "\n"
		}
		if got, changed := compareSeen(text); got != want || changed != ok {
			t.Errorf("got %t:\n%swant %t:\n%s", changed, got, ok, want)
		}
	}
}
