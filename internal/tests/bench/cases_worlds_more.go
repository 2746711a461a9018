package main

import (
	"math"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

func d3q19Case(s scale) *benchmark {
	nx, ny, nz := s.of(128, 37), s.of(128, 10), s.of(96, 7)
	cells := nx * ny * nz
	const omega = float32(1.3)
	lid := kernels.Vec{X: 0.05, Y: -0.02, Z: 0.01}
	flags := filled(cells, func(i int) kernels.LatticeFlag {
		switch z := i / nx / ny; {
		case z == nz-1:
			return kernels.LatticeLid
		case z == 0 || small32(i/3, 1, 40) == 0:
			return kernels.LatticeWall
		}
		return kernels.LatticeFluid
	})
	from := filled(19*cells, func(i int) float32 { return kernels.D3Q19Weight[i/cells] * kernels.Uniform(i, 2, 0.9, 1.1) })
	// came is what comes from the opposite of a direction.
	came := func(x, y, z int, c [3]int, q, opposite int) float64 {
		at := ((z-c[2]+nz)%nz*ny+(y-c[1]+ny)%ny)*nx + (x-c[0]+nx)%nx
		if flags[at] == kernels.LatticeFluid {
			return float64(from[q*cells+at])
		}
		back := float64(from[opposite*cells+(z*ny+y)*nx+x])
		if flags[at] == kernels.LatticeLid {
			back += 6 * float64(kernels.D3Q19Weight[q]) * vecOf(lid).dot(vec{float64(c[0]), float64(c[1]), float64(c[2])})
		}
		return back
	}
	return &benchmark{
		name: "lbm_d3q19", kernel: kernels.LBMD3Q19, unit: "Gcell/s", work: float64(cells) / 1e9,
		cfg: launch.Config{Grid: launch.Dim3{X: (nx + 31) / 32, Y: (ny + 3) / 4, Z: nz}, Block: launch.Dim3{X: 32, Y: 4, Z: 1}},
		setup: func(d *device) inputs {
			kinds, src, dst := upload(d, flags), upload(d, from), alloc[float32](d, 19*cells)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Lattice3{NX: nx, NY: ny, NZ: nz, Flags: kinds.Device()}, omega, lid, src, dst},
				twin: []any{nx, ny, nz, kinds, omega, lid, src, dst}, results: each(dst),
			}
		},
		want: func(_, e int) float64 {
			i := e % cells
			x, y, z := i%nx, i/nx%ny, i/nx/ny
			if flags[i] != kernels.LatticeFluid {
				return 0
			}
			var f [19]float64
			var rho float64
			var u vec
			for q, c := range kernels.D3Q19 {
				opposite := 0
				for k, to := range kernels.D3Q19 {
					if to == [3]int{-c[0], -c[1], -c[2]} {
						opposite = k
					}
				}
				f[q] = came(x, y, z, c, q, opposite)
				rho += f[q]
				u = u.plus(f[q], vec{float64(c[0]), float64(c[1]), float64(c[2])})
			}
			u = vec{}.plus(1/rho, u)
			q := e / cells
			c := kernels.D3Q19[q]
			cu := u.dot(vec{float64(c[0]), float64(c[1]), float64(c[2])})
			weight := [4]float64{1. / 3, 1. / 18, 1. / 36}[c[0]*c[0]+c[1]*c[1]+c[2]*c[2]]
			return f[q] + float64(omega)*(weight*rho*(1+3*cu+4.5*cu*cu-1.5*u.dot(u))-f[q])
		},
		tolerance: 3e-7,
	}
}

