package rand

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"heddle/launch"
)

// Statistics of fills with fixed seeds: they pass or fail for ever. A bound is a p-value: of a good generator, a statistic is
// outside it once in a million seeds.
const pBound = 1e-6

// chiSquared fails where counts differ from what is expected more, or less, than chance would have it. Cells below five
// expected are joined.
func chiSquared(t *testing.T, what string, counts, expected []float64) {
	t.Helper()
	if p := chiP(counts, expected); !(p > pBound) {
		t.Errorf("%s: chi squared has p = %.2g", what, p)
	}
}

func chiP(counts, expected []float64) (p float64) {
	sum, freedom := 0.0, -1
	for i := 0; i < len(counts); {
		c, e := 0.0, 0.0
		for ; i < len(counts) && e < 5; i++ {
			c, e = c+counts[i], e+expected[i]
		}
		if e >= 5 {
			sum += (c - e) * (c - e) / e
			freedom++
		} else if c > 40 { // the rest of the last cells
			return 0
		}
	}
	if freedom < 1 {
		return math.NaN()
	}
	// Wilson and Hilferty: a third root is nearly normal
	n := float64(freedom)
	z := (math.Cbrt(sum/n) - (1 - 2/(9*n))) / math.Sqrt(2/(9*n))
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}

// kolmogorov fails where the distribution of xs is not the one of function f.
func kolmogorov(t *testing.T, what string, xs []float64, f func(x float64) float64) {
	t.Helper()
	if d, p := kolmogorovP(xs, f); !(p > pBound) {
		t.Errorf("%s: Kolmogorov-Smirnov's distance is %.3g of %d numbers, p = %.2g", what, d, len(xs), p)
	}
}

