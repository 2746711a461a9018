package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 64 x 48 pixels, as on the host
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
