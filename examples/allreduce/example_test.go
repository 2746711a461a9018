package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// y = 2.00 -1.00 a +0.52 b, mean square error 0.0039
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
