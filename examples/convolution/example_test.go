package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// before [0 255 255 255 255 0 0 0 0 255 255 255]
	// after  [109 145 169 169 145 109 85 85 109 145 169 175]
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
