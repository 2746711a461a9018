package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"heddle/kernel"
	"heddle/launch"
)

// run times every kernel in every variant and prints the table.
func run(list []*benchmark, on, dir string, repetitions int) error {
	dev, err := launch.Open(on)
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Printf("%s: %s\n", dev.Name(), dev.Info().Product)
	cuda := map[string]map[string]float64{}
	for _, v := range variants {
		if cuda[v.cuda], err = readTimes(filepath.Join(dir, v.cuda, "times")); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tunit\tnvcc\tchecked\tratio\tnobounds\tratio\tnvcc -use_fast_math\tfast\tratio\t")
	wrong := 0
	for _, b := range list {
		fmt.Fprintf(w, "%s\t%s\t", b.name, b.unit)
		last := ""
		for _, v := range variants {
			took, err := b.measure(dev, v.opts, repetitions)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s, %s: %v\n", b.name, v.name, err)
				wrong++
			}
			theirs := cuda[v.cuda][b.name]
			if v.cuda != last {
				fmt.Fprintf(w, "%s\t", rate(b.work, theirs))
				last = v.cuda
				if err := b.checkFile(filepath.Join(dir, v.cuda, b.name+".bin")); err != nil {
					fmt.Fprintf(os.Stderr, "%s, %s: %v\n", b.name, v.cuda, err)
					wrong++
				}
			}
			fmt.Fprintf(w, "%s\t%s\t", rate(b.work, took), ratio(theirs, took))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
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

// ratio is how fast ours is, of theirs.
func ratio(theirs, ours float64) string {
	if theirs == 0 || ours == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", theirs/ours)
}

// readTimes reads "name microseconds" lines; no file is an empty table.
func readTimes(name string) (map[string]float64, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	times := map[string]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kernel string
		var t float64
		if _, err := fmt.Sscan(lines.Text(), &kernel, &t); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		times[kernel] = t
	}
	return times, nil
}

// measure checks one launch of the kernel against the host, and returns the
// median time of the others in microseconds.
func (b *benchmark) measure(dev *launch.Device, opts kernel.Options, repetitions int) (float64, error) {
	d := &device{Device: dev}
	defer d.close()
	args, results := b.setup(d)
	if d.err != nil {
		return 0, d.err
	}
	k, s := kernel.NewWith(b.kernel, opts), dev.Stream()
	if err := k.Launch(s, b.cfg, args...); err != nil {
		return 0, err
	}
	for r, result := range results {
		got, err := result.read()
		if err != nil {
			return 0, err
		}
		b.truth(r, result.len, len(got))
		if err := b.check(r, got); err != nil {
			return 0, err
		}
	}
	for range 5 {
		if err := k.Launch(s, b.cfg, args...); err != nil {
			return 0, err
		}
	}
	events := make([]*launch.Event, 2*repetitions)
	for i := range events {
		var err error
		if events[i], err = dev.NewEvent(); err != nil {
			return 0, err
		}
		defer events[i].Close()
	}
	for i := range repetitions {
		err := events[2*i].Record(s)
		if err == nil {
			err = k.Launch(s, b.cfg, args...)
		}
		if err == nil {
			err = events[2*i+1].Record(s)
		}
		if err != nil {
			return 0, err
		}
	}
	if err := s.Sync(); err != nil {
		return 0, err
	}
	times := make([]time.Duration, repetitions)
	for i := range times {
		var err error
		if times[i], err = events[2*i+1].Since(events[2*i]); err != nil {
			return 0, err
		}
	}
	slices.Sort(times)
	return float64(times[repetitions/2]) / float64(time.Microsecond), nil
}

// truth works out, once, what n samples of result r should be, of length elements.
func (b *benchmark) truth(r, length, n int) {
	if b.truths[r] != nil {
		return
	}
	if b.truths == nil {
		b.truths = map[int][]float64{}
	}
	t := make([]float64, n)
	for k := range t {
		t[k] = b.want(r, k*stride(length))
	}
	b.truths[r] = t
}

// check compares the samples of result r with the truth.
func (b *benchmark) check(r int, got []float64) error {
	bad, first := 0, 0
	for k, v := range got {
		want := b.truths[r][k]
		if math.Abs(v-want) <= b.tolerance*math.Max(1, math.Abs(want)) {
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

// checkFile compares the samples that the CUDA driver wrote, if it did.
func (b *benchmark) checkFile(name string) error {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	got := make([]float64, len(data)/8)
	if _, err := binary.Decode(data, binary.LittleEndian, got); err != nil {
		return err
	}
	for r := range len(b.truths) {
		n := len(b.truths[r])
		if len(got) < n {
			return fmt.Errorf("%s is too short", name)
		}
		if err := b.check(r, got[:n]); err != nil {
			return err
		}
		got = got[n:]
	}
	return nil
}
