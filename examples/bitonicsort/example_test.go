package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 4096 numbers, the first [0 0.125 0.25 0.375] and the last [511.75 511.875]
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
