package closures

import (
	"testing"

	"heddle/internal/tests/fuzz/closures/run"
	"heddle/launch"
)

// maxRefused is how many of a hundred closures heddle may refuse, for a
// documented reason.
const maxRefused = 2

// TestKernels compares all kernels with plain calls.
func TestKernels(t *testing.T) {
	var devices []*launch.Device
	for _, name := range []string{"sim", "cpu", "cuda:0", "hip:0"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		devices = append(devices, dev)
		t.Cleanup(func() {
			if err := dev.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	c := run.NewChecker(1, devices...)
	fixed(c)
	for _, f := range c.Refused {
		t.Errorf("refused: %v", f)
	}
	Kernels(c)
	t.Logf("%d kernels, %d launches, %d refused", c.Kernels, c.Launches, len(c.Refused))
	for _, f := range c.Refused {
		t.Logf("refused: %v", f)
	}
	for _, f := range c.Failed {
		t.Error(f)
	}
	if 100*len(c.Refused) > maxRefused*c.Kernels {
		t.Errorf("%d of %d kernels are refused", len(c.Refused), c.Kernels)
	}
	if c.Kernels < 40 || c.Launches < c.Kernels*len(devices) {
		t.Errorf("only %d kernels, %d launches", c.Kernels, c.Launches)
	}
}
