package amdemu

import (
	"unsafe"

	"heddle/texture"
	short "heddle/vector"
)

// An imageReader reads texels of one format: package texture's functions for the type that has it. They
// give four channels as instructions do, in 32 bits.
type imageReader struct {
	floats bool
	sample func(im *image, x [3]float32, layer int, level float32) [4]uint32
	gather func(im *image, x [3]float32, layer int) [4][4]uint32
	texel  func(im *image, at unsafe.Pointer) [4]uint32
}

// reads makes the reader of a type.
func reads[T texture.Sampled]() *imageReader {
	format, _ := texture.FormatOf[T]()
	return &imageReader{
		floats: format == texture.Float32,
		sample: func(im *image, x [3]float32, layer int, level float32) [4]uint32 {
			return channelsOf(texture.SampleLod[T](im.dim.kind, &im.desc, x[0], x[1], x[2], layer, level))
		},
		gather: func(im *image, x [3]float32, layer int) (all [4][4]uint32) {
			for k, v := range texture.Gather[T](im.dim.kind, &im.desc, x[0], x[1], x[2], layer) {
				all[k] = channelsOf(v)
			}
			return all
		},
		texel: func(im *image, at unsafe.Pointer) [4]uint32 {
			one := texture.Desc{Texels: at, Size: [3]int32{1, 1, 1}, Slices: 1, Levels: 1, Format: im.desc.Format, TexelSize: im.desc.TexelSize}
			return channelsOf(texture.Fetch[T](texture.Line, &one, 0, 0, 0, 0))
		},
	}
}

// channelsOf are the channels of a texel: integers are extended by their sign.
func channelsOf[T texture.Sampled](v T) (all [4]uint32) {
	format, n := texture.FormatOf[T]()
	p := unsafe.Pointer(&v)
	for c := range n {
		switch format {
		case texture.Int8:
			all[c] = uint32(*(*int8)(unsafe.Add(p, c)))
		case texture.Uint8:
			all[c] = uint32(*(*uint8)(unsafe.Add(p, c)))
		case texture.Int16:
			all[c] = uint32(*(*int16)(unsafe.Add(p, 2*c)))
		case texture.Uint16:
			all[c] = uint32(*(*uint16)(unsafe.Add(p, 2*c)))
		default:
			all[c] = *(*uint32)(unsafe.Add(p, 4*c))
		}
	}
	return all
}

// imageReaders are by the type that package texture reads and by channels: 1, 2, 4.
var imageReaders = map[texture.Format][3]*imageReader{
	texture.Int8:    {reads[int8](), reads[short.Char2](), reads[short.Char4]()},
	texture.Uint8:   {reads[uint8](), reads[short.Uchar2](), reads[short.Uchar4]()},
	texture.Int16:   {reads[int16](), reads[short.Short2](), reads[short.Short4]()},
	texture.Uint16:  {reads[uint16](), reads[short.Ushort2](), reads[short.Ushort4]()},
	texture.Int32:   {reads[int32](), reads[short.Int2](), reads[short.Int4]()},
	texture.Uint32:  {reads[uint32](), reads[short.Uint2](), reads[short.Uint4]()},
	texture.Float32: {reads[float32](), reads[short.Float2](), reads[short.Float4]()},
}

// readerOf is the reader of a format.
func readerOf(f imageFormat) *imageReader {
	of := f.of
	if f.numbers {
		of = texture.Float32
	}
	return imageReaders[of][map[int]int{1: 0, 2: 1, 4: 2}[f.channels]]
}
