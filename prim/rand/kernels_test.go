package rand

import (
	"errors"
	"math"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// What a thread draws with a generator of its own: all that kernels may call.
type drawn struct {
	W          uint32
	X          uint64
	F          float32
	D          float64
	N, M       [2]float64
	E, L       [2]float64
	Q          [2]float64
	I          uint32
	J          uint64
	P          [4]uint32
	B          bool
	Skipped, K uint32
}

func drawAll[P Source](g P) (d drawn) {
	d.W, d.X, d.F, d.D = g.Uint32(), g.Uint64(), Float32(g), Float64(g)
	x, y := NormPair32(g)
	d.N = [2]float64{float64(x), float64(y)}
	d.M[0], d.M[1] = NormPair64(g)
	d.E = [2]float64{float64(ExpFloat32(g)), ExpFloat64(g)}
	d.L = [2]float64{float64(LogNormFloat32(g, 1, 2)), LogNormFloat64(g, -1, 3)}
	d.Q = [2]float64{float64(NormQuantile32(g)), NormQuantile64(g)}
	d.I, d.J = Uint32N(g, 1000), Uint64N(g, 3<<62)
	for k := range 4 {
		d.P[k] = PoissonUint32(g, [4]float64{0.5, 9, 11, 1e6}[k])
	}
	d.B = Bool(g, 0.5)
	return d
}

func moved[S any, P Engine[S]](g S, n uint64) drawn {
	d := drawAll(P(&g))
	P(&g).Skip(n)
	d.Skipped = P(&g).Uint32()
	return d
}

func inKernel(out []drawn, philox []uint32, xorwow []uint32, mrg []uint32, seed uint64) {
	i := dsl.GlobalIdx().X
	if i < len(out) {
		out[i] = moved(NewPhilox(seed, uint64(i), 3), 1<<40+uint64(i))
		g, h := NewXORWOW(seed, uint64(i), 1<<uint(i)), NewMRG32k3a(seed, uint64(i), 1<<uint(i))
		xorwow[i], mrg[i] = g.Uint32(), h.Uint32()
		a, b := NewThreefry2x32(seed, uint64(i), uint64(i)), NewThreefry4x64(seed, uint64(i), uint64(i))
		philox[i] = a.Uint32() ^ b.Uint32()
	}
}

// Generators in kernels draw on every device, bit for bit, what they draw on the host.
func TestKernels(t *testing.T) {
	const n, seed = 40, 99
	for _, dev := range devices(t) {
		out, err := launch.Alloc[drawn](dev, n)
		if err != nil {
			t.Fatal(err)
		}
		var words [3]*launch.Buffer[uint32]
		var got [3][n]uint32
		for i := range words {
			if words[i], err = launch.Alloc[uint32](dev, n); err != nil {
				t.Fatal(err)
			}
		}
		if err := kernel.New(inKernel).Launch(dev.Stream(), launch.Linear(n, 64), out, words[0], words[1], words[2], uint64(seed)); err != nil {
			t.Fatal(err)
		}
		all := make([]drawn, n)
		if err := out.Download(all); err != nil {
			t.Fatal(err)
		}
		for i := range words {
			if err := words[i].Download(got[i][:]); err != nil {
				t.Fatal(err)
			}
		}
		for i := range n {
			if want := moved(NewPhilox(seed, uint64(i), 3), 1<<40+uint64(i)); all[i] != want {
				t.Fatalf("%s: thread %d draws\n%+v, want\n%+v", dev.Name(), i, all[i], want)
			}
			g, h := NewXORWOW(seed, uint64(i), 1<<uint(i)), NewMRG32k3a(seed, uint64(i), 1<<uint(i))
			a, b := NewThreefry2x32(seed, uint64(i), uint64(i)), NewThreefry4x64(seed, uint64(i), uint64(i))
			if w := [3]uint32{a.Uint32() ^ b.Uint32(), g.Uint32(), h.Uint32()}; w != [3]uint32{got[0][i], got[1][i], got[2][i]} {
				t.Fatalf("%s: thread %d draws %x %x %x, want %x", dev.Name(), i, got[0][i], got[1][i], got[2][i], w)
			}
		}
	}
}

// FastMath changes nothing: the transforms are made of operations that it leaves alone.
func TestFastMath(t *testing.T) {
	const n = 64
	for _, dev := range devices(t) {
		if dev.Name() == "sim" {
			continue // which has no such option
		}
		out, err := launch.Alloc[float64](dev, 4*n)
		if err != nil {
			t.Fatal(err)
		}
		k := kernel.NewWith(func(out []float64) {
			i := dsl.GlobalIdx().X
			g := NewPhilox(5, uint64(i), 0)
			x, y := NormPair32(&g)
			out[4*i], out[4*i+1] = float64(x), float64(y)
			out[4*i+2], out[4*i+3] = LogNormFloat64(&g, 0, 1)+float64(PoissonUint32(&g, 1e5)), float64(ExpFloat32(&g))
		}, kernel.Options{FastMath: true})
		if err := k.Launch(dev.Stream(), launch.Linear(n, n), out); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 4*n)
		if err := out.Download(got); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			g := NewPhilox(5, uint64(i), 0)
			x, y := NormPair32(&g)
			if want := [4]float64{float64(x), float64(y), LogNormFloat64(&g, 0, 1) + float64(PoissonUint32(&g, 1e5)), float64(ExpFloat32(&g))}; want != [4]float64(got[4*i:]) {
				t.Fatalf("%s: thread %d draws %v, want %v", dev.Name(), i, got[4*i:4*i+4], want)
			}
		}
	}
}

