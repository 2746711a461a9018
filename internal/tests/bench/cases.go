package main

import (
	"math"
	"slices"
	"unsafe"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// A benchmark is one kernel on one input. testdata/driver.cu has the same.
type benchmark struct {
	name   string
	kernel any
	cfg    launch.Config
	unit   string  // of the rate: GB/s, GFLOP/s, ...
	work   float64 // in a launch, in units of 1e9
	// setup makes the arguments, and what reads the results back.
	setup func(d *device) (args []any, results []result)
	// want is the truth of element i of result r, made once the samples are there.
	want      func(r, i int) float64
	tolerance float64 // relative error allowed; 0 for exact results
	stray     float64 // share of the samples that may miss it

	truths map[int][]float64 // by result, once known
}

// samples is about how many elements of a result are checked.
const samples = 2048

// A device allocates for one benchmark and frees it all at once. The first error sticks.
type device struct {
	*launch.Device
	held []interface{ Close() error }
	err  error
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
	d.held = nil
}

func upload[T any](d *device, host []T) *launch.Buffer[T] {
	b, err := launch.Upload(d.Device, host)
	d.note(err)
	d.held = append(d.held, b)
	return b
}

func alloc[T any](d *device, n int) *launch.Buffer[T] {
	b, err := launch.Alloc[T](d.Device, n)
	d.note(err)
	d.held = append(d.held, b)
	return b
}

// A result is one output: how many elements it has, and how samples are read back.
type result struct {
	len  int
	read func() ([]float64, error)
}

type number interface {
	~int32 | ~uint32 | ~float32
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

// stride is the distance of samples in a result of n elements: odd, so that
// they meet every column.
func stride(n int) int { return n/samples | 1 }

func grid(gx, gy, bx, by int) launch.Config {
	return launch.Config{Grid: launch.Dim3{X: gx, Y: gy}, Block: launch.Dim3{X: bx, Y: by}}
}

const million64 = 1 << 26

var benchmarks = []*benchmark{
	saxpyCase(), reduceCase(), transposeCase(),
	sgemmCase("sgemm", kernels.Sgemm, 2048, grid(2048/kernels.Side, 2048/kernels.Side, kernels.Side, kernels.Side)),
	sgemmCase("sgemm_registers", kernels.SgemmRegisters, 4096, grid(4096/kernels.BN, 4096/kernels.BM, 256, 1)),
	histogramCase(), blackScholesCase(), nbodyCase(), stencilCase(), mandelbrotCase(), bitonicCase(), scanCase(),
}

func saxpyCase() *benchmark {
	const n = million64
	return &benchmark{
		name: "saxpy", kernel: kernels.Saxpy, cfg: launch.Linear(n, 256), unit: "GB/s", work: 12 * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			y := upload(d, kernels.Floats(n, 2, 0, 1))
			return []any{float32(2), upload(d, kernels.Floats(n, 1, 0, 1)), y}, []result{sampled[float32](y)}
		},
		want: func(_, i int) float64 {
			return 2*float64(kernels.Uniform(i, 1, 0, 1)) + float64(kernels.Uniform(i, 2, 0, 1))
		},
		tolerance: 1e-6,
	}
}

func reduceCase() *benchmark {
	const n, blocks = million64, 2048
	return &benchmark{
		name: "reduce", kernel: kernels.Reduce, cfg: grid(blocks, 1, 256, 1), unit: "GB/s", work: 4 * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			out := alloc[float32](d, blocks)
			return []any{upload(d, kernels.Floats(n, 1, 0, 1)), out}, []result{sampled[float32](out)}
		},
		want: func(_, block int) float64 {
			sum := 0.0
			for first := block * 256; first < n; first += blocks * 256 {
				for i := first; i < first+256; i++ {
					sum += float64(kernels.Uniform(i, 1, 0, 1))
				}
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func transposeCase() *benchmark {
	const n = 8192
	return &benchmark{
		name: "transpose", kernel: kernels.Transpose, cfg: grid(n/kernels.TileDim, n/kernels.TileDim, kernels.TileDim, kernels.TileRows), unit: "GB/s", work: 8 * n * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			out := alloc[float32](d, n*n)
			return []any{n, upload(d, kernels.Floats(n*n, 1, 0, 1)), out}, []result{sampled[float32](out)}
		},
		want: func(_, i int) float64 { return float64(kernels.Uniform(i%n*n+i/n, 1, 0, 1)) },
	}
}

func sgemmCase(name string, kernel any, n int, cfg launch.Config) *benchmark {
	return &benchmark{
		name: name, kernel: kernel, cfg: cfg, unit: "GFLOP/s", work: 2 * float64(n) * float64(n) * float64(n) / 1e9,
		setup: func(d *device) ([]any, []result) {
			c := alloc[float32](d, n*n)
			return []any{n, upload(d, kernels.Floats(n*n, 1, 0, 1)), upload(d, kernels.Floats(n*n, 2, 0, 1)), c}, []result{sampled[float32](c)}
		},
		want: func(_, i int) float64 {
			sum := 0.0
			for k := range n {
				sum += float64(kernels.Uniform(i/n*n+k, 1, 0, 1)) * float64(kernels.Uniform(k*n+i%n, 2, 0, 1))
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func histogramCase() *benchmark {
	const n = million64
	var counts []int
	return &benchmark{
		name: "histogram", kernel: kernels.Histogram, cfg: grid(2048, 1, kernels.Bins, 1), unit: "GB/s", work: 4 * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			in := make([]uint32, n)
			for i := range in {
				in[i] = kernels.Hash(i, 1)
			}
			out := alloc[uint32](d, kernels.Bins)
			return []any{upload(d, in), out}, []result{sampled[uint32](out)}
		},
		want: func(_, i int) float64 {
			if counts == nil {
				counts = make([]int, kernels.Bins)
				for i := range n {
					for v, k := kernels.Hash(i, 1), 0; k < 4; v, k = v>>8, k+1 {
						counts[v&0xff]++
					}
				}
			}
			return float64(counts[i])
		},
	}
}

func blackScholesCase() *benchmark {
	const n, riskFree, volatility = 1 << 24, 0.02, 0.3
	return &benchmark{
		name: "black_scholes", kernel: kernels.BlackScholes, cfg: launch.Linear(n, 256), unit: "GB/s", work: 20 * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			call, put := alloc[float32](d, n), alloc[float32](d, n)
			return []any{float32(riskFree), float32(volatility), upload(d, kernels.Floats(n, 1, 5, 30)), upload(d, kernels.Floats(n, 2, 1, 100)),
				upload(d, kernels.Floats(n, 3, 0.25, 10)), call, put}, []result{sampled[float32](call), sampled[float32](put)}
		},
		want: func(r, i int) float64 {
			s, x, t := float64(kernels.Uniform(i, 1, 5, 30)), float64(kernels.Uniform(i, 2, 1, 100)), float64(kernels.Uniform(i, 3, 0.25, 10))
			d1 := (math.Log(s/x) + (riskFree+0.5*volatility*volatility)*t) / (volatility * math.Sqrt(t))
			d2 := d1 - volatility*math.Sqrt(t)
			normal := func(d float64) float64 { return math.Erfc(-d/math.Sqrt2) / 2 }
			discounted := x * math.Exp(-riskFree*t)
			if r == 0 {
				return s*normal(d1) - discounted*normal(d2)
			}
			return discounted*normal(-d2) - s*normal(-d1)
		},
		tolerance: 1e-4,
	}
}

func nbodyCase() *benchmark {
	const n, soft = 1 << 16, 0.01
	var pos []float32
	return &benchmark{
		name: "nbody", kernel: kernels.NBody, cfg: launch.Linear(n, kernels.Bodies), unit: "GFLOP/s", work: 20 * n * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			pos = kernels.Floats(4*n, 1, 0, 1)
			force := alloc[vector.Float4](d, n)
			return []any{float32(soft), upload(d, unsafe.Slice((*vector.Float4)(unsafe.Pointer(&pos[0])), n)), force},
				[]result{sampled[float32](force)}
		},
		want: func(_, e int) float64 {
			i, axis, sum := e/4, e%4, 0.0
			if axis == 3 {
				return 0
			}
			for j := range n {
				var d [3]float64
				d2 := soft
				for k := range d {
					d[k] = float64(pos[4*j+k]) - float64(pos[4*i+k])
					d2 += d[k] * d[k]
				}
				sum += d[axis] * float64(pos[4*j+3]) / (d2 * math.Sqrt(d2))
			}
			return sum
		},
		tolerance: 1e-4, stray: 0.002, // where another body is close by, float32 cannot do it
	}
}

func stencilCase() *benchmark {
	const n, c0, c1 = 512, 0.5, 0.1
	return &benchmark{
		name: "stencil", kernel: kernels.Stencil, cfg: grid(n/32, n/8, 32, 8), unit: "GB/s", work: 8 * n * n * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			out := alloc[float32](d, n*n*n)
			return []any{n, n, n, float32(c0), float32(c1), upload(d, kernels.Floats(n*n*n, 1, 0, 1)), out}, []result{sampled[float32](out)}
		},
		want: func(_, i int) float64 {
			x, y, z := i%n, i/n%n, i/n/n
			if min(x, y, z) < 1 || max(x, y, z) >= n-1 {
				return 0
			}
			sum := 0.0
			for _, d := range []int{1, n, n * n} {
				sum += float64(kernels.Uniform(i-d, 1, 0, 1)) + float64(kernels.Uniform(i+d, 1, 0, 1))
			}
			return c0*float64(kernels.Uniform(i, 1, 0, 1)) + c1*sum
		},
		tolerance: 1e-5,
	}
}

func mandelbrotCase() *benchmark {
	const n, limit, x0, y0, step = 4096, 256, -2, -1.5, 3.0 / 4096
	return &benchmark{
		name: "mandelbrot", kernel: kernels.Mandelbrot, cfg: grid(n/32, n/8, 32, 8), unit: "Gpixel/s", work: n * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			out := alloc[int32](d, n*n)
			return []any{n, n, int32(limit), float32(x0), float32(y0), float32(step), out}, []result{sampled[int32](out)}
		},
		want: func(_, i int) float64 {
			cx, cy := x0+float32(i%n)*step, y0+float32(i/n)*step
			var x, y float32
			k := 0
			for ; k < limit && x*x+y*y < 4; k++ {
				x, y = x*x-y*y+cx, 2*x*y+cy
			}
			return float64(k)
		},
		stray: 0.03, // the orbits near the edge are chaotic
	}
}

func bitonicCase() *benchmark {
	const n = 1 << 24
	return &benchmark{
		name: "bitonic", kernel: kernels.Bitonic, cfg: grid(n/kernels.Sorted, 1, kernels.Sorted/2, 1), unit: "GB/s", work: 8 * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			out := alloc[float32](d, n)
			return []any{upload(d, kernels.Floats(n, 1, 0, 1)), out}, []result{sampled[float32](out)}
		},
		want: func(_, i int) float64 {
			run := make([]float32, kernels.Sorted)
			for k := range run {
				run[k] = kernels.Uniform(i/kernels.Sorted*kernels.Sorted+k, 1, 0, 1)
			}
			slices.Sort(run)
			return float64(run[i%kernels.Sorted])
		},
	}
}

func scanCase() *benchmark {
	const n = million64
	return &benchmark{
		name: "scan", kernel: kernels.Scan, cfg: grid(n/1024, 1, 256, 1), unit: "GB/s", work: 8 * n / 1e9,
		setup: func(d *device) ([]any, []result) {
			in := make([]vector.Int4, n/4)
			for i := range in {
				in[i] = vector.Int4{X: kernels.Value(4 * i), Y: kernels.Value(4*i + 1), Z: kernels.Value(4*i + 2), W: kernels.Value(4*i + 3)}
			}
			out, totals := alloc[vector.Int4](d, n/4), alloc[int32](d, n/1024)
			return []any{upload(d, in), out, totals}, []result{sampled[int32](out), sampled[int32](totals)}
		},
		want: func(r, i int) float64 {
			if r == 1 {
				i = i*1024 + 1023
			}
			sum := int32(0)
			for k := i / 1024 * 1024; k <= i; k++ {
				sum += kernels.Value(k)
			}
			return float64(sum)
		},
	}
}
