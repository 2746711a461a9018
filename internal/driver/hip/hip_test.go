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

// Without a GPU or without the library the answers are a problem and what to
// do about it.
func TestProbe(t *testing.T) {
	p := New().Probe()
	t.Logf("%+v", p)
	if p.Problem == "" && (len(p.Devices) == 0 || p.Library == "" || p.Version == "") {
		t.Error("no problem, but nothing found")
	}
	if (p.Problem == "") != (p.Mend == "") {
		t.Error("a problem without a mend, or the other way round")
	}
	for _, d := range p.Devices {
		if !strings.HasPrefix(d.Arch, "gfx") || d.CodeObject < 4 {
			t.Errorf("%+v", d)
		}
	}
	if p.Library != "" && !strings.HasPrefix(p.Version, "HIP ") {
		t.Errorf("%s has the version %q", p.Library, p.Version)
	}
}

func TestOpenErrors(t *testing.T) {
	for id, want := range map[string]string{"x": `"x"`, "-1": `"-1"`, "99": ""} {
		d, err := New().Open(id)
		if err == nil {
			t.Errorf("Open(%q) = %v", id, d)
		} else if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "hip") {
			t.Errorf("Open(%q): %v", id, err)
		}
	}
}

func TestVersionText(t *testing.T) {
	if got := spec.VersionText(50221153); got != "HIP 5.2.21153" {
		t.Error(got)
	}
}
