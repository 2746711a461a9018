package gonum_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"heddle/dsl"
	"heddle/interop/gonum"
	"heddle/kernel"
	"heddle/launch"
)

// transpose writes the transpose of an n x m matrix.
func transpose[T float32 | float64](to, from []T, n, m, toStride, fromStride int) {
	if i := dsl.GlobalIdx().X; i < n*m {
		to[i%m*toStride+i/m] = from[i/m*fromStride+i%m]
	}
}

var (
	transpose64 = kernel.New(transpose[float64])
	transpose32 = kernel.New(transpose[float32])
	scale       = kernel.New(func(v []float64, inc int, by float64) {
		if i := dsl.GlobalIdx().X * inc; i < len(v) {
			v[i] *= by
		}
	})
)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func devices(t *testing.T, test func(t *testing.T, dev *launch.Device)) {
	for _, name := range []string{"sim", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			ok(t, err)
			test(t, dev)
			ok(t, dev.Close())
		})
	}
}

func TestDense(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		big := mat.NewDense(50, 60, nil)
		for i := range 50 {
			for j := range 60 {
				big.Set(i, j, float64(100*i+j))
			}
		}
		part := big.Slice(5, 35, 10, 50).(*mat.Dense) // 30 x 40
		from, stride, err := gonum.Dense(dev, part)
		ok(t, err)
		to, b, err := gonum.NewDense(dev, 40, 30)
		ok(t, err)
		ok(t, transpose64.Launch(dev.Stream(), launch.Linear(1200, 64), b, from, 30, 40, 30, stride))
		ok(t, dev.Sync())
		if !mat.Equal(to, part.T()) {
			t.Error("the transpose differs")
		}
		ok(t, from.Close())
		device, err := launch.AllocPitched[float64](dev, 40, 30)
		ok(t, err)
		ok(t, launch.CopyRegion(device.Region(), gonum.Region(part)))
		again := mat.NewDense(30, 40, nil)
		ok(t, launch.CopyRegion(gonum.Region(again), device.Region()))
		if !mat.Equal(again, part) {
			t.Error("a copy there and back differs")
		}
	})
}

func TestVectors(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		v := blas64.Vector{N: 3, Inc: 2, Data: []float64{1, 10, 2, 20, 3}}
		b, inc, err := gonum.Vector(dev, v)
		ok(t, err)
		ok(t, scale.Launch(dev.Stream(), launch.Linear(3, 32), b, inc, 2.0))
		ok(t, dev.Sync())
		if got := fmt.Sprint(v.Data); got != "[2 10 4 20 6]" {
			t.Error(got)
		}
		ok(t, b.Close())
		u, b, err := gonum.NewVecDense(dev, 100)
		ok(t, err)
		u.SetVec(99, 7)
		ok(t, scale.Launch(dev.Stream(), launch.Linear(100, 32), b, 1, 3.0))
		ok(t, dev.Sync())
		if u.AtVec(99) != 21 {
			t.Error(u.AtVec(99))
		}
		col := mat.NewDense(100, 100, nil).ColView(5).(*mat.VecDense)
		b, inc, err = gonum.VecDense(dev, col)
		ok(t, err)
		if inc != 100 || b.Len() != 99*100+1 {
			t.Error(inc, b)
		}
		m := blas32.General{Rows: 2, Cols: 3, Stride: 3, Data: []float32{1, 2, 3, 4, 5, 6}}
		w := blas32.Vector{N: 6, Inc: 1, Data: make([]float32, 5000)}
		from, stride, err := gonum.General32(dev, m)
		ok(t, err)
		to, _, err := gonum.Vector32(dev, w)
		ok(t, err)
		ok(t, transpose32.Launch(dev.Stream(), launch.Linear(6, 32), to, from, 2, 3, 2, stride))
		ok(t, dev.Sync())
		if got := fmt.Sprint(w.Data[:6]); got != "[1 4 2 5 3 6]" {
			t.Error(got)
		}
	})
}

func TestErrors(t *testing.T) {
	dev, err := launch.Open("sim")
	ok(t, err)
	defer dev.Close()
	if _, _, err := gonum.NewDense(dev, 0, 3); err == nil {
		t.Error("a matrix of no rows")
	}
	if _, _, err := gonum.NewVecDense(dev, -1); err == nil {
		t.Error("a vector of -1")
	}
	if _, _, err := gonum.Vector(dev, blas64.Vector{N: 3, Inc: -1, Data: make([]float64, 3)}); err == nil {
		t.Error("an increment of -1")
	}
	if _, _, err := gonum.General32(dev, blas32.General{Rows: 2, Cols: 2, Stride: 2, Data: make([]float32, 3)}); err == nil {
		t.Error("too few numbers")
	}
}

func ExampleNewDense() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	m, b, err := gonum.NewDense(dev, 2, 2)
	if err != nil {
		panic(err)
	}
	m.SetRow(0, []float64{1, 2})
	m.SetRow(1, []float64{3, 4})
	if err := scale.Launch(dev.Stream(), launch.Linear(4, 32), b, 1, 10.0); err != nil {
		panic(err)
	}
	if err := dev.Sync(); err != nil {
		panic(err)
	}
	fmt.Println(mat.Det(m) < 0, m.At(1, 1))
	// Output: true 40
}
