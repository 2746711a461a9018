package texture

import (
	"testing"
	"unsafe"
)

// The compiler's code for NVIDIA knows where these lie (internal/target/nvimage.go).
func TestOffsets(t *testing.T) {
	var d Desc
	got := [4]uintptr{unsafe.Offsetof(d.Image), unsafe.Offsetof(d.Surface), unsafe.Offsetof(d.Slices), unsafe.Offsetof(d.Bias)}
	if want := [4]uintptr{0, 8, 36, 84}; got != want {
		t.Errorf("offsets %v, want %v", got, want)
	}
}
