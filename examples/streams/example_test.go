package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 27 takes 111 steps, the longest sequence below 20001 takes 278
	// the events' time is positive: true
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
