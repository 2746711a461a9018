package main

import (
	"math"
	"slices"
	"sort"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

func shakeCase(s scale) *benchmark {
	const tolerance, steps, atoms = float32(1e-4), 60, kernels.ClusterAtoms
	n := s.of(1<<19, 300)
	bond := func(a, b int32, length float32) kernels.RigidBond {
		return kernels.RigidBond{A: a, B: b, Length: length}
	}
	kinds := []kernels.ClusterKind{ // water, a methyl group, a methylene group, a hydroxyl group
		{Atoms: 3, Count: 3, Bonds: [3]kernels.RigidBond{bond(0, 1, 1), bond(0, 2, 1), bond(1, 2, 1.633)}},
		{Atoms: 4, Count: 3, Bonds: [3]kernels.RigidBond{bond(0, 1, 1.09), bond(0, 2, 1.09), bond(0, 3, 1.09)}},
		{Atoms: 3, Count: 2, Bonds: [3]kernels.RigidBond{bond(0, 1, 1.09), bond(0, 2, 1.09)}},
		{Atoms: 2, Count: 1, Bonds: [3]kernels.RigidBond{bond(0, 1, 0.96)}},
	}
	kindOf := func(i int) int32 { return max(small32(i, 1, 6)-2, 0) } // half of them are water
	inverse := filled(atoms*n, func(i int) float32 {
		switch kind := kindOf(i / atoms); {
		case i%atoms > 0:
			return 1 / 1.008
		case kind == 0 || kind == 3:
			return 1 / 15.999
		}
		return 1 / 12.011
	})
	clusters := filled(n, func(i int) kernels.Cluster {
		c := kernels.Cluster{Kind: kindOf(i)}
		for k := range c.Atoms {
			c.Atoms[k] = int32(atoms*i + k)
		}
		return c
	})
	shape := [atoms][3]float32{{}, {0.8165, 0.5774, 0}, {-0.8165, 0.5774, 0}, {0, -0.4, 0.95}}
	before := filled(atoms*n, func(i int) kernels.Vec {
		at := func(axis int) float32 { return kernels.Uniform(3*(i/atoms)+axis, 2, -10, 10) + shape[i%atoms][axis] }
		return kernels.Vec{X: at(0), Y: at(1), Z: at(2)}
	})
	now := filled(atoms*n, func(i int) kernels.Vec {
		at := func(axis int) float32 { return kernels.Uniform(3*i+axis, 3, -0.1, 0.1) }
		return before[i].Add(kernels.Vec{X: at(0), Y: at(1), Z: at(2)})
	})
	return &benchmark{
		name: "shake", kernel: kernels.Shake, cfg: launch.Linear(n, 128), unit: "Gcluster/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out, failed := alloc[kernels.Vec](d, atoms*n), alloc[int32](d, 1)
			k, c := upload(d, kinds), upload(d, clusters)
			rest := []any{tolerance, steps, upload(d, inverse), upload(d, before), upload(d, now), out, failed}
			return inputs{args: append([]any{k, c}, rest...), twin: append([]any{k, n, c}, rest...), results: []result{sampled[float32](out), sampled[int32](failed)}}
		},
		want: func(r, e int) float64 {
			i := e / 3 / atoms
			kind := kinds[kindOf(i)]
			if r == 1 || e/3%atoms >= int(kind.Atoms) {
				return 0
			}
			var at [atoms]vec
			for k := range at {
				at[k] = vecOf(now[atoms*i+k])
			}
			for range steps {
				done := true
				for _, b := range kind.Bonds[:kind.Count] {
					d, length2 := at[b.A].plus(-1, at[b.B]), float64(b.Length)*float64(b.Length)
					wrong := length2 - d.dot(d)
					if math.Abs(wrong) <= float64(tolerance)*length2 {
						continue
					}
					done = false
					old := vecOf(before[atoms*i+int(b.A)]).plus(-1, vecOf(before[atoms*i+int(b.B)]))
					ma, mb := float64(inverse[atoms*i+int(b.A)]), float64(inverse[atoms*i+int(b.B)])
					g := wrong / (2 * (ma + mb) * old.dot(d))
					at[b.A], at[b.B] = at[b.A].plus(g*ma, old), at[b.B].plus(-g*mb, old)
				}
				if done {
					break
				}
			}
			return at[e/3%atoms][e%3]
		},
		tolerance: 1e-5, stray: 0.02, // bonds that are as wrong as they may be
	}
}