// FuzzFills compares a fill of any length, from any word of any subsequence, at any place in a buffer, with what one thread draws;
// and another thread count of the same fill, where the generator's threads draw runs.
func FuzzFills(f *testing.F) {
	f.Add(uint64(1), uint64(0), uint64(0), uint16(100), uint8(0), uint8(0))
	f.Add(uint64(42), uint64(1)<<63, ^uint64(0)-5, uint16(4097), uint8(3), uint8(5))
	f.Add(^uint64(0), uint64(7), uint64(1)<<32-3, uint16(255), uint8(1), uint8(6))
	dev := fast(f)
	f.Fuzz(func(t *testing.T, seed, sub, offset uint64, n uint16, lead, engine uint8) {
		l := int(lead % 8)
		switch engine % 7 {
		case 0:
			fuzzed(t, dev, NewPhilox(seed, sub, offset), int(n), l)
		case 1:
			fuzzed(t, dev, NewThreefry2x32(seed, sub, offset), int(n), l)
		case 2:
			fuzzed(t, dev, NewThreefry4x32(seed, sub, offset), int(n), l)
		case 3:
			fuzzed(t, dev, NewThreefry2x64(seed, sub, offset), int(n), l)
		case 4:
			fuzzed(t, dev, NewThreefry4x64(seed, sub, offset), int(n), l)
		case 5:
			fuzzed(t, dev, NewXORWOW(seed, sub, offset), int(n), l)
		case 6:
			fuzzed(t, dev, NewMRG32k3a(seed, sub, offset), int(n), l)
		}
	})
}

func fuzzed[S any, P Engine[S]](t *testing.T, dev *launch.Device, start S, n, lead int) {
	g, h := start, start
	got := filled(t, dev, n, lead, func(s *launch.Stream, out *launch.Buffer[float32]) error { return Uniform(s, out, P(&g)) })
	for i := range got {
		if want := Float32(P(&h)); got[i] != want {
			t.Fatalf("%T: element %d of %d at %d is %v, want %v", start, i, n, lead, got[i], want)
		}
	}
	if a, b := P(&g).Uint32(), P(&h).Uint32(); a != b {
		t.Fatalf("%T: after %d elements the next word is %#x, want %#x", start, n, a, b)
	}
}

// Whatever a thread writes in a run, and however many threads there are, the numbers are the same.
func TestGrids(t *testing.T) {
	dev := fast(t)
	const n = 1000
	for _, run := range []int{1, 2, 3, 7, 64, 1000} {
		for _, size := range []int{1, 32, 100, 256} {
			g := NewXORWOW(4, 5, 6)
			out, err := launch.Alloc[float64](dev, n)
			if err != nil {
				t.Fatal(err)
			}
			threads := (n/group + run - 1) / run
			packs, err := launch.View[[group]float64](out)
			if err != nil {
				t.Fatal(err)
			}
			k := kernel.New(fill[float64, XORWOW, *XORWOW, uniform[float64, *XORWOW]])
			if err := k.Launch(dev.Stream(), launch.Linear(threads, size), packs, out, g, uniform[float64, *XORWOW]{}, run); err != nil {
				t.Fatal(err)
			}
			got := make([]float64, n)
			if err := out.Download(got); err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if want := Float64(&g); got[i] != want {
					t.Fatalf("runs of %d, blocks of %d: element %d is %v, want %v", run, size, i, got[i], want)
				}
			}
			out.Close()
		}
	}
}

