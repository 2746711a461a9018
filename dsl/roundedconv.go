package dsl

import "math"

// This file converts between floats and integers in the four rounding modes.

// WideInteger is the integer types of 32 or 64 bits.
type WideInteger interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// IntRn returns x as an integer, rounded to the nearest, of two the even one. A number beyond
// I's gives I's least or greatest, NaN gives 0 (HIP __float2int_rn, __double2ull_rn and their
// family): dsl.IntRn[int32](x).
func IntRn[I WideInteger, T Float](x T) I { return saturated[I](math.RoundToEven(float64(x))) }

// IntRd is [IntRn] rounded down (HIP __float2int_rd and its family).
func IntRd[I WideInteger, T Float](x T) I { return saturated[I](math.Floor(float64(x))) }

// IntRu is [IntRn] rounded up (HIP __float2int_ru and its family).
func IntRu[I WideInteger, T Float](x T) I { return saturated[I](math.Ceil(float64(x))) }

// IntRz is [IntRn] rounded to zero (HIP __float2int_rz and its family).
func IntRz[I WideInteger, T Float](x T) I { return saturated[I](math.Trunc(float64(x))) }

// saturated is an integral number as an integer.
func saturated[I WideInteger](x float64) I {
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
	least := ^I(0) << 31
	if I(1)<<31 > 0 { // of 64 bits
		least = least << 31 << 1
	}
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
func FloatRn[T Float, I WideInteger](n I) T { return T(n) }

// FloatRd is [FloatRn] rounded down (HIP __int2float_rd and its family).
func FloatRd[T Float, I WideInteger](n I) T { return fromInt[T](n, down) }

// FloatRu is [FloatRn] rounded up (HIP __int2float_ru and its family).
func FloatRu[T Float, I WideInteger](n I) T { return fromInt[T](n, up) }

// FloatRz is [FloatRn] rounded to zero (HIP __int2float_rz and its family).
func FloatRz[T Float, I WideInteger](n I) T { return fromInt[T](n, toZero) }

func fromInt[T Float, I WideInteger](n I, mode rounding) T {
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
