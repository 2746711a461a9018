// Command movingaverage smooths a series of numbers: each result is the mean of those around it.
// A block loads what it needs once, with the few numbers beyond its ends, and its threads read it from shared memory.
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

const (
	threads = 128 // of a block
	reach   = 8   // numbers on either side
)

// Average stores the sums of 2*reach+1 neighbours; what lies beyond the ends counts as 0.
func Average(sums, v []int32) {
	part := dsl.Shared[[threads + 2*reach]int32]()
	t, first := dsl.ThreadIdx().X, dsl.BlockIdx().X*threads-reach

	for i := t; i < len(part); i += threads {
		part[i] = 0
		if at := first + i; at >= 0 && at < len(v) {
			part[i] = v[at]
		}
	}
	dsl.SyncThreads()

	if i := dsl.GlobalIdx().X; i < len(sums) {
		sum := int32(0)
		for _, x := range part[t : t+2*reach+1] {
			sum += x
		}
		sums[i] = sum
	}
}

var average = kernel.New(Average)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]int32, 3000)
	for i := range host {
		host[i] = int32(i*i%997) - 400
	}
	v, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	sums, err := launch.Alloc[int32](dev, len(host))
	if err != nil {
		return err
	}
	if err := average.Launch(dev.Stream(), launch.Linear(len(host), threads), sums, v); err != nil {
		return err
	}
	got := make([]int32, len(host))
	if err := sums.Download(got); err != nil {
		return err
	}
	for i := range got {
		want := int32(0)
		for _, x := range host[max(i-reach, 0):min(i+reach+1, len(host))] {
			want += x
		}
		if got[i] != want {
			return fmt.Errorf("element %d is %d, want %d", i, got[i], want)
		}
	}
	const i = 1500
	fmt.Fprintf(w, "around element %d the mean is %.3f, the element %d\n", i, float64(got[i])/(2*reach+1), host[i])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
