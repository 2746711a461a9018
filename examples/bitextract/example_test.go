package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 10000 fields, of 0xdaa66d13 it is 0xd
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
