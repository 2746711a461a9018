package vector

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"
)

// A format8 is an 8-bit format by its definition, and the functions under test.
type format8 struct {
	name                 string
	exponent, fraction   int // bits
	bias                 int
	infinite, onlyOneNaN bool
	least, normal, most  float64 // the published limits: of all, of those with a leading 1
	round                func(x float32, mode Rounding, sat Saturation) uint8
	fromFloat64          func(x float64, mode Rounding, sat Saturation) uint8
	make                 func(x float32) uint8
	float32              func(b uint8) float32
	nan                  func(b uint8) bool
	values               []value8 // the positive numbers, rising, and the next one if there were no end
}

type value8 struct {
	x    float64
	bits uint8
}

func formats8() []*format8 {
	all := []*format8{
		{name: "FP8E4M3", exponent: 4, fraction: 3, bias: 7, least: 0x1p-9, normal: 0x1p-6, most: 448,
			round:       func(x float32, m Rounding, s Saturation) uint8 { return RoundFP8E4M3(x, m, s).Bits() },
			fromFloat64: func(x float64, m Rounding, s Saturation) uint8 { return FP8E4M3FromFloat64(x, m, s).Bits() },
			make:        func(x float32) uint8 { return MakeFP8E4M3(x).Bits() },
			float32:     func(b uint8) float32 { return FP8E4M3FromBits(b).Float32() },
			nan:         func(b uint8) bool { return FP8E4M3FromBits(b).IsNaN() }},
		{name: "FP8E5M2", exponent: 5, fraction: 2, bias: 15, infinite: true, least: 0x1p-16, normal: 0x1p-14, most: 57344,
			round:       func(x float32, m Rounding, s Saturation) uint8 { return RoundFP8E5M2(x, m, s).Bits() },
			fromFloat64: func(x float64, m Rounding, s Saturation) uint8 { return FP8E5M2FromFloat64(x, m, s).Bits() },
			make:        func(x float32) uint8 { return MakeFP8E5M2(x).Bits() },
			float32:     func(b uint8) float32 { return FP8E5M2FromBits(b).Float32() },
			nan:         func(b uint8) bool { return FP8E5M2FromBits(b).IsNaN() }},
		{name: "FP8E4M3FNUZ", exponent: 4, fraction: 3, bias: 8, onlyOneNaN: true, least: 0x1p-10, normal: 0x1p-7, most: 240,
			round:       func(x float32, m Rounding, s Saturation) uint8 { return RoundFP8E4M3FNUZ(x, m, s).Bits() },
			fromFloat64: func(x float64, m Rounding, s Saturation) uint8 { return FP8E4M3FNUZFromFloat64(x, m, s).Bits() },
			make:        func(x float32) uint8 { return MakeFP8E4M3FNUZ(x).Bits() },
			float32:     func(b uint8) float32 { return FP8E4M3FNUZFromBits(b).Float32() },
			nan:         func(b uint8) bool { return FP8E4M3FNUZFromBits(b).IsNaN() }},
		{name: "FP8E5M2FNUZ", exponent: 5, fraction: 2, bias: 16, onlyOneNaN: true, least: 0x1p-17, normal: 0x1p-15, most: 57344,
			round:       func(x float32, m Rounding, s Saturation) uint8 { return RoundFP8E5M2FNUZ(x, m, s).Bits() },
			fromFloat64: func(x float64, m Rounding, s Saturation) uint8 { return FP8E5M2FNUZFromFloat64(x, m, s).Bits() },
			make:        func(x float32) uint8 { return MakeFP8E5M2FNUZ(x).Bits() },
			float32:     func(b uint8) float32 { return FP8E5M2FNUZFromBits(b).Float32() },
			nan:         func(b uint8) bool { return FP8E5M2FNUZFromBits(b).IsNaN() }},
	}
	for _, f := range all {
		for b := range 128 {
			x := f.number(uint8(b))
			if math.IsNaN(x) || math.IsInf(x, 0) {
				break
			}
			f.values = append(f.values, value8{x, uint8(b)})
		}
		last := f.values[len(f.values)-1]
		f.values = append(f.values, value8{last.x + (last.x - f.values[len(f.values)-2].x), last.bits + 1})
	}
	return all
}

// number is what bits mean, by the definition of the format.
func (f *format8) number(b uint8) float64 {
	sign := 1.0
	if b >= 128 {
		sign = -1
	}
	exp, frac := int(b&127)>>f.fraction, float64(int(b)&(1<<f.fraction-1))
	switch {
	case f.onlyOneNaN:
		if b == 0x80 {
			return math.NaN()
		}
	case f.infinite && exp == 1<<f.exponent-1:
		if frac == 0 {
			return sign * math.Inf(1)
		}
		return math.NaN()
	case !f.infinite && b&127 == 127:
		return math.NaN()
	}
	if exp == 0 {
		return math.Copysign(math.Ldexp(frac, 1-f.bias-f.fraction), sign)
	}
	return sign * math.Ldexp(frac/float64(int(1)<<f.fraction)+1, exp-f.bias)
}

