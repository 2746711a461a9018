package amdemu

import (
	"fmt"
	"math/bits"
)

// bindScalar makes the function of a scalar instruction.
func bindScalar(in *inst, r row) error {
	var err error
	if in.sig, err = parseSig(r.sig); err != nil {
		return err
	}
	fn, err := laneFunc(r.fn)
	if err != nil {
		return err
	}
	rest := in.operands
	var d *operand
	if in.sig.result != scc {
		if len(rest) == 0 {
			return fmt.Errorf("operands missing: %s", in.text)
		}
		d, rest = &rest[0], rest[1:]
	}
	in.dst = d
	in.src = make([]*operand, len(in.sig.sources))
	for i, t := range in.sig.sources {
		if t == dst || t == scc {
			continue
		}
		if len(rest) == 0 {
			return fmt.Errorf("operands missing: %s", in.text)
		}
		if rest[0].file == wordFile || rest[0].file == noFile {
			return fmt.Errorf("operand %s: %s", rest[0].text, in.text)
		}
		in.src[i], rest = &rest[0], rest[1:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("operands left over: %s", in.text)
	}
	if in.run = in.fastScalar(r.fn); in.run == nil {
		flags := setsSCC(r.fn)
		in.run = func(w *wave) { w.scalar(in, fn, flags) }
	}
	return nil
}

// A scalarSource is a register or a literal, of 32 bits or of 64.
type scalarSource struct {
	reg int // -1: a literal
	lit uint64
}

func (s *scalarSource) word(w *wave) uint32 {
	if s.reg < 0 {
		return uint32(s.lit)
	}
	return w.s[s.reg]
}

func (s *scalarSource) long(w *wave) uint64 {
	if s.reg < 0 {
		return s.lit
	}
	return uint64(w.s[s.reg]) | uint64(w.s[s.reg+1])<<32
}

// fastScalar returns the short way of an instruction whose operands are registers
// and literals, all of one width, nil for others.
func (in *inst) fastScalar(fn any) func(w *wave) {
	var at [3]scalarSource
	n := 0
	if in.sig.result != scc {
		n = width(in.sig.result)
		if in.dst.file != sgpr || in.dst.reg == regNull {
			return nil
		}
	}
	for i, t := range in.sig.sources {
		o := in.src[i]
		switch {
		case o == nil || i >= len(at) || o.abs || o.neg || n != 0 && width(t) != n:
			return nil
		case o.file == literal:
			at[i].reg = -1
			at[i].lit, _ = o.value(t)
		case o.file == sgpr && o.reg != regNull:
			at[i].reg = o.reg
		default:
			return nil
		}
		n = width(t)
	}
	a, b := &at[0], &at[1]
	d := 0
	if in.dst != nil {
		d = in.dst.reg
	}
	switch f := fn.(type) {
	case func(a uint32) uint32:
		return func(w *wave) { w.s[d] = f(a.word(w)) }
	case func(a, b uint32) uint32:
		return func(w *wave) { w.s[d] = f(a.word(w), b.word(w)) }
	case func(a, b uint32) (uint32, bool):
		return func(w *wave) { w.s[d], w.scc = f(a.word(w), b.word(w)) }
	case func(a, b uint32) bool:
		return func(w *wave) { w.scc = f(a.word(w), b.word(w)) }
	case func(a uint64) uint64:
		return func(w *wave) {
			v := f(a.long(w))
			w.s[d], w.s[d+1] = uint32(v), uint32(v>>32)
		}
	case func(a, b uint64) (uint64, bool):
		return func(w *wave) {
			v, c := f(a.long(w), b.long(w))
			w.s[d], w.s[d+1], w.scc = uint32(v), uint32(v>>32), c
		}
	case func(a, b uint64) bool:
		return func(w *wave) { w.scc = f(a.long(w), b.long(w)) }
	}
	return nil
}

// setsSCC says whether a row's function has a result for SCC.
func setsSCC(fn any) bool {
	switch fn.(type) {
	case func(a uint32) uint32, func(a, b uint32) uint32, func(a, b, c uint32) uint32,
		func(a uint64) uint64, func(a, b uint64) uint64, func(a, b, c uint64) uint64:
		return false
	}
	return true
}

// scalar runs a scalar instruction by its row.
func (w *wave) scalar(in *inst, fn laneOp, flags bool) {
	var a [4]uint64
	for i, t := range in.sig.sources {
		switch {
		case t == scc:
			a[i] = flag(w.scc)
		case t == dst && width(in.sig.result) == 64:
			a[i] = w.scalar64(in.dst, b64)
		case t == dst:
			a[i] = uint64(w.scalar32(in.dst, b32))
		case width(t) == 64:
			a[i] = w.scalar64(in.src[i], t)
		default:
			a[i] = uint64(w.scalar32(in.src[i], t))
		}
		if n := floatBits(t); n != 0 && in.src[i] != nil && (in.src[i].abs || in.src[i].neg) {
			if in.src[i].abs {
				a[i] &^= 1 << (n - 1)
			}
			if in.src[i].neg {
				a[i] ^= 1 << (n - 1)
			}
		}
	}
	v, c := fn(&a)
	if flags {
		w.scc = c
	}
	switch {
	case in.sig.result == scc:
	case width(in.sig.result) == 64:
		w.setScalar64(in.dst, v)
	default:
		w.setScalar32(in.dst, uint32(v))
	}
}

// saluTables are the scalar instructions' rows. SCC is the second result.
// Source: chapter "SALU" of the ISA documents.
func saluTables() []table {
	return []table{scalarArithmetic, scalarLogic, scalarBits, scalarCompare, scalarFlow, scalarState, scalarHints}
}

var scalarArithmetic = table{
	"s_mov_b32":  {"b32 b32", func(a uint32) uint32 { return a }},
	"s_mov_b64":  {"b64 b64", func(a uint64) uint64 { return a }},
	"s_movk_i32": {"i32 i32", func(a uint32) uint32 { return uint32(int32(int16(a))) }},
	"s_cmov_b32": {"b32 b32 scc dst", func(a, c, old uint32) uint32 { return choose(c, a, old) }},
	"s_cmov_b64": {"b64 b64 scc dst", func(a, c, old uint64) uint64 { return choose(c, a, old) }},
	"s_cmovk_i32": {"i32 i32 scc dst", func(a, c, old uint32) uint32 {
		return choose(c, uint32(int32(int16(a))), old)
	}},
	"s_cselect_b32": {"b32 b32 b32 scc", func(a, b, c uint32) uint32 { return choose(c, a, b) }},
	"s_cselect_b64": {"b64 b64 b64 scc", func(a, b, c uint64) uint64 { return choose(c, a, b) }},

	"s_add_u32": {"u32 u32 u32", func(a, b uint32) (uint32, bool) { return a + b, a+b < a }},
	"s_sub_u32": {"u32 u32 u32", func(a, b uint32) (uint32, bool) { return a - b, b > a }},
	"s_add_i32": {"i32 i32 i32", func(a, b uint32) (uint32, bool) { return a + b, overflows(a, b, a+b) }},
	"s_sub_i32": {"i32 i32 i32", func(a, b uint32) (uint32, bool) { return a - b, overflows(a, ^b, a-b) }},
	"s_addc_u32": {"u32 u32 u32 scc", func(a, b, c uint32) (uint32, bool) {
		v, carry := bits.Add32(a, b, c)
		return v, carry != 0
	}},
	"s_subb_u32": {"u32 u32 u32 scc", func(a, b, c uint32) (uint32, bool) {
		v, borrow := bits.Sub32(a, b, c)
		return v, borrow != 0
	}},
	"s_addk_i32": {"i32 i32 dst", func(k, a uint32) (uint32, bool) {
		b := uint32(int32(int16(k)))
		return a + b, overflows(a, b, a+b)
	}},
	"s_mulk_i32":   {"i32 i32 dst", func(k, a uint32) uint32 { return a * uint32(int32(int16(k))) }},
	"s_add_nc_u64": {"u64 u64 u64", func(a, b uint64) uint64 { return a + b }},
	"s_sub_nc_u64": {"u64 u64 u64", func(a, b uint64) uint64 { return a - b }},
	"s_mul_u64":    {"u64 u64 u64", func(a, b uint64) uint64 { return a * b }},
	"s_mul_i32":    {"i32 i32 i32", func(a, b uint32) uint32 { return a * b }},
	"s_mul_hi_u32": {"u32 u32 u32", func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }},
	"s_mul_hi_i32": {"i32 i32 i32", func(a, b uint32) uint32 {
		return uint32(uint64(int64(int32(a))*int64(int32(b))) >> 32)
	}},
	"s_abs_i32": {"i32 i32", func(a uint32) (uint32, bool) {
		if int32(a) < 0 {
			a = -a
		}
		return a, a != 0
	}},
	"s_absdiff_i32": {"i32 i32 i32", func(a, b uint32) (uint32, bool) {
		d := a - b
		if int32(d) < 0 {
			d = -d
		}
		return d, d != 0
	}},
	"s_min_i32": {"i32 i32 i32", func(a, b uint32) (uint32, bool) {
		return uint32(min(int32(a), int32(b))), int32(a) < int32(b)
	}},
	// SCC of equal numbers is the ISA documents' (MI300's on), tinygrad's emulator has it
	// that hardware gives 0, and LLVM never reads it.
	"s_max_i32": {"i32 i32 i32", func(a, b uint32) (uint32, bool) {
		return uint32(max(int32(a), int32(b))), int32(a) >= int32(b)
	}},
	"s_min_u32":       {"u32 u32 u32", func(a, b uint32) (uint32, bool) { return min(a, b), a < b }},
	"s_max_u32":       {"u32 u32 u32", func(a, b uint32) (uint32, bool) { return max(a, b), a >= b }},
	"s_sext_i32_i8":   {"i32 b32", func(a uint32) uint32 { return uint32(int32(int8(a))) }},
	"s_sext_i32_i16":  {"i32 b32", func(a uint32) uint32 { return uint32(int32(int16(a))) }},
	"s_lshl1_add_u32": {"u32 u32 u32", shiftAdd(1)},
	"s_lshl2_add_u32": {"u32 u32 u32", shiftAdd(2)},
	"s_lshl3_add_u32": {"u32 u32 u32", shiftAdd(3)},
	"s_lshl4_add_u32": {"u32 u32 u32", shiftAdd(4)},
}

