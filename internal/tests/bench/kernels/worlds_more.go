package kernels

import (
	"math"

	"heddle/dsl"
)

// The nineteen directions of a lattice in space, the opposite ones, and their weights.
var (
	D3Q19 = [19][3]int{
		{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
		{1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1},
		{1, 0, -1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
	}
	D3Q19Opposite = [19]int{0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17}
	D3Q19Weight   = [19]float32{
		1. / 3, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18,
		1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36,
	}
)

// A LatticeFlag is what a cell is.
type LatticeFlag uint8

const (
	LatticeFluid LatticeFlag = iota
	LatticeWall
	LatticeLid // a wall that moves
)

// A Lattice3 is a box that repeats. Flags has a cell's kind.
type Lattice3 struct {
	NX, NY, NZ int
	Flags      []LatticeFlag
}

func (l Lattice3) index(x, y, z int) int {
	return (wrap(z, l.NZ)*l.NY+wrap(y, l.NY))*l.NX + wrap(x, l.NX)
}

// pull gets what streams into cell (x, y, z), or comes back from its walls.
func (l Lattice3) pull(from []float32, x, y, z int, lid Vec) (f [19]float32) {
	cells, own := len(l.Flags), l.index(x, y, z)
	for q, c := range D3Q19 {
		at := l.index(x-c[0], y-c[1], z-c[2])
		switch l.Flags[at] {
		case LatticeFluid:
			f[q] = from[q*cells+at]
		case LatticeWall:
			f[q] = from[D3Q19Opposite[q]*cells+own]
		case LatticeLid:
			along := float32(c[0])*lid.X + float32(c[1])*lid.Y + float32(c[2])*lid.Z
			f[q] = from[D3Q19Opposite[q]*cells+own] + 6*D3Q19Weight[q]*along
		}
	}
	return f
}

// collide goes a part of the way to equilibrium (Bhatnagar, Gross and Krook).
func collide(f *[19]float32, omega float32) {
	var rho float32
	var u Vec
	for q, v := range f {
		c := D3Q19[q]
		rho += v
		u = u.Add(Vec{float32(c[0]), float32(c[1]), float32(c[2])}.Scale(v))
	}
	u = u.Scale(1 / rho)
	square := 1.5 * u.Dot(u)
	for q, c := range D3Q19 {
		cu := u.Dot(Vec{float32(c[0]), float32(c[1]), float32(c[2])})
		equilibrium := D3Q19Weight[q] * rho * (1 + 3*cu + 4.5*cu*cu - square)
		f[q] += omega * (equilibrium - f[q])
	}
}

// LBMD3Q19 is a step of a lattice Boltzmann fluid: each direction has its cells behind the last one's.
//
//heddle:noalias
func LBMD3Q19(l Lattice3, omega float32, lid Vec, from, to []float32) {
	i := dsl.GlobalIdx()
	if i.X >= l.NX || i.Y >= l.NY || i.Z >= l.NZ {
		return
	}
	own := l.index(i.X, i.Y, i.Z)
	if l.Flags[own] != LatticeFluid {
		return
	}
	f := l.pull(from, i.X, i.Y, i.Z, lid)
	collide(&f, omega)
	for q, v := range f {
		to[q*len(l.Flags)+own] = v
	}
}

// A Quantity has values at points of a box, one apart; the first is at Origin.
type Quantity struct {
	NX, NY, NZ int
	Origin     Vec
	Values     []float32
}

// at is a value; beyond the box it is the border's.
func (q Quantity) at(x, y, z int) float32 {
	x, y, z = clampInt(x, 0, q.NX-1), clampInt(y, 0, q.NY-1), clampInt(z, 0, q.NZ-1)
	return q.Values[(z*q.NY+y)*q.NX+x]
}

// At is the value between the points around p.
func (q Quantity) At(p Vec) float32 {
	p = p.Sub(q.Origin)
	left, front, low := dsl.Floor(p.X), dsl.Floor(p.Y), dsl.Floor(p.Z)
	x, y, z := int(left), int(front), int(low)
	a, b, c := p.X-left, p.Y-front, p.Z-low
	near := lerp(b, lerp(a, q.at(x, y, z), q.at(x+1, y, z)), lerp(a, q.at(x, y+1, z), q.at(x+1, y+1, z)))
	far := lerp(b, lerp(a, q.at(x, y, z+1), q.at(x+1, y, z+1)), lerp(a, q.at(x, y+1, z+1), q.at(x+1, y+1, z+1)))
	return lerp(c, near, far)
}

// A Wind is velocities, each on the faces that it goes through (Harlow and Welch's staggered grid).
type Wind struct{ U, V, W Quantity }

// At is the velocity at a place.
func (w Wind) At(p Vec) Vec { return Vec{w.U.At(p), w.V.At(p), w.W.At(p)} }

// Back is where what is at p has been a time before, by the midpoint method.
func (w Wind) Back(p Vec, step float32) Vec {
	middle := p.Sub(w.At(p).Scale(step / 2))
	return p.Sub(w.At(middle).Scale(step))
}

// AdvectMAC moves smoke and heat with the wind (Stam's semi-Lagrangian method). Both have the same cells.
//
//heddle:noalias
func AdvectMAC(wind Wind, step float32, smoke, heat Quantity, nextSmoke, nextHeat []float32) {
	i := dsl.GlobalIdx()
	if i.X >= smoke.NX || i.Y >= smoke.NY || i.Z >= smoke.NZ {
		return
	}
	p := smoke.Origin.Add(Vec{float32(i.X), float32(i.Y), float32(i.Z)})
	from := wind.Back(p, step)
	cell := (i.Z*smoke.NY+i.Y)*smoke.NX + i.X
	nextSmoke[cell] = smoke.At(from)
	nextHeat[cell] = heat.At(from)
}

const (
	SedovW = 32 // threads of a block, and its cells
	SedovH = 8

	adiabatic = 1.4
)

// A Gas is what a cell has: mass, momentum and energy.
type Gas struct{ D, MX, MY, E float32 }

func (a Gas) Sub(b Gas) Gas       { return Gas{a.D - b.D, a.MX - b.MX, a.MY - b.MY, a.E - b.E} }
func (a Gas) Add(b Gas) Gas       { return Gas{a.D + b.D, a.MX + b.MX, a.MY + b.MY, a.E + b.E} }
func (a Gas) Scale(s float32) Gas { return Gas{a.D * s, a.MX * s, a.MY * s, a.E * s} }
func (a Gas) swapped() Gas        { return Gas{a.D, a.MY, a.MX, a.E} }

// A Flow is the same by density, velocity and pressure.
type Flow struct{ D, U, V, P float32 }

func (f Flow) swapped() Flow   { return Flow{f.D, f.V, f.U, f.P} }
func (f Flow) sound() float32  { return dsl.Sqrt(adiabatic * f.P / f.D) }
func (f Flow) energy() float32 { return f.P/(adiabatic-1) + f.D*(f.U*f.U+f.V*f.V)/2 }
func (f Flow) gas() Gas        { return Gas{f.D, f.D * f.U, f.D * f.V, f.energy()} }
func (f Flow) plus(s float32, d Flow) Flow {
	return Flow{f.D + s*d.D, f.U + s*d.U, f.V + s*d.V, f.P + s*d.P}
}

func flowOf(g Gas) Flow {
	u, v := g.MX/g.D, g.MY/g.D
	return Flow{g.D, u, v, (adiabatic - 1) * (g.E - (g.MX*u+g.MY*v)/2)}
}

// vanLeer is a slope between two, 0 at an extremum.
func vanLeer(a, b float32) float32 {
	if a*b <= 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// slope is the limited one of the middle of three cells.
func slope(a, b, c Flow) Flow {
	return Flow{vanLeer(b.D-a.D, c.D-b.D), vanLeer(b.U-a.U, c.U-b.U), vanLeer(b.V-a.V, c.V-b.V), vanLeer(b.P-a.P, c.P-b.P)}
}

// flux is what flows along x.
func (f Flow) flux() Gas {
	m := f.D * f.U
	return Gas{m, m*f.U + f.P, m * f.V, f.U * (f.energy() + f.P)}
}

// beyond is the gas between a wave of the speed s and the contact.
func (f Flow) beyond(s, contact float32) Gas {
	d := f.D * (s - f.U) / (s - contact)
	e := f.energy()/f.D + (contact-f.U)*(contact+f.P/(f.D*(s-f.U)))
	return Gas{d, d * contact, d * f.V, d * e}
}

// hllc is what flows through a face between two states (Toro).
func hllc(l, r Flow) Gas {
	sl := min(l.U-l.sound(), r.U-r.sound())
	sr := max(l.U+l.sound(), r.U+r.sound())
	contact := (r.P - l.P + l.D*l.U*(sl-l.U) - r.D*r.U*(sr-r.U)) / (l.D*(sl-l.U) - r.D*(sr-r.U))
	switch {
	case sl >= 0:
		return l.flux()
	case sr <= 0:
		return r.flux()
	case contact >= 0:
		return l.flux().Add(l.beyond(sl, contact).Sub(l.gas()).Scale(sl))
	default:
		return r.flux().Add(r.beyond(sr, contact).Sub(r.gas()).Scale(sr))
	}
}

// faceFlux is what flows through the face in the middle of four cells in a row.
func faceFlux(a, b, c, d Flow) Gas {
	return hllc(b.plus(0.5, slope(a, b, c)), c.plus(-0.5, slope(b, c, d)))
}

// SedovFlux is a step of a gas in a plane, whose border lets it out. A block holds its part with two cells around.
//
//heddle:noalias
func SedovFlux(w, h int, ratio float32, cells, next []Gas) {
	tile := dsl.Shared[[SedovH + 4][SedovW + 4]Flow]()
	tx, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	x0, y0 := dsl.BlockIdx().X*SedovW-2, dsl.BlockIdx().Y*SedovH-2
	for j := ty; j < len(tile); j += SedovH {
		for i := tx; i < len(tile[j]); i += SedovW {
			u, v := clampInt(x0+i, 0, w-1), clampInt(y0+j, 0, h-1)
			tile[j][i] = flowOf(cells[v*w+u])
		}
	}
	dsl.SyncThreads()
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	i, j := tx+2, ty+2
	var row, column [5]Flow
	for k := range row {
		row[k] = tile[j][i+k-2]
		column[k] = tile[j+k-2][i].swapped()
	}
	left, right := faceFlux(row[0], row[1], row[2], row[3]), faceFlux(row[1], row[2], row[3], row[4])
	below, above := faceFlux(column[0], column[1], column[2], column[3]), faceFlux(column[1], column[2], column[3], column[4])
	change := left.Sub(right).Add(below.Sub(above).swapped())
	next[y*w+x] = cells[y*w+x].Add(change.Scale(ratio))
}

// A Place is a point in space, in astronomical units.
type Place struct{ X, Y, Z float64 }

func (a Place) distance2(b Place) float64 {
	x, y, z := a.X-b.X, a.Y-b.Y, a.Z-b.Z
	return x*x + y*y + z*z
}

// An Orbit is an ellipse around the sun: half its axis, its eccentricity, the angles of its plane
// and of its perihelion, the mean anomaly at the time 0, and how fast that grows.
type Orbit struct {
	Axis, Eccentricity, Inclination, Node, Perihelion, Anomaly, Motion float64
}

// eccentric is the eccentric anomaly of a mean one, by Newton's method.
func (o Orbit) eccentric(mean float64) float64 {
	e := mean
	if o.Eccentricity > 0.8 {
		e = math.Pi
	}
	for range 30 {
		sin, cos := dsl.Sincos(e)
		step := (e - o.Eccentricity*sin - mean) / (1 - o.Eccentricity*cos)
		e -= step
		if dsl.Abs(step) < 1e-13 {
			break
		}
	}
	return e
}

// An orbitPlane is the plane of an orbit: directions to the perihelion and a quarter of a turn on.
type orbitPlane struct{ P, Q Place }

func (o Orbit) plane() orbitPlane {
	si, ci := dsl.Sincos(o.Inclination)
	sn, cn := dsl.Sincos(o.Node)
	sp, cp := dsl.Sincos(o.Perihelion)
	return orbitPlane{
		P: Place{cp*cn - sp*sn*ci, cp*sn + sp*cn*ci, sp * si},
		Q: Place{-sp*cn - cp*sn*ci, -sp*sn + cp*cn*ci, cp * si},
	}
}

// At is where something on the orbit is at a time.
func (o Orbit) At(plane orbitPlane, t float64) Place {
	turns := (o.Anomaly + o.Motion*t) / (2 * math.Pi)
	sin, cos := dsl.Sincos(o.eccentric(2 * math.Pi * (turns - dsl.Floor(turns))))
	x := o.Axis * (cos - o.Eccentricity)
	y := o.Axis * dsl.Sqrt(1-o.Eccentricity*o.Eccentricity) * sin
	p, q := plane.P, plane.Q
	return Place{x*p.X + y*q.X, x*p.Y + y*q.Y, x*p.Z + y*q.Z}
}

// An Encounter is when and with which planet.
type Encounter struct {
	Distance2    float64
	Time, Planet int32
}

// closer is the closer one, or the earlier.
func (e Encounter) closer(f Encounter) Encounter {
	if f.Distance2 < e.Distance2 || f.Distance2 == e.Distance2 && f.Time < e.Time {
		return f
	}
	return e
}

// warpClosest is the closest encounter of all lanes.
func warpClosest(e Encounter) Encounter {
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		e = e.closer(dsl.ShflXor(e, d))
	}
	return e
}

const EphemThreads = 128 // of a block

// Encounters are the distance, the time and the planet of each.
type Encounters struct {
	Distance     []float64
	Time, Planet []int32
}

// KeplerEphem finds when each asteroid is closest to a planet: planets has the places of all
// planets at a time, one time behind the other. A block has an asteroid.
//
//heddle:noalias
func KeplerEphem(orbits []Orbit, times []float64, planets []Place, found Encounters) {
	shared := dsl.Shared[[EphemThreads / 32]Encounter]()
	t := dsl.ThreadIdx().X
	orbit := orbits[dsl.BlockIdx().X]
	plane := orbit.plane()
	count := len(planets) / len(times)
	best := Encounter{Distance2: math.Inf(1), Time: -1, Planet: -1}
	for k := t; k < len(times); k += EphemThreads {
		place := orbit.At(plane, times[k])
		for j, planet := range planets[k*count : (k+1)*count] {
			best = best.closer(Encounter{place.distance2(planet), int32(k), int32(j)})
		}
	}
	best = warpClosest(best)
	if dsl.LaneID() == 0 {
		shared[dsl.WarpID()] = best
	}
	dsl.SyncThreads()
	if t == 0 {
		for _, e := range shared[1 : EphemThreads/dsl.WarpSize()] {
			best = best.closer(e)
		}
		i := dsl.BlockIdx().X
		found.Distance[i] = dsl.Sqrt(best.Distance2)
		found.Time[i], found.Planet[i] = best.Time, best.Planet
	}
}
