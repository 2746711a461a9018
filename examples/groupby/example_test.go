package main

import (
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 5000 orders of 40 customers
	// customer 0: 241 orders, sum 24709.62, mean 102.53, most items 12, largest order 200.09
	// customer 4: 222 orders, sum 23917.06, mean 107.73, most items 12, largest order 197.33
	// customer 3: 221 orders, sum 23026.65, mean 104.19, most items 12, largest order 200.99
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }
