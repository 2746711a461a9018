package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// [16 20 24 28]
	// [17 21 25 29]
	// [18 22 26 30]
	// [19 23 27 31]
	// sums over warps are right
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
