package rand

import (
	"math"
	"testing"

	"heddle/launch"
)

// The first lines of new-joe-kuo-6.21201, and its last: degree, polynomial, first numbers.
var published = map[int]struct {
	degree, polynomial int
	first              []uint32
}{
	2:     {1, 0, []uint32{1}},
	3:     {2, 1, []uint32{1, 3}},
	4:     {3, 1, []uint32{1, 3, 1}},
	5:     {3, 2, []uint32{1, 1, 1}},
	6:     {4, 1, []uint32{1, 1, 3, 3}},
	7:     {4, 4, []uint32{1, 3, 5, 13}},
	8:     {5, 2, []uint32{1, 1, 5, 5, 17}},
	9:     {5, 4, []uint32{1, 1, 5, 5, 5}},
	10:    {5, 7, []uint32{1, 1, 7, 11, 19}},
	21201: {18, 131059, []uint32{1, 1, 7, 11, 15, 7, 37, 239, 337, 245, 1557, 3681, 7357, 9639, 27367, 26869, 114603, 86317}},
}

// The packed table is the published one where that is known here, and its polynomials are all primitive ones in order.
func TestJoeKuo(t *testing.T) {
	in := bitReader{text: joeKuo}
	degree, last := 1, 0
	for dim := 2; dim <= MaxDimensions; dim++ {
		if in.next(1) != 0 {
			degree++
			last = -1
		}
		a := int(in.next(degree - 1))
		var first []uint32
		for k := range degree {
			first = append(first, uint32(in.next(k)<<1|1))
		}
		if want, ok := published[dim]; ok {
			if want.degree != degree || want.polynomial != a || len(first) != len(want.first) {
				t.Fatalf("dimension %d: degree %d, polynomial %d", dim, degree, a)
			}
			for k, m := range first {
				if m != want.first[k] {
					t.Errorf("dimension %d: m%d is %d, want %d", dim, k+1, m, want.first[k])
				}
			}
		}
		if dim > 2 && a <= last {
			t.Fatalf("dimension %d: polynomial %d is not above the last, %d", dim, a, last)
		}
		last = a
		if degree <= 13 || dim%64 == 0 {
			if p := uint64(1<<degree | a<<1 | 1); !primitive(p, degree) {
				t.Fatalf("dimension %d: polynomial %#x is not primitive", dim, p)
			}
		}
	}
	if n := len(joeKuo) - in.at/8; n > 1 || degree != 18 {
		t.Errorf("%d bytes are left, degree %d", n, degree)
	}
}

// primitive reports whether x generates all non-zero polynomials modulo p: whether its order is 2^degree - 1.
func primitive(p uint64, degree int) bool {
	times := func(a, b uint64) (r uint64) {
		for i := degree - 1; i >= 0; i-- {
			r <<= 1
			if r>>degree&1 != 0 {
				r ^= p
			}
			if b>>i&1 != 0 {
				r ^= a
			}
		}
		return r
	}
	power := func(n uint64) uint64 {
		r, x := uint64(1), uint64(2)
		if degree == 1 {
			x = 2 ^ p
		}
		for ; n != 0; n >>= 1 {
			if n&1 != 0 {
				r = times(r, x)
			}
			x = times(x, x)
		}
		return r
	}
	order := uint64(1)<<degree - 1
	if power(order) != 1 {
		return false
	}
	for n, q := order, uint64(2); n > 1; q++ {
		if n%q == 0 && q < order && power(order/q) == 1 {
			return false
		}
		for n%q == 0 {
			n /= q
		}
	}
	return true
}

