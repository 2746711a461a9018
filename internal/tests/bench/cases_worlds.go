package main

import (
	"math"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// worldCases are kernels of simulations, games, astronomy and the weather.
func worldCases(s scale) []*benchmark {
	return []*benchmark{
		sphCase(s), barnesHutCase(s), clothCase(s), raymarchCase(s), d3q19Case(s), advectCase(s), sedovCase(s), keplerCase(s),
	}
}

func sphCase(s scale) *benchmark {
	n := [3]int{s.of(40, 4), s.of(32, 3), s.of(28, 3)}
	const size, reach, mass, rest, stiffness, viscosity = 1.25, 1.2, 1.1, 5.5, 4, 0.7
	gravity := kernels.Vec{Y: -9.8}
	cells := n[0] * n[1] * n[2]
	start, end := make([]int32, cells), make([]int32, cells)
	var in []int // the cell of each particle
	for c := range cells {
		start[c] = int32(len(in))
		for range 3 + small32(c, 1, 11) {
			in = append(in, c)
		}
		end[c] = int32(len(in))
	}
	particles := filled(len(in), func(i int) kernels.FluidParticle {
		c := in[i]
		at := func(axis, cell int) float32 {
			return size * (float32(cell) + kernels.Uniform(3*i+axis, 2, 0.001, 0.999))
		}
		speed := func(axis int) float32 { return kernels.Uniform(3*i+axis, 3, -2, 2) }
		return kernels.FluidParticle{
			Pos: kernels.Vec{X: at(0, c%n[0]), Y: at(1, c/n[0]%n[1]), Z: at(2, c/n[0]/n[1])},
			Vel: kernels.Vec{X: speed(0), Y: speed(1), Z: speed(2)}, Density: kernels.Uniform(i, 4, 4, 7),
		}
	})
	pressure := func(density float32) float64 { return stiffness * max(math.Pow(float64(density)/rest, 7)-1, 0) }
	fluid := kernels.Fluid{Reach: reach, Mass: mass, Rest: rest, Stiffness: stiffness, Viscosity: viscosity}
	return &benchmark{
		name: "sph_density", kernel: kernels.SPHDensity, cfg: launch.Linear(len(in), 128), unit: "Gparticle/s", work: float64(len(in)) / 1e9,
		setup: func(d *device) inputs {
			from, to, all := upload(d, start), upload(d, end), upload(d, particles)
			densities, forces := alloc[float32](d, len(in)), alloc[kernels.Vec](d, len(in))
			if d.err != nil {
				return inputs{}
			}
			g := kernels.FluidGrid{NX: n[0], NY: n[1], NZ: n[2], Size: size, Start: from.Device(), End: to.Device()}
			return inputs{
				args:    []any{fluid, g, gravity, all, densities, forces},
				twin:    []any{fluid, n[0], n[1], n[2], float32(size), from, to, gravity, len(in), all, densities, forces},
				results: []result{sampled[float32](densities), sampled[float32](forces)},
			}
		},
		want: func(r, e int) float64 {
			i := e
			if r == 1 {
				i = e / 3
			}
			own := particles[i]
			density, force := 0.0, vec{}
			for k := range 27 {
				x, y, z := in[i]%n[0]+k%3-1, in[i]/n[0]%n[1]+k/3%3-1, in[i]/n[0]/n[1]+k/9-1
				if min(x, y, z) < 0 || x >= n[0] || y >= n[1] || z >= n[2] {
					continue
				}
				c := (z*n[1]+y)*n[0] + x
				for j := start[c]; j < end[c]; j++ {
					q := particles[j]
					away := vecOf(own.Pos).plus(-1, vecOf(q.Pos))
					dist := math.Sqrt(away.dot(away))
					if dist >= reach {
						continue
					}
					density += mass * 315 / (64 * math.Pi * math.Pow(reach, 9)) * math.Pow(reach*reach-dist*dist, 3)
					if dist > 0 {
						shape := 45 / (math.Pi * math.Pow(reach, 6)) * (reach - dist) * mass / float64(q.Density)
						force = force.plus(shape*(reach-dist)/dist*(pressure(own.Density)+pressure(q.Density))/2, away)
						force = force.plus(shape*viscosity, vecOf(q.Vel).plus(-1, vecOf(own.Vel)))
					}
				}
			}
			if r == 0 {
				return density
			}
			return vecOf(gravity).plus(1/float64(own.Density), force)[e%3]
		},
		tolerance: 1e-4, approximate: 1e-3,
	}
}

// An octree is what a kernels.Octree gets.
type octree struct {
	bodies   int
	points   []kernels.MassPoint
	children [][8]int32
	sides    []float32
}

// add puts bodies that are in a cube into the tree, and returns their point.
func (t *octree) add(bodies []kernels.MassPoint, center vec, side float64, placed *int) int32 {
	if len(bodies) == 1 {
		t.points[*placed] = bodies[0]
		*placed++
		return int32(*placed - 1)
	}
	node, at := len(t.sides), len(t.points)
	t.sides, t.children, t.points = append(t.sides, float32(side)), append(t.children, [8]int32{}), append(t.points, kernels.MassPoint{})
	var parts [8][]kernels.MassPoint
	var mean vec
	mass := 0.0
	for _, b := range bodies {
		k, p := 0, vecOf(b.Pos)
		for axis, x := range p {
			if x >= center[axis] {
				k |= 1 << axis
			}
		}
		parts[k] = append(parts[k], b)
		mass += float64(b.Mass)
		mean = mean.plus(float64(b.Mass), p)
	}
	mean = vec{}.plus(1/mass, mean)
	t.points[at] = kernels.MassPoint{Pos: kernels.Vec{X: float32(mean[0]), Y: float32(mean[1]), Z: float32(mean[2])}, Mass: float32(mass)}
	for k, part := range parts {
		child := int32(-1)
		if len(part) > 0 {
			to := center
			for axis := range to {
				to[axis] += side / 4 * float64(2*(k>>axis&1)-1)
			}
			child = t.add(part, to, side/2, placed)
		}
		t.children[node][k] = child
	}
	return int32(at)
}

// pull is the gravity at a place of a point's bodies.
func (t *octree) pull(point int32, p vec, theta, soft float64) vec {
	q := t.points[point]
	d := vecOf(q.Pos).plus(-1, p)
	r2 := d.dot(d)
	if k := int(point) - t.bodies; k >= 0 && float64(t.sides[k]) >= theta*math.Sqrt(r2) {
		var sum vec
		for _, child := range t.children[k] {
			if child >= 0 {
				sum = sum.plus(1, t.pull(child, p, theta, soft))
			}
		}
		return sum
	}
	return vec{}.plus(float64(q.Mass)/math.Pow(r2+soft*soft, 1.5), d)
}

func barnesHutCase(s scale) *benchmark {
	n := s.of(100_000, 150)
	const theta, soft = float32(0.65), float32(0.01)
	bodies := filled(n, func(i int) kernels.MassPoint {
		at := func(axis int) float32 { // most are in the middle
			return kernels.Uniform(3*i+axis, 1, -1, 1) + kernels.Uniform(3*i+axis, 2, -1, 1) + kernels.Uniform(3*i+axis, 3, -1, 1)
		}
		return kernels.MassPoint{Pos: kernels.Vec{X: at(0), Y: at(1), Z: at(2)}, Mass: kernels.Uniform(i, 4, 0.5, 1.5) / float32(n)}
	})
	planted := sync.OnceValue(func() *octree {
		tree, placed := &octree{bodies: n, points: make([]kernels.MassPoint, n)}, 0
		tree.add(bodies, vec{}, 6, &placed)
		return tree
	})
	return &benchmark{
		name: "barnes_hut", kernel: kernels.BarnesHut, cfg: launch.Linear(n, 128), unit: "Gbody/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			tree := planted()
			points, children, sides, out := upload(d, tree.points), upload(d, tree.children), upload(d, tree.sides), alloc[kernels.Vec](d, n)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args:    []any{kernels.Octree{Bodies: n, Points: points.Device(), Children: children.Device(), Sides: sides.Device()}, theta, soft, out},
				twin:    []any{n, points, children, sides, theta, soft, out},
				results: []result{sampled[float32](out)},
			}
		},
		want: func(_, e int) float64 {
			tree := planted()
			return tree.pull(int32(n), vecOf(tree.points[e/3].Pos), float64(theta), float64(soft))[e%3]
		},
		tolerance: 1e-4, stray: 0.01, // where a node is as far as it has to be
	}
}

