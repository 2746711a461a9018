package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 1600 rows with 7840 elements: the result begins [-23 -13 -12 -11 -10 -9]
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
