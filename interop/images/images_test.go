package images_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"heddle/dsl"
	"heddle/internal/tests/attached"
	"heddle/interop/images"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// paint gives each pixel its place as color.
var paint = kernel.New(func(to []color.RGBA, width, stride int) {
	if i := dsl.GlobalIdx().X; i/width*stride+i%width < len(to) {
		to[i/width*stride+i%width] = color.RGBA{uint8(i % width), uint8(i / width), 7, 255}
	}
})

var invert = kernel.New(func(v []color.Gray) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i].Y = 255 - v[i].Y
	}
})

func TestImages(t *testing.T) {
	for _, name := range []string{"sim", "cpu", "emu:gfx1100", "cuda:0", "hip:0"} {
		t.Run(name, func(t *testing.T) {
			if why := attached.Missing(name); why != "" {
				t.Skip(why)
			}
			dev, err := launch.Open(name)
			ok(t, err)
			defer dev.Close()
			img, pixels, err := images.NewRGBA(dev, image.Rect(0, 0, 20, 10))
			ok(t, err)
			ok(t, paint.Launch(dev.Stream(), launch.Linear(200, 32), pixels, 20, 20))
			ok(t, dev.Sync())
			place(t, img, 0, 0)

			// A part of an image of Go's heap, locked and copied.
			big := image.NewRGBA(image.Rect(0, 0, 100, 100))
			part := big.SubImage(image.Rect(30, 40, 50, 50)).(*image.RGBA)
			b, err := images.RegisterRGBA(dev, part)
			ok(t, err)
			ok(t, paint.Launch(dev.Stream(), launch.Linear(200, 32), b, 20, 100))
			ok(t, dev.Sync())
			place(t, part, 30, 40)
			if got := big.RGBAAt(50, 40); got != (color.RGBA{}) {
				t.Errorf("beside the part: %v", got)
			}
			ok(t, b.Close())
			device, err := launch.AllocPitched[color.RGBA](dev, 20, 10)
			ok(t, err)
			ok(t, launch.CopyRegion(device.Region(), images.RGBA(part)))
			other := big.SubImage(image.Rect(60, 70, 80, 80)).(*image.RGBA)
			ok(t, launch.CopyRegion(images.RGBA(other), device.Region()))
			place(t, other, 60, 70)

			grey, g, err := images.NewGray(dev, image.Rect(0, 0, 5, 5))
			ok(t, err)
			grey.SetGray(2, 3, color.Gray{Y: 200})
			ok(t, invert.Launch(dev.Stream(), launch.Linear(25, 32), g))
			ok(t, dev.Sync())
			if grey.GrayAt(2, 3).Y != 55 || grey.GrayAt(0, 0).Y != 255 {
				t.Error(grey.Pix)
			}
			nrgba, n, err := images.NewNRGBA(dev, image.Rect(0, 0, 5, 5))
			if err != nil || n.Len() != 25 || len(nrgba.Pix) != 100 {
				t.Error(err, n)
			}
		})
	}
}

// place says whether the pixels from x, y on are what paint makes of them.
func place(t *testing.T, img *image.RGBA, x, y int) {
	t.Helper()
	for j := range 10 {
		for i := range 20 {
			if got := img.RGBAAt(x+i, y+j); got != (color.RGBA{uint8(i), uint8(j), 7, 255}) {
				t.Fatalf("(%d, %d) is %v", i, j, got)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	dev, err := launch.Open("sim")
	ok(t, err)
	defer dev.Close()
	if _, _, err := images.NewGray(dev, image.Rectangle{}); err == nil {
		t.Error("an image of no pixels")
	}
	img := image.NewRGBA(image.Rect(0, 0, 4, 4))
	img.Stride = 15
	if _, err := images.RegisterRGBA(dev, img); err == nil || err.Error() != "images: a stride of 15 bytes for rows of 4 pixels of 4" {
		t.Error(err)
	}
	if err := images.RGBA(img).Fill(dev.Stream(), color.RGBA{}); err == nil {
		t.Error("a region of a stride of 15 bytes")
	}
	img.Stride, img.Pix = 16, img.Pix[:60]
	if _, err := images.RegisterRGBA(dev, img); err == nil {
		t.Error("too few pixels")
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ExampleNewRGBA() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	img, pixels, err := images.NewRGBA(dev, image.Rect(0, 0, 64, 64))
	if err != nil {
		panic(err)
	}
	if err := paint.Launch(dev.Stream(), launch.Linear(64*64, 256), pixels, 64, 64); err != nil {
		panic(err)
	}
	if err := dev.Sync(); err != nil {
		panic(err)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		panic(err)
	}
	fmt.Println(img.At(3, 5), file.String()[1:4])
	// Output: {3 5 7 255} PNG
}
