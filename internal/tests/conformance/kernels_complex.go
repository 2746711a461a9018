package conformance

import "math"

// Complex numbers and bools.

type complexOut[T complex64 | complex128] struct {
	Add, Sub, Mul, Quo, Neg, Self T
	Eq, Ne                        bool
}

type complexOps[T complex64 | complex128] struct{}

func (complexOps[T]) Do(in pair[T], out *complexOut[T]) {
	x, y := in.X, in.Y
	out.Add, out.Sub, out.Mul, out.Quo, out.Neg = x+y, x-y, x*y, x/y, -x
	out.Self = x
	out.Self += y
	out.Self *= 2
	out.Eq, out.Ne = x == y, x != y
}

// unfused is what Do makes where gc fuses nothing. On arm64 it fuses within its
// division, whose intermediate products are not exact.
func (o complexOps[T]) unfused(in pair[T], out *complexOut[T]) {
	o.Do(in, out)
	n, m := complex128(in.X), complex128(in.Y)
	flip := math.Abs(real(m)) < math.Abs(imag(m))
	if flip { // divide both by i
		n, m = complex(imag(n), -real(n)), complex(imag(m), -real(m))
	}
	ratio := imag(m) / real(m)
	denom := real(m) + float64(ratio*imag(m))
	e := (real(n) + float64(imag(n)*ratio)) / denom
	f := (imag(n) - float64(real(n)*ratio)) / denom
	if !math.IsNaN(e) || !math.IsNaN(f) { // else a special case, without rounding
		out.Quo = T(complex(e, f))
	}
}

// parts are for products that float32 holds exactly, so that neither contraction
// nor the width that products are computed in changes anything, and for
// everything that division treats specially.
func parts() []float64 {
	return []float64{0, math.Copysign(0, -1), 1, -1, 2.5, -3, 1.0 / 1024, 1234.5, math.Inf(1), math.Inf(-1), math.NaN()}
}

func complexes[T complex64 | complex128]() []T {
	var xs []T
	for _, re := range parts() {
		for _, im := range parts() {
			xs = append(xs, T(complex(re, im)))
		}
	}
	return xs
}

type complexParts struct{}

type complexPartsOut struct {
	Re, Im   float32
	Norm     float64
	Conj     complex64
	Wide     complex128
	Narrowed complex64
	I        complex128
}

func (complexParts) Do(z complex64, out *complexPartsOut) {
	out.Re, out.Im = real(z), imag(z)
	re, im := float64(real(z)), float64(imag(z))
	out.Norm = re*re + im*im
	out.Conj = complex(real(z), -imag(z))
	out.Wide = complex128(z)
	out.Narrowed = complex64(out.Wide * (1 + 0i))
	out.I = out.Wide * 1i
}

// julia iterates over a complex value that lives in a phi node, for as long
// as its numbers are exact.
type julia struct{}

func (julia) Do(c complex128, n *int) {
	z := c
	for *n = 0; *n < 4 && real(z)*real(z)+imag(z)*imag(z) < 4; *n++ {
		z = z*z + complex(-0.5, 0.25)
	}
}

func complexCases() []Case {
	row := "complex numbers, " + rowFunctions
	var grid []complex128
	for i := range 16 {
		for j := range 16 {
			grid = append(grid, complex(float64(i)/4-2, float64(j)/4-2))
		}
	}
	return []Case{
		onEachWithin("complex/ops/complex64", row, each[complexOps[complex64]], pairs(complexes[complex64]()), exact, complexOps[complex64]{}.unfused),
		onEachWithin("complex/ops/complex128", row, each[complexOps[complex128]], pairs(complexes[complex128]()), exact, complexOps[complex128]{}.unfused),
		onEach("complex/parts", row, each[complexParts], complexes[complex64]()),
		onEach("complex/julia", row, each[julia], grid),
	}
}

type boolOut struct {
	And, Or, Not, Eq, Ne bool
	Count                int
	Array                [3]bool
}

type boolOps struct{}

func (boolOps) Do(in pair[bool], out *boolOut) {
	calls := 0
	yes := func(b bool) bool { calls++; return b }
	out.And = in.X && yes(in.Y)
	out.Or = in.X || yes(in.Y)
	out.Not, out.Eq, out.Ne = !in.X, in.X == in.Y, in.X != in.Y
	out.Count = calls
	out.Array = [3]bool{in.Y, in.X && in.Y, true}
}

func boolCases() []Case {
	return []Case{onEach("bool/ops", "bool, "+rowFunctions, each[boolOps], pairs([]bool{false, true}))}
}
