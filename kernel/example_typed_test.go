package kernel_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// scale multiplies a vector by a number.
func scale(a float32, x []float32) {
	if i := dsl.GlobalIdx().X; i < len(x) {
		x[i] *= a
	}
}

// best is the best device here, and a Buffer on it.
func best[T any](host []T) (*launch.Device, *launch.Buffer[T]) {
	dev, err := launch.Open("")
	if err != nil {
		panic(err)
	}
	x, err := launch.Upload(dev, host)
	if err != nil {
		panic(err)
	}
	return dev, x
}

// Go's compiler checks the arguments of a typed launch. Its errors are the stream's.
func ExampleTyped() {
	host := []float32{1, 2, 3}
	dev, x := best(host)
	defer dev.Close()
	typed := kernel.Typed(scale)
	typed.Go(dev.Stream(), launch.Linear(3, 256))(2, x.Device())
	fmt.Println(x.Download(host), host)
	// Output: <nil> [2 4 6]
}

// A typed launch without a kernel to keep.
func ExampleGo() {
	host := []float32{1, 2, 3}
	dev, x := best(host)
	defer dev.Close()
	kernel.Go(dev.Stream(), launch.Linear(3, 256), scale)(10, x.Device())
	fmt.Println(x.Download(host), host)
	// Output: <nil> [10 20 30]
}

// A bound on the threads of a block lets the compiler use more registers, and refuses launches
// above it where there is a compiler.
func ExampleOptions() {
	host := []float32{1, 2, 3}
	dev, x := best(host)
	defer dev.Close()
	bounded := kernel.NewWith(scale, kernel.Options{MaxThreads: 64, NoAlias: true})
	if err := bounded.Launch(dev.Stream(), launch.Linear(3, 64), float32(3), x); err != nil {
		panic(err)
	}
	fmt.Println(x.Download(host), host)
	// Output: <nil> [3 6 9]
}

// How full blocks of 128 threads make the device's units, and which block fills them best.
func ExampleKernel_Occupancy() {
	dev, _ := best([]float32{0})
	defer dev.Close()
	k := kernel.New(scale)
	o, err1 := k.Occupancy(dev, launch.Linear(1<<16, 128))
	threads, grid, err2 := k.SuggestBlock(dev, nil, 0)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	fmt.Println(o.Threads == o.Blocks*128, o.Fraction() > 0, threads > 0, grid > 0)
	// Output: true true true true
}

// The blocks of a cooperative launch wait for each other, so that all must be on the device at
// once. This is how many there can be.
func ExampleKernel_Resident() {
	dev, _ := best([]float32{0})
	defer dev.Close()
	blocks, err := kernel.New(scale).Resident(dev, launch.Config{Block: launch.Dim3{X: 64}})
	fmt.Println(blocks > 0, err)
	// Output: true <nil>
}
