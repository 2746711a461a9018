// Command globals has variables that live on the device (HIP's __device__, __constant__):
// a kernel uses them by name, no argument passes them, and they keep their values from one launch to the next.
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

var (
	// weights are read only: on GPUs they are in the fast constant memory.
	weights = dsl.NewConstant([4]int32{1, 10, 100, 1000})
	// launches counts the launches, total adds up what all of them have made.
	launches = dsl.NewGlobal[int32](0)
	total    = dsl.NewGlobal[int64](0)
)

// Weigh adds up v, each number times the weight of its place.
func Weigh(v []int32) {
	i := dsl.GlobalIdx().X
	if i == 0 {
		*launches.Ptr()++
	}
	if i < len(v) {
		dsl.AtomicAdd(total.Ptr(), int64(v[i]*weights.Ptr()[i%4]))
	}
}

var weigh = kernel.New(Weigh)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	v, err := launch.Upload(dev, []int32{1, 2, 3, 4, 5, 6, 7, 8})
	if err != nil {
		return err
	}
	for range 3 {
		if err := weigh.Launch(dev.Stream(), launch.Linear(v.Len(), 64), v); err != nil {
			return err
		}
	}
	// The host reads and writes them by name, too (hipMemcpyFromSymbol, hipMemcpyToSymbol).
	var n int32
	var sum int64
	if err := launch.CopyFromSymbol(dev, &n, launches); err != nil {
		return err
	}
	if err := launch.CopyFromSymbol(dev, &sum, total); err != nil {
		return err
	}
	fmt.Fprintln(w, n, "launches, total", sum)

	if err := launch.CopyToSymbol(dev, weights, &[4]int32{1, 1, 1, 1}); err != nil {
		return err
	}
	sum = 0
	if err := launch.CopyToSymbol(dev, total, &sum); err != nil {
		return err
	}
	if err := weigh.Launch(dev.Stream(), launch.Linear(v.Len(), 64), v); err != nil {
		return err
	}
	if err := launch.CopyFromSymbol(dev, &sum, total); err != nil {
		return err
	}
	fmt.Fprintln(w, "with other weights", sum)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
