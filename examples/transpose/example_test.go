package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 200 by 123: the second row begins [1 201 401 601]
	// 0 of 24600 are wrong
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
