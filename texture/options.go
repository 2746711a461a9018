package texture

// A Filter is how a texture makes a value of the texels near a coordinate (HIP
// hipTextureFilterMode).
type Filter uint8

// The filters.
const (
	Point  Filter = iota // the nearest texel
	Linear               // the two nearest in each axis, by their distance: float results only
)

// An Address is what a coordinate outside a texture stands for (HIP hipTextureAddressMode).
type Address uint8

// The address modes. Wrap and Mirror are for normalised coordinates.
const (
	Clamp  Address = iota // the nearest texel of the edge
	Wrap                  // the texture is repeated
	Mirror                // it is repeated, every other time mirrored
	Border                // Options.Border
)

// Options say how a texture is sampled (HIP hipTextureDesc). The zero value is the point filter,
// clamped coordinates in texels, level 0 only.
type Options struct {
	Filter Filter
	// MipFilter is between levels, of Lod and Grad functions.
	MipFilter Filter
	// Address is the mode of each axis: x, y, z.
	Address [3]Address
	// Border is the colour outside, where Address is Border: of float results as it is, of others
	// converted to integers.
	Border [4]float32
	// Normalized: coordinates go from 0 to 1 over the texture, in place of 0 to its size.
	Normalized bool
	// SRGB: texels of uint8, read as numbers, hold colours encoded by the sRGB function. Their first three
	// channels are decoded before the filter (HIP hipTextureDesc.sRGB); the fourth, alpha, and Border
	// are linear.
	SRGB bool
	// Anisotropy is the largest number of samples, 1 to 16, that a Grad function takes the mean of, along the
	// longer of its two steps; 0 stands for 1 (HIP hipTextureDesc.maxAnisotropy). Each costs as much
	// as a sample: the shorter step chooses the level.
	Anisotropy int
	// MinLevel and MaxLevel clamp the level that Lod and Grad functions ask for, once Bias is
	// added to it; a MaxLevel of 0 stands for the last level.
	MinLevel, MaxLevel, Bias float32
}

// MaxAnisotropy is the largest Options.Anisotropy.
const MaxAnisotropy = 16

// A Shape is the size of an array of texels (HIP hipExtent with hipArray flags). Width alone is
// 1-D, Width and Height 2-D, all three 3-D.
type Shape struct {
	Width, Height, Depth int
	// Layers, if not 0, is how many 1-D or 2-D arrays of this size there are, or of cubes.
	Layers int
	// Cube: six faces of Width x Width (Height may be left 0), in the order +x, -x, +y, -y, +z, -z.
	Cube bool
	// Levels is the number of mipmap levels, each half as wide as the one before; 0 stands for 1.
	Levels int
	// Linear: texels lie in plain device memory, as the software form needs them, also on a
	// device that has images.
	Linear bool
}

// MaxLevels is the largest number of mipmap levels.
const MaxLevels = 16

// Level is the shape of one level, 0 for the first: at least 1 in each axis that there is.
func (s Shape) Level(l int) Shape {
	half := func(n int) int {
		if n == 0 {
			return 0
		}
		return max(1, n>>l)
	}
	if s.Cube {
		s.Height = s.Width
	}
	s.Width, s.Height, s.Depth, s.Levels = half(s.Width), half(s.Height), half(s.Depth), 1
	return s
}

// Slices is how many 1-D, 2-D or 3-D arrays the shape has: layers, faces of cubes.
func (s Shape) Slices() int {
	n := max(1, s.Layers)
	if s.Cube {
		n *= 6
	}
	return n
}

// Texels is how many texels the shape has on all levels.
func (s Shape) Texels() int {
	n := 0
	for l := range max(1, s.Levels) {
		v := s.Level(l)
		n += max(1, v.Width) * max(1, v.Height) * max(1, v.Depth) * s.Slices()
	}
	return n
}
