package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// around element 1500 the mean is 392.000, the element 368
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
