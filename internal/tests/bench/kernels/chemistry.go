package kernels

import (
	"heddle/dsl"
)

// The kernels here are of molecules: docking, forces, neighbours and constraints, written as
// Go programs have them. chemistry_more.go has heat and transport.

const (
	AutodockThreads = 64 // of a block
	LigandAtoms     = 64 // at most
	outside         = 1e3
)

// A Quaternion is a rotation.
type Quaternion struct{ W, X, Y, Z float32 }

// Rotate turns a vector.
func (q Quaternion) Rotate(v Vec) Vec {
	u := Vec{q.X, q.Y, q.Z}
	t := u.Cross(v).Scale(2)
	return v.Add(t.Scale(q.W)).Add(u.Cross(t))
}

// A LigandPose says which conformer a ligand has, how it is turned and where it is.
type LigandPose struct {
	Turn      Quaternion
	Center    Vec
	Conformer int32
}

// A LigandAtom has a type, below that of the map of charges, and a charge.
type LigandAtom struct {
	Type   int32
	Charge float32
}

// A Ligand has atoms, those pairs of them whose distance can change, and places of all atoms
// in each conformer.
type Ligand struct {
	Atoms  []LigandAtom
	Pairs  [][2]uint8
	Places []Vec
}

// GridMaps have the energy around a receptor: a map for each type of atom, then one of the
// potential.
type GridMaps struct {
	NX, NY, NZ int
	Types      int
	Origin     Vec
	Spacing    float32
	Energy     []float32
}

// at is the map of a type.
func (m GridMaps) at(kind int) []float32 {
	size := m.NX * m.NY * m.NZ
	return m.Energy[kind*size : (kind+1)*size]
}

// beyond is how far x is from the range of a map with n points.
func beyond(x float32, n int) float32 {
	last := float32(n - 1)
	if x < 0 {
		return -x
	}
	if x >= last {
		return x - last
	}
	return 0
}

// inside says whether a place in units of cells is between points of a map.
func (m GridMaps) inside(p Vec) bool {
	return p.X >= 0 && p.Y >= 0 && p.Z >= 0 && p.X < float32(m.NX-1) && p.Y < float32(m.NY-1) && p.Z < float32(m.NZ-1)
}

// between is the energy of a place, in units of cells, by a map.
func (m GridMaps) between(values []float32, p Vec) float32 {
	x, y, z := int(p.X), int(p.Y), int(p.Z)
	fx, fy, fz := p.X-float32(x), p.Y-float32(y), p.Z-float32(z)
	along := func(y, z int) float32 {
		i := (z*m.NY+y)*m.NX + x
		return lerp(fx, values[i], values[i+1])
	}
	return lerp(fz, lerp(fy, along(y, z), along(y+1, z)), lerp(fy, along(y, z+1), along(y+1, z+1)))
}

// Of is the energy of an atom somewhere.
func (m GridMaps) Of(a LigandAtom, place Vec) float32 {
	p := place.Sub(m.Origin).Scale(1 / m.Spacing)
	if !m.inside(p) {
		far := Vec{beyond(p.X, m.NX), beyond(p.Y, m.NY), beyond(p.Z, m.NZ)}
		return outside * (1 + far.Dot(far))
	}
	return m.between(m.at(int(a.Type)), p) + a.Charge*m.between(m.at(m.Types), p)
}

// A PairTable has the energy of two atoms by their types and distance.
type PairTable struct {
	Types, Steps int
	Scale        float32 // steps in a unit of length
	Energy       []float32
}

// Of is the energy of atoms of two types.
func (t PairTable) Of(a, b int32, distance float32) float32 {
	at := distance * t.Scale
	step := int(at)
	if step >= t.Steps-1 {
		return 0
	}
	row := t.Energy[(int(a)*t.Types+int(b))*t.Steps:]
	return lerp(at-float32(step), row[step], row[step+1])
}

