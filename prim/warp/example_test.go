package warp_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/warp"
)

// largest writes the largest element of each warp.
func largest(in, out []float32) {
	i := dsl.GlobalIdx().X
	if v := warp.Reduce(in[i], func(a, b float32) float32 { return max(a, b) }); dsl.LaneID() == 0 {
		out[i/dsl.WarpSize()] = v
	}
}

// A warp reduces by shuffles, without shared memory.
func ExampleReduce() {
	dev, err := launch.Open("sim:32")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	values := make([]float32, 64)
	values[7], values[40] = 3, 5
	in, err1 := launch.Upload(dev, values)
	out, err2 := launch.Alloc[float32](dev, 2)
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	got := make([]float32, 2)
	if err := errors.Join(kernel.New(largest).Launch(dev.Stream(), launch.Linear(64, 64), in, out), out.Download(got)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got)
	// Output: [3 5]
}
