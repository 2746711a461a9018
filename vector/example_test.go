package vector_test

import (
	"fmt"

	"heddle/vector"
)

// Arithmetic works component by component.
func Example() {
	p := vector.MakeFloat4(1, 2, 3, 4)
	fmt.Println(p.Mul(p).Add(vector.Float4{W: 0.5}))
	// Output: {1 4 9 16.5}
}

// A Half keeps a number in 16 bits.
func ExampleHalf() {
	h := vector.MakeHalf(1.0 / 3)
	fmt.Printf("%#04x %.6f\n", h.Bits(), h.Float32())
	// Output: 0x3555 0.333252
}
