package amdemu

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// scalarResult runs "op sdst, s0, s2" with 64 bits of a in s[0:1] and of b in
// s[2:3], and returns s[4:5] (32 bits of it where the name says so) and SCC.
func scalarResult(t *testing.T, op string, a, b uint64, scc bool) (uint64, bool) {
	t.Helper()
	w := bare(64)
	w.s[0], w.s[1], w.s[2], w.s[3] = uint32(a), uint32(a>>32), uint32(b), uint32(b>>32)
	w.s[4], w.s[5] = 0xaaaaaaaa, 0xbbbbbbbb
	w.scc = scc
	name := strings.Fields(op)
	reg := map[string]string{"32": "s%d", "64": "s[%d:%[2]d]"}
	at := func(bits string, n int) string {
		return fmt.Sprintf(strings.Replace(reg[bits], "%[2]d", fmt.Sprint(n+1), 1), n)
	}
	// name[1:] are the widths of destination and sources; 0 for none
	var operands []string
	for i, bits := range name[1:] {
		if bits != "0" {
			operands = append(operands, at(bits, []int{4, 0, 2}[i]))
		}
	}
	execute(t, w, 9, name[0]+" "+strings.Join(operands, ", "))
	v := uint64(w.s[4])
	if name[1] == "64" {
		v |= uint64(w.s[5]) << 32
	} else if w.s[5] != 0xbbbbbbbb {
		t.Errorf("%s wrote a register too many", op)
	}
	return v, w.scc
}

// keepSCC says that SCC stays what it was, 1.
const keepSCC = 2

