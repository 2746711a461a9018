// Package picture makes texels of Go's images, and images of texels. It is apart from package
// texture so that programs without images do not have package image in them.
//
//	texels, w, h := picture.Texels(img)
//	t, err := launch.NewTexture2D[vector.Float4](dev, texels, w, h, texture.Options{Filter: texture.Linear})
package picture

import (
	"fmt"
	"image"
	"image/draw"
	"unsafe"

	"heddle/vector"
)

// Texels are an image's pixels, row by row: red, green, blue and alpha, the colours multiplied by
// alpha as in image.RGBA. Those of an *image.RGBA without gaps between its rows are its own
// memory; others are converted.
func Texels(img image.Image) (texels []vector.Uchar4, width, height int) {
	b := img.Bounds()
	width, height = b.Dx(), b.Dy()
	if width <= 0 || height <= 0 {
		return nil, 0, 0
	}
	m, ok := img.(*image.RGBA)
	if !ok || m.Stride != 4*width {
		m = image.NewRGBA(image.Rect(0, 0, width, height))
		draw.Draw(m, m.Bounds(), img, b.Min, draw.Src)
	}
	return unsafe.Slice((*vector.Uchar4)(unsafe.Pointer(&m.Pix[0])), width*height), width, height
}

// Image is an image of rows of texels, in their memory. Texels that are no whole number of rows
// are an error.
func Image(texels []vector.Uchar4, width int) (*image.RGBA, error) {
	if width <= 0 || len(texels)%width != 0 {
		return nil, fmt.Errorf("picture: %d texels are no rows of %d", len(texels), width)
	}
	m := &image.RGBA{Stride: 4 * width, Rect: image.Rect(0, 0, width, len(texels)/width)}
	m.Pix = unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(texels))), 4*len(texels))
	return m, nil
}
