package everywhere

import (
	"io"
	"strings"
	"testing"

	"heddle/launch"
)

// one is the emulated GPU that stands for all of them.
const one = "emu:gfx1100"

// Sample is Run on the simulator, the processor, one emulated GPU and the machine's GPUs.
func Sample(t *testing.T, run func(w io.Writer, device string) error) {
	want := output(t, run, "sim")
	for _, d := range launch.Devices() {
		kind, _, _ := strings.Cut(d.Name, ":")
		if kind == "sim" || kind == "emu" && d.Name != one || d.Name == "cpu:64" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			if got := output(t, run, d.Name); got != want {
				t.Errorf("%s prints\n%s\nand sim prints\n%s", d.Name, got, want)
			}
		})
	}
}
