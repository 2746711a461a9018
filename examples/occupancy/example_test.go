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
		got := b.String()
		if i.Name == "emu:gfx942" && !strings.Contains(got, "blocks of  256:  5 on a unit, 1280 threads,  62%") {
			t.Errorf("%s prints\n%s", i.Name, got)
		}
		if !strings.Contains(got, "best: blocks of ") {
			t.Errorf("%s prints\n%s", i.Name, got)
		}
	}
}