// scalarValues are values of the ISA documents' pseudocode, worked out by hand: edges of
// shifts, fields, signs and carries.
var scalarValues = []struct {
	op   string
	a, b uint64
	want uint64
	scc  int
}{
	{"s_mov_b32 32 32 0", 0x123456789, 0, 0x23456789, keepSCC},
	{"s_mov_b64 64 64 0", 0x123456789, 0, 0x123456789, keepSCC},
	{"s_cselect_b32 32 32 32", 5, 6, 5, keepSCC},
	{"s_cselect_b64 64 64 64", 5 << 40, 6, 5 << 40, keepSCC},
	{"s_cmov_b32 32 32 0", 7, 0, 7, keepSCC},
	{"s_not_b32 32 32 0", 0xffffffff, 0, 0, 0},
	{"s_not_b64 64 64 0", 0xffffffff, 0, 0xffffffff00000000, 1},
	{"s_add_u32 32 32 32", 0xffffffff, 1, 0, 1},
	{"s_add_u32 32 32 32", 0x7fffffff, 1, 0x80000000, 0},
	{"s_add_i32 32 32 32", 0x7fffffff, 1, 0x80000000, 1},
	{"s_add_i32 32 32 32", 0xffffffff, 1, 0, 0},
	{"s_add_i32 32 32 32", 0x80000000, 0x80000000, 0, 1},
	{"s_sub_u32 32 32 32", 0, 1, 0xffffffff, 1},
	{"s_sub_i32 32 32 32", 0x80000000, 1, 0x7fffffff, 1},
	{"s_sub_i32 32 32 32", 0, 1, 0xffffffff, 0},
	{"s_sub_i32 32 32 32", 0, 0x80000000, 0x80000000, 1},
	{"s_addc_u32 32 32 32", 0xffffffff, 0xffffffff, 0xffffffff, 1},
	{"s_addc_u32 32 32 32", 1, 2, 4, 0},
	{"s_subb_u32 32 32 32", 0, 0, 0xffffffff, 1},
	{"s_subb_u32 32 32 32", 5, 3, 1, 0},
	{"s_mul_i32 32 32 32", 0xfffffffe, 3, 0xfffffffa, keepSCC},
	{"s_mul_hi_u32 32 32 32", 0xffffffff, 0xffffffff, 0xfffffffe, keepSCC},
	{"s_mul_hi_i32 32 32 32", 0xffffffff, 0xffffffff, 0, keepSCC},
	{"s_mul_u64 64 64 64", 1 << 33, 1 << 33, 0, keepSCC},
	{"s_abs_i32 32 32 0", 0x80000000, 0, 0x80000000, 1},
	{"s_abs_i32 32 32 0", 0xfffffffb, 0, 5, 1},
	{"s_abs_i32 32 32 0", 0, 0, 0, 0},
	{"s_absdiff_i32 32 32 32", 2, 5, 3, 1},
	{"s_min_i32 32 32 32", 0xffffffff, 0, 0xffffffff, 1},
	{"s_min_u32 32 32 32", 0xffffffff, 0, 0, 0},
	{"s_max_i32 32 32 32", 0xffffffff, 0, 0, 0},
	{"s_max_u32 32 32 32", 0xffffffff, 0, 0xffffffff, 1},
	{"s_max_u32 32 32 32", 3, 3, 3, 1},
	{"s_max_u32 32 32 32", 3, 4, 4, 0},
	{"s_max_i32 32 32 32", 0xfffffffe, 0xfffffffe, 0xfffffffe, 1},
	{"s_max_i32 32 32 32", 5, 0xfffffffe, 5, 1},
	{"s_min_i32 32 32 32", 3, 3, 3, 0},
	{"s_min_u32 32 32 32", 3, 3, 3, 0},
	{"s_sext_i32_i8 32 32 0", 0x80, 0, 0xffffff80, keepSCC},
	{"s_sext_i32_i16 32 32 0", 0x7fff, 0, 0x7fff, keepSCC},
	{"s_lshl_b32 32 32 32", 1, 31, 0x80000000, 1},
	{"s_lshl_b32 32 32 32", 1, 32, 1, 1},
	{"s_lshl_b64 64 64 32", 1, 63, 1 << 63, 1},
	{"s_lshl_b64 64 64 32", 1 << 63, 1, 0, 0},
	{"s_lshr_b32 32 32 32", 0x80000000, 63, 1, 1},
	{"s_lshr_b64 64 64 32", 1 << 63, 63, 1, 1},
	{"s_ashr_i32 32 32 32", 0x80000000, 31, 0xffffffff, 1},
	{"s_ashr_i64 64 64 32", 1 << 63, 63, 1<<64 - 1, 1},
	{"s_bfm_b32 32 32 32", 4, 8, 0xf00, keepSCC},
	{"s_bfm_b64 64 32 32", 8, 60, 0xf << 60, keepSCC},
	{"s_bfe_u32 32 32 32", 0xabcd1234, 8<<16 | 4, 0x23, 1},
	{"s_bfe_u32 32 32 32", 0xabcd1234, 0<<16 | 4, 0, 0},
	{"s_bfe_u32 32 32 32", 0xabcd1234, 32<<16 | 16, 0xabcd, 1},
	{"s_bfe_i32 32 32 32", 0x00000080, 8 << 16, 0xffffff80, 1},
	{"s_bfe_i32 32 32 32", 0x80000000, 32<<16 | 31, 0xffffffff, 1},
	{"s_bfe_u64 64 64 32", 0xff << 50, 8<<16 | 50, 0xff, 1},
	{"s_bfe_i64 64 64 32", 0xffffffff, 32 << 16, 1<<64 - 1, 1},
	{"s_bfe_i64 64 64 32", 0x7fffffff, 32 << 16, 0x7fffffff, 1},
	{"s_brev_b32 32 32 0", 1, 0, 0x80000000, keepSCC},
	{"s_brev_b64 64 64 0", 2, 0, 1 << 62, keepSCC},
	{"s_bcnt1_i32_b32 32 32 0", 0xf0f0, 0, 8, 1},
	{"s_bcnt1_i32_b64 32 64 0", 1<<64 - 1, 0, 64, 1},
	{"s_bcnt0_i32_b32 32 32 0", 0xffffffff, 0, 0, 0},
	{"s_bcnt0_i32_b64 32 64 0", 0, 0, 64, 1},
	{"s_ff1_i32_b32 32 32 0", 0x8000, 0, 15, keepSCC},
	{"s_ff1_i32_b32 32 32 0", 0, 0, 0xffffffff, keepSCC},
	{"s_ff1_i32_b64 32 64 0", 1 << 40, 0, 40, keepSCC},
	{"s_ff1_i32_b64 32 64 0", 0, 0, 0xffffffff, keepSCC},
	{"s_ff0_i32_b32 32 32 0", 0xff, 0, 8, keepSCC},
	{"s_flbit_i32_b32 32 32 0", 0xffff, 0, 16, keepSCC},
	{"s_flbit_i32_b32 32 32 0", 0, 0, 0xffffffff, keepSCC},
	{"s_flbit_i32_b64 32 64 0", 1, 0, 63, keepSCC},
	{"s_flbit_i32 32 32 0", 0xffffffff, 0, 0xffffffff, keepSCC},
	{"s_flbit_i32 32 32 0", 0x80000000, 0, 1, keepSCC},
	{"s_flbit_i32 32 32 0", 0x7fffffff, 0, 1, keepSCC},
	{"s_flbit_i32_i64 32 64 0", 0xffff000000000000, 0, 16, keepSCC},
	{"s_bitset1_b32 32 32 0", 33, 0, 0xaaaaaaaa | 2, keepSCC},
	{"s_bitset0_b32 32 32 0", 1, 0, 0xaaaaaaa8, keepSCC},
	{"s_and_b32 32 32 32", 12, 10, 8, 1},
	{"s_or_b64 64 64 64", 1 << 40, 1, 1<<40 | 1, 1},
	{"s_xor_b32 32 32 32", 6, 6, 0, 0},
	{"s_andn2_b64 64 64 64", 15, 9, 6, 1},
	{"s_orn2_b32 32 32 32", 0, 0xfffffffe, 1, 1},
	{"s_nand_b32 32 32 32", 0xffffffff, 0xffffffff, 0, 0},
	{"s_nor_b64 64 64 64", 0, 0, 1<<64 - 1, 1},
	{"s_xnor_b32 32 32 32", 1, 2, 0xfffffffc, 1},
	{"s_pack_ll_b32_b16 32 32 32", 0x11112222, 0x33334444, 0x44442222, keepSCC},
	{"s_pack_lh_b32_b16 32 32 32", 0x11112222, 0x33334444, 0x33332222, keepSCC},
	{"s_pack_hh_b32_b16 32 32 32", 0x11112222, 0x33334444, 0x33331111, keepSCC},
	{"s_bitreplicate_b64_b32 64 32 0", 0x80000001, 0, 0xc000000000000003, keepSCC},
	{"s_wqm_b64 64 64 0", 0x8000000000000010, 0, 0xf0000000000000f0, 1},
	{"s_wqm_b32 32 32 0", 0, 0, 0, 0},
	{"s_lshl1_add_u32 32 32 32", 0x80000000, 3, 3, 1},
	{"s_lshl4_add_u32 32 32 32", 1, 3, 19, 0},
}

