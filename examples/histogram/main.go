// Command histogram counts how often each byte value occurs in a text.
//
// Many threads want to increment the same few counters: they need atomic
// operations, and those are slow where all of them go to global memory. So
// each block counts in shared memory, where atomics are quick, and adds its
// counts to the global ones once, at the end.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Histogram adds the number of times that each byte occurs in text to counts.
func Histogram(text []byte, counts *[256]uint32) {
	local := dsl.Shared[[256]uint32]()
	// Shared memory starts undefined. Stepping by the block's size is right
	// whatever that size is.
	for i := dsl.ThreadIdx().X; i < len(local); i += dsl.BlockDim().X {
		local[i] = 0
	}
	dsl.SyncThreads()
	for i := dsl.GlobalIdx().X; i < len(text); i += dsl.GlobalSize().X {
		dsl.AtomicAdd(&local[text[i]], 1)
	}
	dsl.SyncThreads()
	for i := dsl.ThreadIdx().X; i < len(local); i += dsl.BlockDim().X {
		if n := local[i]; n > 0 {
			dsl.AtomicAdd(&counts[i], n)
		}
	}
}

var histogram = kernel.New(Histogram)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	text := []byte(strings.Repeat("the heddle guides the threads of the warp; ", 500))
	in, err := launch.Upload(dev, text)
	if err != nil {
		return err
	}
	counts, err := launch.Alloc[[256]uint32](dev, 1)
	if err != nil {
		return err
	}
	cfg := launch.Config{Grid: launch.Dim3{X: 8}, Block: launch.Dim3{X: 128}}
	if err := histogram.Launch(dev.Stream(), cfg, in, counts); err != nil {
		return err
	}
	var got [1][256]uint32
	if err := counts.Download(got[:]); err != nil {
		return err
	}

	var want [256]uint32
	for _, c := range text {
		want[c]++
	}
	for _, c := range []byte("ehz ") {
		fmt.Fprintf(w, "%q %5d\n", c, got[0][c])
	}
	fmt.Fprintln(w, "as counted on the host:", got[0] == want)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
