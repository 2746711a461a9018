package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// times 10: [100 210 120 230 140 250 160 270]
	// times -1: [100 199 98 197 96 195 94 193]
	// squares:  [0 1 4 9 16 25 36 49]
	// modulo 3: [0 1 2 0 1 2 0 1]
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
