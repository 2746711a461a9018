package accuracy

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"heddle/launch"
	_ "heddle/launch/emu"
)

var (
	update = flag.Bool("update", false, "write docs/math.md")
	report = flag.Bool("print", false, "print the results, as testdata/nvidia.txt has them")
)

//go:embed testdata/reference.deflate
var packed []byte

//go:embed testdata/nvidia.txt
var nvidia string

// A sample is two arguments and the value: want, and the rest in its last place's units.
type sample struct{ x, y, want, rest float64 }

// A reference is one function's samples: the first half lies in HIP's range.
type reference struct {
	hip, ours [2]float64
	samples   []sample
}

// samplesOfRange is SAMPLES of make.py.
const samplesOfRange = 100

func references(t *testing.T) map[string]*reference {
	t.Helper()
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*reference{}
	const n = 2 * samplesOfRange
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		r, name := &reference{samples: make([]sample, n)}, ""
		if _, err := fmt.Sscan(string(line), &name, &r.hip[0], &r.hip[1], &r.ours[0], &r.ours[1]); err != nil {
			t.Fatal(err)
		}
		float := func(column, i int) float64 {
			return math.Float64frombits(binary.LittleEndian.Uint64(rest[8*(column*n+i):]))
		}
		for i := range n {
			r.samples[i] = sample{float(0, i), float(1, i), float(2, i), float64(int8(rest[24*n+i])) / 256}
		}
		all[name], data = r, rest[25*n:]
	}
	return all
}

// A result is one function's errors on a device: the greatest in units of the last place, and how many floats
// lie between result and truth where the absolute error in HIP's range is greatest.
type result struct{ most, hip float64 }

// lastPlace is the unit of the last place of a float of that many bits.
func lastPlace(x float64, bits int, least float64) float64 {
	digits, tiny := 52, -1074
	if bits == 32 {
		digits, tiny = 23, -149
	}
	return math.Ldexp(1, max(math.Ilogb(max(math.Abs(x), least))-digits, tiny))
}

// measure compares results with samples, of which the first inHIP lie in HIP's range.
func measure(name string, bits int, got []float64, samples []sample, inHIP int) (r result) {
	least, worst := 0.0, 0.0
	if coarse[name] {
		least = 0.1
	}
	for i, s := range samples {
		unit := lastPlace(s.want, 64, 0)
		diff := math.Abs((got[i] - s.want) - s.rest*unit)
		if got[i] != got[i] {
			diff = math.Inf(1)
		}
		r.most = max(r.most, diff/lastPlace(s.want, bits, least))
		if i < inHIP && diff > worst {
			worst = diff
			want := s.want
			if bits == 32 {
				want = float64(float32(want))
			}
			r.hip = math.Round(math.Abs(got[i]-want) / lastPlace(want, bits, 0))
		}
	}
	return r
}