// Scalar instructions by these values, where SCC is 1 before.
func TestScalar(t *testing.T) {
	for _, c := range scalarValues {
		got, scc := scalarResult(t, c.op, c.a, c.b, true)
		if want := c.scc != 0; got != c.want || scc != want {
			t.Errorf("%s of %#x, %#x is %#x, SCC %t; want %#x, %t", c.op, c.a, c.b, got, scc, c.want, want)
		}
	}
}

// Those that read SCC, where it is 0 before.
func TestScalarWithoutSCC(t *testing.T) {
	for _, c := range []struct {
		op         string
		a, b, want uint64
	}{
		{"s_cselect_b32 32 32 32", 5, 6, 6},
		{"s_cmov_b32 32 32 0", 7, 0, 0xaaaaaaaa},
		{"s_cmov_b64 64 64 0", 7, 0, 0xbbbbbbbbaaaaaaaa},
		{"s_addc_u32 32 32 32", 0xffffffff, 0, 0xffffffff},
		{"s_subb_u32 32 32 32", 5, 3, 2},
	} {
		if got, scc := scalarResult(t, c.op, c.a, c.b, false); got != c.want || scc {
			t.Errorf("%s of %#x, %#x without SCC is %#x, SCC %t; want %#x", c.op, c.a, c.b, got, scc, c.want)
		}
	}
}