// nearest is what x becomes, found among all numbers of the format; any NaN is 0x7f, or 0x80.
func (f *format8) nearest(x float64, mode Rounding, sat Saturation) uint8 {
	sign := uint8(0)
	if math.Signbit(x) {
		sign = 0x80
		switch mode {
		case RoundUp:
			mode = RoundDown
		case RoundDown:
			mode = RoundUp
		}
	}
	beyond := sign | 0x7f
	if f.infinite {
		beyond = sign | 0x7c
	}
	if f.onlyOneNaN {
		beyond = 0x80
	}
	end := len(f.values) - 1 // what is no number
	top := sign | f.values[end-1].bits
	if sat == SatFinite {
		beyond = top
	}
	a := math.Abs(x)
	i := sort.Search(len(f.values), func(i int) bool { return f.values[i].x >= a })
	switch {
	case math.IsNaN(x) && f.onlyOneNaN:
		return 0x80
	case math.IsNaN(x):
		return 0x7f
	case math.IsInf(x, 0):
		return beyond
	case a >= f.values[end].x: // not below even the one after the largest
		if mode == RoundTowardZero || mode == RoundDown {
			return top
		}
		return beyond
	}
	if f.values[i].x != a {
		lo, hi := f.values[i-1], f.values[i]
		middle := (lo.x + hi.x) / 2
		if mode == RoundTowardZero || mode == RoundDown ||
			mode == RoundNearestEven && (a < middle || a == middle && lo.bits&1 == 0) {
			i--
		}
	}
	if i == end {
		return beyond
	}
	if i == 0 && f.onlyOneNaN {
		return 0
	}
	return sign | f.values[i].bits
}

// same8 compares results, of which NaNs may have any sign.
func (f *format8) same8(got, want uint8) bool {
	return got == want || !f.onlyOneNaN && want&0x7f == 0x7f && got&0x7f == 0x7f
}

// samples8 are every Half, every number with 16 bits of a float32 with neighbours, and what
// lies at and beside the middle between two numbers of the format.
func (f *format8) samples8() (xs []float32) {
	for n := range 1 << 16 {
		xs = append(xs, HalfFromBits(uint16(n)).Float32())
		for _, low := range []uint32{0, 1, 0xffff} {
			xs = append(xs, math.Float32frombits(uint32(n)<<16|low))
		}
	}
	for i := 1; i < len(f.values); i++ {
		for _, x := range []float64{f.values[i].x, (f.values[i-1].x + f.values[i].x) / 2} {
			y := float32(x)
			for _, z := range []float32{y, math.Nextafter32(y, 0), math.Nextafter32(y, 1e9)} {
				xs = append(xs, z, -z)
			}
		}
	}
	return xs
}

// All 256 are what the definition says, and come back.
func TestFP8Float32(t *testing.T) {
	for _, f := range formats8() {
		for n := range 256 {
			b := uint8(n)
			got, want := float64(f.float32(b)), f.number(b)
			if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %#02x is %v, want %v", f.name, b, got, want)
			}
			if f.nan(b) != math.IsNaN(want) {
				t.Errorf("%s: %#02x: IsNaN is %v", f.name, b, f.nan(b))
			}
			if math.IsNaN(want) {
				continue
			}
			for mode := RoundNearestEven; mode <= RoundUp; mode++ {
				if back := f.round(float32(got), mode, NoSat); back != b {
					t.Errorf("%s: %#02x comes back as %#02x", f.name, b, back)
				}
			}
			if h := MakeHalf(f.float32(b)); h.Float32() != f.float32(b) {
				t.Errorf("%s: %#02x is no Half", f.name, b)
			}
		}
		most := f.values[len(f.values)-2]
		if f.float32(1) != float32(f.least) || f.float32(1<<f.fraction) != float32(f.normal) || most.x != f.most {
			t.Errorf("%s: %v, %v, %v are its least, its least normal and its largest number", f.name, f.float32(1), f.float32(1<<f.fraction), most.x)
		}
	}
}

// Rounding is what a search among all numbers gives, in every mode.
func TestFP8Round(t *testing.T) {
	for _, f := range formats8() {
		xs := f.samples8()
		for mode := RoundNearestEven; mode <= RoundUp; mode++ {
			for sat := SatFinite; sat <= NoSat; sat++ {
				for _, x := range xs {
					want := f.nearest(float64(x), mode, sat)
					if got := f.round(x, mode, sat); !f.same8(got, want) {
						t.Fatalf("%s: %v (%#08x) becomes %#02x in mode %d, saturation %d, want %#02x", f.name, x, math.Float32bits(x), got, mode, sat, want)
					}
				}
			}
		}
		for _, x := range xs {
			if got, want := f.make(x), f.round(x, RoundNearestEven, SatFinite); got != want {
				t.Fatalf("%s: %v is made %#02x, want %#02x", f.name, x, got, want)
			}
		}
	}
}

// A float64 is rounded once: what differs from a middle by less than a float32 can say
// falls on its side.
func TestFP8FromFloat64(t *testing.T) {
	for _, f := range formats8() {
		xs := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 1e-50, -1e-300, 1e40, -1e39}
		for i := 1; i < len(f.values); i++ {
			for _, x := range []float64{f.values[i].x, (f.values[i-1].x + f.values[i].x) / 2} {
				for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, 1e9), x * (1 + 0x1p-30), x * (1 - 0x1p-26), x * (1 + 0x1p-24)} {
					xs = append(xs, y, -y)
				}
			}
		}
		for _, x := range xs {
			for mode := RoundNearestEven; mode <= RoundUp; mode++ {
				for sat := SatFinite; sat <= NoSat; sat++ {
					if got, want := f.fromFloat64(x, mode, sat), f.nearest(x, mode, sat); !f.same8(got, want) {
						t.Errorf("%s: %v becomes %#02x in mode %d, saturation %d, want %#02x", f.name, x, got, mode, sat, want)
					}
				}
			}
		}
	}
}

// The reference's numbers rise with their bits, as a search among them wants.
func TestFP8Reference(t *testing.T) {
	for _, f := range formats8() {
		if !slices.IsSortedFunc(f.values, func(a, b value8) int { return cmp.Compare(a.x, b.x) }) || len(f.values) < 124 {
			t.Error(f.name, fmt.Sprint(f.values))
		}
	}
}
