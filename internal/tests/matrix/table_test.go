package matrix

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// A result counts what one run of the func values has shown.
type result struct {
	values, sim, cpu, same int
	refusals, refused      int
	noCPU                  string // why there is no cpu device
	index                  int    // kernels that came from what is on record
	took                   time.Duration
}

// A row is what one mode has shown.
type row struct {
	mode    mode
	tree    *result // with the source tree; nil: it was not run so
	alone   *result // in an empty environment; nil: likewise
	skipped string
	took    time.Duration
}

// columns are the table's, after the mode's name.
var columns = []struct {
	name string
	cell func(*result) string
}{
	{"func values", func(r *result) string { return fmt.Sprint(r.values) }},
	{"sim", func(r *result) string { return fmt.Sprint(r.sim) }},
	{"cpu", func(r *result) string {
		if r.noCPU != "" {
			return "-"
		}
		return fmt.Sprint(r.cpu)
	}},
	{"same IR", func(r *result) string { return fmt.Sprint(r.same) }},
	{"refused", func(r *result) string { return fmt.Sprintf("%d of %d", r.refused, r.refusals) }},
	{"seconds", func(r *result) string { return fmt.Sprintf("%.1f", r.took.Seconds()) }},
}

// cells are the rows of the table, its head first.
func cells(rows []*row) (table [][]string) {
	head := []string{"mode", "sources"}
	for _, c := range columns {
		head = append(head, c.name)
	}
	table = append(table, append(head, "with the build"))
	for _, r := range rows {
		if r.skipped != "" {
			table = append(table, []string{r.mode.name, "skipped: " + r.skipped})
			continue
		}
		for _, run := range []struct {
			sources string
			*result
		}{{"go list", r.tree}, {"embedded, alone", r.alone}} {
			if run.result == nil {
				continue
			}
			line := []string{r.mode.name, run.sources}
			for _, c := range columns {
				line = append(line, c.cell(run.result))
			}
			table = append(table, append(line, fmt.Sprintf("%.1f", r.took.Seconds())))
		}
	}
	return table
}

func plainTable(rows []*row) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, line := range cells(rows) {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	w.Flush()
	return b.String()
}

func markdownTable(rows []*row) string {
	var b strings.Builder
	for i, line := range cells(rows) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
		}
	}
	return b.String()
}
