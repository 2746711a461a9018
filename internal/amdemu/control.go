package amdemu

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// This file has the instructions that change the flow: branches, EXEC, waits,
// barriers, modes. They are rows whose function does everything; what is not in
// the text's operands comes from in.options.

// do makes a row of a function that reads its operands itself.
func do(f func(w *wave, in *inst)) row { return row{"", f} }

// nothing is for what has no effect here: hints, and waits for what has been
// done when an instruction ends.
var nothing = do(func(*wave, *inst) {})

// scalarFlow is where a wave goes on: ends, branches, calls, barriers.
var scalarFlow = table{
	"s_endpgm":       do(func(w *wave, _ *inst) { w.end() }),
	"s_endpgm_saved": do(func(w *wave, _ *inst) { w.end() }),
	"s_trap":         do(func(w *wave, in *inst) { w.fail(-1, "trap "+in.operands[0].text) }),
	"s_sethalt":      do(func(w *wave, _ *inst) { w.fail(-1, "halt") }),
	"s_code_end":     do(func(w *wave, _ *inst) { w.fail(-1, "ran past the end of the code") }),

	"s_branch":          branch(func(*wave) bool { return true }),
	"s_cbranch_scc0":    branch(func(w *wave) bool { return !w.scc }),
	"s_cbranch_scc1":    branch(func(w *wave) bool { return w.scc }),
	"s_cbranch_vccz":    branch(func(w *wave) bool { return w.mask(regVCC) == 0 }),
	"s_cbranch_vccnz":   branch(func(w *wave) bool { return w.mask(regVCC) != 0 }),
	"s_cbranch_execz":   branch(func(w *wave) bool { return w.exec() == 0 }),
	"s_cbranch_execnz":  branch(func(w *wave) bool { return w.exec() != 0 }),
	"s_cbranch_cdbgsys": branch(func(*wave) bool { return false }),

	"s_getpc_b64": do(func(w *wave, in *inst) { w.setScalar64(&in.operands[0], w.pc) }),
	"s_setpc_b64": do(func(w *wave, in *inst) { w.pc = w.scalar64(&in.operands[0], b64) }),
	"s_swappc_b64": do(func(w *wave, in *inst) {
		to := w.scalar64(&in.operands[1], b64)
		w.setScalar64(&in.operands[0], w.pc)
		w.pc = to
	}),
	"s_call_b64": do(func(w *wave, in *inst) {
		w.setScalar64(&in.operands[0], w.pc)
		w.pc += jump(&in.operands[1])
	}),

	"s_barrier":        do(func(w *wave, _ *inst) { w.arrive(); w.wait() }),
	"s_barrier_signal": do(func(w *wave, _ *inst) { w.arrive() }),
	"s_barrier_wait":   do(func(w *wave, _ *inst) { w.wait() }),
	"s_barrier_leave":  nothing,
	"s_sleep":          do(func(w *wave, _ *inst) { w.yield = true }),
	"s_sleep_var":      do(func(w *wave, _ *inst) { w.yield = true }),
}

// scalarState is what a wave is besides its registers: modes, clocks, messages,
// and registers named by M0.
var scalarState = table{
	"s_setreg_b32": do(func(w *wave, in *inst) {
		w.setReg(in.operands[0].text, w.scalar32(&in.operands[1], b32))
	}),
	"s_setreg_imm32_b32": do(func(w *wave, in *inst) {
		w.setReg(in.operands[0].text, w.scalar32(&in.operands[1], b32))
	}),
	"s_getreg_b32": do(func(w *wave, in *inst) {
		w.setScalar32(&in.operands[0], w.getReg(in.operands[1].text))
	}),
	"s_round_mode":  do(func(w *wave, in *inst) { w.setMode(w.mode&^15 | mode(in.operands[0].bits&15)) }),
	"s_denorm_mode": do(func(w *wave, in *inst) { w.setMode(w.mode&^0xf0 | mode(in.operands[0].bits&15)<<4) }),

	"s_memtime":         do(func(w *wave, in *inst) { w.setScalar64(&in.operands[0], w.clock()) }),
	"s_memrealtime":     do(func(w *wave, in *inst) { w.setScalar64(&in.operands[0], wallClock()) }),
	"s_sendmsg_rtn_b64": do(func(w *wave, in *inst) { w.setScalar64(&in.operands[0], w.message(in)) }),
	"s_sendmsg_rtn_b32": do(func(w *wave, in *inst) { w.setScalar32(&in.operands[0], uint32(w.message(in))) }),

	"s_set_gpr_idx_on": do(func(w *wave, in *inst) {
		w.s[regM0] = w.s[regM0]&^0xff | w.scalar32(&in.operands[0], b32)&0xff
		w.setIndex(indexWords(in.operands[1].text))
	}),
	"s_set_gpr_idx_off":  do(func(w *wave, _ *inst) { w.setIndex(0) }),
	"s_set_gpr_idx_idx":  do(func(w *wave, in *inst) { w.s[regM0] = w.s[regM0]&^0xff | w.scalar32(&in.operands[0], b32)&0xff }),
	"s_set_gpr_idx_mode": do(func(w *wave, in *inst) { w.setIndex(indexWords(in.operands[0].text)) }),

	"s_movrels_b32": do(func(w *wave, in *inst) {
		w.setScalar32(&in.operands[0], w.s[w.relative(&in.operands[1], 1)])
	}),
	"s_movrels_b64": do(func(w *wave, in *inst) {
		i := w.relative(&in.operands[1], 2)
		w.setScalar64(&in.operands[0], uint64(w.s[i])|uint64(w.s[i+1])<<32)
	}),
	"s_movreld_b32": do(func(w *wave, in *inst) {
		w.s[w.relative(&in.operands[0], 1)] = w.scalar32(&in.operands[1], b32)
	}),
	"s_movreld_b64": do(func(w *wave, in *inst) {
		i, v := w.relative(&in.operands[0], 2), w.scalar64(&in.operands[1], b64)
		w.s[i], w.s[i+1] = uint32(v), uint32(v>>32)
	}),
}

