// Command mandelbrot draws the Mandelbrot set to a PNG file.
//
//	go run ./examples/mandelbrot -o mandelbrot.png
//
// The arithmetic is in fixed point, which gives the same picture, bit for bit,
// on every device: floating-point code may be contracted into fused
// multiply-adds, whose rounding differs.
package main

import (
	"crypto/sha256"
	"embed"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	width, height = 320, 240
	limit         = 160 // iterations

	one = 1 << 28 // of fixed-point numbers: products of two numbers below 8 fit in int64
)

// A Fixed is a number in units of 1/one. Kernels may have methods, and
// constants, and named types, as any Go code.
type Fixed int64

// Mul is the product.
func (a Fixed) Mul(b Fixed) Fixed { return a * b / one }

// Mandelbrot stores, for each pixel, after how many steps of z = z*z + c the
// number z leaves the circle of radius 2; limit if it never does.
func Mandelbrot(pixels []uint8, left, top, step Fixed) {
	p := dsl.GlobalIdx()
	if p.X >= width || p.Y >= height {
		return
	}
	re, im := left+Fixed(p.X)*step, top+Fixed(p.Y)*step
	var x, y Fixed
	n := 0
	for n < limit && x.Mul(x)+y.Mul(y) <= 4*one {
		x, y = x.Mul(x)-y.Mul(y)+re, 2*x.Mul(y)+im
		n++
	}
	pixels[p.Y*width+p.X] = uint8(n)
}

var mandelbrot = kernel.New(Mandelbrot)

// palette gives each number of steps a colour; those inside the set are black.
func palette() color.Palette {
	p := make(color.Palette, limit+1)
	for i := range p {
		p[i] = color.RGBA{R: uint8(9 * i), G: uint8(3 * i), B: uint8(64 + i), A: 255}
	}
	p[limit] = color.Black
	return p
}

func render(device string) (*image.Paletted, error) {
	dev, err := launch.Open(device)
	if err != nil {
		return nil, err
	}
	defer dev.Close()

	img := image.NewPaletted(image.Rect(0, 0, width, height), palette())
	pixels, err := launch.Alloc[uint8](dev, len(img.Pix))
	if err != nil {
		return nil, err
	}
	const step = 3 * one / width
	cfg := launch.Grid2D(width, height, 32, 8)
	if err := mandelbrot.Launch(dev.Stream(), cfg, pixels, Fixed(-9*one/4), Fixed(-9*one/8), Fixed(step)); err != nil {
		return nil, err
	}
	return img, pixels.Download(img.Pix)
}

func run(w io.Writer, device string) error {
	img, err := render(device)
	if err != nil {
		return err
	}
	inside := 0
	for _, p := range img.Pix {
		if p == limit {
			inside++
		}
	}
	fmt.Fprintf(w, "%dx%d, %d pixels in the set, sha256 %.8x\n", width, height, inside, sha256.Sum256(img.Pix))
	if *output == "" {
		return nil
	}
	f, err := os.Create(*output)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

var output = flag.String("o", "", "write the picture to this PNG `file`")

func main() {
	flag.Parse()
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
