package amdemu

import (
	"math"
	"slices"
	"testing"
)

func TestRegisterText(t *testing.T) {
	ramp := func(n int, step uint32) (all []uint32) {
		for i := range n {
			all = append(all, uint32(i)*step)
		}
		return all
	}
	floats := func(all ...float32) (v []uint32) {
		for _, f := range all {
			v = append(v, math.Float32bits(f))
		}
		return v
	}
	for want, r := range map[string]Register{
		"s4=0x10":                             {Name: "s4", Values: []uint32{16}},
		"v0[7]=0x1":                           {Name: "v0", Values: []uint32{1}, Lanes: 1 << 7},
		"v0[0-31]=0x0,0x4..0x7c":              {Name: "v0", Values: ramp(32, 4), Lanes: math.MaxUint32},
		"v0[0-63]=0x0,0xffffffff..0xffffffc1": {Name: "v0", Values: ramp(64, math.MaxUint32), Lanes: math.MaxUint64},
		"v0[0-63]=0x5*64":                     {Name: "v0", Values: slices.Repeat([]uint32{5}, 64), Lanes: math.MaxUint64},
		"v0[0,2-3,63]=0x7,0x0,0x4,0x9":        {Name: "v0", Values: []uint32{7, 0, 4, 9}, Lanes: 1<<63 | 0b1101},
		"a1[0-5]=0x1*2,0x2*2,0x3*2":           {Name: "a1", Values: []uint32{1, 1, 2, 2, 3, 3}, Lanes: 63},
		"v0[0-4]=0x0,0x1..0x3,0x9":            {Name: "v0", Values: []uint32{0, 1, 2, 3, 9}, Lanes: 31},
		"v0[0-1]=1.5,-0":                      {Name: "v0", Values: floats(1.5, float32(math.Copysign(0, -1))), Lanes: 3, Float: true},
		"v0[0-3]=0*2,-0*2":                    {Name: "v0", Values: []uint32{0, 0, 1 << 31, 1 << 31}, Lanes: 15, Float: true},
		"v0[0-6]=0.5,1..2.5,NaN*2":            {Name: "v0", Values: append(floats(.5, 1, 1.5, 2, 2.5), 0x7fc00000, 0x7fc00000), Lanes: 127, Float: true},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestScalarNames(t *testing.T) {
	for i, want := range map[int]string{0: "s0", 105: "s105", 106: "vcc_lo", 107: "vcc_hi", 109: "ttmp1", 124: "m0", 126: "exec_lo", 127: "exec_hi"} {
		if got := scalarName(i); got != want {
			t.Errorf("number %d is %s, want %s", i, got, want)
		}
	}
}

func TestStatsText(t *testing.T) {
	s := Stats{Blocks: 1, Waves: 2, Instructions: [classes]uint64{classVALU: 5, classBranch: 1}, Transactions: 1, Bytes: 4}
	s.merge(&Stats{Blocks: 1, Waves: 1, Instructions: [classes]uint64{classVALU: 2}, Conflicts: 31})
	const want = "3 waves of 2 blocks, 8 instructions (valu 7, branch 1), 31 LDS bank conflicts, 1 memory transaction for 4 bytes"
	if got := s.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if names := Classes(); len(names) != len(s.Instructions) || slices.Contains(names, "") {
		t.Errorf("classes %q", names)
	}
}
