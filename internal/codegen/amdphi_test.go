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

// scanTwice is a kernel with a loop in a loop that look at the same numbers in turn, as LLVM
// makes of one loop that remembers where it last found something, and one that it shall not
// go beyond.
const scanTwice = `
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %mine = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  br label %outer
outer:
  %found = phi i64 [ -1, %entry ], [ %i1, %look ]
  br label %inner
inner:
  %i = phi i64 [ %i1, %look ], [ %found, %outer ]
  %i1 = add nsw i64 %i, 1
  %c = icmp slt i64 %i, 11
  br i1 %c, label %check, label %end
check:
  %bad = icmp ugt i64 %i1, 11
  br i1 %bad, label %panic, label %look
look:
  %n = trunc i64 %i1 to i32
  %s = lshr i32 %mine, %n
  %b = trunc i32 %s to i1
  store i32 %n, ptr addrspace(1) %q
  CLOBBER
  br i1 %b, label %outer, label %inner
panic:
  store i32 77, ptr addrspace(1) %q
  unreachable
end:
  store i32 100, ptr addrspace(1) %q
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
			scanned := make([]byte, 4*threads)
			r = request(strings.Replace(scanTwice, "CLOBBER", clobber, 1), "k", arch)
			r.Passes = lcssa
			if _, err := emulate(r, in, scanned, threads); err != nil {
				t.Fatalf("%s: %v", arch, err)
			}
			for lane := range threads {
				if got := binary.LittleEndian.Uint32(scanned[4*lane:]); got != 100 {
					t.Errorf("%s, all registers %d: lane %d ends with %d, want 100", arch, value, lane, got)
					break
				}
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

// Of what comes to a phi by which lanes differ, the releases with the fault get copies of
// all, as the pass for structured control flow may write twice what comes once.
func TestKeepOnce(t *testing.T) {
	const text = `
define amdgpu_kernel void @k(ptr addrspace(1) %in) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %tid, 7
  %d = icmp ult i32 %tid, 20
  br i1 %c, label %1, label %2

1:                                                ; preds = %0
  br i1 %d, label %3, label %2

2:                                                ; preds = %1, %0
  br i1 %d, label %3, label %4

3:                                                ; preds = %2, %1
  br label %4

4:                                                ; preds = %3, %2
  %x = phi i32 [ 5, %3 ], [ 6, %2 ]
  %z = phi i1 [ true, %3 ], [ false, %2 ]
  ret void
}
`
	for major, want := range map[int]int{15: 0, 17: 4, 18: 4, 19: 4, 22: 0} {
		kept, _ := keepLoopValues(text, major, false)
		if n := strings.Count(kept, `asm "", "=v,0"`); n != want {
			t.Errorf("LLVM %d: %d copies in\n%s", major, n, kept)
		}
	}
}
