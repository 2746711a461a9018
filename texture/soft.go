package texture

import (
	"math"
)

// This file implements coordinates and the choice of texels.

// coordinate bits: a normalised coordinate has 21 after the point, a linear weight 8.
const (
	normalBits = 21
	weightBits = 8
	whole      = 1 << weightBits
)

// fixed is a coordinate in units of 1/256 texel, of which there are n, rounded down, or to the
// nearest if near. Of coordinates that are repeated it is within two textures.
func (d *Desc) fixed(x float32, n int32, a Address, near bool) int32 {
	half := float32(0)
	if near {
		half = 0.5
	}
	if x != x || x < 0 && x > -0x1p-126 { // denormals are 0
		x = 0
	}
	if !d.Normalized {
		x = min(max(x, -1), float32(n)+1) * whole
		i := int32(x)
		if float32(i) > x {
			i--
		}
		if x-float32(i) >= half && near {
			i++
		}
		return i
	}
	repeated := a == Wrap || a == Mirror
	if !repeated {
		x = min(max(x, -1), 2)
	} else if x >= 1<<23 || x <= -1<<23 {
		x = 0
	}
	x *= 1 << normalBits
	q := int64(x)
	if float32(q) > x {
		q--
	}
	if repeated {
		q &= 2<<normalBits - 1
	}
	q *= int64(n) * whole
	if near {
		q += 1 << (normalBits - 1)
	}
	return int32(q >> normalBits)
}

// outside stands for a texel that is of the border's colour.
const outside = -1

// resolve is the texel of n that index i stands for.
func resolve(i, n int32, a Address) int32 {
	switch a {
	case Wrap:
		if i < 0 {
			i += n
		}
		if i >= n {
			i -= n
		}
		if i >= n {
			i -= n
		}
		return i
	case Mirror:
		if i < 0 {
			i = -1 - i
		}
		if i >= 2*n {
			i -= 2 * n
		}
		if i >= n {
			i = 2*n - 1 - i
		}
		return i
	case Border:
		if i < 0 || i >= n {
			return outside
		}
		return i
	}
	return min(max(i, 0), n-1)
}

// taps are two texels of an axis, and the weight of the second in 1/256.
type taps struct{ i0, i1, k int32 }

// nearest is the texel that the point filter takes in axis a of a level.
//
//go:noinline
func (d *Desc) nearest(x float32, a int, level int32) int32 {
	n := max(1, d.Size[a]>>level)
	return resolve(d.fixed(x, n, d.Address[a], false)>>weightBits, n, d.Address[a])
}

// around are the texels that the linear filter takes.
//
//go:noinline
func (d *Desc) around(x float32, a int, level int32) taps {
	n := max(1, d.Size[a]>>level)
	v := d.fixed(x, n, d.Address[a], true) - whole/2
	i := v >> weightBits
	t := taps{resolve(i, n, d.Address[a]), resolve(i+1, n, d.Address[a]), v & (whole - 1)}
	if t.i0 == t.i1 && d.Address[a] == Clamp {
		t.k = 0
	}
	return t
}

// point is a place: coordinates in one to three axes, in a slice.
type point struct {
	x, y, z float32
	slice   int32
	axes    int
}

// texelNear is the texel that the point filter takes.
func texelNear[T Sampled](d *Desc, p point, level int32) T {
	x, y, z := d.nearest(p.x, 0, level), int32(0), int32(0)
	if p.axes > 1 {
		y = d.nearest(p.y, 1, level)
	}
	if p.axes > 2 {
		z = d.nearest(p.z, 2, level)
	}
	if x|y|z < 0 {
		return border[T](d)
	}
	return texelAt[T](d, d.address(level, p.slice, x, y, z))
}

// sampleAt is the value at a place of level 0, or the least there is.
func sampleAt[T Sampled](d *Desc, p point) T {
	if d.MinLevel > 0 {
		return sampleLevel[T](d, p, 0)
	}
	if !isFloat[T]() || d.Filter == Point {
		return texelNear[T](d, p, 0)
	}
	var s sum
	s.level(d, p, 0, whole, KindOf[T]()>>4)
	return ofNumbers[T](s.value(d))
}

// sampleLod is the value at a place of a level, or between two.
func sampleLod[T Sampled](d *Desc, p point, lod float32) T { return sampleLevel[T](d, p, lod+d.Bias) }