func thermalCase(s scale) *benchmark {
	nx, ny, nz := s.of(320, 37), s.of(256, 11), s.of(192, 7)
	const step = float32(0.02)
	materials := []kernels.Material{{Conductivity: 1, Capacity: 1}, {Conductivity: 0.1, Capacity: 0.5}, {Conductivity: 8, Capacity: 3}, {Conductivity: 2.5, Capacity: 2}, {Conductivity: 0.02, Capacity: 0.8}}
	which := func(x, y, z int) uint8 { return uint8(small32(x/5+y/7*64+z/3*4096, 1, uint32(len(materials)))) }
	cells := filled(nx*ny*nz, func(i int) uint8 { return which(i%nx, i/nx%ny, i/nx/ny) })
	start := floats(nx*ny*nz, 2, 0, 100)
	return &benchmark{
		name: "thermal_3d", kernel: kernels.Thermal3D, cfg: grid((nx+31)/32, (ny+7)/8, 32, 8), unit: "Gcell/s", work: float64(nx*ny*nz) / 1e9,
		setup: func(d *device) inputs {
			m, c, now, next := upload(d, materials), upload(d, cells), upload(d, start), alloc[float32](d, len(start))
			if d.err != nil {
				return inputs{}
			}
			field := func(b *launch.Buffer[float32]) kernels.Grid3[float32] {
				return kernels.Grid3[float32]{Data: b.Device(), NX: nx, NY: ny, NZ: nz}
			}
			solid := kernels.Solid{Materials: m.Device(), Which: kernels.Grid3[uint8]{Data: c.Device(), NX: nx, NY: ny, NZ: nz}, Temperature: field(now)}
			return inputs{args: []any{solid, step, field(next)}, twin: []any{m, c, now, nx, ny, nz, step, next}, results: each(next)}
		},
		want: func(_, i int) float64 {
			x, y, z := i%nx, i/nx%ny, i/nx/ny
			own := materials[which(x, y, z)]
			flow := 0.0
			for _, d := range [6][3]int{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}} {
				u, v, w := x+d[0], y+d[1], z+d[2]
				if u < 0 || v < 0 || w < 0 || u >= nx || v >= ny || w >= nz {
					continue
				}
				mean := 2 / (1/float64(own.Conductivity) + 1/float64(materials[which(u, v, w)].Conductivity))
				flow += mean * (float64(start[(w*ny+v)*nx+u]) - float64(start[i]))
			}
			return float64(start[i]) + float64(step)*flow/float64(own.Capacity)
		},
		tolerance: 1e-5,
	}
}

// A light is what photons leave behind, in float64.
type light struct {
	layers                           []kernels.Layer
	indices                          []float64 // of what is above, of the layers, of what is below
	nr, nz                           int
	dr, dz                           float64
	absorbed, reflected, transmitted []float64
}

func (l *light) radius(p vec) int { return min(int(math.Hypot(p[0], p[1])/l.dr), l.nr-1) }

// mirrored is the share of light that comes back from a border, by the angles on both sides.
func mirrored(n1, n2, cos float64) float64 {
	in := math.Acos(cos)
	sin := n1 / n2 * math.Sin(in)
	switch {
	case sin >= 1:
		return 1
	case n1 == n2:
		return 0
	case cos == 1:
		return (n1 - n2) / (n1 + n2) * (n1 - n2) / (n1 + n2)
	}
	out := math.Asin(sin)
	s, t := math.Sin(in-out)/math.Sin(in+out), math.Tan(in-out)/math.Tan(in+out)
	return (s*s + t*t) / 2
}

// send follows a photon to its end.
func (l *light) send(random func() float64) {
	p, dir, k := vec{}, vec{0, 0, 1}, 0
	weight := 1 - mirrored(l.indices[0], l.indices[1], 1)
	for weight > 0 {
		layer := l.layers[k]
		absorb := float64(layer.Absorb)
		total := absorb + float64(layer.Scatter)
		next := p.plus(-math.Log(random())/total, dir)
		if border, to := float64(layer.Bottom), k+1; next[2] > border || next[2] < float64(layer.Top) {
			if dir[2] < 0 {
				border, to = float64(layer.Top), k-1
			}
			p = p.plus((border-p[2])/dir[2], dir)
			p[2] = border
			n1, n2 := l.indices[k+1], l.indices[to+1]
			switch cos := math.Abs(dir[2]); {
			case random() <= mirrored(n1, n2, cos):
				dir[2] = -dir[2]
			case to < 0:
				l.reflected[l.radius(p)] += weight
				return
			case to == len(l.layers):
				l.transmitted[l.radius(p)] += weight
				return
			default:
				sin := n1 / n2
				dir = vec{dir[0] * sin, dir[1] * sin, math.Copysign(math.Sqrt(1-sin*sin*(1-cos*cos)), dir[2])}
				k = to
			}
			continue
		}
		p = next
		l.absorbed[l.radius(p)*l.nz+min(int(p[2]/l.dz), l.nz-1)] += weight * absorb / total
		weight -= weight * absorb / total
		dir = scattered(dir, float64(layer.Forward), random(), random())
		if weight < 1e-3 {
			if random() > 0.1 {
				return
			}
			weight *= 10
		}
	}
}

