package kernels

import (
	"math"

	"heddle/dsl"
)

// A Material conducts heat, and takes it up.
type Material struct{ Conductivity, Capacity float32 }

// A HeatedCell is a temperature and what has it.
type HeatedCell struct {
	Temperature float32
	Material    Material
}

// from is what flows in from a neighbour.
func (c HeatedCell) from(other HeatedCell) float32 {
	a, b := c.Material.Conductivity, other.Material.Conductivity
	return 2 * a * b / (a + b) * (other.Temperature - c.Temperature)
}

// A Solid has a material in each cell, and a temperature.
type Solid struct {
	Materials   []Material
	Which       Grid3[uint8]
	Temperature Grid3[float32]
}

// At is a cell, or the nearest one in the solid.
func (s Solid) At(x, y, z int) HeatedCell {
	return HeatedCell{s.Temperature.Clamped(x, y, z), s.Materials[s.Which.Clamped(x, y, z)]}
}

// Thermal3D is a step of heat in a solid through whose surface none goes. A thread goes along z.
//
//heddle:noalias
func Thermal3D(solid Solid, step float32, next Grid3[float32]) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= next.NX || y >= next.NY {
		return
	}
	here := solid.At(x, y, 0)
	below := here
	for z := range next.NZ {
		above := solid.At(x, y, z+1)
		flow := here.from(below) + here.from(above)
		flow += here.from(solid.At(x-1, y, z)) + here.from(solid.At(x+1, y, z))
		flow += here.from(solid.At(x, y-1, z)) + here.from(solid.At(x, y+1, z))
		next.Set(x, y, z, here.Temperature+step*flow/here.Material.Capacity)
		below, here = here, above
	}
}

// Uniform is a number above 0, at most 1.
func (x *XorShift) Uniform() float32 { return float32(x.Next()>>8+1) * 0x1p-24 }

// A Layer of tissue has a refractive index, how much it absorbs and scatters on a unit of
// length, the mean cosine of that, and its limits.
type Layer struct{ Index, Absorb, Scatter, Forward, Top, Bottom float32 }

// A Tissue is layers, from top to bottom, and the indices of what is around them.
type Tissue struct {
	Above, Below float32
	Layers       []Layer
}

// index is the refractive index of a layer, or of what is around.
func (t Tissue) index(layer int) float32 {
	switch {
	case layer < 0:
		return t.Above
	case layer >= len(t.Layers):
		return t.Below
	}
	return t.Layers[layer].Index
}

// PhotonScores are where the weight of photons stays: by radius and depth, and by radius above
// and below.
type PhotonScores struct {
	NR, NZ                 int
	DR, DZ                 float32
	Absorbed               []float32
	Reflected, Transmitted []float32
}

func (s PhotonScores) radius(p Vec) int { return min(int(dsl.Sqrt(p.X*p.X+p.Y*p.Y)/s.DR), s.NR-1) }
func (s PhotonScores) depth(p Vec) int  { return min(int(p.Z/s.DZ), s.NZ-1) }

// A Photon is a packet of light on its way.
type Photon struct {
	Place, Dir Vec
	Weight     float32
	Layer      int
}

// fresnel is the share that is reflected, and the cosine behind the border.
func fresnel(n1, n2, cos1 float32) (share, cos2 float32) {
	if n1 == n2 {
		return 0, cos1
	}
	sin2 := n1 / n2 * dsl.Sqrt(1-cos1*cos1)
	if sin2 >= 1 {
		return 1, 0
	}
	cos2 = dsl.Sqrt(1 - sin2*sin2)
	s := (n1*cos1 - n2*cos2) / (n1*cos1 + n2*cos2)
	p := (n1*cos2 - n2*cos1) / (n1*cos2 + n2*cos1)
	return (s*s + p*p) / 2, cos2
}

