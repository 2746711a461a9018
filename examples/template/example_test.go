package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// sum of int32:   499500
	// sum of float32: 124875
	// largest:        999
	// common divisor: 84
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
