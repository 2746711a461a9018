// Package texture holds what textures are made of on the host's side and on the device's:
// [Options] of sampling, [Shape] of an array of texels, and the software form of sampling,
// [Soft2D] and its like, which is plain Go and gives the same results, bit for bit, on every
// device.
//
// A kernel takes a dsl.Texture2D[T], whose methods are the GPU's own instructions where the
// device has images and heddle has code for them (NVIDIA), and the software form elsewhere: on
// sim, cpu, emu and on AMD's GPUs, gfx90a and gfx942 among them, which have no images. On AMD's
// RDNA GPUs kernel.Options.ImageInstructions makes them instructions, too. A kernel that takes a
// [Soft2D] has the software form everywhere.
//
// # Coordinates and filters
//
// The rules are those of CUDA's programming guide, and the details those that an H100 and an
// H200 were seen to follow. Texel i of n covers the coordinates from i to i+1; normalised
// coordinates are x/n, of which 21 bits after the point count. The point filter takes the texel
// at floor(x). The linear filter takes the two texels about x - 0.5, in each of up to three axes,
// with a weight of 8 bits after the point that is rounded to the nearest, and a product of
// weights, of two or three axes, is again rounded to 8 bits. Texels of 8 and 16 bits are widened
// to 16 bits, weighted, and rounded to 16 bits. Of texels of 32 bits that are floats, each is
// cut to 28 bits below the largest of those with a weight, the sum is exact, and its rounding is
// to the nearest, halves away from zero.
package texture
