package vet_test

import (
	"fmt"

	"heddle/vet"
)

// The analyzer goes into any multichecker: multichecker.Main(vet.Analyzer).
func Example() {
	fmt.Println(vet.Analyzer.Name)
	// Output: heddle
}
