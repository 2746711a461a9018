package amdemu

import "math/bits"

// This file has operations on bits and bytes.

// bitwise is logic, shifts, fields and counts of bits.
var bitwise = table{
	"v_mov_b32":           {"b32 b32", func(a uint32) uint32 { return a }},
	"v_mov_b64":           {"b64 b64", func(a uint64) uint64 { return a }},
	"v_accvgpr_read_b32":  {"b32 b32", func(a uint32) uint32 { return a }},
	"v_accvgpr_write_b32": {"b32 b32", func(a uint32) uint32 { return a }},
	"v_accvgpr_mov_b32":   {"b32 b32", func(a uint32) uint32 { return a }},
	"v_cndmask_b32":       {"b32 b32 b32 mask", select32},
	"v_not_b32":           {"b32 b32", func(a uint32) uint32 { return ^a }},
	"v_and_b32":           {"b32 b32 b32", func(a, b uint32) uint32 { return a & b }},
	"v_or_b32":            {"b32 b32 b32", func(a, b uint32) uint32 { return a | b }},
	"v_xor_b32":           {"b32 b32 b32", func(a, b uint32) uint32 { return a ^ b }},
	"v_xnor_b32":          {"b32 b32 b32", func(a, b uint32) uint32 { return ^(a ^ b) }},
	"v_and_or_b32":        {"b32 b32 b32 b32", func(a, b, c uint32) uint32 { return a&b | c }},
	"v_or3_b32":           {"b32 b32 b32 b32", func(a, b, c uint32) uint32 { return a | b | c }},
	"v_xor3_b32":          {"b32 b32 b32 b32", func(a, b, c uint32) uint32 { return a ^ b ^ c }},
	"v_lshl_or_b32":       {"b32 b32 u32 b32", func(a, b, c uint32) uint32 { return a<<(b&31) | c }},
	"v_lshlrev_b32":       {"b32 u32 b32", func(a, b uint32) uint32 { return b << (a & 31) }},
	"v_lshrrev_b32":       {"b32 u32 b32", func(a, b uint32) uint32 { return b >> (a & 31) }},
	"v_ashrrev_i32":       {"i32 u32 i32", func(a, b uint32) uint32 { return uint32(int32(b) >> (a & 31)) }},
	"v_lshlrev_b64":       {"b64 u32 b64", func(a, b uint64) uint64 { return b << (a & 63) }},
	"v_lshrrev_b64":       {"b64 u32 b64", func(a, b uint64) uint64 { return b >> (a & 63) }},
	"v_ashrrev_i64":       {"i64 u32 i64", func(a, b uint64) uint64 { return uint64(int64(b) >> (a & 63)) }},
	"v_alignbit_b32":      {"b32 b32 b32 u32", func(a, b, c uint32) uint32 { return align(a, b, c&31) }},

	"v_alignbyte_b32": {"b32 b32 b32 u32", func(a, b, c uint32) uint32 { return align(a, b, c&3*8) }},

	"v_bfe_u32":   {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return a >> (b & 31) & (1<<(c&31) - 1) }},
	"v_bfe_i32":   {"i32 i32 u32 u32", extractSigned},
	"v_bfi_b32":   {"b32 b32 b32 b32", func(a, b, c uint32) uint32 { return a&b | c&^a }},
	"v_bfm_b32":   {"b32 u32 u32", func(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) }},
	"v_bfrev_b32": {"b32 b32", func(a uint32) uint32 { return bits.Reverse32(a) }},

	"v_bcnt_u32_b32": {"u32 b32 u32", func(a, b uint32) uint32 { return uint32(bits.OnesCount32(a)) + b }},
	"v_ffbh_u32":     {"u32 b32", leadingZeros},
	"v_ffbl_b32":     {"u32 b32", trailingZeros},
	"v_ffbh_i32":     {"u32 b32", leadingSigns},

	// Of a mask's two halves, the bits below this lane.
	"v_mbcnt_lo_u32_b32": {"u32 b32 u32 lane", func(a, b, l uint32) uint32 {
		return b + uint32(bits.OnesCount32(a&uint32(1<<l-1)))
	}},
	"v_mbcnt_hi_u32_b32": {"u32 b32 u32 lane", func(a, b, l uint32) uint32 {
		return b + uint32(bits.OnesCount32(a&uint32((uint64(1)<<l-1)>>32)))
	}},
}

