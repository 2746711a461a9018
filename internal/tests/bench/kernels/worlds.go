package kernels

import (
	"math"

	"heddle/dsl"
)

// The kernels here and in worlds_more.go are of simulations, games, astronomy and the weather,
// written as Go programs have them.

// A FluidParticle is a drop of a fluid.
type FluidParticle struct {
	Pos, Vel Vec
	Density  float32
}

// A FluidGrid says which particles are in each cell of a box: those from Start[c] up to End[c].
type FluidGrid struct {
	NX, NY, NZ int
	Size       float32
	Start, End []int32
}

// Cell is the cell that a place is in.
func (g FluidGrid) Cell(p Vec) (x, y, z int) {
	return int(p.X / g.Size), int(p.Y / g.Size), int(p.Z / g.Size)
}

// Contains says whether there is such a cell.
func (g FluidGrid) Contains(x, y, z int) bool {
	return x >= 0 && x < g.NX && y >= 0 && y < g.NY && z >= 0 && z < g.NZ
}

// A Fluid has its particles' mass, how far each reaches, and what it is like.
type Fluid struct{ Reach, Mass, Rest, Stiffness, Viscosity float32 }

// Poly6 is how much a particle counts at a distance, whose square it gets.
func (f Fluid) Poly6(r2 float32) float32 {
	h2 := f.Reach * f.Reach
	if r2 >= h2 {
		return 0
	}
	d := h2 - r2
	return 315 / (64 * math.Pi * h2 * h2 * h2 * h2 * f.Reach) * d * d * d
}

// spiky is the factor of the spiky function's derivatives.
func (f Fluid) spiky() float32 {
	h3 := f.Reach * f.Reach * f.Reach
	return 45 / (math.Pi * h3 * h3)
}

// SpikyGradient is how the spiky function changes along d, which has the length r.
func (f Fluid) SpikyGradient(d Vec, r float32) Vec {
	return d.Scale(-f.spiky() * (f.Reach - r) * (f.Reach - r) / r)
}

// Laplacian is that of the function for viscosity.
func (f Fluid) Laplacian(r float32) float32 { return f.spiky() * (f.Reach - r) }

// Pressure is Tait's.
func (f Fluid) Pressure(density float32) float32 {
	q := density / f.Rest
	q3 := q * q * q
	return f.Stiffness * max(q3*q3*q-1, 0)
}

// SPHDensity is the density at each particle, and what the others' pressure and viscosity do to
// it, by the densities before (Müller, Charypar and Gross). Particles are in the order of cells.
//
//heddle:noalias
func SPHDensity(f Fluid, g FluidGrid, gravity Vec, particles []FluidParticle, densities []float32, accelerations []Vec) {
	i := dsl.GlobalIdx().X
	if i >= len(particles) {
		return
	}
	own := particles[i]
	pressure := f.Pressure(own.Density)
	var density float32
	var force Vec
	cx, cy, cz := g.Cell(own.Pos)
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				x, y, z := cx+dx, cy+dy, cz+dz
				if !g.Contains(x, y, z) {
					continue
				}
				c := (z*g.NY+y)*g.NX + x
				for _, q := range particles[g.Start[c]:g.End[c]] {
					d := own.Pos.Sub(q.Pos)
					r2 := d.Dot(d)
					density += f.Mass * f.Poly6(r2)
					if r2 == 0 || r2 >= f.Reach*f.Reach {
						continue
					}
					r := dsl.Sqrt(r2)
					push := -f.Mass * (pressure + f.Pressure(q.Density)) / (2 * q.Density)
					drag := f.Viscosity * f.Mass / q.Density * f.Laplacian(r)
					force = force.Add(f.SpikyGradient(d, r).Scale(push)).Add(q.Vel.Sub(own.Vel).Scale(drag))
				}
			}
		}
	}
	densities[i] = density
	accelerations[i] = force.Scale(1 / own.Density).Add(gravity)
}

// A MassPoint has a mass, and where it is.
type MassPoint struct {
	Pos  Vec
	Mass float32
}

// An Octree has the points of bodies, and after them those of its nodes: all that is in a cube.
// A node has children, which are such points, or -1; Sides has the length of its cube's sides.
type Octree struct {
	Bodies   int
	Points   []MassPoint
	Children [][8]int32
	Sides    []float32
}

