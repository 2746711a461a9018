// Command primbench times package prim, and prints one table of times, of bytes a second, and of ratios to what testdata/cub.cu,
// the same on CUB, has printed.
//
//	primbench -device cuda -cub FILE    time all, beside the lines of FILE
//	primbench -most 20                  no more than 2^20 elements
//
// scripts/bench-prim.sh builds and runs both. The binary carries the sources, so it runs where there is no Go.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"heddle/internal/tests/primcases"
	"heddle/launch"
	"heddle/prim"
)

// exponents are those of the lengths that are timed, as in cub.cu.
var exponents = []int{10, 16, 20, 24, 28, 30}

func main() {
	device := flag.String("device", "", "the `device`")
	cub := flag.String("cub", "", "what cub.cu printed, a `file`")
	most := flag.Int("most", 30, "the greatest power of two that is timed")
	only := flag.String("only", "", "algorithms whose name has this `text`")
	peak := flag.Float64("peak", 0, "the device's memory bandwidth in GB/s, to say which share is reached")
	tuning := flag.String("tuning", "", "a tuning table, a `file`")
	flag.Parse()
	if err := run(*device, *cub, *tuning, *only, *most, *peak); err != nil {
		fmt.Fprintln(os.Stderr, "primbench:", err)
		os.Exit(1)
	}
}

// key is what names a line in both programs' outputs.
type key struct {
	name     string
	exponent int
}

func run(device, cub, tuning, only string, most int, peak float64) error {
	if tuning != "" {
		f, err := os.Open(tuning)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := prim.LoadTuning(f); err != nil {
			return err
		}
	}
	theirs, err := readTimes(cub)
	if err != nil {
		return err
	}
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Printf("%s: %s. A ratio is CUB's time over prim's: above 1 prim is faster.\n", dev.Name(), dev.Info().Product)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "algorithm\tn\tus\tGB/s\tof peak\tCUB us\tratio\t")
	sums := map[string][]float64{}
	for _, c := range primcases.Cases {
		for _, e := range exponents {
			if !strings.Contains(c.Name, only) || e > most || e > c.Most {
				continue
			}
			took, err := timed(c, dev, e)
			if err != nil {
				return fmt.Errorf("%s of 2^%d: %w", c.Name, e, err)
			}
			us := float64(took) / float64(time.Microsecond)
			rate := float64(c.Bytes) * math.Exp2(float64(e)) / us / 1e3
			share, other, ratio := "", "", ""
			if peak > 0 {
				share = fmt.Sprintf("%.2f", rate/peak)
			}
			if t := theirs[key{c.Name, e}]; t > 0 {
				other, ratio = fmt.Sprintf("%.1f", t), fmt.Sprintf("%.2f", t/us)
				sums[c.Name] = append(sums[c.Name], t/us)
			}
			fmt.Fprintf(w, "%s\t2^%d\t%.1f\t%.0f\t%s\t%s\t%s\t\n", c.Name, e, us, rate, share, other, ratio)
		}
	}
	return w.Flush()
}

// timed is the median time of a case with 2^exponent elements.
func timed(c primcases.Case, dev *launch.Device, exponent int) (time.Duration, error) {
	r, err := c.Setup(dev, 1<<exponent)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	took, err := r.Time(primcases.Repetitions(exponent), prim.Options{})
	if err == nil && r.Check != nil {
		err = r.Check()
	}
	return took, err
}

// readTimes reads lines of a name, an exponent and microseconds.
func readTimes(name string) (map[key]float64, error) {
	times := map[key]float64{}
	if name == "" {
		return times, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var k key
		var us float64
		if n, _ := fmt.Sscan(line, &k.name, &k.exponent, &us); n == 3 {
			times[k] = us
		}
	}
	return times, nil
}
