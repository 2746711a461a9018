package codegen

import "testing"

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
