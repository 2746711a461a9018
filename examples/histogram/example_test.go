package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 'e'  3500
	// 'h'  2500
	// 'z'     0
	// ' '  4000
	// as counted on the host: true
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
