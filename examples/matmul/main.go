// Command matmul multiplies matrices, tile by tile.
//
// For each element of the product a thread needs a row of a and a column of b.
// The threads of one block need almost the same rows and columns, so they load
// them together, a tile at a time, and read each loaded number side times from
// shared memory instead of from the far slower global memory.
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

const side = 16

// A Matrix is passed to the kernel as it is: a struct by value, its slice
// pointing to device memory.
type Matrix struct {
	Rows, Cols int
	Data       []float32
}

// At is 0 outside of the matrix, which pads it to whole tiles.
func (m *Matrix) At(row, col int) float32 {
	if row < m.Rows && col < m.Cols {
		return m.Data[row*m.Cols+col]
	}
	return 0
}

// MatMul stores the product of a and b in c.
func MatMul(c, a, b Matrix) {
	as, bs := dsl.Shared[[side][side]float32](), dsl.Shared[[side][side]float32]()
	t := dsl.ThreadIdx()
	row, col := dsl.GlobalIdx().Y, dsl.GlobalIdx().X

	var sum float32
	for k := 0; k < a.Cols; k += side {
		as[t.Y][t.X] = a.At(row, k+t.X)
		bs[t.Y][t.X] = b.At(k+t.Y, col)
		dsl.SyncThreads() // the tiles are there
		for i := range side {
			sum += as[t.Y][i] * bs[i][t.X]
		}
		dsl.SyncThreads() // nobody reads the tiles any more
	}
	if row < c.Rows && col < c.Cols {
		c.Data[row*c.Cols+col] = sum
	}
}

var matMul = kernel.New(MatMul)

// matrix allocates a matrix on the device and fills it with small integers,
// whose products and sums float32 holds exactly. The buffer keeps it alive.
func matrix(dev *launch.Device, rows, cols int, at func(i int) float32) (Matrix, *launch.Buffer[float32], error) {
	host := make([]float32, rows*cols)
	for i := range host {
		host[i] = at(i)
	}
	b, err := launch.Upload(dev, host)
	if err != nil {
		return Matrix{}, nil, err
	}
	return Matrix{rows, cols, b.Device()}, b, nil
}

func run(w io.Writer, device string) error {
	const m, k, n = 70, 52, 90

	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	valueA := func(i int) float32 { return float32(i%13 - 6) }
	valueB := func(i int) float32 { return float32(i%7 - 3) }
	a, bufA, err := matrix(dev, m, k, valueA)
	if err != nil {
		return err
	}
	defer bufA.Close()
	b, bufB, err := matrix(dev, k, n, valueB)
	if err != nil {
		return err
	}
	defer bufB.Close()
	c, bufC, err := matrix(dev, m, n, func(int) float32 { return 0 })
	if err != nil {
		return err
	}
	defer bufC.Close()

	if err := matMul.Launch(dev.Stream(), launch.Grid2D(n, m, side, side), c, a, b); err != nil {
		return err
	}
	product := make([]float32, m*n)
	if err := bufC.Download(product); err != nil {
		return err
	}

	wrong := 0
	for row := range m {
		for col := range n {
			var sum float32
			for i := range k {
				sum += valueA(row*k+i) * valueB(i*n+col)
			}
			if product[row*n+col] != sum {
				wrong++
			}
		}
	}
	fmt.Fprintf(w, "%dx%d times %dx%d: the first row begins %v\n", m, k, k, n, product[:5])
	fmt.Fprintf(w, "%d of %d are wrong\n", wrong, len(product))
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