func select32(a, b, c uint32) uint32 {
	if c != 0 {
		return b
	}
	return a
}

// align is 32 bits of the pair a:b from bit n on.
func align(a, b, n uint32) uint32 { return uint32((uint64(a)<<32 | uint64(b)) >> n) }

// extractSigned is c&31 bits of a from bit b&31 on, with their sign.
func extractSigned(a, b, c uint32) uint32 {
	n := c & 31
	if n == 0 {
		return 0
	}
	return uint32(int32(int32(a)>>(b&31)) << (32 - n) >> (32 - n))
}

// leadingZeros, trailingZeros and leadingSigns (the bits from the top that are like the
// first) give -1 if there is no other bit.

func leadingZeros(a uint32) uint32 {
	if a == 0 {
		return 1<<32 - 1
	}
	return uint32(bits.LeadingZeros32(a))
}

func trailingZeros(a uint32) uint32 {
	if a == 0 {
		return 1<<32 - 1
	}
	return uint32(bits.TrailingZeros32(a))
}

func leadingSigns(a uint32) uint32 { return leadingZeros(a ^ uint32(int32(a)>>31)) }

// bytewise is instructions on the four bytes of a register.
var bytewise = table{
	"v_perm_b32":  {"b32 b32 b32 b32", permute},
	"v_lerp_u8":   {"u32 u32 u32 u32", lerp},
	"v_sad_u8":    {"u32 b32 b32 u32", sadBytes},
	"v_sad_hi_u8": {"u32 b32 b32 u32", func(a, b, c uint32) uint32 { return sadBytes(a, b, 0)<<16 + c }},
	"v_sad_u16":   {"u32 b32 b32 u32", sadHalves},
	"v_sad_u32":   {"u32 u32 u32 u32", func(a, b, c uint32) uint32 { return max(a, b) - min(a, b) + c }},
	"v_msad_u8":   {"u32 b32 b32 u32", maskedSAD},

	"v_qsad_pk_u16_u8":  {"b64 b64 b32 b64", quadSAD(sadBytes)},
	"v_mqsad_pk_u16_u8": {"b64 b64 b32 b64", quadSAD(maskedSAD)},
}

// permute makes four bytes, each by a byte of the selector: 0-7 a byte of a:b, 8-11
// the sign of byte 1, 3, 5 or 7, 12 zero, above 255.
func permute(a, b, selector uint32) uint32 {
	data := uint64(a)<<32 | uint64(b)
	var out uint32
	for i := 0; i < 32; i += 8 {
		var v uint32
		switch s := selector >> i & 0xff; {
		case s < 8:
			v = uint32(data >> (s * 8) & 0xff)
		case s < 12:
			v = uint32(data>>((s-8)*16+15)&1) * 0xff
		case s > 12:
			v = 0xff
		}
		out |= v << i
	}
	return out
}

// lerp is the mean of each byte of a and b, rounded up where c's byte is odd.
func lerp(a, b, c uint32) uint32 {
	var out uint32
	for i := 0; i < 32; i += 8 {
		out |= (a>>i&0xff + b>>i&0xff + c>>i&1) >> 1 << i
	}
	return out
}

// sadBytes is c and the sum of differences of a's and b's bytes.
func sadBytes(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		x, y := a>>i&0xff, b>>i&0xff
		c += max(x, y) - min(x, y)
	}
	return c
}

// maskedSAD leaves out the bytes that are 0 in b.
func maskedSAD(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		if x, y := a>>i&0xff, b>>i&0xff; y != 0 {
			c += max(x, y) - min(x, y)
		}
	}
	return c
}

func sadHalves(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 16 {
		x, y := a>>i&0xffff, b>>i&0xffff
		c += max(x, y) - min(x, y)
	}
	return c
}

// quadSAD makes four sums in 16 bits each: of b and of a's bytes 0-3, 1-4, 2-5, 3-6.
func quadSAD(sad func(a, b, c uint32) uint32) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		var out uint64
		for i := range 4 {
			sum := sad(uint32(a>>(8*i)), uint32(b), uint32(c>>(16*i)&0xffff))
			out |= uint64(sum&0xffff) << (16 * i)
		}
		return out
	}
}
