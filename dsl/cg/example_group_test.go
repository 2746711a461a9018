package cg_test

import (
	"embed"
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS

// The source of the examples and of the package: the copy of it that is in every program with
// kernels is without tests.
var _ = kernel.Source(source)

// apply launches a kernel of one slice on the best device, and returns what the slice holds then.
func apply(k *kernel.Kernel, cfg launch.Config, host []int32) []int32 {
	dev, err := launch.Open("")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	x, err := launch.Upload(dev, host)
	if err != nil {
		panic(err)
	}
	if err := errors.Join(k.Launch(dev.Stream(), cfg, x), x.Download(host)); err != nil {
		panic(err)
	}
	return host
}

// The threads that take a branch are a group, whatever their number: one of them adds for all.
func ExampleCoalescedThreads() {
	odd := kernel.New(func(v []int32) {
		if x := v[dsl.ThreadIdx().X]; x%2 == 1 {
			group := cg.CoalescedThreads()
			if sum := cg.Reduce(group, x, func(x, y int32) int32 { return x + y }); group.ThreadRank() == 0 {
				v[0] = sum
			}
		}
	})
	fmt.Println(apply(odd, launch.Linear(4, 4), []int32{1, 2, 3, 5})[0])
	// Output: 9
}

// Threads with the same label are a group.
func ExampleLabeledPartition() {
	rank := kernel.New(func(v []int32) {
		t := dsl.ThreadIdx().X
		group := cg.LabeledPartition(cg.CoalescedThreads(), v[t])
		v[t] = int32(10*group.Size() + group.ThreadRank())
	})
	fmt.Println(apply(rank, launch.Linear(5, 5), []int32{7, 8, 7, 7, 8}))
	// Output: [30 20 31 32 21]
}

// Each tile adds up its own numbers; every thread gets the sum.
func ExampleReduce() {
	sums := kernel.New(func(v []int32) {
		t := dsl.ThreadIdx().X
		tile := cg.TiledPartition[cg.Size2](cg.ThisThreadBlock())
		v[t] = cg.Reduce(tile, v[t], func(x, y int32) int32 { return x + y })
	})
	fmt.Println(apply(sums, launch.Linear(4, 4), []int32{1, 2, 3, 4}))
	// Output: [3 3 7 7]
}

// A running sum over a tile.
func ExampleInclusiveScan() {
	sums := kernel.New(func(v []int32) {
		t := dsl.ThreadIdx().X
		tile := cg.TiledPartition[cg.Size4](cg.ThisThreadBlock())
		v[t] = cg.InclusiveScan(tile, v[t], func(x, y int32) int32 { return x + y })
	})
	fmt.Println(apply(sums, launch.Linear(4, 4), []int32{1, 2, 3, 4}))
	// Output: [1 3 6 10]
}

// Blocks wait for each other in a cooperative launch: each reads what the next one has written.
func ExampleGrid_Sync() {
	pass := kernel.New(func(v []int32, barrier []cg.GridBarrier) {
		grid, b := cg.ThisGrid(&barrier[0]), dsl.BlockIdx().X
		v[b] = int32(10 * b)
		grid.Sync()
		next := v[(b+1)%len(v)]
		grid.Sync()
		v[b] = next
	})
	dev, err1 := launch.Open("")
	x, err2 := launch.Alloc[int32](dev, 3)
	barrier, err3 := launch.Alloc[cg.GridBarrier](dev, 1)
	if err := errors.Join(err1, err2, err3); err != nil {
		panic(err)
	}
	defer dev.Close()
	cfg := launch.Config{Grid: launch.Dim3{X: 3}, Block: launch.Dim3{X: 1}, Cooperative: true}
	host := make([]int32, 3)
	fmt.Println(pass.Launch(dev.Stream(), cfg, x, barrier), x.Download(host), host)
	// Output: <nil> <nil> [10 20 0]
}