// Comparisons, against arithmetic on big integers.
func TestScalarCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 5}
	meaning := map[string]func(c int) bool{
		"eq": func(c int) bool { return c == 0 }, "lg": func(c int) bool { return c != 0 },
		"lt": func(c int) bool { return c < 0 }, "le": func(c int) bool { return c <= 0 },
		"gt": func(c int) bool { return c > 0 }, "ge": func(c int) bool { return c >= 0 },
	}
	for name, f := range meaning {
		for range 200 {
			a, b := edges[r.IntN(len(edges))], edges[r.IntN(len(edges))]
			for typ, value := range map[string]func(uint32) int64{
				"u32": func(x uint32) int64 { return int64(x) },
				"i32": func(x uint32) int64 { return int64(int32(x)) },
			} {
				w := bare(64)
				w.s[0], w.s[1] = a, b
				execute(t, w, 9, fmt.Sprintf("s_cmp_%s_%s s0, s1", name, typ))
				if want := f(big.NewInt(value(a)).Cmp(big.NewInt(value(b)))); w.scc != want {
					t.Errorf("s_cmp_%s_%s of %#x, %#x is %t", name, typ, a, b, w.scc)
				}
			}
		}
	}
	for text, want := range map[string]bool{
		"s_cmpk_eq_i32 s0, 0xffff": true, "s_cmpk_eq_u32 s0, 0xffff": false, "s_cmpk_lt_i32 s0, 0": true,
		"s_cmpk_gt_u32 s0, 0xffff": true, "s_cmp_eq_u64 s[0:1], s[2:3]": false, "s_cmp_lg_u64 s[0:1], s[2:3]": true,
		"s_bitcmp1_b32 s0, 31": true, "s_bitcmp0_b32 s0, 31": false, "s_bitcmp1_b64 s[0:1], 32": true, "s_bitcmp1_b64 s[0:1], 33": false,
	} {
		w := bare(64)
		w.s[0], w.s[1], w.s[2], w.s[3] = 0xffffffff, 1, 0xffffffff, 2
		w.scc = !want
		execute(t, w, 9, text)
		if w.scc != want {
			t.Errorf("%s is %t", text, w.scc)
		}
	}
}

// EXEC and what is saved of it, at both wave sizes.
func TestSaveExec(t *testing.T) {
	const a, e = 0x00ff00ff0f0f3333, 0x0f0f0f0f55aa55aa
	for name, want := range map[string]uint64{
		"and": a & e, "or": a | e, "xor": a ^ e, "andn2": a &^ e, "orn2": a | ^uint64(e), "nand": ^uint64(a & e),
		"nor": ^uint64(a | e), "xnor": ^uint64(a ^ e), "andn1": e &^ a, "orn1": e | ^uint64(a), "and_not0": e &^ a,
	} {
		w := bare(64)
		w.setMask(regExec, e)
		w.s[0], w.s[1] = a&0xffffffff, a>>32
		execute(t, w, 11, "s_"+name+"_saveexec_b64 s[2:3], s[0:1]")
		if w.mask(regExec) != want || w.mask(2) != e || w.scc != (want != 0) {
			t.Errorf("%s: exec %#x, saved %#x, SCC %t; want %#x", name, w.mask(regExec), w.mask(2), w.scc, want)
		}
		w = bare(32)
		w.s[regExec], w.s[0], w.s[3] = e&0xffffffff, a&0xffffffff, 77
		execute(t, w, 11, "s_"+name+"_saveexec_b32 s2, s0")
		if w.s[regExec] != uint32(want) || w.s[2] != e&0xffffffff || w.s[3] != 77 {
			t.Errorf("%s in wave32: exec %#x, saved %#x", name, w.s[regExec], w.s[2])
		}
	}
	w := bare(64)
	w.setMask(regExec, 0xff)
	w.s[0], w.s[1] = 0xf, 0
	execute(t, w, 9, "s_andn1_wrexec_b64 s[2:3], s[0:1]")
	if w.mask(regExec) != 0xf0 || w.mask(2) != 0xf0 {
		t.Errorf("wrexec: exec %#x, result %#x", w.mask(regExec), w.mask(2))
	}
}

