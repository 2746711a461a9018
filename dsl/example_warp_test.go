package dsl_test

import (
	"embed"
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS

// The source of the examples and of the package: the copy of it that is in every program with
// kernels is without tests.
var _ = kernel.Source(source)

// inBlock launches a kernel of one slice on the best device, in one block of so many threads, and
// returns what the slice holds then.
func inBlock[T any](k *kernel.Kernel, threads int, host []T) []T {
	dev, err := launch.Open("")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	x, err := launch.Upload(dev, host)
	if err != nil {
		panic(err)
	}
	cfg := launch.Linear(threads, threads)
	cfg.Shared = 4 * threads
	if err := errors.Join(k.Launch(dev.Stream(), cfg, x), x.Download(host)); err != nil {
		panic(err)
	}
	return host
}

// Lanes vote: which of them have an odd number, and how many are there?
func ExampleBallot() {
	odd := kernel.New(func(v []uint64) {
		mask := dsl.Ballot(v[dsl.LaneID()]%2 == 1)
		v[dsl.LaneID()] = mask
	})
	fmt.Printf("%b\n", inBlock(odd, 4, []uint64{1, 2, 4, 7})[0])
	// Output: 1001
}

// All lanes get the value of one.
func ExampleShfl() {
	broadcast := kernel.New(func(v []int32) { v[dsl.LaneID()] = dsl.Shfl(v[dsl.LaneID()], 2) })
	fmt.Println(inBlock(broadcast, 4, []int32{10, 20, 30, 40}))
	// Output: [30 30 30 30]
}

// Neighbours exchange their values.
func ExampleShflXor() {
	swap := kernel.New(func(v []int32) { v[dsl.LaneID()] = dsl.ShflXor(v[dsl.LaneID()], 1) })
	fmt.Println(inBlock(swap, 4, []int32{10, 20, 30, 40}))
	// Output: [20 10 40 30]
}

// The largest value of a warp, in every lane.
func ExampleWarpReduce() {
	largest := kernel.New(func(v []int32) {
		v[dsl.LaneID()] = dsl.WarpReduce(v[dsl.LaneID()], func(x, y int32) int32 { return max(x, y) })
	})
	fmt.Println(inBlock(largest, 4, []int32{3, 9, 2, 5}))
	// Output: [9 9 9 9]
}

// The lanes that hold the same key. A branch between groups of lanes is then one for each group.
func ExampleMatchAny() {
	same := kernel.New(func(v []uint64) { v[dsl.LaneID()] = dsl.MatchAny(v[dsl.LaneID()]) })
	fmt.Printf("%04b\n", inBlock(same, 4, []uint64{5, 6, 5, 5}))
	// Output: [1101 0010 1101 1101]
}

// A running sum over all threads of a block, which may be many warps.
func ExampleBlockInclusiveScan() {
	scan := kernel.New(func(v []int32) {
		t := dsl.ThreadIdx().X
		v[t] = dsl.BlockInclusiveScan(v[t], func(x, y int32) int32 { return x + y })
	})
	ones := make([]int32, 200)
	for i := range ones {
		ones[i] = 1
	}
	sums := inBlock(scan, 200, ones)
	fmt.Println(sums[0], sums[99], sums[199])
	// Output: 1 100 200
}
