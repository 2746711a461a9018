package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// frequency   0: 0.250
	// frequency  50: 0.500
	// frequency 120: 0.250
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
