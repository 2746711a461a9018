package emu_test

import (
	"math"
	"math/rand"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// wideOf makes float32s of ints that need a few more than 32 bits, or as many as there may be.
func wideOf(a, b int32) [4]float32 {
	x, y := int(a), int(b)
	return [4]float32{float32(2 * (x - y)), float32(x*1000003 + y), float32(x * x), float32(x<<21 - y)}
}

func wide(out [][4]float32, in [][2]int32) {
	for i := dsl.GlobalIdx().X; i < len(out); i += dsl.GlobalSize().X {
		out[i] = wideOf(in[i][0], in[i][1])
	}
}

// Floats of ints that a float64 holds are rounded once.
func TestWide(t *testing.T) {
	in := [][2]int32{{math.MaxInt32, math.MinInt32}, {math.MinInt32, math.MaxInt32}, {math.MinInt32, math.MinInt32}, {1 << 24, -1}, {1<<24 + 1, -1}}
	r := rand.New(rand.NewSource(7))
	for range 500 {
		half := int32(1)<<(23+r.Intn(7)) + int32(r.Intn(3)) // near the middle of two float32s
		in = append(in, [2]int32{int32(r.Uint32() >> r.Intn(9)), int32(r.Uint32())}, [2]int32{half, -half - int32(r.Intn(1<<7))})
	}
	want := make([][4]float32, len(in))
	for i, x := range in {
		want[i] = wideOf(x[0], x[1])
	}
	for _, name := range []string{"emu:gfx942", "emu:gfx1100"} {
		got := afterLaunch(t, open(t, name), kernel.New(wide), make([][4]float32, len(in)), in)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v: %v, want %v", name, in[i], got[i], want[i])
			}
		}
	}
}