// sampleLevel is sampleLod without the bias.
func sampleLevel[T Sampled](d *Desc, p point, lod float32) T {
	lod = min(max(lod, d.MinLevel), d.MaxLevel)
	lod = min(max(lod, 0), float32(d.Levels-1))
	if d.MipFilter == Point || !isFloat[T]() {
		level := int32(lod + 0.5)
		if !isFloat[T]() || d.Filter == Point {
			return texelNear[T](d, p, level)
		}
		var s sum
		s.level(d, p, level, whole, KindOf[T]()>>4)
		return ofNumbers[T](s.value(d))
	}
	q := int32(lod * whole)
	level, k := q>>weightBits, q&(whole-1)
	var s sum
	s.level(d, p, level, whole-k, KindOf[T]()>>4)
	if k != 0 {
		s.level(d, p, level+1, k, KindOf[T]()>>4)
	}
	return ofNumbers[T](s.value(d))
}

// levelOf is the level at which a step of the squared length s, in texels of level 0, is one
// texel: half its logarithm, to 1/256.
func levelOf(s float64) float32 {
	if !(s > 0) {
		return 0
	}
	b := math.Float64bits(s)
	n := (int32(b>>52&0x7ff) - 1023) * whole
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	for bit := int32(whole / 2); bit > 0; bit /= 2 {
		m *= m
		if m >= 2 {
			m /= 2
			n += bit
		}
	}
	return float32(n) / (2 * whole)
}

// step is the squared length of a step in coordinates, in texels.
func (d *Desc) step(x, y, z float32) float64 {
	if d.Normalized {
		x, y, z = x*float32(d.Size[0]), y*float32(d.Size[1]), z*float32(d.Size[2])
	}
	return float64(x)*float64(x) + float64(y)*float64(y) + float64(z)*float64(z)
}

// fetchAt is the texel with integer coordinates of level 0, 0 outside.
func fetchAt[T Sampled](d *Desc, x, y, z, slice int) (v T) {
	if uint(x) >= uint(d.Size[0]) || uint(y) >= uint(d.Size[1]) || uint(z) >= uint(d.Size[2]) || uint(slice) >= uint(d.Slices) {
		return v
	}
	return texelAt[T](d, d.address(0, int32(slice), int32(x), int32(y), int32(z)))
}

// slice is a layer that there is.
func (d *Desc) slice(layer int) int32 { return int32(min(max(layer, 0), int(d.Slices)-1)) }

// gatherAt are the four texels about a place, in HIP's order: (0, 1), (1, 1), (1, 0), (0, 0).
func gatherAt[T Sampled](d *Desc, p point) [4]T {
	x, y := d.around(p.x, 0, 0), d.around(p.y, 1, 0)
	return [4]T{
		texelOr[T](d, p.slice, x.i0, y.i1), texelOr[T](d, p.slice, x.i1, y.i1),
		texelOr[T](d, p.slice, x.i1, y.i0), texelOr[T](d, p.slice, x.i0, y.i0),
	}
}

// texelOr is a texel of level 0, or the border.
func texelOr[T Sampled](d *Desc, slice, x, y int32) T {
	if x|y < 0 {
		return border[T](d)
	}
	return texelAt[T](d, d.address(0, slice, x, y, 0))
}

// onCube is the place that a direction meets a cube at. Faces are +x, -x, +y, -y, +z, -z.
func (d *Desc) onCube(x, y, z float32, layer int) point {
	ax, ay, az := max(x, -x), max(y, -y), max(z, -z)
	var face int32
	var s, t, m float32
	switch {
	case az >= ax && az >= ay:
		face, s, t, m = 4, x, -y, az
		if z < 0 {
			face, s = 5, -x
		}
	case ay >= ax:
		face, s, t, m = 2, x, z, ay
		if y < 0 {
			face, t = 3, -z
		}
	default:
		face, s, t, m = 0, -z, -y, ax
		if x < 0 {
			face, s = 1, z
		}
	}
	if !(m > 0) {
		m = 1
	}
	cubes := int(d.Slices) / 6
	slice := int32(min(max(layer, 0), cubes-1))*6 + face
	return point{(s/m + 1) / 2, (t/m + 1) / 2, 0, slice, 2}
}

// loadAt and storeAt are a surface's: of level 0, without any conversion.
func loadAt[T Texel](d *Desc, x, y, z, slice int) (v T) {
	if uint(x) < uint(d.Size[0]) && uint(y) < uint(d.Size[1]) && uint(z) < uint(d.Size[2]) && uint(slice) < uint(d.Slices) {
		v = *(*T)(d.address(0, int32(slice), int32(x), int32(y), int32(z)))
	}
	return v
}

func storeAt[T Texel](d *Desc, x, y, z, slice int, v T) {
	if uint(x) < uint(d.Size[0]) && uint(y) < uint(d.Size[1]) && uint(z) < uint(d.Size[2]) && uint(slice) < uint(d.Slices) {
		*(*T)(d.address(0, int32(slice), int32(x), int32(y), int32(z))) = v
	}
}
