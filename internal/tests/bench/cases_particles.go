package main

import (
	"math"
	"unsafe"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// particleCases are kernels of bodies, atoms and molecules.
func particleCases(s scale) []*benchmark {
	return []*benchmark{nbodyCase(s), lennardJonesCase(s), dockCase(s)}
}

// points are n places with a fourth number, as Float4s and as what they are made of.
func points(n int) ([]vector.Float4, []float32) {
	flat := floats(4*n, 1, 0, 1)
	return unsafe.Slice((*vector.Float4)(unsafe.Pointer(&flat[0])), n), flat
}

func nbodyCase(s scale) *benchmark {
	const soft = 0.01
	n := s.of(1<<16, 512)
	var pos []float32
	return &benchmark{
		name: "nbody", kernel: kernels.NBody, cfg: launch.Linear(n, kernels.Bodies), unit: "GFLOP/s", work: 20 * float64(n) * float64(n) / 1e9,
		setup: func(d *device) inputs {
			all, flat := points(n)
			pos = flat
			force := alloc[vector.Float4](d, n)
			return inputs{lens: []int{n}, args: []any{float32(soft), upload(d, all), force}, results: []result{sampled[float32](force)}}
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

func lennardJonesCase(s scale) *benchmark {
	const cutoff, side = 6.25, 64
	n, neighbours := s.of(1<<19, 1000), s.of(64, 32)
	// The atoms stand near the points of a lattice, those of a row one after the other.
	at := func(i, axis int) float64 {
		return float64(i>>(6*axis)%side) + uniform(4*i+axis, 1, -0.1, 0.1)
	}
	// A neighbour is one of the cube of 5 by 5 by 5 around, or far away.
	neighbour := func(i, k int) int {
		h := int(kernels.Hash(k*n+i, 2))
		d := h%5 - 2 + (h>>8%5-2)*side + (h>>16%5-2)*side*side
		if d == 0 {
			d = 1
		}
		return ((i+d)%n + n) % n
	}
	return &benchmark{
		name: "lennard_jones", kernel: kernels.LennardJones, cfg: launch.Linear(n, 128), unit: "Gpair/s", work: float64(n*neighbours) / 1e9,
		setup: func(d *device) inputs {
			pos := filled(n, func(i int) vector.Float4 {
				return vector.Float4{X: float32(at(i, 0)), Y: float32(at(i, 1)), Z: float32(at(i, 2))}
			})
			list := filled(n*neighbours, func(k int) int32 { return int32(neighbour(k%n, k/n)) })
			force := alloc[vector.Float4](d, n)
			return inputs{lens: []int{n}, args: []any{float32(cutoff), neighbours, upload(d, pos), upload(d, list), force},
				results: []result{sampled[float32](force)}}
		},
		want: func(_, e int) (sum float64) {
			i, axis := e/4, e%4
			for k := range neighbours {
				j := neighbour(i, k)
				var d [3]float64
				d2 := 0.0
				for a := range d {
					d[a] = float64(float32(at(i, a))) - float64(float32(at(j, a)))
					d2 += d[a] * d[a]
				}
				if d2 >= cutoff {
					continue
				}
				inv6 := 1 / (d2 * d2 * d2)
				if axis == 3 {
					sum += 4 * inv6 * (inv6 - 1)
				} else {
					sum += d[axis] * 24 / d2 * inv6 * (2*inv6 - 1)
				}
			}
			return sum
		},
		tolerance: 1e-4, stray: 0.002, // pairs at the cutoff
	}
}

func dockCase(s scale) *benchmark {
	const size, scale = 32, 4
	ligands, proteins, n := s.of(32, 5), s.of(512, 40), s.of(1<<16, 300)
	atom := func(i int, seed uint32, side float32) kernels.Atom {
		at := func(axis int) float32 { return kernels.Uniform(3*i+axis, seed, 0, side) }
		return kernels.Atom{X: at(0), Y: at(1), Z: at(2), Kind: int32(kernels.Hash(i, seed+9) % kernels.Kinds)}
	}
	pose := func(i, axis int) float32 { return kernels.Uniform(3*i+axis, 5, 0, size) }
	energy := func(pair, at int) float32 { // of a pair of kinds: repels when near, attracts when less so
		r := (float32(at) + 4) / 8
		return (float32(pair%7+1)/r - float32(pair%5+2)) / (r * r)
	}
	return &benchmark{
		name: "dock", kernel: kernels.Dock, cfg: launch.Linear(n, 128), unit: "Gpair/s", work: float64(n) * float64(ligands*proteins) / 1e9,
		setup: func(d *device) inputs {
			ligand := filled(ligands, func(i int) kernels.Atom { return atom(i, 1, 4) })
			protein := filled(proteins, func(i int) kernels.Atom { return atom(i, 2, size) })
			table := filled(kernels.Kinds*kernels.Kinds*kernels.Steps, func(k int) float32 { return energy(k/kernels.Steps, k%kernels.Steps) })
			poses := filled(n, func(i int) vector.Float4 { return vector.Float4{X: pose(i, 0), Y: pose(i, 1), Z: pose(i, 2)} })
			out := alloc[float32](d, n)
			return inputs{lens: []int{ligands, proteins, n}, args: []any{float32(scale), upload(d, ligand), upload(d, protein),
				upload(d, table), upload(d, poses), out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			for l := range ligands {
				a := atom(l, 1, 4)
				x, y, z := a.X+pose(i, 0), a.Y+pose(i, 1), a.Z+pose(i, 2)
				for p := range proteins {
					b := atom(p, 2, size)
					r := math.Sqrt(math.Pow(float64(b.X)-float64(x), 2)+math.Pow(float64(b.Y)-float64(y), 2)+math.Pow(float64(b.Z)-float64(z), 2)) * scale
					at := int(r)
					if at >= kernels.Steps-1 {
						continue
					}
					e, pair := 0.0, int(a.Kind)*kernels.Kinds+int(b.Kind)
					e = float64(energy(pair, at))
					sum += e + (r-float64(at))*(float64(energy(pair, at+1))-e)
				}
			}
			return sum
		},
		tolerance: 1e-3, stray: 0.002,
	}
}
