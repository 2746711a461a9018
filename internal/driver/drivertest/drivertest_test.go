package drivertest

import (
	"testing"

	"heddle/internal/driver/sim"
)

func TestSimVendor(t *testing.T) { Vendor(t, sim.New()) }

// The simulator passes what needs no kernels, so the tests themselves work.
func TestSim(t *testing.T) {
	for _, warp := range []string{"32", "64"} {
		t.Run(warp, func(t *testing.T) {
			d, err := sim.New().Open(warp)
			if err != nil {
				t.Fatal(err)
			}
			Run(t, d, false)
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
