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

// The runs are of keys whose tens are the same, and nothing but the result is stored.
func ExampleReduceByKeyFunc() {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	keys, err1 := launch.Upload(dev, []int32{11, 12, 19, 20, 34, 35})
	sums, err2 := launch.Alloc[int32](dev, 6)
	count, err3 := launch.Alloc[int](dev, 1)
	if err := errors.Join(err1, err2, err3); err != nil {
		fmt.Println(err)
		return
	}
	n, all := make([]int, 1), make([]int32, 6)
	if err := errors.Join(
		prim.ReduceByKeyFunc(dev.Stream(), 6, prim.Of(keys), prim.Of(keys), func(k int, key, sum int32) { sums.Device()[k] = sum },
			func(a, b int32) bool { return a/10 == b/10 }, prim.Add[int32], count),
		count.Download(n), sums.Download(all),
	); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(all[:n[0]])
	// Output: [42 20 69]
}

// Where each first letter begins in sorted words: elements and values are of two types.
func ExampleLowerBoundFunc() {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	words, err1 := launch.Upload(dev, [][3]byte{{'a', 'n', 't'}, {'b', 'a', 't'}, {'b', 'e', 'e'}, {'c', 'a', 't'}})
	out, err2 := launch.Alloc[int](dev, 3)
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	starts := make([]int, 3)
	if err := errors.Join(
		prim.LowerBoundFunc(dev.Stream(), out, 4, prim.Of(words), prim.Counting('a'), func(w [3]byte, letter int) bool { return int(w[0]) < letter }),
		out.Download(starts),
	); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(starts)
	// Output: [0 1 3]
}

// The two nearest, with their numbers.
func ExampleBottomKPairs() {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	distances, err1 := launch.Upload(dev, []float32{4, 0.5, 9, 2})
	numbers, err2 := launch.Upload(dev, []int32{0, 1, 2, 3})
	nearest, err3 := launch.Alloc[float32](dev, 2)
	which, err4 := launch.Alloc[int32](dev, 2)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		fmt.Println(err)
		return
	}
	d, w := make([]float32, 2), make([]int32, 2)
	if err := errors.Join(
		prim.BottomKPairs(dev.Stream(), nearest, which, distances, numbers),
		nearest.Download(d), which.Download(w),
	); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d, w)
	// Output: [0.5 2] [1 3]
}
