package conformance

import (
	"bytes"
	"regexp"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// Kernels of one integer function each.

// ofLane is words that differ between threads, so that AMD's vector instructions are used.
func ofLane(x []uint32) (a, b, c uint32, out *uint32) {
	i := dsl.ThreadIdx().X * 4
	return x[i], x[i+1], x[i+2], &x[i+3]
}

func usesMul24(x []uint32)    { a, b, _, o := ofLane(x); *o = uint32(dsl.Mul24(int32(a), int32(b))) }
func usesUmul24(x []uint32)   { a, b, _, o := ofLane(x); *o = dsl.Mul24(a, b) }
func usesMad24(x []uint32)    { a, b, c, o := ofLane(x); *o = dsl.Mul24(a, b) + c }
func usesBytePerm(x []uint32) { a, b, _, o := ofLane(x); *o = dsl.BytePerm(a, b, 0x5140) }
func usesExtract(x []uint32)  { a, b, c, o := ofLane(x); *o = dsl.BitExtract(a, int(b), int(c)) }
func usesExtractSigned(x []uint32) {
	a, b, c, o := ofLane(x)
	*o = uint32(dsl.BitExtract(int32(a), int(b), int(c)))
}
func usesExtractKnown(x []uint32) { a, _, _, o := ofLane(x); *o = dsl.BitExtract(a, 5, 7) }
func usesInsert(x []uint32)       { a, b, c, o := ofLane(x); *o = dsl.BitInsert(a, b, int(c), int(a)) }
func usesInsertKnown(x []uint32)  { a, b, _, o := ofLane(x); *o = dsl.BitInsert(a, b, 0, 9) }
func usesSad(x []uint32)          { a, b, c, o := ofLane(x); *o = dsl.Sad(a, b, c) }
func usesSad4(x []uint32)         { a, b, c, o := ofLane(x); *o = dsl.Sad4(a, b, c) }
func usesFunnelR(x []uint32)      { a, b, c, o := ofLane(x); *o = dsl.FunnelShiftR(a, b, c) }
func usesFunnelL(x []uint32)      { a, b, c, o := ofLane(x); *o = dsl.FunnelShiftL(a, b, c) }
func usesFunnelLc(x []uint32)     { a, b, c, o := ofLane(x); *o = dsl.FunnelShiftLc(a, b, c) }
func usesDot4(x []uint32) {
	a, b, c, o := ofLane(x)
	*o = uint32(dsl.Dot4(int32(a), int32(b), int32(c)))
}
func usesUdot4(x []uint32) { a, b, c, o := ofLane(x); *o = dsl.Dot4(a, b, c) }
func usesDot4Sat(x []uint32) {
	a, b, c, o := ofLane(x)
	*o = uint32(dsl.Dot4Sat(int32(a), int32(b), int32(c)))
}
func usesDot4Mixed(x []uint32) { a, b, c, o := ofLane(x); *o = uint32(dsl.Dot4(int32(a), b, int32(c))) }
func usesDot2(x []uint32) {
	a, b, c, o := ofLane(x)
	*o = uint32(dsl.Dot2(int32(a), int32(b), int32(c)))
}
func usesUdot2(x []uint32) { a, b, c, o := ofLane(x); *o = dsl.Dot2Sat(a, b, c) }
func usesMulhi(x []uint32) { a, b, _, o := ofLane(x); *o = dsl.Mulhi(a, b) }

// Integer functions are the instruction that AMD's and NVIDIA's GPUs have for them.
func TestPacked(t *testing.T) {
	needLLVM(t)
	for _, c := range []struct {
		fn      func([]uint32)
		name    string
		pattern [3]string // of gfx90a, gfx1100, sm_80; "" where there is none
	}{
		{usesMul24, "Mul24", [3]string{`v_mul_i32_i24`, `v_mul_i32_i24`, ""}},
		{usesUmul24, "Mul24", [3]string{`v_mul_u32_u24`, `v_mul_u32_u24`, ""}},
		{usesMad24, "Mul24", [3]string{`v_mad_u32_u24`, `v_mad_u32_u24`, ""}},
		{usesBytePerm, "BytePerm", [3]string{`v_perm_b32`, `v_perm_b32`, `prmt\.b32`}},
		{usesExtract, "BitExtract", [3]string{`v_bfe_u32`, `v_bfe_u32`, `bfe\.u32`}},
		{usesExtractSigned, "BitExtract", [3]string{`v_bfe_i32`, `v_bfe_i32`, `bfe\.s32`}},
		{usesExtractKnown, "BitExtract", [3]string{`v_bfe_u32`, `v_bfe_u32`, ``}},
		{usesInsert, "BitInsert", [3]string{`v_bfi_b32`, `v_bfi_b32`, `bfi\.b32`}},
		{usesInsertKnown, "BitInsert", [3]string{`v_bfi_b32`, `v_bfi_b32`, ``}},
		{usesSad, "Sad", [3]string{`v_sad_u32`, `v_sad_u32`, `sad\.u32`}},
		{usesSad4, "Sad4", [3]string{`v_sad_u8`, `v_sad_u8`, `vabsdiff4\.u32\.u32\.u32\.add`}},
		{usesFunnelR, "FunnelShiftR", [3]string{`v_alignbit_b32`, `v_alignbit_b32`, `shf\.r\.wrap\.b32`}},
		{usesFunnelL, "FunnelShiftL", [3]string{`v_alignbit_b32`, `v_alignbit_b32`, `shf\.l\.wrap\.b32`}},
		{usesFunnelLc, "FunnelShiftLc", [3]string{`v_alignbit_b32`, `v_alignbit_b32`, `shf\.l\.clamp\.b32`}},
		{usesDot4, "Dot4", [3]string{`v_dot4c?_i32_i8`, `v_dot4_i32_iu8.* neg_lo:\[1,1,0\]`, `dp4a\.s32\.s32`}},
		{usesUdot4, "Dot4", [3]string{``, `v_dot4_i32_iu8 `, `dp4a\.u32\.u32`}},
		{usesDot4Sat, "Dot4Sat", [3]string{`v_dot4_i32_i8.* clamp`, `v_dot4_i32_iu8.* neg_lo:\[1,1,0\] clamp`, `dp4a\.s32\.s32`}},
		{usesDot4Mixed, "Dot4", [3]string{``, `v_dot4_i32_iu8.* neg_lo:\[1,0,0\]`, `dp4a\.s32\.u32`}},
		{usesDot2, "Dot2", [3]string{`v_dot2c?_i32_i16`, ``, ``}},
		{usesUdot2, "Dot2Sat", [3]string{`v_dot2_u32_u16.* clamp`, ``, ``}},
		{usesMulhi, "Mulhi", [3]string{`v_mul_hi_u32`, `v_mul_hi_u32`, `mul\.hi\.u32|mul\.wide\.u32`}},
	} {
		k := kernel.NewWith(c.fn, kernel.Options{NoBounds: true})
		for i, arch := range []string{"gfx90a", "gfx1100", "sm_80"} {
			if c.pattern[i] == "" {
				continue
			}
			var b bytes.Buffer
			if err := k.Dump(&b, arch, 0, kernel.Asm); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if !regexp.MustCompile(c.pattern[i]).Match(b.Bytes()) {
				t.Errorf("%s on %s: no %s\n%s", c.name, arch, c.pattern[i], b.Bytes())
			}
		}
	}
}
