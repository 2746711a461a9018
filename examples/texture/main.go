// Command texture rotates and enlarges a picture by sampling it as a texture.
//
//	go run ./examples/texture -o texture.png
//
// The texture's linear filter makes what lies between pixels, its address mode Mirror what lies
// outside, and its read mode numbers from 0 to 1 of bytes. The picture is the same, bit for bit,
// on every device: textures in software do what the hardware of an NVIDIA GPU does.
package main

import (
	"crypto/sha256"
	"embed"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"log"
	"math"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
	"heddle/vector"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const width, height = 320, 240

// Rotate makes each pixel of the value at a turned coordinate of the texture. cos and sin are
// the turn's, in textures per pixel and in 1/65536: integers keep the coordinates the same on
// every device.
func Rotate(t dsl.Texture2D[vector.Float4], pixels []vector.Uchar4, cos, sin int) {
	p := dsl.GlobalIdx()
	if p.X >= width || p.Y >= height {
		return
	}
	x, y := p.X-width/2, p.Y-height/2
	u := float32(x*cos-y*sin)/(1<<16) + 0.5
	v := float32(x*sin+y*cos)/(1<<16) + 0.5
	c := t.Sample(u, v)
	pixels[p.Y*width+p.X] = vector.MakeUchar4(uint8(c.X*255), uint8(c.Y*255), uint8(c.Z*255), 255)
}

var rotate = kernel.New(Rotate)

// picture is 16x16 pixels: rings of colours on a checkerboard.
func picture() []vector.Uchar4 {
	const n = 16
	all := make([]vector.Uchar4, n*n)
	for i := range all {
		x, y := i%n-n/2, i/n-n/2
		ring := uint8((x*x + y*y) * 4)
		light := uint8(0)
		if (i%n/4+i/n/4)%2 == 0 {
			light = 120
		}
		all[i] = vector.MakeUchar4(255-ring, ring/2+light, 80+light, 255)
	}
	return all
}

func render(device string, degrees float64) (*image.RGBA, error) {
	dev, err := launch.Open(device)
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	tex, err := launch.NewTexture2D[vector.Float4](dev, picture(), 16, 16, texture.Options{
		Filter: texture.Linear, Normalized: true, Address: [3]texture.Address{texture.Mirror, texture.Mirror},
	})
	if err != nil {
		return nil, err
	}
	pixels, err := launch.Alloc[vector.Uchar4](dev, width*height)
	if err != nil {
		return nil, err
	}
	turn := func(f func(float64) float64) int {
		return int(math.Round(f(degrees*math.Pi/180) * (1 << 16) / 200))
	}
	if err := rotate.Launch(dev.Stream(), launch.Grid2D(width, height, 32, 8), tex, pixels, turn(math.Cos), turn(math.Sin)); err != nil {
		return nil, err
	}
	host := make([]vector.Uchar4, width*height)
	if err := pixels.Download(host); err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i, c := range host {
		copy(img.Pix[4*i:], []uint8{c.X, c.Y, c.Z, c.W})
	}
	return img, nil
}

func run(w io.Writer, device string) error {
	img, err := render(device, 30)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%dx%d, turned by 30 degrees, sha256 %.8x\n", width, height, sha256.Sum256(img.Pix))
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
