package texture

// This file implements gradients: the level of a footprint, and the samples along it.

// A Kinded type stands for a kind, so that it is a constant of the kernels that its functions are
// compiled into.
type Kinded interface {
	OnLine | OnPlane | OnVolume | OnLines | OnPlanes | OnCube | OnCubes |
		softly[OnLine] | softly[OnPlane] | softly[OnVolume] | softly[OnLines] | softly[OnPlanes] | softly[OnCube] | softly[OnCubes]
	kind() Kind
	soft() bool
}

// OnLine, and the others, are the kinds.
type (
	OnLine   struct{}
	OnPlane  struct{}
	OnVolume struct{}
	OnLines  struct{}
	OnPlanes struct{}
	OnCube   struct{}
	OnCubes  struct{}
	// softly is a kind in the software form.
	softly[K interface{ kind() Kind }] struct{}
)

func (OnLine) kind() Kind   { return Line }
func (OnPlane) kind() Kind  { return Plane }
func (OnVolume) kind() Kind { return Volume }
func (OnLines) kind() Kind  { return Lines }
func (OnPlanes) kind() Kind { return Planes }
func (OnCube) kind() Kind   { return Cube }
func (OnCubes) kind() Kind  { return Cubes }

func (softly[K]) kind() Kind {
	var k K
	return k.kind()
}

func (OnLine) soft() bool    { return false }
func (OnPlane) soft() bool   { return false }
func (OnVolume) soft() bool  { return false }
func (OnLines) soft() bool   { return false }
func (OnPlanes) soft() bool  { return false }
func (OnCube) soft() bool    { return false }
func (OnCubes) soft() bool   { return false }
func (softly[K]) soft() bool { return true }

// lodOn is SampleLod of a kind.
func lodOn[T Sampled, K Kinded](d *Desc, x, y, z float32, layer int, level float32) T {
	var k K
	if k.soft() {
		return softLod[T](k.kind(), d, x, y, z, layer, level)
	}
	return SampleLod[T](k.kind(), d, x, y, z, layer, level)
}

// SampleGrad is the value at a place for two steps in coordinates, on the level on which they are at most
// a texel. Of an anisotropic texture it is the mean of n samples along the longer step, on the
// level on which that is at most n texels: n is the steps' ratio, rounded up, and at most the
// texture's (the formulas are those of OpenGL's EXT_texture_filter_anisotropic).
func SampleGrad[T Sampled, K Kinded](d *Desc, x, y, z float32, layer int, x0, y0, z0, x1, y1, z1 float32) T {
	var k K
	var s0, s1 float64
	if k.kind() == Cube || k.kind() == Cubes {
		s0, s1 = d.cubeSteps(x, y, z, x0, y0, z0, x1, y1, z1)
	} else {
		s0, s1 = d.step(x0, y0, z0), d.step(x1, y1, z1)
	}
	long, short := max(s0, s1), min(s0, s1)
	if !isFloat[T]() || d.Anisotropy <= 1 {
		return lodOn[T, K](d, x, y, z, layer, levelOf(long))
	}
	if s0 < s1 {
		x0, y0, z0 = x1, y1, z1
	}
	n := int32(1)
	for n < int32(d.Anisotropy) && float64(n*n)*short < long {
		n++
	}
	level := levelOf(long / float64(n*n))
	var sum quad
	for i := int32(1); i <= n; i++ {
		t := float32(i)/float32(n+1) - 0.5
		// The conversions keep products and sums apart, so that all devices round alike.
		q := quadOf(lodOn[T, K](d, x+float32(t*x0), y+float32(t*y0), z+float32(t*z0), layer, level))
		for c := range sum {
			sum[c] += q[c]
		}
	}
	for c := range sum {
		sum[c] /= float32(n)
	}
	return ofNumbers[T](sum)
}

// cubeSteps are the squared lengths of steps of a direction, along the face that the direction meets.
func (d *Desc) cubeSteps(x, y, z, x0, y0, z0, x1, y1, z1 float32) (s0, s1 float64) {
	p, a, b := d.onCube(x, y, z, 0), d.onCube(x+x0, y+y0, z+z0, 0), d.onCube(x+x1, y+y1, z+z1, 0)
	if a.slice == p.slice {
		s0 = d.step(a.x-p.x, a.y-p.y, 0)
	}
	if b.slice == p.slice {
		s1 = d.step(b.x-p.x, b.y-p.y, 0)
	}
	return s0, s1
}
