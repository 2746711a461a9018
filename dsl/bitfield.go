package dsl

import "math"

// Word is the integer types of 32 bits.
type Word interface{ ~int32 | ~uint32 }

// Mul24 returns the lower 32 bits of the product of the lower 24 bits of x and y, which
// have a sign where T has one (HIP __mul24, __umul24). AMD GPUs have an instruction that
// is faster than that of whole words, also with an addition after it.
func Mul24[T Word](x, y T) T { return (x << 8 >> 8) * (y << 8 >> 8) }

// Hadd returns the mean of x and y, rounded down; the sum does not overflow (HIP __hadd,
// __uhadd).
func Hadd[T Integer](x, y T) T { return x&y + (x^y)>>1 }

// Rhadd returns the mean of x and y, rounded up; the sum does not overflow (HIP __rhadd,
// __urhadd).
func Rhadd[T Integer](x, y T) T { return x | y - (x^y)>>1 }

// Sad returns sum and the difference of x and y, without its sign, modulo 1<<32 (HIP
// __sad, __usad).
func Sad[T Word](x, y T, sum uint32) uint32 {
	return uint32(max(x, y)) - uint32(min(x, y)) + sum
}

// Sad4 returns sum and the four differences of the bytes of x and y, without their signs,
// modulo 1<<32 (HIP __builtin_amdgcn_sad_u8, CUDA's __vsadu4).
func Sad4(x, y, sum uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		a, b := x>>i&0xff, y>>i&0xff
		sum += max(a, b) - min(a, b)
	}
	return sum
}

// Sad2 is [Sad4] of the two 16-bit halves of x and y (HIP __builtin_amdgcn_sad_u16, CUDA's __vsadu2).
func Sad2(x, y, sum uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		a, b := x>>i&0xffff, y>>i&0xffff
		sum += max(a, b) - min(a, b)
	}
	return sum
}

// widthOf is the bits of T.
func widthOf[T Integer]() int {
	if T(1)<<31<<1 == 0 {
		return 32
	}
	return 64
}

// BitExtract returns width bits of x from bit offset on, with their sign where T has one.
// Above x there are zeros, or its sign. Both numbers are taken modulo the bits of T; of a
// width of 0 the result is 0 (HIP __bitextract_u32, __bitextract_u64).
func BitExtract[T Integer](x T, offset, width int) T {
	n := widthOf[T]()
	unused := uint(n - width&(n-1))
	return x >> uint(offset&(n-1)) << unused >> unused
}

// BitInsert returns x with the lowest width bits of field in place of those from bit
// offset on; what is above the top is left out. Both numbers are taken modulo the bits of
// T (HIP __bitinsert_u32, __bitinsert_u64).
func BitInsert[T Integer](x, field T, offset, width int) T {
	n := widthOf[T]()
	at := uint(offset & (n - 1))
	mask := (T(1)<<uint(width&(n-1)) - 1) << at
	return x ^ (field<<at^x)&mask // of these forms the one that LLVM makes v_bfi_b32 of
}

// BytePerm returns four of the eight bytes of x (0 to 3, from the lowest) and y (4 to 7):
// the lowest three bits of digit i of selector, a hexadecimal one, say which is byte i of
// the result. The upper half of selector is not looked at (HIP __byte_perm).
func BytePerm(x, y, selector uint32) uint32 {
	both := uint64(y)<<32 | uint64(x)
	var out uint32
	for i := 0; i < 4; i++ {
		out |= uint32(both>>(selector>>(4*i)&7*8)&0xff) << (8 * i)
	}
	return out
}

// FunnelShiftL shifts the pair hi:lo left by the lowest five bits of shift, and returns
// the upper word (HIP __funnelshift_l).
func FunnelShiftL(lo, hi, shift uint32) uint32 {
	return uint32((uint64(hi)<<32 | uint64(lo)) << (shift & 31) >> 32)
}

