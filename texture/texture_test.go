package texture

import (
	"testing"
	"unsafe"
)

// The compiler's code knows where these lie (internal/target/nvimage.go and amdimage.go).
func TestOffsets(t *testing.T) {
	var d Desc
	got := [...]uintptr{unsafe.Offsetof(d.Image), unsafe.Offsetof(d.Surface), unsafe.Offsetof(d.Slices), unsafe.Offsetof(d.Bias),
		unsafe.Offsetof(d.Refused), unsafe.Offsetof(d.Resource), unsafe.Offsetof(d.Sampler)}
	if want := [...]uintptr{0, 8, 36, 84, 88, 480, 512}; got != want {
		t.Errorf("offsets %v, want %v", got, want)
	}
}
