package main

import (
	"math"
	"unsafe"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// A bench is one kernel. n is its size: elements, or the side of a square or a
// cube. worker/worker.c makes the same inputs.
type bench struct {
	name  string
	n     int // as timed
	small int // for a look at the simulator
	make  func(n int) *work
	input string // what the input is, for the table; n stands for the size
	arith bool   // arithmetic and not memory limits it: the aim is 4 times plain Go

	unit         string                  // of the rate, a key of rates
	bytes, flops func(n float64) float64 // moved and done in one run; nil: not counted

	ints      bool    // the results are int32, else float32
	sum       bool    // only the sum of the results is compared
	tolerance float64 // relative error allowed; absolute below 1
	stray     float64 // share of the results that may miss it
}

// A work is the arguments of one kernel: what heddle launches and what plain
// Go computes, on the same memory layout.
type work struct {
	kernel  any
	cfg     launch.Config
	args    []any // an array stands for its buffer
	results []array
	plain   func()
}

// An array is memory of the host, and perhaps of a device.
type array interface {
	upload(*launch.Device) error
	buffer() any
	download() error
	close() error
	bytes() []byte
}

type slice[T any] struct {
	host []T
	dev  *launch.Buffer[T]
}

func of[T any](host []T) *slice[T] { return &slice[T]{host: host} }

func room[T any](n int) *slice[T] { return of(make([]T, n)) }

func (s *slice[T]) upload(d *launch.Device) (err error) {
	s.dev, err = launch.Upload(d, s.host)
	return err
}

func (s *slice[T]) buffer() any     { return s.dev }
func (s *slice[T]) download() error { return s.dev.Download(s.host) }
func (s *slice[T]) close() error    { return s.dev.Close() }

func (s *slice[T]) bytes() []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s.host))), len(s.host)*int(unsafe.Sizeof(t)))
}

// times is factor * n^power.
func times(factor float64, power int) func(float64) float64 {
	return func(n float64) float64 { return factor * math.Pow(n, float64(power)) }
}

// rates says what a unit counts, per nanosecond.
var rates = map[string]func(b *bench, n float64) float64{
	"GB/s":      func(b *bench, n float64) float64 { return b.bytes(n) },
	"Gflop/s":   func(b *bench, n float64) float64 { return b.flops(n) },
	"Mpixel/s":  func(_ *bench, n float64) float64 { return n * n * 1e3 },
	"Moption/s": func(_ *bench, n float64) float64 { return n * 1e3 },
	"Mthread/s": func(_ *bench, n float64) float64 { return n * 1e3 },
}

// Numbers of blocks that worker/worker.h also has.
const (
	reduceBlocks    = 1024
	histogramBlocks = 256
	limit           = 200 // iterations of mandelbrot
)

var benches = []*bench{
	{
		name: "saxpy", n: 1 << 24, small: 5000, make: saxpy, input: "n float32",
		unit: "GB/s", bytes: times(12, 1), flops: times(2, 1), tolerance: 1e-6,
	},
	{
		name: "reduce", n: 1 << 24, small: 1 << 19, make: reduce, input: "n float32",
		unit: "GB/s", bytes: times(4, 1), flops: times(1, 1), sum: true, tolerance: 1e-5,
	},
	{
		name: "mandelbrot", n: 1024, small: 64, make: mandelbrot, input: "n x n pixels, 200 iterations", arith: true,
		unit: "Mpixel/s", bytes: times(4, 2), ints: true, stray: 0.03, // the orbits near the edge are chaotic
	},
	{
		name: "black_scholes", n: 1 << 22, small: 5000, make: blackScholes, input: "n options", arith: true,
		unit: "Moption/s", bytes: times(20, 1), tolerance: 2e-5,
	},
	{
		name: "nbody", n: 8192, small: 256, make: nbody, input: "n bodies", arith: true,
		unit: "Gflop/s", bytes: times(32, 1), flops: times(20, 2), tolerance: 1e-4, stray: 0.002, // close bodies
	},
	{
		name: "sgemm", n: 1024, small: 64, make: sgemm, input: "n x n matrices", arith: true,
		unit: "Gflop/s", bytes: times(12, 2), flops: times(2, 3), tolerance: 1e-5,
	},
	{
		name: "stencil", n: 256, small: 32, make: stencil, input: "n x n x n float32",
		unit: "GB/s", bytes: times(8, 3), flops: times(8, 3), tolerance: 1e-6,
	},
	{
		name: "histogram", n: 1 << 22, small: 1 << 16, make: histogram, input: "4n bytes, 256 bins",
		unit: "GB/s", bytes: times(4, 1), ints: true,
	},
	{
		name: "bitonic", n: 1 << 22, small: 4096, make: bitonic, input: "n float32 in runs of 1024",
		unit: "GB/s", bytes: times(8, 1),
	},
	{
		name: "scan", n: 1 << 24, small: 8192, make: scan, input: "n int32 in blocks of 1024",
		unit: "GB/s", bytes: times(8, 1), flops: times(1, 1), ints: true,
	},
}

