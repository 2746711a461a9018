package main

import (
	"math"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// meshCases are kernels of meshes, volumes, graphs and the sky.
func meshCases(s scale) []*benchmark {
	return []*benchmark{
		coulombCase(s), wave25Case(s), hexForcesCase(s), maxPool3DCase(s), pcrCase(s), boxFilterCase(s), jaccardCase(s), tpacfCase(s),
	}
}

func coulombCase(s scale) *benchmark {
	const spacing, z = 0.5, 9.25
	w, h, count := s.of(1022, 70), s.of(1000, 19), s.of(4000, 150)
	atoms := filled(count, func(i int) vector.Float4 {
		return vector.Float4{
			X: kernels.Uniform(i, 1, 0, spacing*float32(w)), Y: kernels.Uniform(i, 2, 0, spacing*float32(h)),
			Z: kernels.Uniform(i, 3, 0, 30), W: kernels.Uniform(i, 4, -1, 1),
		}
	})
	return &benchmark{
		name: "coulomb", kernel: kernels.Coulomb, cfg: grid((w+63)/64, (h+7)/8, 16, 8), unit: "Gpair/s", work: float64(w*h) * float64(count) / 1e9,
		setup: func(d *device) inputs {
			energy := alloc[float32](d, w*h)
			return inputs{lens: []int{count}, args: []any{w, h, float32(spacing), float32(z), upload(d, atoms), energy}, results: each(energy)}
		},
		want: func(_, e int) (sum float64) {
			x, y := spacing*float64(e%w), spacing*float64(e/w)
			for _, a := range atoms {
				dx, dy, dz := x-float64(a.X), y-float64(a.Y), z-float64(a.Z)
				sum += float64(a.W) / math.Sqrt(dx*dx+dy*dy+dz*dz)
			}
			return sum
		},
		tolerance: 1e-4, stray: 0.002, // where an atom is close by
	}
}

func wave25Case(s scale) *benchmark {
	const r = kernels.WaveReach
	nx, ny, nz := s.of(520, 45), s.of(500, 30), s.of(256, 11)
	n := nx * ny * nz
	c := [r + 1]float32{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}
	return &benchmark{
		name: "wave25", kernel: kernels.Wave25, unit: "Gpoint/s", work: float64(n) / 1e9,
		cfg: grid((nx-2*r+kernels.WaveX-1)/kernels.WaveX, (ny-2*r+kernels.WaveY-1)/kernels.WaveY, kernels.WaveX, kernels.WaveY),
		setup: func(d *device) inputs {
			next := changed(d, floats(n, 3, -1, 1))
			return inputs{args: []any{nx, ny, nz, c, upload(d, floats(n, 1, -1, 1)), upload(d, floats(n, 2, 0, 0.2)), next}, results: each(next)}
		},
		want: func(_, i int) float64 {
			x, y, z := i%nx, i/nx%ny, i/nx/ny
			before := uniform(i, 3, -1, 1)
			if min(x, y, z) < r || x >= nx-r || y >= ny-r || z >= nz-r {
				return before
			}
			here, lap := uniform(i, 1, -1, 1), 0.0
			for _, step := range []int{1, nx, nx * ny} {
				lap += float64(c[0]) * here
				for k := 1; k <= r; k++ {
					lap += float64(c[k]) * (uniform(i-k*step, 1, -1, 1) + uniform(i+k*step, 1, -1, 1))
				}
			}
			return 2*here - before + uniform(i, 2, 0, 0.2)*lap
		},
		tolerance: 1e-5,
	}
}

// hexCorners are where the corners of an element are in a cube, in the order of LULESH.
var hexCorners = [8][3]int{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}

// hexVolume is the volume of an element, exactly: its sides curve, and the Jacobian's
// determinant is summed up at the eight points of Gauss.
func hexVolume(corner *[8][3]float64) (volume float64) {
	for _, at := range hexCorners {
		var j [3][3]float64 // derivatives of the place by the element's own coordinates
		for k, c := range hexCorners {
			var shape, slope [3]float64
			for a := range 3 {
				sign := float64(2*c[a] - 1)
				shape[a], slope[a] = (1+sign*float64(2*at[a]-1)/math.Sqrt(3))/2, sign/2
			}
			for p := range 3 {
				j[0][p] += slope[0] * shape[1] * shape[2] * corner[k][p]
				j[1][p] += shape[0] * slope[1] * shape[2] * corner[k][p]
				j[2][p] += shape[0] * shape[1] * slope[2] * corner[k][p]
			}
		}
		volume += j[0][0]*(j[1][1]*j[2][2]-j[1][2]*j[2][1]) - j[0][1]*(j[1][0]*j[2][2]-j[1][2]*j[2][0]) + j[0][2]*(j[1][0]*j[2][1]-j[1][1]*j[2][0])
	}
	return volume
}

func hexForcesCase(s scale) *benchmark {
	ex, ey, ez := s.of(170, 9), s.of(150, 7), s.of(130, 5) // elements
	n, points := ex*ey*ez, (ex+1)*(ey+1)*(ez+1)
	node := func(i, k int) int {
		c := hexCorners[k]
		return ((i/ex/ey+c[2])*(ey+1)+i/ex%ey+c[1])*(ex+1) + i%ex + c[0]
	}
	place := func(node, axis int) float64 {
		cell := [3]int{node % (ex + 1), node / (ex + 1) % (ey + 1), node / (ex + 1) / (ey + 1)}
		return float64(cell[axis]) + uniform(node, uint32(axis), -0.3, 0.3)
	}
	return &benchmark{
		name: "hexforces", kernel: kernels.HexForces, cfg: launch.Linear(n, 128), unit: "Gelement/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			args := []any{upload(d, filled(8*n, func(e int) int32 { return int32(node(e/8, e%8)) }))}
			for axis := range 3 {
				args = append(args, upload(d, filled(points, func(i int) float64 { return place(i, axis) })))
			}
			dx, dy, dz := alloc[float64](d, 8*n), alloc[float64](d, 8*n), alloc[float64](d, 8*n)
			return inputs{lens: []int{n}, args: append(args, dx, dy, dz), results: each(dx, dy, dz)}
		},
		// The volume is linear in each corner, so a difference is the derivative.
		want: func(axis, e int) float64 {
			var corner [8][3]float64
			for k := range corner {
				for a := range 3 {
					corner[k][a] = place(node(e/8, k), a)
				}
			}
			before := hexVolume(&corner)
			corner[e%8][axis]++
			return hexVolume(&corner) - before
		},
		tolerance: 1e-9,
	}
}

