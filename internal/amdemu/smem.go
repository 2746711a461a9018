package amdemu

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// This file has the scalar loads. Operands: the destination, the base (a pair,
// or four registers of a buffer descriptor), the offset.

// scalarShapes are the widths of scalar loads: bytes and, of less than a dword,
// what they become.
var scalarShapes = map[string]shape{
	"dword b32": {size: 4}, "dwordx2 b64": {size: 8}, "b96": {size: 12}, "dwordx4 b128": {size: 16},
	"dwordx8 b256": {size: 32}, "dwordx16 b512": {size: 64},
	"u8":  {1, func(_, x uint32) uint32 { return x & 0xff }, 0},
	"i8":  {1, func(_, x uint32) uint32 { return uint32(int8(x)) }, 0},
	"u16": {2, func(_, x uint32) uint32 { return x & 0xffff }, 0},
	"i16": {2, func(_, x uint32) uint32 { return uint32(int16(x)) }, 0},
}

// scalarMemory are the rows of scalar loads, and of the scalar cache.
func scalarMemory() table {
	t := table{}
	for names, s := range scalarShapes {
		for name := range strings.FieldsSeq(names) {
			t["s_load_"+name] = row{"", binder(func(in *inst) (func(w *wave), error) { return s.scalarLoad(in, 2) })}
			t["s_buffer_load_"+name] = row{"", binder(func(in *inst) (func(w *wave), error) { return s.scalarLoad(in, 4) })}
		}
	}
	for name := range strings.FieldsSeq(`s_dcache_inv s_dcache_wb s_dcache_inv_vol s_dcache_wb_vol s_gl1_inv
		s_dcache_discard s_dcache_discard_x2 s_atc_probe s_atc_probe_buffer`) {
		t[name] = nothing
	}
	return t
}

// scalarLoad is a load at a base of n registers.
func (t shape) scalarLoad(in *inst, n int) (func(w *wave), error) {
	offset, err := in.option("offset")
	if err != nil {
		return nil, err
	}
	if len(in.operands) < 2 || len(in.operands) > 3 || in.operands[1].n != n || in.operands[1].file != sgpr ||
		in.operands[0].file != sgpr || in.operands[0].reg+t.registers() > scalarRegs {
		return nil, fmt.Errorf("operands: %s", in.text)
	}
	var register *operand
	if len(in.operands) == 3 {
		switch o := &in.operands[2]; o.file {
		case literal:
			offset += int64(o.bits)
		case sgpr:
			register = o
		}
	}
	a := &access{in: in, size: uint64(t.size), effect: effectRead, scalar: true}
	d, base := in.operands[0].reg, in.operands[1].reg
	return func(w *wave) {
		addr := uint64(w.s[base]) | uint64(w.s[base+1])<<32
		off := uint64(offset)
		if register != nil && register.reg != regNull {
			off += uint64(w.s[register.reg])
		}
		if n == 4 {
			addr &= 1<<48 - 1
			if off+a.size > uint64(w.s[base+2]) {
				clear(w.s[d : d+t.registers()])
				return
			}
		}
		if addr += off; t.size >= 4 {
			addr &^= 3
		}
		t.loadScalar(w, a, d, addr)
	}, nil
}

// loadScalar reads from an address to the registers from d on.
func (t shape) loadScalar(w *wave, a *access, d int, addr uint64) {
	w.mem.addr[0], w.mem.span = addr, 0
	r := w.region(addr)
	if r == nil {
		a.outside(w, 1)
	}
	b := r.bytes[addr-r.base:]
	if len(b) < t.size {
		// Compilers load a dword for a byte of it, and four for three.
		missing := t.size - len(b)
		if t.size == 4 && missing > 3 || t.size == 16 && missing > 4 || t.size != 4 && t.size != 16 {
			a.outside(w, 1)
		}
		part := *a
		part.size = uint64(len(b))
		a, b = &part, append(slices.Clone(b), 0, 0, 0, 0)
	}
	if r.written != nil {
		a.checkWritten(w, &r.arena, 1)
	}
	if r.cells != nil {
		if race := a.checkRaces(w, &r.arena, 1); race != nil {
			a.report(w, &r.arena, race)
		}
		a.ordered(w)
	}
	t.setScalars(w, d, b)
}

// setScalars sets the registers from d on to what is in memory.
func (t shape) setScalars(w *wave, d int, b []byte) {
	switch t.size {
	case 1:
		w.s[d] = t.load(0, uint32(b[0]))
		return
	case 2:
		w.s[d] = t.load(0, uint32(binary.LittleEndian.Uint16(b)))
		return
	}
	for i := range t.size / 4 {
		w.s[d+i] = binary.LittleEndian.Uint32(b[4*i:])
	}
}
