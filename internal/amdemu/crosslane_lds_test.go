package amdemu

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"testing"
)

// crossLaneRun executes an instruction with data in v1 and addresses in v2 and
// returns v3, which was all ones.
func crossLaneRun(t *testing.T, size, generation int, text string, exec uint64, data, addr func(l int) uint32) vector {
	t.Helper()
	b := newBench(t, size, Options{})
	b.w.setMask(regExec, exec)
	for l := range lanes {
		b.w.v[1][l], b.w.v[2][l], b.w.v[3][l] = data(l), addr(l), ^uint32(0)
	}
	bindMemory(t, text, generation)(b.w)
	return b.w.v[3]
}

func TestPermutes(t *testing.T) {
	data := func(l int) uint32 { return uint32(1000 + l) }
	addr := func(l int) uint32 { return uint32(4*(l*5+2) + l&3) }
	const exec = uint64(0xfffe_7fff_ffbf_fff7)
	for _, c := range []struct{ size, generation int }{{64, 9}, {32, 10}, {64, 10}, {64, 11}, {64, 12}} {
		halves := c.size == 64 && (c.generation == 10 || c.generation == 11)
		lane := func(l int, offset uint32) int {
			n := int(addr(l)+offset) / 4
			if halves {
				return n%32 + l/32*32
			}
			return n % c.size
		}
		pulled := crossLaneRun(t, c.size, c.generation, "ds_bpermute_b32 v3, v2, v1 offset:12", exec, data, addr)
		pushed := crossLaneRun(t, c.size, c.generation, "ds_permute_b32 v3, v2, v1 offset:12", exec, data, addr)
		var to vector
		for l := range c.size {
			if exec>>l&1 != 0 {
				to[lane(l, 12)] = data(l)
			}
		}
		for l := range c.size {
			pull, push := ^uint32(0), ^uint32(0)
			if exec>>l&1 != 0 {
				pull, push = 0, to[l]
				if from := lane(l, 12); exec>>from&1 != 0 {
					pull = data(from)
				}
			}
			if pulled[l] != pull || pushed[l] != push {
				t.Fatalf("wave%d gfx%d lane %d: pulled %d, want %d; pushed %d, want %d", c.size, c.generation, l, pulled[l], pull, pushed[l], push)
			}
		}
	}
}

// The last of several lanes that push to one wins.
func TestPushConflict(t *testing.T) {
	got := crossLaneRun(t, 64, 9, "ds_permute_b32 v3, v2, v1", ^uint64(0), func(l int) uint32 { return uint32(l) },
		func(int) uint32 { return 4 * 17 })
	if got[17] != 63 || got[16] != 0 {
		t.Errorf("lane 17 got %d, lane 16 %d", got[17], got[16])
	}
}

func TestSwizzle(t *testing.T) {
	id := func(l int) uint32 { return uint32(l) }
	for text, from := range map[string]func(l int) int{
		"swizzle(QUAD_PERM,3,1,0,2)":    func(l int) int { return l&^3 + []int{3, 1, 0, 2}[l&3] },
		`swizzle(BITMASK_PERM,"01pip")`: func(l int) int { return 8 + l&4 + (l&2 ^ 2) + l&1 },
		"swizzle(BROADCAST,8,5)":        func(l int) int { return l/8*8 + 5 },
		"swizzle(BROADCAST,32,31)":      func(l int) int { return 31 },
		"swizzle(SWAP,4)":               func(l int) int { return l ^ 4 },
		"swizzle(SWAP,16)":              func(l int) int { return l ^ 16 },
		"swizzle(REVERSE,8)":            func(l int) int { return l/8*8 + 7 - l%8 },
		"swizzle(REVERSE,32)":           func(l int) int { return 31 - l },
		"swizzle(ROTATE,0,3)":           func(l int) int { return (l + 3) % 32 },
		"swizzle(ROTATE,1,3)":           func(l int) int { return (l + 29) % 32 },
		"swizzle(FFT,0)":                func(l int) int { return int(bits.Reverse8(uint8(l)) >> 3) },
		"swizzle(FFT,31)":               func(l int) int { return l },
		"0x801f":                        func(l int) int { return l&^3 + []int{3, 3, 1, 0}[l&3] },
		"0x401f":                        func(l int) int { return l ^ 16 },
		"31":                            func(l int) int { return l },
		"0":                             func(int) int { return 0 },
	} {
		const exec = uint64(0xffff_fbff_ffff_ffdf)
		got := crossLaneRun(t, 64, 9, "ds_swizzle_b32 v3, v1 offset:"+text, exec, id, id)
		for l := range 64 {
			want := ^uint32(0)
			if exec>>l&1 != 0 {
				f := l&32 + from(l&31)
				if want = uint32(f); exec>>f&1 == 0 {
					want = 0
				}
			}
			if got[l] != want {
				t.Errorf("%s: lane %d got %d, want %d", text, l, int32(got[l]), int32(want))
				break
			}
		}
	}
	for _, text := range []string{"swizzle(SPIN,1)", "swizzle(SWAP,x)", `swizzle(BITMASK_PERM,"01p")`, "99999", `swizzle(BITMASK_PERM,"01pxp")`} {
		if n, err := swizzlePattern(text); err == nil {
			t.Errorf("%s: %#x, no error", text, n)
		}
	}
}

