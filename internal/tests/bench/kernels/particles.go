package kernels

import (
	"heddle/dsl"
	"heddle/vector"
)

const Bodies = 256 // of a tile, and threads of a block

// NBody is the gravity of all bodies (x, y, z, mass) on each.
func NBody(soft float32, pos, force []vector.Float4) {
	tile := dsl.Shared[[Bodies]vector.Float4]()
	i, t := dsl.GlobalIdx().X, dsl.ThreadIdx().X
	p := pos[i]
	var ax, ay, az float32
	for first := 0; first < len(pos); first += Bodies {
		tile[t] = pos[first+t]
		dsl.SyncThreads()
		for j := range Bodies {
			q := tile[j]
			dx, dy, dz := q.X-p.X, q.Y-p.Y, q.Z-p.Z
			inv := dsl.Rsqrt(dx*dx + dy*dy + dz*dz + soft)
			f := q.W * inv * inv * inv
			ax += dx * f
			ay += dy * f
			az += dz * f
		}
		dsl.SyncThreads()
	}
	force[i] = vector.Float4{X: ax, Y: ay, Z: az}
}

// LennardJones is the force on each atom, and its energy, from the atoms of its neighbour
// list that are nearer than the root of cutoff. Neighbour k of atom i is list[k*len(pos)+i].
func LennardJones(cutoff float32, neighbours int, pos []vector.Float4, list []int32, force []vector.Float4) {
	i := dsl.GlobalIdx().X
	if i >= len(pos) {
		return
	}
	p := pos[i]
	var f vector.Float4
	for k := range neighbours {
		q := pos[list[k*len(pos)+i]]
		dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
		d := dx*dx + dy*dy + dz*dz
		if d >= cutoff {
			continue
		}
		inv := 1 / d
		inv6 := inv * inv * inv
		s := 24 * inv * inv6 * (2*inv6 - 1)
		f.X += dx * s
		f.Y += dy * s
		f.Z += dz * s
		f.W += 4 * inv6 * (inv6 - 1)
	}
	force[i] = f
}

const (
	Kinds = 8  // of atoms
	Steps = 64 // of distance in the table of a pair of kinds
)

// An Atom is a place and a kind, below Kinds.
type Atom struct {
	X, Y, Z float32
	Kind    int32
}

// Dock is the energy of a ligand in each pose, a shift, against all atoms of a protein: for
// each pair of atoms a look-up by kinds and distance, with interpolation.
func Dock(scale float32, ligand, protein []Atom, table []float32, poses []vector.Float4, energy []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(poses) {
		return
	}
	p := poses[i]
	var sum float32
	for _, l := range ligand {
		x, y, z := l.X+p.X, l.Y+p.Y, l.Z+p.Z
		for _, a := range protein {
			dx, dy, dz := a.X-x, a.Y-y, a.Z-z
			r := dsl.Sqrt(dx*dx+dy*dy+dz*dz) * scale
			at := int(r)
			if at >= Steps-1 {
				continue
			}
			k := (int(l.Kind)*Kinds+int(a.Kind))*Steps + at
			e := table[k]
			sum += e + (r-float32(at))*(table[k+1]-e)
		}
	}
	energy[i] = sum
}