// AutodockGrid is the energy of each pose of a ligand, by maps of its receptor and of its
// atoms among each other; a block a pose.
//
//heddle:noalias
func AutodockGrid(maps GridMaps, table PairTable, ligand Ligand, poses []LigandPose, energy []float32) {
	places := dsl.Shared[[LigandAtoms]Vec]()
	sums := dsl.Shared[[AutodockThreads]float32]()
	t := dsl.ThreadIdx().X
	pose := poses[dsl.BlockIdx().X]
	n := len(ligand.Atoms)
	conformer := ligand.Places[int(pose.Conformer)*n : (int(pose.Conformer)+1)*n]
	var sum float32
	for i := t; i < n; i += AutodockThreads {
		p := pose.Turn.Rotate(conformer[i]).Add(pose.Center)
		places[i] = p
		sum += maps.Of(ligand.Atoms[i], p)
	}
	dsl.SyncThreads()
	for k := t; k < len(ligand.Pairs); k += AutodockThreads {
		i, j := ligand.Pairs[k][0], ligand.Pairs[k][1]
		apart := dsl.Sqrt(places[i].distance2(places[j]))
		sum += table.Of(ligand.Atoms[i].Type, ligand.Atoms[j].Type, apart)
	}
	sums[t] = sum
	if total := treeSum(sums[:]); t == 0 {
		energy[dsl.BlockIdx().X] = total
	}
}

// A Torsion is four atoms, each bound to the next, and the type of the angle between the planes
// of the first and the last three.
type Torsion struct {
	Atoms [4]int32
	Type  int32
}

// A FourierTerm is a part of the energy of a torsion: Force*(1+cos(Periods*angle-Phase)).
type FourierTerm struct {
	Force, Phase float32
	Periods      int32
}

// TorsionTypes are the terms of each type, from First of it up to First of the next.
type TorsionTypes struct {
	First []int32
	Terms []FourierTerm
}

// Energy is that of an angle, and its slope.
func (t TorsionTypes) Energy(kind int32, angle float32) (energy, slope float32) {
	for _, term := range t.Terms[t.First[kind]:t.First[kind+1]] {
		n := float32(term.Periods)
		sin, cos := dsl.Sincos(n*angle - term.Phase)
		energy += term.Force * (1 + cos)
		slope -= term.Force * n * sin
	}
	return energy, slope
}

func atomicAddVec(v *Vec, d Vec) {
	dsl.AtomicAdd(&v.X, d.X)
	dsl.AtomicAdd(&v.Y, d.Y)
	dsl.AtomicAdd(&v.Z, d.Z)
}

// DihedralForces adds the forces of torsions to those of their atoms (GROMACS's do_dih_fup).
//
//heddle:noalias
func DihedralForces(torsions []Torsion, types TorsionTypes, positions, forces []Vec, energies []float32) {
	which := dsl.GlobalIdx().X
	if which >= len(torsions) {
		return
	}
	torsion := torsions[which]
	var p [4]Vec
	for k, atom := range torsion.Atoms {
		p[k] = positions[atom]
	}
	ij, kj, kl := p[0].Sub(p[1]), p[2].Sub(p[1]), p[2].Sub(p[3])
	m, n := ij.Cross(kj), kj.Cross(kl)
	length2 := kj.Dot(kj)
	length := dsl.Sqrt(length2)
	angle := dsl.Atan2(length*ij.Dot(n), m.Dot(n))
	energy, slope := types.Energy(torsion.Type, angle)

	fi := m.Scale(-slope * length / m.Dot(m))
	fl := n.Scale(slope * length / n.Dot(n))
	u, v := fi.Scale(ij.Dot(kj)/length2), fl.Scale(kl.Dot(kj)/length2)
	s := u.Sub(v)
	f := [4]Vec{fi, s.Sub(fi), s.Scale(-1).Sub(fl), fl}
	for k, atom := range torsion.Atoms {
		atomicAddVec(&forces[atom], f[k])
	}
	energies[which] = energy
}

// PeriodicCells says which points are in each cell of a box that repeats: in Atoms those from
// Start[c] up to End[c].
type PeriodicCells struct {
	NX, NY, NZ        int
	Box               Vec
	Start, End, Atoms []int32
}

// Of is the cell of a point.
func (c PeriodicCells) Of(p Vec) (x, y, z int) {
	x = int(p.X / c.Box.X * float32(c.NX))
	y = int(p.Y / c.Box.Y * float32(c.NY))
	z = int(p.Z / c.Box.Z * float32(c.NZ))
	return min(x, c.NX-1), min(y, c.NY-1), min(z, c.NZ-1)
}