// Branches, calls and the registers of the wave's state.
func TestControl(t *testing.T) {
	for _, c := range []struct {
		text  string
		taken bool
	}{
		{"s_branch 5", true}, {"s_cbranch_scc1 5", true}, {"s_cbranch_scc0 5", false},
		{"s_cbranch_vccz 5", true}, {"s_cbranch_vccnz 5", false}, {"s_cbranch_execz 5", false}, {"s_cbranch_execnz 5", true},
	} {
		w := bare(64)
		w.pc, w.scc = 1000, true
		execute(t, w, 9, c.text)
		if want := uint64(ifThen(c.taken, 1020, 1000)); w.pc != want {
			t.Errorf("%s goes to %d, want %d", c.text, w.pc, want)
		}
	}
	w := bare(64)
	w.pc = 1000
	execute(t, w, 9, "s_branch 65534")
	if w.pc != 992 {
		t.Errorf("backwards: %d", w.pc)
	}
	w.s[0], w.s[1] = 0x1000, 2
	execute(t, w, 9, "s_getpc_b64 s[4:5]", "s_swappc_b64 s[6:7], s[0:1]")
	if w.pc != 0x200001000 || w.s[4] != 992 || w.s[6] != 992 {
		t.Errorf("swappc: pc %#x, s4 %d, s6 %d", w.pc, w.s[4], w.s[6])
	}
	execute(t, w, 9, "s_setpc_b64 s[6:7]", "s_mov_b32 s0, 0x2f", "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s0", "s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 8)")
	if w.pc != 992 || w.mode != 0xf0 || w.s[1] != 0xf0 {
		t.Errorf("pc %d, mode %#x, s1 %#x", w.pc, w.mode, w.s[1])
	}
	execute(t, w, 10, "s_denorm_mode 12", "s_round_mode 0x0")
	if w.mode != 0xc0 || !w.mode.flush32() || w.mode.flush64() || !w.slow {
		t.Errorf("mode %#x", w.mode)
	}
	for text, want := range map[string]string{
		"s_round_mode 0x1": "rounds to nearest", "s_trap 2": "trap 2", "s_code_end": "past the end",
		"s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0": "HW_REG_TRAPSTS", "s_getreg_b32 s0, hwreg(HW_REG_IB_STS)": "HW_REG_IB_STS",
		"s_frobnicate s0": "does not know the instruction s_frobnicate", "": "no instruction",
		"s_add_u32 s0": "operands missing", "s_add_u32 s0, s1, s2, s3": "left over", "v_add_f32 v0, v1, frob": "frob",
		"v_mov_b32_dpp v0, v1 row_spin:1": "row_spin", "s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_TBA)": "GET_TBA",
	} {
		if why := faults(t, bare(64), 11, text); !strings.Contains(why, want) {
			t.Errorf("%s: %s", text, why)
		}
	}
	w = bare(64)
	w.classes[0] = 100
	execute(t, w, 9, "s_memtime s[0:1]", "s_memrealtime s[2:3]")
	if w.s[0] != 400 || w.s[2] == 0 {
		t.Errorf("clocks %d, %d", w.s[0], w.s[2])
	}
	w.s[regM0], w.s[9] = 3, 42
	execute(t, w, 9, "s_movrels_b32 s20, s6", "s_movreld_b32 s21, s9", "s_movrels_b64 s[22:23], s[6:7]")
	if w.s[20] != 42 || w.s[24] != 42 || w.s[22] != 42 {
		t.Errorf("moved %d, %d, %d", w.s[20], w.s[24], w.s[22])
	}
}
