package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	//     1 numbers: the last is 0
	//  1000 numbers: the last is 1996
	// 70001 numbers: the last is 139988
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
