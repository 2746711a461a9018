package conformance

import (
	"slices"
	"strings"
)

// An omission is a part of a case that a kind of device leaves out. Run holds the cases to
// this list, in both directions, and docs/language.md shows it.
type omission struct {
	name, kind string // the case's name, and the kind of device: "sim"
	why        string
}

var omissions = []omission{
	{"cg/multigrid", "sim", "a group of one grid only: the simulator runs one launch at a time"},
	{"loop/together", "sim", "no votes in the branches of a loop: lanes that skip one go ahead to the next iteration's, where a GPU makes them wait (HIP promises neither)"},
	{"option/directives", "sim", "no launch bounds: the simulator has no compiler to read directives"},
	{"panic/append", "sim", "no panic past the capacity: the simulator runs on Go's heap, where append grows"},
}

// omits reports whether the device leaves out a part of the case. A case asks where that part
// begins.
func (t *T) omits() bool {
	kind, _, _ := strings.Cut(t.Dev.Name(), ":")
	listed := slices.ContainsFunc(omissions, func(o omission) bool { return o.name == t.name && o.kind == kind })
	t.omitted = t.omitted || listed
	return listed
}

// checkOmissions reports what the list says of the case on this device and the case has not
// asked for.
func (t *T) checkOmissions() {
	if asked := t.omitted; !asked && t.omits() {
		t.Errorf("omissions has a line for %s on %s, and the case left nothing out", t.name, t.Dev.Name())
	}
}
