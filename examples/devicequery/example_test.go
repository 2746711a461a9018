package main

import (
	"strings"
	"testing"

	"heddle/launch"
	_ "heddle/launch/emu"
)

// What it prints depends on the device.
func TestDevices(t *testing.T) {
	for _, i := range launch.Devices() {
		var b strings.Builder
		if err := run(&b, i.Name); err != nil {
			t.Errorf("%s: %v", i.Name, err)
		}
		if got := b.String(); !strings.HasPrefix(got, i.Name+": "+i.Product) || strings.Count(got, "\n") != 14 {
			t.Errorf("%s prints\n%s", i.Name, got)
		}
	}
}
