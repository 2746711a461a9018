package prim_test

import (
	"errors"
	"fmt"

	"heddle/launch"
	"heddle/prim"
)

// The sum of what each customer bought: a table sorted by key, then reduced by key.
func ExampleReduceByKey() {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	s := dev.Stream()
	customer, err1 := launch.Upload(dev, []int32{3, 1, 3, 2, 1, 3})
	amount, err2 := launch.Upload(dev, []float32{10, 20, 30, 40, 50, 60})
	keys, err3 := launch.Alloc[int32](dev, 6)
	sums, err4 := launch.Alloc[float32](dev, 6)
	count, err5 := launch.Alloc[int](dev, 1)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		fmt.Println(err)
		return
	}
	n := make([]int, 1)
	if err := errors.Join(
		prim.SortPairs(s, customer, amount, customer, amount),
		prim.ReduceByKey(s, keys, sums, count, customer, amount, prim.Add[float32]),
		count.Download(n),
	); err != nil {
		fmt.Println(err)
		return
	}
	who, what := make([]int32, n[0]), make([]float32, n[0])
	if err := errors.Join(keys.Slice(0, n[0]).Download(who), sums.Slice(0, n[0]).Download(what)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(who, what)
	// Output: [1 2 3] [70 40 100]
}

// The condition captures what it compares with.
func ExampleSelect() {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	in, err1 := launch.Upload(dev, []float32{0.5, 2, 7, 1, 3})
	count, err2 := launch.Alloc[int](dev, 1)
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	limit := float32(1)
	n, kept := make([]int, 1), make([]float32, 5)
	if err := errors.Join(
		prim.Select(dev.Stream(), in, count, in, func(v float32) bool { return v > limit }), // in place
		count.Download(n), in.Download(kept),
	); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(kept[:n[0]])
	// Output: [2 7 3]
}