func clothCase(s scale) *benchmark {
	w, h := s.of(2048, 45), s.of(1536, 37)
	const spacing = 1. / 64
	fabric := kernels.Fabric{Distance: spacing, Damping: 0.02, Step: 0.02, Stiffness: [3]float32{900, 500, 200}, Gravity: kernels.Vec{Y: -9.8}}
	now := filled(w*h, func(i int) kernels.Vec {
		noise := func(axis int) float32 { return spacing * kernels.Uniform(3*i+axis, 1, -0.2, 0.2) }
		return kernels.Vec{X: spacing*float32(i%w) + noise(0), Y: noise(1), Z: spacing*float32(i/w) + noise(2)}
	})
	before := filled(w*h, func(i int) kernels.Vec {
		speed := func(axis int) float32 { return spacing * kernels.Uniform(3*i+axis, 2, -0.3, 0.3) }
		return now[i].Add(kernels.Vec{X: speed(0), Y: speed(1), Z: speed(2)})
	})
	pinned := filled(w*h, func(i int) bool { return i/w == 0 && i%8 == 0 })
	radius := spacing * float32(h) / 3
	globes := []kernels.Globe{
		{Center: kernels.Vec{X: radius, Y: -0.7 * radius, Z: radius}, Radius: radius},
		{Center: kernels.Vec{X: 3 * radius, Y: -0.9 * radius, Z: 2 * radius}, Radius: radius},
	}
	return &benchmark{
		name: "cloth_step", kernel: kernels.ClothStep, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "Gvertex/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			is, was, fixed, things, next := upload(d, now), upload(d, before), upload(d, pinned), upload(d, globes), alloc[kernels.Vec](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args:    []any{kernels.Cloth{W: w, H: h, Now: is.Device(), Before: was.Device(), Pinned: fixed.Device()}, fabric, things, next},
				twin:    []any{w, h, is, was, fixed, fabric, len(globes), things, next},
				results: []result{sampled[float32](next)},
			}
		},
		want: func(_, e int) float64 {
			i := e / 3
			x, y, own := i%w, i/w, vecOf(now[i])
			if pinned[i] {
				return own[e%3]
			}
			a := vecOf(fabric.Gravity)
			for dy := -2; dy <= 2; dy++ {
				for dx := -2; dx <= 2; dx++ {
					kind, ok := map[int]int{1: 0, 2: 1, 4: 2}[dx*dx+dy*dy]
					if u, v := x+dx, y+dy; ok && u >= 0 && u < w && v >= 0 && v < h {
						d := vecOf(now[v*w+u]).plus(-1, own)
						a = a.plus(float64(fabric.Stiffness[kind])*(1-spacing*math.Hypot(float64(dx), float64(dy))/math.Sqrt(d.dot(d))), d)
					}
				}
			}
			step := float64(fabric.Step)
			p := own.plus(1-float64(fabric.Damping), own.plus(-1, vecOf(before[i]))).plus(step*step, a)
			for _, g := range globes {
				d := p.plus(-1, vecOf(g.Center))
				if far := math.Sqrt(d.dot(d)); far < float64(g.Radius) {
					p = vecOf(g.Center).plus(float64(g.Radius)/far, d)
				}
			}
			return p[e%3]
		},
		tolerance: 3e-6, approximate: 1e-5,
	}
}