func saxpy(n int) *work {
	x, y := of(kernels.Floats(n, 1, 0, 1)), of(kernels.Floats(n, 2, 0, 1))
	return &work{
		kernel: kernels.Saxpy, cfg: launch.Linear(n, 256), args: []any{float32(2), x, y}, results: []array{y},
		plain: func() { plainSaxpy(2, x.host, y.host) },
	}
}

func reduce(n int) *work {
	in, out := of(kernels.Floats(n, 1, 0, 1)), room[float32](reduceBlocks)
	return &work{
		kernel: kernels.Reduce, cfg: launch.Linear(reduceBlocks*256, 256), args: []any{in, out}, results: []array{out},
		plain: func() { plainReduce(in.host, out.host) },
	}
}

func mandelbrot(n int) *work {
	out, step := room[int32](n*n), 3/float32(n)
	return &work{
		kernel: kernels.Mandelbrot, cfg: launch.Grid2D(n, n, 32, 8),
		args: []any{n, n, int32(limit), float32(-2), float32(-1.5), step, out}, results: []array{out},
		plain: func() { plainMandelbrot(n, n, limit, -2, -1.5, step, out.host) },
	}
}

func blackScholes(n int) *work {
	const riskFree, volatility = float32(0.02), float32(0.3)
	price, strike, years := of(kernels.Floats(n, 1, 5, 30)), of(kernels.Floats(n, 2, 1, 100)), of(kernels.Floats(n, 3, 0.25, 10))
	call, put := room[float32](n), room[float32](n)
	return &work{
		kernel: kernels.BlackScholes, cfg: launch.Linear(n, 256),
		args: []any{riskFree, volatility, price, strike, years, call, put}, results: []array{call, put},
		plain: func() {
			plainBlackScholes(riskFree, volatility, price.host, strike.host, years.host, call.host, put.host)
		},
	}
}

func nbody(n int) *work {
	const soft = float32(0.01)
	pos, force := room[vector.Float4](n), room[vector.Float4](n)
	for i, v := range kernels.Floats(4*n, 1, 0, 1) {
		p := &pos.host[i/4]
		*[]*float32{&p.X, &p.Y, &p.Z, &p.W}[i%4] = v
	}
	return &work{
		kernel: kernels.NBody, cfg: launch.Linear(n, kernels.Bodies), args: []any{soft, pos, force}, results: []array{force},
		plain: func() { plainNBody(soft, pos.host, force.host) },
	}
}

func sgemm(n int) *work {
	a, b, c := of(kernels.Floats(n*n, 1, 0, 1)), of(kernels.Floats(n*n, 2, 0, 1)), room[float32](n*n)
	return &work{
		kernel: kernels.Sgemm, cfg: launch.Grid2D(n, n, kernels.Side, kernels.Side), args: []any{n, a, b, c}, results: []array{c},
		plain: func() { plainSgemm(n, a.host, b.host, c.host) },
	}
}

func stencil(n int) *work {
	const c0, c1 = float32(0.5), float32(0.1)
	in, out := of(kernels.Floats(n*n*n, 1, 0, 1)), room[float32](n*n*n)
	return &work{
		// Blocks that are whole rows suit a CPU's caches best.
		kernel: kernels.Stencil, cfg: launch.Grid2D(n, n, 256, 1), args: []any{n, n, n, c0, c1, in, out}, results: []array{out},
		plain: func() { plainStencil(n, n, n, c0, c1, in.host, out.host) },
	}
}

func histogram(n int) *work {
	in, counts := room[uint32](n), room[uint32](kernels.Bins)
	for i := range in.host {
		in.host[i] = kernels.Hash(i, 1)
	}
	return &work{
		kernel: kernels.Histogram, cfg: launch.Linear(histogramBlocks*kernels.Bins, kernels.Bins),
		args: []any{in, counts}, results: []array{counts},
		plain: func() { plainHistogram(in.host, counts.host) },
	}
}

func bitonic(n int) *work {
	in, out := of(kernels.Floats(n, 1, 0, 1)), room[float32](n)
	return &work{
		kernel: kernels.Bitonic, cfg: launch.Linear(n/2, kernels.Sorted/2), args: []any{in, out}, results: []array{out},
		plain: func() { plainBitonic(in.host, out.host) },
	}
}

func scan(n int) *work {
	in, out, totals := room[vector.Int4](n/4), room[vector.Int4](n/4), room[int32](n/1024)
	for i := range in.host {
		in.host[i] = vector.Int4{X: kernels.Value(4 * i), Y: kernels.Value(4*i + 1), Z: kernels.Value(4*i + 2), W: kernels.Value(4*i + 3)}
	}
	return &work{
		kernel: kernels.Scan, cfg: launch.Linear(n/4, 256), args: []any{in, out, totals}, results: []array{out, totals},
		plain: func() { plainScan(in.host, out.host, totals.host) },
	}
}
