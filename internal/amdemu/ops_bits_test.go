package amdemu

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bit is one bit of v; past its end, 0.
func bit(v uint64, n uint64) uint64 {
	if n > 63 {
		return 0
	}
	return v >> n & 1
}

// gathered makes a number of n bits, one at a time.
func gathered(n uint64, f func(i uint64) uint64) (v uint64) {
	for i := range n {
		v |= (f(i) & 1) << i
	}
	return v
}

// eachBit makes a number of what f gives for each bit.
func eachBit(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		return gathered(32, func(i uint64) uint64 { return f(bit(a, i), bit(b, i), bit(c, i)) })
	}
}

// countOnes counts bits.
func countOnes(v uint64) (n uint64) {
	for i := range uint64(64) {
		n += bit(v, i)
	}
	return n
}

// firstBit is the first of 32 i that is, -1 if none is.
func firstBit(is func(i uint64) bool) uint64 {
	for i := range uint64(32) {
		if is(i) {
			return i
		}
	}
	return 0xffffffff
}

// extended is a bit of a number whose sign goes on.
func extended(v, i uint64) uint64 { return bit(v, min(i, 31)) }

// bitRows and wideBitRows are results bit by bit, in 32 and in 64 bits.
var bitRows = map[string]func(a, b, c uint64) uint64{
	"v_mov_b32":     eachBit(func(a, _, _ uint64) uint64 { return a }),
	"v_not_b32":     eachBit(func(a, _, _ uint64) uint64 { return 1 - a }),
	"v_and_b32":     eachBit(func(a, b, _ uint64) uint64 { return a * b }),
	"v_or_b32":      eachBit(func(a, b, _ uint64) uint64 { return max(a, b) }),
	"v_xor_b32":     eachBit(func(a, b, _ uint64) uint64 { return a + b }),
	"v_xnor_b32":    eachBit(func(a, b, _ uint64) uint64 { return a + b + 1 }),
	"v_and_or_b32":  eachBit(func(a, b, c uint64) uint64 { return max(a*b, c) }),
	"v_or3_b32":     eachBit(func(a, b, c uint64) uint64 { return max(a, b, c) }),
	"v_xor3_b32":    eachBit(func(a, b, c uint64) uint64 { return a + b + c }),
	"v_bfi_b32":     eachBit(func(a, b, c uint64) uint64 { return a*b + (1-a)*c }),
	"v_lshlrev_b32": func(a, b, _ uint64) uint64 { return gathered(32, func(i uint64) uint64 { return bit(b, i-a%32) }) },
	"v_lshrrev_b32": func(a, b, _ uint64) uint64 { return gathered(32, func(i uint64) uint64 { return bit(b, i+a%32) }) },
	"v_ashrrev_i32": func(a, b, _ uint64) uint64 { return gathered(32, func(i uint64) uint64 { return extended(b, i+a%32) }) },
	"v_lshl_or_b32": func(a, b, c uint64) uint64 {
		return gathered(32, func(i uint64) uint64 { return max(bit(a, i-b%32), bit(c, i)) })
	},
	"v_alignbit_b32": func(a, b, c uint64) uint64 {
		return gathered(32, func(i uint64) uint64 { return bit(a<<32|b, i+c%32) })
	},
	"v_alignbyte_b32": func(a, b, c uint64) uint64 {
		return gathered(32, func(i uint64) uint64 { return bit(a<<32|b, i+c%4*8) })
	},
	"v_bfe_u32": func(a, b, c uint64) uint64 { return gathered(c%32, func(i uint64) uint64 { return bit(a, i+b%32) }) },
	"v_bfe_i32": func(a, b, c uint64) uint64 {
		if c%32 == 0 {
			return 0
		}
		return gathered(32, func(i uint64) uint64 { return extended(a, min(i, c%32-1)+b%32) })
	},
	"v_bfm_b32": func(a, b, _ uint64) uint64 {
		return gathered(32, func(i uint64) uint64 {
			if i >= b%32 && i < b%32+a%32 {
				return 1
			}
			return 0
		})
	},
	"v_bfrev_b32":    func(a, _, _ uint64) uint64 { return gathered(32, func(i uint64) uint64 { return bit(a, 31-i) }) },
	"v_bcnt_u32_b32": func(a, b, _ uint64) uint64 { return (countOnes(a) + b) & 0xffffffff },
	"v_ffbh_u32":     func(a, _, _ uint64) uint64 { return firstBit(func(i uint64) bool { return bit(a, 31-i) == 1 }) },
	"v_clz_i32_u32":  func(a, _, _ uint64) uint64 { return firstBit(func(i uint64) bool { return bit(a, 31-i) == 1 }) },
	"v_ffbl_b32":     func(a, _, _ uint64) uint64 { return firstBit(func(i uint64) bool { return bit(a, i) == 1 }) },
	"v_ctz_i32_b32":  func(a, _, _ uint64) uint64 { return firstBit(func(i uint64) bool { return bit(a, i) == 1 }) },
	"v_ffbh_i32": func(a, _, _ uint64) uint64 {
		return firstBit(func(i uint64) bool { return bit(a, 31-i) != bit(a, 31) })
	},
	"v_cls_i32": func(a, _, _ uint64) uint64 {
		return firstBit(func(i uint64) bool { return bit(a, 31-i) != bit(a, 31) })
	},
}

