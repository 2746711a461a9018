package amdemu

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// floatFormat is what the tests below know of a format: special values in the order
// of numbers, then NaNs.
type floatFormat struct {
	suffix   string
	ordered  []uint64 // ascending
	quiet    uint64
	quiet2   uint64
	signal   uint64
	signalQ  uint64 // the same made quiet
	signal2  uint64
	signal2Q uint64
	sign     uint64
}

var floatFormats = []floatFormat{
	{"f16", []uint64{0xfc00, 0xfbff, 0xbc00, 0x8400, 0x83ff, 0x8001, 0x8000, 0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00},
		0x7e00, 0xfe01, 0x7c01, 0x7e01, 0xfd00, 0xff00, 0x8000},
	{"f32", []uint64{0xff800000, 0xff7fffff, 0xbf800000, 0x80800000, 0x807fffff, 0x80000001, 0x80000000, 0, 1, 0x7fffff,
		0x800000, 0x3f800000, 0x7f7fffff, 0x7f800000},
		0x7fc00000, 0xffc00001, 0x7f800001, 0x7fc00001, 0xffa00000, 0xffe00000, 1 << 31},
	{"f64", []uint64{0xfff0 << 48, 0xffef << 48, 0xbff0 << 48, 0x8010 << 48, 0x800f << 48, 0x8000<<48 | 1, 0x8000 << 48, 0, 1,
		0x000f << 48, 0x0010 << 48, 0x3ff0 << 48, 0x7fef << 48, 0x7ff0 << 48},
		0x7ff8 << 48, 0xfff8<<48 | 1, 0x7ff0<<48 | 1, 0x7ff8<<48 | 1, 0xfff4 << 48, 0xfffc << 48, 1 << 63},
}

// TestExtrema compares all pairs of special numbers: the smaller one is first in the
// order, -0 before +0.
func TestExtrema(t *testing.T) {
	for _, f := range floatFormats {
		for i, a := range f.ordered {
			for j, b := range f.ordered {
				least, most := f.ordered[min(i, j)], f.ordered[max(i, j)]
				for _, infix := range []string{"", "_num", "imum"} {
					name := infix + "_" + f.suffix
					expect(t, "v_min"+name, least, a, b)
					expect(t, "v_max"+name, most, a, b)
				}
			}
		}
		// NaNs: quiet and signaling ones against a number and one another.
		x := f.ordered[len(f.ordered)-3]
		for _, c := range []struct{ a, b, ieee, num, stays uint64 }{
			{f.quiet, x, x, x, f.quiet},
			{x, f.quiet, x, x, f.quiet},
			{f.signal, x, f.signalQ, x, f.signalQ},
			{x, f.signal, f.signalQ, x, f.signalQ},
			{f.quiet, f.quiet2, f.quiet, f.quiet, f.quiet},
			{f.quiet, f.signal, f.signalQ, f.quiet, f.signalQ},
			{f.signal, f.quiet, f.signalQ, f.signalQ, f.signalQ},
			{f.signal, f.signal2, f.signalQ, f.signalQ, f.signalQ},
			{f.signal2, f.signal, f.signal2Q, f.signal2Q, f.signal2Q},
		} {
			for _, which := range []string{"v_min", "v_max"} {
				expect(t, which+"_"+f.suffix, c.ieee, c.a, c.b)
				expect(t, which+"_num_"+f.suffix, c.num, c.a, c.b)
				expect(t, which+"imum_"+f.suffix, c.stays, c.a, c.b)
			}
		}
	}
}

// TestExtremaOfThree has the instructions with three sources, by positions in the order.
func TestExtremaOfThree(t *testing.T) {
	for _, f := range floatFormats[:2] {
		n := len(f.ordered)
		for i := range n {
			for j := range n {
				for k := range n {
					a, b, c := f.ordered[i], f.ordered[j], f.ordered[k]
					low, high := f.ordered[min(i, j, k)], f.ordered[max(i, j, k)]
					mid := f.ordered[i+j+k-min(i, j, k)-max(i, j, k)]
					clampLow, clampHigh := f.ordered[max(min(i, j), k)], f.ordered[min(max(i, j), k)]
					for _, num := range []string{"_", "_num_"} {
						expect(t, "v_min3"+num+f.suffix, low, a, b, c)
						expect(t, "v_max3"+num+f.suffix, high, a, b, c)
						expect(t, "v_minmax"+num+f.suffix, clampLow, a, b, c)
						expect(t, "v_maxmin"+num+f.suffix, clampHigh, a, b, c)
						if mid<<1 != 0 && mid != f.sign { // among zeros of both signs the document leaves order aside
							expect(t, "v_med3"+num+f.suffix, mid, a, b, c)
						}
					}
					expect(t, "v_minimum3_"+f.suffix, low, a, b, c)
					expect(t, "v_maximum3_"+f.suffix, high, a, b, c)
					expect(t, "v_minimummaximum_"+f.suffix, clampLow, a, b, c)
					expect(t, "v_maximumminimum_"+f.suffix, clampHigh, a, b, c)
					if t.Failed() {
						return
					}
				}
			}
		}
		one, big := f.ordered[n-3], f.ordered[n-2]
		expect(t, "v_med3_"+f.suffix, one, big, f.quiet, one) // a NaN: the minimum
		expect(t, "v_med3_"+f.suffix, f.signalQ, big, one, f.signal)
		expect(t, "v_med3_num_"+f.suffix, one, one, big, f.signal)
		expect(t, "v_minimum3_"+f.suffix, f.quiet, one, f.quiet, big)
	}
	// The document's order of questions: the greatest of (-0, +0, -1) equals the first.
	expect(t, "v_med3_f32", 0, 1<<31, 0, 0xbf800000)
}

