package launch_test

import (
	"testing"

	"heddle/launch"
)

// TestKeptView looks at views that a Buffer keeps.
func TestKeptView(t *testing.T) {
	dev, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	b, err := launch.Upload(dev, []uint32{1, 2, 3, 4, 5, 6, 7})
	if err != nil {
		t.Fatal(err)
	}
	v, err := launch.KeptView[[2]uint32](b)
	if err != nil {
		t.Fatal(err)
	}
	if v.Len() != 3 || v.Pointer() != b.Pointer() {
		t.Errorf("%d elements at %v, want 3 at %v", v.Len(), v.Pointer(), b.Pointer())
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	got := make([][2]uint32, 3)
	if err := v.Download(got); err != nil || got[2] != [2]uint32{5, 6} {
		t.Errorf("once Close was called: %v, %v", got, err)
	}
	if again, err := launch.KeptView[[2]uint32](b); err != nil || again != v {
		t.Errorf("again: %p, %v, want %p", again, err, v)
	}
	if n := testing.AllocsPerRun(10, func() {
		if _, err := launch.KeptView[[2]uint32](b); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if bits, err := launch.KeptView[uint64](b); err != nil || bits.Len() != 3 {
		t.Errorf("as uint64: %v", err)
	}
	if v, err := launch.KeptView[[2]uint32](b); err != nil || v.Len() != 3 {
		t.Errorf("as pairs again: %v", err)
	}
	if _, err := launch.KeptView[bool](b); err == nil {
		t.Error("as bools: no error")
	}
	if _, err := launch.KeptView[uint32]((*launch.Buffer[uint8])(nil)); err == nil {
		t.Error("of nil: no error")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := launch.KeptView[[2]uint32](b); err == nil {
		t.Error("of a closed Buffer: no error")
	}
	if err := v.Download(got); err == nil {
		t.Error("a view of a closed Buffer: no error")
	}
}
