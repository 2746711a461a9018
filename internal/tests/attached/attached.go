// Package attached says which devices a test finds.
package attached

import (
	"fmt"
	"slices"
	"strings"

	"heddle/launch"
)

// Missing says why a device cannot be opened here, "" if it should.
func Missing(name string) string {
	kind, _, _ := strings.Cut(name, ":")
	for _, p := range launch.Probes() {
		if p.Kind != kind {
			continue
		}
		if p.Problem != "" {
			return p.Problem
		}
		if len(p.Devices) == 0 {
			return "no device"
		}
		if kind == "emu" && !slices.ContainsFunc(p.Devices, func(i launch.DeviceInfo) bool { return i.Name == name }) {
			return "libLLVM is too old for this processor"
		}
		return ""
	}
	return fmt.Sprintf("package launch has no kind %q", kind)
}
