package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// Scale: [1.5 3 4.5]
	// SumAtomic: 299995
	// SumShared: 299995
	// SumWarps: 299995
	// SumStride: 299995
	// Reduce: 299995
	// Reduce with Max: 6
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