// formDistance is how far p is from a form.
func formDistance(f *kernels.Form, p vec) float64 {
	q, size := p.plus(-1, vecOf(f.Center)), vecOf(f.Size)
	switch f.Kind {
	case kernels.FormBall:
		return math.Sqrt(q.dot(q)) - size[0]
	case kernels.FormTorus:
		return math.Hypot(math.Hypot(q[0], q[2])-size[0], q[1]) - size[1]
	case kernels.FormFloor:
		return q[1]
	}
	var out vec
	inside := math.Inf(-1)
	for k := range q {
		d := math.Abs(q[k]) - size[k]
		inside, out[k] = max(inside, d), max(d, 0)
	}
	return math.Sqrt(out.dot(out)) + min(inside, 0) - float64(f.Round)
}

// A formScene is a kernels.Scene in float64.
type formScene struct {
	forms []kernels.Form
	melt  float64
	light vec
}

func (v vec) unit() vec { return vec{}.plus(1/math.Sqrt(v.dot(v)), v) }

// distance is how far it is from p to the scene.
func (s *formScene) distance(p vec) float64 {
	d := 1e9
	for k := range s.forms {
		a, b := d, formDistance(&s.forms[k], p)
		part := max(s.melt-math.Abs(a-b), 0) / s.melt
		d = min(a, b) - part*part*s.melt/4
	}
	return d
}

