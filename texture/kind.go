package texture

// A Kind is what a texture or a surface is made of.
type Kind int

// The kinds.
const (
	Line Kind = iota
	Plane
	Volume
	Lines
	Planes
	Cube
	Cubes
)

// KindOfShape is the kind that arrays of a shape are of.
func KindOfShape(s Shape) Kind {
	switch {
	case s.Cube && s.Layers > 0:
		return Cubes
	case s.Cube:
		return Cube
	case s.Layers > 0 && s.Height > 0:
		return Planes
	case s.Layers > 0:
		return Lines
	case s.Depth > 0:
		return Volume
	case s.Height > 0:
		return Plane
	}
	return Line
}

// place is where coordinates of a kind are.
func (k Kind) place(d *Desc, x, y, z float32, layer int) point {
	switch k {
	case Line, Lines:
		return point{x, 0, 0, d.slice(layer), 1}
	case Plane, Planes:
		return point{x, y, 0, d.slice(layer), 2}
	case Volume:
		return point{x, y, z, 0, 3}
	}
	return d.onCube(x, y, z, layer)
}

// These are what the methods of all types are made of. The exported ones have rows: GPUs with
// images have instructions for them.

// Sample is the value at a place, of level 0; layer is 0 where there are none.
func Sample[T Sampled](k Kind, d *Desc, x, y, z float32, layer int) T {
	return soft[T](k, d, x, y, z, layer)
}

// SampleLod is the value at a place, of a level or between two.
func SampleLod[T Sampled](k Kind, d *Desc, x, y, z float32, layer int, level float32) T {
	return softLod[T](k, d, x, y, z, layer, level)
}

// Fetch is the texel with integer coordinates, 0 outside.
func Fetch[T Sampled](k Kind, d *Desc, x, y, z, layer int) T {
	return softFetch[T](k, d, x, y, z, layer)
}

// Gather is the four texels about a place.
func Gather[T Sampled](k Kind, d *Desc, x, y, z float32, layer int) [4]T {
	return softGather[T](k, d, x, y, z, layer)
}

// Load is a surface's texel, 0 outside; slice counts layers, and faces of layers.
func Load[T Texel](_ Kind, d *Desc, x, y, z, slice int) T { return loadAt[T](d, x, y, z, slice) }

// Store writes a surface's texel.
func Store[T Texel](_ Kind, d *Desc, x, y, z, slice int, v T) { storeAt(d, x, y, z, slice, v) }

func soft[T Sampled](k Kind, d *Desc, x, y, z float32, layer int) T {
	return sampleAt[T](d, k.place(d, x, y, z, layer))
}

func softLod[T Sampled](k Kind, d *Desc, x, y, z float32, layer int, level float32) T {
	return sampleLod[T](d, k.place(d, x, y, z, layer), level)
}

func softFetch[T Sampled](_ Kind, d *Desc, x, y, z, layer int) T {
	return fetchAt[T](d, x, y, z, layer)
}

func softGather[T Sampled](k Kind, d *Desc, x, y, z float32, layer int) [4]T {
	return gatherAt[T](d, k.place(d, x, y, z, layer))
}
