package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 256 bodies, 4 steps: each within 0.00001 of where the host has it
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
