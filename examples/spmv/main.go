// Command spmv multiplies a sparse matrix by a vector. Rows are stored one behind the other, each as the
// places and values of what is not zero (compressed sparse rows). A group of lanes works at a row: it
// reads neighbouring elements together and adds up by shuffles.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const lanes = 8 // at a row

// A Matrix is sparse: row i is elements rows[i] to rows[i+1] of columns and values. Its
// slices are of device memory.
type Matrix struct {
	rows, columns []int32
	values        []float32
}

// Multiply is y = m x.
func Multiply(m Matrix, x, y []float32) {
	i := dsl.GlobalIdx().X
	row, lane := i/lanes, i%lanes
	sum := float32(0)
	if row < len(y) {
		for e := int(m.rows[row]) + lane; e < int(m.rows[row+1]); e += lanes {
			sum += m.values[e] * x[m.columns[e]]
		}
	}
	for d := lanes / 2; d > 0; d /= 2 {
		sum += dsl.ShflDownWidth(sum, d, lanes)
	}
	if row < len(y) && lane == 0 {
		y[row] = sum
	}
}

var multiply = kernel.New(Multiply)

// grid is the matrix of Laplace's equation on a plane of side x side points: each point and its
// neighbours.
func grid(side int) (rows, columns []int32, values []float32) {
	rows = []int32{0}
	for i := range side * side {
		add := func(column int, value float32) {
			columns, values = append(columns, int32(column)), append(values, value)
		}
		x, y := i%side, i/side
		add(i, 4)
		if x > 0 {
			add(i-1, -1)
		}
		if x < side-1 {
			add(i+1, -1)
		}
		if y > 0 {
			add(i-side, -1)
		}
		if y < side-1 {
			add(i+side, -1)
		}
		rows = append(rows, int32(len(columns)))
	}
	return rows, columns, values
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	const side = 40
	rows, columns, values := grid(side)
	x := make([]float32, side*side)
	for i := range x {
		x[i] = float32(i%17) - 8
	}
	r, err := launch.Upload(dev, rows)
	if err != nil {
		return err
	}
	c, err := launch.Upload(dev, columns)
	if err != nil {
		return err
	}
	v, err := launch.Upload(dev, values)
	if err != nil {
		return err
	}
	in, err := launch.Upload(dev, x)
	if err != nil {
		return err
	}
	out, err := launch.Alloc[float32](dev, len(x))
	if err != nil {
		return err
	}
	m := Matrix{r.Device(), c.Device(), v.Device()}
	if err := multiply.Launch(dev.Stream(), launch.Linear(len(x)*lanes, 128), m, in, out); err != nil {
		return err
	}
	got := make([]float32, len(x))
	if err := out.Download(got); err != nil {
		return err
	}
	for i := range got {
		want := float32(0)
		for e := rows[i]; e < rows[i+1]; e++ {
			want += values[e] * x[columns[e]]
		}
		if got[i] != want { // small whole numbers: exact
			return fmt.Errorf("row %d is %v, want %v", i, got[i], want)
		}
	}
	fmt.Fprintf(w, "%d rows with %d elements: the result begins %v\n", len(x), len(values), got[:6])
	runtime.KeepAlive([]any{r, c, v}) // the struct has only their addresses
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
