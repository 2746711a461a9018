package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// after 300 steps 7426 of 12000 particles are left
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
