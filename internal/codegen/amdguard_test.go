package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// At O0, lanes that leave a loop early are told from those that leave it at its end, also
// where the end is the same for all.
func TestLeaveEarly(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(i), 0, 3}
	}
	for _, arch := range []string{"gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		for _, level := range []string{"O0", "O1", "O3"} {
			r := request(inputsHead+`  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %times = trunc i64 %ua to i32
  %a4 = trunc i64 %a to i32
  br label %head
head:
  %n = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i64 [ 0, %entry ], [ %sum, %body ]
  %more = icmp ult i32 %n, %times
  br i1 %more, label %test, label %end
test:
  %last = add i32 %n, 60
  %early = icmp eq i32 %a4, %last
  br i1 %early, label %leave, label %body
leave:
  store i64 7, ptr addrspace(1) %p
  ret void
body:
  %sum = add i64 %s, %a
  %next = add i32 %n, 1
  br label %head
end:
  store i64 %s, ptr addrspace(1) %p
  ret void
}
`, "k", arch)
			r.Passes = "default<" + level + ">"
			out := make([]uint64, threads)
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Errorf("LLVM %d, %s, %s: %v", major, arch, level, err)
				continue
			}
			for i := range in {
				want := uint64(3 * i)
				if i >= 60 && i < 63 {
					want = 7
				}
				if out[i] != want {
					t.Errorf("LLVM %d, %s, %s, thread %d: %d, want %d", major, arch, level, i, out[i], want)
					break
				}
			}
		}
	}
}

// At O0, more scalars are spilled than the lanes of all vector registers hold.
func TestSpillMany(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads, n = 64, 9000
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{0, 0, 3, 0}
	}
	want := uint64(0)
	var b strings.Builder
	b.WriteString(inputsHead + "  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i\n  %u = trunc i64 %ua to i32\n")
	for k := range n {
		fmt.Fprintf(&b, "  %%v%d = mul i32 %%u, %d\n", k, k+1)
		want += uint64(3 * (k + 1))
	}
	b.WriteString("  br label %next\nnext:\n  %s0 = add i32 %u, -3\n")
	for k := range n {
		fmt.Fprintf(&b, "  %%s%d = add i32 %%s%d, %%v%d\n", k+1, k, k)
	}
	fmt.Fprintf(&b, "  %%r = zext i32 %%s%d to i64\n  store i64 %%r, ptr addrspace(1) %%p\n  ret void\n}\n", n)
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		r := request(b.String(), "k", arch)
		r.Passes = "default<O0>"
		out := make([]uint64, threads)
		if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
			t.Errorf("LLVM %d, %s: %v", major, arch, err)
			continue
		}
		for i := range out {
			if out[i] != want {
				t.Errorf("LLVM %d, %s, thread %d: %d, want %d", major, arch, i, out[i], want)
				break
			}
		}
	}
}
