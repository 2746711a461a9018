package main

import (
	"math"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// chemistryCases are kernels of molecules, heat and transport.
func chemistryCases(s scale) []*benchmark {
	return []*benchmark{
		autodockCase(s), dihedralCase(s), neighborsCase(s), shakeCase(s), thermalCase(s), photonCase(s), unionizedCase(s), haltonCase(s),
	}
}

// A vec is a kernels.Vec in float64.
type vec [3]float64

func vecOf(v kernels.Vec) vec { return vec{float64(v.X), float64(v.Y), float64(v.Z)} }

// plus is a + f*b.
func (a vec) plus(f float64, b vec) vec { return vec{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]} }
func (a vec) dot(b vec) float64         { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// rotation is the matrix of a unit quaternion.
func rotation(q kernels.Quaternion) [3]vec {
	w, x, y, z := float64(q.W), float64(q.X), float64(q.Y), float64(q.Z)
	return [3]vec{
		{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)},
	}
}

// mapsEnergy is the energy of an atom at p, in cells of maps with the sides n.
func mapsEnergy(n [3]int, maps []float32, types int, a kernels.LigandAtom, p vec) (sum float64) {
	far, out := 0.0, false
	for k, x := range p {
		last := float64(n[k] - 1)
		out = out || x < 0 || x >= last
		beyond := max(-x, x-last, 0)
		far += beyond * beyond
	}
	if out {
		return 1e3 * (1 + far)
	}
	size := n[0] * n[1] * n[2]
	for corner := range 8 {
		at, weight := 0, 1.0
		for k := 2; k >= 0; k-- {
			side := corner >> k & 1
			at = at*n[k] + int(p[k]) + side
			weight *= math.Abs(1 - float64(side) - (p[k] - math.Floor(p[k])))
		}
		sum += weight * (float64(maps[int(a.Type)*size+at]) + float64(a.Charge)*float64(maps[types*size+at]))
	}
	return sum
}

func autodockCase(s scale) *benchmark {
	const types, steps = 6, 128
	const spacing, perUnit = float32(0.375), float32(steps / 8.)
	n := [3]int{s.of(60, 12), s.of(56, 11), s.of(64, 13)}
	count, conformers, atoms := s.of(100_000, 30), s.of(500, 4), s.of(42, 19)
	maps := floats((types+1)*n[0]*n[1]*n[2], 1, -1, 1)
	table := filled(types*types*steps, func(i int) float32 { return kernels.Uniform(i, 2, -1, 1) * float32(steps-1-i%steps) / steps })
	list := filled(atoms, func(i int) kernels.LigandAtom {
		return kernels.LigandAtom{Type: small32(i, 3, types), Charge: kernels.Uniform(i, 4, -0.5, 0.5)}
	})
	var pairs [][2]uint8
	for i := range atoms {
		for j := i + 4; j < atoms; j++ {
			pairs = append(pairs, [2]uint8{uint8(i), uint8(j)})
		}
	}
	places := vecs(conformers*atoms, 5, -4, 4)
	origin := kernels.Vec{X: -1, Y: 2, Z: 0.5}
	poses := filled(count, func(i int) kernels.LigandPose {
		var q, c [4]float32
		length := float32(0)
		for k := range q {
			q[k] = kernels.Uniform(4*i+k, 6, -1, 1)
			length += q[k] * q[k]
			c[k] = kernels.Uniform(4*i+k, 7, 0.2, 0.8) * spacing
		}
		length = 1 / float32(math.Sqrt(float64(length)))
		return kernels.LigandPose{
			Turn:   kernels.Quaternion{W: q[0] * length, X: q[1] * length, Y: q[2] * length, Z: q[3] * length},
			Center: origin.Add(kernels.Vec{X: c[0] * float32(n[0]), Y: c[1] * float32(n[1]), Z: c[2] * float32(n[2])}), Conformer: small32(i, 8, uint32(conformers)),
		}
	})
	return &benchmark{
		name: "autodock_grid", kernel: kernels.AutodockGrid, cfg: grid(count, 1, kernels.AutodockThreads, 1), unit: "Gpose/s", work: float64(count) / 1e9,
		setup: func(d *device) inputs {
			m, t, a, p := upload(d, maps), upload(d, table), upload(d, list), upload(d, pairs)
			c, all, energy := upload(d, places), upload(d, poses), alloc[float32](d, count)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{
					kernels.GridMaps{NX: n[0], NY: n[1], NZ: n[2], Types: types, Origin: origin, Spacing: spacing, Energy: m.Device()},
					kernels.PairTable{Types: types, Steps: steps, Scale: perUnit, Energy: t.Device()},
					kernels.Ligand{Atoms: a.Device(), Pairs: p.Device(), Places: c.Device()}, all, energy,
				},
				twin: []any{struct {
					NX, NY, NZ, Types int32
					Origin            kernels.Vec
					Spacing           float32
				}{int32(n[0]), int32(n[1]), int32(n[2]), types, origin, spacing}, m, types, steps, perUnit, t, atoms, a, len(pairs), p, c, all, energy},
				results: each(energy),
			}
		},
		want: func(_, i int) (sum float64) {
			r, base := rotation(poses[i].Turn), int(poses[i].Conformer)*atoms
			for k, a := range list {
				v := vecOf(places[base+k])
				p := vec{r[0].dot(v), r[1].dot(v), r[2].dot(v)}.plus(1, vecOf(poses[i].Center)).plus(-1, vecOf(origin))
				sum += mapsEnergy(n, maps, types, a, vec{}.plus(1/float64(spacing), p))
			}
			for _, p := range pairs {
				d := vecOf(places[base+int(p[0])]).plus(-1, vecOf(places[base+int(p[1])]))
				whole, part := math.Modf(math.Sqrt(d.dot(d)) * float64(perUnit))
				if k := int(list[p[0]].Type*types+list[p[1]].Type)*steps + int(whole); whole < steps-1 {
					sum += float64(table[k])*(1-part) + float64(table[k+1])*part
				}
			}
			return sum
		},
		tolerance: 1e-3, approximate: 2e-3, stray: 0.005, // atoms at the side of the box
	}
}

