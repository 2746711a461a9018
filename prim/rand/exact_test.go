package rand

import (
	"math"
	"testing"
)

// worst is the greatest error of f against g over the given arguments, in units of the last place of a float32 (24 bits) or
// float64 (53).
func worst(bits int, arguments []float64, f, g func(x float64) float64) (most, at float64) {
	for _, x := range arguments {
		want := g(x)
		_, e := math.Frexp(want)
		if err := math.Abs(f(x)-want) / math.Ldexp(1, e-bits); err > most || err != err {
			most, at = err, x
		}
	}
	return most, at
}

// samples are numbers from lo to hi, evenly, and as many closer and closer to each end.
func samples(lo, hi float64) (xs []float64) {
	const n = 20000
	for i := range n + 1 {
		f := float64(i) / n
		xs = append(xs, lo+(hi-lo)*f, lo+(hi-lo)*math.Pow(f, 8), max(lo, hi-(hi-lo)*math.Pow(f, 8)))
	}
	return xs
}

func singles(xs []float64) []float64 {
	for i, x := range xs {
		xs[i] = float64(float32(x))
	}
	return xs
}

// The transforms against package math: how many units of the last place they are off.
func TestTransforms(t *testing.T) {
	for _, c := range []struct {
		name      string
		bits      int
		arguments []float64
		f, g      func(x float64) float64
		most      float64
	}{
		{"log32", 24, singles(samples(0x1p-33, 1)), func(x float64) float64 { return float64(log32(float32(x))) }, math.Log, 1},
		{"log64", 53, samples(0x1p-65, 1), log64, math.Log, 2}, // math's own error included, here and below
		{"log64 above 1", 53, samples(1, 1e10), log64, math.Log, 2},
		{"exp32", 24, singles(samples(-87, 88)), func(x float64) float64 { return float64(exp32(float32(x))) }, math.Exp, 1},
		{"exp64", 53, samples(-708, 709), exp64, math.Exp, 2},
	} {
		if most, at := worst(c.bits, c.arguments, c.f, c.g); !(most <= c.most) {
			t.Errorf("%s: %.3f units off at %v, more than %v", c.name, most, at, c.most)
		} else {
			t.Logf("%s: %.3f units at %v", c.name, most, at)
		}
	}
	for _, c := range []struct{ x, want float64 }{{1000, math.Inf(1)}, {-1000, 0}, {math.Inf(1), math.Inf(1)}, {math.Inf(-1), 0}, {0, 1}} {
		if a, b := float64(exp32(float32(c.x))), exp64(c.x); a != c.want || b != c.want {
			t.Errorf("exp(%v) is %v and %v", c.x, a, b)
		}
	}
	if a, b := exp32(float32(math.NaN())), exp64(math.NaN()); a == a || b == b {
		t.Errorf("exp(NaN) is %v and %v", a, b)
	}
	if x := exp32(-100); math.Abs(float64(x)/math.Exp(-100)-1) > 0x1p-4 || x == 0 {
		t.Errorf("exp32(-100), which is subnormal, is %v", x)
	}
}

// Sine and cosine of turns, against math.Sincos of the exact remainder of an eighth of a turn.
func TestTurns(t *testing.T) {
	var most32, most64 float64
	check := func(w uint64) {
		quarter := (w + 1<<61) >> 62
		s, c := math.Sincos(float64(int64(w-quarter<<62)) * 0x1p-62 * math.Pi / 2)
		for range quarter {
			s, c = c, -s
		}
		gs, gc := turn64(w)
		most64 = max(most64, math.Abs(gs-s), math.Abs(gc-c))
		if w<<32 == 0 {
			gs, gc := turn32(uint32(w >> 32))
			most32 = max(most32, math.Abs(float64(gs)-s), math.Abs(float64(gc)-c))
		}
	}
	for i := range uint64(1 << 16) {
		check(i << 48)
		check(i<<48 + 0x123456789abc)
		check(i<<48 - 1<<32)
	}
	if most32 > 2*0x1p-24 || most64 > 2*0x1p-53 {
		t.Errorf("sine and cosine are off by %.3g*2^-24 and %.3g*2^-53", most32*0x1p24, most64*0x1p53)
	}
	t.Logf("%.3g*2^-24, %.3g*2^-53", most32*0x1p24, most64*0x1p53)
}

