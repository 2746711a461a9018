package amdemu

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A file is where an operand lives.
type file uint8

const (
	noFile   file = iota // "off", "null", or nothing
	sgpr                 // the scalar file: see the numbers below
	vgpr                 // one register a lane
	agpr                 // accumulation registers of CDNA
	literal              // bits of the instruction
	special              // a value the wave makes up: operand.special
	wordFile             // not a value: an option of the instruction, in text
)

// Numbers in the scalar file, those of the encoding where there is one. VCC and
// EXEC are pairs.
const (
	regFlatScratch = 102
	regVCC         = 106
	regTTMP        = 108 // 16 of them
	regM0          = 124
	regExec        = 126
	regNull        = 128 // reads as 0, pairs too; writes go nowhere
	scalarRegs     = 130
)

// An operand is one operand as the assembler writes it.
type operand struct {
	file file
	reg  int    // the first register
	n    int    // how many registers, 1 for literals
	text string // as written, without modifiers
	// A literal's value. Floats such as 0.5 take the width of the operand's type.
	bits    uint64
	float   float64
	isFloat bool
	abs     bool // |v0|
	neg     bool // -v0, or neg(...)
	sext    bool // sext(v0), of SDWA
	high    bool // v0.h
	forced  bool // lit(0): a literal of 32 bits for what could be an inline constant
	wide    bool // lit64(0): one of 64 bits
}

// named are the registers that have names.
var named = map[string]struct {
	f      file
	reg, n int
}{
	"vcc": {sgpr, regVCC, 2}, "vcc_lo": {sgpr, regVCC, 1}, "vcc_hi": {sgpr, regVCC + 1, 1},
	"exec": {sgpr, regExec, 2}, "exec_lo": {sgpr, regExec, 1}, "exec_hi": {sgpr, regExec + 1, 1},
	"flat_scratch": {sgpr, regFlatScratch, 2}, "flat_scratch_lo": {sgpr, regFlatScratch, 1},
	"flat_scratch_hi": {sgpr, regFlatScratch + 1, 1},
	"xnack_mask":      {sgpr, 104, 2}, "xnack_mask_lo": {sgpr, 104, 1}, "xnack_mask_hi": {sgpr, 105, 1},
	"m0": {sgpr, regM0, 1}, "null": {sgpr, regNull, 2},
	"scc": {special, 0, 1}, "src_scc": {special, 0, 1}, "vccz": {special, 0, 1}, "src_vccz": {special, 0, 1},
	"execz": {special, 0, 1}, "src_execz": {special, 0, 1},
	"src_shared_base": {special, 0, 2}, "src_shared_limit": {special, 0, 2},
	"src_private_base": {special, 0, 2}, "src_private_limit": {special, 0, 2},
	"off": {noFile, 0, 0},
}

// parseOperand reads an operand; text it does not know becomes a wordFile.
func parseOperand(text string) operand {
	o := operand{text: text}
	s := text
	for again := true; again; {
		again = false
		if inner, ok := enclosed(s, "|", "|"); ok {
			s, o.abs, again = inner, true, true
		}
		if inner, ok := enclosed(s, "neg(", ")"); ok {
			s, o.neg, again = inner, true, true
		}
		if inner, ok := enclosed(s, "abs(", ")"); ok {
			s, o.abs, again = inner, true, true
		}
		if inner, ok := enclosed(s, "sext(", ")"); ok {
			s, o.sext, again = inner, true, true
		}
		if inner, ok := enclosed(s, "lit(", ")"); ok {
			s, o.forced, again = inner, true, true
		}
		if inner, ok := enclosed(s, "lit64(", ")"); ok {
			s, o.wide, again = inner, true, true
		}
		if len(s) > 1 && s[0] == '-' && (s[1] == '|' || s[1] == 'v' || s[1] == 's' || s[1] == 'a' || s[1] == 't' || s[1] == 'm' || s[1] == 'e') {
			s, o.neg, again = s[1:], !o.neg, true
		}
	}
	o.text = s
	if o.register(s) || o.number(s) {
		return o
	}
	o.file = wordFile
	return o
}