// shiftAdd is a<<n + b, SCC the carry out of 32 bits.
func shiftAdd(n int) func(a, b uint32) (uint32, bool) {
	return func(a, b uint32) (uint32, bool) {
		v := uint64(a)<<n + uint64(b)
		return uint32(v), v>>32 != 0
	}
}

// choose is a if c is 1, else b.
func choose[T uint32 | uint64](c, a, b T) T {
	if c != 0 {
		return a
	}
	return b
}

// overflows says that the signed sum of a and b is not v.
func overflows(a, b, v uint32) bool { return (a^v)&(b^v)>>31 != 0 }

// logical are the rows of a bitwise operation: both widths, SCC if not 0.
func logical(t table, name string, f32 func(a, b uint32) uint32, f64 func(a, b uint64) uint64) {
	t["s_"+name+"_b32"] = row{"b32 b32 b32", func(a, b uint32) (uint32, bool) { v := f32(a, b); return v, v != 0 }}
	t["s_"+name+"_b64"] = row{"b64 b64 b64", func(a, b uint64) (uint64, bool) { v := f64(a, b); return v, v != 0 }}
}

// scalarLogic are the bitwise operations.
var scalarLogic = func() table {
	t := table{
		"s_not_b32": {"b32 b32", func(a uint32) (uint32, bool) { return ^a, ^a != 0 }},
		"s_not_b64": {"b64 b64", func(a uint64) (uint64, bool) { return ^a, ^a != 0 }},
	}
	logical(t, "and", func(a, b uint32) uint32 { return a & b }, func(a, b uint64) uint64 { return a & b })
	logical(t, "or", func(a, b uint32) uint32 { return a | b }, func(a, b uint64) uint64 { return a | b })
	logical(t, "xor", func(a, b uint32) uint32 { return a ^ b }, func(a, b uint64) uint64 { return a ^ b })
	logical(t, "andn2", func(a, b uint32) uint32 { return a &^ b }, func(a, b uint64) uint64 { return a &^ b })
	logical(t, "orn2", func(a, b uint32) uint32 { return a | ^b }, func(a, b uint64) uint64 { return a | ^b })
	logical(t, "nand", func(a, b uint32) uint32 { return ^(a & b) }, func(a, b uint64) uint64 { return ^(a & b) })
	logical(t, "nor", func(a, b uint32) uint32 { return ^(a | b) }, func(a, b uint64) uint64 { return ^(a | b) })
	logical(t, "xnor", func(a, b uint32) uint32 { return ^(a ^ b) }, func(a, b uint64) uint64 { return ^(a ^ b) })
	return t
}()

