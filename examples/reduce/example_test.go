package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// blocks of   64: 14974800, true
	// blocks of  256: 14974800, true
	// blocks of 1024: 14974800, true
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