func dihedralCase(s scale) *benchmark {
	const types = 20
	n, count := s.of(1<<19, 200), s.of(1<<20, 300)
	positions := filled(n, func(i int) kernels.Vec { // a helix, with noise
		at := func(axis int, v float64) float32 { return float32(v) + kernels.Uniform(3*i+axis, 1, -0.15, 0.15) }
		return kernels.Vec{X: at(0, math.Cos(1.9*float64(i))), Y: at(1, math.Sin(1.9*float64(i))), Z: at(2, 0.6*float64(i%256))}
	})
	torsions := filled(count, func(k int) kernels.Torsion {
		a := int32(k * (n - 5) / count)
		return kernels.Torsion{Atoms: [4]int32{a, a + 1, a + 2, a + 3 + int32(k&1)}, Type: small32(k, 2, types)}
	})
	first, terms := []int32{0}, []kernels.FourierTerm(nil)
	for range types {
		for k := range 1 + small32(len(first), 3, 4) {
			i := len(terms)
			terms = append(terms, kernels.FourierTerm{Force: kernels.Uniform(i, 4, 0.1, 2), Phase: kernels.Uniform(i, 5, 0, 3), Periods: k + 1})
		}
		first = append(first, int32(len(terms)))
	}
	// of is the energy of a torsion, its slope, and how the angle depends on each atom (Blondel and Karplus).
	of := func(t kernels.Torsion) (energy, slope float64, by [4]vec) {
		var p [4]vec
		for k, a := range t.Atoms {
			p[k] = vecOf(positions[a])
		}
		f, g, h := p[0].plus(-1, p[1]), p[1].plus(-1, p[2]), p[3].plus(-1, p[2])
		a, b := f.cross(g), h.cross(g)
		a2, b2, long := a.dot(a), b.dot(b), math.Sqrt(g.dot(g))
		angle := math.Atan2(b.cross(a).dot(g)/long, a.dot(b))
		for _, term := range terms[first[t.Type]:first[t.Type+1]] {
			force, n, phase := float64(term.Force), float64(term.Periods), float64(term.Phase)
			energy += force * (1 + math.Cos(n*angle-phase))
			slope -= force * n * math.Sin(n*angle-phase)
		}
		along := vec{}.plus(f.dot(g)/(a2*long), a).plus(-h.dot(g)/(b2*long), b)
		by = [4]vec{vec{}.plus(-long/a2, a), along.plus(long/a2, a), vec{}.plus(-1, along).plus(-long/b2, b), vec{}.plus(long/b2, b)}
		return energy, slope, by
	}
	forces := sync.OnceValue(func() []vec {
		all := make([]vec, n)
		for _, t := range torsions {
			_, slope, by := of(t)
			for k, a := range t.Atoms {
				all[a] = all[a].plus(-slope, by[k])
			}
		}
		return all
	})
	return &benchmark{
		name: "dihedral_forces", kernel: kernels.DihedralForces, cfg: launch.Linear(count, 128), unit: "Gtorsion/s", work: float64(count) / 1e9,
		setup: func(d *device) inputs {
			list, f, t := upload(d, torsions), upload(d, first), upload(d, terms)
			p, out, energies := upload(d, positions), alloc[kernels.Vec](d, n), alloc[float32](d, count)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{list, kernels.TorsionTypes{First: f.Device(), Terms: t.Device()}, p, out, energies},
				twin: []any{count, list, f, t, p, out, energies}, results: []result{sampled[float32](out), sampled[float32](energies)}}
		},
		want: func(r, i int) float64 {
			if r == 0 {
				return forces()[i/3][i%3]
			}
			energy, _, _ := of(torsions[i])
			return energy
		},
		tolerance: 1e-3, approximate: 1e-2,
	}
}

