package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 320x240, 17413 pixels in the set, sha256 22031f5a6cf442fd
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
