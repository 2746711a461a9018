// Command tutorial is the program of docs/tutorial.md: a first kernel, and a sum in five
// versions, each faster than the one before.
//
//	go run ./examples/tutorial           # results
//	go run ./examples/tutorial -time     # how fast each version is on the best device here
package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// config is the launch of a sum of n elements: enough blocks for all of them, or, if a
// thread takes many, for all that the device runs at once.
func config(dev *launch.Device, n int, strided bool) launch.Config {
	c := launch.Linear(n, threads)
	if most := dev.Info().ComputeUnits * 8; strided && c.Grid.X > most {
		c.Grid.X = most
	}
	return c
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	s := dev.Stream()

	v, err := launch.Upload(dev, []float32{1, 2, 3})
	if err != nil {
		return err
	}
	if err := scale.Launch(s, launch.Linear(v.Len(), threads), v, float32(1.5)); err != nil {
		return err
	}
	got := make([]float32, v.Len())
	if err := v.Download(got); err != nil {
		return err
	}
	fmt.Fprintln(w, "Scale:", got)

	numbers := make([]int32, 100_000)
	for i := range numbers {
		numbers[i] = int32(i % 7)
	}
	in, err := launch.Upload(dev, numbers)
	if err != nil {
		return err
	}
	total, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		return err
	}
	result := func(k *kernel.Kernel, strided bool) (int32, error) {
		if err := total.Clear(s); err != nil {
			return 0, err
		}
		if err := k.Launch(s, config(dev, in.Len(), strided), in, total); err != nil {
			return 0, err
		}
		sum := make([]int32, 1)
		err := total.Download(sum)
		return sum[0], err
	}
	for _, step := range steps {
		sum, err := result(step.kernel, step.strided)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d\n", step.name, sum)
	}
	most, err := result(greatest, true)
	fmt.Fprintln(w, "Reduce with Max:", most)
	return err
}

// measure prints how fast each version of the sum is: the best of ten launches.
func measure(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	s := dev.Stream()
	in, err := launch.Alloc[int32](dev, 1<<26)
	if err != nil {
		return err
	}
	total, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, dev.Info().Product)
	for _, step := range steps {
		best := time.Duration(1 << 62)
		for range 10 {
			start, err := s.Record()
			if err != nil {
				return err
			}
			if err := step.kernel.Launch(s, config(dev, in.Len(), step.strided), in, total); err != nil {
				return err
			}
			end, err := s.Record()
			if err != nil {
				return err
			}
			if err := end.Sync(); err != nil {
				return err
			}
			took, err := end.Since(start)
			if err != nil {
				return err
			}
			best = min(best, took)
		}
		fmt.Fprintf(w, "%-10s %8.0f us %8.0f GB/s\n", step.name, best.Seconds()*1e6, float64(4*in.Len())/best.Seconds()/1e9)
	}
	return nil
}

func main() {
	timed := flag.Bool("time", false, "print how fast each version is")
	flag.Parse()
	do := run
	if *timed {
		do = measure
	}
	if err := do(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