func kolmogorovP(xs []float64, f func(x float64) float64) (d, p float64) {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	n := float64(len(xs))
	for i, x := range xs {
		p := f(x)
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	s := d * (math.Sqrt(n) + 0.12 + 0.11/math.Sqrt(n))
	for k := 1.0; k < 20; k++ {
		p += 2 * math.Pow(-1, k-1) * math.Exp(-2*k*k*s*s)
	}
	return d, min(p, 1)
}

// moments fails where the first powers of standardized xs have other means than given, and where neighbours are correlated.
func moments(t *testing.T, what string, xs []float64, want [4]float64, deviations [4]float64) {
	t.Helper()
	n := float64(len(xs))
	for k := range 4 {
		sum := 0.0
		for _, x := range xs {
			sum += math.Pow(x, float64(k+1))
		}
		if z := (sum/n - want[k]) / deviations[k] * math.Sqrt(n); math.Abs(z) > 5 {
			t.Errorf("%s: the mean of power %d is %v, want %v: %.1f deviations off", what, k+1, sum/n, want[k], z)
		}
	}
}

// correlation fails where xs and ys, of the given mean and variance, are correlated.
func correlation(t *testing.T, what string, xs, ys []float64, mean, variance float64) {
	t.Helper()
	sum := 0.0
	for i := range ys {
		sum += (xs[i] - mean) * (ys[i] - mean)
	}
	if z := sum / variance / math.Sqrt(float64(len(ys))); math.Abs(z) > 5 {
		t.Errorf("%s: correlated: %.1f deviations off", what, z)
	}
}

// fast is the device that statistics are made on: what it writes is compared elsewhere with what the others do.
func fast(t testing.TB) *launch.Device {
	name := "cpu"
	if launch.Probes(); !slices.ContainsFunc(launch.Devices(), func(d launch.DeviceInfo) bool { return strings.HasPrefix(d.Name, "cpu") }) {
		name = "sim"
	}
	dev, err := launch.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

func count() int {
	if *full {
		return 1 << 24
	}
	return 1 << 18
}

// floats is a fill as float64.
func floats[T Float | Int](t *testing.T, dev *launch.Device, fill func(s *launch.Stream, out *launch.Buffer[T]) error) []float64 {
	t.Helper()
	v := make([]float64, 0, count())
	for _, x := range filled(t, dev, count(), 0, fill) {
		v = append(v, float64(x))
	}
	return v
}

// bits and pairs of words of an engine: each bit is one half of the time, two neighbours fall in each of 64 by 64 cells
// alike, and neighbouring subsequences and seeds do not know of each other.
func quality[S any, P Engine[S]](t *testing.T, make func(seed, sub, offset uint64) S) {
	dev := fast(t)
	var zero S
	name := strings.TrimPrefix(fmt.Sprintf("%T", zero), "rand.")
	draw := func(seed, sub uint64) []float64 {
		g := make(seed, sub, 0)
		return floats(t, dev, func(s *launch.Stream, out *launch.Buffer[uint32]) error { return Bits(s, out, P(&g)) })
	}
	a := draw(1, 0)
	cells := func(what string, x, y []float64, step int) {
		side := math.Exp2(math.Floor(math.Log2(float64(len(y)))/2) - 3)
		counts := slices.Repeat([]float64{0}, int(side*side))
		var expected []float64
		n := 0
		for i := 0; i+step <= len(y); i += step {
			counts[int(x[i]*side*0x1p-32)*int(side)+int(y[i]*side*0x1p-32)]++
			n++
		}
		for range counts {
			expected = append(expected, float64(n)/side/side)
		}
		chiSquared(t, name+": "+what, counts, expected)
	}
	cells("words and their successors", a, a[1:], 2)
	cells("words and the third after", a, a[3:], 4)
	var ones [32]float64
	for _, w := range a {
		for b := range 32 {
			ones[b] += float64(uint32(w) >> b & 1)
		}
	}
	for b, n := range ones {
		if z := (n - float64(len(a))/2) / math.Sqrt(float64(len(a))/4); math.Abs(z) > 5 {
			t.Errorf("%s: bit %d is set %v times of %d", name, b, n, len(a))
		}
	}
	b := draw(1, 1)
	cells("subsequences 0 and 1", a, b, 1)
	correlation(t, name+": subsequences 0 and 1", a, b, 1<<31, math.Ldexp(1, 64)/12)
	c := draw(2, 0)
	cells("seeds 1 and 2", a, c, 1)
	correlation(t, name+": seeds 1 and 2", a, c, 1<<31, math.Ldexp(1, 64)/12)
	// One word of each of many subsequences, as threads draw.
	var firsts []float64
	for i := range uint64(1 << 13) {
		g := make(7, i&0xfff, i>>12)
		firsts = append(firsts, float64(P(&g).Uint32()))
	}
	cells("first words of subsequences", firsts, firsts[1:], 2)
}

// The statistics see what they are for: a cell that comes 20% more often, the same number of each, a mean 1% off.
func TestStatisticsSee(t *testing.T) {
	g := NewPhilox(1, 0, 0)
	expected := slices.Repeat([]float64{2000}, 10)
	if p := chiP([]float64{2400, 1960, 1960, 1960, 1950, 1950, 1960, 1950, 1950, 1960}, expected); p > 1e-3 {
		t.Errorf("a frequent cell: p = %v", p)
	}
	if p := chiP(expected, expected); p > 1e-3 {
		t.Errorf("cells that are all alike: p = %v", p)
	}
	var good, off []float64
	for range 1 << 18 {
		x := Float64(&g)
		good, off = append(good, x), append(off, x*0.99)
	}
	flat := func(x float64) float64 { return x }
	if _, p := kolmogorovP(good, flat); p < 1e-3 {
		t.Errorf("uniform numbers: p = %v", p)
	}
	if _, p := kolmogorovP(off, flat); p > pBound {
		t.Errorf("numbers below 0.99: p = %v", p)
	}
}

func TestEngineStatistics(t *testing.T) {
	quality(t, NewPhilox)
	quality(t, NewThreefry2x32)
	quality(t, NewThreefry4x32)
	quality(t, NewThreefry2x64)
	quality(t, NewThreefry4x64)
	quality(t, NewXORWOW)
	quality(t, NewMRG32k3a)
}

func TestFloatStatistics(t *testing.T) {
	dev := fast(t)
	g := NewPhilox(11, 0, 0)
	normalMoments, normalDeviations := [4]float64{0, 1, 0, 3}, [4]float64{1, math.Sqrt2, math.Sqrt(15), math.Sqrt(96)}
	uniformMoments, uniformDeviations := [4]float64{1. / 2, 1. / 3, 1. / 4, 1. / 5}, [4]float64{math.Sqrt(1. / 12), math.Sqrt(4. / 45), math.Sqrt(9. / 112), math.Sqrt(16. / 225)}
	expMoments, expDeviations := [4]float64{1, 2, 6, 24}, [4]float64{1, math.Sqrt(20), math.Sqrt(684), math.Sqrt(39744)}
	flat := func(x float64) float64 { return x }
	bell := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	decay := func(x float64) float64 { return -math.Expm1(-x) }
	check := func(what string, xs []float64, f func(x float64) float64, m, d [4]float64) {
		t.Helper()
		kolmogorov(t, what, xs, f)
		moments(t, what, xs, m, d)
		correlation(t, what, xs, xs[1:], m[0], m[1]-m[0]*m[0])
		correlation(t, what, xs, xs[2:], m[0], m[1]-m[0]*m[0])
	}
	check("Uniform float32", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float32]) error { return Uniform(s, out, &g) }), flat, uniformMoments, uniformDeviations)
	check("Uniform float64", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float64]) error { return Uniform(s, out, &g) }), flat, uniformMoments, uniformDeviations)
	check("Normal float32", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float32]) error { return Normal(s, out, &g, 0, 1) }), bell, normalMoments, normalDeviations)
	check("Normal float64", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float64]) error { return Normal(s, out, &g, 0, 1) }), bell, normalMoments, normalDeviations)
	check("Exponential float32", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float32]) error { return Exponential(s, out, &g, 1) }), decay, expMoments, expDeviations)
	check("Exponential float64", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float64]) error { return Exponential(s, out, &g, 1) }), decay, expMoments, expDeviations)
	kolmogorov(t, "UniformRange", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float32]) error { return UniformRange(s, out, &g, -3, 5) }), func(x float64) float64 { return (x + 3) / 8 })
	kolmogorov(t, "LogNormal float32", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float32]) error { return LogNormal(s, out, &g, 1, 0.5) }), func(x float64) float64 { return bell((math.Log(x) - 1) / 0.5) })
	kolmogorov(t, "LogNormal float64", floats(t, dev, func(s *launch.Stream, out *launch.Buffer[float64]) error { return LogNormal(s, out, &g, 1, 0.5) }), func(x float64) float64 { return bell((math.Log(x) - 1) / 0.5) })
	v := directionNumbers[uint32](1, DirectionOptions{Scramble: true})
	h := NewSobol32(v, 0, 0)
	var quasi []float64
	for range 1 << 16 {
		quasi = append(quasi, float64(NormQuantile32(&h)))
	}
	if d, _ := kolmogorovP(quasi, bell); d > 1e-3 {
		t.Errorf("NormQuantile32 of even points: distance %v", d)
	}
}

