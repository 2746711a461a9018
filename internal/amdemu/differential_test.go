package amdemu_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// TestAsHost compiles random programs with clang for the host and for AMDGPU; the
// emulator must compute what the host does. HEDDLE_CPROGRAMS is how many, for all
// processors; without it, a few.
func TestAsHost(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the options for the host are of amd64")
	}
	n, err := strconv.Atoi(os.Getenv("HEDDLE_CPROGRAMS"))
	all := err == nil
	if !all {
		n = 2
	}
	combinations := []string{"gfx90a-O0", "gfx1201-O2", "gfx942-O3", "gfx1100-O1", "gfx1030-O2", "gfx1100-O0", "gfx90a-O2", "gfx1201-O0"}
	for seed := range n {
		targets := combinations[2*seed%8:][:2]
		if all {
			targets = combinations
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { asHost(t, uint64(seed), targets) })
	}
}

// cflags keep both sides to the same arithmetic: no contraction, no wider f16s.
var cflags = []string{"-x", "c", "-std=gnu17", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-Xclang", "-ffloat16-excess-precision=none"}

func asHost(t *testing.T, seed uint64, targets []string) {
	const functions, threads = 3, 128
	c := newCompiler(t, cprogram(seed, functions))
	host := filepath.Join(c.dir, "host")
	c.build(t, host, append(cflags, "-O1", "-msse4.2", "-mf16c", "-mfma", "-lm")...)
	in := cinputs(rand.New(rand.NewPCG(seed, 2)), functions*threads*cslots)
	run := exec.Command(host)
	run.Stdin = bytes.NewReader(in)
	want, err := run.Output()
	if err != nil || len(want) != len(in) {
		t.Skipf("the host's program: %v, %d bytes", err, len(want))
	}
	for _, target := range targets {
		cpu, level := target[:len(target)-3], target[len(target)-3:]
		object := filepath.Join(c.dir, target)
		c.build(t, object, append(cflags, level, "--target=amdgcn-amd-amdhsa", "-mcpu="+cpu, "-nogpulib", "-Xclang", "-fdenormal-fp-math-f32=ieee")...)
		got := bytes.Clone(in)
		if err := c.run(t, object, "all", threads/64, 64, got); err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		for i := 0; i < len(want); i += 8 {
			g, w := binary.LittleEndian.Uint64(got[i:]), binary.LittleEndian.Uint64(want[i:])
			if g != w {
				slot := i / 8
				kind := ctypes[slot%cslots/2].name
				t.Errorf("%s: thread %d, function f%d, %s_%d: %#x, want %#x", target, slot/cslots/functions, slot/cslots%functions, kind, slot%2, g, w)
				break
			}
		}
	}
}

// cinputs is words that are edges of one type or another, or anything.
func cinputs(r *rand.Rand, n int) (in []byte) {
	edges := []uint64{0, 1, math.MaxUint64, 1 << 63, 0x7f800000, 0x7c00, 0x7ff0 << 48, 0xff800000_80000000, 0x7fc00000, 1 << 31, 0x8000, 0x00800000, 0x0400}
	for range n {
		v := edges[r.IntN(len(edges))]
		switch r.IntN(6) {
		case 0:
			v = r.Uint64()
		case 1:
			v = uint64(r.IntN(300)) - 150
		case 2:
			v = math.Float64bits(r.NormFloat64() * 100)
		case 3:
			v = uint64(math.Float32bits(float32(r.NormFloat64()*10))) | uint64(math.Float32bits(float32(r.ExpFloat64())))<<32
		case 4:
			v = 0x3c00_4100_c200_3555 ^ uint64(r.IntN(0x1000))<<(16*r.IntN(4))
		}
		in = binary.LittleEndian.AppendUint64(in, v)
	}
	return in
}
