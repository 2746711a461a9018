package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// the 4 nearest of 6000 points to {57466 7800}:
	// point 2828 at {57696 7527}
	// point 2263 at {58409 8796}
	// point 5560 at {58332 9525}
	// point 1422 at {58907 9268}
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