// shade is the color of a place of the scene.
func (s *formScene) shade(p vec) vec {
	const e = 1e-2
	var normal vec
	for k := range normal {
		var to vec
		to[k] = e
		normal[k] = s.distance(p.plus(1, to)) - s.distance(p.plus(-1, to))
	}
	normal = normal.unit()
	bright := 0.15
	if facing := normal.dot(s.light); facing > 0 {
		lit, from := 1.0, p.plus(0.02, normal)
		for t := 0.05; t < 12 && lit > 0; {
			d := s.distance(from.plus(t, s.light))
			if lit = min(lit, 8*d/t); d < 1e-3 {
				lit = 0
			}
			t += max(d, 0.02)
		}
		bright += 0.85 * facing * lit
	}
	best := 0
	for k := range s.forms {
		if formDistance(&s.forms[k], p) < formDistance(&s.forms[best], p) {
			best = k
		}
	}
	return vec{}.plus(bright, vecOf(s.forms[best].Color))
}

func raymarchCase(s scale) *benchmark {
	w, h := s.of(1280, 45), s.of(720, 29)
	const melt = float32(0.35)
	light := kernels.Vec{X: 0.48, Y: 0.8, Z: -0.36}
	camera := kernels.Camera{Eye: kernels.Vec{Y: 2.5, Z: -6}, Width: int32(w), Height: int32(h), Zoom: 1.4 / float32(w)}
	forms := []kernels.Form{{Kind: kernels.FormFloor, Color: kernels.Vec{X: 0.6, Y: 0.6, Z: 0.5}}}
	for k := range 11 {
		at := func(seed uint32, lo, hi float32) float32 { return kernels.Uniform(k, seed, lo, hi) }
		forms = append(forms, kernels.Form{
			Kind:   kernels.FormKind(k % 3),
			Center: kernels.Vec{X: at(1, -4, 4), Y: at(2, 0.3, 2.5), Z: at(3, -1, 6)},
			Size:   kernels.Vec{X: at(4, 0.4, 0.9), Y: at(5, 0.2, 0.35), Z: at(6, 0.3, 0.9)},
			Color:  kernels.Vec{X: at(7, 0, 1), Y: at(8, 0, 1), Z: at(9, 0, 1)}, Round: 0.05,
		})
	}
	scene := &formScene{forms, float64(melt), vecOf(light)}
	return &benchmark{
		name: "raymarch_sdf", kernel: kernels.RaymarchSDF, cfg: grid((w+15)/16, (h+7)/8, 16, 8), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			all, out := upload(d, forms), alloc[kernels.Vec](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args:    []any{kernels.Scene{Forms: all.Device(), Melt: melt, Light: light}, camera, out},
				twin:    []any{len(forms), all, melt, light, camera.Eye, w, h, camera.Zoom, out},
				results: []result{sampled[float32](out)},
			}
		},
		want: func(_, e int) float64 {
			x, y := float64(e/3%w), float64(e/3/w)
			dir := vec{(x - float64(w)/2) * float64(camera.Zoom), (float64(h)/2 - y) * float64(camera.Zoom), 1}.unit()
			for t, k := 0.0, 0; t <= 40 && k < 96; k++ {
				p := vecOf(camera.Eye).plus(t, dir)
				d := scene.distance(p)
				if d < 1e-3*(1+t) {
					return scene.shade(p)[e%3]
				}
				t += d
			}
			return [3]float64{0.5, 0.7, 0.9}[e%3] * (0.6 + 0.4*dir[1])
		},
		tolerance: 5e-3, stray: 0.03, // edges
	}
}
