package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"heddle/launch"
)

// run times every kernel, heddle's in all variants and the twins in dir, and prints the table.
func run(list []*benchmark, on, dir string, repetitions int) error {
	dev, err := launch.Open(on)
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Printf("%s: %s. Ratios are heddle's time over the twin's: 1 is as fast, 2 takes twice as long.\n", dev.Name(), dev.Info().Product)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tunit\tnvcc\tus\tchecked\tratio\tnobounds\tratio\tnvcc -use_fast_math\tfast\tratio\t")
	wrong := 0
	ratios := make([]summary, len(variants))
	for _, b := range list {
		took, errs := b.measure(dev, dir, repetitions)
		for _, err := range errs {
			fmt.Fprintln(os.Stderr, err)
			wrong++
		}
		fmt.Fprintf(w, "%s\t%s\t", b.name, b.unit)
		last := ""
		for i, v := range variants {
			theirs, ours := took[v.cuda], took[v.name]
			if v.cuda != last {
				fmt.Fprintf(w, "%s\t", rate(b.work, theirs))
				if last == "" {
					fmt.Fprintf(w, "%.1f\t", theirs)
				}
				last = v.cuda
			}
			text := "-"
			if theirs > 0 && ours > 0 {
				text = fmt.Sprintf("%.2f", ours/theirs)
				ratios[i].add(b.name, ours/theirs)
			}
			fmt.Fprintf(w, "%s\t%s\t", rate(b.work, ours), text)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, v := range variants {
		fmt.Printf("%s over %s: %s\n", v.name, v.cuda, &ratios[i])
	}
	if wrong > 0 {
		return fmt.Errorf("%d results are wrong or missing", wrong)
	}
	return nil
}

func rate(work, microseconds float64) string {
	if microseconds == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4g", work/microseconds*1e6)
}

// A summary is ratios by kernel.
type summary struct {
	names  []string
	ratios []float64
}

func (s *summary) add(name string, ratio float64) {
	s.names, s.ratios = append(s.names, name), append(s.ratios, ratio)
}

// worst is how many kernels a summary names.
const worst = 5

// String is the geometric mean, and the worst.
func (s *summary) String() string {
	if len(s.ratios) == 0 {
		return "nothing to compare"
	}
	order := make([]int, len(s.ratios))
	logs := 0.0
	for i, r := range s.ratios {
		order[i] = i
		logs += math.Log(r)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if s.ratios[i] > s.ratios[j] {
			return -1
		}
		return 1
	})
	text := fmt.Sprintf("geometric mean %.3f of %d, worst", math.Exp(logs/float64(len(s.ratios))), len(s.ratios))
	for n, i := range order[:min(worst, len(order))] {
		if n > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s %.2f", s.names[i], s.ratios[i])
	}
	return text
}

// measure checks one launch of each build against the host, and returns their median times
// in microseconds. The builds take turns, so that clocks that change change for all.
func (b *benchmark) measure(dev *launch.Device, dir string, repetitions int) (took map[string]float64, errs []error) {
	took = map[string]float64{}
	d, in, err := b.open(dev)
	if err != nil {
		return took, []error{fmt.Errorf("%s: %w", b.name, err)}
	}
	defer d.close()
	var all []build
	last := ""
	for _, v := range variants {
		if v.cuda != last {
			last = v.cuda
			twin, err := b.theirs(d, in, filepath.Join(dir, v.cuda))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s, %s: %w", b.name, v.cuda, err))
			} else if twin.launch != nil {
				all = append(all, twin)
			}
		}
		all = append(all, b.ours(d, in, v))
	}
	right := all[:0]
	for _, own := range all {
		if err := b.prove(d, in, own); err != nil {
			errs = append(errs, fmt.Errorf("%s, %s: %w", b.name, own.name, err))
			continue
		}
		right = append(right, own)
	}
	for range 3 {
		for _, own := range right {
			if err := own.launch(); err != nil {
				return took, append(errs, fmt.Errorf("%s, %s: %w", b.name, own.name, err))
			}
		}
	}
	times, err := b.times(d, right, repetitions)
	if err != nil {
		return took, append(errs, fmt.Errorf("%s: %w", b.name, err))
	}
	for i, own := range right {
		slices.Sort(times[i])
		took[own.name] = float64(times[i][repetitions/2]) / float64(time.Microsecond)
	}
	return took, errs
}

// times are how long the launches of each build took.
func (b *benchmark) times(d *device, all []build, repetitions int) ([][]time.Duration, error) {
	events := make([]*launch.Event, 2*repetitions*len(all))
	for i := range events {
		var err error
		if events[i], err = d.NewEvent(); err != nil {
			return nil, err
		}
		defer events[i].Close()
	}
	s := d.Stream()
	for i := range len(events) / 2 {
		err := events[2*i].Record(s)
		if err == nil {
			err = all[i%len(all)].launch()
		}
		if err == nil {
			err = events[2*i+1].Record(s)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.Sync(); err != nil {
		return nil, err
	}
	times := make([][]time.Duration, len(all))
	for i := range len(events) / 2 {
		t, err := events[2*i+1].Since(events[2*i])
		if err != nil {
			return nil, err
		}
		times[i%len(all)] = append(times[i%len(all)], t)
	}
	return times, nil
}

// truth works out, once, what n samples of result r should be, of length elements.
func (b *benchmark) truth(r, length, n int) {
	if b.truths[r] != nil {
		return
	}
	if b.truths == nil {
		b.truths = map[int][]float64{}
	}
	b.truths[r] = filled(n, func(k int) float64 { return b.want(r, k*stride(length)) })
}

// check compares the samples of result r with the truth.
func (b *benchmark) check(r int, got []float64, tolerance float64) error {
	bad, first := 0, 0
	for k, v := range got {
		want := b.truths[r][k]
		if math.Abs(v-want) <= tolerance*math.Max(1, math.Abs(want)) {
			continue
		}
		if bad == 0 {
			first = k
		}
		bad++
	}
	if float64(bad) > b.stray*float64(len(got)) {
		return fmt.Errorf("%d of %d samples of result %d are wrong: sample %d is %v, want %v",
			bad, len(got), r, first, got[first], b.truths[r][first])
	}
	return nil
}