// The quantiles, by the distribution function: erfc of the result is the probability again.
func TestQuantiles(t *testing.T) {
	var most32, most64 float64
	for i := range uint64(1 << 16) {
		for _, w := range []uint64{i<<48 + 1<<47, i * i << 20, 1<<16<<(i%48) + i, ^(1 << 16 << (i % 48)) - i} {
			lower := math.FMA(float64(min(w, ^w)), 0x1p-64, 0x1p-65)
			x := quantile64(w)
			if (x < 0) != (w < 1<<63) {
				t.Fatalf("quantile64(%#x) is %v", w, x)
			}
			density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
			off := math.Abs(math.Erfc(math.Abs(x)/math.Sqrt2)/2-lower) / density // to first order, the error of x
			most64 = max(most64, off/max(1, math.Abs(x)))
			if w<<32 == 1<<31 {
				continue
			}
			v := uint32(w >> 32)
			want := quantile64(uint64(v)<<32 | 1<<31)
			most32 = max(most32, math.Abs(float64(quantile32(v))-want)/max(1, math.Abs(want)))
		}
	}
	if most64 > 2e-15 || most32 > 1e-6 {
		t.Errorf("quantiles are off by %.3g and %.3g", most32, most64)
	}
	t.Logf("%.3g %.3g", most32, most64)
}

// Normal numbers against the transform of Box and Muller in package math: the error that NormPair32's documentation gives.
func TestNormalError(t *testing.T) {
	g := NewPhilox(3, 0, 0)
	h := g
	var most32 float64
	for range 200000 {
		x, y := NormPair32(&g)
		u, v := (float64(h.Uint32())+0.5)*0x1p-32, float64(h.Uint32())*0x1p-32
		r := math.Sqrt(-2 * math.Log(u))
		s, c := math.Sincos(2 * math.Pi * v)
		most32 = max(most32, math.Abs(float64(x)-r*s), math.Abs(float64(y)-r*c))
	}
	if most32 > 1e-6 {
		t.Errorf("off by %g", most32)
	}
	t.Log(most32)
	for i := range uint64(1 << 19) { // words near 1
		w := ^(i * i * i << 4)
		want := math.Log1p(-(float64(^w>>1) + 0.25) * 0x1p-63)
		if got := logUnit64(w); math.Abs(got/want-1) > 1e-14 && w < ^uint64(1<<10) {
			t.Fatalf("logUnit64(%#x) is %v, want %v", w, got, want)
		}
		v := uint32(w >> 32)
		want = math.Log1p(-(float64(^v) + 0.5) * 0x1p-32)
		if got := logUnit32(v); math.Abs(float64(got)/want-1) > 2e-7 {
			t.Fatalf("logUnit32(%#x) is %v, want %v", v, got, want)
		}
	}
	for _, u := range []uint32{0, 1<<32 - 1} {
		if x, y := NormPair32(&fixed{[]uint32{u, 1 << 29}}); !(math.Hypot(float64(x), float64(y)) < 6.77) {
			t.Errorf("the word %#x makes %v, %v", u, x, y)
		}
		if x, y := NormPair64(&fixed{[]uint32{u, u, 0, 1 << 29}}); !(math.Hypot(x, y) < 9.5) {
			t.Errorf("the words %#x make %v, %v", u, x, y)
		}
		if x, y := ExpFloat32(&fixed{[]uint32{u}}), ExpFloat64(&fixed{[]uint32{u, u}}); !(x > 1e-10 && x < 22.9 && y > 2e-20 && y < 45.1) {
			t.Errorf("the word %#x makes %v and %v", u, x, y)
		}
		if x, y := Float32(&fixed{[]uint32{u}}), Float64(&fixed{[]uint32{u, u}}); !(x >= 0 && x < 1 && y >= 0 && y < 1) {
			t.Errorf("the word %#x makes %v and %v", u, x, y)
		}
	}
}

// fixed is a Source of given words.
type fixed struct{ w []uint32 }

func (f *fixed) Uint32() uint32 {
	x := f.w[0]
	f.w = f.w[1:]
	return x
}

func (f *fixed) Uint64() uint64 { return pair(f) }