// In are the points in a cell, which may be one beyond the box.
func (c PeriodicCells) In(x, y, z int) []int32 {
	cell := (wrap(z, c.NZ)*c.NY+wrap(y, c.NY))*c.NX + wrap(x, c.NX)
	return c.Atoms[c.Start[cell]:c.End[cell]]
}

// nearestImage is the shortest of the vectors that are d in a box that repeats.
func nearestImage(d, box Vec) Vec {
	return Vec{d.X - box.X*dsl.Rint(d.X/box.X), d.Y - box.Y*dsl.Rint(d.Y/box.Y), d.Z - box.Z*dsl.Rint(d.Z/box.Z)}
}

// CellNeighbors lists the points nearer than reach to each: neighbour k of point i is
// list[k*len(points)+i]. The count may be more than most, of which no more are in the list.
//
//heddle:noalias
func CellNeighbors(cells PeriodicCells, reach float32, most int, points []Vec, counts, list []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(points) {
		return
	}
	p := points[i]
	cx, cy, cz := cells.Of(p)
	n := 0
	for z := cz - 1; z <= cz+1; z++ {
		for y := cy - 1; y <= cy+1; y++ {
			for x := cx - 1; x <= cx+1; x++ {
				for _, j := range cells.In(x, y, z) {
					if int(j) == i {
						continue
					}
					d := nearestImage(points[j].Sub(p), cells.Box)
					if d.Dot(d) >= reach*reach {
						continue
					}
					if n < most {
						list[n*len(points)+i] = j
					}
					n++
				}
			}
		}
	}
	counts[i] = int32(n)
}

const (
	ClusterAtoms = 4 // at most
	ClusterBonds = 3
)

// A RigidBond is the length that two atoms of a cluster keep.
type RigidBond struct {
	A, B   int32
	Length float32
}

// A ClusterKind is what clusters have in common: how many atoms and bonds, and which.
type ClusterKind struct {
	Atoms, Count int32
	Bonds        [ClusterBonds]RigidBond
}

// A Cluster is a few atoms that bonds hold together.
type Cluster struct {
	Atoms [ClusterAtoms]int32
	Kind  int32
}

// A RigidCluster is a cluster while its bonds are set right.
type RigidCluster struct {
	before, now [ClusterAtoms]Vec
	inverse     [ClusterAtoms]float32 // masses
}

// correct moves the atoms of bonds that are wrong, and tells whether there was none.
func (c *RigidCluster) correct(bonds []RigidBond, tolerance float32) bool {
	done := true
	for _, b := range bonds {
		r := c.now[b.A].Sub(c.now[b.B])
		length2 := b.Length * b.Length
		wrong := length2 - r.Dot(r)
		if dsl.Abs(wrong) <= tolerance*length2 {
			continue
		}
		done = false
		old := c.before[b.A].Sub(c.before[b.B])
		g := wrong / (2 * (c.inverse[b.A] + c.inverse[b.B]) * old.Dot(r))
		c.now[b.A] = c.now[b.A].Add(old.Scale(g * c.inverse[b.A]))
		c.now[b.B] = c.now[b.B].Sub(old.Scale(g * c.inverse[b.B]))
	}
	return done
}

// Shake moves atoms back to where the bonds of their clusters have their lengths again, along
// what the bonds were before. failed counts the clusters that did not get there.
//
//heddle:noalias
func Shake(kinds []ClusterKind, clusters []Cluster, tolerance float32, steps int, inverseMasses []float32, before, now, out []Vec, failed []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(clusters) {
		return
	}
	cluster := clusters[i]
	kind := kinds[cluster.Kind]
	atoms := cluster.Atoms[:kind.Atoms]
	var c RigidCluster
	for k, atom := range atoms {
		c.before[k] = before[atom]
		c.now[k] = now[atom]
		c.inverse[k] = inverseMasses[atom]
	}
	done := false
	for step := 0; step < steps && !done; step++ {
		done = c.correct(kind.Bonds[:kind.Count], tolerance)
	}
	if !done {
		dsl.AtomicAdd(&failed[0], 1)
	}
	for k, atom := range atoms {
		out[atom] = c.now[k]
	}
}
