package conformance

import "math"

// Comparisons of floats whose sign is known, with constants that decide them
// except for NaN: compilers conclude too much.

type signOut struct {
	Below, Zero, Above [3][6]bool // |x|, -|x| and a choice of them, with -1, 0 and 1
	Fit                int64
	Branch             [4]int32
}

type signOps[T float] struct{}

// ordered are the results of all comparisons.
func ordered[T float](x, y T) [6]bool {
	return [6]bool{x < y, x <= y, x > y, x >= y, x == y, x != y}
}

func (signOps[T]) Do(x T, out *signOut) {
	abs := T(math.Abs(float64(x)))
	some := abs
	if x > 2 {
		some = 3
	}
	for i, v := range [3]T{abs, -abs, some} {
		out.Below[i] = ordered(v, -1)
		out.Zero[i] = ordered(v, 0)
		out.Above[i] = ordered(v, 1)
	}
	fit := abs
	if !(fit > -100) {
		fit = -100
	} else if fit > 1000 {
		fit = 1000
	}
	out.Fit = int64(fit)
	if abs >= 0 {
		out.Branch[0]++
	}
	if -abs < 5 {
		out.Branch[1]++
	}
	if !(-1 < abs) {
		out.Branch[2]++
	}
	for c := T(-3); c < abs; c++ {
		if out.Branch[3]++; out.Branch[3] > 9 {
			break
		}
	}
}

// zeroOps begin with zeros, of which the sign is seen at the end.
type zeroOps[T float] struct{}

func (zeroOps[T]) Do(in pair[T], out *[5]T) {
	x, y := in.X, in.Y
	var a [2]T
	for i := range 3 {
		out[i] = a[0]
		a[0] -= x
		a[1] += -x
	}
	out[0] = a[0]
	out[3] = a[1] - y
	out[4] = (0 - T(x*y)) * y
}

// chosenOps are absolute values and signs of constants that are chosen, zeros among them.
type chosenOps[T float] struct{}

func (chosenOps[T]) Do(in pair[T], out *[5]T) {
	x, y := in.X, in.Y
	below, above := T(0), T(math.Copysign(0, -1))
	if x > 2 {
		below, above = -0.5, 0.5
	}
	out[0] = T(math.Copysign(float64(below), float64(y)))
	out[1] = T(math.Copysign(float64(above), float64(y)))
	out[2] = y * T(math.Copysign(float64(below), float64(x)))
	if y > 0 {
		below = -2
	}
	out[3] = T(-math.Abs(float64(below)))
	out[4] = T(math.Abs(float64(above))) * y
}

func signCases() []Case {
	row := "comparisons of absolute values"
	return []Case{
		onEach("float/sign/float32", row, each[signOps[float32]], floats[float32]()),
		onEach("float/zero/float32", row, each[zeroOps[float32]], pairs(floats[float32]())),
		onEach("float/zero/float64", row, each[zeroOps[float64]], pairs(floats[float64]())),
		onEach("float/chosen/float32", row, each[chosenOps[float32]], pairs(floats[float32]())),
		onEach("float/chosen/float64", row, each[chosenOps[float64]], pairs(floats[float64]())),
		onEach("float/sign/float64", row, each[signOps[float64]], floats[float64]()),
	}
}