// Wrong arguments are errors that say which, and leave the generator alone.
func TestErrors(t *testing.T) {
	dev := fast(t)
	other, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	s, nan, inf := dev.Stream(), math.NaN(), math.Inf(1)
	alloc := func(n int) *launch.Buffer[float64] {
		b, err := launch.Alloc[float64](dev, n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	out, closed := alloc(10), alloc(10)
	closed.Close()
	words, _ := launch.Alloc[uint32](dev, 10)
	ints, _ := launch.Alloc[int64](dev, 10)
	flags, _ := launch.Alloc[bool](dev, 10)
	v, err := NewDirections[uint64](dev, 3, DirectionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v32, _ := NewDirections[uint32](dev, 2, DirectionOptions{})
	g := NewPhilox(1, 2, 3)
	var none *Philox
	for _, c := range []wrongCall{
		{Bits(nil, words, &g), "rand.Bits: s is nil: take Stream or NewStream of a device"},
		{Bits(s, (*launch.Buffer[uint32])(nil), &g), "rand.Bits: out is nil: take launch.Alloc"},
		{Uniform(s, out, none), "rand.Uniform: g is nil: take the address of a generator, as that of NewPhilox(seed, 0, 0)"},
		{Poisson(s, words, none, 1), "rand.Poisson: g is nil: take the address of a generator, as that of NewPhilox(seed, 0, 0)"},
		{UniformRange(s, out, &g, 2, 1), "rand.UniformRange: lo is 2, not below hi, which is 1"},
		{UniformRange(s, out, &g, 1, 1), "rand.UniformRange: lo is 1, not below hi, which is 1"},
		{UniformRange(s, out, &g, nan, 1), "rand.UniformRange: lo, hi are NaN, 1: want numbers"},
		{UniformRange(s, out, &g, -math.MaxFloat64, math.MaxFloat64), "rand.UniformRange: lo, hi are -1.7976931348623157e+308, 1.7976931348623157e+308: hi - lo is no finite number"},
		{UniformRange(s, out, &g, 0, inf), "rand.UniformRange: lo, hi are 0, +Inf: hi - lo is no finite number"},
		{Normal(s, out, &g, nan, 1), "rand.Normal: mean is NaN: want a finite number"},
		{Normal(s, out, &g, 0, -1), "rand.Normal: stddev is -1: want a finite number that is not negative"},
		{Normal(s, out, &g, 0, inf), "rand.Normal: stddev is +Inf: want a finite number that is not negative"},
		{LogNormal(s, out, &g, 0, nan), "rand.LogNormal: stddev is NaN: want a finite number that is not negative"},
		{Exponential(s, out, &g, -1), "rand.Exponential: mean is -1: want a finite number that is not negative"},
		{Exponential(s, out, &g, nan), "rand.Exponential: mean is NaN: want a finite number that is not negative"},
		{Poisson(s, words, &g, 0), "rand.Poisson: lambda is 0: want a mean above 0 and at most 2^31"},
		{Poisson(s, words, &g, -1), "rand.Poisson: lambda is -1: want a mean above 0 and at most 2^31"},
		{Poisson(s, words, &g, nan), "rand.Poisson: lambda is NaN: want a mean above 0 and at most 2^31"},
		{Poisson(s, words, &g, 1e10), "rand.Poisson: lambda is 1e+10: want a mean above 0 and at most 2^31"},
		{Ints(s, ints, &g, 3, 2), "rand.Ints: lo is 3, above hi, which is 2"},
		{Bools(s, flags, &g, 1.5), "rand.Bools: p is 1.5: want a probability, from 0 to 1"},
		{Bools(s, flags, &g, nan), "rand.Bools: p is NaN: want a probability, from 0 to 1"},
		{directionsError(dev, 0), "rand.NewDirections: dims is 0: there are direction numbers for 1 to 21201 dimensions"},
		{directionsError(dev, 21202), "rand.NewDirections: dims is 21202: there are direction numbers for 1 to 21201 dimensions"},
		{directionsError(nil, 1), "rand.NewDirections: dev is nil: take launch.Open"},
		{SobolUniform(nil, out, v, 0), "rand.SobolUniform: s is nil: take Stream or NewStream of a device"},
		{SobolUniform(s, out, (*launch.Buffer[uint64])(nil), 0), "rand.SobolUniform: directions is nil: take NewDirections"},
		{SobolUniform(s, out, v, 0), "rand.SobolUniform: out has 10 elements, no multiple of the 3 dimensions"},
		{SobolUniform(s, out, v.Slice(1, 100), 0), "rand.SobolUniform: directions has 99 elements, no multiple of 65 up to 1378065: take what NewDirections returns"},
		{SobolUniform(s, out, v32, 1<<32-4), "rand.SobolUniform: skip is 4294967292: with 5 points that is beyond the last of 2^32"},
		{SobolNormal(s, out, v, 0, 0, -1), "rand.SobolNormal: stddev is -1: want a finite number that is not negative"},
		{Uniform(s, closed, &g), "closed"},
		{SobolUniform(s, closed, v32, 0), "closed"},
		{Uniform(other.Stream(), out, &g), "the launch on sim"},
	} {
		c.check(t)
	}
	if g != NewPhilox(1, 2, 3) {
		t.Error("a call that failed moved the generator")
	}
	if err := SobolUniform(s, out, v32, 1<<32-5); err != nil {
		t.Error("the last points:", err)
	}
	if err := dev.Sync(); err != nil {
		t.Error(err)
	}
}

// A wrongCall is a call's error, and its text: of an ArgumentError all of it, of another error a part.
type wrongCall struct {
	err  error
	want string
}

func (c wrongCall) check(t *testing.T) {
	t.Helper()
	var wrong *ArgumentError
	switch {
	case c.err == nil:
		t.Errorf("no error: want %s", c.want)
	case errors.As(c.err, &wrong) != strings.HasPrefix(c.want, "rand.") || wrong != nil && c.err.Error() != c.want:
		t.Errorf("%T %v: want %s", c.err, c.err, c.want)
	case wrong == nil && !strings.Contains(c.err.Error(), c.want):
		t.Errorf("%v: want %s in it", c.err, c.want)
	}
}

func directionsError(dev *launch.Device, dims int) error {
	_, err := NewDirections[uint32](dev, dims, DirectionOptions{})
	return err
}
