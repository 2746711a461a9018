package codegen

import "testing"

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
