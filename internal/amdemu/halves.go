package amdemu

import "math"

// This file has how instructions read halves of registers that are neither packed nor
// single f16s: v_fma_mix and dot products.

// readMixed fills out with a source of v_fma_mix that is an f16, as f32s.
func (w *wave) readMixed(out *[lanes]uint64, o *operand, high bool) {
	w.read(out, o, f16, high)
	flush := w.mode.flushes(16)
	for l, v := range out {
		if flush {
			v = flushed(v, 16)
		}
		out[l] = uint64(math.Float32bits(unhalf(uint16(v))))
	}
}

// pairs applies op_sel, op_sel_hi, neg_lo and neg_hi to source i of a dot product,
// which reads both halves and gives one result.
func (m *modifiers) pairs(v *[lanes]uint64, i int) {
	half := func(v uint64, sel, neg uint) uint64 {
		return v>>(sel>>i&1*16)&0xffff ^ uint64(neg>>i&1)<<15
	}
	for l := range v {
		v[l] = half(v[l], m.opSel, m.negLo) | half(v[l], m.opSelHi, m.negHi)<<16
	}
}

// halfOf is the half of a register's lane that an operand names, the low one unless
// it says .h; setHalf writes it.
func (o *operand) halfOf(v uint32) uint32 { return v >> o.shift() & 0xffff }

func (o *operand) setHalf(v *uint32, half uint32) {
	*v = *v&^(0xffff<<o.shift()) | half<<o.shift()
}

func (o *operand) shift() int {
	if o.high {
		return 16
	}
	return 0
}
