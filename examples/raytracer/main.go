// Command raytracer draws spheres that mirror each other and throw shadows, a thread for each pixel. What
// a kernel calls is ordinary Go: methods of a vector type, loops, tables. So the host can call the same function and compare.
//
//	go run ./examples/raytracer -o raytracer.png
package main

import (
	"embed"
	"errors"
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
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// A Vec is a point or a direction.
type Vec struct{ X, Y, Z float32 }

func (a Vec) plus(b Vec) Vec           { return Vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a Vec) times(f float32) Vec      { return Vec{a.X * f, a.Y * f, a.Z * f} }
func (a Vec) minus(b Vec) Vec          { return a.plus(b.times(-1)) }
func (a Vec) dot(b Vec) float32        { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func (a Vec) unit() Vec                { return a.times(1 / float32(math.Sqrt(float64(a.dot(a))))) }
func (a Vec) mirror(normal Vec) Vec    { return a.minus(normal.times(2 * a.dot(normal))) }
func (a Vec) mix(b Vec, f float32) Vec { return a.times(1 - f).plus(b.times(f)) }

// A Sphere mirrors as much as it says.
type Sphere struct {
	Centre, Colour Vec
	Radius, Mirror float32
}

// scene is a constant table in kernels.
var scene = [4]Sphere{
	{Vec{0, 1, 6}, Vec{0.9, 0.9, 0.9}, 1, 0.7},
	{Vec{-1.9, 0.7, 5}, Vec{0.9, 0.3, 0.2}, 0.7, 0.2},
	{Vec{1.6, 0.6, 4.6}, Vec{0.2, 0.4, 0.9}, 0.6, 0.3},
	{Vec{0.3, 0.35, 3.6}, Vec{0.3, 0.8, 0.3}, 0.35, 0.1},
}

const far = 1e9

// hit is how far a ray goes until it meets something, and which sphere: -1 for the floor.
func hit(from, dir Vec) (distance float32, sphere int) {
	distance, sphere = far, -1
	if dir.Y < 0 {
		distance = -from.Y / dir.Y
	}
	for i, s := range scene {
		to := s.Centre.minus(from)
		b := to.dot(dir)
		if d := b*b - to.dot(to) + s.Radius*s.Radius; d > 0 {
			if t := b - float32(math.Sqrt(float64(d))); t > 1e-3 && t < distance {
				distance, sphere = t, i
			}
		}
	}
	return distance, sphere
}

// colour follows a ray and its mirror images.
func colour(from, dir Vec) Vec {
	light := Vec{-0.6, 0.8, -0.5}.unit()
	var sum Vec
	weight := float32(1)
	for range 4 {
		d, i := hit(from, dir)
		if d >= 100 {
			sky := Vec{0.7, 0.8, 1}.mix(Vec{0.2, 0.4, 0.8}, max(dir.Y, 0))
			return sum.plus(sky.times(weight))
		}
		at := from.plus(dir.times(d))
		normal, own, mirror := Vec{0, 1, 0}, Vec{0.8, 0.8, 0.8}, float32(0.15)
		if i >= 0 {
			normal, own, mirror = at.minus(scene[i].Centre).unit(), scene[i].Colour, scene[i].Mirror
		} else if (int(at.X+100)+int(at.Z+100))%2 == 0 {
			own = Vec{0.3, 0.3, 0.35}
		}
		bright := float32(0.2)
		if shade, _ := hit(at.plus(normal.times(1e-3)), light); shade >= far {
			bright += 0.8 * max(normal.dot(light), 0)
		}
		sum = sum.plus(own.times(bright * weight * (1 - mirror)))
		weight *= mirror
		from, dir = at.plus(normal.times(1e-3)), dir.mirror(normal)
	}
	return sum
}

// pixel is the colour of a pixel of a w x h picture.
func pixel(x, y, w, h int) [4]uint8 {
	dir := Vec{(float32(x) - float32(w)/2) / float32(h), (float32(h)/2 - float32(y)) / float32(h), 1.2}.unit()
	c := colour(Vec{0, 1, 0}, dir)
	return [4]uint8{uint8(min(c.X, 1) * 255), uint8(min(c.Y, 1) * 255), uint8(min(c.Z, 1) * 255), 255}
}

// Render draws.
func Render(pixels [][4]uint8, w, h int) {
	if p := dsl.GlobalIdx(); p.X < w && p.Y < h {
		pixels[p.Y*w+p.X] = pixel(p.X, p.Y, w, h)
	}
}

var renderer = kernel.New(Render)

// render draws on a device.
func render(device string, w, h int) ([][4]uint8, error) {
	dev, err := launch.Open(device)
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	pixels, err := launch.Alloc[[4]uint8](dev, w*h)
	if err != nil {
		return nil, err
	}
	if err := renderer.Launch(dev.Stream(), launch.Grid2D(w, h, 32, 4), pixels, w, h); err != nil {
		return nil, err
	}
	host := make([][4]uint8, w*h)
	return host, pixels.Download(host)
}

func run(w io.Writer, device string) error {
	const width, height = 64, 48
	got, err := render(device, width, height)
	if err != nil {
		return err
	}
	other := 0 // where an edge is a hair's breadth elsewhere
	for i, p := range got {
		for c, want := range pixel(i%width, i/width, width, height) {
			if d := int(p[c]) - int(want); d < -2 || d > 2 {
				other++
				break
			}
		}
	}
	if other > width*height/200 {
		return fmt.Errorf("%d pixels are not as the host has them", other)
	}
	fmt.Fprintf(w, "%d x %d pixels, as on the host\n", width, height)
	return nil
}

var output = flag.String("o", "", "write a picture to this PNG `file`")

// draw writes a picture, of the means of 3 x 3 pixels.
func draw(file string) error {
	const width, height, fine = 320, 200, 3
	got, err := render("", width*fine, height*fine)
	if err != nil {
		return err
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		sum, x, y := 0, i/4%width, i/4/width
		for j := range fine * fine {
			sum += int(got[(y*fine+j/fine)*width*fine+x*fine+j%fine][i%4])
		}
		img.Pix[i] = uint8(sum / (fine * fine))
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}

func main() {
	flag.Parse()
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
	if *output != "" {
		if err := draw(*output); err != nil {
			log.Fatal(err)
		}
	}
}