// The points of the first dimensions, as Joe and Kuo's program prints them.
func TestSobolPublished(t *testing.T) {
	want := [][]float64{
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
		{0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.75, 0.75},
		{0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75, 0.25, 0.25, 0.25},
		{0.375, 0.375, 0.625, 0.875, 0.375, 0.125, 0.375, 0.875, 0.875, 0.625},
		{0.875, 0.875, 0.125, 0.375, 0.875, 0.625, 0.875, 0.375, 0.375, 0.125},
		{0.625, 0.125, 0.875, 0.625, 0.625, 0.875, 0.125, 0.125, 0.125, 0.375},
		{0.125, 0.625, 0.375, 0.125, 0.125, 0.375, 0.625, 0.625, 0.625, 0.875},
		{0.1875, 0.3125, 0.9375, 0.4375, 0.5625, 0.3125, 0.4375, 0.9375, 0.9375, 0.3125},
		{0.6875, 0.8125, 0.4375, 0.9375, 0.0625, 0.8125, 0.9375, 0.4375, 0.4375, 0.8125},
	}
	v32, v64 := directionNumbers[uint32](10, DirectionOptions{}), directionNumbers[uint64](10, DirectionOptions{})
	for dim := range 10 {
		g, h := NewSobol32(v32, dim, 0), NewSobol64(v64, dim, 0)
		for i := range want {
			if x, y := float64(g.Uint32())*0x1p-32, float64(h.Uint64())*0x1p-64; x != want[i][dim] || y != x {
				t.Errorf("point %d, dimension %d: %v and %v, want %v", i, dim+1, x, y, want[i][dim])
			}
		}
	}
}

// Of any 2^k points in a row that begin at a multiple of 2^k, each coordinate has one in each interval of 2^-k: with and without
// scrambling. Scrambled points of several seeds differ, and the pairs of dimensions that are nets stay so.
func TestSobolEven(t *testing.T) {
	const k, dims = 10, 40
	for _, options := range []DirectionOptions{{}, {Scramble: true, Seed: 1}, {Scramble: true, Seed: 2}} {
		v32, v64 := directionNumbers[uint32](dims, options), directionNumbers[uint64](dims, options)
		for dim := range dims {
			g, h := NewSobol32(v32, dim, 3<<k), NewSobol64(v64, dim, 5<<k)
			var seen32, seen64 [1 << k]bool
			for range 1 << k {
				seen32[g.Uint32()>>(32-k)], seen64[h.Uint64()>>(64-k)] = true, true
			}
			for i := range seen32 {
				if !seen32[i] || !seen64[i] {
					t.Fatalf("%+v: no point of dimension %d in interval %d", options, dim, i)
				}
			}
		}
		// Dimensions 1 and 2 are a (0, 2)-net: each box of 2^-a by 2^-(k-a) has one point.
		for a := range k + 1 {
			g, h := NewSobol32(v32, 0, 0), NewSobol32(v32, 1, 0)
			boxes := map[uint64]bool{}
			for range 1 << k {
				boxes[uint64(g.Uint32())>>(32-a)<<32|uint64(h.Uint32())>>(32-k+a)] = true
			}
			if len(boxes) != 1<<k {
				t.Errorf("%+v: boxes of 2^-%d by 2^-%d: %d of them have points", options, a, k-a, len(boxes))
			}
		}
	}
	a, b := directionNumbers[uint32](dims, DirectionOptions{Scramble: true, Seed: 1}), directionNumbers[uint32](dims/2, DirectionOptions{Scramble: true, Seed: 1})
	for i := range b {
		if a[i] != b[i] {
			t.Fatal("a dimension's scrambling depends on how many there are")
		}
	}
}

// Means over scrambled points have the right mean over seeds, and an error that falls faster than that of random ones.
func TestScrambledMean(t *testing.T) {
	const dims, seeds, points = 5, 50, 1 << 10
	var sum, squares float64
	for seed := range uint64(seeds) {
		v := directionNumbers[uint32](dims, DirectionOptions{Scramble: true, Seed: seed})
		var g [dims]Sobol32
		for d := range dims {
			g[d] = NewSobol32(v, d, 0)
		}
		mean := 0.0
		for range points {
			p := 1.0
			for d := range dims {
				x := (float64(g[d].Uint32()) + 0.5) * 0x1p-32
				p *= 1 + (x-0.5)*math.Sqrt(12)/2 // mean 1, variance 1/4 of a factor
			}
			mean += p / points
		}
		sum += mean
		squares += (mean - 1) * (mean - 1)
	}
	random := math.Sqrt((math.Pow(1.25, dims) - 1) / points) // the error of one mean of random points
	if got := math.Sqrt(squares / seeds); got > random/10 {
		t.Errorf("the error is %v, of random points %v", got, random)
	}
	if off := math.Abs(sum/seeds - 1); off > 4*math.Sqrt(squares)/seeds {
		t.Errorf("the mean over seeds is %v off", off)
	}
}

