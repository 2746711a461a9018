package primcases

import (
	"flag"
	"slices"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

var full = flag.Bool("full", false, "test all cases on all devices")

// TestCases runs the cases on sim, and some on cpu, against plain Go.
func TestCases(t *testing.T) {
	for _, d := range launch.Devices() {
		if !*full && d.Name != "sim" && d.Name != "cpu" {
			continue
		}
		dev, err := launch.Open(d.Name)
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		defer dev.Close()
		for _, c := range slices.Concat(Cases, Others) {
			few := []string{"scan-i32", "runs-i32", "merge-sort-i32"} // of others the kernels take long to compile
			if *full || d.Name == "sim" || slices.Contains(few, c.Name) {
				t.Run(d.Name+"/"+c.Name, func(t *testing.T) { testCase(t, dev, c) })
			}
		}
	}
}

func testCase(t *testing.T, dev *launch.Device, c Case) {
	r, err := c.Setup(dev, 3001)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if took, err := r.Time(1, prim.Options{}); err != nil || took <= 0 {
		t.Fatalf("%v, %v", took, err)
	}
	if r.Check != nil {
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	switch {
	case r.Sum != nil:
		if got, err := r.Once(prim.Options{}); err != nil || got != r.Want() {
			t.Errorf("the result is wrong (%v)", err)
		}
	case c.Entry != "":
		t.Errorf("the result cannot be checked, and the case stands for %s", c.Entry)
	}
}
