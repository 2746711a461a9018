package kernel_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// simulator is the device of these examples, which every machine has. launch.Open("")
// takes the best one.
func simulator() *launch.Device {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	return dev
}

// A kernel is an ordinary function. Here it is a literal, which captures a variable.
func Example() {
	dev := simulator()
	defer dev.Close()
	host := []float32{1, 2, 3, 4}
	x, err := launch.Upload(dev, host)
	if err != nil {
		panic(err)
	}
	factor := float32(10)
	scale := kernel.New(func(x []float32) {
		if i := dsl.GlobalIdx().X; i < len(x) {
			x[i] *= factor
		}
	})
	if err := scale.Launch(dev.Stream(), launch.Linear(x.Len(), 64), x); err != nil {
		panic(err)
	}
	fmt.Println(x.Download(host), host)
	// Output: <nil> [10 20 30 40]
}

// sum is a template kernel: each type argument makes a kernel of its own.
func sum[T int32 | float64](in []T, out []T) {
	if dsl.GlobalIdx().X == 0 {
		for _, v := range in {
			out[0] += v
		}
	}
}

// The kernel of an instance of a generic function.
func ExampleNew() {
	dev := simulator()
	defer dev.Close()
	in, err1 := launch.Upload(dev, []float64{0.5, 1.5, 2})
	out, err2 := launch.Alloc[float64](dev, 1)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	if err := kernel.New(sum[float64]).Launch(dev.Stream(), launch.Linear(1, 1), in, out); err != nil {
		panic(err)
	}
	total := []float64{0}
	fmt.Println(out.Download(total), total)
	// Output: <nil> [4]
}

// A captured variable becomes a constant of the code, which is compiled again where it
// has another value.
func ExampleNewWith() {
	dev := simulator()
	defer dev.Close()
	taps := [3]int32{1, 2, 1}
	smooth := kernel.NewWith(func(in, out []int32) {
		if i := dsl.GlobalIdx().X; i < len(out) {
			for k := range taps {
				out[i] += taps[k] * in[i+k]
			}
		}
	}, kernel.Options{Specialize: []string{"taps"}})
	in, err1 := launch.Upload(dev, []int32{0, 0, 4, 0, 0})
	out, err2 := launch.Alloc[int32](dev, 3)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	if err := smooth.Launch(dev.Stream(), launch.Linear(3, 32), in, out); err != nil {
		panic(err)
	}
	host := make([]int32, 3)
	fmt.Println(out.Download(host), host)
	// Output: <nil> [4 8 4]
}

// What keeps a kernel from running on a device is told at its line, without a device.
func ExampleKernel_Check() {
	k := kernel.New(func(out []int32) {
		go func() { out[0] = 1 }() //lint:ignore heddle it shows what is refused
	})
	fmt.Println(filepath.Base(k.Check().Error()))
	// Output: example_test.go:102:3: go statement in kernel (every thread of the grid runs the kernel; launch more threads)
}

// The forms of a kernel on its way to a device, here the instructions of go/ssa.
func ExampleKernel_Dump() {
	k := kernel.New(func(out []int32) { out[0] = 7 })
	var text strings.Builder
	if err := k.Dump(&text, "gfx942", 0, kernel.SSA); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "&out[") {
			fmt.Println(strings.Fields(line)[:3])
		}
	}
	// Output: [t0 = &out[0:int]]
}
