package conformance

import (
	"bytes"
	"regexp"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// What the directives do to the code of AMD and NVIDIA GPUs.

//heddle:inline
func stirredInline(x uint32) uint32 { return stirredAlone(x)*3 + x }

//go:noinline
func stirredAlone(x uint32) uint32 {
	for range x & 7 {
		x = x*0x9e3779b9 ^ x>>13
	}
	return x
}

//heddle:inline
func stirred(x uint32) uint32 {
	for range x & 7 {
		x = x*0x9e3779b9 ^ x>>13
	}
	return x
}

func callsAlone(x []uint32)  { x[0] = stirredAlone(x[0]) + stirredAlone(x[1]) }
func callsInline(x []uint32) { x[0] = stirred(x[0]) + stirred(x[1]) }
func callsBoth(x []uint32)   { x[0] = stirredInline(x[0]) }

func unrolled4(x []float32, n int) {
	s := float32(0)
	//heddle:unroll 4
	for i := 0; i < n; i++ {
		s += x[i*dsl.BlockDim().X]
	}
	x[0] = s
}

func unrolledNot(x []float32, n int) {
	s := float32(0)
	//heddle:unroll 1
	for i := range 8 {
		s += x[i*n]
	}
	x[0] = s
}

func unrolledWhole(x []float32, n int) {
	s := float32(0)
	//heddle:unroll
	for i := range 8 {
		s += x[i*n]
	}
	x[0] = s
}

func readsTwice(x, y []float32) {
	y[0] = x[0] * 3
	y[1] = x[0] * 2
}

//heddle:noalias
func readsOnce(x, y []float32) {
	y[0] = x[0] * 3
	y[1] = x[0] * 2
}

//heddle:launchbounds 64
func boundTo64(x []float32) { x[dsl.ThreadIdx().X]++ }

func TestDirectives(t *testing.T) {
	needLLVM(t)
	fast := kernel.Options{NoBounds: true}
	loads := [2]string{`global_load|s_load_dword s\d+, s\[\d+:\d+\], (0x0\n|s\d+ )`, `ld\.global`}
	calls := [2]string{`s_swappc_b64`, `call\.uni`}
	for _, c := range []struct {
		name    string
		k       *kernel.Kernel
		pattern [2]string // AMD's, NVIDIA's
		count   [2]int
	}{
		{"go:noinline", kernel.NewWith(callsAlone, fast), calls, [2]int{2, 2}},
		{"inline", kernel.NewWith(callsInline, fast), calls, [2]int{0, 0}},
		{"inline of what calls another", kernel.NewWith(callsBoth, fast), calls, [2]int{1, 1}},
		{"unroll 1", kernel.NewWith(unrolledNot, fast), loads, [2]int{1, 1}},
		{"unroll", kernel.NewWith(unrolledWhole, fast), loads, [2]int{8, 8}},
		{"unroll 4", kernel.NewWith(unrolled4, fast), loads, [2]int{4 + 1, 4 + 1}}, // and the rest's
		{"without noalias", kernel.NewWith(readsTwice, fast), loads, [2]int{2, 1}}, // there the host sees to it that the slices lie apart
		{"noalias", kernel.NewWith(readsOnce, fast), loads, [2]int{1, 1}},
		{"launchbounds", kernel.NewWith(boundTo64, fast), [2]string{`\.max_flat_workgroup_size: 64`, `\.maxntid[x]? 64`}, [2]int{1, 1}},
	} {
		for i, arch := range []string{"gfx90a", "sm_80"} {
			var b bytes.Buffer
			if err := c.k.Dump(&b, arch, 0, kernel.Asm); err != nil {
				t.Fatal(err)
			}
			if n := len(regexp.MustCompile(c.pattern[i]).FindAllIndex(b.Bytes(), -1)); n != c.count[i] {
				t.Errorf("%s on %s: %d times %s, want %d\n%s", c.name, arch, n, c.pattern[i], c.count[i], b.Bytes())
			}
		}
	}
}
