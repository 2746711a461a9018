package dsl

import (
	"unsafe"

	"heddle/vector"
)

// Float16 is [vector.Half] and [vector.BFloat16], for functions of both.
type Float16[T any] interface {
	vector.Half | vector.BFloat16
	// Float32 is the number, Of the one nearest to a float32, OfRounded one by any way to round.
	Float32() float32
	Of(x float32) T
	OfRounded(x float32, mode vector.Rounding) T
	Each(f func(float32) float32) T
}

// Floats16 is [vector.Half], [vector.BFloat16] and their vectors, for functions of each number by itself.
type Floats16[T any] interface {
	vector.Half | vector.Half2 | vector.Half4 | vector.BFloat16 | vector.BFloat162 | vector.BFloat164
	// Each is the numbers nearest to a function's of these.
	Each(f func(float32) float32) T
}

// HExp returns e to the power of x, by float32 (HIP hexp, h2exp).
func HExp[T Floats16[T]](x T) T { return x.Each(Exp[float32]) }

// HExp2 returns 2 to the power of x, by float32 (HIP hexp2, h2exp2).
func HExp2[T Floats16[T]](x T) T { return x.Each(Exp2[float32]) }

// HExp10 returns 10 to the power of x, by float32 (HIP hexp10, h2exp10).
func HExp10[T Floats16[T]](x T) T { return x.Each(Exp10[float32]) }

// HLog returns the natural logarithm of x, by float32 (HIP hlog, h2log).
func HLog[T Floats16[T]](x T) T { return x.Each(Log[float32]) }

// HLog2 returns the logarithm of x to the base of 2, by float32 (HIP hlog2, h2log2).
func HLog2[T Floats16[T]](x T) T { return x.Each(Log2[float32]) }

// HLog10 returns the logarithm of x to the base of 10, by float32 (HIP hlog10, h2log10).
func HLog10[T Floats16[T]](x T) T { return x.Each(Log10[float32]) }

// HSin returns the sine of x, in radians, by float32 (HIP hsin, h2sin).
func HSin[T Floats16[T]](x T) T { return x.Each(Sin[float32]) }

// HCos returns the cosine of x, in radians, by float32 (HIP hcos, h2cos).
func HCos[T Floats16[T]](x T) T { return x.Each(Cos[float32]) }

// HDot returns the dot product of a and b plus c, in float32: a.X*b.X + (a.Y*b.Y + c), with two roundings (HIP
// amd_mixed_dot of __half2; with saturation, [Saturate] of that). Other orders would round in another way.
func HDot[V interface {
	vector.Half2 | vector.BFloat162
	Float2() vector.Float2
}](a, b V, c float32) float32 {
	x, y := a.Float2(), b.Float2()
	return Fma(x.X, y.X, Fma(x.Y, y.Y, c))
}

// AtomicAddHalf2 adds v to *p, each number by itself, and returns the old value (HIP's and
// CUDA's atomicAdd of __half2): by an instruction on
// NVIDIA's GPUs, by compare and swap of both elsewhere.
func AtomicAddHalf2(p *vector.Half2, v vector.Half2) vector.Half2 {
	w := (*uint32)(unsafe.Pointer(p))
	for old := AtomicOf(w).Load(ScopeDevice, Relaxed); ; {
		seen := AtomicCAS(w, old, vector.Half2FromBits(old).Add(v).Bits())
		if seen == old {
			return vector.Half2FromBits(old)
		}
		old = seen
	}
}

// AtomicAddBFloat162 is [AtomicAddHalf2] of the other format (HIP's and CUDA's atomicAdd of
// __hip_bfloat162).
func AtomicAddBFloat162(p *vector.BFloat162, v vector.BFloat162) vector.BFloat162 {
	w := (*uint32)(unsafe.Pointer(p))
	for old := AtomicOf(w).Load(ScopeDevice, Relaxed); ; {
		seen := AtomicCAS(w, old, vector.BFloat162FromBits(old).Add(v).Bits())
		if seen == old {
			return vector.BFloat162FromBits(old)
		}
		old = seen
	}
}

// UnsafeAtomicAddHalf2 is [AtomicAddHalf2] by an instruction on AMD's gfx942, gfx950 and gfx12
// too, as kernel.Options.FastAtomics makes all of a kernel's. It may flush denormals, and there it is
// right only in a Buffer and in shared memory (HIP unsafeAtomicAdd of __half2).
func UnsafeAtomicAddHalf2(p *vector.Half2, v vector.Half2) vector.Half2 { return AtomicAddHalf2(p, v) }

// UnsafeAtomicAddBFloat162 is [UnsafeAtomicAddHalf2] of the other format (HIP unsafeAtomicAdd of
// __hip_bfloat162).
func UnsafeAtomicAddBFloat162(p *vector.BFloat162, v vector.BFloat162) vector.BFloat162 {
	return AtomicAddBFloat162(p, v)
}

// AtomicAddHalf adds v to *p and returns the old value (HIP's and CUDA's atomicAdd of __half).
func AtomicAddHalf(p *vector.Half, v vector.Half) vector.Half {
	w := (*uint16)(unsafe.Pointer(p))
	for old := AtomicCAS(w, 0, 0); ; {
		seen := AtomicCAS(w, old, vector.HalfFromBits(old).Add(v).Bits())
		if seen == old {
			return vector.HalfFromBits(old)
		}
		old = seen
	}
}

// AtomicAddBFloat16 is [AtomicAddHalf] of the other format (HIP's and CUDA's atomicAdd of
// __hip_bfloat16).
func AtomicAddBFloat16(p *vector.BFloat16, v vector.BFloat16) vector.BFloat16 {
	w := (*uint16)(unsafe.Pointer(p))
	for old := AtomicCAS(w, 0, 0); ; {
		seen := AtomicCAS(w, old, vector.BFloat16FromBits(old).Add(v).Bits())
		if seen == old {
			return vector.BFloat16FromBits(old)
		}
		old = seen
	}
}