// Drawing, offsets, Skip and fills come to the same points on every device.
func TestSobolFills(t *testing.T) {
	const dims = 7
	options := DirectionOptions{Scramble: true, Seed: 9}
	v32, v64 := directionNumbers[uint32](dims, options), directionNumbers[uint64](dims, options)
	for _, dev := range devices(t) {
		d32, err := NewDirections[uint32](dev, dims, options)
		if err != nil {
			t.Fatal(err)
		}
		d64, err := NewDirections[uint64](dev, dims, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range []int{0, 1, 255, 257, 5000} {
			for _, skip := range []uint64{0, 12345} {
				n := count * dims
				raw32 := filled(t, dev, n, 0, func(s *launch.Stream, out *launch.Buffer[uint32]) error { return SobolBits(s, out, d32, skip) })
				raw64 := filled(t, dev, n, 0, func(s *launch.Stream, out *launch.Buffer[uint64]) error { return SobolBits(s, out, d64, skip) })
				f32 := filled(t, dev, n, 0, func(s *launch.Stream, out *launch.Buffer[float32]) error { return SobolUniform(s, out, d32, skip) })
				f64 := filled(t, dev, n, 0, func(s *launch.Stream, out *launch.Buffer[float64]) error { return SobolUniform(s, out, d64, skip) })
				n32 := filled(t, dev, n, 0, func(s *launch.Stream, out *launch.Buffer[float32]) error { return SobolNormal(s, out, d32, skip, 1, 2) })
				n64 := filled(t, dev, n, 0, func(s *launch.Stream, out *launch.Buffer[float64]) error { return SobolNormal(s, out, d64, skip, 1, 2) })
				for dim := range dims {
					g, h := NewSobol32(v32, dim, 0), NewSobol64(v64, dim, skip)
					g.Skip(uint32(skip))
					for i := range count {
						x, y, at := g.Uint32(), h.Uint64(), dim*count+i
						if raw32[at] != x || raw64[at] != y {
							t.Fatalf("%s: point %d, dimension %d: %#x and %#x, want %#x and %#x", dev.Name(), i, dim, raw32[at], raw64[at], x, y)
						}
						if want := float32(x>>8) * 0x1p-24; f32[at] != want {
							t.Fatalf("%s: point %d, dimension %d: %v, want %v", dev.Name(), i, dim, f32[at], want)
						}
						if want := float64(y>>11) * 0x1p-53; f64[at] != want {
							t.Fatalf("%s: point %d, dimension %d: %v, want %v", dev.Name(), i, dim, f64[at], want)
						}
						if want := fma(quantile32(x), 2, 1); n32[at] != want {
							t.Fatalf("%s: point %d, dimension %d: %v, want %v", dev.Name(), i, dim, n32[at], want)
						}
						if want := fma(quantile64(y), 2, 1); n64[at] != want {
							t.Fatalf("%s: point %d, dimension %d: %v, want %v", dev.Name(), i, dim, n64[at], want)
						}
					}
				}
			}
		}
		d32.Close()
		d64.Close()
	}
}

// The last points and the first again; points against the binary formula, without a Gray code's steps.
func TestSobolEnds(t *testing.T) {
	v := directionNumbers[uint32](3, DirectionOptions{})
	w := directionNumbers[uint64](3, DirectionOptions{})
	g, h := NewSobol32(v, 2, 1<<32-3), NewSobol64(w, 2, 1<<64-3)
	for i := range uint64(6) {
		n := uint64(1<<64-3) + i
		m := uint64(uint32(n))
		var x uint32
		var y uint64
		for k := range 64 {
			if (n^n>>1)>>k&1 != 0 {
				y ^= w[2*65+k]
			}
			if k < 32 && (m^m>>1)>>k&1 != 0 {
				x ^= v[2*33+k]
			}
		}
		if a, b := g.Uint32(), h.Uint64(); a != x || b != y {
			t.Errorf("point %d from the end: %#x and %#x, want %#x and %#x", int64(n), a, b, x, y)
		}
	}
	for k, m := range []uint32{1, 3, 3, 9} { // m3 = 2*3 ^ 4*1 ^ 1 and m4 = 2*3 ^ 4*3 ^ 3, for x^2+x+1
		if got := v[2*33+k]; got != m<<(31-k) {
			t.Errorf("direction %d of dimension 3 is %#x, want %#x", k+1, got, m<<(31-k))
		}
	}
}
