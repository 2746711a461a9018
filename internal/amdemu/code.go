package amdemu

import (
	"fmt"
	"strings"
)

// code is one executable section, decoded.
type code struct {
	base  uint64
	insts []*inst // by (address - base) / 4; nil inside an instruction
	// vgprs and agprs are how many registers the instructions name.
	vgprs, agprs int
}

// at is the instruction at an address, nil if there is none.
func (c *code) at(pc uint64) *inst {
	if i := (pc - c.base) >> 2; i < uint64(len(c.insts)) && pc&3 == 0 {
		return c.insts[i]
	}
	return nil
}

// before is the instruction that precedes an address, nil if there is none.
func (c *code) before(pc uint64) *inst {
	if c == nil || pc < c.base {
		return nil
	}
	for i := min((pc-c.base)>>2, uint64(len(c.insts))); i > 0; i-- {
		if in := c.insts[i-1]; in != nil {
			return in
		}
	}
	return nil
}

// decodeAll makes instructions of n bytes of code at base. An instruction that
// cannot be decoded or has no row in the table fails when it is executed: code
// has padding, and functions that are never called.
func decodeAll(lines []Line, base uint64, n int, generation int) *code {
	c := &code{base: base, insts: make([]*inst, (n+3)/4)}
	for _, line := range lines {
		if line.Addr < base || line.Addr-base >= uint64(n) {
			continue
		}
		in := decode(line, generation)
		c.insts[(line.Addr-base)/4] = in
		c.count(in)
	}
	return c
}

func (c *code) count(in *inst) {
	for _, o := range in.operands {
		switch o.file {
		case vgpr:
			c.vgprs = max(c.vgprs, o.reg+o.n)
		case agpr:
			c.agprs = max(c.agprs, o.reg+o.n)
		}
	}
	for _, half := range in.dual {
		c.count(half)
	}
}

// decode parses a line of disassembly and finds the rows of its operations. What it cannot
// decode becomes an instruction that fails when it is executed.
func decode(line Line, generation int) *inst {
	if line.Text == "" {
		return fails(line, "no instruction that the disassembler knows")
	}
	all, err := parse(line.Text)
	for _, in := range all {
		if err == nil {
			err = bind(in, generation)
		}
	}
	if err != nil {
		return fails(line, err.Error())
	}
	in := all[0]
	if len(all) == 2 {
		in = pair(all[0], all[1])
	}
	in.addr, in.size, in.text = line.Addr, line.Size, line.Text
	return in
}

// fails is an instruction whose execution is an error.
func fails(line Line, why string) *inst {
	mnemonic, _, _ := strings.Cut(line.Text, " ")
	return &inst{
		addr: line.Addr, size: line.Size, text: line.Text, mnemonic: mnemonic,
		class: classOther, run: func(w *wave) { w.fail(-1, why) },
	}
}

// bind looks the instruction's row up and makes its function.
func bind(in *inst, generation int) error {
	in.generation = generation
	r, ok := in.lookup(generation)
	if !ok {
		return fmt.Errorf("the emulator does not know the instruction %s", in.name)
	}
	in.class = classOf(in)
	if make, ok := r.fn.(binder); ok {
		var err error
		in.run, err = make(in)
		return err
	}
	if f, ok := r.fn.(func(w *wave, in *inst)); ok {
		if strings.HasPrefix(in.name, "v_") {
			if err := in.readModifiers(); err != nil {
				return err
			}
		}
		in.run = func(w *wave) { f(w, in) }
		return nil
	}
	if strings.HasPrefix(in.name, "v_s_") && len(in.options) == 0 {
		return bindScalar(in, r) // once a wave, whatever EXEC is
	}
	if strings.HasPrefix(in.name, "v_") {
		in.mod.zeroHigh = generation < 10 && !keepsHigh[in.name]
		return bindVector(in, r)
	}
	return bindScalar(in, r)
}

