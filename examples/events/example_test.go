package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	//  10 times: more than no time: true
	// 100 times: more than no time: true
	// done: true
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
