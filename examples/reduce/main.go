// Command reduce adds up an array, in the four steps that every fast reduction
// has: each thread adds up a part, each warp adds up its threads by shuffles,
// each block adds up its warps through shared memory, and the blocks meet in
// one atomic addition.
//
// Warps have 32 threads on NVIDIA's GPUs and AMD's RDNA, 64 on AMD's CDNA. The
// kernel asks for the size and so is right on all of them:
//
//	HEDDLE_DEVICE=sim:64 go run ./examples/reduce
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// maxWarps is how many warps a block has at most: 1024 threads in warps of 32.
const maxWarps = 32

// warpSum returns, in lane 0, the sum of v over the warp. A kernel may call
// any Go function that keeps to what a kernel can do.
func warpSum(v int64) int64 {
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflDown(v, d) // no memory is involved: registers of other lanes
	}
	return v
}

// Sum adds the elements of in to *total.
func Sum(in []int32, total *int64) {
	// 1. A thread takes every GlobalSize-th element, so that neighbouring
	// threads read neighbouring addresses and any grid fits any length.
	var v int64
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v += int64(in[i])
	}

	// 2. The warp.
	v = warpSum(v)

	// 3. The block: lane 0 of each warp leaves its sum in shared memory, and
	// the first warp adds these up.
	partial := dsl.Shared[[maxWarps]int64]()
	if dsl.LaneID() == 0 {
		partial[dsl.WarpID()] = v
	}
	dsl.SyncThreads() // or the first warp would read what is not written yet
	if dsl.WarpID() != 0 {
		return
	}
	v = 0
	if warps := dsl.BlockDim().X / dsl.WarpSize(); dsl.LaneID() < warps {
		v = partial[dsl.LaneID()]
	}
	v = warpSum(v)

	// 4. The grid.
	if dsl.LaneID() == 0 {
		dsl.AtomicAdd(total, v)
	}
}

var sum = kernel.New(Sum)

func run(w io.Writer, device string) error {
	const n = 50_001

	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]int32, n)
	var want int64
	for i := range host {
		host[i] = int32(i*7919%1000) - 200
		want += int64(host[i])
	}
	in, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	total, err := launch.Alloc[int64](dev, 1) // zeroed
	if err != nil {
		return err
	}

	for _, threads := range []int{64, 256, 1024} {
		if err := total.Clear(dev.Stream()); err != nil {
			return err
		}
		// A *int64 parameter takes a buffer too: its first element.
		cfg := launch.Config{Grid: launch.Dim3{X: 4}, Block: launch.Dim3{X: threads}}
		if err := sum.Launch(dev.Stream(), cfg, in, total); err != nil {
			return err
		}
		got := make([]int64, 1)
		if err := total.Download(got); err != nil {
			return err
		}
		fmt.Fprintf(w, "blocks of %4d: %d, %v\n", threads, got[0], got[0] == want)
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
