package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"heddle/internal/target"
	"heddle/intrinsics"
)

// This file says on which devices a kernel may call a function: what the functions' rows need
// of a machine, what the simulator's bodies refuse, and which cases have run on an H200.

// A class is a column of docs/language.md's first table: machines that are alike.
type class struct {
	title string
	// archs begin the names of the machines; the simulator has none.
	archs []string
	// ran says where the cases run.
	ran string
}

var classes = []class{
	{"sim", nil, "each run of the tests, at both warp sizes"},
	{"cpu", []string{"x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"}, "each run of the tests, at both warp sizes"},
	{"AMD GCN/CDNA", []string{"gfx8", "gfx9"}, ""},
	{"AMD RDNA", []string{"gfx10", "gfx11", "gfx12"}, ""},
	{"NVIDIA", []string{"sm_"}, "an H100 or H200 (internal/tests/conformance/testdata/h200.txt)"},
}

// machinesIn are the machines of a class.
func (c *class) machinesIn(t *testing.T) (all []*target.Machine) {
	t.Helper()
	names := c.archs
	if c.title != "cpu" {
		names = slices.DeleteFunc(slices.Clone(target.Archs), func(arch string) bool {
			return !slices.ContainsFunc(c.archs, func(prefix string) bool { return strings.HasPrefix(arch, prefix) })
		})
	}
	for _, name := range names {
		m, err := target.For(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// where says where the cases of a class of AMD's run: the emulated processors among its machines.
func (c *class) where() string {
	if c.ran != "" {
		return c.ran
	}
	var all []string
	for _, name := range Devices {
		arch, ok := strings.CutPrefix(name, "emu:")
		if ok && !strings.Contains(arch, ":") && slices.ContainsFunc(c.archs, func(prefix string) bool { return strings.HasPrefix(arch, prefix) }) {
			all = append(all, arch)
		}
	}
	return "each run of the tests, on emulated " + strings.Join(all, ", ")
}

// The states of a function on the machines of a class.
const (
	works   = "works: all its cases pass"
	partly  = "works: not all its cases have run"
	someOf  = "some of the machines refuse it"
	refused = "refused"
)

var allStates = []string{works, partly, someOf, refused}

// states counts functions by state and class, and numbers the reasons.
type states struct {
	t        *testing.T
	onH200   map[string]bool
	machines [][]*target.Machine
	count    map[string][]int // by state, for each class
	reasons  []string
}

func newStates(t *testing.T, onH200 map[string]bool) *states {
	s := &states{t: t, onH200: onH200, count: map[string][]int{}}
	for _, c := range classes {
		s.machines = append(s.machines, c.machinesIn(t))
	}
	for _, name := range allStates {
		s.count[name] = make([]int, len(classes))
	}
	return s
}

// rowOf is the row of a function or a method, nil if it has none.
func rowOf(path, name string) *intrinsics.Row {
	typ, method, ok := strings.Cut(name, ".")
	if !ok {
		return intrinsics.Lookup(path + "." + name)
	}
	for _, form := range []string{"(%s.%s).%s", "(*%s.%s).%s", "(%s.%s[T]).%s", "(*%s.%s[T]).%s"} {
		if r := intrinsics.Lookup(fmt.Sprintf(form, path, typ, method)); r != nil {
			return r
		}
	}
	return nil
}

// of counts a function's states and is its cell: "all", or which machines refuse it and why.
func (s *states) of(path string, w *word) string {
	row, ran := rowOf(path, w.name), s.ran(w.cases)
	refuse, part := map[int][]string{}, "" // by number of the reason
	for i, c := range classes {
		names, why := s.lacking(i, row, w)
		state := works
		switch {
		case why != 0 && (c.archs == nil || len(names) == len(s.machines[i])):
			state, names = refused, []string{c.title}
		case why != 0:
			state = someOf
		case c.title == "NVIDIA" && ran < len(w.cases):
			state, part = partly, fmt.Sprintf("; on NVIDIA %d of %d cases have run", ran, len(w.cases))
		}
		s.count[state][i]++
		if why != 0 {
			refuse[why] = append(refuse[why], names...)
		}
	}
	var not []string
	for _, why := range slices.Sorted(maps.Keys(refuse)) {
		not = append(not, fmt.Sprintf("%s (%d)", strings.Join(refuse[why], ", "), why))
	}
	if not == nil {
		return "all" + part
	}
	return "all but " + strings.Join(not, ", ") + part
}

// lacking are the machines of a class that refuse a function, and the number of the reason, 0
// where none does.
func (s *states) lacking(class int, row *intrinsics.Row, w *word) (names []string, why int) {
	if classes[class].archs == nil && w.refuses {
		return nil, s.reason("")
	}
	if row == nil || row.Needs == nil {
		return nil, 0
	}
	for _, m := range s.machines[class] {
		if needs := row.Needs(m); needs != "" {
			names, why = append(names, m.CPU), s.reason(needs)
		}
	}
	return names, why
}

// ran is how many of the cases have run on an H200.
func (s *states) ran(cases []string) (n int) {
	for _, name := range cases {
		if s.onH200[name] {
			n++
		}
	}
	return n
}

// reason is the number of what a function needs of a machine; "" is the simulator's refusal.
func (s *states) reason(needs string) int {
	text := "The function needs " + needs + ". For a machine without it the compiler refuses the kernel, with an error at the line of the call, unless a branch on `dsl.Arch` guards the call."
	if needs == "" {
		text = "The simulator has no instructions of a GPU. The call panics, unless a branch on `dsl.Arch` guards it."
	}
	i := slices.Index(s.reasons, text)
	if i < 0 {
		i, s.reasons = len(s.reasons), append(s.reasons, text)
	}
	return i + 1
}

// summary is the table of counts.
func (s *states) summary() string {
	var b strings.Builder
	b.WriteString("\n## How many functions work where\n\n| |")
	for _, c := range classes {
		fmt.Fprintf(&b, " %s |", c.title)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(classes)) + "\n")
	for _, state := range allStates {
		fmt.Fprintf(&b, "| %s |", state)
		for _, n := range s.count[state] {
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteString("\n")
	}
	b.WriteString("| where the cases run |")
	for _, c := range classes {
		fmt.Fprintf(&b, " %s |", c.where())
	}
	b.WriteString("\n| machines |")
	for _, all := range s.machines {
		var names []string
		for _, m := range all {
			names = append(names, m.CPU)
		}
		if names == nil {
			names = []string{"any"}
		}
		fmt.Fprintf(&b, " %s |", strings.Join(names, ", "))
	}
	b.WriteString("\n\nThe suite is compiled for all of these machines. No AMD GPU has run it yet.\n")
	return b.String()
}

// notes are the numbered reasons.
func (s *states) notes() string {
	var b strings.Builder
	b.WriteString("\n## Why a device refuses a function\n\n")
	for i, text := range s.reasons {
		fmt.Fprintf(&b, "%d. %s\n", i+1, text)
	}
	return b.String()
}

// omitted are the parts of cases that devices leave out.
func omitted() string {
	var b strings.Builder
	b.WriteString("\n## What a device leaves out of a case\n\n| case | device | what and why |\n| --- | --- | --- |\n")
	for _, o := range omissions {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", o.name, o.kind, o.why)
	}
	return b.String()
}

// TestOmissions: the list names cases and devices that there are.
func TestOmissions(t *testing.T) {
	for _, o := range omissions {
		if !slices.ContainsFunc(Cases(), func(c Case) bool { return c.Name == o.name }) {
			t.Errorf("there is no case %s", o.name)
		}
		if !slices.ContainsFunc(Devices, func(d string) bool { kind, _, _ := strings.Cut(d, ":"); return kind == o.kind }) {
			t.Errorf("%s is no kind of device", o.kind)
		}
	}
}
