package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 65536 random points:  pi is 3.1455 +- 0.0064
	// 65536 of Sobol's:     pi is 3.1420 +- 0.0007
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
