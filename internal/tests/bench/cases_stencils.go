package main

import (
	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// stencilCases are kernels of points and their neighbours.
func stencilCases(s scale) []*benchmark {
	return []*benchmark{stencilCase(s), stencil64Case(s), stencil27Case(s), relaxCase(s), hotspotCase(s)}
}

// volume is a grid over a cube of side n in 3-D blocks.
func volume(n int) launch.Config {
	return launch.Config{Grid: launch.Dim3{X: n / 32, Y: n / 4, Z: n / 2}, Block: launch.Dim3{X: 32, Y: 4, Z: 2}}
}

// interior reports whether point i of a box has neighbours on all sides.
func interior(i, nx, ny, nz int) bool {
	x, y, z := i%nx, i/nx%ny, i/nx/ny
	return x > 0 && y > 0 && z > 0 && x < nx-1 && y < ny-1 && z < nz-1
}

// seven is the sum of the neighbours of point i.
func seven(i, nx, ny int) (sum float64) {
	for _, d := range []int{1, nx, nx * ny} {
		sum += uniform(i-d, 1, 0, 1) + uniform(i+d, 1, 0, 1)
	}
	return sum
}

func stencilCase(s scale) *benchmark {
	const c0, c1 = 0.5, 0.1
	n, nz := s.of(512, 32), s.of(512, 24)
	return &benchmark{
		name: "stencil", kernel: kernels.Stencil, cfg: grid(n/32, n/8, 32, 8), unit: "GB/s", work: 8 * float64(n*n*nz) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*n*nz)
			return inputs{args: []any{n, n, nz, float32(c0), float32(c1), upload(d, floats(n*n*nz, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			if !interior(i, n, n, nz) {
				return 0
			}
			return c0*uniform(i, 1, 0, 1) + c1*seven(i, n, n)
		},
		tolerance: 1e-5,
	}
}

func stencil64Case(s scale) *benchmark {
	const c0, c1 = 0.5, 0.1
	n := s.of(384, 32)
	nz := s.of(n, 4)
	cfg := volume(n)
	cfg.Grid.Z = nz / 2
	return &benchmark{
		name: "stencil64", kernel: kernels.Stencil64, cfg: cfg, unit: "GB/s", work: 16 * float64(n*n*nz) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float64](d, n*n*nz)
			return inputs{args: []any{n, n, nz, c0, c1, upload(d, doubles(n*n*nz, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			if !interior(i, n, n, nz) {
				return 0
			}
			return c0*uniform(i, 1, 0, 1) + c1*seven(i, n, n)
		},
		tolerance: 1e-14,
	}
}

func stencil27Case(s scale) *benchmark {
	w := [4]float32{0.4, 0.05, 0.02, 0.0075}
	n := s.of(384, 32)
	nz := s.of(n, 4)
	cfg := volume(n)
	cfg.Grid.Z = nz / 2
	return &benchmark{
		name: "stencil27", kernel: kernels.Stencil27, cfg: cfg, unit: "GB/s", work: 8 * float64(n*n*nz) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*n*nz)
			return inputs{args: []any{n, n, nz, w, upload(d, floats(n*n*nz, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			if !interior(i, n, n, nz) {
				return 0
			}
			for k := range 27 {
				dx, dy, dz := k%3-1, k/3%3-1, k/9-1
				sum += float64(w[dx*dx+dy*dy+dz*dz]) * uniform(i+(dz*n+dy)*n+dx, 1, 0, 1)
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func relaxCase(s scale) *benchmark {
	const edge, steps = kernels.Edge, 16
	n := s.of(4096, 32)
	return &benchmark{
		name: "relax", kernel: kernels.Relax, cfg: grid(n/edge, n/edge, edge, edge), unit: "Gpoint/s", work: steps * float64(n*n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*n)
			return inputs{args: []any{n, steps, upload(d, floats(n*n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			x, y := i%n, i/n
			var tile [edge][edge]float64
			for r := range edge {
				for c := range edge {
					tile[r][c] = uniform((y/edge*edge+r)*n+x/edge*edge+c, 1, 0, 1)
				}
			}
			for range steps {
				last := tile
				for r := range edge {
					for c := range edge {
						tile[r][c] = (last[max(r-1, 0)][c] + last[min(r+1, edge-1)][c] + last[r][max(c-1, 0)] + last[r][min(c+1, edge-1)]) / 4
					}
				}
			}
			return tile[y%edge][x%edge]
		},
		tolerance: 1e-6,
	}
}

func hotspotCase(s scale) *benchmark {
	const step, rx, ry, rz, ambient = 0.05, 0.8, 1.1, 0.2, 80
	n := s.of(8192, 64)
	h := s.of(n, 20)
	return &benchmark{
		name: "hotspot", kernel: kernels.Hotspot, cfg: grid(n/32, (h+7)/8, 32, 8), unit: "GB/s", work: 12 * float64(n*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*h)
			return inputs{args: []any{n, h, float32(step), float32(rx), float32(ry), float32(rz), float32(ambient),
				upload(d, floats(n*h, 1, 60, 100)), upload(d, floats(n*h, 2, 0, 5)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			x, y := i%n, i/n
			at := func(x, y int) float64 {
				return uniform(min(max(y, 0), h-1)*n+min(max(x, 0), n-1), 1, 60, 100)
			}
			t := at(x, y)
			return t + step*(uniform(i, 2, 0, 5)+(at(x, y-1)+at(x, y+1)-2*t)*ry+(at(x-1, y)+at(x+1, y)-2*t)*rx+(ambient-t)*rz)
		},
		tolerance: 1e-6,
	}
}
