package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 70x52 times 52x90: the first row begins [70 70 14 -49 -70]
	// 0 of 6300 are wrong
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
