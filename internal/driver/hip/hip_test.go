package hip

import (
	"strings"
	"testing"

	"heddle/internal/driver/drivertest"
)

// The kernels of drivertest are PTX; what needs none is tested here.
func TestDevice(t *testing.T) {
	d, err := New().Open("")
	if err != nil {
		t.Skip(err)
	}
	drivertest.Run(t, d, false)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestVendor(t *testing.T) {
	drivertest.Vendor(t, New())
	p := New().Probe()
	for _, d := range p.Devices {
		if !strings.HasPrefix(d.Arch, "gfx") || d.CodeObject < 4 {
			t.Errorf("%+v", d)
		}
	}
	if p.Library != "" && !strings.HasPrefix(p.Version, "HIP ") {
		t.Errorf("%s has the version %q", p.Library, p.Version)
	}
}

func TestVersionText(t *testing.T) {
	if got := spec.VersionText(50221153); got != "HIP 5.2.21153" {
		t.Error(got)
	}
}
