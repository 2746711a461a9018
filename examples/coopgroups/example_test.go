package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// the sum of 20000 numbers by 64 tiles: 4076364, true
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
