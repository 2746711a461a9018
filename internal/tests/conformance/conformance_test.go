package conformance

import (
	"flag"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/tests/attached"
	"heddle/launch"
)

var require = flag.String("require", "", "comma-separated `kinds` of device (cuda, hip) whose absence is a failure")
var only = flag.String("cases", "", "regular `expression` of the cases to compile and run, all if it is empty")

// chosen are the cases that the flag -cases names.
func chosen() []Case {
	names := regexp.MustCompile(*only)
	return slices.DeleteFunc(Cases(), func(c Case) bool { return !names.MatchString(c.Name) })
}

func TestConformance(t *testing.T) {
	cases := chosen()
	for _, name := range Devices {
		t.Run(name, func(t *testing.T) {
			kind, _, _ := strings.Cut(name, ":")
			if why := attached.Missing(name); why != "" {
				for want := range strings.SplitSeq(*require, ",") {
					if want == kind {
						t.Fatalf("%s is required: %s", kind, why)
					}
				}
				t.Skip(why)
			}
			if !*full && slices.Contains(fullDevices, name) {
				t.Skip("with -full only: the processor's other number of lanes stands for it")
			}
			dev, err := launch.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := dev.Close(); err != nil {
					t.Error(err)
				}
			})
			t.Log(dev)
			compileFirst(dev, cases)
			for _, c := range cases {
				Run(t, dev, c)
			}
		})
	}
}

// compileFirst compiles the cases' kernels on all processors; they run one after
// the other. What goes wrong comes again when they do.
func compileFirst(dev *launch.Device, cases []Case) {
	var all []job
	for _, c := range cases {
		for _, k := range c.Kernels {
			all = append(all, job{name: c.Name, k: k})
		}
	}
	onAll(all, func(_ int, j job) { _ = j.k.Compile(dev) })
}

// Every case is told apart by its name and says what it covers.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if c.Name == "" || c.Row == "" || len(c.Kernels) == 0 || seen[c.Name] {
			t.Errorf("case %q (row %q) has %d kernels, or its name twice", c.Name, c.Row, len(c.Kernels))
		}
		seen[c.Name] = true
	}
}
