package texture

import (
	"unsafe"

	"heddle/vector"
)

// Sampled is what a texture gives: numbers, and vectors of two and four. Float types also stand
// for texels of 8 and 16 bits as numbers from 0 to 1 (of signed ones from -1), and for Half.
type Sampled interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | float32 |
		vector.Char2 | vector.Uchar2 | vector.Short2 | vector.Ushort2 | vector.Int2 | vector.Uint2 | vector.Float2 |
		vector.Char4 | vector.Uchar4 | vector.Short4 | vector.Ushort4 | vector.Int4 | vector.Uint4 | vector.Float4
}

// Texel is what lies in an array: what is [Sampled], and Half.
type Texel interface {
	Sampled | vector.Half | vector.Half2 | vector.Half4
}

// A Format is the type of a texel's channels.
type Format int32

// The formats.
const (
	Int8 Format = iota
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Half
	Float32
	// srgb is Uint8 whose colours, channels 0 to 2, are decoded: of descriptors only. What is Half or
	// above is blended as floats.
	srgb
)

// bytes are the sizes of the formats.
func (f Format) bytes() int {
	switch f {
	case Int8, Uint8, srgb:
		return 1
	case Int16, Uint16, Half:
		return 2
	}
	return 4
}

// FormatOf is the format of T and how many channels it has. The compiler knows both of a type.
func FormatOf[T Texel]() (f Format, channels int) {
	k := KindOf[T]()
	return Format(k & 15), k >> 4
}

// KindOf is T's [Format] and, above 4 bits, its channels. In a kernel it is a constant.
func KindOf[T Texel]() int {
	var v T
	one := func(f Format) int { return int(f) + int(unsafe.Sizeof(v))/f.bytes()<<4 }
	switch any(v).(type) {
	case int8, vector.Char2, vector.Char4:
		return one(Int8)
	case uint8, vector.Uchar2, vector.Uchar4:
		return one(Uint8)
	case int16, vector.Short2, vector.Short4:
		return one(Int16)
	case uint16, vector.Ushort2, vector.Ushort4:
		return one(Uint16)
	case int32, vector.Int2, vector.Int4:
		return one(Int32)
	case uint32, vector.Uint2, vector.Uint4:
		return one(Uint32)
	case vector.Half, vector.Half2, vector.Half4:
		return one(Half)
	}
	return one(Float32)
}

// Desc is what a texture or a surface is in device memory: package launch fills it in.
type Desc struct {
	Image, Surface uint64         // the driver's objects, where the device has images
	Texels         unsafe.Pointer // else: the texels of level 0, slice by slice
	Size           [3]int32       // of level 0; 1 in axes that there are not
	Slices, Levels int32
	Format         Format
	TexelSize      int32
	Filter         Filter
	MipFilter      Filter
	Normalized     bool
	Address        [3]Address
	Anisotropy     uint8
	Border         [4]float32
	MinLevel       float32
	MaxLevel       float32
	Bias           float32
	Refused        int32            // why AMD's image instructions cannot use it, 0 if they can: a Refusal
	Offset         [MaxLevels]int64 // of the levels, in bytes
	Row, Plane     [MaxLevels]int64 // of each level: bytes from row to row, and from slice (or plane, of 3-D) to slice
	Resource       [8]uint32        // AMD's image instructions take these two, which package launch fills in
	Sampler        [4]uint32
}

// A Refusal is why a Desc has no Resource and Sampler for AMD's image instructions.
type Refusal int32

// The refusals.
const (
	RefusedDevice Refusal = 1 + iota // no processor with them, or package launch did not make the Desc
	RefusedLinear                    // Shape.Linear
	RefusedSize                      // more texels or slices than descriptors can say
	RefusedBorder                    // a border of another colour than descriptors can name
)

// quad is a value of four channels, those that a type lacks 0.
type quad = [4]float32

// address is that of a texel in a slice of a level. Volumes have one slice, and others one plane.
func (d *Desc) address(level, slice, x, y, z int32) unsafe.Pointer {
	at := d.Offset[level] + int64(slice+z)*d.Plane[level] + int64(y)*d.Row[level]
	return unsafe.Add(d.Texels, int(at+int64(x)*int64(d.TexelSize)))
}

