package emu_test

import (
	"math"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// How many numbers limitedOf makes.
const limitedOnes = 16

// limitedOf makes ints of floats that are not negative, limits them, and makes floats of these, as a bilinear sample does.
func limitedOf(out []float64, f float32, w int) {
	y := max(f, 0)
	y0 := min(int(y), w-1)
	y1 := min(y0+1, w-1)
	y2 := min(2, y1+3)
	out[0], out[1], out[2] = float64(y0), float64(y1), float64(y2)
	out[3], out[4] = float64(y-float32(y0)), float64(float32(y1))
	out[5] = float64(y0*w + y1)
	out[6] = float64((y0 + y1) / 3)
	a := dsl.Abs(f) * 64
	k := min(w-1, int(a))
	out[7], out[8] = float64(k), float64(a-float32(k))
	out[9] = float64(min(int(dsl.Floor(max(f, -3))), w+2))
	out[10] = float64(min(int(math.Sqrt(math.Abs(float64(f)))), w-40))
	out[11] = float64(min(int(float64(f)*float64(f)), w)) // nothing says that it is not negative
	z := min(int(max(float64(f), -0x1p31)), w+1)
	out[12] = float64(z + 5)
	out[13] = float64(float32(min(int(max(f, 0.25)*2), w)+(1<<16)+1000) + float32(z))
	if a < 9 {
		out[14] = 1 / float64(a-float32(int(a))) // of -0 there is none
	}
	if y >= 4 {
		out[15] = float64(max(y0, 3) + min(y1, 7))
	}
}

func limited(out []float64, in []float32, w int) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		limitedOf(out[i*limitedOnes:(i+1)*limitedOnes], in[i], w)
	}
}

// tabled is what a table has between its elements.
func tabled(out, in []float32, table [8]float32) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		at := dsl.Abs(in[i]) * 2
		k := int(at)
		f := at - float32(k)
		if k < len(table)-1 && k >= 0 {
			out[i] = table[k] + f*(table[k+1]-table[k])
		} else {
			out[i] = float32(k)
		}
	}
}

// Ints of floats that are limited are on a GPU what they are in Go, whatever the floats are.
func TestLimited(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	in := []float32{0, 0.5, 0.99, 1, 3.9, 8.99, 9, 11, 12, 13, 1e9, 1 << 30, 1<<31 - 128, 1 << 31, 2.49e9, 1 << 32, 1e15, 9.2e18, 1 << 63, 1e30, inf, nan}
	for _, f := range in[:len(in)-1] {
		in = append(in, -f)
	}
	table := [8]float32{4, 8, 16, 10, 5, 0, 3, 1}
	between := make([]float32, len(in))
	for i, f := range in {
		at := float32(math.Abs(float64(f))) * 2
		if k := int(at); k < len(table)-1 && k >= 0 {
			between[i] = table[k] + (at-float32(k))*(table[k+1]-table[k])
		} else {
			between[i] = float32(k)
		}
	}
	for _, w := range []int{12, 1, 0, -5} {
		want := make([]float64, len(in)*limitedOnes)
		for i, f := range in {
			limitedOf(want[i*limitedOnes:(i+1)*limitedOnes], f, w)
		}
		for _, name := range []string{"emu:gfx942", "emu:gfx1100"} {
			d := open(t, name)
			for _, opts := range []kernel.Options{{}, {NoBounds: true}} {
				got := afterLaunch(t, d, kernel.NewWith(limited, opts), make([]float64, len(want)), in, w)
				for i := range want {
					if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
						t.Errorf("%s, w=%d: %v, number %d: %v, want %v", name, w, in[i/limitedOnes], i%limitedOnes, got[i], want[i])
					}
				}
				if got := afterLaunch(t, d, kernel.NewWith(tabled, opts), make([]float32, len(in)), in, table); w == 12 {
					for i := range got {
						if got[i] != between[i] && (got[i] == got[i] || between[i] == between[i]) {
							t.Errorf("%s: between elements at %v: %v, want %v", name, in[i], got[i], between[i])
						}
					}
				}
			}
		}
	}
}
