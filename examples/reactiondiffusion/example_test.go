package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// after 8 steps there is 115.48 of the second substance, as on the host
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