// The outcomes that an order has, and another for NaNs.
const isLess, isEqual, isGreater, isUnordered = 0, 1, 2, 3

// conditions are those of comparisons, by the outcomes that fulfil them.
var conditions = map[string][4]bool{
	"f": {}, "lt": {isLess: true}, "eq": {isEqual: true}, "le": {isLess: true, isEqual: true}, "gt": {isGreater: true},
	"lg": {isLess: true, isGreater: true}, "ge": {isEqual: true, isGreater: true},
	"o": {isLess: true, isEqual: true, isGreater: true}, "u": {isUnordered: true},
	"nge": {isLess: true, isUnordered: true}, "nlg": {isEqual: true, isUnordered: true},
	"ngt": {isLess: true, isEqual: true, isUnordered: true}, "nle": {isGreater: true, isUnordered: true},
	"neq": {isLess: true, isGreater: true, isUnordered: true}, "nlt": {isEqual: true, isGreater: true, isUnordered: true},
	"tru": {true, true, true, true},
	"ne":  {isLess: true, isGreater: true}, "t": {true, true, true, true},
}

// checkComparison has all comparisons of one condition of two operands.
func checkComparison(t *testing.T, suffix, condition string, outcome int, a, b uint64) {
	t.Helper()
	prefixes := []string{"v_cmp_", "v_cmpx_"}
	if (suffix == "f32" || suffix == "f16") && condition != "f" && condition != "tru" {
		prefixes = append(prefixes, "s_cmp_")
	}
	for _, prefix := range prefixes {
		name := prefix + condition + "_" + suffix
		if _, got := laneOf(t, name, a, b); got != conditions[condition][outcome] {
			t.Errorf("%s(%#x, %#x) = %v", name, a, b, got)
		}
	}
}

// TestFloatComparisons has all comparisons of all pairs of special values.
func TestFloatComparisons(t *testing.T) {
	for _, f := range floatFormats {
		for condition := range conditions {
			if condition == "ne" || condition == "t" {
				continue
			}
			for i, a := range f.ordered {
				for j, b := range f.ordered {
					outcome := isEqual
					switch zeros := a&^f.sign == 0 && b&^f.sign == 0; {
					case i < j && !zeros:
						outcome = isLess
					case i > j && !zeros:
						outcome = isGreater
					}
					checkComparison(t, f.suffix, condition, outcome, a, b)
				}
				checkComparison(t, f.suffix, condition, isUnordered, a, f.quiet)
				checkComparison(t, f.suffix, condition, isUnordered, f.signal, a)
			}
			checkComparison(t, f.suffix, condition, isUnordered, f.quiet, f.quiet)
		}
	}
}

// TestIntegerComparisons has all comparisons of random integers.
func TestIntegerComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		a, b := random64(r), random64(r)
		if r.IntN(4) == 0 {
			b = a
		}
		for _, c := range []struct {
			suffix string
			a, b   uint64
			less   bool
		}{
			{"u64", a, b, a < b}, {"i64", a, b, int64(a) < int64(b)},
			{"u32", a & 0xffffffff, b & 0xffffffff, uint32(a) < uint32(b)},
			{"i32", a & 0xffffffff, b & 0xffffffff, int32(a) < int32(b)},
			{"u16", a & 0xffff, b & 0xffff, uint16(a) < uint16(b)},
			{"i16", a & 0xffff, b & 0xffff, int16(a) < int16(b)},
		} {
			outcome := isGreater
			switch {
			case c.less:
				outcome = isLess
			case c.a == c.b:
				outcome = isEqual
			}
			for _, condition := range strings.Fields("f lt eq le gt ne ge t") {
				checkComparison(t, c.suffix, condition, outcome, c.a, c.b)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestClass has a number of each class, and the classes' bits one by one.
func TestClass(t *testing.T) {
	for _, f := range floatFormats {
		o := f.ordered
		for bit, a := range []uint64{f.signal, f.quiet, o[0], o[1], o[4], o[6], o[7], o[9], o[11], o[13]} {
			for mask := range 10 {
				if _, got := laneOf(t, "v_cmp_class_"+f.suffix, a, 1<<mask); got != (mask == bit) {
					t.Errorf("v_cmp_class_%s(%#x, 1<<%d) = %v", f.suffix, a, mask, got)
				}
			}
			if _, got := laneOf(t, "v_cmp_class_"+f.suffix, a, 0x3ff); !got {
				t.Errorf("%s: %#x is of no class", f.suffix, a)
			}
		}
		for _, a := range []uint64{f.signal2, f.quiet2} { // negative ones
			if _, got := laneOf(t, "v_cmp_class_"+f.suffix, a, 3); !got {
				t.Errorf("%s: %#x is no NaN", f.suffix, a)
			}
		}
	}
}
