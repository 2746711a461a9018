// Command dynshared transposes a matrix through dynamic shared memory: memory of a block
// whose size the launch gives, so that one kernel serves tiles of any size.
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

// Transpose stores the transpose of in, of n x n, in out. The block is a square tile.
func Transpose(out, in []float32, n int) {
	tile := dsl.DynamicShared[float32]() // Config.Shared bytes of it
	t, b, side := dsl.ThreadIdx(), dsl.BlockIdx(), dsl.BlockDim().X
	pitch := side + 1 // so that a column's elements are in different banks

	x, y := b.X*side+t.X, b.Y*side+t.Y
	if x < n && y < n {
		tile[t.Y*pitch+t.X] = in[y*n+x]
	}
	dsl.SyncThreads()
	// Reads and writes of global memory both go along rows.
	x, y = b.Y*side+t.X, b.X*side+t.Y
	if x < n && y < n {
		out[y*n+x] = tile[t.X*pitch+t.Y]
	}
}

var transpose = kernel.New(Transpose)

func run(w io.Writer, device string) error {
	const n = 50
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]float32, n*n)
	for i := range host {
		host[i] = float32(i)
	}
	in, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	out, err := launch.Alloc[float32](dev, n*n)
	if err != nil {
		return err
	}
	for _, side := range []int{4, 8, 16} {
		cfg := launch.Grid2D(n, n, side, side)
		cfg.Shared = side * (side + 1) * 4
		if err := transpose.Launch(dev.Stream(), cfg, out, in, n); err != nil {
			return err
		}
		got := make([]float32, n*n)
		if err := out.Download(got); err != nil {
			return err
		}
		for i, v := range got {
			if want := host[i%n*n+i/n]; v != want {
				return fmt.Errorf("tiles of %d: element %d is %v, want %v", side, i, v, want)
			}
		}
		fmt.Fprintf(w, "tiles of %2d x %2d: %4d bytes of shared memory, right\n", side, side, cfg.Shared)
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