func neighborsCase(s scale) *benchmark {
	const width, reach = float32(1.1), float32(1.05)
	const most = 24
	side := [3]int{s.of(64, 5), s.of(48, 4), s.of(40, 3)}
	cells := side[0] * side[1] * side[2]
	start, end := make([]int32, cells), make([]int32, cells)
	n := int32(0)
	for c := range cells {
		start[c] = n
		n += 1 + small32(c, 1, 7)
		end[c] = n
	}
	atoms := filled(int(n), func(i int) int32 {
		if last := int(n) &^ 7; i < last {
			return int32(i ^ 5)
		}
		return int32(i)
	})
	points := make([]kernels.Vec, n)
	parallel(cells, func(c int) {
		for _, i := range atoms[start[c]:end[c]] {
			at := func(axis, cell int) float32 {
				return (float32(cell) + kernels.Uniform(3*int(i)+axis, 2, 0.01, 0.99)) * width
			}
			points[i] = kernels.Vec{X: at(0, c%side[0]), Y: at(1, c/side[0]%side[1]), Z: at(2, c/side[0]/side[1])}
		}
	})
	cellOf := func(v float32, n int) int { return min(int(v/width), n-1) }
	near := func(i int) (list []int32) {
		p := vecOf(points[i])
		at := [3]int{cellOf(points[i].X, side[0]), cellOf(points[i].Y, side[1]), cellOf(points[i].Z, side[2])}
		for k := range 27 {
			c := 0
			for axis, step := range [3]int{k / 9, k / 3 % 3, k % 3} { // z, y and x
				n := side[2-axis]
				c = c*n + (at[2-axis]+step-1+n)%n
			}
			for _, j := range atoms[start[c]:end[c]] {
				square := 0.0
				for axis, v := range vecOf(points[j]) {
					box := float64(float32(side[axis]) * width)
					d := math.Remainder(v-p[axis], box)
					square += d * d
				}
				if int(j) != i && square < float64(reach)*float64(reach) {
					list = append(list, j)
				}
			}
		}
		return list
	}
	return &benchmark{
		name: "cell_neighbors", kernel: kernels.CellNeighbors, cfg: launch.Linear(int(n), 128), unit: "Gatom/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			a, b, c, p := upload(d, start), upload(d, end), upload(d, atoms), upload(d, points)
			counts, list := alloc[int32](d, int(n)), alloc[int32](d, most*int(n))
			if d.err != nil {
				return inputs{}
			}
			box := kernels.Vec{X: float32(side[0]) * width, Y: float32(side[1]) * width, Z: float32(side[2]) * width}
			return inputs{
				args: []any{kernels.PeriodicCells{NX: side[0], NY: side[1], NZ: side[2], Box: box, Start: a.Device(), End: b.Device(), Atoms: c.Device()},
					reach, most, p, counts, list},
				twin: []any{n, side[0], side[1], side[2], box, a, b, c, reach, most, p, counts, list}, results: each(counts, list),
			}
		},
		want: func(r, e int) float64 {
			list := near(e % int(n))
			if r == 0 {
				return float64(len(list))
			}
			if k := e / int(n); k < len(list) {
				return float64(list[k])
			}
			return 0
		},
		stray: 0.005, // points as far as reach
	}
}
