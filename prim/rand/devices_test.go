package rand

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"heddle/launch"
	_ "heddle/launch/emu"
)

var (
	full    = flag.Bool("full", false, "run every emulated device, every engine with every distribution, longer statistics")
	require = flag.String("require", "", "a kind of device that must be here, as cuda")
)

// devices opens those that tests run on: sim, cpu in both widths of a warp, one emulated GPU of each width, the machine's GPUs.
func devices(t testing.TB) (devs []*launch.Device) {
	found := false
	for _, d := range launch.Devices() {
		kind, _, _ := strings.Cut(d.Name, ":")
		if kind == "emu" && d.Name != "emu:gfx942" && d.Name != "emu:gfx1100" && !*full || d.Name == "cpu:64" && !*full {
			continue
		}
		dev, err := launch.Open(d.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		devs = append(devs, dev)
		found = found || kind == *require
	}
	if *require != "" && !found {
		t.Fatalf("no device of kind %q here", *require)
	}
	return devs
}

// lengths are those of fills: none, one, less than a group, groups and a rest.
var lengths = []int{0, 1, 7, 8, 9, 64, 1001}

// most are the fills of which a test run without -full tries all cases, on both emulated GPUs: a kernel takes half a second to
// compile.
var most = map[string]bool{"Bits/uint32": true, "Bits/uint64": true, "Normal/float64": true, "Ints/uint64": true}

// filled is what a fill leaves in a buffer of n elements, of which the fill gets those from lead on.
func filled[T any](t *testing.T, dev *launch.Device, n, lead int, fill func(s *launch.Stream, out *launch.Buffer[T]) error) []T {
	t.Helper()
	buf, err := launch.Alloc[T](dev, lead+n+1)
	if err != nil {
		t.Fatal(err)
	}
	defer buf.Close()
	if err := fill(dev.Stream(), buf.Slice(lead, lead+n)); err != nil {
		t.Fatalf("%s: %d elements: %v", dev.Name(), n, err)
	}
	got := make([]T, lead+n+1)
	if err := buf.Download(got); err != nil {
		t.Fatalf("%s: %d elements: %v", dev.Name(), n, err)
	}
	var zero T
	for _, i := range []int{lead - 1, lead + n} {
		if i >= 0 && !reflect.DeepEqual(got[i], zero) {
			t.Fatalf("%s: a fill of %d wrote past its ends", dev.Name(), n)
		}
	}
	return got[lead : lead+n]
}

// same checks fills with a generator of a type against next, what one thread draws for an element, on every device: of all
// lengths, from words that are the first of a block and not, in memory that is aligned and not, and the generator after it.
func same[T comparable, S comparable, P Engine[S]](t *testing.T, name string, start S, fill func(s *launch.Stream, out *launch.Buffer[T], g P) error, next func(g P) []T) {
	t.Helper()
	kind := strings.TrimPrefix(fmt.Sprintf("%T", start), "rand.")
	var zero T
	t.Run(fmt.Sprintf("%s/%s/%T", kind, name, zero), func(t *testing.T) {
		t.Helper()
		thorough := *full || most[name+fmt.Sprintf("/%T", zero)]
		for _, dev := range devices(t) {
			if dev.Name() == "emu:gfx942" && (!thorough || kind != "Philox" && !*full) {
				continue
			}
			for _, n := range lengths {
				if n < group && !thorough {
					continue
				}
				for _, c := range [][2]int{{0, 0}, {3, 0}, {0, 1}} {
					skip, lead := c[0], c[1]
					if (n != 9 && n != 1001 || !thorough) && skip+lead > 0 {
						continue
					}
					want, g := start, start
					P(&want).Skip(uint64(skip))
					P(&g).Skip(uint64(skip))
					got := filled(t, dev, n, lead, func(s *launch.Stream, out *launch.Buffer[T]) error { return fill(s, out, P(&g)) })
					for i := 0; i < n; {
						for _, w := range next(P(&want)) {
							if i < n && got[i] != w {
								t.Fatalf("%s: element %d of %d (skip %d, lead %d) is %v, want %v", dev.Name(), i, n, skip, lead, got[i], w)
							}
							i++
						}
					}
					if P(&g).Uint64() != P(&want).Uint64() {
						t.Fatalf("%s: after a fill of %d the generator is not where drawing leaves it", dev.Name(), n)
					}
				}
			}
		}
	})
}

// one makes a list of each element that f draws.
func one[T, P any](f func(g P) T) func(g P) []T { return func(g P) []T { return []T{f(g)} } }

func two[T, P any](f func(g P) (T, T)) func(g P) []T {
	return func(g P) []T { x, y := f(g); return []T{x, y} }
}

// distributions checks all fills with a generator.
func distributions[S comparable, P Engine[S]](t *testing.T, start S) {
	same(t, "Bits", start, Bits[uint32, S, P], one(func(g P) uint32 { return g.Uint32() }))
	same(t, "Bits", start, Bits[uint64, S, P], one(func(g P) uint64 { return g.Uint64() }))
	same(t, "Uniform", start, Uniform[float32, S, P], one(Float32[P]))
	same(t, "Uniform", start, Uniform[float64, S, P], one(Float64[P]))
	same(t, "UniformRange", start, func(s *launch.Stream, out *launch.Buffer[float32], g P) error { return UniformRange(s, out, g, -1, 2) },
		one(func(g P) float32 { return fma(Float32(g), 3, -1) }))
	same(t, "Normal", start, func(s *launch.Stream, out *launch.Buffer[float32], g P) error { return Normal(s, out, g, 0, 1) }, two(NormPair32[P]))
	same(t, "Normal", start, func(s *launch.Stream, out *launch.Buffer[float64], g P) error { return Normal(s, out, g, 0, 1) }, two(NormPair64[P]))
	same(t, "LogNormal", start, func(s *launch.Stream, out *launch.Buffer[float32], g P) error { return LogNormal(s, out, g, 1, 0.5) }, two(func(g P) (float32, float32) {
		x, y := NormPair32(g)
		return exp32(fma(x, 0.5, 1)), exp32(fma(y, 0.5, 1))
	}))
	same(t, "LogNormal", start, func(s *launch.Stream, out *launch.Buffer[float64], g P) error { return LogNormal(s, out, g, 1, 0.5) }, two(func(g P) (float64, float64) {
		x, y := NormPair64(g)
		return exp64(fma(x, 0.5, 1)), exp64(fma(y, 0.5, 1))
	}))
	same(t, "Exponential", start, func(s *launch.Stream, out *launch.Buffer[float32], g P) error { return Exponential(s, out, g, 1) }, one(ExpFloat32[P]))
	same(t, "Exponential", start, func(s *launch.Stream, out *launch.Buffer[float64], g P) error { return Exponential(s, out, g, 1) }, one(ExpFloat64[P]))
	same(t, "Ints", start, func(s *launch.Stream, out *launch.Buffer[int32], g P) error { return Ints(s, out, g, -5, 6) },
		one(func(g P) int32 { return int32(Uint32N(g, 12)) - 5 }))
	same(t, "Ints", start, func(s *launch.Stream, out *launch.Buffer[uint64], g P) error { return Ints(s, out, g, 0, 1<<63) }, one(func(g P) uint64 {
		x := g.Uint64() // of the words, nearly half are rejected
		h := *g
		for {
			if n, ok := within(x, 1<<63+1); ok {
				return n
			}
			P(&h).Skip(0x9e3779b97f4a7c15 - 2)
			x = P(&h).Uint64()
		}
	}))
	same(t, "Bools", start, func(s *launch.Stream, out *launch.Buffer[bool], g P) error { return Bools(s, out, g, 0.3) },
		one(func(g P) bool { return Bool(g, 0.3) }))
	for _, lambda := range []float64{0.5, 1000} {
		first, table := poissonTable(lambda)
		same(t, fmt.Sprint("Poisson", lambda), start, func(s *launch.Stream, out *launch.Buffer[uint32], g P) error { return Poisson(s, out, g, lambda) }, one(func(g P) uint32 {
			x, k := g.Uint64(), first
			for _, below := range table {
				if below <= x {
					k++
				}
			}
			return k
		}))
	}
}

// Every fill is what one thread would draw, bit for bit, on every device.
func TestFills(t *testing.T) {
	distributions(t, NewPhilox(1, 2, 0))
	if *full {
		distributions(t, NewThreefry2x32(1, 2, 0))
		distributions(t, NewThreefry4x32(1, 2, 0))
		distributions(t, NewThreefry2x64(1, 2, 0))
		distributions(t, NewThreefry4x64(1, 2, 0))
		distributions(t, NewXORWOW(1, 2, 0))
		distributions(t, NewMRG32k3a(1, 2, 0))
		return
	}
	words(t, NewThreefry2x32(1, 2, 0))
	words(t, NewThreefry4x32(1, 2, 0))
	words(t, NewThreefry2x64(1, 2, 0))
	words(t, NewThreefry4x64(1, 2, 0))
	words(t, NewXORWOW(1, 2, 0))
	words(t, NewMRG32k3a(1, 2, 0))
}

func words[S comparable, P Engine[S]](t *testing.T, start S) {
	same(t, "Bits", start, Bits[uint32, S, P], one(func(g P) uint32 { return g.Uint32() }))
}