// scattered is a direction after a collision, by two random numbers.
func scattered(d vec, g, u, v float64) vec {
	cos := 2*u - 1
	if g != 0 {
		t := (1 - g*g) / (1 - g + 2*g*u)
		cos = (1 + g*g - t*t) / (2 * g)
	}
	cos = min(max(cos, -1), 1)
	sin, side := math.Sqrt(1-cos*cos), math.Sqrt(1-d[2]*d[2])
	a, b := sin*math.Cos(2*math.Pi*v), sin*math.Sin(2*math.Pi*v)
	if math.Abs(d[2]) > 0.99999 {
		return vec{a, b, math.Copysign(1, d[2]) * cos}
	}
	return vec{(a*d[0]*d[2]-b*d[1])/side + d[0]*cos, (a*d[1]*d[2]+b*d[0])/side + d[1]*cos, d[2]*cos - a*side}
}

func photonCase(s scale) *benchmark {
	n := s.of(1<<16, 150)
	const photons, nr, nz = 2, 60, 50
	const dr, dz = float32(0.05), float32(0.04)
	layers := []kernels.Layer{
		{Index: 1.37, Absorb: 1.5, Scatter: 8, Forward: 0.8, Top: 0, Bottom: 0.25},
		{Index: 1.37, Absorb: 0.8, Scatter: 4, Forward: 0, Top: 0.25, Bottom: 0.6},
		{Index: 1.44, Absorb: 2, Scatter: 10, Forward: 0.9, Top: 0.6, Bottom: 1.5},
		{Index: 1.33, Absorb: 1, Scatter: 3, Forward: -0.3, Top: 1.5, Bottom: 2},
	}
	states := filled(n, func(i int) kernels.XorShift { return kernels.XorShift(kernels.Hash(i, 1) | 1) })
	total := sync.OnceValue(func() *light {
		l := &light{layers: layers, indices: []float64{1, 0, 0, 0, 0, float64(float32(1.2))}, nr: nr, nz: nz, dr: float64(dr), dz: float64(dz),
			absorbed: make([]float64, nr*nz), reflected: make([]float64, nr), transmitted: make([]float64, nr)}
		for k, layer := range layers {
			l.indices[k+1] = float64(layer.Index)
		}
		for _, x := range states {
			for range photons {
				l.send(func() float64 {
					x ^= x << 13
					x ^= x >> 17
					x ^= x << 5
					return float64(x>>8+1) * 0x1p-24
				})
			}
		}
		return l
	})
	return &benchmark{
		name: "mc_photon", kernel: kernels.MCPhoton, cfg: launch.Linear(n, 128), unit: "Gphoton/s", work: float64(n*photons) / 1e9,
		setup: func(d *device) inputs {
			l, random := upload(d, layers), changed(d, states)
			a, r, t := alloc[float32](d, nr*nz), alloc[float32](d, nr), alloc[float32](d, nr)
			if d.err != nil {
				return inputs{}
			}
			const above, below = float32(1), float32(1.2)
			return inputs{
				args: []any{kernels.Tissue{Above: above, Below: below, Layers: l.Device()}, photons, random,
					kernels.PhotonScores{NR: nr, NZ: nz, DR: dr, DZ: dz, Absorbed: a.Device(), Reflected: r.Device(), Transmitted: t.Device()}},
				twin: []any{above, below, len(layers), l, photons, n, random, nr, nz, dr, dz, a, r, t}, results: each(a, r, t),
			}
		},
		want: func(r, i int) float64 {
			return [3][]float64{total().absorbed, total().reflected, total().transmitted}[r][i]
		},
		tolerance: 5e-3, approximate: 2e-2, stray: 0.05, // ways that part from each other
	}
}

