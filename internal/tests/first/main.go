// Command first times the first launch of a process: cold, with an empty cache directory,
// and from disk, with what an earlier process of the same binary has left there. It runs
// itself, and other builds of itself by turns, so that two compilers meet the same noise:
//
//	go build -o /tmp/before ./internal/tests/first   # on another commit
//	go run ./internal/tests/first -device cpu -n 30 /tmp/before
//
// Printed are the least and the median wall time from the call of Launch to the result, and
// the processor time of all threads meanwhile.
package main

import (
	"embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"heddle/dsl"
	"heddle/internal/env"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// saxpy is what is launched.
func saxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

func main() {
	log.SetFlags(0)
	alone := flag.Bool("once", false, "launch once, as the others are told to")
	device := flag.String("device", "cpu", "the device, or compile:ARCH for the compile alone")
	n := flag.Int("n", 30, "rounds")
	disk := flag.Int("disk", 1, "launches from disk a round")
	flag.Parse()
	if *alone {
		if err := once(*device); err != nil {
			log.Fatal(err)
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	programs := append([]string{self}, flag.Args()...)
	times := make([]samples, len(programs))
	for range *n {
		for i, p := range programs {
			if err := times[i].add(p, *device, *disk); err != nil {
				log.Fatal(err)
			}
		}
	}
	fmt.Printf("%-24s %-28s %-28s %s\n", "ms, least and median", "cold (processor)", "disk (processor)", *device)
	for i, p := range programs {
		fmt.Printf("%-24s %s %s\n", p[max(0, len(p)-24):], times[i].cold, times[i].disk)
	}
}

// once launches saxpy, or compiles it, and prints the nanoseconds of wall and processor time.
func once(device string) error {
	k := kernel.New(saxpy)
	if arch, ok := strings.CutPrefix(device, "compile:"); ok {
		return timed(func() error {
			_, err := k.Object(arch, 0)
			return err
		})
	}
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	x, err := launch.Upload(dev, make([]float32, 1024))
	if err != nil {
		return err
	}
	return timed(func() error {
		if err := k.Launch(dev.Stream(), launch.Linear(1024, 256), float32(2), x, x); err != nil {
			return err
		}
		return dev.Stream().Sync()
	})
}

func timed(f func() error) error {
	start, used := time.Now(), processor()
	err := f()
	fmt.Println(time.Since(start).Nanoseconds(), (processor() - used).Nanoseconds())
	return err
}

// series are times of one kind of launch.
type series struct{ wall, used []float64 }

func (s series) String() string {
	wall, used := slices.Sorted(slices.Values(s.wall)), slices.Sorted(slices.Values(s.used))
	if len(wall) == 0 {
		return ""
	}
	return fmt.Sprintf("%7.2f %7.2f (%6.2f %6.2f)", wall[0], wall[len(wall)/2], used[0], used[len(used)/2])
}

type samples struct{ cold, disk series }

// add runs a program with a new cache, and then again.
func (s *samples) add(program, device string, again int) error {
	cache, err := os.MkdirTemp("", "first")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	for i := range 1 + again {
		to := &s.cold
		if i > 0 {
			to = &s.disk
		}
		cmd := exec.Command(program, "-once", "-device", device)
		cmd.Env = append(os.Environ(), env.Cache+"="+cache)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		var wall, used float64
		if _, err := fmt.Sscan(string(out), &wall, &used); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		to.wall, to.used = append(to.wall, wall/1e6), append(to.used, used/1e6)
	}
	return nil
}
