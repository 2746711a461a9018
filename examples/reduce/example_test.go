package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:

}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
