package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// from 3 to 50 it is 135, by [29 18 6]
	// the farthest two that are connected: 174
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
