package dsl_test

import (
	"fmt"
	"math"

	"heddle/dsl"
)

// The mathematical functions work on the host, too. Fma rounds once: it shows what a product has
// lost.
func ExampleFma() {
	x := float32(1 + 1.0/4096)
	product := x * x
	fmt.Println(dsl.Fma(x, x, -product))
	// Output: 5.9604645e-08
}

// Multiples of a half turn are exact.
func ExampleSinpi() {
	fmt.Println(dsl.Sinpi(1.0), dsl.Sinpi(0.5), dsl.Cospi(1.5))
	fmt.Println(dsl.Sin(math.Pi) == 0)
	// Output:
	// 0 1 0
	// false
}

// A length whose square no float32 holds.
func ExampleHypot() {
	x, y := float32(3e30), float32(4e30)
	fmt.Println(dsl.Hypot(x, y), dsl.Sqrt(x*x+y*y))
	// Output: 5e+30 +Inf
}

// A number is split into a fraction and a power of two, and made of them again.
func ExampleFrexp() {
	frac, exp := dsl.Frexp(float32(12))
	fmt.Println(frac, exp, dsl.Ldexp(frac, exp))
	// Output: 0.75 4 12
}

// Where erfc is too small for a float64, erfcx, scaled by exp(x*x), is not.
func ExampleErfcx() {
	fmt.Printf("%g %.6f\n", dsl.Erfc(30.0), dsl.Erfcx(30.0))
	// Output: 0 0.018796
}

// The float beside a number.
func ExampleNextafter() {
	fmt.Println(dsl.Nextafter(float32(1), 2), dsl.Nextafter(float32(1), 0))
	// Output: 1.0000001 0.99999994
}
