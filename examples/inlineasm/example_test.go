package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 1000 choices, the last 0x212ea2d8
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
