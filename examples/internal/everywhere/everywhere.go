// Package everywhere runs an example on every device of the machine.
package everywhere

import (
	"bytes"
	"io"
	"testing"

	"heddle/launch"
	_ "heddle/launch/emu"
)

// Run runs an example on each device and requires that all of them print what
// the first simulated one prints. The example's Example function says what
// that is; it runs on the best device.
func Run(t *testing.T, run func(w io.Writer, device string) error) {
	want := output(t, run, "sim")
	for _, d := range launch.Devices() {
		t.Run(d.Name, func(t *testing.T) {
			if got := output(t, run, d.Name); got != want {
				t.Errorf("%s prints\n%s\nand sim prints\n%s", d.Name, got, want)
			}
		})
	}
}

func output(t *testing.T, run func(w io.Writer, device string) error, device string) string {
	t.Helper()
	var b bytes.Buffer
	if err := run(&b, device); err != nil {
		t.Fatalf("%s: %v", device, err)
	}
	return b.String()
}