// scalarHints has the hints, and what saves EXEC.
var scalarHints = func() table {
	t := table{}
	for _, name := range hints {
		t[name] = nothing
	}
	for name, f := range saveExec {
		t["s_"+name+"_saveexec_b32"] = savesExec(f, 32, true)
		t["s_"+name+"_saveexec_b64"] = savesExec(f, 64, true)
		t["s_"+name+"_wrexec_b32"] = savesExec(f, 32, false)
		t["s_"+name+"_wrexec_b64"] = savesExec(f, 64, false)
	}
	return t
}()

// hints have no effect on what a program computes.
var hints = strings.Fields(`
	s_nop s_delay_alu s_clause s_version s_icache_inv s_set_inst_prefetch_distance s_inst_prefetch
	s_setprio s_setkill s_incperflevel s_decperflevel s_ttracedata s_ttracedata_imm s_wakeup s_sendmsg
	s_waitcnt s_waitcnt_vscnt s_waitcnt_vmcnt s_waitcnt_expcnt s_waitcnt_lgkmcnt s_waitcnt_depctr
	s_wait_idle s_wait_event s_wait_alu s_wait_loadcnt s_wait_storecnt s_wait_samplecnt s_wait_bvhcnt
	s_wait_expcnt s_wait_dscnt s_wait_kmcnt s_wait_loadcnt_dscnt s_wait_storecnt_dscnt s_wait_xcnt
	s_prefetch_inst s_prefetch_inst_pc_rel s_prefetch_data s_prefetch_data_pc_rel s_buffer_prefetch_data
	s_alloc_vgpr s_singleuse_vdst v_nop`)

// jump is a branch's distance in bytes from the instruction behind it.
func jump(o *operand) uint64 { return uint64(int64(int16(o.bits)) * 4) }

func branch(taken func(w *wave) bool) row {
	return do(func(w *wave, in *inst) {
		if taken(w) {
			w.pc += jump(&in.operands[0])
		}
	})
}

// saveExec are the operations on a source a and EXEC e.
var saveExec = map[string]func(a, e uint64) uint64{
	"and":      func(a, e uint64) uint64 { return a & e },
	"or":       func(a, e uint64) uint64 { return a | e },
	"xor":      func(a, e uint64) uint64 { return a ^ e },
	"andn2":    func(a, e uint64) uint64 { return a &^ e },
	"and_not1": func(a, e uint64) uint64 { return a &^ e },
	"orn2":     func(a, e uint64) uint64 { return a | ^e },
	"or_not1":  func(a, e uint64) uint64 { return a | ^e },
	"nand":     func(a, e uint64) uint64 { return ^(a & e) },
	"nor":      func(a, e uint64) uint64 { return ^(a | e) },
	"xnor":     func(a, e uint64) uint64 { return ^(a ^ e) },
	"andn1":    func(a, e uint64) uint64 { return ^a & e },
	"and_not0": func(a, e uint64) uint64 { return ^a & e },
	"orn1":     func(a, e uint64) uint64 { return ^a | e },
	"or_not0":  func(a, e uint64) uint64 { return ^a | e },
}