// Far says whether all of a point, which may be a node, counts as one from a distance, whose
// square it gets.
func (t Octree) Far(point int, r2, theta float32) bool {
	if point < t.Bodies {
		return true
	}
	side := t.Sides[point-t.Bodies]
	return side*side < theta*theta*r2
}

// Gravity is that of all bodies at p.
func (t Octree) Gravity(p Vec, theta, soft float32) Vec {
	var sum Vec
	var stack [64]int32
	stack[0] = int32(t.Bodies)
	for top := 1; top > 0; {
		top--
		point := int(stack[top])
		q := t.Points[point]
		d := q.Pos.Sub(p)
		r2 := d.Dot(d)
		if t.Far(point, r2, theta) {
			inverse := dsl.Rsqrt(r2 + soft*soft)
			sum = sum.Add(d.Scale(q.Mass * inverse * inverse * inverse))
			continue
		}
		for _, child := range t.Children[point-t.Bodies] {
			if child >= 0 {
				stack[top] = child
				top++
			}
		}
	}
	return sum
}

// BarnesHut is the gravity of all bodies on each, by a tree (Barnes and Hut).
//
//heddle:noalias
func BarnesHut(tree Octree, theta, soft float32, out []Vec) {
	if i := dsl.GlobalIdx().X; i < tree.Bodies {
		out[i] = tree.Gravity(tree.Points[i].Pos, theta, soft)
	}
}

// A ClothSpring goes to a neighbor.
type ClothSpring struct{ DX, DY int }

// ClothSprings are those to the sides, the oblique ones, and those that keep a cloth from bending.
var ClothSprings = [12]ClothSpring{
	{1, 0}, {-1, 0}, {0, 1}, {0, -1},
	{1, 1}, {-1, 1}, {1, -1}, {-1, -1},
	{2, 0}, {-2, 0}, {0, 2}, {0, -2},
}

// A Cloth has its vertices row by row: where they are, where they were, and which stay there.
type Cloth struct {
	W, H        int
	Now, Before []Vec
	Pinned      []bool
}

// Fabric is what a cloth is like: the distance of its vertices, and how hard springs pull: to the
// sides, the oblique ones, and against bending.
type Fabric struct {
	Distance, Damping, Step float32
	Stiffness               [3]float32
	Gravity                 Vec
}

// A Globe is a thing that a cloth falls on.
type Globe struct {
	Center Vec
	Radius float32
}

// Outside is p, or the place above it that is outside.
func (g Globe) Outside(p Vec) Vec {
	d := p.Sub(g.Center)
	if r2 := d.Dot(d); r2 < g.Radius*g.Radius {
		return g.Center.Add(d.Scale(g.Radius / dsl.Sqrt(r2)))
	}
	return p
}

// pull is the acceleration by the springs of a vertex.
func (c Cloth) pull(f Fabric, x, y int) Vec {
	own := c.Now[y*c.W+x]
	var sum Vec
	for k, s := range ClothSprings {
		u, v := x+s.DX, y+s.DY
		if u < 0 || u >= c.W || v < 0 || v >= c.H {
			continue
		}
		d := c.Now[v*c.W+u].Sub(own)
		length := dsl.Sqrt(d.Dot(d))
		rest := f.Distance * dsl.Sqrt(float32(s.DX*s.DX+s.DY*s.DY))
		sum = sum.Add(d.Scale(f.Stiffness[k/4] * (length - rest) / length))
	}
	return sum
}

// ClothStep moves a cloth's vertices, by Verlet's method, and out of the globes.
//
//heddle:noalias
func ClothStep(c Cloth, f Fabric, globes []Globe, next []Vec) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= c.W || y >= c.H {
		return
	}
	i := y*c.W + x
	now := c.Now[i]
	if c.Pinned[i] {
		next[i] = now
		return
	}
	a := f.Gravity.Add(c.pull(f, x, y))
	p := now.Add(now.Sub(c.Before[i]).Scale(1 - f.Damping)).Add(a.Scale(f.Step * f.Step))
	for _, g := range globes {
		p = g.Outside(p)
	}
	next[i] = p
}

// A FormKind is what a form is.
type FormKind int32

const (
	FormBall FormKind = iota
	FormBox
	FormTorus
	FormFloor
)

