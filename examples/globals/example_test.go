package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 3 launches, total 39258
	// with other weights 36
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