var wideBitRows = map[string]func(a, b uint64) uint64{
	"v_lshlrev_b64": func(a, b uint64) uint64 { return gathered(64, func(i uint64) uint64 { return bit(b, i-a%64) }) },
	"v_lshrrev_b64": func(a, b uint64) uint64 { return gathered(64, func(i uint64) uint64 { return bit(b, i+a%64) }) },
	"v_ashrrev_i64": func(a, b uint64) uint64 {
		return gathered(64, func(i uint64) uint64 { return bit(b, min(i+a%64, 63)) })
	},
	"v_mov_b64": func(a, _ uint64) uint64 { return a },
}

// TestBits has random numbers, and counters.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for i := range 4000 {
		a, b, c := uint64(random32(r)), uint64(random32(r)), uint64(random32(r))
		if i < 64 {
			a, b, c = uint64(i), uint64(i%7), uint64(1)<<(i%32)
		}
		for name, f := range bitRows {
			expect(t, name, f(a, b, c), a, b, c)
		}
		d := random64(r)
		for name, f := range wideBitRows {
			expect(t, name, f(a, d), a, d)
		}
		lane := uint64(r.IntN(64))
		below := gathered(64, func(i uint64) uint64 {
			if i < lane {
				return 1
			}
			return 0
		})
		expect(t, "v_mbcnt_lo_u32_b32", (countOnes(a&below)+b)&0xffffffff, a, b, lane)
		expect(t, "v_mbcnt_hi_u32_b32", (countOnes(a<<32&below)+b)&0xffffffff, a, b, lane)
		expect(t, "v_cndmask_b32", a, a, b, 0)
		expect(t, "v_cndmask_b32", b, a, b, 1)
		if t.Failed() {
			return
		}
	}
}

// byteOf is byte i of v.
func byteOf(v uint64, i int) int { return int(v >> (8 * i) & 0xff) }

// TestBytes has instructions on bytes: all pairs of bytes for sums of differences and means,
// all selectors for v_perm.
func TestBytes(t *testing.T) {
	abs := func(v int) uint64 { return uint64(max(v, -v)) }
	for a := range 256 {
		for b := range 256 {
			x, y := uint64(a)|uint64(b)<<8|0x10<<16|0xff<<24, uint64(b)|uint64(a)<<8|0x20<<16
			sum := 2*abs(a-b) + 0x10 + 0xff
			expect(t, "v_sad_u8", 1000+sum, x, y, 1000)
			expect(t, "v_sad_hi_u8", sum<<16+1000, x, y, 1000)
			masked := uint64(0x10)
			if a != 0 {
				masked += abs(a - b)
			}
			if b != 0 {
				masked += abs(a - b)
			}
			expect(t, "v_msad_u8", 7+masked, x, y, 7)
			mean := func(p, q, up int) uint64 { return uint64((p + q + up) / 2) }
			expect(t, "v_lerp_u8", mean(a, b, 1)|mean(a, b, 0)<<8|mean(0x10, 0x20, 1)<<16|mean(0xff, 0, 1)<<24, x, y, 0xff01fe01)
		}
	}
	r := rand.New(rand.NewPCG(43, 44))
	for s := range 256 {
		a, b := uint64(random32(r)), uint64(random32(r))
		in := func(i int) uint64 {
			if i < 4 {
				return uint64(byteOf(b, i))
			}
			return uint64(byteOf(a, i-4))
		}
		var want uint64
		switch {
		case s < 8:
			want = in(s)
		case s < 12:
			want = in(2*(s-8)+1) >> 7 * 0xff
		case s > 12:
			want = 0xff
		}
		expect(t, "v_perm_b32", want|in(0)<<8|0<<16|0xff<<24, a, b, uint64(s)|0<<8|12<<16|13<<24)
		expect(t, "v_perm_b32", want<<24|in(7)<<16|in(3)<<8|in(4), a, b, uint64(s)<<24|7<<16|3<<8|4)

		halves := func(v uint64, i int) int { return int(v >> (16 * i) & 0xffff) }
		c := uint64(random32(r))
		sad := c + abs(halves(a, 0)-halves(b, 0)) + abs(halves(a, 1)-halves(b, 1))
		expect(t, "v_sad_u16", sad&0xffffffff, a, b, c)
		expect(t, "v_sad_u32", (c+uint64(max(int64(a)-int64(b), int64(b)-int64(a))))&0xffffffff, a, b, c)

		d, e := random64(r), random64(r)
		var plain, masked uint64
		for i := range 4 {
			p, m := e>>(16*i)&0xffff, e>>(16*i)&0xffff
			for j := range 4 {
				p += abs(byteOf(d, i+j) - byteOf(a, j))
				if byteOf(a, j) != 0 {
					m += abs(byteOf(d, i+j) - byteOf(a, j))
				}
			}
			plain |= p & 0xffff << (16 * i)
			masked |= m & 0xffff << (16 * i)
		}
		expect(t, "v_qsad_pk_u16_u8", plain, d, a, e)
		expect(t, "v_mqsad_pk_u16_u8", masked, d, a, e)
	}
	expect(t, "v_pack_b32_f16", 0x5678_1234, 0x1234, 0x5678)
}

