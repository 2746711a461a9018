package conformance

import (
	"flag"
	"slices"
	"testing"

	"heddle/internal/target"
)

// This file says what a run without -full leaves out, and what stands for it. make
// test-all leaves out nothing.

var full = flag.Bool("full", false, "every machine, device and level of optimisation, not one of each family")

// A family is a machine that stands for others.
type family struct {
	arch   string
	warp   int
	others []string // besides its own other number of lanes
	why    string
}

// families are what TestCodegen is of without -full.
var families = []family{
	{"gfx90a", 64, []string{"gfx803", "gfx900", "gfx906", "gfx908"}, "GCN and CDNA to 2: private memory by buffer instructions; it has accumulation registers besides"},
	{"gfx942", 64, []string{"gfx950"}, "CDNA 3 and 4: private memory by scratch instructions, other bits of coherence"},
	{"gfx1030", 32, nil, "RDNA 2: the first with waves of 32, whose masks are one register"},
	{"gfx1100", 64, nil, "RDNA 3: packed work items, instructions in pairs; waves of 64 are the mode in which RDNA's code differs most"},
	{"gfx1201", 32, []string{"gfx1200"}, "RDNA 4: split barriers and counters, scopes in place of bits"},
	{"sm_90", 32, []string{"sm_70", "sm_75", "sm_80", "sm_86", "sm_89"}, "PTX: text of one form, with all that any of the others has"},
}

// levels are what TestLevels runs; the first stands for the others: without
// optimisation most instructions are others than at O3, and no other test without
// -full is of this device.
var levels = []struct{ level, device string }{
	{"O0", "emu:gfx1201:64"},
	{"O0", "emu:gfx90a"}, {"O0", "emu:gfx942"}, {"O0", "emu:gfx1201"}, {"O1", "emu:gfx1030:64"}, {"O2", "emu:gfx1100"},
}

// fullDevices are the emulated processors that TestConformance leaves out without
// -full: each is one of families with the other number of lanes.
var fullDevices = []string{"emu:gfx1030:64", "emu:gfx1100", "emu:gfx1201:64"}

// everyMachine says that goldens are compared, or written, whole.
func everyMachine() bool { return *full || *update }

// representatives are the cases to run where a machine's own part is small: the first
// of each row of the feature list, or with -full all.
func representatives(cases []Case) []Case {
	if *full {
		return cases
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool {
		old := seen[c.Row]
		seen[c.Row] = true
		return old
	})
}

// Every machine has one in families that stands for it, and only one.
func TestFamilies(t *testing.T) {
	count := map[string]int{}
	for _, f := range families {
		if _, err := target.For(f.arch, f.warp); err != nil {
			t.Error(err)
		}
		for _, arch := range append(slices.Clone(f.others), f.arch) {
			count[arch]++
		}
	}
	for _, arch := range target.Archs {
		if count[arch] != 1 {
			t.Errorf("%s is in %d families", arch, count[arch])
		}
		delete(count, arch)
	}
	for arch := range count {
		t.Errorf("%s is in families and not in target.Archs", arch)
	}
	for _, name := range fullDevices {
		if !slices.Contains(Devices, name) {
			t.Errorf("%s is not among Devices", name)
		}
	}
	if n := len(representatives(Cases())); n < 20 {
		t.Errorf("%d cases stand for all", n)
	}
}