func advectCase(s scale) *benchmark {
	n := [3]int{s.of(176, 37), s.of(160, 10), s.of(144, 7)}
	cells := n[0] * n[1] * n[2]
	const step = float32(0.8)
	smoke, heat := floats(cells, 1, 0, 1), floats(cells, 2, -1, 1)
	var sizes [3][3]int
	var origins [3]kernels.Vec
	var winds [3][]float32
	for axis := range 3 {
		sizes[axis] = n
		sizes[axis][axis]++
		half := [3]float32{0.5, 0.5, 0.5}
		half[axis] = 0
		origins[axis] = kernels.Vec{X: half[0], Y: half[1], Z: half[2]}
		size := sizes[axis]
		winds[axis] = floats(size[0]*size[1]*size[2], uint32(3+axis), -2.5, 2.5)
	}
	center := kernels.Vec{X: 0.5, Y: 0.5, Z: 0.5}
	quantity := func(size [3]int, origin kernels.Vec, b *launch.Buffer[float32]) kernels.Quantity {
		return kernels.Quantity{NX: size[0], NY: size[1], NZ: size[2], Origin: origin, Values: b.Device()}
	}
	between := func(size [3]int, origin kernels.Vec, values []float32, p vec) (sum float64) {
		p = p.plus(-1, vecOf(origin))
		for corner := range 8 {
			at, weight := 0, 1.0
			for axis := 2; axis >= 0; axis-- {
				i := int(math.Floor(p[axis])) + corner>>axis&1
				weight *= 1 - math.Abs(p[axis]-float64(i))
				at = at*size[axis] + min(max(i, 0), size[axis]-1)
			}
			sum += weight * float64(values[at])
		}
		return sum
	}
	wind := func(p vec) (v vec) {
		for axis := range v {
			v[axis] = between(sizes[axis], origins[axis], winds[axis], p)
		}
		return v
	}
	return &benchmark{
		name: "advect_mac", kernel: kernels.AdvectMAC, unit: "Gcell/s", work: float64(cells) / 1e9,
		cfg: launch.Config{Grid: launch.Dim3{X: (n[0] + 31) / 32, Y: (n[1] + 3) / 4, Z: (n[2] + 1) / 2}, Block: launch.Dim3{X: 32, Y: 4, Z: 2}},
		setup: func(d *device) inputs {
			var faces [3]*launch.Buffer[float32]
			for axis, w := range winds {
				faces[axis] = upload(d, w)
			}
			a, b, nextA, nextB := upload(d, smoke), upload(d, heat), alloc[float32](d, cells), alloc[float32](d, cells)
			if d.err != nil {
				return inputs{}
			}
			face := func(axis int) kernels.Quantity { return quantity(sizes[axis], origins[axis], faces[axis]) }
			return inputs{
				args:    []any{kernels.Wind{U: face(0), V: face(1), W: face(2)}, step, quantity(n, center, a), quantity(n, center, b), nextA, nextB},
				twin:    []any{n[0], n[1], n[2], faces[0], faces[1], faces[2], step, a, b, nextA, nextB},
				results: each(nextA, nextB),
			}
		},
		want: func(r, i int) float64 {
			p := vecOf(center).plus(1, vec{float64(i % n[0]), float64(i / n[0] % n[1]), float64(i / n[0] / n[1])})
			middle := p.plus(-float64(step)/2, wind(p))
			return between(n, center, [2][]float32{smoke, heat}[r], p.plus(-float64(step), wind(middle)))
		},
		tolerance: 1e-3,
	}
}

// A flow is a kernels.Flow in float64: density, velocity and pressure.
type flow [4]float64

// conserved are mass, momentum and energy.
func (f flow) conserved() [4]float64 {
	return [4]float64{f[0], f[0] * f[1], f[0] * f[2], f[3]/0.4 + f[0]*(f[1]*f[1]+f[2]*f[2])/2}
}

// towards is half the limited slope of the middle of three.
func towards(a, b, c flow) (half flow) {
	for k := range half {
		if r, s := b[k]-a[k], c[k]-b[k]; r*s > 0 {
			half[k] = 1 / (1/r + 1/s)
		}
	}
	return half
}

// faceFlow is the HLLC flux along the first axis between the second and the third of four cells.
func faceFlow(f [4]flow) (flux [4]float64) {
	l, r := f[1], f[2]
	up, down := towards(f[0], f[1], f[2]), towards(f[1], f[2], f[3])
	for k := range l {
		l[k] += up[k]
		r[k] -= down[k]
	}
	cl, cr := math.Sqrt(1.4*l[3]/l[0]), math.Sqrt(1.4*r[3]/r[0])
	sl, sr := min(l[1]-cl, r[1]-cr), max(l[1]+cl, r[1]+cr)
	contact := (r[3] - l[3] + l[0]*l[1]*(sl-l[1]) - r[0]*r[1]*(sr-r[1])) / (l[0]*(sl-l[1]) - r[0]*(sr-r[1]))
	side, s := l, sl
	if contact < 0 {
		side, s = r, sr
	}
	u := side.conserved()
	for k := range flux {
		flux[k] = side[1] * u[k]
	}
	flux[1] += side[3]
	flux[3] += side[3] * side[1]
	if sl >= 0 || sr <= 0 {
		return flux
	}
	density := side[0] * (s - side[1]) / (s - contact)
	star := [4]float64{density, density * contact, density * side[2], 0}
	star[3] = density * (u[3]/side[0] + (contact-side[1])*(contact+side[3]/(side[0]*(s-side[1]))))
	for k := range flux {
		flux[k] += s * (star[k] - u[k])
	}
	return flux
}

