package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// after 3 steps the centres are [[-2981 -996] [2506 -1996] [-524 2994] [3004 2502]]
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