// poissonExpected is how many of n numbers of mean lambda are each of 0 to len-1, by the logarithm of the factorial.
func poissonExpected(lambda float64, size, n int) (expected []float64) {
	for k := range size {
		f, _ := math.Lgamma(float64(k) + 1)
		expected = append(expected, float64(n)*math.Exp(float64(k)*math.Log(lambda)-lambda-f))
	}
	return expected
}

func tally(xs []float64, size int) []float64 {
	counts := make([]float64, size)
	for _, x := range xs {
		counts[min(int(x), size-1)]++
	}
	return counts
}

func TestPoissonStatistics(t *testing.T) {
	dev := fast(t)
	g := NewPhilox(12, 0, 0)
	for _, lambda := range []float64{0.01, 0.7, 5, 9.99, 10, 12.3, 100, 4000.5} {
		size := int(lambda+20*math.Sqrt(lambda)) + 20
		xs := floats(t, dev, func(s *launch.Stream, out *launch.Buffer[uint32]) error { return Poisson(s, out, &g, lambda) })
		chiSquared(t, fmt.Sprintf("Poisson of %v", lambda), tally(xs, size), poissonExpected(lambda, size, len(xs)))
		xs = xs[:1<<16]
		for i := range xs {
			xs[i] = float64(PoissonUint32(&g, lambda))
		}
		chiSquared(t, fmt.Sprintf("PoissonUint32 of %v", lambda), tally(xs, size), poissonExpected(lambda, size, len(xs)))
	}
	for _, lambda := range []float64{1e6, 1e9, maxLambda} { // by the normal distribution
		xs := floats(t, dev, func(s *launch.Stream, out *launch.Buffer[uint32]) error { return Poisson(s, out, &g, lambda) })
		var ys []float64
		for range 1 << 16 {
			ys = append(ys, float64(PoissonUint32(&g, lambda)))
		}
		for _, v := range [][]float64{xs[:1<<16], ys} {
			for i := range v {
				v[i] = (v[i] - lambda) / math.Sqrt(lambda)
			}
			moments(t, fmt.Sprintf("Poisson of %v", lambda), v, [4]float64{0, 1, 1 / math.Sqrt(lambda), 3 + 1/lambda}, [4]float64{1, math.Sqrt2, math.Sqrt(15), math.Sqrt(96)})
			kolmogorov(t, fmt.Sprintf("Poisson of %v", lambda), v, func(x float64) float64 { return math.Erfc(-(x+0.5/math.Sqrt(lambda))/math.Sqrt2) / 2 })
		}
	}
	for _, lambda := range []float64{0, -1, math.NaN()} {
		if k := PoissonUint32(&g, lambda); k != 0 {
			t.Errorf("PoissonUint32 of %v is %d", lambda, k)
		}
	}
}

