package driver

import "unsafe"

// Images is a Device that may have images: textures and surfaces in hardware.
type Images interface {
	// HasImages reports whether it does, and whether we have code for them.
	HasImages() bool
	NewImage(ImageShape) (Image, error)
}

// An ImageShape is the size of an image. Package texture's Shape and Format have the meanings.
type ImageShape struct {
	Width, Height, Depth int // 0 for axes that there are not
	Slices               int // 0: no layers
	Cube, Layered        bool
	Levels               int
	Channels             int
	ChannelBits          int
	Float, Signed        bool
	TexelSize            int
}

// Sampling is how a texture of an image is sampled.
type Sampling struct {
	Linear, MipLinear  bool
	Address            [3]int // package texture's: clamp, wrap, mirror, border
	Border             [4]float32
	Normalized         bool
	Integers           bool // texels are read as they are
	SRGB               bool // colours are decoded
	MinLevel, MaxLevel float32
}

// An Image is an array of texels in a layout of the device's own (cuArray, hipArray).
type Image interface {
	// Copy queues a copy of all of a level, slice by slice: out of the image or into it, to or
	// from memory of the host or of the device.
	Copy(s Stream, level int, at unsafe.Pointer, host, out bool) error
	// Texture and Surface are objects that kernels use it by, as 64-bit numbers. They are the
	// image's to destroy.
	Texture(*Sampling) (uint64, error)
	Surface() (uint64, error)
	Close() error
}
