package dsl

import (
	"math"
	"math/bits"
	"unsafe"

	"heddle/vector"
)

// This file converts between floats and integers in the four rounding modes.

// IntRn returns x as an integer, rounded to the nearest, of two the even one. A number beyond
// I's gives I's least or greatest, NaN gives 0 (HIP __float2int_rn, __double2ull_rn and their
// family): dsl.IntRn[int32](x). Of a vector.Half or BFloat16 h, HIP's __half2int_rn, __half2short_rn
// and so on, it is dsl.IntRn[int16](h.Float32()).
func IntRn[I AnyInteger, T Float](x T) I { return saturated[I](math.RoundToEven(float64(x))) }

// IntRd is [IntRn] rounded down (HIP __float2int_rd and its family).
func IntRd[I AnyInteger, T Float](x T) I { return saturated[I](math.Floor(float64(x))) }

// IntRu is [IntRn] rounded up (HIP __float2int_ru and its family).
func IntRu[I AnyInteger, T Float](x T) I { return saturated[I](math.Ceil(float64(x))) }

// IntRz is [IntRn] rounded to zero (HIP __float2int_rz and its family).
func IntRz[I AnyInteger, T Float](x T) I { return saturated[I](math.Trunc(float64(x))) }

// saturated is an integral number as an integer.
func saturated[I AnyInteger](x float64) I {
	ones := ^I(0)
	if ones > 0 { // unsigned
		switch {
		case !(x > 0): // and NaN
			return 0
		case x >= float64(ones): // which rounds up to a power of two if it has 64 bits
			return ones
		}
		return I(uint64(x))
	}
	least := ^I(0) << (8*unsafe.Sizeof(ones) - 1)
	switch {
	case x != x:
		return 0
	case x <= float64(least):
		return least
	case x >= -float64(least):
		return ^least
	}
	return I(int64(x))
}

// FloatRn returns n as a float rounded to the nearest, of two the even one (HIP __int2float_rn,
// __ull2double_rn and their family): dsl.FloatRn[float32](n).
func FloatRn[T Float, I AnyInteger](n I) T { return T(n) }

// FloatRd is [FloatRn] rounded down (HIP __int2float_rd and its family).
func FloatRd[T Float, I AnyInteger](n I) T { return fromInt[T](n, down) }

// FloatRu is [FloatRn] rounded up (HIP __int2float_ru and its family).
func FloatRu[T Float, I AnyInteger](n I) T { return fromInt[T](n, up) }

// FloatRz is [FloatRn] rounded to zero (HIP __int2float_rz and its family).
func FloatRz[T Float, I AnyInteger](n I) T { return fromInt[T](n, toZero) }

func fromInt[T Float, I AnyInteger](n I, mode rounding) T {
	high := float64(int64(n) >> 32)
	if ^I(0) > 0 {
		high = float64(uint64(n) >> 32)
	}
	s, rest := twoSum(high*(1<<32), float64(uint32(n))) // both are exact
	if single[T]() {
		return T(narrow(s, rest, mode))
	}
	return T(step(s, rest, mode))
}

// Float16Rn returns n as a number of 16 bits rounded once, to the nearest, of two the even one (HIP __int2half_rn,
// __ull2half_rn and their family, __hip_bfloat16 of an integer): dsl.Float16Rn[vector.Half](n).
func Float16Rn[T Float16[T], I AnyInteger](n I) T { return float16Of[T](n, vector.RoundNearestEven) }

// Float16Rd is [Float16Rn] rounded down (HIP __int2half_rd and its family).
func Float16Rd[T Float16[T], I AnyInteger](n I) T { return float16Of[T](n, vector.RoundDown) }

// Float16Ru is [Float16Rn] rounded up (HIP __int2half_ru and its family).
func Float16Ru[T Float16[T], I AnyInteger](n I) T { return float16Of[T](n, vector.RoundUp) }

// Float16Rz is [Float16Rn] rounded to zero (HIP __int2half_rz and its family).
func Float16Rz[T Float16[T], I AnyInteger](n I) T { return float16Of[T](n, vector.RoundTowardZero) }

// float16Of rounds n to odd first, to the 24 bits of a float32: a number with an odd last bit is
// between the same two shorter ones as n, and on the same side of their middle.
func float16Of[T Float16[T], I AnyInteger](n I, mode vector.Rounding) T {
	var to T
	if unsafe.Sizeof(n) < 4 {
		return to.OfRounded(float32(n), mode) // exact
	}
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	drop := max(bits.Len64(u)-24, 0)
	top := u >> drop
	if top<<drop != u {
		top |= 1
	}
	x := float32(uint32(top)) * math.Float32frombits(uint32(127+drop)<<23)
	if n < 0 {
		x = -x
	}
	return to.OfRounded(x, mode)
}

// Float32Rn returns x rounded to the nearest float32 (HIP __double2float_rn).
func Float32Rn(x float64) float32 { return float32(x) }

// Float32Rd returns x rounded down to a float32 (HIP __double2float_rd).
func Float32Rd(x float64) float32 { return narrow(x, 0, down) }

// Float32Ru returns x rounded up to a float32 (HIP __double2float_ru).
func Float32Ru(x float64) float32 { return narrow(x, 0, up) }

// Float32Rz returns x rounded to zero to a float32 (HIP __double2float_rz).
func Float32Rz(x float64) float32 { return narrow(x, 0, toZero) }

// HighInt returns the upper 32 bits of x, where the sign is (HIP __double2hiint). Floats as bits
// and back, HIP's __float_as_int, __int_as_float, __double_as_longlong and so on, are
// math.Float32bits, Float32frombits, Float64bits and Float64frombits.
func HighInt(x float64) int32 { return int32(math.Float64bits(x) >> 32) }

// LowInt returns the lower 32 bits of x (HIP __double2loint).
func LowInt(x float64) int32 { return int32(math.Float64bits(x)) }

// FromHighLow returns the float64 of those bits (HIP __hiloint2double).
func FromHighLow(high, low int32) float64 {
	return math.Float64frombits(uint64(uint32(high))<<32 | uint64(uint32(low)))
}
