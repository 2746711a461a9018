package vector_test

import (
	"math"
	"math/big"
	"testing"

	"heddle/vector"
)

// exact is the number that bits of a Half mean, by their definition.
func exact(b uint16) float64 {
	exp, frac := int(b>>10&31), float64(b&1023)
	x := math.Ldexp(frac, -24)
	switch {
	case exp == 31 && frac == 0:
		x = math.Inf(1)
	case exp == 31:
		return math.NaN()
	case exp > 0:
		x = math.Ldexp(1024+frac, exp-25)
	}
	if b>>15 != 0 {
		return -x
	}
	return x
}

// All 65,536 are what their definition says, and come back.
func TestHalfFloat32(t *testing.T) {
	for n := range 1 << 16 {
		h := vector.HalfFromBits(uint16(n))
		got, want := float64(h.Float32()), exact(uint16(n))
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%#04x is %v, want %v", n, got, want)
		}
		if h.IsNaN() != math.IsNaN(want) {
			t.Errorf("%#04x: IsNaN is %v", n, h.IsNaN())
		}
		if back := vector.MakeHalf(h.Float32()); back != h && !(h.IsNaN() && back.IsNaN()) || h.Bits() != uint16(n) {
			t.Errorf("%#04x comes back as %#04x", n, back.Bits())
		}
	}
}

// What lies between two neighbours goes to the nearer one, and halfway to the even one.
func TestMakeHalfRounds(t *testing.T) {
	infinite := uint16(0x7c00)
	for b := range infinite { // and its successor
		lo, hi := exact(b), exact(b+1)
		if b+1 == infinite {
			hi = 65536 // where the next would be
		}
		mid, _ := new(big.Float).Quo(new(big.Float).Add(big.NewFloat(lo), big.NewFloat(hi)), big.NewFloat(2)).Float32()
		even := b + b&1
		for _, c := range []struct {
			x    float32
			want uint16
		}{{mid, even}, {math.Nextafter32(mid, 0), b}, {math.Nextafter32(mid, 1e9), b + 1}} {
			if got := vector.MakeHalf(c.x).Bits(); got != c.want {
				t.Fatalf("%v between %#04x and %#04x becomes %#04x, want %#04x", c.x, b, b+1, got, c.want)
			}
			if got := vector.MakeHalf(-c.x).Bits(); got != c.want|0x8000 {
				t.Fatalf("%v becomes %#04x, want %#04x", -c.x, got, c.want|0x8000)
			}
		}
	}
	for _, x := range []float32{65536, 1e9, math.MaxFloat32, float32(math.Inf(1))} {
		if got := vector.MakeHalf(x).Bits(); got != infinite {
			t.Errorf("%v becomes %#04x", x, got)
		}
	}
}
