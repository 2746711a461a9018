// Command bitonicsort sorts numbers by a network of comparisons that does not depend on the numbers, so
// that all threads do the same. Steps between near elements are done in shared memory, many in one launch;
// those between far ones are a launch each.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	threads = 256
	part    = 2 * threads // elements of a block in shared memory
)

// order puts two elements in their order: ascending where up is true.
func order(a, b *float32, up bool) {
	if (*a > *b) == up {
		*a, *b = *b, *a
	}
}

// pair is the first place of the i-th pair of elements that are d apart.
func pair(i, d int) int { return i/d*2*d + i%d }

// Far does the step of distance d in runs of size elements.
func Far(v []float32, size, d int) {
	if i := dsl.GlobalIdx().X; i < len(v)/2 {
		at := pair(i, d)
		order(&v[at], &v[at+d], at&size == 0)
	}
}

// Near does all steps of distances from d down, for runs from first to last: inside a block.
func Near(v []float32, first, last, d int) {
	own := dsl.Shared[[part]float32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*part
	own[t], own[t+threads] = v[base+t], v[base+t+threads]
	for size := first; size <= last; size *= 2 {
		for e := min(d, size/2); e > 0; e /= 2 {
			dsl.SyncThreads()
			at := pair(t, e)
			order(&own[at], &own[at+e], (base+at)&size == 0)
		}
	}
	dsl.SyncThreads()
	v[base+t], v[base+t+threads] = own[t], own[t+threads]
}

var far, near = kernel.New(Far), kernel.New(Near)

// sortAll queues the sort of v, whose length is a power of two, at least part.
func sortAll(s *launch.Stream, v *launch.Buffer[float32]) error {
	cfg := launch.Linear(v.Len()/2, threads)
	if err := near.Launch(s, cfg, v, 2, part, part/2); err != nil {
		return err
	}
	for size := 2 * part; size <= v.Len(); size *= 2 {
		for d := size / 2; d >= part; d /= 2 {
			if err := far.Launch(s, cfg, v, size, d); err != nil {
				return err
			}
		}
		if err := near.Launch(s, cfg, v, size, size, part/2); err != nil {
			return err
		}
	}
	return nil
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	const n = 4096
	host := make([]float32, n)
	for i := range host {
		host[i] = float32(i*2731%n) / 8
	}
	v, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	if err := sortAll(dev.Stream(), v); err != nil {
		return err
	}
	got := make([]float32, n)
	if err := v.Download(got); err != nil {
		return err
	}
	slices.Sort(host)
	if !slices.Equal(got, host) {
		return errors.New("the host sorts them otherwise")
	}
	fmt.Fprintln(w, n, "numbers, the first", got[:4], "and the last", got[n-2:])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