// savesExec sets EXEC, SCC if it is not 0, and gives what EXEC was (saveexec) or
// what it has become (wrexec).
func savesExec(f func(a, e uint64) uint64, n int, old bool) row {
	return do(func(w *wave, in *inst) {
		d, a := &in.operands[0], &in.operands[1]
		if n == 32 {
			e := w.s[regExec]
			v := uint32(f(uint64(w.scalar32(a, b32)), uint64(e)))
			w.s[regExec], w.scc = v, v != 0
			if !old {
				e = v
			}
			w.setScalar32(d, e)
			return
		}
		e := uint64(w.s[regExec]) | uint64(w.s[regExec+1])<<32
		v := f(w.scalar64(a, b64), e)
		w.s[regExec], w.s[regExec+1], w.scc = uint32(v), uint32(v>>32), v != 0
		if !old {
			e = v
		}
		w.setScalar64(d, e)
	})
}

// relative is the number of a scalar register moved by M0.
func (w *wave) relative(o *operand, n int) int {
	i := o.reg + int(w.s[regM0])
	if o.file != sgpr || i < 0 || i+n > regVCC {
		w.fail(-1, fmt.Sprintf("scalar register %s moved by M0 = %d does not exist", o.text, w.s[regM0]))
	}
	return i
}

// indexWords reads gpr_idx(SRC0,DST): the bits of wave.indexMode.
func indexWords(text string) uint32 {
	inner, _ := enclosed(text, "gpr_idx(", ")")
	n := uint32(0)
	for word := range strings.SplitSeq(inner, ",") {
		n |= map[string]uint32{"SRC0": 1, "SRC1": 2, "SRC2": 4, "DST": 8}[strings.TrimSpace(word)]
	}
	return n
}

func (w *wave) setIndex(n uint32) {
	w.indexMode = n
	w.setMode(w.mode)
}

// setMode sets MODE. Only rounding to nearest is there.
func (w *wave) setMode(m mode) {
	if err := m.check(); err != nil {
		w.fail(-1, err.Error())
	}
	w.mode = m
	w.slow = m.flush32() || m.flush64() || w.indexMode != 0
}

// A hardware register's number of bits and name, as hwreg(NAME, at, n) or
// hwreg(NAME).
func hwreg(text string) (name string, at, n int) {
	inner, ok := enclosed(text, "hwreg(", ")")
	if !ok {
		inner = text
	}
	words := strings.Split(inner, ",")
	at, n = 0, 32
	if len(words) == 3 {
		at, _ = strconv.Atoi(strings.TrimSpace(words[1]))
		n, _ = strconv.Atoi(strings.TrimSpace(words[2]))
	}
	return strings.TrimSpace(words[0]), at, n
}

func (w *wave) setReg(text string, v uint32) {
	name, at, n := hwreg(text)
	switch name {
	case "HW_REG_MODE", "HW_REG_WAVE_MODE":
		keep := uint32(uint64(1)<<n-1) << at
		w.setMode(mode(uint32(w.mode)&^keep | v<<at&keep))
	case "HW_REG_FLAT_SCR_LO", "HW_REG_WAVE_SCRATCH_BASE_LO", "HW_REG_FLAT_SCR_HI", "HW_REG_WAVE_SCRATCH_BASE_HI",
		"HW_REG_SCHED_MODE", "HW_REG_WAVE_SCHED_MODE":
		// Scratch is addressed by lane, from 0 on.
	default:
		w.fail(-1, "writing of hardware register "+name+" is not emulated")
	}
}

func (w *wave) getReg(text string) uint32 {
	name, at, n := hwreg(text)
	v := uint32(0)
	switch name {
	case "HW_REG_MODE", "HW_REG_WAVE_MODE":
		v = uint32(w.mode)
	case "HW_REG_STATUS", "HW_REG_WAVE_STATUS":
		v = uint32(flag(w.scc) | flag(w.exec() == 0)<<9 | flag(w.mask(regVCC) == 0)<<10)
	case "HW_REG_SH_MEM_BASES":
		v = uint32(sharedBase>>48)<<16 | uint32(privateBase>>48)
	case "HW_REG_HW_ID", "HW_REG_HW_ID1", "HW_REG_WAVE_HW_ID1":
		v = uint32(w.id)
	case "HW_REG_SHADER_CYCLES", "HW_REG_SHADER_CYCLES_LO":
		v = uint32(w.clock()) & 0xfffff
	case "HW_REG_XCC_ID", "HW_REG_HW_ID2", "HW_REG_WAVE_HW_ID2", "HW_REG_SHADER_CYCLES_HI":
	default:
		w.fail(-1, "reading of hardware register "+name+" is not emulated")
	}
	return v >> at & uint32(uint64(1)<<n-1)
}

// message is what s_sendmsg_rtn gives.
func (w *wave) message(in *inst) uint64 {
	switch text := in.operands[1].text; {
	case strings.Contains(text, "REALTIME"), text == "131":
		return wallClock()
	default:
		w.fail(-1, "message "+text+" is not emulated")
	}
	return 0
}