func unionizedCase(s scale) *benchmark {
	nuclides, points, n := s.of(64, 12), s.of(1500, 40), s.of(1<<20, 300)
	const seed = 1070
	pointAt := func(nuclide, p int) kernels.Point {
		at := func(f int) float64 { return uniform((nuclide*points+p)*6+f, 2, 0, 10) }
		e := (float64(p) + uniform(nuclide*points+p, 1, 0.05, 0.95)) / float64(points)
		return kernels.Point{Energy: e, Total: at(1), Elastic: at(2), Absorption: at(3), Fission: at(4), Nu: at(5)}
	}
	table := filled(nuclides*points, func(i int) kernels.Point { return pointAt(i/points, i%points) })
	energies := filled(len(table), func(i int) float64 { return table[i].Energy })
	slices.Sort(energies)
	index := make([]int32, nuclides*len(energies))
	below := make([]int32, nuclides)
	for u, e := range energies {
		for k := range below {
			for int(below[k]) < points-1 && table[k*points+int(below[k])+1].Energy <= e {
				below[k]++
			}
		}
		copy(index[u*nuclides:], below)
	}
	var first, members []int32
	for m, size := range []int{34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9} {
		first = append(first, int32(len(members)))
		for k := range size {
			members = append(members, int32((m*7+k*5)%nuclides))
		}
	}
	first = append(first, int32(len(members)))
	density := doubles(len(members), 3, 0.1, 1)
	// rolls are the random numbers, two for each look-up.
	rolls := sync.OnceValue(func() []float64 {
		all, x := make([]float64, 2*n), uint64(seed)
		for i := range all {
			x = (x*2806196910506780709 + 1) % (1 << 63)
			all[i] = float64(x) / (1 << 63)
		}
		return all
	})
	return &benchmark{
		name: "xs_unionized", kernel: kernels.XSUnionized, cfg: launch.Linear(n, 128), unit: "Glook-up/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			e, u, t := upload(d, energies), upload(d, index), upload(d, table)
			f, m, w, out := upload(d, first), upload(d, members), upload(d, density), alloc[uint8](d, n)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{uint64(seed), kernels.UnionGrid{Energies: e.Device(), Index: u.Device()},
					kernels.Nuclides{Count: nuclides, Points: points, Grid: t.Device()},
					kernels.Mixtures{First: f.Device(), Nuclide: m.Device(), Density: w.Device()}, out},
				twin: []any{n, uint64(seed), len(energies), e, u, nuclides, points, t, f, m, w, out}, results: each(out),
			}
		},
		want: func(_, i int) float64 {
			e, roll, material := rolls()[2*i], rolls()[2*i+1], 0
			for sum := kernels.ReactorShares[0]; material < 11 && roll >= sum; sum += kernels.ReactorShares[material] {
				material++
			}
			var sums [5]float64
			for k := first[material]; k < first[material+1]; k++ {
				own := table[int(members[k])*points : (int(members[k])+1)*points]
				p := min(max(sort.Search(points, func(p int) bool { return own[p].Energy > e }), 1), points-1)
				a, b := own[p-1], own[p]
				f := (e - a.Energy) / (b.Energy - a.Energy)
				for c, ends := range [5][2]float64{{a.Total, b.Total}, {a.Elastic, b.Elastic}, {a.Absorption, b.Absorption}, {a.Fission, b.Fission}, {a.Nu, b.Nu}} {
					sums[c] += density[k] * (ends[0]*(1-f) + ends[1]*f)
				}
			}
			return float64(slices.Index(sums[:], slices.Max(sums[:])) + 1)
		},
	}
}

func haltonCase(s scale) *benchmark {
	dims, points := s.of(64, 40), s.of(1<<18, 60)
	const skip = 1000
	first, digits := []int32{0}, []int16(nil)
	for base := 2; len(first) <= dims; base++ {
		prime := true
		for f := 2; f*f <= base; f++ {
			prime = prime && base%f != 0
		}
		if !prime {
			continue
		}
		own := make([]int16, base)
		for k := range own {
			own[k] = int16(k)
		}
		for k := base - 1; k > 1; k-- { // 0 stays
			j := 1 + small32(base*512+k, 1, uint32(k))
			own[k], own[j] = own[j], own[k]
		}
		digits = append(digits, own...)
		first = append(first, int32(len(digits)))
	}
	return &benchmark{
		name: "halton", kernel: kernels.Halton, cfg: grid((dims+31)/32, (points+7)/8, 32, 8), unit: "Gnumber/s", work: float64(dims*points) / 1e9,
		setup: func(d *device) inputs {
			f, all, out := upload(d, first), upload(d, digits), alloc[float32](d, dims*points)
			return inputs{args: []any{skip, points, f, all, out}, twin: []any{skip, points, dims, f, all, out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			own := digits[first[e%dims]:first[e%dims+1]]
			for n, scale := skip+e/dims, 1.0; n > 0; n /= len(own) {
				scale /= float64(len(own))
				sum += scale * float64(own[n%len(own)])
			}
			return sum
		},
		tolerance: 1e-6,
	}
}
