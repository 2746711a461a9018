// Command occupancy asks how many blocks of a kernel a compute unit holds at once, and for the
// size of block that fills it best: what hides the time that memory takes. The kernel's
// registers and shared memory decide. An emulated GPU answers for the real one:
//
//	HEDDLE_DEVICE=emu:gfx942 go run ./examples/occupancy
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
	_ "heddle/launch/emu" // emulated GPUs, too
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Smooth needs shared memory for each thread: the launch gives it.
func Smooth(out, in []float32) {
	own := dsl.DynamicShared[float32]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	if i < len(in) {
		own[t] = in[i]
	}
	dsl.SyncThreads()
	if i < len(out) {
		out[i] = (own[max(t-1, 0)] + own[t]) / 2
	}
}

var smooth = kernel.New(Smooth)

// shared is what a block of so many threads needs, bytes: something for each, and a table.
func shared(threads int) int { return 6000 + 24*threads }

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	a, err := smooth.Attributes(dev)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %d registers a thread, at most %d threads a block\n", dev.Name(), a.Registers, a.MaxThreads)
	for threads := 64; threads <= 1024; threads *= 2 {
		o, err := smooth.Occupancy(dev, launch.Config{Block: launch.Dim3{X: threads}, Shared: shared(threads)})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  blocks of %4d: %2d on a unit, %4d threads, %3.0f%%\n", threads, o.Blocks, o.Threads, 100*o.Fraction())
	}
	threads, grid, err := smooth.SuggestBlock(dev, shared, 0)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  best: blocks of %d, of which %d fill the device\n", threads, grid)

	in, err := launch.Alloc[float32](dev, 5000)
	if err != nil {
		return err
	}
	out, err := launch.Alloc[float32](dev, in.Len())
	if err != nil {
		return err
	}
	cfg := launch.Linear(in.Len(), threads)
	cfg.Shared = shared(threads)
	if err := smooth.Launch(dev.Stream(), cfg, out, in); err != nil {
		return err
	}
	return dev.Sync()
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