// The tables of Poisson: increasing, with the differences that the probabilities are.
func TestPoissonTable(t *testing.T) {
	for _, lambda := range []float64{1e-300, 1e-9, 0.1, 1, 17.5, 1e4, 1e6, 2e9} {
		first, table := poissonTable(lambda)
		sigma := math.Sqrt(lambda)
		if n := len(table); n == 0 || float64(n) > 20*sigma+20 {
			t.Errorf("lambda %v: %d numbers", lambda, n)
		}
		last := uint64(0)
		for i, below := range table {
			if below < last {
				t.Fatalf("lambda %v: number %d is below the last", lambda, i)
			}
			k := float64(first) + float64(i)
			f, _ := math.Lgamma(k + 1)
			want := math.Exp(k*math.Log(lambda) - lambda - f)
			got := float64(below-last) * 0x1p-64
			if lambda < 1e5 && i < len(table)-1 && math.Abs(got-want) > 1e-10*want+0x1p-60 {
				t.Fatalf("lambda %v: the probability of %v is %v, want %v", lambda, k, got, want)
			}
			last = below
		}
	}
}

func TestIntStatistics(t *testing.T) {
	dev := fast(t)
	g := NewPhilox(13, 0, 0)
	for _, n := range []int{2, 3, 10, 1000} {
		xs := floats(t, dev, func(s *launch.Stream, out *launch.Buffer[int64]) error { return Ints(s, out, &g, -5, int64(n)-6) })
		for i := range xs {
			if xs[i] += 5; xs[i] < 0 || xs[i] >= float64(n) {
				t.Fatalf("Ints gives %v", xs[i]-5)
			}
		}
		var expected []float64
		for range n {
			expected = append(expected, float64(len(xs))/float64(n))
		}
		chiSquared(t, fmt.Sprintf("Ints below %d", n), tally(xs, n), expected)
	}
	// A range of 3 * 2^62 numbers, of which a biased multiplication would hit some twice as often: the lowest bits tell.
	var counts [6]float64
	for _, x := range filled(t, dev, count(), 0, func(s *launch.Stream, out *launch.Buffer[uint64]) error { return Ints(s, out, &g, 0, 3<<62-1) }) {
		counts[x%3+x/(3<<61)*3]++
	}
	third := float64(count()) / 6
	chiSquared(t, "Ints of 3 * 2^62", counts[:], []float64{third, third, third, third, third, third})
	trues := 0.0
	for _, b := range filled(t, dev, count(), 0, func(s *launch.Stream, out *launch.Buffer[bool]) error { return Bools(s, out, &g, 0.25) }) {
		if b {
			trues++
		}
	}
	chiSquared(t, "Bools", []float64{trues, float64(count()) - trues}, []float64{float64(count()) / 4, float64(count()) * 3 / 4})
}
