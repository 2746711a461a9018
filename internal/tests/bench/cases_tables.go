package main

import (
	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// tableCases are kernels that look things up.
func tableCases(s scale) []*benchmark { return []*benchmark{sobolCase(s), crossSectionsCase(s)} }

// sobolStarts are, by dimension from the second, the degree of a primitive polynomial, its
// inner coefficients and the first direction numbers (Joe and Kuo).
var sobolStarts = []struct {
	degree, inner int
	first         []uint32
}{
	{1, 0, []uint32{1}}, {2, 1, []uint32{1, 3}}, {3, 1, []uint32{1, 3, 1}}, {3, 2, []uint32{1, 1, 1}},
	{4, 1, []uint32{1, 1, 3, 3}}, {4, 4, []uint32{1, 3, 5, 13}}, {5, 2, []uint32{1, 1, 5, 5, 17}},
}

// sobolDirections are the direction numbers of all dimensions.
func sobolDirections() (all []uint32) {
	for k := range kernels.Digits {
		all = append(all, 1<<(31-k))
	}
	for _, s := range sobolStarts {
		v := make([]uint32, kernels.Digits)
		for k := range v {
			if k < s.degree {
				v[k] = s.first[k] << (31 - k)
				continue
			}
			v[k] = v[k-s.degree] ^ v[k-s.degree]>>s.degree
			for j := 1; j < s.degree; j++ {
				if s.inner>>(s.degree-1-j)&1 != 0 {
					v[k] ^= v[k-j]
				}
			}
		}
		all = append(all, v...)
	}
	return all
}

func sobolCase(s scale) *benchmark {
	n := s.of(1<<22, 300)
	dims := s.of(8, 2)
	directions := sobolDirections()
	cfg := launch.Linear(n, 256)
	cfg.Grid.Y = dims
	return &benchmark{
		name: "sobol", kernel: kernels.Sobol, cfg: cfg, unit: "Gnumber/s", work: float64(n*dims) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*dims)
			return inputs{args: []any{n, upload(d, directions), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			i, x := e%n, uint32(0)
			for k := range kernels.Digits {
				if (i^i>>1)>>k&1 != 0 {
					x ^= directions[e/n*kernels.Digits+k]
				}
			}
			return float64(float32(x) * 0x1p-32)
		},
	}
}

func crossSectionsCase(s scale) *benchmark {
	nuclides, points, n := s.of(32, 3), s.of(4096, 100), s.of(1<<18, 300)
	energyAt := func(nuclide, p int) float64 { // rises with p, from 0 to 1
		if p == 0 || p == points-1 {
			return float64(p / (points - 1))
		}
		return (float64(p) + uniform(nuclide*points+p, 1, -0.4, 0.4)) / float64(points-1)
	}
	field := func(nuclide, p, f int) float64 {
		if f == 0 {
			return energyAt(nuclide, p)
		}
		return uniform((nuclide*points+p)*6+f, 2, 0, 10)
	}
	return &benchmark{
		name: "cross_sections", kernel: kernels.CrossSections, cfg: launch.Linear(n, 128), unit: "Glook-up/s", work: float64(n*nuclides) / 1e9,
		setup: func(d *device) inputs {
			grid := filled(nuclides*points, func(k int) kernels.Point {
				at := func(f int) float64 { return field(k/points, k%points, f) }
				return kernels.Point{Energy: at(0), Total: at(1), Elastic: at(2), Absorption: at(3), Fission: at(4), Nu: at(5)}
			})
			out := alloc[kernels.Point](d, n)
			return inputs{lens: []int{nuclides, n}, args: []any{points, upload(d, grid), upload(d, doubles(nuclides, 3, 0, 1)),
				upload(d, doubles(n, 4, 0, 1)), out}, results: []result{sampled[float64](out)}}
		},
		want: func(_, k int) float64 {
			e, f := uniform(k/6, 4, 0, 1), k%6
			if f == 0 {
				return e
			}
			sum := 0.0
			for m := range nuclides {
				p := 0
				for p < points-2 && energyAt(m, p+1) <= e {
					p++
				}
				low, high := energyAt(m, p), energyAt(m, p+1)
				a, b := field(m, p, f), field(m, p+1, f)
				sum += uniform(m, 3, 0, 1) * (a + (e-low)/(high-low)*(b-a))
			}
			return sum
		},
		tolerance: 1e-9,
	}
}
