package emu_test

import (
	"fmt"

	"heddle/launch"
	_ "heddle/launch/emu"
)

// The import makes emulated GPUs a kind of device. Where they cannot be used, for want
// of libLLVM, the probe says why.
func Example() {
	for _, p := range launch.Probes() {
		if p.Kind == "emu" {
			fmt.Println(p.Kind, len(p.Devices) > 0 || p.Problem != "")
		}
	}
	// Output: emu true
}
