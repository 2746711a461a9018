package main

import (
	"runtime"
	"sync"
	"unsafe"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// A benchmark is one kernel on one input.
type benchmark struct {
	name   string // the twin's too
	class  string // the twin is in testdata/<class>.cu
	kernel any
	cfg    launch.Config
	unit   string  // of the rate: GB/s, GFLOP/s, ...
	work   float64 // in a launch, in units of 1e9
	setup  func(d *device) inputs
	// want is the truth of element i of result r, made once the samples are there.
	want      func(r, i int) float64
	tolerance float64 // relative error allowed; 0 for exact results
	stray     float64 // share of the samples that may miss it
	// approximate is the relative error allowed with fast mathematics, where it is another.
	approximate float64

	truths map[int][]float64 // by result, once known
}

// inputs are what a kernel gets, and what is looked at afterwards.
type inputs struct {
	args    []any
	results []result
	// lens are the lengths that the twin takes before the same arguments; twin are all of
	// its arguments where they are others.
	lens []int
	twin []any
}

// A scale is how large the inputs are: full for a GPU to be timed on, small for an emulator
// to go through all of the grid.
type scale int

const (
	full scale = iota
	small
)

// of is the number for the scale.
func (s scale) of(large, little int) int {
	if s == small {
		return little
	}
	return large
}

// benchmarks are all kernels.
func benchmarks(s scale) (all []*benchmark) {
	for _, c := range []struct {
		name  string
		cases []*benchmark
	}{
		{"streams", streamCases(s)}, {"dense", denseCases(s)}, {"stencils", stencilCases(s)},
		{"particles", particleCases(s)}, {"tables", tableCases(s)}, {"sparse", sparseCases(s)},
		{"ciphers", cipherCases(s)}, {"transforms", transformCases(s)}, {"sorts", sortCases(s)},
		{"finance", financeCases(s)}, {"programs", programCases(s)}, {"physics", physicsCases(s)}, {"media", mediaCases(s)},
		{"suites", suiteCases(s)}, {"helpers", helperCases(s)}, {"fresh", freshCases(s)}, {"ported", portedCases(s)},
		{"mesh", meshCases(s)}, {"models", modelCases(s)}, {"tuples", tupleCases(s)}, {"signals", signalCases(s)},
		{"numerics", numericsCases(s)}, {"vision", visionCases(s)}, {"graphs", graphCases(s)}, {"chemistry", chemistryCases(s)},
		{"records", recordCases(s)}, {"worlds", worldCases(s)},
	} {
		for _, b := range c.cases {
			b.class = c.name
			all = append(all, b)
		}
	}
	return all
}

// samples is about how many elements of a result are checked.
const samples = 2048

// A device allocates for one benchmark and frees it all at once. The first error sticks.
type device struct {
	*launch.Device
	held   []interface{ Close() error }
	resets []func() error
	err    error
}

func (d *device) note(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *device) close() {
	for _, b := range d.held {
		d.note(b.Close())
	}
	d.held, d.resets = nil, nil
}

// reset makes what kernels write as it was at first.
func (d *device) reset() error {
	for _, f := range d.resets {
		d.note(f())
	}
	return d.err
}

// upload makes a buffer that kernels only read.
func upload[T any](d *device, host []T) *launch.Buffer[T] {
	b, err := launch.Upload(d.Device, host)
	d.note(err)
	d.held = append(d.held, b)
	return b
}

// changed makes a buffer that kernels read and write.
func changed[T any](d *device, host []T) *launch.Buffer[T] {
	b := upload(d, host)
	d.resets = append(d.resets, func() error { return b.Upload(host) })
	return b
}

// alloc makes a buffer of zeros that kernels write.
func alloc[T any](d *device, n int) *launch.Buffer[T] {
	b, err := launch.Alloc[T](d.Device, n)
	d.note(err)
	d.held = append(d.held, b)
	if err == nil {
		d.resets = append(d.resets, func() error { return b.Clear(d.Stream()) })
	}
	return b
}

// A result is one output: how many elements it has, and how samples are read back.
type result struct {
	len  int
	read func() ([]float64, error)
}

type number interface {
	~int8 | ~uint8 | ~int32 | ~uint32 | ~float32 | ~float64
}

// sampled reads evenly spaced elements of a buffer, each T taken as its Es.
func sampled[E number, T any](b *launch.Buffer[T]) result {
	if b == nil { // the allocation failed
		return result{}
	}
	var t T
	var e E
	n := b.Len() * int(unsafe.Sizeof(t)/unsafe.Sizeof(e))
	return result{n, func() ([]float64, error) {
		host := make([]T, b.Len())
		if err := b.Download(host); err != nil {
			return nil, err
		}
		flat := unsafe.Slice((*E)(unsafe.Pointer(&host[0])), n)
		var out []float64
		for i := 0; i < n; i += stride(n) {
			out = append(out, float64(flat[i]))
		}
		return out, nil
	}}
}

// each are the samples of some buffers.
func each[E number](all ...*launch.Buffer[E]) (results []result) {
	for _, b := range all {
		results = append(results, sampled[E](b))
	}
	return results
}

// stride is the distance of samples in a result of n elements: odd, so that
// they meet every column.
func stride(n int) int { return n/samples | 1 }

func grid(gx, gy, bx, by int) launch.Config {
	return launch.Config{Grid: launch.Dim3{X: gx, Y: gy}, Block: launch.Dim3{X: bx, Y: by}}
}

// filled makes n inputs on all processors.
func filled[T any](n int, f func(i int) T) []T {
	v := make([]T, n)
	parallel(n, func(i int) { v[i] = f(i) })
	return v
}

// parallel calls f for 0 to n-1 on all processors.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				f(i)
			}
		})
	}
	wg.Wait()
}

func floats(n int, seed uint32, lo, hi float32) []float32 {
	return filled(n, func(i int) float32 { return kernels.Uniform(i, seed, lo, hi) })
}

func doubles(n int, seed uint32, lo, hi float32) []float64 {
	return filled(n, func(i int) float64 { return uniform(i, seed, lo, hi) })
}

// uniform is kernels.Uniform in float64.
func uniform(i int, seed uint32, lo, hi float32) float64 {
	return float64(kernels.Uniform(i, seed, lo, hi))
}