// scalarBits are shifts, fields, counts and permutations.
var scalarBits = table{
	"s_lshl_b32": {"b32 b32 u32", func(a, n uint32) (uint32, bool) { v := a << (n & 31); return v, v != 0 }},
	"s_lshl_b64": {"b64 b64 u32", func(a, n uint64) (uint64, bool) { v := a << (n & 63); return v, v != 0 }},
	"s_lshr_b32": {"b32 b32 u32", func(a, n uint32) (uint32, bool) { v := a >> (n & 31); return v, v != 0 }},
	"s_lshr_b64": {"b64 b64 u32", func(a, n uint64) (uint64, bool) { v := a >> (n & 63); return v, v != 0 }},
	"s_ashr_i32": {"i32 i32 u32", func(a, n uint32) (uint32, bool) {
		v := uint32(int32(a) >> (n & 31))
		return v, v != 0
	}},
	"s_ashr_i64": {"i64 i64 u32", func(a, n uint64) (uint64, bool) {
		v := uint64(int64(a) >> (n & 63))
		return v, v != 0
	}},
	"s_bfm_b32": {"b32 b32 b32", func(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) }},
	"s_bfm_b64": {"b64 b32 b32", func(a, b uint64) uint64 { return (1<<(a&63) - 1) << (b & 63) }},
	"s_bfe_u32": {"u32 u32 u32", func(a, b uint32) (uint32, bool) {
		v := uint32(field(uint64(a), b&31, b>>16&127))
		return v, v != 0
	}},
	"s_bfe_i32": {"i32 i32 u32", func(a, b uint32) (uint32, bool) {
		v := uint32(signedField(uint64(int64(int32(a))), b&31, min(b>>16&127, 32)))
		return v, v != 0
	}},
	"s_bfe_u64": {"u64 u64 u32", func(a, b uint64) (uint64, bool) {
		v := field(a, uint32(b)&63, uint32(b)>>16&127)
		return v, v != 0
	}},
	"s_bfe_i64": {"i64 i64 u32", func(a, b uint64) (uint64, bool) {
		v := signedField(a, uint32(b)&63, uint32(b)>>16&127)
		return v, v != 0
	}},
	"s_brev_b32":      {"b32 b32", bits.Reverse32},
	"s_brev_b64":      {"b64 b64", bits.Reverse64},
	"s_bcnt0_i32_b32": {"i32 b32", func(a uint32) (uint32, bool) { return counted(bits.OnesCount32(^a)) }},
	"s_bcnt1_i32_b32": {"i32 b32", func(a uint32) (uint32, bool) { return counted(bits.OnesCount32(a)) }},
	"s_bcnt0_i32_b64": {"i32 b64", func(a uint64) (uint64, bool) {
		n := bits.OnesCount64(^a)
		return uint64(n), n != 0
	}},
	"s_bcnt1_i32_b64": {"i32 b64", func(a uint64) (uint64, bool) {
		n := bits.OnesCount64(a)
		return uint64(n), n != 0
	}},
	"s_ff0_i32_b32":   {"i32 b32", func(a uint32) uint32 { return lowest(uint64(^a)) }},
	"s_ff0_i32_b64":   {"i32 b64", func(a uint64) uint64 { return uint64(lowest(^a)) }},
	"s_ff1_i32_b32":   {"i32 b32", func(a uint32) uint32 { return lowest(uint64(a)) }},
	"s_ff1_i32_b64":   {"i32 b64", func(a uint64) uint64 { return uint64(lowest(a)) }},
	"s_flbit_i32_b32": {"i32 b32", func(a uint32) uint32 { return leading(uint64(a), 32) }},
	"s_flbit_i32_b64": {"i32 b64", func(a uint64) uint64 { return uint64(leading(a, 64)) }},
	"s_flbit_i32": {"i32 i32", func(a uint32) uint32 {
		return leading(uint64(a^uint32(int32(a)>>31)), 32)
	}},
	"s_flbit_i32_i64": {"i32 i64", func(a uint64) uint64 {
		return uint64(leading(a^uint64(int64(a)>>63), 64))
	}},
	"s_bitset0_b32":     {"b32 b32 dst", func(n, a uint32) uint32 { return a &^ (1 << (n & 31)) }},
	"s_bitset1_b32":     {"b32 b32 dst", func(n, a uint32) uint32 { return a | 1<<(n&31) }},
	"s_bitset0_b64":     {"b64 b32 dst", func(n, a uint64) uint64 { return a &^ (1 << (n & 63)) }},
	"s_bitset1_b64":     {"b64 b32 dst", func(n, a uint64) uint64 { return a | 1<<(n&63) }},
	"s_pack_ll_b32_b16": {"b32 b32 b32", func(a, b uint32) uint32 { return a&0xffff | b<<16 }},
	"s_pack_lh_b32_b16": {"b32 b32 b32", func(a, b uint32) uint32 { return a&0xffff | b&^0xffff }},
	"s_pack_hl_b32_b16": {"b32 b32 b32", func(a, b uint32) uint32 { return a>>16 | b<<16 }},
	"s_pack_hh_b32_b16": {"b32 b32 b32", func(a, b uint32) uint32 { return a>>16 | b&^0xffff }},
	"s_bitreplicate_b64_b32": {"b64 b32", func(a uint64) uint64 {
		v := uint64(0)
		for i := range 32 {
			v |= (a >> i & 1) * 3 << (2 * i)
		}
		return v
	}},
	"s_wqm_b32": {"b32 b32", func(a uint32) (uint32, bool) { v := uint32(quads(uint64(a))); return v, v != 0 }},
	"s_wqm_b64": {"b64 b64", func(a uint64) (uint64, bool) { v := quads(a); return v, v != 0 }},
}