// FunnelShiftLc is [FunnelShiftL] by shift, or by 32 if that is less (HIP
// __funnelshift_lc).
func FunnelShiftLc(lo, hi, shift uint32) uint32 {
	if shift >= 32 {
		return lo
	}
	return FunnelShiftL(lo, hi, shift)
}

// FunnelShiftR shifts the pair hi:lo right by the lowest five bits of shift, and returns
// the lower word (HIP __funnelshift_r).
func FunnelShiftR(lo, hi, shift uint32) uint32 {
	return uint32((uint64(hi)<<32 | uint64(lo)) >> (shift & 31))
}

// FunnelShiftRc is [FunnelShiftR] by shift, or by 32 if that is less (HIP
// __funnelshift_rc).
func FunnelShiftRc(lo, hi, shift uint32) uint32 {
	if shift >= 32 {
		return hi
	}
	return FunnelShiftR(lo, hi, shift)
}

// Fns returns the place, from 0, of a bit set in mask: of the one numbered offset, from 1,
// counted from bit base upwards; downwards if offset is negative; of base itself if it is
// 0. It returns -1 where there is none (HIP __fns32, __fns64).
func Fns[T Unsigned](mask T, base, offset int) int {
	n := widthOf[T]()
	if base < 0 || base >= n {
		return -1
	}
	if offset == 0 {
		mask &= T(1) << uint(base)
		offset = 1
	}
	down := offset < 0
	if down {
		mask, base, offset = Brev(mask), n-1-base, -offset
	}
	mask = mask >> uint(base) << uint(base)
	if offset < 0 || Popc(mask) < offset {
		return -1
	}
	place := 0
	for half := n / 2; half > 0; half /= 2 { // where the half of what is left has too few, it is in the other
		low := mask & (T(1)<<uint(half) - 1)
		if few := Popc(low); few < offset {
			offset -= few
			place += half
			low = mask >> uint(half)
		}
		mask = low
	}
	if down {
		return n - 1 - place
	}
	return place
}

// Dot4 returns sum and the dot product of the four bytes of a and of b, modulo 1<<32. The
// bytes have a sign where A or B has one: int32 is HIP's char4, uint32 its uchar4 (HIP
// amd_mixed_dot, CUDA's __dp4a). It is one instruction of NVIDIA's GPUs, of AMD's from
// gfx11 on, and where both are signed from gfx906 on.
func Dot4[A, B, C Word](a A, b B, sum C) C {
	for i := 0; i < 32; i += 8 {
		sum += C(a<<i>>24) * C(b<<i>>24)
	}
	return sum
}

// Dot4Sat is [Dot4] with the nearest number of C where the result is none (HIP
// amd_mixed_dot with saturation).
func Dot4Sat[A, B, C Word](a A, b B, sum C) C {
	return nearest[C](int64(Dot4(a, b, int32(0))) + int64(sum))
}

// Dot2 is [Dot4] of the two 16-bit halves of a and of b: int32 is HIP's short2, uint32 its
// ushort2 (HIP amd_mixed_dot). It is one instruction of AMD GPUs from gfx906 to gfx10 if
// both are signed or neither is.
func Dot2[A, B, C Word](a A, b B, sum C) C {
	for i := 0; i < 32; i += 16 {
		sum += C(a<<i>>16) * C(b<<i>>16)
	}
	return sum
}

// Dot2Sat is [Dot2] with the nearest number of C where the result is none (HIP
// amd_mixed_dot with saturation).
func Dot2Sat[A, B, C Word](a A, b B, sum C) C {
	wide := int64(sum)
	for i := 0; i < 32; i += 16 {
		wide += int64(a<<i>>16) * int64(b<<i>>16)
	}
	return nearest[C](wide)
}

// nearest is x, or the end of C's range next to it.
func nearest[C Word](x int64) C {
	least, most := int64(math.MinInt32), int64(math.MaxInt32)
	if ^C(0) > 0 {
		least, most = 0, math.MaxUint32
	}
	return C(max(least, min(x, most)))
}