// cross reflects a photon at a boundary between layers, or refracts it into the next layer.
func (p *Photon) cross(tissue Tissue, to int, random *XorShift, scores PhotonScores) {
	n1, n2 := tissue.index(p.Layer), tissue.index(to)
	share, cos := fresnel(n1, n2, dsl.Abs(p.Dir.Z))
	if random.Uniform() <= share {
		p.Dir.Z = -p.Dir.Z
		return
	}
	switch to {
	case -1:
		dsl.AtomicAdd(&scores.Reflected[scores.radius(p.Place)], p.Weight)
		p.Weight = 0
	case len(tissue.Layers):
		dsl.AtomicAdd(&scores.Transmitted[scores.radius(p.Place)], p.Weight)
		p.Weight = 0
	default:
		p.Dir = Vec{p.Dir.X * n1 / n2, p.Dir.Y * n1 / n2, dsl.Copysign(cos, p.Dir.Z)}
		p.Layer = to
	}
}

// scatter turns a photon (Henyey and Greenstein).
func (p *Photon) scatter(g float32, random *XorShift) {
	cos := 2*random.Uniform() - 1
	if g != 0 {
		t := (1 - g*g) / (1 + g*cos)
		cos = (1 + g*g - t*t) / (2 * g)
	}
	cos = min(max(cos, -1), 1)
	sin := dsl.Sqrt(1 - cos*cos)
	sinPsi, cosPsi := dsl.Sincos(2 * math.Pi * random.Uniform())
	d := p.Dir
	if dsl.Abs(d.Z) > 0.99999 {
		p.Dir = Vec{sin * cosPsi, sin * sinPsi, dsl.Copysign(cos, cos*d.Z)}
		return
	}
	side := dsl.Sqrt(1 - d.Z*d.Z)
	p.Dir = Vec{
		sin*(d.X*d.Z*cosPsi-d.Y*sinPsi)/side + d.X*cos,
		sin*(d.Y*d.Z*cosPsi+d.X*sinPsi)/side + d.Y*cos,
		-sin*cosPsi*side + d.Z*cos,
	}
}

// hop is one step of a photon: to a border or to where it is absorbed in part and scattered.
func (p *Photon) hop(tissue Tissue, random *XorShift, scores PhotonScores) {
	layer := tissue.Layers[p.Layer]
	total := layer.Absorb + layer.Scatter
	step := -dsl.Log(random.Uniform()) / total
	border, to := layer.Bottom, p.Layer+1
	if p.Dir.Z < 0 {
		border, to = layer.Top, p.Layer-1
	}
	if p.Place.Z+step*p.Dir.Z > layer.Bottom || p.Place.Z+step*p.Dir.Z < layer.Top {
		p.Place = p.Place.Add(p.Dir.Scale((border - p.Place.Z) / p.Dir.Z))
		p.Place.Z = border
		p.cross(tissue, to, random, scores)
		return
	}
	p.Place = p.Place.Add(p.Dir.Scale(step))
	absorbed := p.Weight * layer.Absorb / total
	p.Weight -= absorbed
	dsl.AtomicAdd(&scores.Absorbed[scores.radius(p.Place)*scores.NZ+scores.depth(p.Place)], absorbed)
	p.scatter(layer.Forward, random)
	if p.Weight < 1e-3 {
		if random.Uniform() <= 0.1 {
			p.Weight *= 10
		} else {
			p.Weight = 0
		}
	}
}

// MCPhoton sends photons into tissue (Wang and Jacques's MCML), each thread as many as it is told.
//
//heddle:noalias
func MCPhoton(tissue Tissue, photons int, states []XorShift, scores PhotonScores) {
	i := dsl.GlobalIdx().X
	if i >= len(states) {
		return
	}
	random := states[i]
	lost, _ := fresnel(tissue.Above, tissue.index(0), 1)
	for range photons {
		p := Photon{Dir: Vec{Z: 1}, Weight: 1 - lost}
		for p.Weight > 0 {
			p.hop(tissue, &random, scores)
		}
	}
	states[i] = random
}

// LCG is a linear congruential generator of 63 bits. Skip jumps ahead in it.
type LCG uint64

const (
	lcgFactor = 2806196910506780709
	lcgMask   = 1<<63 - 1
)

