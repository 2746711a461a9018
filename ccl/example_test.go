package ccl_test

import (
	"context"
	"errors"
	"fmt"

	"heddle/ccl"
	"heddle/launch"
)

// Two ranks of one process add what they have.
func ExampleAllReduce() {
	a, err1 := launch.Open("sim")
	b, err2 := launch.Open("sim")
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	defer b.Close()
	comms, err := ccl.All(context.Background(), a, b)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err1 := launch.Upload(a, []float32{1, 2, 3})
	y, err2 := launch.Upload(b, []float32{10, 20, 30})
	err = ccl.Group(func(g *ccl.Batch) error {
		return errors.Join(
			ccl.AllReduce(comms[0].In(g), a.Stream(), ccl.Sum, x, x),
			ccl.AllReduce(comms[1].In(g), b.Stream(), ccl.Sum, y, y),
		)
	})
	sum := make([]float32, 3)
	if err := errors.Join(err1, err2, err, y.Download(sum)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sum)
	// Output: [11 22 33]
}
