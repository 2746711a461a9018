// Command prefixsum replaces each number by the sum of all before it (an exclusive scan), in the three
// steps that work for any length: blocks scan their parts, the sums of blocks are scanned, and
// each block adds what was before it.
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

const threads = 256 // of a block

func plus(x, y int32) int32 { return x + y }

// Scan scans the part of each block, and stores the parts' sums.
func Scan(v, sums []int32) {
	i := dsl.GlobalIdx().X
	x := int32(0)
	if i < len(v) {
		x = v[i]
	}
	before := dsl.BlockExclusiveScan(x, 0, plus) // all threads of the block take part
	if i < len(v) {
		v[i] = before
	}
	if dsl.ThreadIdx().X == threads-1 {
		sums[dsl.BlockIdx().X] = before + x
	}
}

// Add adds to each part what is before it.
func Add(v, before []int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] += before[dsl.BlockIdx().X]
	}
}

var scan, addBlocks = kernel.New(Scan), kernel.New(Add)

// prefix queues the scan of v.
func prefix(s *launch.Stream, v *launch.Buffer[int32]) error {
	cfg := launch.Linear(v.Len(), threads)
	sums, err := launch.Alloc[int32](s.Device(), cfg.Grid.X)
	if err != nil {
		return err
	}
	defer sums.Close() // the memory stays until the work with it is done
	if err := scan.Launch(s, cfg, v, sums); err != nil || sums.Len() == 1 {
		return err
	}
	if err := prefix(s, sums); err != nil {
		return err
	}
	return addBlocks.Launch(s, cfg, v, sums)
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	for _, n := range []int{1, 1000, 70_001} { // one block, several, several of blocks' sums
		host := make([]int32, n)
		for i := range host {
			host[i] = int32(i*7%23) - 9
		}
		v, err := launch.Upload(dev, host)
		if err != nil {
			return err
		}
		if err := prefix(dev.Stream(), v); err != nil {
			return err
		}
		got := make([]int32, n)
		if err := v.Download(got); err != nil {
			return err
		}
		sum := int32(0)
		for i, x := range host {
			if got[i] != sum {
				return fmt.Errorf("of %d numbers, element %d is %d, want %d", n, i, got[i], sum)
			}
			sum += x
		}
		fmt.Fprintf(w, "%5d numbers: the last is %d\n", n, got[n-1])
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
