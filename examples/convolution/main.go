// Command convolution blurs an image by a 5 x 5 filter, in two passes: along the rows and
// along the columns, each of 5 steps in place of 25. The filter is a table that the kernel reads as a
// constant. Whole numbers make the result the same everywhere.
package main

import (
	"embed"
	"fmt"
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
	width, height = 100, 60
	radius        = 2
)

// filter is binomial: its sum is 16 in either direction. A package variable that nothing
// assigns to is a constant table in kernels.
var filter = [2*radius + 1]int32{1, 4, 6, 4, 1}

// blur is the filter over the pixels at p and step apart from it, at place i of n; edges repeat.
func blur(in []int32, p, step, i, n int) int32 {
	sum := int32(0)
	for k, weight := range filter {
		d := min(max(i+k-radius, 0), n-1) - i // stays in the image
		sum += weight * in[p+d*step]
	}
	return sum
}

// Rows filters along rows.
func Rows(out, in []int32) {
	if p := dsl.GlobalIdx(); p.X < width && p.Y < height {
		at := p.Y*width + p.X
		out[at] = blur(in, at, 1, p.X, width)
	}
}

// Columns filters along columns, and divides by the sum of the weights.
func Columns(out, in []int32) {
	if p := dsl.GlobalIdx(); p.X < width && p.Y < height {
		at := p.Y*width + p.X
		out[at] = blur(in, at, width, p.Y, height) / 256
	}
}

var rows, columns = kernel.New(Rows), kernel.New(Columns)

// onHost is the filter in one pass over 25 neighbours.
func onHost(in []int32, x, y int) int32 {
	sum := int32(0)
	for i, a := range filter {
		for j, b := range filter {
			sum += a * b * in[min(max(y+i-radius, 0), height-1)*width+min(max(x+j-radius, 0), width-1)]
		}
	}
	return sum / 256
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]int32, width*height)
	for i := range host {
		if x, y := i%width-width/2, i/width-height/2; x*x+y*y < 400 && (x/4+y/4)%2 == 0 {
			host[i] = 255
		}
	}
	in, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	half, err := launch.Alloc[int32](dev, len(host))
	if err != nil {
		return err
	}
	out, err := launch.Alloc[int32](dev, len(host))
	if err != nil {
		return err
	}
	cfg := launch.Grid2D(width, height, 32, 4)
	if err := rows.Launch(dev.Stream(), cfg, half, in); err != nil {
		return err
	}
	if err := columns.Launch(dev.Stream(), cfg, out, half); err != nil {
		return err
	}
	got := make([]int32, len(host))
	if err := out.Download(got); err != nil {
		return err
	}
	for i, v := range got {
		if want := onHost(host, i%width, i/width); v != want {
			return fmt.Errorf("pixel %d, %d is %d, want %d", i%width, i/width, v, want)
		}
	}
	const row = (height/2 + 3) * width
	fmt.Fprintln(w, "before", host[row+38:][:12])
	fmt.Fprintln(w, "after ", got[row+38:][:12])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
