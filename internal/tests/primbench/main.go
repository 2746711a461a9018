// Command primbench times package prim, and prints one table of times, of bytes a second, and of ratios to what a C++ program, which does
// the same, has printed.
//
//	primbench -device cuda -beside A,B -turns 3 algorithms, beside programs A and B, made of testdata/cub.cu: three turns, of which the least times count
//	primbench -most 20                          no more than 2^20 elements
//	primbench -host -std FILE                   algorithms on cpu, beside plain Go and testdata/std.cpp
//	primbench -rand -device cuda -curand FILE   fills of package rand, beside testdata/curand.cu
//
// scripts/bench-prim.sh, bench-prim-cpu.sh and bench-rand.sh build and run both. The binary carries the sources, so it runs where there is no Go.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
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
	beside := flag.String("beside", "", "`programs` made of cub.cu, by commas, which take turns with prim")
	turns := flag.Int("turns", 1, "how often both are timed; the least times count")
	most := flag.Int("most", 30, "the greatest power of two that is timed")
	least := flag.Int("least", 0, "the least")
	only := flag.String("only", "", "algorithms whose name has this `text`")
	peak := flag.Float64("peak", 0, "the device's memory bandwidth in GB/s, to say which share is reached")
	tuning := flag.String("tuning", "", "a tuning table, a `file`")
	host := flag.Bool("host", false, "time cpu beside plain Go")
	std := flag.String("std", "", "what std.cpp printed, a `file`, for -host")
	fills := flag.Bool("rand", false, "time the fills of package rand")
	curand := flag.String("curand", "", "what curand.cu printed, a `file`, for -rand")
	flag.Parse()
	err := load(*tuning)
	switch {
	case err != nil:
	case *host:
		err = runHost(*std, *only, min(*most, 26))
	case *fills:
		err = runRand(*device, *curand, *only, *most)
	default:
		err = run(*device, *only, *least, *most, *peak, *turns, strings.FieldsFunc(*beside, func(r rune) bool { return r == ',' }))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "primbench:", err)
		os.Exit(1)
	}
}

// key is what names a line in both programs' outputs.
type key struct {
	name     string
	exponent int
}

// A timetable is what another program has printed, in microseconds.
type timetable map[key]float64

// beside is the other program's time and its ratio to us, empty if it has none.
func (t timetable) beside(name string, exponent int, us float64) (other, ratio string) {
	if v := t[key{name, exponent}]; v > 0 {
		return fmt.Sprintf("%.1f", v), fmt.Sprintf("%.2f", v/us)
	}
	return "", ""
}

// load loads a tuning table, if any.
func load(tuning string) error {
	if tuning == "" {
		return nil
	}
	f, err := os.Open(tuning)
	if err != nil {
		return err
	}
	defer f.Close()
	return prim.LoadTuning(f)
}

func run(device, only string, least, most int, peak float64, turns int, beside []string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Printf("%s: %s. A ratio is CUB's time over prim's: above 1 prim is faster.\n", dev.Name(), dev.Info().Product)
	ours, theirs := timetable{}, timetable{}
	for range turns {
		for _, program := range beside {
			if err := theirs.run(program, most); err != nil {
				return err
			}
		}
		for _, c := range primcases.Cases {
			for _, e := range exponents {
				if !strings.Contains(c.Name, only) || e < least || e > most || e > c.Most {
					continue
				}
				took, err := timed(c, dev, e)
				if err != nil {
					return fmt.Errorf("%s of 2^%d: %w", c.Name, e, err)
				}
				ours.keep(key{c.Name, e}, micros(took))
			}
		}
	}
	return report(ours, theirs, peak)
}

// report prints the table.
func report(ours, theirs timetable, peak float64) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "algorithm\tn\tus\tGB/s\tof peak\tCUB us\tratio\t")
	for _, c := range primcases.Cases {
		for _, e := range exponents {
			us := ours[key{c.Name, e}]
			if us == 0 {
				continue
			}
			rate := float64(c.Bytes) * math.Exp2(float64(e)) / us / 1e3
			share := ""
			if peak > 0 {
				share = fmt.Sprintf("%.2f", rate/peak)
			}
			other, ratio := theirs.beside(c.Name, e, us)
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

// readTimes reads a file of lines of a name, an exponent and microseconds.
func readTimes(name string) (timetable, error) {
	times := timetable{}
	if name == "" {
		return times, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	times.read(string(text))
	return times, nil
}

// read takes lines of a name, an exponent and microseconds.
func (t timetable) read(text string) {
	for line := range strings.Lines(text) {
		var k key
		var us float64
		if n, _ := fmt.Sscan(line, &k.name, &k.exponent, &us); n == 3 {
			t.keep(k, us)
		}
	}
}

// keep takes a time if it is the least so far.
func (t timetable) keep(k key, us float64) {
	if old := t[k]; old == 0 || us < old {
		t[k] = us
	}
}

// run takes what a program made of cub.cu prints.
func (t timetable) run(program string, most int) error {
	cmd := exec.Command(program, strconv.Itoa(most))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	t.read(string(out))
	return nil
}