func maxPool3DCase(s scale) *benchmark {
	planes, d, h, w := s.of(8*64, 2*3), s.of(16, 5), s.of(112, 12), s.of(111, 17)
	od, oh, ow := (d-1)/2+1, (h-1)/2+1, (w-1)/2+1
	n, volume := planes*od*oh*ow, d*h*w
	return &benchmark{
		name: "maxpool3d", kernel: kernels.MaxPool3D, cfg: launch.Linear(n, 256), unit: "GB/s", work: 4 * float64(planes*volume+2*n) / 1e9,
		setup: func(dev *device) inputs {
			out, index := alloc[float32](dev, n), alloc[int32](dev, n)
			return inputs{lens: []int{n}, args: []any{d, h, w, od, oh, ow, upload(dev, floats(planes*volume, 1, -1, 1)), out, index},
				results: append(each(out), each(index)...)}
		},
		want: func(r, e int) float64 {
			x, y, z, plane := 2*(e%ow)-1, 2*(e/ow%oh)-1, 2*(e/ow/oh%od)-1, e/ow/oh/od
			best, at := math.Inf(-1), 0
			for k := range 27 {
				kx, ky, kz := x+k%3, y+k/3%3, z+k/9
				if min(kx, ky, kz) < 0 || kx >= w || ky >= h || kz >= d {
					continue
				}
				i := (kz*h+ky)*w + kx
				if v := uniform(plane*volume+i, 1, -1, 1); v > best {
					best, at = v, i
				}
			}
			return [2]float64{best, float64(at)}[r]
		},
	}
}

func pcrCase(s scale) *benchmark {
	const size = kernels.PCREquations
	systems := s.of(1<<16, 3)
	n := systems * size
	// The corners of each matrix are outside of it.
	lower := func(i int) float64 {
		if i%size == 0 {
			return 0
		}
		return uniform(i, 1, -1, 1)
	}
	upper := func(i int) float64 {
		if i%size == size-1 {
			return 0
		}
		return uniform(i, 2, -1, 1)
	}
	return &benchmark{
		name: "pcr", kernel: kernels.PCR, cfg: launch.Linear(n, size), unit: "Gequation/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			a, c := filled(n, func(i int) float32 { return float32(lower(i)) }), filled(n, func(i int) float32 { return float32(upper(i)) })
			out := alloc[float32](d, n)
			return inputs{args: []any{upload(d, a), upload(d, floats(n, 3, 2.5, 4)), upload(d, c), upload(d, floats(n, 4, -1, 1)), out}, results: each(out)}
		},
		want: func(_, e int) (x float64) {
			first := e / size * size
			var c, d [size]float64 // after the elimination, with ones on the diagonal (Thomas)
			var c0, d0 float64
			for k := range size {
				i := first + k
				diag := uniform(i, 3, 2.5, 4) - lower(i)*c0
				c0, d0 = upper(i)/diag, (uniform(i, 4, -1, 1)-lower(i)*d0)/diag
				c[k], d[k] = c0, d0
			}
			for k := size - 1; k >= e-first; k-- {
				x = d[k] - c[k]*x
			}
			return x
		},
		tolerance: 1e-5,
	}
}

