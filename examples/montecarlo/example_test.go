package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 321428 of 409600 points: pi is about 3.1389
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
