package emu_test

import (
	"math"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// How many ints wholeOf makes.
const wholes = 16

// wholeOf makes ints of floats, of which comparisons or nothing tell how large they are, and divides by what a launch passes.
func wholeOf(out []int, f, g float32, w int) {
	x, y := int(f), int(dsl.Floor(g)) // may be anything: there are two ways for what follows
	out[0], out[1] = x%w, (x+1)%w
	out[2], out[3] = y%w, y/w
	out[4] = x*w + y
	out[5] = int(float32(x)) - int(float32(y+1))
	if f > -4 && f < 9 {
		out[6] = int(f) % w
		out[7] = int(dsl.Floor(f))
		out[8] = int(dsl.Ceil(f))
	}
	if f < 9 {
		out[9] = int(f)
	}
	if f > -2.5e9 && f < 2.5e9 {
		out[10] = int(f) * 3
		out[11] = int(float64(f)) / w
	}
	if f >= -1<<31 && f < 1<<31 {
		out[12] = int(f)
		out[13] = int(float64(f) * 2)
	}
	if !(f < 0) {
		out[14] = int(f) % w
	}
	if f <= float32(w) && f > -0.5 {
		out[15] = int(f)
	}
}

func whole(out []int, in []float32, w int) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		wholeOf(out[i*wholes:(i+1)*wholes], in[i], in[len(in)-1-i], w)
	}
}

// Ints of floats are on a GPU what they are in Go, whatever the floats are.
func TestWhole(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	in := []float32{0, 0.5, 0.99, 1, 3.9, 8.99, 9, 12, 13, 1e9, 1 << 30, 1<<30 - 64, 1<<30 + 128, 1<<31 - 128, 1 << 31, 2.49e9, 3e9, 1 << 32, 1e15, 9.2e18, 1 << 63, 1e30, inf, nan}
	for _, f := range in[:len(in)-1] {
		in = append(in, -f)
	}
	want := make([]int, len(in)*wholes)
	const w = 12
	for i, f := range in {
		wholeOf(want[i*wholes:(i+1)*wholes], f, in[len(in)-1-i], w)
	}
	for _, name := range []string{"emu:gfx942", "emu:gfx1030", "emu:gfx1100"} {
		d := open(t, name)
		for _, opts := range []kernel.Options{{}, {NoBounds: true}} {
			got := afterLaunch(t, d, kernel.NewWith(whole, opts), make([]int, len(want)), in, w)
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s: %v, int %d: %d, want %d", name, in[i/wholes], i%wholes, got[i], want[i])
				}
			}
		}
	}
}