func boxFilterCase(s scale) *benchmark {
	w, h, r := s.of(1<<15, 200), s.of(1080, 37), s.of(14, 5)
	return &benchmark{
		name: "boxfilter", kernel: kernels.BoxFilter, cfg: launch.Linear(w, 64), unit: "GB/s", work: 8 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, w*h)
			return inputs{args: []any{w, h, r, upload(d, floats(w*h, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			for y := e/w - r; y <= e/w+r; y++ {
				sum += uniform(min(max(y, 0), h-1)*w+e%w, 1, 0, 1)
			}
			return sum / float64(2*r+1)
		},
		tolerance: 1e-5,
	}
}

func jaccardCase(s scale) *benchmark {
	n := s.of(1<<18, 60)
	near := uint32(s.of(64, 20)) // how far a neighbour is
	rows := filled(n, func(u int) (row []int32) {
		for k := range 3 + small32(u, 1, 24) {
			row = append(row, int32((u+1+int(small32(32*u+int(k), 2, near)))%n))
		}
		slices.Sort(row)
		return slices.Compact(row)
	})
	first := make([]int32, n+1)
	var source, target []int32
	for u, row := range rows {
		for _, v := range row {
			source, target = append(source, int32(u)), append(target, v)
		}
		first[u+1] = int32(len(target))
	}
	edges := len(target)
	return &benchmark{
		name: "jaccard", kernel: kernels.Jaccard, cfg: launch.Linear(edges, 256), unit: "Gedge/s", work: float64(edges) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, edges)
			return inputs{lens: []int{edges}, args: []any{upload(d, first), upload(d, source), upload(d, target), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			a, b := rows[source[e]], rows[target[e]]
			common := 0
			for _, v := range a {
				if slices.Contains(b, v) {
					common++
				}
			}
			return float64(common) / float64(len(a)+len(b)-common)
		},
		tolerance: 1e-6,
	}
}

func tpacfCase(s scale) *benchmark {
	const threads, most = kernels.TPACFThreads, kernels.TPACFBounds
	n, m := s.of(16000, 300), s.of(15000, 270)
	sky := func(seed uint32) func(int) kernels.Vec3 {
		return func(i int) kernels.Vec3 {
			z, angle := uniform(2*i, seed, -1, 1), uniform(2*i+1, seed, 0, 2*math.Pi)
			r := math.Sqrt(1 - z*z)
			return kernels.Vec3{X: float32(r * math.Cos(angle)), Y: float32(r * math.Sin(angle)), Z: float32(z)}
		}
	}
	data, random := filled(n, sky(1)), filled(m, sky(1<<20))
	bounds := filled(most, func(k int) float32 { return float32(math.Cos(math.Pi / 90 * math.Pow(1.25, float64(k)))) }) // from 2 degrees
	counts := sync.OnceValue(func() (sum [most + 1]float64) {
		rows := filled(n, func(i int) (row [most + 1]int32) {
			p := data[i]
			for _, q := range random {
				dot := float64(p.X)*float64(q.X) + float64(p.Y)*float64(q.Y) + float64(p.Z)*float64(q.Z)
				k := 0
				for k < most && dot < float64(bounds[k]) {
					k++
				}
				row[k]++
			}
			return row
		})
		for _, row := range rows {
			for k, v := range row {
				sum[k] += float64(v)
			}
		}
		return sum
	})
	return &benchmark{
		name: "tpacf", kernel: kernels.TPACF, cfg: grid((n+threads-1)/threads, (m+threads-1)/threads, threads, 1), unit: "Gpair/s", work: float64(n) * float64(m) / 1e9,
		setup: func(d *device) inputs {
			histogram := alloc[uint32](d, most+1)
			return inputs{lens: []int{n, m}, args: []any{upload(d, data), upload(d, random), upload(d, bounds), histogram}, results: each(histogram)}
		},
		want:      func(_, k int) float64 { return counts()[k] },
		tolerance: 1e-3, // pairs at a bound
	}
}
