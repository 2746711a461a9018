package main

import (
	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// denseCases are kernels of matrices and pictures.
func denseCases(s scale) []*benchmark {
	n, m := s.of(2048, 32), s.of(4096, 128)
	return []*benchmark{
		transposeCase(s),
		sgemmCase("sgemm", kernels.Sgemm, n, grid(n/kernels.Side, n/kernels.Side, kernels.Side, kernels.Side)),
		sgemmCase("sgemm_registers", kernels.SgemmRegisters, m, grid(m/kernels.BN, m/kernels.BM, 256, 1)),
		convolveCase(s), inverseCase(s),
	}
}

func transposeCase(s scale) *benchmark {
	n := s.of(8192, 64)
	return &benchmark{
		name: "transpose", kernel: kernels.Transpose, cfg: grid(n/kernels.TileDim, n/kernels.TileDim, kernels.TileDim, kernels.TileRows), unit: "GB/s", work: 8 * float64(n*n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*n)
			return inputs{args: []any{n, upload(d, floats(n*n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return uniform(i%n*n+i/n, 1, 0, 1) },
	}
}

func sgemmCase(name string, kernel any, n int, cfg launch.Config) *benchmark {
	return &benchmark{
		name: name, kernel: kernel, cfg: cfg, unit: "GFLOP/s", work: 2 * float64(n) * float64(n) * float64(n) / 1e9,
		setup: func(d *device) inputs {
			c := alloc[float32](d, n*n)
			return inputs{args: []any{n, upload(d, floats(n*n, 1, 0, 1)), upload(d, floats(n*n, 2, 0, 1)), c}, results: each(c)}
		},
		want: func(_, i int) float64 {
			sum := 0.0
			for k := range n {
				sum += uniform(i/n*n+k, 1, 0, 1) * uniform(k*n+i%n, 2, 0, 1)
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func convolveCase(s scale) *benchmark {
	n := s.of(8192, 256)
	rows := s.of(n, 4)
	return &benchmark{
		name: "convolve", kernel: kernels.Convolve, cfg: grid(n/kernels.Row, rows, kernels.Row, 1), unit: "GB/s", work: 8 * float64(n*rows) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*rows)
			return inputs{args: []any{n, upload(d, floats(n*rows, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			for k, w := range kernels.Filter {
				if x := i%n + k - kernels.Radius; x >= 0 && x < n {
					sum += float64(w) * uniform(i/n*n+x, 1, 0, 1)
				}
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func inverseCase(s scale) *benchmark {
	const order = kernels.Order
	n := s.of(1<<21, 500)
	at := func(i, e int) float32 { // large in the diagonal, so that no pivots need be chosen
		v := kernels.Uniform(e*n+i, 1, -1, 1)
		if e/order == e%order {
			v += 6
		}
		return v
	}
	return &benchmark{
		name: "inverse", kernel: kernels.Inverse, cfg: launch.Linear(n, 256), unit: "GB/s", work: 8 * order * order * float64(n) / 1e9,
		setup: func(d *device) inputs {
			in := filled(order*order*n, func(k int) float32 { return at(k%n, k/n) })
			out := alloc[float32](d, order*order*n)
			return inputs{args: []any{n, upload(d, in), out}, results: each(out)}
		},
		want: func(_, k int) float64 {
			i, e := k%n, k/n
			var a [order][2 * order]float64
			for r := range order {
				for c := range order {
					a[r][c] = float64(at(i, r*order+c))
				}
				a[r][order+r] = 1
			}
			for p := range order {
				for c, scale := 0, a[p][p]; c < 2*order; c++ {
					a[p][c] /= scale
				}
				for r := range order {
					for c, f := 0, a[r][p]; c < 2*order && r != p; c++ {
						a[r][c] -= f * a[p][c]
					}
				}
			}
			return a[e/order][order+e%order]
		},
		tolerance: 1e-5,
	}
}
