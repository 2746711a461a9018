package codegen

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// wayOut is a kernel whose lanes leave a loop in three ways; one of them writes registers.
const wayOut = `
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %mine = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %last = getelementptr i32, ptr addrspace(1) %in, i32 64
  %never = load i32, ptr addrspace(1) %last
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %check ], [ %i1, %again ]
  %i1 = add i32 %i, 1
  %u = icmp eq i32 %never, %i
  br i1 %u, label %check, label %begin
check:
  %bad = icmp ugt i32 %mine, 1000
  br i1 %bad, label %panic, label %outer
begin:
  %m = add i32 %mine, %i
  br label %inner
inner:
  %j = phi i32 [ %m, %begin ], [ %j1, %next ]
  %j1 = add i32 %j, 5
  %c = icmp ugt i32 %j, 40
  br i1 %c, label %end, label %next
next:
  %b = and i32 %j1, 3
  %d = icmp eq i32 %b, 0
  br i1 %d, label %again, label %inner
again:
  store i32 %j1, ptr addrspace(1) %q
  CLOBBER
  br label %outer
panic:
  store i32 77, ptr addrspace(1) %q
  unreachable
end:
  ret void
}
`

// Lanes that left a loop keep the way they left it by while others run code between, which
// here writes all scalar registers that LLVM thinks free.
func TestKeepPhiValues(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in, want := make([]byte, 4*(threads+1)), make([]byte, 4*threads)
	for lane := range threads {
		mine := uint32(lane*7%61) + 1
		binary.LittleEndian.PutUint32(in[4*lane:], mine)
	outer:
		for i := uint32(0); ; i++ {
			for j := mine + i; j <= 40; j += 5 {
				if (j+5)&3 == 0 {
					binary.LittleEndian.PutUint32(want[4*lane:], j+5)
					continue outer
				}
			}
			break
		}
	}
	binary.LittleEndian.PutUint32(in[4*threads:], 1<<30)
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		for _, value := range []int{0, -1} {
			var code, lost []string
			for n := range 90 {
				code = append(code, fmt.Sprintf("s_mov_b32 s%d, %d", n, value))
				lost = append(lost, fmt.Sprintf("~{s%d}", n))
			}
			clobber := fmt.Sprintf(`call void asm sideeffect "%s", "%s"()`, strings.Join(code, `\0A`), strings.Join(lost, ","))
			out := make([]byte, 4*threads)
			r := request(strings.Replace(wayOut, "CLOBBER", clobber, 1), "k", arch)
			r.Passes = lcssa // which keeps the shape
			if _, err := emulate(r, in, out, threads); err != nil {
				t.Fatalf("%s: %v", arch, err)
			}
			for lane := range threads {
				if got, want := binary.LittleEndian.Uint32(out[4*lane:]), binary.LittleEndian.Uint32(want[4*lane:]); got != want {
					t.Errorf("%s, all registers %d: lane %d has %d, want %d", arch, value, lane, got, want)
					break
				}
			}
		}
	}
}
