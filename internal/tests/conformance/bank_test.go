package conformance

import (
	"bytes"
	"strings"
	"testing"

	"heddle/kernel"
)

var filling = [16200]float32{16199: 1} // 64,800 bytes: there is no room for the bank in the 64 KB

// besideTable reads a constant and a table that leaves no room for it in the bank.
func besideTable(n int, out []float32) { out[0] = filling[n] + float32(steps.Ptr()[0]) }

func powers(of []int64, n int) (sum int64) {
	for k := range n {
		sum = 3*sum + of[k]
	}
	return sum
}

// passedSteps passes a constant to a helper as a slice.
func passedSteps(n int, out []int64) { out[0] = powers(steps.Ptr()[:], n) }

// Constants that threads read together are read from NVIDIA's bank of constants; others would be
// read there one address after the other.
func TestBankOfConstants(t *testing.T) {
	for _, c := range []struct {
		k    *kernel.Kernel
		arch string
		want bool
	}{
		{kernel.New(stepped), "sm_90", true},
		{kernel.New(lastStep), "sm_90", true},
		{kernel.New(passedSteps), "sm_90", true},
		{kernel.New(weigh), "sm_90", false}, // an index is a thread's
		{kernel.New(besideTable), "sm_90", false},
		{kernel.New(stepped), "gfx942", false},
	} {
		var b bytes.Buffer
		if err := c.k.Dump(&b, c.arch, 0, kernel.Asm); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "heddle_bank"); got != c.want {
			t.Errorf("%s, %s: in the bank: %t, want %t", c.k.Name(), c.arch, got, c.want)
		}
	}
}
