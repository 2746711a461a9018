package dsl

import "math"

// This file has arithmetic in the four rounding modes: to the nearest (Rn), down (Rd), up (Ru)
// and to zero (Rz). Nothing is fused with what is around it, and Options.FastMath changes nothing.

// AddRn returns x + y rounded to the nearest, and is fused with nothing (HIP __fadd_rn, __dadd_rn).
func AddRn[T Float](x, y T) T { return T(x + y) }

// AddRd returns x + y rounded down (HIP __fadd_rd, __dadd_rd).
func AddRd[T Float](x, y T) T { return addMode(x, y, down) }

// AddRu returns x + y rounded up (HIP __fadd_ru, __dadd_ru).
func AddRu[T Float](x, y T) T { return addMode(x, y, up) }

// AddRz returns x + y rounded to zero (HIP __fadd_rz, __dadd_rz).
func AddRz[T Float](x, y T) T { return addMode(x, y, toZero) }

// SubRn returns x - y rounded to the nearest, and is fused with nothing (HIP __fsub_rn, __dsub_rn).
func SubRn[T Float](x, y T) T { return T(x - y) }

// SubRd returns x - y rounded down (HIP __fsub_rd, __dsub_rd).
func SubRd[T Float](x, y T) T { return AddRd(x, -y) }

// SubRu returns x - y rounded up (HIP __fsub_ru, __dsub_ru).
func SubRu[T Float](x, y T) T { return AddRu(x, -y) }

// SubRz returns x - y rounded to zero (HIP __fsub_rz, __dsub_rz).
func SubRz[T Float](x, y T) T { return AddRz(x, -y) }

// MulRn returns x * y rounded to the nearest, and is fused with nothing (HIP __fmul_rn, __dmul_rn).
func MulRn[T Float](x, y T) T { return T(x * y) }

// MulRd returns x * y rounded down (HIP __fmul_rd, __dmul_rd).
func MulRd[T Float](x, y T) T { return mulMode(x, y, down) }

// MulRu returns x * y rounded up (HIP __fmul_ru, __dmul_ru).
func MulRu[T Float](x, y T) T { return mulMode(x, y, up) }

// MulRz returns x * y rounded to zero (HIP __fmul_rz, __dmul_rz).
func MulRz[T Float](x, y T) T { return mulMode(x, y, toZero) }

// DivRn returns x / y rounded to the nearest, with Options.FastMath too (HIP __fdiv_rn, __ddiv_rn).
func DivRn[T Float](x, y T) T { return T(x / y) }

// DivRd returns x / y rounded down (HIP __fdiv_rd, __ddiv_rd).
func DivRd[T Float](x, y T) T { return divMode(x, y, down) }

// DivRu returns x / y rounded up (HIP __fdiv_ru, __ddiv_ru).
func DivRu[T Float](x, y T) T { return divMode(x, y, up) }

// DivRz returns x / y rounded to zero (HIP __fdiv_rz, __ddiv_rz).
func DivRz[T Float](x, y T) T { return divMode(x, y, toZero) }

// RcpRn returns 1 / x rounded to the nearest (HIP __frcp_rn, __drcp_rn).
func RcpRn[T Float](x T) T { return DivRn(1, x) }

// RcpRd returns 1 / x rounded down (HIP __frcp_rd, __drcp_rd).
func RcpRd[T Float](x T) T { return divMode(1, x, down) }

// RcpRu returns 1 / x rounded up (HIP __frcp_ru, __drcp_ru).
func RcpRu[T Float](x T) T { return divMode(1, x, up) }

// RcpRz returns 1 / x rounded to zero (HIP __frcp_rz, __drcp_rz).
func RcpRz[T Float](x T) T { return divMode(1, x, toZero) }

