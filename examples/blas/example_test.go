package main

import (
	"bytes"
	"strings"
	"testing"

	"heddle/examples/internal/everywhere"
	"heddle/launch"
)

func Example() {
	main()
	// Output:
	// 48 x 32 numbers, their sum is 30142
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }

// A device says what multiplies: on the host it is a kernel.
func TestNote(t *testing.T) {
	var by, out bytes.Buffer
	old := note
	defer func() { note = old }()
	note = &by
	if err := run(&out, "sim"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(by.String(), "sim multiplies by a kernel of our own (launch: Device.Native on sim") {
		t.Error(by.String())
	}
	for _, i := range launch.Devices() {
		by.Reset()
		if !strings.HasPrefix(i.Name, "cuda") {
			continue
		}
		if err := run(&out, i.Name); err != nil {
			t.Fatal(err)
		}
		t.Log(by.String())
	}
}
