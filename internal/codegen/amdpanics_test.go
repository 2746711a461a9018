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
// it begins. Two more checks share a panic, which takes several blocks, another one leads to
// three panics, and the first block has no name. A panic writes its number and value behind
// all else, and ends the wave.
func panicking(n int) string {
	var b strings.Builder
	b.WriteString(`
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %mine = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %past = getelementptr i32, ptr addrspace(1) %out, i32 64
  %record = ptrtoint ptr addrspace(1) %past to i64
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
		fmt.Fprintf(&b, "fail%d:\n  %%z%d = zext i32 %%v%d to i64\n  call void @heddle_panic(i32 %d, i64 %%z%d, i64 %%record) noreturn\n  unreachable\n", k, k, k, k, k)
	}
	b.WriteString(panickingEnd)
	return b.String()
}

const panickingEnd = `
end:
  %bad = icmp eq i32 %mine, 2000
  br i1 %bad, label %fail, label %also
also:
  %bad.too = icmp eq i32 %mine, 2001
  br i1 %bad.too, label %fail, label %last
last:
  %less = add i32 %mine, -2002
  %fine = icmp ugt i32 %less, 2
  br i1 %fine, label %good, label %which
fail:
  %site = phi i32 [ 2000, %end ], [ 2001, %also ]
  %value = phi i32 [ %v0, %end ], [ %i1, %also ]
  %odd = and i32 %site, 1
  %is.odd = icmp ne i32 %odd, 0
  br i1 %is.odd, label %more.of.it, label %report
more.of.it:
  %bigger = add i32 %value, 70
  br label %report
report:
  %told = phi i32 [ %value, %fail ], [ %bigger, %more.of.it ]
  %z.told = zext i32 %told to i64
  call void @heddle_panic(i32 %site, i64 %z.told, i64 %record) noreturn
  unreachable
which:
  %first = icmp eq i32 %mine, 2002
  br i1 %first, label %one, label %others
one:
  call void @heddle_panic(i32 2002, i64 1, i64 %record) noreturn
  unreachable
others:
  %second = icmp eq i32 %mine, 2003
  br i1 %second, label %two, label %three
two:
  call void @heddle_panic(i32 2003, i64 2, i64 %record) noreturn
  unreachable
three:
  call void @heddle_panic(i32 2004, i64 3, i64 %record) noreturn
  unreachable
good:
  store i32 %v0, ptr addrspace(1) %q
  ret void
}
define internal void @heddle_panic(i32 %site, i64 %v, i64 %record) cold noinline noreturn nounwind {
  %p = inttoptr i64 %record to ptr addrspace(1)
  store i32 %site, ptr addrspace(1) %p
  %r = getelementptr i32, ptr addrspace(1) %p, i32 1
  %low = trunc i64 %v to i32
  store i32 %low, ptr addrspace(1) %r
  call void @llvm.amdgcn.endpgm()
  unreachable
}
declare void @llvm.amdgcn.endpgm() noreturn
`

// panickingAt is what a thread with a value, in panicking(n), has after some rounds and checks.
func panickingAt(n int, mine uint32, rounds, checks int) uint32 {
	v := mine
	for i := range rounds*n + checks {
		v = (v ^ uint32(3*(i%n)+1)) * 5
	}
	return v
}

// The lanes vote on each check, and what LLVM takes for the function's ends are no panics. The
// checks still end the launch with what failed, also where others fail later in the wave.
func TestVotePanics(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, n := range []int{1, 5, 129} {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(panicking(n), "k", arch)
			r.Passes = lcssa + "," + nameAll // which keep the shape
			text, err := OptimisedIR(r)
			if err != nil {
				t.Fatal(err)
			}
			voted, ok, err := r.votePanics(text)
			if ends, votes := strings.Count(voted, "\n  unreachable"), strings.Count(voted, "= icmp ne i"+strconv.Itoa(r.WarpSize)+" %heddle.votes."); !ok || ends != 1 || votes != n+3 || err != nil {
				t.Errorf("%s: %d ends, want heddle_panic's own; %d votes for %d checks (%t, %v)", arch, ends, votes, n+3, ok, err)
			}
			// If the checks went around each other, what they report would be alive in all of them.
			if obj, err := Emit(r); err != nil || obj.Res.VGPR > 48 {
				t.Errorf("%s: %d registers (%v)", arch, obj.Res.VGPR, err)
			}
			runPanicking(t, r, n)
		}
	}
}

// runPanicking executes panicking(n), with nothing to fail and with each kind of check failing.
func runPanicking(t *testing.T, r *Request, n int) {
	const threads, lane, another = 64, 0, 11 // lanes of one wave
	run, err := loadEmulated(r)
	if err != nil {
		t.Fatal(err)
	}
	later := uint32(2004) // the last check
	for _, c := range []struct{ mine, other, site, value uint32 }{
		{mine: 1, other: 2},
		{1000, later, 0, 1000},
		{uint32(1000 + n/2), later, uint32(n / 2), panickingAt(n, uint32(1000+n/2), 0, n/2)},
		{uint32(1000 + n - 1), later, uint32(n - 1), panickingAt(n, uint32(1000+n-1), 0, n-1)},
		{2000, later, 2000, panickingAt(n, 2000, 4, 0)}, // two that share a panic
		{2001, later, 2001, 5 + 70},
		{2002, 1, 2002, 1}, // one of several behind one check
		{2003, 1, 2003, 2},
		{2004, 1, 2004, 3},
	} {
		in, out := make([]byte, 4*threads), make([]byte, 4*threads+8)
		for i := range threads {
			mine := uint32(i*7%61) + 1
			switch i {
			case lane:
				mine = c.mine
			case another:
				mine = c.other
			}
			binary.LittleEndian.PutUint32(in[4*i:], mine)
		}
		if _, err := run(in, out, threads); err != nil {
			t.Fatalf("%s: %d checks, %d: %v", r.CPU, n, c.mine, err)
		}
		if c.mine >= 1000 {
			if site, v := binary.LittleEndian.Uint32(out[4*threads:]), binary.LittleEndian.Uint32(out[4*threads+4:]); site != c.site || v != c.value {
				t.Errorf("%s: %d checks, %d: reported %d with %d, want %d with %d", r.CPU, n, c.mine, site, v, c.site, c.value)
			}
			continue
		}
		for i := range threads {
			mine := binary.LittleEndian.Uint32(in[4*i:])
			if got, want := binary.LittleEndian.Uint32(out[4*i:]), panickingAt(n, mine, 4, 0); got != want {
				t.Errorf("%s: %d checks: lane %d has %d, want %d", r.CPU, n, i, got, want)
				break
			}
		}
	}
}

// TestJoinSwitches brings switches, of however many lines, to one.
func TestJoinSwitches(t *testing.T) {
	const in = "  switch i64 %n, label %a [\n    i64 0, label %b\n    i64 2, label %c\n  ], !dbg !9\n\nb:\n  switch i64 %n, label %a [ i64 1, label %c ]\n  ret void\n"
	const want = "  switch i64 %n, label %a [ i64 0, label %b i64 2, label %c ], !dbg !9\n\nb:\n  switch i64 %n, label %a [ i64 1, label %c ]\n  ret void\n"
	if got := joinSwitches("x\n" + in); got != "x\n"+want {
		t.Errorf("got %q", got)
	}
}
