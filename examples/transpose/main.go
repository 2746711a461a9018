// Command transpose turns a matrix by way of a tile in shared memory.
//
// Read row by row and written column by column, one of the two would touch
// memory in strides of a whole row, which is slow on a GPU: neighbouring
// threads should touch neighbouring addresses. Through a tile both do, and the
// stride is taken in shared memory, where it costs nothing.
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

const side = 16 // of a tile; a block has side*side threads

// Transpose stores the h by w matrix in, row after row, as the w by h matrix out.
func Transpose(out, in []int32, w, h int) {
	// One more column than needed: a column of the tile then lies in as many
	// banks of the shared memory as it has elements, not all in one.
	tile := dsl.Shared[[side][side + 1]int32]()
	t, b := dsl.ThreadIdx(), dsl.BlockIdx()

	if x, y := b.X*side+t.X, b.Y*side+t.Y; x < w && y < h {
		tile[t.Y][t.X] = in[y*w+x]
	}
	dsl.SyncThreads() // outside of the if: every thread of the block must come here
	if x, y := b.Y*side+t.X, b.X*side+t.Y; x < h && y < w {
		out[y*h+x] = tile[t.X][t.Y]
	}
}

var transpose = kernel.New(Transpose)

func run(w io.Writer, device string) error {
	const width, height = 200, 123 // no multiples of the tile

	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]int32, width*height)
	for i := range host {
		host[i] = int32(i)
	}
	in, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	out, err := launch.Alloc[int32](dev, len(host))
	if err != nil {
		return err
	}

	// A grid of two dimensions: a thread for each element of the plane.
	cfg := launch.Grid2D(width, height, side, side)
	if err := transpose.Launch(dev.Stream(), cfg, out, in, width, height); err != nil {
		return err
	}
	turned := make([]int32, len(host))
	if err := out.Download(turned); err != nil {
		return err
	}

	wrong := 0
	for y := range height {
		for x := range width {
			if turned[x*height+y] != host[y*width+x] {
				wrong++
			}
		}
	}
	fmt.Fprintf(w, "%d by %d: the second row begins %v\n", width, height, turned[height:height+4])
	fmt.Fprintf(w, "%d of %d are wrong\n", wrong, len(host))
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
