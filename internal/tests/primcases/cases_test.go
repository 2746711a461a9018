package primcases

import (
	"slices"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// TestCases runs each case on sim and cpu, against plain Go.
func TestCases(t *testing.T) {
	for _, name := range []string{"sim", "cpu"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		defer dev.Close()
		for _, c := range slices.Concat(Cases, Others) {
			r, err := c.Setup(dev, 3001)
			if err != nil {
				t.Fatalf("%s of %s: %v", c.Name, name, err)
			}
			if took, err := r.Time(1, prim.Options{}); err != nil || took <= 0 {
				t.Errorf("%s on %s: %v, %v", c.Name, name, took, err)
			}
			if r.Check != nil {
				if err := r.Check(); err != nil {
					t.Errorf("%s on %s: %v", c.Name, name, err)
				}
			}
			if r.Sum != nil && r.Want != nil {
				if got, err := r.Once(prim.Options{}); err != nil || got != r.Want() {
					t.Errorf("%s on %s is wrong (%v)", c.Name, name, err)
				}
			} else if c.Entry != "" {
				t.Errorf("%s cannot be checked, and stands for %s", c.Name, c.Entry)
			}
			r.Close()
		}
	}
}
