package codegen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// warpSumIR is a kernel that sums a warp by ds_bpermute, as shuffles are lowered and LLVM
// unrolls them: each lane reads the lane that from says for each distance.
func warpSumIR(warp int, distances []int, from func(lane string, d int, let func(string, ...any) string) string) string {
	var b strings.Builder
	n := 0
	let := func(format string, args ...any) string {
		n++
		fmt.Fprintf(&b, "  %%t%d = %s\n", n, fmt.Sprintf(format, args...))
		return fmt.Sprintf("%%t%d", n)
	}
	b.WriteString("target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @sum(ptr addrspace(1) %p) {\n")
	lane := let("call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)")
	if warp == 64 {
		lane = let("call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %s)", lane)
	}
	at := let("getelementptr i32, ptr addrspace(1) %%p, i32 %s", lane)
	v := let("load i32, ptr addrspace(1) %s", at)
	for _, d := range distances {
		if d == fourRows {
			rows := []string{"", "", "", ""}
			for row := range rows {
				rows[row] = let("call i32 @llvm.amdgcn.ds.bpermute(i32 %d, i32 %s) convergent", row*16*4, v)
			}
			v = let("add i32 %s, %s", let("add i32 %s, %s", rows[0], rows[1]), let("add i32 %s, %s", rows[2], rows[3]))
			continue
		}
		addr := let("shl i32 %s, 2", from(lane, d, let))
		v = let("add i32 %s, %s", v, let("call i32 @llvm.amdgcn.ds.bpermute(i32 %s, i32 %s) convergent", addr, v))
	}
	fmt.Fprintf(&b, "  store i32 %s, ptr addrspace(1) %s\n  ret void\n}\n", v, at)
	b.WriteString("declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)\ndeclare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)\ndeclare i32 @llvm.amdgcn.ds.bpermute(i32, i32)\n")
	return b.String()
}

// fourRows in place of a distance is the sum of four lanes, one of each row.
const fourRows = -1

func xorLane(lane string, d int, let func(string, ...any) string) string {
	return let("xor i32 %s, %d", lane, d)
}

// downLane is __shfl_down's: the lane itself where that is the last.
func downLane(warp int) func(string, int, func(string, ...any) string) string {
	return func(lane string, d int, let func(string, ...any) string) string {
		in := let("icmp ult i32 %s, %d", lane, warp-d)
		return let("select i1 %s, i32 %s, i32 %s", in, let("add i32 %s, %d", lane, d), lane)
	}
}

var instruction = regexp.MustCompile(`(?m)^\t([a-z]\w*)`)

// instructions counts those of a kernel, in all and of data shares; waits and hints for
// the scheduler are none.
func instructions(text string) (all, shares int) {
	text, _, _ = strings.Cut(text, "s_endpgm")
	for _, m := range instruction.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] == "s_delay_alu", m[1] == "s_clause", m[1] == "s_nop":
		case strings.HasPrefix(m[1], "ds_"):
			shares++
			all++
		default:
			all++
		}
	}
	return all, shares
}

// The sum of a warp takes fewer instructions where LLVM knows the lanes, and of the data
// share fewer or none. The counts with LLVM 19 are those of RATIONALE.md.
func TestWarpSum(t *testing.T) {
	down := func(warp int) (d []int) {
		for n := warp / 2; n > 0; n /= 2 {
			d = append(d, n)
		}
		return d
	}
	for _, c := range []struct {
		cpu            string
		warp           int
		kind           string
		from           func(string, int, func(string, ...any) string) string
		distances      []int
		before, after  int // instructions
		shares, direct int // of the data share, before and after
	}{
		{"gfx90a", 64, "xor", xorLane, down(64), 32, 21, 6, 3},
		{"gfx90a", 64, "down", downLane(64), down(64), 44, 41, 6, 5},
		{"gfx90a", 64, "ReduceAddSync", xorLane, []int{1, 2, 7, 15, fourRows}, 33, 20, 8, 0},
		{"gfx1030", 32, "xor", xorLane, down(32), 27, 14, 5, 0},
		{"gfx1030", 32, "down", downLane(32), down(32), 37, 31, 5, 0},
		{"gfx1030", 32, "ReduceAddSync", xorLane, []int{1, 2, 7, 15, 16}, 27, 14, 5, 0},
		{"gfx1100", 32, "xor", xorLane, down(32), 28, 15, 5, 0},
		{"gfx1201", 32, "down", downLane(32), down(32), 38, 32, 5, 0},
	} {
		t.Run(fmt.Sprintf("%s/%d/%s", c.cpu, c.warp, c.kind), func(t *testing.T) {
			text := warpSumIR(c.warp, c.distances, c.from)
			r := &Request{IR: []byte(text), Triple: "amdgcn-amd-amdhsa", CPU: c.cpu, Kind: abi.HSACO, Kernel: "sum", WarpSize: c.warp, CodeObject: 4}
			if c.warp == 32 {
				r.Features = "+wavefrontsize32"
			}
			before, shares := warpSumCount(t, r, true)
			after, direct := warpSumCount(t, r, false)
			t.Logf("%d instructions, %d of the data share; before %d, %d", after, direct, before, shares)
			lib, err := llvm.Open()
			if err != nil {
				t.Fatal(err)
			}
			if direct != c.direct || lib.Major == 19 && shares != c.shares { // later releases do some of it themselves
				t.Errorf("%d instructions of the data share, before %d; want %d, before %d", direct, shares, c.direct, c.shares)
			}
			if lib.Major == 19 && (before != c.before || after != c.after) {
				t.Errorf("%d instructions, before %d; want %d, before %d", after, before, c.after, c.before)
			}
		})
	}
}

