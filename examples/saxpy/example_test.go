package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// y[0] = 1, y[1] = 3, y[100002] = 200005
	// 0 of 100003 are wrong
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }
