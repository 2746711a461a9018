package codegen

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// panicking is a kernel in which each thread goes round a loop four times, with n checks in
// it of what the thread has read. The last one is where the loop ends, and goes on where
// it begins. Two more checks share a panic, and the first block has no name. A panic writes
// its number and value behind all else, and ends the wave.
func panicking(n int) string {
	var b strings.Builder
	b.WriteString(`
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %mine = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %record = getelementptr i32, ptr addrspace(1) %out, i32 64
  %some = icmp ne i32 %mine, 0
  br i1 %some, label %loop, label %quit
quit:
  ret void
loop:
  %i = phi i32 [ 0, %0 ], [ %i1, %c` + fmt.Sprint(n-1) + ` ]
  %v0 = phi i32 [ %mine, %0 ], [ %v` + fmt.Sprint(n) + `, %c` + fmt.Sprint(n-1) + ` ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i, 4
  br i1 %more, label %c0, label %end
`)
	for k := range n {
		next := fmt.Sprintf("c%d", k+1)
		if k == n-1 {
			next = "loop"
		}
		fmt.Fprintf(&b, "c%d:\n  %%w%d = xor i32 %%v%d, %d\n  %%v%d = mul i32 %%w%d, 5\n", k, k, k, 3*k+1, k+1, k)
		fmt.Fprintf(&b, "  %%bad%d = icmp eq i32 %%mine, %d\n  br i1 %%bad%d, label %%fail%d, label %%%s\n", k, 1000+k, k, k, next)
		fmt.Fprintf(&b, "fail%d:\n  call void @heddle_panic(ptr addrspace(1) %%record, i32 %d, i32 %%v%d) noreturn\n  unreachable\n", k, k, k)
	}
	b.WriteString(`
end:
  %bad = icmp eq i32 %mine, 2000
  br i1 %bad, label %fail, label %also
also:
  %bad.too = icmp eq i32 %v0, %mine
  br i1 %bad.too, label %fail, label %good
fail:
  call void @heddle_panic(ptr addrspace(1) %record, i32 2000, i32 %v0) noreturn
  unreachable
good:
  store i32 %v0, ptr addrspace(1) %q
  ret void
}
define internal void @heddle_panic(ptr addrspace(1) %record, i32 %site, i32 %v) cold noinline noreturn nounwind {
  store i32 %site, ptr addrspace(1) %record
  %r = getelementptr i32, ptr addrspace(1) %record, i32 1
  store i32 %v, ptr addrspace(1) %r
  call void @llvm.amdgcn.endpgm()
  unreachable
}
declare void @llvm.amdgcn.endpgm() noreturn
`)
	return b.String()
}

// The lanes vote on each check, and what LLVM takes for the function's ends are no panics. The
// checks still end the launch with what failed, also where others fail later in the wave.
func TestVotePanics(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	for _, n := range []int{1, 5, 129} {
		want := func(mine uint32, rounds, checks int) uint32 {
			v := mine
			for i := range rounds*n + checks {
				v = (v ^ uint32(3*(i%n)+1)) * 5
			}
			return v
		}
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(panicking(n), "k", arch)
			r.Passes = lcssa // which keeps the shape
			text, err := OptimisedIR(r)
			if err != nil {
				t.Fatal(err)
			}
			voted, ok := votePanics(text, r.WarpSize)
			if ends, votes := strings.Count(voted, "\n  unreachable"), strings.Count(voted, "= icmp ne i"+strconv.Itoa(r.WarpSize)+" %heddle.votes."); !ok || ends != 1 || votes != n+2 {
				t.Errorf("%s: %d ends, want heddle_panic's own; %d votes for %d checks (%t)", arch, ends, votes, n+2, ok)
			}
			// If the checks went around each other, what they report would be alive in all of them.
			if obj, err := Emit(r); err != nil || obj.Res.VGPR > 48 {
				t.Errorf("%s: %d registers (%v)", arch, obj.Res.VGPR, err)
			}
			run, err := loadEmulated(r)
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range []int{-1, 0, n / 2, n - 1} {
				in, out := make([]byte, 4*threads), make([]byte, 4*threads+8)
				for lane := range threads {
					mine := uint32(lane*7%61) + 1
					switch {
					case lane == 37 && bad >= 0:
						mine = uint32(1000 + bad)
					case lane == 11 && bad >= 0 && bad < n-1:
						mine = uint32(1000 + n - 1) // later
					}
					binary.LittleEndian.PutUint32(in[4*lane:], mine)
				}
				if _, err := run(in, out, threads); err != nil {
					t.Fatalf("%s: check %d: %v", arch, bad, err)
				}
				if bad >= 0 {
					site, v := binary.LittleEndian.Uint32(out[4*threads:]), binary.LittleEndian.Uint32(out[4*threads+4:])
					if want := want(uint32(1000+bad), 0, bad); site != uint32(bad) || v != want {
						t.Errorf("%s: check %d failed: reported %d with %d, want %d", arch, bad, site, v, want)
					}
					continue
				}
				for lane := range threads {
					mine := binary.LittleEndian.Uint32(in[4*lane:])
					if got, want := binary.LittleEndian.Uint32(out[4*lane:]), want(mine, 4, 0); got != want {
						t.Errorf("%s: lane %d has %d, want %d", arch, lane, got, want)
						break
					}
				}
			}
		}
	}
}
