package kernel_test

import (
	"slices"
	"testing"

	"heddle/kernel"
	"heddle/launch"
)

// TestForms counts the forms that have code after launches of which the condition of a kernel's code holds, and after others: no code
// that no launch runs, but that of Compile.
func TestForms(t *testing.T) {
	t.Setenv("HEDDLE_CACHE", "off") // or the record of another process is what is first
	const fits, not = 5, 0          // a divisor
	dev, err := launch.Open("emu:gfx942")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { must(t, dev.Close()) })
	if err := kernel.New(within).Compile(dev); err != nil {
		t.Skip(err)
	}
	in := uploaded(t, dev, squares(8)...)
	for _, c := range []struct {
		about           string
		ahead, together bool
		n               []int
		want            int
	}{
		{"one that fits", false, false, []int{fits, fits}, 1},
		{"one that does not", false, false, []int{not, not}, 1},
		{"first one that does not", false, false, []int{not, fits, not, fits}, 2},
		{"first one that fits", false, false, []int{fits, not, fits, not}, 2},
		{"none", true, false, nil, 1},
		{"one that does not, after Compile", true, false, []int{not}, 2},
		{"cooperative", false, true, []int{not, fits}, 2},
	} {
		kernel.Forget()
		k := kernel.New(within)
		if c.ahead {
			must(t, k.Compile(dev))
		}
		for _, n := range c.n {
			out := uploaded(t, dev, make([]int32, 4)...)
			cfg := launch.Linear(32, 32)
			cfg.Cooperative = c.together
			must(t, k.Launch(dev.Stream(), cfg, n, 1, in, out))
			must(t, dev.Stream().Sync())
		}
		if got := k.Forms(); got != c.want {
			t.Errorf("%s: %d forms have code, want %d", c.about, got, c.want)
		}
		for _, again := range []*kernel.Kernel{k, kernel.New(within)} { // the code is there where another launch begins, if there is any that fits
			out := uploaded(t, dev, make([]int32, 4)...)
			must(t, again.Launch(dev.Stream(), launch.Linear(32, 32), not, 1, in, out))
			must(t, dev.Stream().Sync())
			if want := !c.ahead && !slices.Contains(c.n, fits); again.Pending() != want {
				t.Errorf("%s: a launch begins with a form without code: %v", c.about, !want)
			}
		}
	}
}
