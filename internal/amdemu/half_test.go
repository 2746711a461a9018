package amdemu

import (
	"math"
	"testing"
)

// TestHalf goes through all f16 numbers: each converts to its value and back, and what
// lies between two neighbours goes to the right one.
func TestHalf(t *testing.T) {
	value := func(h uint16) float64 {
		fraction, exponent := float64(h&0x3ff), int(h>>10&0x1f)
		if exponent == 0 {
			return fraction / 1024 * math.Pow(2, -14)
		}
		return (1 + fraction/1024) * math.Pow(2, float64(exponent-15)) // 31 too, for the limit
	}
	for h := uint16(0); h < 0x7c00; h++ {
		v, next := value(h), value(h+1)
		if got := float64(unhalf(h)); got != v {
			t.Fatalf("unhalf(%#x) = %v, want %v", h, got, v)
		}
		if got := unhalf(h | 0x8000); float64(got) != -v || !math.Signbit(float64(got)) {
			t.Fatalf("unhalf(%#x) = %v, want -%v", h|0x8000, got, v)
		}
		middle := (v + next) / 2
		even, beyond := h+h&1, uint16(0x7c00)
		if h < 0x7bff {
			beyond = h + 1
		}
		for _, c := range []struct {
			x             float64
			nearest, down uint16
		}{
			{v, h, h},
			{math.Nextafter(v, next), h, h},
			{math.Nextafter(middle, v), h, h},
			{middle, even, h},
			{math.Nextafter(middle, next), beyond, h},
			{math.Nextafter(next, v), beyond, h},
		} {
			for sign, s := range map[uint16]float64{0: 1, 0x8000: -1} {
				if got := half64(s * c.x); got != c.nearest|sign {
					t.Fatalf("half64(%v) = %#x, want %#x", s*c.x, got, c.nearest|sign)
				}
				if got := halfRTZ(s * c.x); got != c.down|sign {
					t.Fatalf("halfRTZ(%v) = %#x, want %#x", s*c.x, got, c.down|sign)
				}
			}
		}
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		x            float64
		nearest, rtz uint16
	}{
		{inf, 0x7c00, 0x7c00}, {-inf, 0xfc00, 0xfc00}, {65536, 0x7c00, 0x7bff}, {-1e300, 0xfc00, 0xfbff},
		{1e-300, 0, 0}, {-1e-300, 0x8000, 0x8000}, {0x1p-1074, 0, 0}, {math.Copysign(0, -1), 0x8000, 0x8000},
		{0x1.8p-26, 0, 0}, {0x1.8p-25, 1, 0},
	} {
		if a, b := half64(c.x), halfRTZ(c.x); a != c.nearest || b != c.rtz {
			t.Errorf("%v: %#x and %#x, want %#x and %#x", c.x, a, b, c.nearest, c.rtz)
		}
	}
	for _, h := range []uint16{0x7c01, 0x7e00, 0xfdff} {
		v := unhalf(h)
		if v == v || half(v) != h|0x200 {
			t.Errorf("NaN %#x becomes %v and %#x", h, v, half(v))
		}
	}
	if v := unhalf(0xfc00); !math.IsInf(float64(v), -1) {
		t.Errorf("unhalf(0xfc00) = %v", v)
	}
}
