package texture

import "math"

// Describe is a descriptor of an array whose texels have no gaps, but for its addresses.
func Describe(s Shape, f Format, texelSize int) Desc {
	d := Desc{
		Size:   [3]int32{int32(s.Width), int32(max(1, s.Height)), int32(max(1, s.Depth))},
		Slices: int32(s.Slices()), Levels: int32(max(1, s.Levels)), Format: f, TexelSize: int32(texelSize),
		Refused: int32(RefusedDevice),
	}
	at := 0
	for l := range int(d.Levels) {
		d.Offset[l] = int64(at)
		one := s.Level(l)
		d.Row[l] = int64(one.Width * texelSize)
		d.Plane[l] = d.Row[l] * int64(max(1, one.Height))
		at += one.Texels() * texelSize
	}
	return d
}

// Options sets how a texture of shape s is sampled, as numbers or as the integers that lie there.
func (d *Desc) Options(s Shape, o Options, numbers bool) {
	d.Filter, d.MipFilter, d.Normalized, d.Address = o.Filter, o.MipFilter, o.Normalized || s.Cube, o.Address
	d.MinLevel, d.MaxLevel, d.Bias = o.MinLevel, o.MaxLevel, o.Bias
	d.Anisotropy = uint8(o.Anisotropy)
	if o.SRGB {
		d.Format = srgb
	}
	if o.MaxLevel == 0 {
		d.MaxLevel = float32(d.Levels - 1)
	}
	for i, b := range o.Border {
		d.Border[i] = b
		if numbers {
			d.Border[i] = d.Format.border(b)
		}
	}
}

// border is a number of the border's colour as a texel of the format has it.
func (f Format) border(b float32) float32 {
	least, most := float32(0), float32(0)
	switch f {
	case Int8:
		least, most = -1, 127
	case Uint8:
		most = 255
	case Int16:
		least, most = -1, 32767
	case Uint16:
		most = 65535
	case srgb: // the border is a colour as a sample gives it: it is not decoded
		return min(max(b, 0), 1)
	case Half: // cut to its precision
		return math.Float32frombits(math.Float32bits(b) &^ (1<<13 - 1))
	default:
		return b
	}
	return float32(int32(min(max(b, least), 1)*most)) / most
}