func enclosed(s, open, shut string) (string, bool) {
	if len(s) > len(open)+len(shut) && strings.HasPrefix(s, open) && strings.HasSuffix(s, shut) {
		return s[len(open) : len(s)-len(shut)], true
	}
	return s, false
}

// register reads v5, s[4:5], ttmp9, vcc and so on, and v1.l and v1.h, the halves of
// GFX11's true 16-bit instructions.
func (o *operand) register(s string) bool {
	if reg, ok := strings.CutSuffix(s, ".l"); ok && s[0] == 'v' {
		return o.register(reg) && o.n == 1
	}
	if reg, ok := strings.CutSuffix(s, ".h"); ok && s[0] == 'v' {
		o.high = true
		return o.register(reg) && o.n == 1
	}
	if r, ok := named[s]; ok {
		o.file, o.reg, o.n = r.f, r.reg, r.n
		return true
	}
	for _, f := range []struct {
		prefix string
		file   file
		base   int
		limit  int
	}{{"ttmp", sgpr, regTTMP, 16}, {"v", vgpr, 0, 512}, {"s", sgpr, 0, 106}, {"a", agpr, 0, 256}} {
		rest, ok := strings.CutPrefix(s, f.prefix)
		if !ok {
			continue
		}
		first, last, ok := registers(rest)
		if !ok || last < first || last >= f.limit {
			continue
		}
		o.file, o.reg, o.n = f.file, f.base+first, last-first+1
		return true
	}
	return false
}

// registers reads "5" or "[4:7]".
func registers(s string) (first, last int, ok bool) {
	inner, isRange := enclosed(s, "[", "]")
	lo, hi, colon := strings.Cut(inner, ":")
	first, err := strconv.Atoi(lo)
	if err != nil || first < 0 || isRange != (inner != s) || colon && !isRange {
		return 0, 0, false
	}
	if !colon {
		return first, first, true
	}
	last, err = strconv.Atoi(hi)
	return first, last, err == nil
}

// number reads an integer or a float.
func (o *operand) number(s string) bool {
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		o.file, o.n, o.bits = literal, 1, uint64(v)
		return true
	}
	if v, err := strconv.ParseUint(s, 0, 64); err == nil {
		o.file, o.n, o.bits = literal, 1, v
		return true
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	o.file, o.n, o.float, o.isFloat = literal, 1, v, true
	return true
}

// inverse2Pi is the inline constant 1/(2*pi), which is not the rounded text.
const inverse2Pi = 0.15915494309189532

// value is a literal's bits as an operand of type t: integers of 32 bits or
// less are what they are; in a 64-bit operand a 32-bit literal is the upper half
// of a float, and is extended to integers by their sign, or by 0 if unsigned.
// Source: LLVM's "Syntax of AMDGPU Instruction Operands".
func (o *operand) value(t typ) (uint64, error) {
	if o.isFloat {
		f := o.float
		if math.Abs(f-inverse2Pi) < 1e-7 {
			f = inverse2Pi
		}
		switch t {
		case f64, b64, u64, i64:
			return math.Float64bits(f), nil
		case f16, v2f16:
			return uint64(half(float32(f))), nil
		case b16, u16, i16: // half of an f32, as LLVM's isInlinableLiteralI16 says
			return uint64(math.Float32bits(float32(f)) & 0xffff), nil
		}
		return uint64(math.Float32bits(float32(f))), nil
	}
	inline := int64(o.bits) >= -16 && int64(o.bits) <= 64 && !o.forced
	switch t {
	case f64:
		if !inline && o.bits <= math.MaxUint32 && !o.wide {
			return o.bits << 32, nil
		}
		return o.bits, nil
	case i64:
		if !inline && o.bits <= math.MaxUint32 {
			return uint64(int64(int32(o.bits))), nil
		}
		return o.bits, nil
	case b64, u64:
		return o.bits, nil
	}
	if o.bits > math.MaxUint32 && int64(o.bits) < math.MinInt32 {
		return 0, fmt.Errorf("literal %s in a 32-bit operand", o.text)
	}
	return o.bits & math.MaxUint32, nil
}
