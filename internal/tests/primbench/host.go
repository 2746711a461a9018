package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"heddle/internal/tests/primcases"
	"heddle/launch"
)

// plain are primcases' cases as a Go programmer would write them without a thought of several cores. Each makes what
// is timed of the length. std.cpp has the same names.
var plain = map[string]func(n int) func(){
	"sort-u32": func(n int) func() {
		in, out := hostNumbers(n, primcases.Number[uint32])
		return func() {
			copy(out, in)
			slices.Sort(out)
		}
	},
	"reduce-f32": func(n int) func() {
		in, out := hostNumbers(n, primcases.Number[float32])
		return func() {
			sum := float32(0)
			for _, v := range in {
				sum += v
			}
			out[0] = sum
		}
	},
	"scan-i32": plainScan[int32],
	"scan-f32": plainScan[float32],
	"scan-i64": plainScan[int64],
	"runs-i32": func(n int) func() {
		in, keys := hostNumbers(n, func(i int) int32 { return int32(i / primcases.RunLength) })
		lengths := make([]int, n)
		return func() {
			k := -1
			for i, v := range in {
				if i == 0 || v != in[i-1] {
					k++
					keys[k], lengths[k] = v, 0
				}
				lengths[k]++
			}
		}
	},
	"select-i32": func(n int) func() {
		in, out := hostNumbers(n, primcases.Number[int32])
		return func() {
			k := 0
			for _, v := range in {
				if v < 0 {
					out[k] = v
					k++
				}
			}
		}
	},
	"transform-f32": func(n int) func() {
		in, out := hostNumbers(n, primcases.Number[float32])
		return func() {
			for i, v := range in {
				out[i] = 2*v + 1
			}
		}
	},
}

func plainScan[T int32 | float32 | int64](n int) func() {
	in, out := hostNumbers(n, primcases.Number[T])
	return func() {
		sum := T(0)
		for i, v := range in {
			sum += v
			out[i] = sum
		}
	}
}

// hostNumbers are n numbers, and room for as many.
func hostNumbers[T any](n int, at func(i int) T) (in, out []T) {
	in = make([]T, n)
	for i := range in {
		in[i] = at(i)
	}
	return in, make([]T, n)
}

// hostMedian is the median time of f, as primcases.Median.
func hostMedian(times int, f func()) time.Duration {
	f()
	f()
	all := make([]time.Duration, times)
	for i := range all {
		begin := time.Now()
		f()
		all[i] = time.Since(begin)
	}
	slices.Sort(all)
	return all[times/2]
}

// runHost times cpu beside plain Go, which uses one core, and what std.cpp has printed.
func runHost(std, only string, most int) error {
	theirs, err := readTimes(std)
	if err != nil {
		return err
	}
	dev, err := launch.Open("cpu")
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Printf("%s, %d threads. A ratio is the other's time over prim's: above 1 prim is faster. Go is a loop on one core.\n", dev.Info().Product, runtime.GOMAXPROCS(0))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "algorithm\tn\tprim us\tGo us\tC++ us\tGo/prim\tC++/prim\t")
	for _, c := range primcases.Cases {
		begin, ok := plain[c.Name]
		if !ok || !strings.Contains(c.Name, only) {
			continue
		}
		for e := 10; e <= most; e += 2 {
			took, err := timed(c, dev, e)
			if err != nil {
				return fmt.Errorf("%s of 2^%d: %w", c.Name, e, err)
			}
			us := micros(took)
			goes := micros(hostMedian(primcases.Repetitions(e), begin(1<<e)))
			other, ratio := theirs.beside(c.Name, e, us)
			fmt.Fprintf(w, "%s\t2^%d\t%.1f\t%.1f\t%s\t%.2f\t%s\t\n", c.Name, e, us, goes, other, goes/us, ratio)
		}
	}
	return w.Flush()
}

func micros(t time.Duration) float64 { return float64(t) / float64(time.Microsecond) }