// keepsHigh are the 16-bit instructions that leave the upper half of what they
// write alone on GFX9 already. Source: LLVM, zeroesHigh16BitsOfDest.
var keepsHigh = map[string]bool{
	"v_mad_f16": true, "v_fma_f16": true, "v_div_fixup_f16": true, "v_mad_u16": true, "v_mad_i16": true,
	"v_cvt_pk_fp8_f32": true, "v_cvt_pk_bf8_f32": true,
	"v_mad_mixlo_f16": true, "v_fma_mixlo_f16": true, "v_mad_mixhi_f16": true, "v_fma_mixhi_f16": true,
}

// lookup finds the row: of the mnemonic with neg_lo where that tells signed sources,
// with clamp where integers have one, of the mnemonic in a generation where that
// matters ("name gfx9"), or of the mnemonic.
func (in *inst) lookup(generation int) (row, bool) {
	name := in.name
	take := func(option, with string) {
		if _, ok := ops[name+with]; ok {
			name += with
			delete(in.options, option)
		}
	}
	if signed, ok := in.options["neg_lo"]; ok {
		take("neg_lo", " neg_lo:"+signed)
	}
	if n, ok := in.options["byte_sel"]; ok {
		take("byte_sel", " byte_sel:"+n)
	}
	if _, ok := in.options["clamp"]; ok {
		take("clamp", " clamp")
	}
	take("", fmt.Sprintf(" gfx%d", generation))
	r, ok := ops[name]
	return r, ok
}

// classOf sorts instructions for the counters.
func classOf(in *inst) class {
	for _, c := range []struct {
		prefix string
		class  class
	}{
		{"v_", classVALU}, {"ds_", classLDS}, {"scratch_", classScratch},
		{"global_inv", classOther}, {"global_wb", classOther},
		{"global_", classVMEM}, {"flat_", classVMEM}, {"buffer_load", classVMEM}, {"buffer_store", classVMEM},
		{"buffer_atomic", classVMEM}, {"image_", classVMEM}, {"buffer_", classOther},
		{"s_load_", classSMEM}, {"s_buffer_load", classSMEM}, {"s_scratch_", classSMEM}, {"s_dcache", classSMEM},
		{"s_cbranch", classBranch}, {"s_branch", classBranch}, {"s_setpc", classBranch}, {"s_swappc", classBranch},
		{"s_call", classBranch}, {"s_endpgm", classBranch},
		{"s_wait", classOther}, {"s_nop", classOther}, {"s_barrier", classOther}, {"s_delay", classOther},
		{"s_clause", classOther}, {"s_sleep", classOther}, {"s_set_inst", classOther}, {"s_inst_pref", classOther},
		{"s_sendmsg", classOther}, {"s_code_end", classOther}, {"s_icache", classOther},
	} {
		if strings.HasPrefix(in.name, c.prefix) {
			return c.class
		}
	}
	return classSALU
}

// pair makes one instruction of the two halves of a VOPD: both read before
// either writes.
func pair(x, y *inst) *inst {
	both := *x
	both.dual = []*inst{x, y}
	switch d, e := target(x), target(y); {
	case !readsVGPR(y, d):
		both.run = func(w *wave) { x.run(w); y.run(w) }
	case !readsVGPR(x, e):
		both.run = func(w *wave) { y.run(w); x.run(w) }
	default: // each reads what the other writes
		both.run = func(w *wave) {
			old := w.v[d]
			x.run(w)
			written := w.v[d]
			w.v[d] = old
			y.run(w)
			w.v[d] = written
		}
	}
	return &both
}

// target is the VGPR that half of a VOPD writes.
func target(in *inst) int { return in.operands[0].reg }

// readsVGPR says whether the instruction reads VGPR r.
func readsVGPR(in *inst, r int) bool {
	for i, o := range in.operands {
		if o.file == vgpr && o.reg == r && (i > 0 || strings.Contains(in.name, "fmac") || strings.Contains(in.name, "dot2")) {
			return true
		}
	}
	return false
}