// field is n bits of a from bit at on; signedField extends their sign.
func field(a uint64, at, n uint32) uint64 {
	if n == 0 {
		return 0
	}
	return a >> at & (1<<min(n, 64) - 1)
}

func signedField(a uint64, at, n uint32) uint64 {
	if n == 0 {
		return 0
	}
	n = min(n, 64-at)
	return uint64(int64(a<<(64-at-n)) >> (64 - n))
}

func counted(n int) (uint32, bool) { return uint32(n), n != 0 }

// lowest is the number of the lowest bit set, -1 if there is none.
func lowest(a uint64) uint32 {
	if a == 0 {
		return 1<<32 - 1
	}
	return uint32(bits.TrailingZeros64(a))
}

// leading is how many zeros lead in n bits, -1 if all are.
func leading(a uint64, n int) uint32 {
	if a == 0 {
		return 1<<32 - 1
	}
	return uint32(n - bits.Len64(a))
}

// quads sets all four bits of each group of four that has one.
func quads(a uint64) uint64 {
	a |= a>>1&0x5555555555555555 | a&0x5555555555555555<<1
	return a | a>>2&0x3333333333333333 | a&0x3333333333333333<<2
}

// compares are the rows s_cmp_<name>_<type>: SCC is the result.
func compares(t table, name string, u func(a, b uint32) bool, i func(a, b int32) bool) {
	signed := func(a, b uint32) bool { return i(int32(a), int32(b)) }
	t["s_cmp_"+name+"_u32"] = row{"scc u32 u32", u}
	t["s_cmp_"+name+"_i32"] = row{"scc i32 i32", signed}
	t["s_cmpk_"+name+"_u32"] = row{"scc u32 u32", func(a, k uint32) bool { return u(a, uint32(uint16(k))) }}
	t["s_cmpk_"+name+"_i32"] = row{"scc i32 i32", func(a, k uint32) bool { return i(int32(a), int32(int16(k))) }}
}

