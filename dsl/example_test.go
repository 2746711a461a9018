package dsl_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// on runs a kernel of two slices in one block of 8 threads on the simulator, and
// returns what it wrote.
func on(k *kernel.Kernel, in []int32) []int32 {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	x, err1 := launch.Upload(dev, in)
	y, err2 := launch.Alloc[int32](dev, len(in))
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	out := make([]int32, len(in))
	if err := errors.Join(k.Launch(dev.Stream(), launch.Linear(8, 8), x, y), y.Download(out)); err != nil {
		panic(err)
	}
	return out
}

// Threads of a block exchange what they have through shared memory.
func ExampleShared() {
	reverse := kernel.New(func(in, out []int32) {
		tile := dsl.Shared[[8]int32]()
		t := dsl.ThreadIdx().X
		tile[t] = in[t]
		dsl.SyncThreads()
		out[t] = tile[7-t]
	})
	fmt.Println(on(reverse, []int32{1, 2, 3, 4, 5, 6, 7, 8}))
	// Output: [8 7 6 5 4 3 2 1]
}

// Lanes of a warp read each other's values: here the running sum.
func ExampleShflUp() {
	scan := kernel.New(func(in, out []int32) {
		lane := dsl.LaneID()
		sum := in[lane]
		for d := 1; d < 8; d *= 2 {
			if before := dsl.ShflUp(sum, d); lane >= d {
				sum += before
			}
		}
		out[lane] = sum
	})
	fmt.Println(on(scan, []int32{1, 2, 3, 4, 5, 6, 7, 8}))
	// Output: [1 3 6 10 15 21 28 36]
}

// Threads of the whole grid count in one variable.
func ExampleAtomicAdd() {
	histogram := kernel.New(func(in, out []int32) {
		dsl.AtomicAdd(&out[in[dsl.GlobalIdx().X]], 1)
	})
	fmt.Println(on(histogram, []int32{0, 3, 3, 1, 0, 3, 7, 3}))
	// Output: [2 1 0 4 0 0 0 1]
}