// A Form is a thing in a scene. Size is a ball's radius, half a box's sides, or a torus' radii.
type Form struct {
	Kind         FormKind
	Center, Size Vec
	Color        Vec
	Round        float32
}

// Distance is how far p is from it, and less than 0 inside.
func (s Form) Distance(p Vec) float32 {
	q := p.Sub(s.Center)
	switch s.Kind {
	case FormBall:
		return dsl.Sqrt(q.Dot(q)) - s.Size.X
	case FormBox:
		d := Vec{dsl.Abs(q.X), dsl.Abs(q.Y), dsl.Abs(q.Z)}.Sub(s.Size)
		out := Vec{max(d.X, 0), max(d.Y, 0), max(d.Z, 0)}
		return dsl.Sqrt(out.Dot(out)) + min(max(d.X, d.Y, d.Z), 0) - s.Round
	case FormTorus:
		ring := dsl.Sqrt(q.X*q.X+q.Z*q.Z) - s.Size.X
		return dsl.Sqrt(ring*ring+q.Y*q.Y) - s.Size.Y
	case FormFloor:
		return q.Y
	}
	return math.MaxFloat32
}

// smoothMin is the lesser of two, without an edge between them (Quilez).
func smoothMin(a, b, k float32) float32 {
	h := max(k-dsl.Abs(a-b), 0) / k
	return min(a, b) - h*h*k/4
}

// A Scene is forms that melt together, and the direction to the light.
type Scene struct {
	Forms []Form
	Melt  float32
	Light Vec
}

// Distance is how far it is from p to the scene.
func (s Scene) Distance(p Vec) float32 {
	d := float32(1e9)
	for _, form := range s.Forms {
		d = smoothMin(d, form.Distance(p), s.Melt)
	}
	return d
}

// Color is that of the form next to p.
func (s Scene) Color(p Vec) Vec {
	nearest, best := float32(math.MaxFloat32), 0
	for i, form := range s.Forms {
		if d := form.Distance(p); d < nearest {
			nearest, best = d, i
		}
	}
	return s.Forms[best].Color
}

// normalOf is the direction in which a distance grows.
func normalOf(distance func(Vec) float32, p Vec) Vec {
	const e = 1e-2
	return Vec{
		distance(p.Add(Vec{X: e})) - distance(p.Sub(Vec{X: e})),
		distance(p.Add(Vec{Y: e})) - distance(p.Sub(Vec{Y: e})),
		distance(p.Add(Vec{Z: e})) - distance(p.Sub(Vec{Z: e})),
	}.Unit()
}

// March goes along a ray to the scene.
func (s Scene) March(from, dir Vec) (p Vec, ok bool) {
	t := float32(0)
	for range 96 {
		p = from.Add(dir.Scale(t))
		d := s.Distance(p)
		if d < 1e-3*(1+t) {
			return p, true
		}
		if t += d; t > 40 {
			break
		}
	}
	return p, false
}

// Shadow is how much of the light comes to p.
func (s Scene) Shadow(p Vec) float32 {
	lit := float32(1)
	for t := float32(0.05); t < 12; {
		d := s.Distance(p.Add(s.Light.Scale(t)))
		if d < 1e-3 {
			return 0
		}
		lit = min(lit, 8*d/t)
		t += max(d, 0.02)
	}
	return lit
}

// RaymarchSDF draws a scene of distances.
//
//heddle:noalias
func RaymarchSDF(scene Scene, camera Camera, out []Vec) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	w, h := int(camera.Width), int(camera.Height)
	if x >= w || y >= h {
		return
	}
	dir := Vec{(float32(x) - float32(w)/2) * camera.Zoom, (float32(h)/2 - float32(y)) * camera.Zoom, 1}.Unit()
	color := Vec{0.5, 0.7, 0.9}.Scale(0.6 + 0.4*dir.Y)
	if p, ok := scene.March(camera.Eye, dir); ok {
		normal := normalOf(scene.Distance, p)
		light := float32(0.15)
		if facing := normal.Dot(scene.Light); facing > 0 {
			light += 0.85 * facing * scene.Shadow(p.Add(normal.Scale(0.02)))
		}
		color = scene.Color(p).Scale(light)
	}
	out[y*w+x] = color
}