// SqrtRn returns the square root of x rounded to the nearest, NaN below 0, with
// Options.FastMath too (HIP __fsqrt_rn, __dsqrt_rn).
func SqrtRn[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// SqrtRd returns the square root of x rounded down (HIP __fsqrt_rd, __dsqrt_rd).
func SqrtRd[T Float](x T) T { return sqrtMode(x, down) }

// SqrtRu returns the square root of x rounded up (HIP __fsqrt_ru, __dsqrt_ru).
func SqrtRu[T Float](x T) T { return sqrtMode(x, up) }

// SqrtRz returns the square root of x rounded to zero (HIP __fsqrt_rz, __dsqrt_rz).
func SqrtRz[T Float](x T) T { return sqrtMode(x, toZero) }

// FmaRn returns x*y + z rounded once, to the nearest (HIP __fmaf_rn, __fma_rn).
func FmaRn[T Float](x, y, z T) T { return Fma(x, y, z) }

// FmaRd returns x*y + z rounded once, down (HIP __fmaf_rd, __fma_rd).
func FmaRd[T Float](x, y, z T) T { return fmaMode(x, y, z, down) }

// FmaRu returns x*y + z rounded once, up (HIP __fmaf_ru, __fma_ru).
func FmaRu[T Float](x, y, z T) T { return fmaMode(x, y, z, up) }

// FmaRz returns x*y + z rounded once, to zero (HIP __fmaf_rz, __fma_rz).
func FmaRz[T Float](x, y, z T) T { return fmaMode(x, y, z, toZero) }

// RsqrtRn returns 1 divided by the square root of x, rounded once to the nearest (HIP __frsqrt_rn).
func RsqrtRn(x float32) float32 {
	if !(x > 0) || x > math.MaxFloat32 {
		return 1 / float32(math.Sqrt(float64(x)))
	}
	w := float64(x)
	r := float32(DivRn(1, SqrtRn(w)))
	// The middles to r's neighbours, of 25 bits: their squares are exact, and of the sum the sign is.
	bits := math.Float32bits(r)
	above := (float64(r) + float64(math.Float32frombits(bits+1))) / 2
	below := (float64(r) + float64(math.Float32frombits(bits-1))) / 2
	if FmaRn(MulRn(above, above), w, -1) < 0 {
		bits++
	} else if FmaRn(MulRn(below, below), w, -1) > 0 {
		bits--
	}
	return math.Float32frombits(bits)
}

// A rounding is a direction other than to the nearest.
type rounding int

const (
	down rounding = iota
	up
	toZero
)

// single reports whether T is float32.
func single[T Float]() bool { return T(1)+T(0x1p-40) == 1 }

func addMode[T Float](x, y T, mode rounding) T {
	if single[T]() {
		a, b := float64(x), float64(y)
		s, rest := twoSum(a, b)
		return T(narrow(zeroSum(s, a, b, mode), rest, mode))
	}
	a, b := float64(x), float64(y)
	if math.Abs(a) < math.Abs(b) {
		a, b = b, a
	}
	s := AddRn(a, b)
	rest := SubRn(b, SubRn(s, a)) // exact; beyond the largest number -s, which says so
	return T(step(zeroSum(s, a, b, mode), rest, mode))
}

func mulMode[T Float](x, y T, mode rounding) T {
	a, b := float64(x), float64(y)
	if single[T]() {
		return T(narrow(MulRn(a, b), 0, mode)) // exact
	}
	if unscalable(a) || unscalable(b) {
		return T(MulRn(a, b))
	}
	a, i := math.Frexp(a)
	b, j := math.Frexp(b)
	p := MulRn(a, b)
	return T(scaled(p, FmaRn(a, b, -p), i+j, mode))
}

func divMode[T Float](x, y T, mode rounding) T {
	a, b := float64(x), float64(y)
	if single[T]() {
		q := DivRn(a, b)
		return T(narrow(q, Copysign(1, b)*FmaRn(-q, b, a), mode))
	}
	if unscalable(a) || unscalable(b) {
		return T(DivRn(a, b))
	}
	a, i := math.Frexp(a)
	b, j := math.Frexp(b)
	q := DivRn(a, b)
	return T(scaled(q, Copysign(1, b)*FmaRn(-q, b, a), i-j, mode))
}

func sqrtMode[T Float](x T, mode rounding) T {
	a := float64(x)
	if single[T]() {
		q := SqrtRn(a)
		return T(narrow(q, FmaRn(-q, q, a), mode))
	}
	if !(a > 0) || unscalable(a) {
		return T(SqrtRn(a))
	}
	a, i := math.Frexp(a)
	if i&1 != 0 {
		a, i = 2*a, i-1
	}
	q := SqrtRn(a)
	return T(scaled(q, FmaRn(-q, q, a), i/2, mode))
}

func fmaMode[T Float](x, y, z T, mode rounding) T {
	a, b, c := float64(x), float64(y), float64(z)
	if single[T]() {
		p := MulRn(a, b) // exact
		s, rest := twoSum(p, c)
		return T(narrow(zeroSum(s, p, c, mode), rest, mode))
	}
	if unscalable(a) || unscalable(b) || c-c != 0 {
		return T(zeroSum(FmaRn(a, b, c), MulRn(a, b), c, mode))
	}
	a, i := math.Frexp(a)
	b, j := math.Frexp(b)
	k := i + j
	c, n := math.Frexp(c)
	const far = 120 // so many bits away, of c or of a*b only the sign matters
	if c != 0 && n-k > far {
		return T(scaled(c, MulRn(a, b), n, mode))
	}
	c = math.Ldexp(c, max(n-k, -far))
	// The error of an FMA: S. Boldo, J.-M. Muller, Exact and Approximated Error of the FMA, 2011.
	s := FmaRn(a, b, c)
	hi := MulRn(a, b)
	lo := FmaRn(a, b, -hi)
	t, low := twoSum(c, lo)
	u, mid := twoSum(hi, t)
	rest := AddRn(AddRn(SubRn(u, s), mid), low)
	return T(scaled(zeroSum(s, hi, c, mode), rest, k, mode))
}

// unscalable reports whether x has no exponent: 0, an infinity or NaN.
func unscalable(x float64) bool { return x == 0 || x-x != 0 }

// twoSum is a + b and what rounding took of it, exactly.
func twoSum(a, b float64) (sum, rest float64) {
	s := AddRn(a, b)
	t := SubRn(s, a)
	return s, AddRn(SubRn(a, SubRn(s, t)), SubRn(b, t))
}

// zeroSum is the sum s of a and b with the sign that a 0 has: rounding down, that of either.
func zeroSum(s, a, b float64, mode rounding) float64 {
	if s == 0 && mode == down && (Signbit(a) || Signbit(b)) {
		return math.Float64frombits(1 << 63)
	}
	return s
}

// scaled is hi + rest times 2^k, rounded once. hi is that sum rounded to the nearest. Of rest only the sign
// matters.
func scaled(hi, rest float64, k int, mode rounding) float64 {
	r := math.Ldexp(hi, k)
	// What a denormal result lost; -r of what is beyond the largest number.
	if lost := SubRn(hi, math.Ldexp(r, -k)); lost != 0 {
		rest = lost
	}
	return step(r, rest, mode)
}

// narrow is hi + rest rounded once to float32; of rest only the sign matters.
func narrow(hi, rest float64, mode rounding) float32 {
	r := float32(hi)
	if lost := SubRn(hi, float64(r)); lost != 0 {
		rest = lost
	}
	b := math.Float32bits(r)
	switch neighbour(float64(r), rest, mode) {
	case -1:
		return math.Float32frombits(b - 1)
	case 1:
		return math.Float32frombits(b + 1)
	case 2:
		return math.Float32frombits(1)
	case -2:
		return math.Float32frombits(1<<31 | 1)
	}
	return r
}

// step is r + rest rounded once, where r is that to the nearest and of rest only the sign matters.
func step(r, rest float64, mode rounding) float64 {
	b := math.Float64bits(r)
	switch neighbour(r, rest, mode) {
	case -1:
		return math.Float64frombits(b - 1)
	case 1:
		return math.Float64frombits(b + 1)
	case 2:
		return math.Float64frombits(1)
	case -2:
		return math.Float64frombits(1<<63 | 1)
	}
	return r
}

// neighbour says where r + rest is in that mode: 0 at r, 1 and -1 at the neighbour further from
// and nearer to 0 than r, 2 and -2 at the least positive and negative number.
func neighbour(r, rest float64, mode rounding) int {
	below := rest < 0 && (mode == down || mode == toZero && r > 0)
	above := rest > 0 && (mode == up || mode == toZero && r < 0)
	switch {
	case below && r == 0:
		return -2
	case above && r == 0:
		return 2
	case below && r < 0, above && r > 0:
		return 1
	case below, above:
		return -1
	}
	return 0
}
