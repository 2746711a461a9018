package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// host to device    true
	// device to device  true
	// device to host    true
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