var scalarCompare = func() table {
	t := table{
		"s_cmp_eq_u64":  {"scc u64 u64", func(a, b uint64) bool { return a == b }},
		"s_cmp_lg_u64":  {"scc u64 u64", func(a, b uint64) bool { return a != b }},
		"s_bitcmp0_b32": {"scc b32 u32", func(a, n uint32) bool { return a>>(n&31)&1 == 0 }},
		"s_bitcmp1_b32": {"scc b32 u32", func(a, n uint32) bool { return a>>(n&31)&1 == 1 }},
		"s_bitcmp0_b64": {"scc b64 u32", func(a, n uint64) bool { return a>>(n&63)&1 == 0 }},
		"s_bitcmp1_b64": {"scc b64 u32", func(a, n uint64) bool { return a>>(n&63)&1 == 1 }},
	}
	compares(t, "eq", func(a, b uint32) bool { return a == b }, func(a, b int32) bool { return a == b })
	compares(t, "lg", func(a, b uint32) bool { return a != b }, func(a, b int32) bool { return a != b })
	compares(t, "lt", func(a, b uint32) bool { return a < b }, func(a, b int32) bool { return a < b })
	compares(t, "le", func(a, b uint32) bool { return a <= b }, func(a, b int32) bool { return a <= b })
	compares(t, "gt", func(a, b uint32) bool { return a > b }, func(a, b int32) bool { return a > b })
	compares(t, "ge", func(a, b uint32) bool { return a >= b }, func(a, b int32) bool { return a >= b })
	return t
}()

// saluAliases are the names of GFX11 and GFX12 for what there was before.
var saluAliases = map[string]string{
	"s_and_not1_b32": "s_andn2_b32", "s_and_not1_b64": "s_andn2_b64",
	"s_or_not1_b32": "s_orn2_b32", "s_or_not1_b64": "s_orn2_b64",
	"s_ctz_i32_b32": "s_ff1_i32_b32", "s_ctz_i32_b64": "s_ff1_i32_b64",
	"s_clz_i32_u32": "s_flbit_i32_b32", "s_clz_i32_u64": "s_flbit_i32_b64",
	"s_cls_i32": "s_flbit_i32", "s_cls_i32_i64": "s_flbit_i32_i64",
	"s_add_co_u32": "s_add_u32", "s_sub_co_u32": "s_sub_u32",
	"s_add_co_i32": "s_add_i32", "s_sub_co_i32": "s_sub_i32",
	"s_add_co_ci_u32": "s_addc_u32", "s_sub_co_ci_u32": "s_subb_u32",
	"s_addk_co_i32": "s_addk_i32",
}
