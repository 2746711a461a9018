// Command quickstart shows heddle at work: it makes a kernel of a closure,
// launches it on the best device of this machine, checks the result against
// the same code run on the host, and then shows the compiled form of the closure:
// the machine code for an AMD GPU, and how long each step took.
//
//	make demo
//	HEDDLE_DEVICE=sim:64 go run ./examples/quickstart
package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// logistic is the logistic map, x -> r*x*(1-x). The kernel calls it, and so
// does the host.
func logistic(r, x float32) float32 { return r * x * (1 - x) }

// iterate is a kernel made of a closure: r and steps are captured.
func iterate(r float32, steps int) *kernel.Kernel {
	return kernel.New(func(x []float32) {
		i := dsl.GlobalIdx().X
		if i >= len(x) {
			return
		}
		v := x[i]
		for range steps {
			v = logistic(r, v)
		}
		x[i] = v
	})
}

const (
	n     = 1 << 16
	r     = 2.8
	steps = 50
)

// run launches the kernel and compares what comes back with the host's result.
func run(w io.Writer, device string, k *kernel.Kernel) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Fprintln(w, "device     ", dev)
	if dev.Info().Arch == "sim" && device == "" {
		fmt.Fprintln(w, "            (\"go run ./cmd/heddle doctor\" says what other devices lack)")
	}

	host := make([]float32, n)
	for i := range host {
		host[i] = float32(i) / n
	}
	x, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	first := time.Now()
	if err := k.Launch(dev.Stream(), launch.Linear(n, 256), x); err != nil {
		return err
	}
	got := make([]float32, n)
	if err := x.Download(got); err != nil {
		return err
	}
	firstTook := time.Since(first)

	worst := 0.0
	for i, v := range host {
		for range steps {
			v = logistic(r, v)
		}
		worst = max(worst, math.Abs(float64(v-got[i])))
	}
	if worst > 1e-5 { // a GPU may fuse a multiplication and an addition
		return fmt.Errorf("the device's result is off by %g", worst)
	}
	fmt.Fprintf(w, "result      %d elements, all as the host computes them\n", n)

	warm, err := warmLaunch(dev, k, x)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "launches    the first took %v with all that comes before it; one more, and waiting for it, %v\n",
		round(firstTook), round(warm))
	return nil
}

// warmLaunch is the least time of a launch and of the wait for its end.
func warmLaunch(dev *launch.Device, k *kernel.Kernel, x *launch.Buffer[float32]) (time.Duration, error) {
	least := time.Hour
	for range 5 {
		start := time.Now()
		if err := k.Launch(dev.Stream(), launch.Linear(n, 256), x); err != nil {
			return 0, err
		}
		if err := dev.Sync(); err != nil {
			return 0, err
		}
		least = min(least, time.Since(start))
	}
	return least, nil
}

func main() {
	log.SetFlags(0)
	again := flag.Bool("again", false, "print how long the way to the machine code took, and nothing else")
	flag.Parse()
	k := iterate(r, steps)
	var err error
	if *again {
		err = timings(os.Stdout, k)
	} else if err = run(os.Stdout, "", k); err == nil {
		err = report(os.Stdout, k)
	}
	if err != nil {
		log.Fatal(err)
	}
}
