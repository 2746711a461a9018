package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A timing is what one part did with one kernel.
type timing struct {
	best, median float64 // nanoseconds; 0 if it was not timed
	error        float64 // the largest relative error of its results
}

// compare runs the parts and prints the table.
func compare(o *options) error {
	if err := o.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cpubench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	parts := o.start()
	defer func() {
		for _, p := range parts {
			p.end()
		}
	}()
	t := newTable(parts, o.small)
	wrong := 0
	for _, b := range benches {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), b.name) {
			continue
		}
		n := b.n
		if o.small {
			n = b.small
		}
		times, bad := b.measure(o, parts, n, dir)
		wrong += bad
		if o.lines {
			b.printLines(parts, times, n)
			continue
		}
		t.add(b, n, times)
	}
	if !o.lines {
		t.print(os.Stdout)
	}
	if wrong > 0 {
		return fmt.Errorf("%d results are wrong or missing", wrong)
	}
	return nil
}

// start begins the parts that are wanted and says which cannot be had.
func (o *options) start() (parts []*part) {
	for name := range strings.SplitSeq(o.parts, ",") {
		cmd := o.command(name)
		if cmd == nil {
			fmt.Fprintf(os.Stderr, "%s: skipped, its program is not built here\n", name)
			continue
		}
		p, err := begin(name, cmd)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: skipped: %v\n", name, err)
			continue
		}
		if !o.lines {
			fmt.Printf("%s: %s\n", name, p.about)
		}
		parts = append(parts, p)
	}
	return parts
}

// measure compares the results of all parts with plain Go's, or the first
// part's where that is missing, and then lets them take turns. It also returns
// how many failed.
func (b *bench) measure(o *options, parts []*part, n int, dir string) (map[string]*timing, int) {
	times, runs, bad := map[string]*timing{}, map[string][]float64{}, 0
	fail := func(p *part, err error) {
		fmt.Fprintf(os.Stderr, "%s, %s: %v\n", b.name, p.name, err)
		delete(times, p.name)
		bad++
	}
	var reference []float64
	order := slices.Clone(parts)
	slices.SortStableFunc(order, func(p, q *part) int { return isGo(q) - isGo(p) })
	for _, p := range order {
		results, err := b.results(p, n, filepath.Join(dir, "results"))
		if err != nil {
			fail(p, err)
			continue
		}
		if reference == nil {
			reference = results
		}
		off, err := b.check(results, reference)
		if err != nil { // what is wrong is not timed
			fail(p, err)
			continue
		}
		times[p.name] = &timing{error: off}
	}
	for range o.turns {
		for _, p := range parts {
			if times[p.name] == nil {
				continue
			}
			took, err := p.time(o.ms, o.reps)
			if err != nil {
				fail(p, err)
			}
			runs[p.name] = append(runs[p.name], took...)
		}
	}
	for _, p := range parts {
		p.ask("close")
		if took := runs[p.name]; len(took) > 0 && times[p.name] != nil {
			slices.Sort(took)
			times[p.name].best, times[p.name].median = took[0], took[len(took)/2]
		}
	}
	return times, bad
}

func isGo(p *part) int {
	if p.name == "go" {
		return 1
	}
	return 0
}

// results are those of a part's first run.
func (b *bench) results(p *part, n int, file string) ([]float64, error) {
	if _, err := p.ask("open %s %d", b.name, n); err != nil {
		return nil, err
	}
	if _, err := p.ask("save %s", file); err != nil {
		return nil, err
	}
	return b.read(file)
}

// read reads the results that a part saved.
func (b *bench) read(file string) ([]float64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	results := make([]float64, len(data)/4)
	for i := range results {
		bits := binary.NativeEndian.Uint32(data[4*i:])
		if results[i] = float64(math.Float32frombits(bits)); b.ints {
			results[i] = float64(int32(bits))
		}
	}
	if b.sum {
		sum := 0.0
		for _, v := range results {
			sum += v
		}
		results = []float64{sum}
	}
	return results, nil
}

// check returns the largest error of results, those that may miss aside.
func (b *bench) check(results, want []float64) (float64, error) {
	if len(results) != len(want) {
		return 0, fmt.Errorf("%d results, want %d", len(results), len(want))
	}
	bad, first, largest := 0, 0, 0.0
	for i, v := range results {
		off := math.Abs(v-want[i]) / max(1, math.Abs(want[i]))
		if off <= b.tolerance {
			largest = max(largest, off)
			continue
		}
		if bad == 0 {
			first = i
		}
		bad++
	}
	if float64(bad) > b.stray*float64(len(want)) {
		return 0, fmt.Errorf("%d of %d results are wrong: number %d is %v, want %v", bad, len(want), first, results[first], want[first])
	}
	return largest, nil
}

func (b *bench) printLines(parts []*part, times map[string]*timing, n int) {
	for _, p := range parts {
		t := times[p.name]
		if t == nil {
			continue
		}
		fmt.Printf("%s %s %.0f %.0f %.0f %.0f %.2g\n", p.name, b.name, t.best, t.median, count(b.bytes, n), count(b.flops, n), t.error)
	}
}

func count(f func(float64) float64, n int) float64 {
	if f == nil {
		return 0
	}
	return f(float64(n))
}
