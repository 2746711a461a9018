package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// tiles of  4 x  4:   80 bytes of shared memory, right
	// tiles of  8 x  8:  288 bytes of shared memory, right
	// tiles of 16 x 16: 1088 bytes of shared memory, right
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
