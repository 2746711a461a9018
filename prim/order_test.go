package prim_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// TestDeterministic has sums of floats whose bits depend on how they are grouped, run again and again, and with other shapes of the grid.
func TestDeterministic(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		n, runs := 40_000, 20
		if strings.HasPrefix(dev.Name(), "emu") || strings.HasPrefix(dev.Name(), "sim") {
			n, runs = 9000, 3
		}
		if *fullTests {
			runs = 100
		}
		r := rand.New(rand.NewPCG(1, 2))
		host := make([]float32, n)
		for i := range host {
			host[i] = float32(r.NormFloat64()) * float32(math.Exp(4*r.NormFloat64()))
		}
		in, sum, scanned := upload(t, dev, host), alloc[float32](t, dev, 1), alloc[float32](t, dev, n)
		var firstSum, firstScan []uint32
		for run := range runs {
			shape := prim.Options{Deterministic: true, Tuning: prim.Tuning{Threads: 64 << (run % 3), Items: 3 + run%9, Blocks: 1 + run%4, Serial: run % 3}}
			must(t, prim.Reduce(s, sum, in, 0, prim.Add[float32], shape))
			must(t, prim.InclusiveScan(s, scanned, in, prim.Add[float32], shape))
			a, b := bitsOf(download(t, sum)), bitsOf(download(t, scanned))
			if run == 0 {
				firstSum, firstScan = a, b
				continue
			}
			expect(t, fmt.Sprint("sum of run ", run), a, firstSum)
			expect(t, fmt.Sprint("scan of run ", run), b, firstScan)
		}
		// the same at another address
		moved := upload(t, dev, append([]float32{0}, host...)).Slice(1, n+1)
		must(t, prim.Reduce(s, sum, moved, 0, prim.Add[float32], prim.Deterministic))
		expect(t, "sum at an odd address", bitsOf(download(t, sum)), firstSum)
		want := 0.0
		for _, v := range host {
			want += float64(v)
		}
		if got := float64(download(t, sum)[0]); math.Abs(got-want) > 1e-3*math.Abs(want)+1 {
			t.Errorf("the sum is %v, want about %v", got, want)
		}
	})
}

func bitsOf(v []float32) []uint32 {
	b := make([]uint32, len(v))
	for i := range v {
		b[i] = math.Float32bits(v[i])
	}
	return b
}

// TestSpecialFloats has the order of NaNs, zeros and infinities that the docs state.
func TestSpecialFloats(t *testing.T) {
	nan, negativeNaN := float32(math.NaN()), math.Float32frombits(0xffc00000)
	inf, zero := float32(math.Inf(1)), float32(0)
	minus := float32(math.Copysign(0, -1))
	want := []float32{negativeNaN, -inf, -1, minus, zero, 1, inf, nan}
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		host := []float32{nan, zero, -1, inf, minus, negativeNaN, 1, -inf}
		b := upload(t, dev, host)
		must(t, prim.SortKeys(s, b, b))
		expect(t, "sorted", bitsOf(download(t, b)), bitsOf(want))
		must(t, prim.SortKeys(s, b, b, prim.Options{Descending: true}))
		down := slices.Clone(want)
		slices.Reverse(down)
		expect(t, "descending", bitsOf(download(t, b)), bitsOf(down))
		out := alloc[prim.Indexed[float32]](t, dev, 1)
		must(t, prim.ArgMax(s, out, upload(t, dev, []float32{1, 3, nan, 2, nan})))
		if got := download(t, out)[0]; got.Index != 2 {
			t.Errorf("the greatest of some with NaNs is %v, want the first NaN", got)
		}
		counts := alloc[uint32](t, dev, 2)
		must(t, prim.HistogramEven(s, counts, b, -2, 2))
		expect(t, "histogram", download(t, counts), []uint32{1, 3})
	})
}