// vectorControl are the vector instructions that look across lanes or choose
// their registers.
var vectorControl = table{
	"v_readfirstlane_b32": do(func(w *wave, in *inst) {
		w.setScalar32(&in.operands[0], w.scalar32(&in.operands[1], b32))
	}),
	"v_readlane_b32": do(func(w *wave, in *inst) {
		o, l := &in.operands[1], int(w.scalar32(&in.operands[2], b32))&(w.size-1)
		v := w.scalar32(o, b32)
		if o.file == vgpr || o.file == agpr {
			v = w.reg(o.file, o.reg)[l]
		}
		w.setScalar32(&in.operands[0], v)
	}),
	"v_writelane_b32": do(func(w *wave, in *inst) {
		l := int(w.scalar32(&in.operands[2], b32)) & (w.size - 1)
		w.v[in.operands[0].reg][l] = w.scalar32(&in.operands[1], b32)
	}),
	"v_swap_b32": do(func(w *wave, in *inst) {
		x, y := &w.v[in.operands[0].reg], &w.v[in.operands[1].reg]
		for m := w.exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			x[l], y[l] = y[l], x[l]
		}
	}),
	"v_swap_b16": do(func(w *wave, in *inst) {
		a, b := &in.operands[0], &in.operands[1]
		x, y := &w.v[a.reg], &w.v[b.reg]
		for m := w.exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			old := a.halfOf(x[l])
			a.setHalf(&x[l], b.halfOf(y[l]))
			b.setHalf(&y[l], old)
		}
	}),
	"v_movrels_b32":     do(func(w *wave, in *inst) { w.moveRelative(in, 0, 1) }),
	"v_movreld_b32":     do(func(w *wave, in *inst) { w.moveRelative(in, 1, 0) }),
	"v_movrelsd_b32":    do(func(w *wave, in *inst) { w.moveRelative(in, 1, 1) }),
	"v_pk_mov_b32":      do(packedMove),
	"v_permlane16_b32":  do(func(w *wave, in *inst) { w.permute16(in, 0) }),
	"v_permlanex16_b32": do(func(w *wave, in *inst) { w.permute16(in, 16) }),
	"v_permlane64_b32": do(func(w *wave, in *inst) {
		x := w.v[in.operands[1].reg]
		z := &w.v[in.operands[0].reg]
		for m := w.exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			z[l] = x[l^w.size/2&32]
		}
	}),
}

// moveRelative is v_movrel: M0 is added to the number of the destination, the
// source or both. See indexed of what is past the wave's registers.
func (w *wave) moveRelative(in *inst, d, s int) {
	o := in.operands[1]
	if s != 0 && o.file == vgpr {
		o.reg += int(w.s[regM0])
	}
	z := in.operands[0].reg + d*int(w.s[regM0])
	if uint(z) >= uint(len(w.v)) {
		return
	}
	if o.file == vgpr && uint(o.reg) >= uint(len(w.v)) {
		o.reg = 0
	}
	if o.file != vgpr {
		v := w.scalar32(&o, b32)
		for m := w.exec(); m != 0; m &= m - 1 {
			w.v[z][bits.TrailingZeros64(m)&63] = v
		}
		return
	}
	for m := w.exec(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		w.v[z][l] = w.v[o.reg][l]
	}
}

// packedMove is v_pk_mov_b32: op_sel chooses the word of each source pair.
func packedMove(w *wave, in *inst) {
	a, b := &w.wide[0], &w.wide[1]
	w.read(a, &in.operands[1], b64, false)
	w.read(b, &in.operands[2], b64, false)
	d := &in.operands[0]
	lo, hi := w.reg(d.file, d.reg), w.reg(d.file, d.reg+1)
	sel := in.mod.opSel
	for m := w.exec(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lo[l], hi[l] = uint32(a[l]>>(32*(sel&1))), uint32(b[l]>>(32*(sel>>1&1)))
	}
}

// permute16 is v_permlane16: each lane of a row of 16 reads the lane of its row
// (or of the row across, for v_permlanex16) that its nibble of the two selects.
// op_sel's bits are fi and bound_ctrl.
func (w *wave) permute16(in *inst, across int) {
	x := w.v[in.operands[1].reg]
	sel := uint64(w.scalar32(&in.operands[2], b32)) | uint64(w.scalar32(&in.operands[3], b32))<<32
	z := &w.v[in.operands[0].reg]
	active := w.exec()
	for m := active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		from := (l&^15 | int(sel>>(4*(l&15))&15)) ^ across
		switch {
		case active>>from&1 != 0 || in.mod.opSel&1 != 0:
			z[l] = x[from]
		case in.mod.opSel&2 != 0:
			z[l] = 0
		}
	}
}
