// Command warpshuffle transposes small matrices inside a warp: lanes hand each other values from
// register to register, without any memory in between.
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

const side = 4 // of a matrix; 16 lanes hold one, each an element

// Transpose transposes the matrices of v. Lane 4*row+column of each 16 gets from lane 4*column+row.
func Transpose(v []float32) {
	i := dsl.GlobalIdx().X // the grid fits: v has whole blocks
	lane := dsl.LaneID() % (side * side)
	from := lane%side*side + lane/side
	v[i] = dsl.ShflWidth(v[i], from, side*side)
}

// Scan replaces each number by the sum of those up to it, in the warp.
func Scan(v []int32, warp []int32) {
	i := dsl.GlobalIdx().X
	x := v[i]
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		if y := dsl.ShflUp(x, d); dsl.LaneID() >= d {
			x += y
		}
	}
	v[i] = x
	if i == 0 {
		warp[0] = int32(dsl.WarpSize())
	}
}

var transpose, scan = kernel.New(Transpose), kernel.New(Scan)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	matrices := make([]float32, 128)
	ones := make([]int32, 128)
	for i := range matrices {
		matrices[i], ones[i] = float32(i), 1
	}
	m, err := launch.Upload(dev, matrices)
	if err != nil {
		return err
	}
	if err := transpose.Launch(dev.Stream(), launch.Linear(m.Len(), 64), m); err != nil {
		return err
	}
	if err := m.Download(matrices); err != nil {
		return err
	}
	for row := range side {
		fmt.Fprintln(w, matrices[16+row*side:][:side])
	}

	v, err := launch.Upload(dev, ones)
	if err != nil {
		return err
	}
	warp, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		return err
	}
	if err := scan.Launch(dev.Stream(), launch.Linear(v.Len(), 64), v, warp); err != nil {
		return err
	}
	size := make([]int32, 1)
	if err := v.Download(ones); err != nil {
		return err
	}
	if err := warp.Download(size); err != nil {
		return err
	}
	for i, x := range ones {
		if want := int32(i)%size[0] + 1; x != want {
			return fmt.Errorf("element %d is %d, want %d", i, x, want)
		}
	}
	fmt.Fprintln(w, "sums over warps are right")
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
