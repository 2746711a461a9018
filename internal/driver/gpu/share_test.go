package gpu

import (
	"encoding/binary"
	"runtime"
	"testing"

	"heddle/internal/driver"
)

// The handle lies where a C function looks for a struct of 64 bytes that is passed by value.
func TestOpenSharedArgs(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS == "windows" {
		t.Skip("it is behind a pointer here")
	}
	var h driver.SharedHandle
	for i := range h {
		h[i] = byte(i + 1)
	}
	args := openSharedArgs(new(uintptr), &h, 1)
	if len(args) != 14 || args[1] != 1 {
		t.Fatal(args)
	}
	for i, w := range args[6:] {
		if uint64(w) != binary.LittleEndian.Uint64(h[8*i:]) {
			t.Errorf("word %d is %x", i, w)
		}
	}
}
