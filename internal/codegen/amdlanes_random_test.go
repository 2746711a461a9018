package codegen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// randomLanes is IR that computes a lane's number from %lane, and its name.
func randomLanes(r *rand.Rand, warp int, let func(string, ...any) string) string {
	x := "%lane"
	for range 1 + r.IntN(3) {
		run := 1 << r.IntN(7) // of lanes, which may be left
		switch n := r.IntN(warp); r.IntN(8) {
		case 0, 1:
			x = let("xor i32 %s, %d", x, n)
		case 2:
			x = let("or i32 %s, %d", x, n)
		case 3:
			x = let("and i32 %s, %d", x, n)
		case 4: // shifted, the lane's own number beyond the run
			y := let("add i32 %s, %d", x, r.IntN(2*run)-run)
			same := let("icmp ult i32 %s, %d", let("xor i32 %s, %s", x, y), run)
			x = let("select i1 %s, i32 %s, i32 %s", same, y, x)
		case 5: // turned within the run
			in := let("and i32 %s, %d", let("add i32 %s, %d", x, n), run-1)
			x = let("or i32 %s, %s", let("and i32 %s, %d", x, ^(run-1)), in)
		case 6: // one lane of the run
			x = let("or i32 %s, %d", let("and i32 %s, %d", x, ^(run-1)), n&(run-1))
		case 7:
			less := let("icmp slt i32 %s, %d", x, n)
			x = let("select i1 %s, i32 %s, i32 %s", less, let("xor i32 %s, %d", x, r.IntN(warp)), x)
		}
	}
	return x
}

const randomPatterns = 40

// randomShuffles is a kernel whose lanes write which lane they read, by many patterns; in
// the lanes of active only.
func randomShuffles(seed uint64, warp int, active uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	n := 0
	let := func(format string, args ...any) string {
		n++
		fmt.Fprintf(&b, "  %%t%d = %s\n", n, fmt.Sprintf(format, args...))
		return fmt.Sprintf("%%t%d", n)
	}
	b.WriteString("target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n")
	b.WriteString("  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n")
	if warp == 64 {
		b.WriteString("  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)\n")
	} else {
		b.WriteString("  %lane = add i32 %lo, 0\n")
	}
	v := let("load i32, ptr addrspace(1) %s", let("getelementptr i32, ptr addrspace(1) %%in, i32 %%lane"))
	bit := let("and i64 %s, 1", let("lshr i64 %d, %s", int64(active), let("zext i32 %%lane to i64")))
	fmt.Fprintf(&b, "  br i1 %s, label %%part, label %%end\npart:\n", let("icmp ne i64 %s, 0", bit))
	for p := range randomPatterns {
		addr := let("shl i32 %s, 2", randomLanes(r, warp, let))
		got := let("call i32 @llvm.amdgcn.ds.bpermute(i32 %s, i32 %s) convergent", addr, v)
		at := let("getelementptr i32, ptr addrspace(1) %%out, i32 %s", let("add i32 %s, %d", let("mul i32 %%lane, %d", randomPatterns), p))
		fmt.Fprintf(&b, "  store i32 %s, ptr addrspace(1) %s\n", got, at)
	}
	b.WriteString("  br label %end\nend:\n  ret void\n}\n")
	b.WriteString("declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)\ndeclare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)\ndeclare i32 @llvm.amdgcn.ds.bpermute(i32, i32)\n")
	return b.String()
}

// Whatever the pattern, a lane reads the lane that ds_bpermute would, if that is active.
func TestRandomLanes(t *testing.T) {
	const seeds = 6
	for _, c := range []struct {
		cpu  string
		warp int
	}{{"gfx90a", 64}, {"gfx942", 64}, {"gfx1030", 32}, {"gfx1030", 64}, {"gfx1100", 32}, {"gfx1100", 64}, {"gfx1201", 32}, {"gfx1201", 64}} {
		t.Run(fmt.Sprintf("%s/%d", c.cpu, c.warp), func(t *testing.T) {
			if err := Supports("amdgcn-amd-amdhsa", c.cpu); err != nil {
				t.Skip(err)
			}
			left, made := 0, 0
			for seed := range uint64(seeds) {
				all := ^uint64(0) >> (64 - c.warp)
				some := rand.New(rand.NewPCG(seed, 2)).Uint64() | 1
				from := shuffled(t, seed, c.cpu, c.warp, all, true)
				for _, active := range []uint64{all, some & all} {
					got := shuffled(t, seed, c.cpu, c.warp, active, false)
					for i, g := range got {
						lane, src := i/randomPatterns, from[i]
						if active>>lane&1 != 0 && active>>src&1 != 0 && g != src {
							t.Fatalf("seed %d, active %#x, pattern %d: lane %d read %d, want %d", seed, active, i%randomPatterns, lane, g, src)
						}
					}
				}
				text := randomShuffles(seed, c.warp, all)
				direct, _ := (&Request{CPU: c.cpu, WarpSize: c.warp}).directLanes(text)
				left += strings.Count(direct, "= call i32 @llvm.amdgcn.ds.bpermute(")
				made += randomPatterns
			}
			t.Logf("%d of %d patterns are left to ds_bpermute", left, made)
			if left == made || left == 0 {
				t.Error("want some of both")
			}
		})
	}
}

// shuffled is what the lanes write: the lanes that they read, by pattern.
func shuffled(t *testing.T, seed uint64, cpu string, warp int, active uint64, leave bool) []int32 {
	t.Helper()
	leaveLanes = leave
	defer func() { leaveLanes = false }()
	in, out := make([]int32, warp), make([]int32, warp*randomPatterns)
	for l := range in {
		in[l] = int32(l)
	}
	r := &Request{
		IR: []byte(randomShuffles(seed, warp, active)), Triple: "amdgcn-amd-amdhsa", CPU: cpu, Kind: abi.HSACO,
		Kernel: "sum", WarpSize: warp, CodeObject: 5,
	}
	if strings.HasPrefix(cpu, "gfx1") {
		r.Features = fmt.Sprintf("+wavefrontsize%d", warp)
	}
	if _, err := emulate(r, bytesOf(in), bytesOf(out), warp); err != nil {
		t.Fatal(err)
	}
	return out
}
