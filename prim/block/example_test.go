package block_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
)

// ranks counts, for each element of a block, those above 5 up to it.
func ranks(in, out []int32) {
	i := dsl.GlobalIdx().X
	flag := [1]int32{0}
	if in[i] > 5 {
		flag[0] = 1
	}
	block.InclusiveScan(&flag, func(a, b int32) int32 { return a + b })
	out[i] = flag[0]
}

// The inclusive scan of a block's flags numbers what is set.
func ExampleInclusiveScan() {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	values := make([]int32, 64)
	copy(values, []int32{9, 1, 7, 3, 6})
	in, err1 := launch.Upload(dev, values)
	out, err2 := launch.Alloc[int32](dev, 64)
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	got := make([]int32, 64)
	if err := errors.Join(kernel.New(ranks).Launch(dev.Stream(), launch.Linear(64, 64), in, out), out.Download(got)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got[:6])
	// Output: [1 1 2 2 3 3]
}