// Next is a number below 1.
func (s *LCG) Next() float64 {
	*s = (*s*lcgFactor + 1) & lcgMask
	return float64(*s) / (1 << 63)
}

// Skip is the generator n numbers on.
func (s LCG) Skip(n uint64) LCG {
	factor, term := uint64(lcgFactor), uint64(1)
	allFactors, allTerms := uint64(1), uint64(0)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			allFactors *= factor
			allTerms = allTerms*factor + term
		}
		term *= factor + 1
		factor *= factor
	}
	return LCG(allFactors*uint64(s)+allTerms) & lcgMask
}

// ReactorShares are how often a neutron is in each material (XSBench).
var ReactorShares = [12]float64{0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013}

// material picks a material.
func (s *LCG) material() int {
	roll := s.Next()
	var sum float64
	for i, share := range ReactorShares {
		sum += share
		if roll < sum {
			return i
		}
	}
	return 0
}

// A UnionGrid has the energies of all nuclides' grids, and for each of them the point of each
// nuclide's own grid below it.
type UnionGrid struct {
	Energies []float64
	Index    []int32
}

// find is the last energy that is not above e.
func (g UnionGrid) find(e float64) int {
	low, high := 0, len(g.Energies)-1
	for high-low > 1 {
		mid := low + (high-low)/2
		if g.Energies[mid] > e {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}

// Nuclides have as many points each.
type Nuclides struct {
	Count, Points int
	Grid          []Point
}

// At interpolates between point k of a nuclide and the next.
func (n Nuclides) At(nuclide, k int, e float64) [5]float64 {
	own := n.Grid[nuclide*n.Points : (nuclide+1)*n.Points]
	if k == n.Points-1 {
		k--
	}
	a, b := own[k], own[k+1]
	f := (b.Energy - e) / (b.Energy - a.Energy)
	return [5]float64{
		b.Total - f*(b.Total-a.Total), b.Elastic - f*(b.Elastic-a.Elastic), b.Absorption - f*(b.Absorption-a.Absorption),
		b.Fission - f*(b.Fission-a.Fission), b.Nu - f*(b.Nu-a.Nu),
	}
}

// Mixtures are the nuclides of each material, from First of it up to First of the next, and
// how much of each is there.
type Mixtures struct {
	First, Nuclide []int32
	Density        []float64
}

// XSUnionized looks up the cross-sections of random materials at random energies, and tells
// which is the largest (XSBench with a unionized grid).
//
//heddle:noalias
func XSUnionized(seed uint64, union UnionGrid, nuclides Nuclides, materials Mixtures, largest []uint8) {
	i := dsl.GlobalIdx().X
	if i >= len(largest) {
		return
	}
	random := LCG(seed).Skip(2 * uint64(i))
	e := random.Next()
	m := random.material()
	at := union.find(e)
	index := union.Index[at*nuclides.Count : (at+1)*nuclides.Count]
	var sums [5]float64
	for k := materials.First[m]; k < materials.First[m+1]; k++ {
		nuclide := materials.Nuclide[k]
		density := materials.Density[k]
		for c, xs := range nuclides.At(int(nuclide), int(index[nuclide]), e) {
			sums[c] += density * xs
		}
	}
	best := 0
	for c, v := range sums {
		if v > sums[best] {
			best = c
		}
	}
	largest[i] = uint8(best + 1)
}

// Halton makes points of a sequence, a dimension for each permutation of digits, which are
// behind each other in digits from first on. A permutation begins with 0.
//
//heddle:noalias
func Halton(skip, points int, first []int32, digits []int16, out []float32) {
	d, i := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	dims := len(first) - 1
	if d >= dims || i >= points {
		return
	}
	permutation := digits[first[d]:first[d+1]]
	base := len(permutation)
	inverse := 1 / float32(base)
	weight := inverse
	var x float32
	for n := skip + i; n > 0; n /= base {
		x += weight * float32(permutation[n%base])
		weight *= inverse
	}
	out[i*dims+d] = x
}