// TestDots compares with sums of products of single elements.
func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	dotted := func(a, b uint64, n int, aSigned, bSigned bool) (sum int64) {
		element := func(v uint64, i int, signed bool) int64 {
			e := int64(v >> (n * i) & (1<<n - 1))
			if signed && e >= 1<<(n-1) {
				e -= 1 << n
			}
			return e
		}
		for i := range 32 / n {
			sum += element(a, i, aSigned) * element(b, i, bSigned)
		}
		return sum
	}
	for range 5000 {
		a, b, c := uint64(random32(r)), uint64(random32(r)), uint64(random32(r))
		for name, k := range map[string]struct {
			n    int
			a, b bool
		}{
			"v_dot2_i32_i16": {16, true, true}, "v_dot2_u32_u16": {16, false, false}, "v_dot2c_i32_i16": {16, true, true},
			"v_dot4_i32_i8": {8, true, true}, "v_dot4_u32_u8": {8, false, false}, "v_dot4c_i32_i8": {8, true, true},
			"v_dot8_i32_i4": {4, true, true}, "v_dot8_u32_u4": {4, false, false}, "v_dot8c_i32_i4": {4, true, true},
			"v_dot4_i32_iu8": {8, false, false}, "v_dot4_i32_iu8 neg_lo:[1,0,0]": {8, true, false},
			"v_dot4_i32_iu8 neg_lo:[0,1,0]": {8, false, true}, "v_dot4_i32_iu8 neg_lo:[1,1,0]": {8, true, true},
			"v_dot8_i32_iu4 neg_lo:[1,0,0]": {4, true, false}, "v_dot8_i32_iu4 neg_lo:[0,1,0]": {4, false, true},
		} {
			expect(t, name, uint64(uint32(dotted(a, b, k.n, k.a, k.b)+int64(c))), a, b, c)
		}
		if t.Failed() {
			return
		}
	}
	f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	// 1*2 + 3*4 + 0.5; halves 0x3c00 = 1, 0x4000 = 2, 0x4200 = 3, 0x4400 = 4.
	for _, name := range []string{"v_dot2_f32_f16", "v_dot2c_f32_f16", "v_dot2acc_f32_f16"} {
		expect(t, name, f(14.5), 0x4200_3c00, 0x4400_4000, f(0.5))
	}
	expect(t, "v_dot2_f16_f16", 0x4b40, 0x4200_3c00, 0x4400_4000, 0x3800)
	expect(t, "v_dot2_f32_bf16", f(14.5), 0x4040_3f80, 0x4080_4000, f(0.5))
	expect(t, "v_dot2_bf16_bf16", 0x4168, 0x4040_3f80, 0x4080_4000, 0x3f00) // 14.5
	expect(t, "v_dot2_bf16_bf16", 0x4380, 0x3f80_3f80, 0x3f80_3f80, 0x4380) // 256 + 1 is 256, twice
	expect(t, "v_dot2_bf16_bf16", 0x4382, 0x3f80_4040, 0x3f80_3f80, 0x4380) // 256 + 3 is 260, + 1 the same
	// Each step is rounded: 2^24 + 1 is 2^24, twice.
	expect(t, "v_dot2_f32_f16", f(1<<24), 0x3c00_3c00, 0x3c00_3c00, f(1<<24))
	expect(t, "v_dot2_f32_f16", 0x7fc00000, 0x7c00_3c00, 0x0000_3c00, f(1))
}
