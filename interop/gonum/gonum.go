// Package gonum lets kernels work on gonum's matrices and vectors without a copy: their numbers
// are locked in memory as they lie ([launch.Register]), or are made in page-locked memory from the
// start. Element (i, j) of a matrix is at i*stride+j, element i of a vector at i*inc.
//
//	m, b, err := gonum.NewDense(dev, 600, 400)
//	err = scale.Launch(s, cfg, b, 400, 2.0)
//	err = s.Sync()
//	fmt.Println(mat.Norm(m, 2))
package gonum

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"heddle/launch"
)

// NewDense returns a matrix, all zero, in page-locked memory, and the Buffer that it is: its stride
// is c. Closing the Buffer ends the matrix.
func NewDense(d *launch.Device, r, c int) (*mat.Dense, *launch.Buffer[float64], error) {
	if r < 1 || c < 1 || r > 1<<60/c {
		return nil, nil, fmt.Errorf("gonum: a matrix of %d x %d", r, c)
	}
	b, err := launch.NewPinned[float64](d, r*c)
	if err != nil {
		return nil, nil, err
	}
	return mat.NewDense(r, c, b.Host()), b, nil
}

// NewVecDense is [NewDense] for a vector.
func NewVecDense(d *launch.Device, n int) (*mat.VecDense, *launch.Buffer[float64], error) {
	if n < 1 {
		return nil, nil, fmt.Errorf("gonum: a vector of %d", n)
	}
	b, err := launch.NewPinned[float64](d, n)
	if err != nil {
		return nil, nil, err
	}
	return mat.NewVecDense(n, b.Host()), b, nil
}

// Dense locks the numbers of a matrix, or of a slice of one, for as long as the Buffer is
// open, and returns its stride.
func Dense(d *launch.Device, m *mat.Dense) (b *launch.Buffer[float64], stride int, err error) {
	return General(d, m.RawMatrix())
}

// General is [Dense] for package blas64.
func General(d *launch.Device, m blas64.General) (b *launch.Buffer[float64], stride int, err error) {
	return matrix(d, m.Data, m.Rows, m.Cols, m.Stride)
}

// General32 is [Dense] for package blas32.
func General32(d *launch.Device, m blas32.General) (b *launch.Buffer[float32], stride int, err error) {
	return matrix(d, m.Data, m.Rows, m.Cols, m.Stride)
}

// VecDense locks the numbers of a vector, and returns the distance between two.
func VecDense(d *launch.Device, v *mat.VecDense) (b *launch.Buffer[float64], inc int, err error) {
	return Vector(d, v.RawVector())
}

// Vector is [VecDense] for package blas64.
func Vector(d *launch.Device, v blas64.Vector) (b *launch.Buffer[float64], inc int, err error) {
	return matrix(d, v.Data, v.N, 1, v.Inc)
}

// Vector32 is [VecDense] for package blas32.
func Vector32(d *launch.Device, v blas32.Vector) (b *launch.Buffer[float32], inc int, err error) {
	return matrix(d, v.Data, v.N, 1, v.Inc)
}

// matrix locks rows of numbers; a vector is a column.
func matrix[T any](d *launch.Device, data []T, rows, cols, stride int) (*launch.Buffer[T], int, error) {
	if rows < 1 || cols < 1 || stride < cols || (rows-1)*stride+cols > len(data) {
		return nil, 0, fmt.Errorf("gonum: %d rows of %d numbers %d apart, of %d numbers", rows, cols, stride, len(data))
	}
	b, err := launch.Register(d, data[:(rows-1)*stride+cols])
	return b, stride, err
}

// Region is a matrix as a region: what [launch.CopyRegion] copies from it or to it, a part of a
// matrix too.
func Region(m *mat.Dense) launch.Region[float64] { return region(m.RawMatrix()) }

// Region32 is [Region] for package blas32.
func Region32(m blas32.General) launch.Region[float32] {
	return launch.HostRegion(m.Data, launch.Layout{Width: m.Cols, Height: m.Rows, Stride: m.Stride})
}

func region(m blas64.General) launch.Region[float64] {
	return launch.HostRegion(m.Data, launch.Layout{Width: m.Cols, Height: m.Rows, Stride: m.Stride})
}