// number is channel c of n at p, as a float.
func number(f Format, p unsafe.Pointer, c int) float32 {
	switch f {
	case Int8:
		return max(float32(*(*int8)(unsafe.Add(p, c)))/127, -1)
	case Uint8:
		return float32(*(*uint8)(unsafe.Add(p, c))) / 255
	case Int16:
		return max(float32(*(*int16)(unsafe.Add(p, 2*c)))/32767, -1)
	case Uint16:
		return float32(*(*uint16)(unsafe.Add(p, 2*c))) / 65535
	case Half:
		return vector.HalfFromBits(*(*uint16)(unsafe.Add(p, 2*c))).Float32()
	case srgb:
		v := *(*uint8)(unsafe.Add(p, c))
		if c < 3 {
			return srgbTable[v]
		}
		return float32(v) / 255
	}
	return *(*float32)(unsafe.Add(p, 4*c))
}

// wide is channel c at p of an integer format in units of 1/8 of 1/65535, or 1/32767.
func wide(f Format, p unsafe.Pointer, c int) int32 {
	switch f {
	case Uint8:
		return int32(*(*uint8)(unsafe.Add(p, c))) * 257 * 8
	case Uint16:
		return int32(*(*uint16)(unsafe.Add(p, 2*c))) * 8
	case Int16:
		return max(int32(*(*int16)(unsafe.Add(p, 2*c))), -32767) * 8
	}
	// Rounded down.
	v := max(int32(*(*int8)(unsafe.Add(p, c))), -127)
	return (v+127)*(32767*8)/127 - 32767*8
}

// ofNumbers is a float T of as many of the numbers as it has channels.
func ofNumbers[T Sampled](q quad) (v T) {
	n := KindOf[T]() >> 4
	p := unsafe.Pointer(&v)
	*(*float32)(p) = q[0]
	if n > 1 {
		*(*float32)(unsafe.Add(p, 4)) = q[1]
	}
	if n > 2 {
		*(*float32)(unsafe.Add(p, 8)) = q[2]
		*(*float32)(unsafe.Add(p, 12)) = q[3]
	}
	return v
}

// quadOf is the numbers of a float T.
func quadOf[T Sampled](v T) (q quad) {
	n := KindOf[T]() >> 4
	p := unsafe.Pointer(&v)
	q[0] = *(*float32)(p)
	if n > 1 {
		q[1] = *(*float32)(unsafe.Add(p, 4))
	}
	if n > 2 {
		q[2] = *(*float32)(unsafe.Add(p, 8))
		q[3] = *(*float32)(unsafe.Add(p, 12))
	}
	return q
}

// isFloat reports whether T is of floats.
func isFloat[T Texel]() bool { return Format(KindOf[T]()&15) == Float32 }

// texel is the texel at p as a T.
func (d *Desc) numbers(p unsafe.Pointer, channels int) (q quad) {
	q[0] = number(d.Format, p, 0)
	if channels > 1 {
		q[1] = number(d.Format, p, 1)
	}
	if channels > 2 {
		q[2] = number(d.Format, p, 2)
		q[3] = number(d.Format, p, 3)
	}
	return q
}

// texelAt is the texel at p.
func texelAt[T Sampled](d *Desc, p unsafe.Pointer) T {
	if isFloat[T]() {
		return ofNumbers[T](d.numbers(p, KindOf[T]()>>4))
	}
	return *(*T)(p)
}

// border is the colour outside.
func border[T Sampled](d *Desc) (v T) {
	if isFloat[T]() {
		return ofNumbers[T](d.Border)
	}
	k := KindOf[T]()
	size := Format(k & 15).bytes()
	for c := range k >> 4 {
		p, b := unsafe.Add(unsafe.Pointer(&v), c*size), int32(d.Border[c])
		switch size {
		case 1:
			*(*int8)(p) = int8(b)
		case 2:
			*(*int16)(p) = int16(b)
		default:
			*(*int32)(p) = b
		}
	}
	return v
}