// warpSumCount counts the instructions of a kernel, with shuffles as they were or not.
func warpSumCount(t *testing.T, r *Request, leave bool) (all, shares int) {
	t.Helper()
	if err := Supports(r.Triple, r.CPU); err != nil {
		t.Skip(err)
	}
	leaveLanes = leave
	defer func() { leaveLanes = false }()
	text, err := Assembly(r)
	if err != nil {
		t.Fatal(err)
	}
	return instructions(text)
}

// Every pattern of lanes that has code without the data share gets it, on each kind of
// processor; what it computes the conformance suite says (its cases lanes/).
func TestLanePatterns(t *testing.T) {
	const none = "ds_bpermute_b32"
	for _, c := range []struct {
		addr string // of %lane
		want map[string]string
	}{
		{"xor i32 %lane, 1", map[string]string{"gfx90a": "quad_perm:[1,0,3,2]", "gfx1100": "quad_perm:[1,0,3,2]"}},
		{"xor i32 %lane, 4", map[string]string{"gfx90a": "ds_swizzle_b32", "gfx1030": "row_xmask:4"}},
		{"xor i32 %lane, 7", map[string]string{"gfx90a": "row_half_mirror", "gfx1030": "row_half_mirror"}},
		{"xor i32 %lane, 8", map[string]string{"gfx90a": "row_ror:8", "gfx1030": "row_ror:8"}},
		{"xor i32 %lane, 13", map[string]string{"gfx90a": "ds_swizzle_b32", "gfx1100": "row_xmask:13"}},
		{"xor i32 %lane, 16", map[string]string{"gfx90a": "ds_swizzle_b32", "gfx1100": "v_permlanex16_b32"}},
		{"xor i32 %lane, 32", map[string]string{"gfx90a": none}},
		{"and i32 %lane, 48", map[string]string{"gfx90a": "ds_swizzle_b32", "gfx1100": "v_permlane16_b32"}},
		{"or i32 %lane, 31", map[string]string{"gfx90a": "ds_swizzle_b32", "gfx1100": "v_readlane_b32"}},
		{"or i32 %lane, 63", map[string]string{"gfx90a": "v_readlane_b32"}},
		{"xor i32 %lane, 15", map[string]string{"gfx803": "row_mirror", "gfx942": "row_mirror", "gfx1201": "row_mirror"}},
	} {
		for cpu, want := range c.want {
			warp := 64
			if strings.HasPrefix(cpu, "gfx1") {
				warp = 32
			}
			text := warpSumIR(warp, []int{1}, func(lane string, _ int, let func(string, ...any) string) string {
				return let("%s", strings.ReplaceAll(c.addr, "%lane", lane))
			})
			r := &Request{IR: []byte(text), Triple: "amdgcn-amd-amdhsa", CPU: cpu, Kind: abi.HSACO, Kernel: "sum", WarpSize: warp, CodeObject: 4}
			if warp == 32 {
				r.Features = "+wavefrontsize32"
			}
			if err := Supports(r.Triple, r.CPU); err != nil {
				t.Log(err)
				continue
			}
			code, err := Assembly(r)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(code, want) || want != none && strings.Contains(code, none) {
				t.Errorf("%s for %s: no %s, or %s beside it:\n%s", c.addr, cpu, want, none, code)
			}
		}
	}
}