func TestAppend(t *testing.T) {
	b := newBench(t, 64, Options{})
	b.w.setMask(regExec, 0xff0f)
	b.w.s[regM0] = 16
	binary.LittleEndian.PutUint32(b.w.group.lds.bytes[20:], 100)
	b.run("ds_append v3 offset:4")
	b.run("ds_consume v4 offset:4")
	b.run("ds_append v5 offset:4")
	for l := range lanes {
		if 0xff0f>>l&1 != 0 && (b.w.v[3][l] != 100 || b.w.v[4][l] != 112 || b.w.v[5][l] != 100) {
			t.Fatalf("lane %d: %d, %d, %d", l, b.w.v[3][l], b.w.v[4][l], b.w.v[5][l])
		}
	}
}

// Two places of LDS at once.
func TestPairs(t *testing.T) {
	for name, c := range map[string]struct{ size, stride int }{
		"read2_b32": {4, 4}, "load_2addr_b32": {4, 4}, "read2_b64": {8, 8}, "load_2addr_b64": {8, 8},
		"read2st64_b32": {4, 256}, "load_2addr_stride64_b32": {4, 256}, "read2st64_b64": {8, 512}, "load_2addr_stride64_b64": {8, 512},
	} {
		b := newBench(t, 64, Options{})
		mem := b.w.group.lds.bytes
		for i := range mem {
			mem[i] = byte(i*5 + i>>8)
		}
		// The address register is among those written.
		n := c.size / 4
		for l := range lanes {
			b.w.v[8][l] = uint32(l * 3)
		}
		b.run(fmt.Sprintf("ds_%s %s, v8 offset0:0 offset1:1", name, registersText("v", 8, 2*n)))
		for l := range lanes {
			for i := range 2 * n {
				at := 3*l + 4*(i%n) + i/n*c.stride
				if want := dwordsOf(1)(0, mem[at:])[0]; b.w.v[8+i][l] != want {
					t.Fatalf("%s lane %d word %d: %#x, want %#x", name, l, i, b.w.v[8+i][l], want)
				}
			}
		}
	}
	for name, c := range map[string]struct{ size, stride int }{
		"write2_b32": {4, 4}, "store_2addr_b32": {4, 4}, "write2_b64": {8, 8}, "store_2addr_b64": {8, 8},
		"write2st64_b32": {4, 256}, "store_2addr_stride64_b32": {4, 256}, "write2st64_b64": {8, 512}, "store_2addr_stride64_b64": {8, 512},
	} {
		b := newBench(t, 64, Options{})
		b.w.setMask(regExec, 1<<11)
		n := c.size / 4
		b.w.v[4][11] = 24
		first := 2
		if c.stride > 8 {
			first = 0
		}
		b.run(fmt.Sprintf("ds_%s v4, %s, %s offset0:%d offset1:1", name, registersText("v", 8, n), registersText("v", 12, n), first))
		for i := range n {
			x := dwordsOf(1)(0, b.w.group.lds.bytes[24+first*c.stride+4*i:])[0]
			y := dwordsOf(1)(0, b.w.group.lds.bytes[24+c.stride+4*i:])[0]
			if x != b.w.v[8+i][11] || y != b.w.v[12+i][11] {
				t.Errorf("%s: %#x and %#x, want %#x and %#x", name, x, y, b.w.v[8+i][11], b.w.v[12+i][11])
			}
		}
	}
}