func sedovCase(s scale) *benchmark {
	w, h := s.of(2048, 75), s.of(1024, 45)
	const ratio = float32(0.05)
	cells := filled(w*h, func(i int) kernels.Gas {
		x, y := float64(i%w-w/2), float64(i/w-h/2)
		at := func(seed uint32, lo, hi float32) float64 { return uniform(i, seed, lo, hi) }
		f := flow{at(1, 0.9, 1.1), at(2, -0.5, 0.5), at(3, -0.5, 0.5), at(4, 0.9, 1.1)}
		if r := math.Hypot(x, y); r < float64(h)/4 {
			f[0], f[1], f[2], f[3] = 0.3*f[0], f[1]+9*x/(r+1), f[2]+9*y/(r+1), 20*f[3]
		}
		u := f.conserved()
		return kernels.Gas{D: float32(u[0]), MX: float32(u[1]), MY: float32(u[2]), E: float32(u[3])}
	})
	at := func(x, y int) flow {
		g := cells[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]
		d, mx, my, e := float64(g.D), float64(g.MX), float64(g.MY), float64(g.E)
		return flow{d, mx / d, my / d, 0.4 * (e - (mx*mx+my*my)/d/2)}
	}
	return &benchmark{
		name: "sedov_flux", kernel: kernels.SedovFlux, cfg: grid((w+31)/32, (h+7)/8, kernels.SedovW, kernels.SedovH), unit: "Gcell/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			now, next := upload(d, cells), alloc[kernels.Gas](d, w*h)
			return inputs{args: []any{w, h, ratio, now, next}, results: []result{sampled[float32](next)}}
		},
		want: func(_, e int) float64 {
			x, y, k := e/4%w, e/4/w, e%4
			var row, column [5]flow
			for i := range row {
				row[i], column[i] = at(x+i-2, y), at(x, y+i-2)
				column[i][1], column[i][2] = column[i][2], column[i][1]
			}
			across := [4]int{0, 2, 1, 3}[k]
			change := faceFlow([4]flow(row[:4]))[k] - faceFlow([4]flow(row[1:]))[k]
			change += faceFlow([4]flow(column[:4]))[across] - faceFlow([4]flow(column[1:]))[across]
			return at(x, y).conserved()[k] + float64(ratio)*change
		},
		tolerance: 1e-4,
	}
}

func keplerCase(s scale) *benchmark {
	n, steps := s.of(40_000, 30), s.of(256, 150)
	const planets = 8
	orbit := func(i int, seed uint32, axis [2]float32, eccentric, inclined float32) kernels.Orbit {
		angle := func(k uint32) float64 { return uniform(i, seed+k, 0, 2*math.Pi) }
		a := uniform(i, seed, axis[0], axis[1])
		return kernels.Orbit{
			Axis: a, Eccentricity: uniform(i, seed+1, 0, eccentric), Inclination: uniform(i, seed+2, 0, inclined),
			Node: angle(3), Perihelion: angle(4), Anomaly: angle(5), Motion: 0.01720209895 * math.Pow(a, -1.5),
		}
	}
	place := func(o kernels.Orbit, t float64) vec {
		mean := math.Mod(o.Anomaly+o.Motion*t, 2*math.Pi)
		e := mean
		for range 60 { // by halves would do, too
			e -= (e - o.Eccentricity*math.Sin(e) - mean) / (1 - o.Eccentricity*math.Cos(e))
			if math.Abs(e-o.Eccentricity*math.Sin(e)-mean) < 1e-14 {
				break
			}
		}
		p := vec{o.Axis * (math.Cos(e) - o.Eccentricity), o.Axis * math.Sqrt(1-o.Eccentricity*o.Eccentricity) * math.Sin(e)}
		turn := func(p vec, i, j int, angle float64) vec {
			sin, cos := math.Sincos(angle)
			p[i], p[j] = cos*p[i]-sin*p[j], sin*p[i]+cos*p[j]
			return p
		}
		return turn(turn(turn(p, 0, 1, o.Perihelion), 1, 2, o.Inclination), 0, 1, o.Node)
	}
	asteroids := filled(n, func(i int) kernels.Orbit { return orbit(i, 1, [2]float32{0.8, 3.5}, 0.9, 0.5) })
	times := filled(steps, func(k int) float64 { return 13.5 * float64(k) })
	places := filled(steps*planets, func(i int) kernels.Place {
		k := i % planets
		axis := float32(0.4 * math.Pow(1.7, float64(k)))
		p := place(orbit(k, 21, [2]float32{axis, axis * 1.01}, 0.1, 0.1), times[i/planets])
		return kernels.Place{X: p[0], Y: p[1], Z: p[2]}
	})
	return &benchmark{
		name: "kepler_ephem", kernel: kernels.KeplerEphem, cfg: grid(n, 1, kernels.EphemThreads, 1), unit: "Gplace/s", work: float64(n*steps) / 1e9,
		setup: func(d *device) inputs {
			orbits, at, all := upload(d, asteroids), upload(d, times), upload(d, places)
			distance, when, planet := alloc[float64](d, n), alloc[int32](d, n), alloc[int32](d, n)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args:    []any{orbits, at, all, kernels.Encounters{Distance: distance.Device(), Time: when.Device(), Planet: planet.Device()}},
				twin:    []any{orbits, steps, at, planets, all, distance, when, planet},
				results: []result{sampled[float64](distance), sampled[int32](when), sampled[int32](planet)},
			}
		},
		want: func(r, i int) float64 {
			least, at := math.Inf(1), 0
			for k, t := range times {
				p := place(asteroids[i], t)
				for j := range planets {
					q := places[k*planets+j]
					d := p.plus(-1, vec{q.X, q.Y, q.Z})
					if far := math.Sqrt(d.dot(d)); far < least {
						least, at = far, k*planets+j
					}
				}
			}
			return [3]float64{least, float64(at / planets), float64(at % planets)}[r]
		},
		tolerance: 1e-10,
	}
}