// run computes a function on a device.
func run[T float32 | float64](t *testing.T, dev *launch.Device, which int, samples []sample, fast bool) []float64 {
	t.Helper()
	k := kernel64
	if _, single := any(T(0)).(float32); single {
		k = kernel32
	}
	if fast {
		k = fast32
	}
	x, y := make([]T, len(samples)), make([]T, len(samples))
	for i, s := range samples {
		x[i], y[i] = T(s.x), T(s.y)
	}
	out := make([]T, len(samples))
	buffers := make([]*launch.Buffer[T], 3)
	for i, host := range [][]T{x, y, out} {
		b, err := launch.Upload(dev, host)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		buffers[i] = b
	}
	err := k.Launch(dev.Stream(), launch.Linear(len(out), 64), which, buffers[0], buffers[1], buffers[2])
	if err == nil {
		err = buffers[2].Download(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	wide := make([]float64, len(out))
	for i, v := range out {
		wide[i] = float64(v)
	}
	return wide
}

// dense are many more arguments that float32 has, in HIP's range and then in ours.
func dense(r *reference, name string) (samples []sample) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, within := range [][2]float64{r.hip, r.ours} {
		lo, hi := within[0], within[1]
		one := func() float64 {
			for {
				x := lo + (hi-lo)*rng.Float64()
				if a, b := math.Abs(lo), math.Abs(hi); lo*hi > 0 && max(a, b)/min(a, b) > 1000 {
					x = math.Copysign(math.Exp(math.Log(a)+(math.Log(b)-math.Log(a))*rng.Float64()), lo)
				}
				if x = float64(float32(x)); lo <= x && x <= hi && x != 0 {
					return x
				}
			}
		}
		for range 1024 {
			s := sample{x: one(), y: one()}
			switch name {
			case "Pow":
				s.y = float64(float32(rng.Float64()*4 - 2))
			case "Powi":
				s.y = float64(rng.IntN(9) - 4)
			}
			samples = append(samples, s)
		}
	}
	return samples
}

// devices are those of the table, with sim first, which gives the truth of float32.
var devices = []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda:0"}

// A key is a function and float32 or float64.
type key struct {
	name string
	bits int
}

// all measures every function on a device; truth is sim's.
func all(t *testing.T, dev, sim *launch.Device) map[key]result {
	t.Helper()
	results := map[key]result{}
	refs := references(t)
	if len(refs) != len(functions) {
		t.Fatalf("%d functions in the reference, %d here", len(refs), len(functions))
	}
	for which, name := range functions {
		ref := refs[name]
		results[key{name, 64}] = measure(name, 64, run[float64](t, dev, which, ref.samples, false), ref.samples, samplesOfRange)
		samples := dense(ref, name)
		for i, v := range run[float64](t, sim, which, samples, false) {
			samples[i].want = v
		}
		results[key{name, 32}] = measure(name, 32, run[float32](t, dev, which, samples, false), samples, len(samples)/2)
		for i, f := range fastFunctions {
			if f[0] == name {
				samples = samples[:len(samples)/2]
				results[key{f[1], 32}] = measure(f[1], 32, run[float32](t, dev, i, samples, true), samples, len(samples))
			}
		}
	}
	return results
}

func (k key) String() string { return fmt.Sprint(k.name, " ", k.bits) }

// check holds results to the limits.
func check(t *testing.T, dev string, results map[key]result) {
	t.Helper()
	for k, r := range results {
		l, ok := limits[k.name]
		if !ok {
			t.Errorf("%s has no limit", k.name)
		}
		hip, most := l.hip[k.bits/32-1], l.most[k.bits/32-1]
		if own, ok := nvidiaFast[k.name]; ok && dev == "cuda:0" {
			hip = own
		}
		if dev == "sim" && k.bits == 64 {
			most = max(most, goULPs[k.name])
		}
		if hip >= 0 && !(r.hip <= hip) {
			t.Errorf("%v: %g ulp where the error is greatest, HIP's bound is %g", k, r.hip, hip)
		}
		if most > 0 && !(r.most <= most) {
			t.Errorf("%v: %.2f ulp, at most %g", k, r.most, most)
		}
	}
}

func keys() (all []key) {
	for _, name := range functions {
		all = append(all, key{name, 32}, key{name, 64})
	}
	for _, f := range fastFunctions {
		all = append(all, key{f[1], 32})
	}
	slices.SortFunc(all, func(a, b key) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return all
}

func TestAccuracy(t *testing.T) {
	sim, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	columns := map[string]map[key]result{"cuda:0": onNVIDIA(t)}
	for _, name := range devices {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			results := all(t, dev, sim)
			check(t, name, results)
			columns[name] = results
			if *report {
				for _, k := range keys() {
					fmt.Printf("%v %.2f %g\n", k, results[k].most, results[k].hip)
				}
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile("../../../docs/math.md", []byte(document(columns)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// onNVIDIA are the results of testdata/nvidia.txt.
func onNVIDIA(t *testing.T) map[key]result {
	t.Helper()
	all := map[key]result{}
	for line := range strings.Lines(nvidia) {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		var k key
		var r result
		if _, err := fmt.Sscan(line, &k.name, &k.bits, &r.most, &r.hip); err != nil {
			t.Fatalf("nvidia.txt: %q: %v", line, err)
		}
		all[k] = r
	}
	check(t, "cuda:0", all)
	return all
}