// TestErrors is the error table: what is refused, before anything is launched.
func TestErrors(t *testing.T) {
	dev, err := launch.Open("sim")
	must(t, err)
	defer dev.Close()
	s := dev.Stream()
	in, out, short, one := alloc[int32](t, dev, 100), alloc[int32](t, dev, 100), alloc[int32](t, dev, 99), alloc[int](t, dev, 1)
	closed, empty, temp := alloc[int32](t, dev, 100), alloc[int32](t, dev, 0), alloc[byte](t, dev, 64)
	must(t, closed.Close())
	add := prim.Add[int32]
	odd := func(v int32) bool { return v&1 != 0 }
	type large [5]float64
	big := alloc[large](t, dev, 3)
	for _, c := range []struct {
		err  error
		want string
	}{
		{prim.Reduce(s, empty, in, 0, add), "prim.Reduce: out: too short: has 0, needs 1"},
		{prim.Reduce(nil, out, in, 0, add), "prim.Reduce: s: is a nil Stream"},
		{prim.Reduce(s, out, in, 0, nil), "prim.Reduce: op: is a nil func"},
		{prim.Reduce(s, out, nil, 0, add), "prim.Reduce: in: is a nil Buffer"},
		{prim.Reduce(s, out, closed, 0, add), "prim.Reduce: in: is closed"},
		{prim.Reduce(s, big, big, large{}, func(a, b large) large { return a }), "prim.Reduce: type prim_test.large: has no size that threads exchange"},
		{prim.ReduceFunc(s, out, -1, prim.Constant(int32(1)), 0, add), "prim.ReduceFunc: n: is negative"},
		{prim.InclusiveScan(s, short, in, add), "prim.InclusiveScan: out: has another length: has 99, needs 100"},
		{prim.InclusiveScan(s, in.Slice(1, 100), in.Slice(0, 99), add), "prim.InclusiveScan: out: shares memory with in"},
		{prim.InclusiveScan(s, out, in, add, prim.Options{Temp: temp}), "prim.InclusiveScan: Options.Temp: too little temporary memory (ask TempSize): has 64, needs 256"},
		{prim.InclusiveScan(s, out, in, add, prim.Options{Tuning: prim.Tuning{Threads: 100}}), "threads are a multiple of 64"},
		{prim.Select(s, out, one.Slice(0, 0), in, odd), "prim.Select: count: too short"},
		{prim.Select(s, closed, one, in, odd), "prim.Select: out: is closed"},
		{prim.Partition(s, in, one, in, odd), "prim.Partition: out: shares memory with in"},
		{prim.Unique(s, in, one, in), "prim.Unique: out: shares memory with in"},
		{prim.SortKeys(s, short, in), "prim.SortKeys: out: has another length"},
		{prim.SortKeys(s, out, in, prim.Options{LastBit: 33}), "prim.SortKeys: Options.FirstBit, LastBit: are no range of the key's bits"},
		{prim.SortPairs(s, out, short, in, in), "prim.SortPairs: outValues: has another length"},
		{prim.SortPairs(s, out, out, in, in), "prim.SortPairs: outKeys: shares memory with outValues"},
		{prim.HistogramEven(s, alloc[uint32](t, dev, 4), in, 5, 5), "prim.HistogramEven: upper: is not greater than lower"},
		{prim.Merge(s, out, in, in, lessInt32), "prim.Merge: out: has another length"},
		{prim.TopK(s, out, short), "prim.TopK: in: too short"},
		{prim.Transform(s, short, in, func(v int32) int32 { return v }), "prim.Transform: out: has another length"},
	} {
		var own *prim.Error
		switch {
		case c.err == nil:
			t.Errorf("no error, want %s", c.want)
		case !strings.Contains(c.err.Error(), c.want):
			t.Errorf("%v, want %s", c.err, c.want)
		case !strings.Contains(c.want, "multiple of 64") && !errors.As(c.err, &own):
			t.Errorf("%v is no *prim.Error", c.err)
		}
	}
	must(t, dev.Sync())
}

// TestTemp gives calls exactly the temporary memory that they ask for.
func TestTemp(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		host := random(1000)
		in, out := upload(t, dev, host), alloc[int32](t, dev, len(host))
		for name, f := range map[string]func(o prim.Options) error{
			"scan":  func(o prim.Options) error { return prim.InclusiveScan(s, out, in, prim.Add[int32], small, o) },
			"sort":  func(o prim.Options) error { return prim.SortKeys(s, out, in, small, o) },
			"merge": func(o prim.Options) error { return prim.MergeSort(s, out, in, lessInt32, small, o) },
		} {
			n, err := prim.TempSize(f)
			must(t, err)
			temp := alloc[byte](t, dev, n)
			must(t, temp.Fill(s, 0xff)) // it need not be 0
			must(t, f(prim.Options{Temp: temp}))
			must(t, f(prim.Options{Temp: temp}))
			got := download(t, out)
			if name == "scan" {
				for i := 1; i < len(got); i++ {
					if got[i] != got[i-1]+host[i] {
						t.Fatalf("%s: element %d is wrong", name, i)
					}
				}
			} else if !slices.IsSorted(got) {
				t.Fatalf("%s: the result is not sorted", name)
			}
			if err := f(prim.Options{Temp: temp.Slice(0, n-1)}); err == nil {
				t.Errorf("%s: a byte less is enough", name)
			}
		}
	})
}

// TestTuning loads a table, and refuses wrong ones.
func TestTuning(t *testing.T) {
	for _, text := range []string{`{"": {"scan": {"threads": 100}}}`, `{"": {"scan": {"thread": 64}}}`, `[]`} {
		if err := prim.LoadTuning(strings.NewReader(text)); err == nil {
			t.Errorf("%s was loaded", text)
		}
	}
	must(t, prim.LoadTuning(strings.NewReader(`{"sim": {"reduce": {"threads": 128}}}`)))
	// entries of an algorithm that is none: what a longer family does not say, a shorter one does
	must(t, prim.LoadTuning(strings.NewReader(`{
		"": {"none": {"threads": 64, "items": 3, "blocks": 4}, "none/4": {"resident": 128}},
		"s": {"none": {"items": 5}, "none/4": {"items": 7, "serial": 9}},
		"si": {"none/8": {"items": 1}},
		"sim": {"none/4": {"serial": 2}},
		"simple": {"none/4": {"threads": 1024}}}`)))
	dev, err := launch.Open("sim")
	must(t, err)
	defer dev.Close()
	want := map[int]prim.Tuning{
		4: {Threads: 64, Items: 7, Blocks: 4, Resident: 128, Serial: 2},
		8: {Threads: 64, Items: 1, Blocks: 4},
	}
	for size := range 64 {
		want, ok := want[size]
		if !ok {
			want = prim.Tuning{Threads: 64, Items: 5, Blocks: 4}
		}
		if family, got := prim.TuningOf(dev, "none", size); family != "sim" || got != want {
			t.Errorf("%d bytes: %+v of family %s, want %+v", size, got, family, want)
		}
		if _, again := prim.TuningOf(dev, "none", size); again != want {
			t.Errorf("%d bytes, again: %+v, want %+v", size, again, want)
		}
	}
}
