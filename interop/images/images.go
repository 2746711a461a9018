// Package images lets kernels work on images of package image without a copy. A pixel is its
// color: an image.RGBA is a Buffer of color.RGBA, a struct of four bytes.
//
//	img, pixels, err := images.NewRGBA(dev, image.Rect(0, 0, 640, 480))
//	err = paint.Launch(s, cfg, pixels, 640)
//	err = s.Sync()
//	err = png.Encode(w, img)
//
// New... makes an image in page-locked memory, Register... locks the pixels of one that there
// is, and the regions copy between an image, or a part of one, and device memory
// ([launch.CopyRegion]).
package images

import (
	"fmt"
	"image"
	"image/color"
	"unsafe"

	"heddle/launch"
)

// NewRGBA returns an image, all zero, and the Buffer that its pixels are: row y begins at
// y*r.Dx(). Closing the Buffer ends the image.
func NewRGBA(d *launch.Device, r image.Rectangle) (*image.RGBA, *launch.Buffer[color.RGBA], error) {
	pix, b, err := pinned[color.RGBA](d, r)
	return &image.RGBA{Pix: pix, Stride: 4 * r.Dx(), Rect: r}, b, err
}

// NewNRGBA is [NewRGBA] for colors whose alpha is not multiplied in.
func NewNRGBA(d *launch.Device, r image.Rectangle) (*image.NRGBA, *launch.Buffer[color.NRGBA], error) {
	pix, b, err := pinned[color.NRGBA](d, r)
	return &image.NRGBA{Pix: pix, Stride: 4 * r.Dx(), Rect: r}, b, err
}

// NewGray is [NewRGBA] for grey images.
func NewGray(d *launch.Device, r image.Rectangle) (*image.Gray, *launch.Buffer[color.Gray], error) {
	pix, b, err := pinned[color.Gray](d, r)
	return &image.Gray{Pix: pix, Stride: r.Dx(), Rect: r}, b, err
}

// RegisterRGBA locks the pixels of an image for as long as the Buffer that it returns is open:
// kernels work on the image itself ([launch.Register]). Row y of the image, or of a part of one,
// begins at y*img.Stride/4.
func RegisterRGBA(d *launch.Device, img *image.RGBA) (*launch.Buffer[color.RGBA], error) {
	return register[color.RGBA](d, img.Pix, img.Stride, img.Rect)
}

// RegisterNRGBA is [RegisterRGBA] for colors whose alpha is not multiplied in.
func RegisterNRGBA(d *launch.Device, img *image.NRGBA) (*launch.Buffer[color.NRGBA], error) {
	return register[color.NRGBA](d, img.Pix, img.Stride, img.Rect)
}

// RegisterGray is [RegisterRGBA] for grey images; row y begins at y*img.Stride.
func RegisterGray(d *launch.Device, img *image.Gray) (*launch.Buffer[color.Gray], error) {
	return register[color.Gray](d, img.Pix, img.Stride, img.Rect)
}

// RGBA is an image, or a part of one, as a region: what [launch.CopyRegion] copies from
// or to. Where it has a stride that is no whole pixels, the region's use is an error.
func RGBA(img *image.RGBA) launch.Region[color.RGBA] {
	return region[color.RGBA](img.Pix, img.Stride, img.Rect)
}

// NRGBA is [RGBA] for colors whose alpha is not multiplied in.
func NRGBA(img *image.NRGBA) launch.Region[color.NRGBA] {
	return region[color.NRGBA](img.Pix, img.Stride, img.Rect)
}

// Gray is [RGBA] for grey images.
func Gray(img *image.Gray) launch.Region[color.Gray] {
	return region[color.Gray](img.Pix, img.Stride, img.Rect)
}

func pinned[P any](d *launch.Device, r image.Rectangle) ([]byte, *launch.Buffer[P], error) {
	if r.Empty() {
		return nil, nil, fmt.Errorf("images: an image of no pixels, %v", r)
	}
	b, err := launch.NewPinned[P](d, r.Dx()*r.Dy())
	if err != nil {
		return nil, nil, err
	}
	host := b.Host()
	return unsafe.Slice((*byte)(unsafe.Pointer(&host[0])), len(host)*int(unsafe.Sizeof(host[0]))), b, nil
}

// pixels are the bytes of an image as colors, from its first pixel to its last one.
func pixels[P any](pix []byte, stride int, r image.Rectangle) ([]P, int, error) {
	size := int(unsafe.Sizeof(*new(P)))
	switch {
	case r.Empty():
		return nil, 0, fmt.Errorf("images: an image of no pixels, %v", r)
	case stride%size != 0 || stride < size*r.Dx():
		return nil, 0, fmt.Errorf("images: a stride of %d bytes for rows of %d pixels of %d", stride, r.Dx(), size)
	}
	n := (r.Dy()-1)*(stride/size) + r.Dx()
	if n*size > len(pix) {
		return nil, 0, fmt.Errorf("images: %d bytes of pixels; %v with a stride of %d bytes needs %d", len(pix), r, stride, n*size)
	}
	return unsafe.Slice((*P)(unsafe.Pointer(&pix[0])), n), stride / size, nil
}

func register[P any](d *launch.Device, pix []byte, stride int, r image.Rectangle) (*launch.Buffer[P], error) {
	p, _, err := pixels[P](pix, stride, r)
	if err != nil {
		return nil, err
	}
	return launch.Register(d, p)
}

func region[P any](pix []byte, stride int, r image.Rectangle) launch.Region[P] {
	p, step, err := pixels[P](pix, stride, r)
	if err != nil { // a layout that the region refuses
		size := int(unsafe.Sizeof(*new(P)))
		return launch.HostRegion([]P(nil), launch.Layout{Width: max(1, r.Dx()), Height: max(1, r.Dy()), Stride: max(1, stride/size)})
	}
	return launch.HostRegion(p, launch.Layout{Width: r.Dx(), Height: r.Dy(), Stride: step})
}
