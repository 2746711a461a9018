package launch_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

var double = kernel.New(func(x []int32) {
	if i := dsl.GlobalIdx().X; i < len(x) {
		x[i] *= 2
	}
})

// Memory goes to the device, a kernel runs, and the result comes back.
func Example() {
	dev, err := launch.Open("sim") // "" is the best device here
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	host := []int32{1, 2, 3}
	x, err := launch.Upload(dev, host)
	if err != nil {
		panic(err)
	}
	defer x.Close()
	if err := double.Launch(dev.Stream(), launch.Linear(len(host), 256), x); err != nil {
		panic(err)
	}
	fmt.Println(x.Download(host), host)
	// Output: <nil> [2 4 6]
}

// A second stream waits for what the first has done so far.
func ExampleStream_Wait() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	first, err1 := dev.NewStream()
	second, err2 := dev.NewStream()
	x, err3 := launch.Upload(dev, []int32{5})
	if err := errors.Join(err1, err2, err3); err != nil {
		panic(err)
	}
	err1 = double.Launch(first, launch.Linear(1, 1), x)
	done, err2 := first.Record()
	err3 = second.Wait(done)
	if err := errors.Join(err1, err2, err3, double.Launch(second, launch.Linear(1, 1), x)); err != nil {
		panic(err)
	}
	host := []int32{0}
	fmt.Println(second.Sync(), x.Download(host), host)
	// Output: <nil> <nil> [20]
}

// A panic in a kernel is an error of the call that waits, and harms nothing else.
func ExampleKernelPanic() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	x, err := launch.Upload(dev, []int32{1, 2, 3})
	if err != nil {
		panic(err)
	}
	far := kernel.New(func(x []int32) { x[dsl.ThreadIdx().X+2] = 0 })
	if err := far.Launch(dev.Stream(), launch.Config{Block: launch.Dim3{X: 2}}, x); err != nil {
		panic(err)
	}
	var p *launch.KernelPanic
	fmt.Println(errors.As(dev.Sync(), &p), p.Value, p.Thread)
	fmt.Println(dev.Sync())
	// Output:
	// true index out of range [3] with length 3 {1 0 0}
	// <nil>
}

// Blocks of two axes that cover a plane.
func ExampleGrid2D() {
	c := launch.Grid2D(1000, 600, 16, 16)
	fmt.Println(c.Grid, c.Block)
	// Output: {63 38 0} {16 16 0}
}
