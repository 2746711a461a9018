package amdemu

import (
	"math"
	"strings"
	"testing"
)

func TestParseOperand(t *testing.T) {
	for text, want := range map[string]operand{
		"v5":           {file: vgpr, reg: 5, n: 1},
		"v[4:7]":       {file: vgpr, reg: 4, n: 4},
		"a[0:1]":       {file: agpr, reg: 0, n: 2},
		"s[30:31]":     {file: sgpr, reg: 30, n: 2},
		"ttmp9":        {file: sgpr, reg: regTTMP + 9, n: 1},
		"vcc":          {file: sgpr, reg: regVCC, n: 2},
		"vcc_lo":       {file: sgpr, reg: regVCC, n: 1},
		"exec_hi":      {file: sgpr, reg: regExec + 1, n: 1},
		"m0":           {file: sgpr, reg: regM0, n: 1},
		"off":          {file: noFile},
		"|v3|":         {file: vgpr, reg: 3, n: 1, abs: true},
		"-v3":          {file: vgpr, reg: 3, n: 1, neg: true},
		"-|v3|":        {file: vgpr, reg: 3, n: 1, neg: true, abs: true},
		"neg(1)":       {file: literal, n: 1, bits: 1, neg: true},
		"sext(v1)":     {file: vgpr, reg: 1, n: 1, sext: true},
		"-16":          {file: literal, n: 1, bits: math.MaxUint64 - 15},
		"0xff":         {file: literal, n: 1, bits: 255},
		"0.5":          {file: literal, n: 1, float: 0.5, isFloat: true},
		"-4.0":         {file: literal, n: 1, float: -4, isFloat: true},
		"v3.l":         {file: vgpr, reg: 3, n: 1},
		"-v3.h":        {file: vgpr, reg: 3, n: 1, neg: true, high: true},
		"s3.h":         {file: wordFile},
		"lit(0x0)":     {file: literal, n: 1, forced: true},
		"lit64(0x10)":  {file: literal, n: 1, bits: 16, wide: true},
		"v[3:2]":       {file: wordFile},
		"v512":         {file: wordFile},
		"s106":         {file: wordFile},
		"hwreg(MODE)":  {file: wordFile},
		"src_scc":      {file: special, n: 1},
		"v[1":          {file: wordFile},
		"NaN":          {file: wordFile},
		"0x1ffffffff0": {file: literal, n: 1, bits: 0x1ffffffff0},
	} {
		got := parseOperand(text)
		got.text = ""
		if got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
}

// Source: LLVM's "Syntax of AMDGPU Instruction Operands", conversion of literals.
func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		text string
		t    typ
		want uint64
	}{
		{"1.0", f32, 0x3f800000}, {"1.0", f16, 0x3c00}, {"1.0", f64, 0x3ff0000000000000},
		{"1.0", u32, 0x3f800000}, {"1.0", b64, 0x3ff0000000000000},
		{"0.15915494", f32, 0x3e22f983}, {"0.15915494309189532", f64, 0x3fc45f306dc9c882}, {"0.15915494", f16, 0x3118},
		{"-1", u32, 0xffffffff}, {"-1", b64, math.MaxUint64}, {"-1", f64, math.MaxUint64}, {"64", f64, 64},
		{"0x3ff00000", f64, 0x3ff0000000000000}, {"0x80000000", i64, 0xffffffff80000000}, {"0x80000000", u64, 0x80000000},
		{"lit(0x1)", u32, 1}, {"lit(0x1)", f64, 1 << 32}, {"lit64(0x3ff00000)", f64, 0x3ff00000}, {"0x41", i64, 0x41}, {"0xffffffff", b64, 0xffffffff},
	} {
		o := parseOperand(c.text)
		got, err := o.value(c.t)
		if err != nil || got != c.want {
			t.Errorf("%s as type %d is %#x, %v; want %#x", c.text, c.t, got, err, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"s_endpgm":                 "s_endpgm||",
		"v_add_f32_e32 v0, s1, v2": "v_add_f32|v0 s1 v2|",
		"v_add_f32_e64 v0, |v1|, -v2 clamp mul:2":                             "v_add_f32|v0 v1 v2|clamp= mul=2",
		"ds_write_b8 v8, v12 offset:3":                                        "ds_write_b8|v8 v12|offset=3",
		"global_load_dword v1, v[2:3], off glc slc":                           "global_load_dword|v1 v[2:3] off|glc= slc=",
		"v_mov_b32_dpp v1, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf": "v_mov_b32|v1 v0|bank_mask=0xf quad_perm=[1,0,3,2] row_mask=0xf",
		"s_waitcnt vmcnt(0) lgkmcnt(0)":                                       "s_waitcnt|vmcnt(0)|lgkmcnt(0)=",
		"s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s3":                           "s_setreg_b32|hwreg(HW_REG_MODE, 4, 2) s3|",
	} {
		all, err := parse(text)
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %d instructions, %v", text, len(all), err)
			continue
		}
		in := all[0]
		var operands, options []string
		for _, o := range in.operands {
			operands = append(operands, o.text)
		}
		for _, key := range sortedKeys(in.options) {
			options = append(options, key+"="+in.options[key])
		}
		got := in.name + "|" + strings.Join(operands, " ") + "|" + strings.Join(options, " ")
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if all, err := parse("v_dual_mov_b32 v0, 3 :: v_dual_add_f32 v1, v2, v3"); err != nil || len(all) != 2 || all[1].name != "v_add_f32" {
		t.Errorf("a dual instruction is %v, %v", all, err)
	}
	for _, text := range []string{"v_x v1,, v2", "v_x v[1, v2", "v_x )"} {
		if all, err := parse(text); err == nil {
			t.Errorf("%s is accepted: %+v", text, all[0])
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("v_add_f32_e64 v0, |v1|, -v2 clamp mul:2")
	f.Add("v_dual_mov_b32 v0, 3 :: v_dual_add_f32 v1, v2, v3")
	f.Fuzz(func(t *testing.T, text string) {
		in := decode(Line{Addr: 0, Size: 4, Text: text}, 11)
		if in.run == nil {
			t.Errorf("%q has no function", text)
		}
	})
}
