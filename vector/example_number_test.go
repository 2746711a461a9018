package vector_test

import (
	"fmt"

	"heddle/vector"
)

// A BFloat16 has the range of a float32 and 8 bits of precision.
func ExampleBFloat16() {
	for _, x := range []float32{1.0 / 3, 3e38} {
		fmt.Println(vector.MakeBFloat16(x).Float32(), vector.MakeHalf(x).Float32())
	}
	// Output:
	// 0.33398438 0.33325195
	// 3.0040553e+38 +Inf
}

// A number between two of 16 bits is rounded to the nearest, down, up or toward zero.
func ExampleMakeHalfRd() {
	const x = -1.0 / 3
	fmt.Printf("%.6f\n", vector.MakeHalf(x).Float32())
	fmt.Printf("%.6f %.6f %.6f\n", vector.MakeHalfRd(x).Float32(), vector.MakeHalfRu(x).Float32(), vector.MakeHalfRz(x).Float32())
	// Output:
	// -0.333252
	// -0.333496 -0.333252 -0.333252
}

// Two numbers of 16 bits in a register, with the arithmetic of both at once.
func ExampleHalf2() {
	a := vector.Half2Of(vector.MakeFloat2(1.5, -2))
	b := vector.MakeHalf2(vector.MakeHalf(2), vector.MakeHalf(0.25))
	fmt.Println(a.Fma(b, a).Float2(), a.Max(b).Float2(), a.Less(b))
	// Output: {4.5 -2.5} {2 0.25} [true true]
}

// Numbers of 8 bits: the format E4M3 is finer, E5M2 has more range.
func ExampleFP8E4M3() {
	for _, x := range []float32{0.3, 448, 5000} {
		fmt.Println(vector.MakeFP8E4M3(x).Float32(), vector.MakeFP8E5M2(x).Float32())
	}
	// Output:
	// 0.3125 0.3125
	// 448 448
	// 448 5120
}
