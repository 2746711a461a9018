package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// aims are how many times as long as heddle each part should take at least;
// plain Go only on the arithmetic kernels.
var aims = map[string]float64{"go": 4, "pocl": 1, "c": 0.9}

// base is the part that the others are compared with, where it was timed.
const base = "heddle"

// A table has a row for each kernel: rates and ratios of the best times.
type table struct {
	parts []*part
	base  string
	rows  strings.Builder
	notes strings.Builder
	small bool
}

func newTable(parts []*part, small bool) *table {
	t := &table{parts: parts, small: small}
	for _, p := range parts {
		if t.base == "" || p.name == base {
			t.base = p.name
		}
	}
	return t
}

func (t *table) add(b *bench, n int, times map[string]*timing) {
	fmt.Fprintf(&t.rows, "%s\t%s\t", b.name, b.unit)
	ours := times[t.base]
	var short []string
	for _, p := range t.parts {
		theirs := times[p.name]
		if theirs == nil || theirs.best == 0 {
			fmt.Fprint(&t.rows, "-\t")
			if p.name != t.base {
				fmt.Fprint(&t.rows, "-\t")
			}
			continue
		}
		if p.name == t.base {
			fmt.Fprintf(&t.rows, "%.3f\t", theirs.best/1e6)
		}
		fmt.Fprintf(&t.rows, "%.4g\t", rates[b.unit](b, float64(n))/theirs.best)
		if p.name == t.base {
			continue
		}
		if ours == nil || ours.best == 0 {
			fmt.Fprint(&t.rows, "-\t")
			continue
		}
		ratio := theirs.best / ours.best
		fmt.Fprintf(&t.rows, "%.2f\t", ratio)
		if aim := aims[p.name]; t.base == base && ratio < aim && (p.name != "go" || b.arith) {
			short = append(short, fmt.Sprintf("%s %g", p.name, aim))
		}
	}
	fmt.Fprintln(&t.rows, strings.Join(short, ", "))
	worst := 0.0
	for _, v := range times {
		worst = max(worst, v.error)
	}
	fmt.Fprintf(&t.notes, "%s\t%s, n = %d\t%.1g of %.1g", b.name, b.input, n, worst, b.tolerance)
	if b.stray > 0 {
		fmt.Fprintf(&t.notes, ", %g%% may stray", 100*b.stray)
	}
	fmt.Fprintln(&t.notes)
}

func (t *table) print(out io.Writer) {
	fmt.Fprintf(out, "\nRates, and how many times as long as %s the others take (best times):\n", t.base)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "kernel\tunit\t")
	for _, p := range t.parts {
		if p.name == t.base {
			fmt.Fprintf(w, "%s ms\trate\t", p.name)
		} else {
			fmt.Fprintf(w, "%s rate\t%s/%s\t", p.name, p.name, t.base)
		}
	}
	fmt.Fprint(w, "short of\n", t.rows.String())
	w.Flush()
	fmt.Fprintln(out, "\nInputs, and the largest error of the results against plain Go's:")
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, t.notes.String())
	w.Flush()
	if t.small {
		fmt.Fprintln(out, "These inputs are too small to time anything.")
	}
}
