package amdemu

import "math/bits"

// This file has instructions of two halves, or of two floats in a pair.

// packed says that the row's function is of one half.
func (in *inst) packed() bool {
	t := in.sig.result
	return t == v2b16 || t == v2u16 || t == v2i16 || t == v2f16 || t == v2f32
}

// packedOp runs an instruction of two halves (or of two floats in a pair).
func (w *wave) packedOp(in *inst, fn laneOp) {
	n := width(in.sig.result) / 2
	for i, t := range in.sig.sources {
		o := in.src[i]
		if t == dst {
			o, t = in.dst, in.sig.result
		}
		if t == v2f32 && o.file == literal {
			v, _ := o.value(f32)
			for l := range w.wide[i] {
				w.wide[i][l] = v | v<<32
			}
			continue
		}
		w.read(&w.wide[i], o, t, false)
	}
	for m := w.exec(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lo := w.halfOp(in, fn, l, 0)
		hi := w.halfOp(in, fn, l, 1)
		r := w.reg(in.dst.file, in.dst.reg)
		if n == 16 {
			r[l] = uint32(lo&0xffff | hi<<16)
			continue
		}
		r[l] = uint32(lo)
		w.reg(in.dst.file, in.dst.reg+1)[l] = uint32(hi)
	}
}

// halfOp is one half, 0 or 1, of a packed instruction in one lane.
func (w *wave) halfOp(in *inst, fn laneOp, l, half int) uint64 {
	n := width(in.sig.result) / 2
	float := floatBits(in.sig.result) != 0
	sel, neg := in.mod.opSel, in.mod.negLo
	if half == 1 {
		sel, neg = in.mod.opSelHi, in.mod.negHi
	}
	var a [4]uint64
	for i, t := range in.sig.sources {
		choose := int(sel >> i & 1)
		if t == dst { // no selection: each half its own
			choose = half
		}
		v := w.wide[i][l] >> (n * choose) & (1<<n - 1)
		if float && neg>>i&1 != 0 {
			v ^= 1 << (n - 1)
		}
		if float && w.mode.flushes(n) {
			v = flushed(v, n)
		}
		a[i] = v
	}
	v, _ := fn(&a)
	if float {
		v = in.mod.floatResult(w, v, n)
	}
	return v
}
