package dsl

import "math/bits"

// The bodies in this file and in math.go are the definition of the functions:
// a kernel is compiled from them where the target has nothing better. They use
// only what kernels may use.

// Unsigned is the types that bit functions work on.
type Unsigned interface{ ~uint | ~uint32 | ~uint64 }

// Integer is the integer types of 32 and 64 bits.
type Integer interface {
	~int | ~int32 | ~int64 | Unsigned
}

// Popc returns the number of bits set in x (HIP __popc, __popcll).
func Popc[T Unsigned](x T) int { return bits.OnesCount64(uint64(x)) }

// Clz returns the number of zero bits above the highest bit set in x, the width
// of T for 0 (HIP __clz, __clzll).
func Clz[T Unsigned](x T) int {
	return bits.LeadingZeros64(uint64(x)) - bits.LeadingZeros64(uint64(^T(0)))
}

// Ctz returns the number of zero bits below the lowest bit set in x, the width
// of T for 0: one less than [Ffs] for other x (HIP __builtin_ctz).
func Ctz[T Unsigned](x T) int {
	if x == 0 {
		return bits.OnesCount64(uint64(^T(0)))
	}
	return bits.TrailingZeros64(uint64(x))
}

// Ffs returns the place of the lowest bit set in x, counted from 1, and 0 for 0
// (HIP __ffs, __ffsll).
func Ffs[T Unsigned](x T) int {
	if x == 0 {
		return 0
	}
	return bits.TrailingZeros64(uint64(x)) + 1
}

// Brev returns x with its bits in reverse order (HIP __brev, __brevll).
func Brev[T Unsigned](x T) T {
	return T(bits.Reverse64(uint64(x)) >> bits.LeadingZeros64(uint64(^T(0))))
}

// Mulhi returns the upper half of the product of x and y, which has twice the
// bits of T (HIP __mulhi, __umulhi, __mul64hi, __umul64hi).
func Mulhi[T Integer](x, y T) T {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	if T(1)<<31<<1 == 0 { // T has 32 bits: the product, also a signed one, is in lo
		return T(lo >> 32)
	}
	if x < 0 {
		hi -= uint64(y)
	}
	if y < 0 {
		hi -= uint64(x)
	}
	return T(hi)
}
