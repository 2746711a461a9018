package amdemu

import "math/bits"

// This file has the short ways of instructions without modifiers: loops over the
// active lanes for each common kind of row function.

// fast returns the loop for an instruction without modifiers whose row's
// function is one of the common kinds, nil for others.
func (in *inst) fast(fn any) func(w *wave) {
	if in.sig.result == mask {
		return in.fastCompare(fn)
	}
	if in.sig.carries {
		return in.fastCarry(fn)
	}
	for i, t := range in.sig.sources {
		if width(t) != 32 || in.src[i] == nil {
			if t == dst && width(in.sig.result) == 32 {
				continue
			}
			return in.fastWide(fn)
		}
	}
	if width(in.sig.result) != 32 {
		return in.fastWide(fn)
	}
	file, d := in.dst.file, in.dst.reg
	at := func(i int) source {
		if in.sig.sources[i] == dst {
			return source{operand: in.dst, t: b32}
		}
		return in.source(i)
	}
	switch f := fn.(type) {
	case func(a uint32) uint32:
		a := at(0)
		if in.name == "v_mov_b32" {
			return moves(file, d, a)
		}
		return func(w *wave) {
			x, mx := w.row(&a, 0)
			z := w.reg(file, d)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				z[l] = f(x[l&mx])
			}
		}
	case func(a, b uint32) uint32:
		a, b := at(0), at(1)
		return func(w *wave) {
			x, mx := w.row(&a, 0)
			y, my := w.row(&b, 1)
			z := w.reg(file, d)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				z[l] = f(x[l&mx], y[l&my])
			}
		}
	case func(a, b, c uint32) uint32:
		a, b, c := at(0), at(1), at(2)
		return func(w *wave) {
			x, mx := w.row(&a, 0)
			y, my := w.row(&b, 1)
			u, mu := w.row(&c, 2)
			z := w.reg(file, d)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				z[l] = f(x[l&mx], y[l&my], u[l&mu])
			}
		}
	}
	return nil
}

// moves is v_mov_b32.
func moves(file file, d int, a source) func(w *wave) {
	return func(w *wave) {
		x, mx := w.row(&a, 0)
		z := w.reg(file, d)
		for m := w.exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			z[l] = x[l&mx]
		}
	}
}

// fastCompare is for comparisons.
func (in *inst) fastCompare(fn any) func(w *wave) {
	switch f := fn.(type) {
	case func(a, b uint32) bool:
		if width(in.sig.sources[0]) != 32 || width(in.sig.sources[1]) != 32 {
			return nil
		}
		a, b := in.source(0), in.source(1)
		return func(w *wave) {
			x, mx := w.row(&a, 0)
			y, my := w.row(&b, 1)
			out := uint64(0)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				if f(x[l&mx], y[l&my]) {
					out |= 1 << l
				}
			}
			w.writeMask(in, out)
		}
	case func(a, b uint64) bool:
		a, b := in.source(0), in.source(1)
		if !a.wide() || !b.wide() {
			return nil
		}
		return func(w *wave) {
			x, xh, mx := w.wideRow(&a, 0)
			y, yh, my := w.wideRow(&b, 1)
			out := uint64(0)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				if f(join(x, xh, l&mx), join(y, yh, l&my)) {
					out |= 1 << l
				}
			}
			w.writeMask(in, out)
		}
	}
	return nil
}

// wide says that wideRow serves the source.
func (s *source) wide() bool { return width(s.t) == 64 || width(s.t) == 32 }

// wideRow is row for sources of 64 bits: the registers of the lower and the
// upper halves. Those of 32 bits have zeros above.
func (w *wave) wideRow(s *source, i int) (lo, hi *vector, m int) {
	if width(s.t) == 32 {
		lo, m = w.row(s, i)
		return lo, &zeros, m
	}
	switch s.file {
	case vgpr:
		return &w.v[s.reg], &w.v[s.reg+1], lanes - 1
	case agpr:
		return &w.a[s.reg], &w.a[s.reg+1], lanes - 1
	case literal:
		return s.lit, s.litHigh, 0
	}
	v := w.scalar64(s.operand, s.t)
	w.tmp[i][0], w.high[i][0] = uint32(v), uint32(v>>32)
	return &w.tmp[i], &w.high[i], 0
}

var zeros vector

func join(lo, hi *vector, l int) uint64 { return uint64(lo[l]) | uint64(hi[l])<<32 }

// fastWide is for functions of 64 bits without masks, and for v_cndmask_b32.
func (in *inst) fastWide(fn any) func(w *wave) {
	if in.name == "v_cndmask_b32" {
		return in.fastSelect()
	}
	at := make([]source, len(in.sig.sources))
	for i, t := range in.sig.sources {
		switch {
		case t == dst && width(in.sig.result) == 64:
			at[i] = source{operand: in.dst, t: b64}
		case in.src[i] == nil:
			return nil
		default:
			at[i] = in.source(i)
		}
		if !at[i].wide() {
			return nil
		}
	}
	file, d := in.dst.file, in.dst.reg
	var put func(w *wave) (lo, hi *vector)
	switch width(in.sig.result) {
	case 64:
		put = func(w *wave) (lo, hi *vector) { return w.reg(file, d), w.reg(file, d+1) }
	case 32:
		put = func(w *wave) (lo, hi *vector) { return w.reg(file, d), &w.spare }
	default:
		return nil
	}
	if in.name == "v_lshl_add_u64" { // every address of an element
		return func(w *wave) {
			x, xh, mx := w.wideRow(&at[0], 0)
			n, mn := w.row(&at[1], 1)
			u, uh, mu := w.wideRow(&at[2], 2)
			z, zh := put(w)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v := join(x, xh, l&mx)<<(n[l&mn]&63) + join(u, uh, l&mu)
				z[l], zh[l] = uint32(v), uint32(v>>32)
			}
		}
	}
	switch f := fn.(type) {
	case func(a uint64) uint64:
		return func(w *wave) {
			x, xh, mx := w.wideRow(&at[0], 0)
			z, zh := put(w)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v := f(join(x, xh, l&mx))
				z[l], zh[l] = uint32(v), uint32(v>>32)
			}
		}
	case func(a, b uint64) uint64:
		return func(w *wave) {
			x, xh, mx := w.wideRow(&at[0], 0)
			y, yh, my := w.wideRow(&at[1], 1)
			z, zh := put(w)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v := f(join(x, xh, l&mx), join(y, yh, l&my))
				z[l], zh[l] = uint32(v), uint32(v>>32)
			}
		}
	case func(a, b, c uint64) uint64:
		return func(w *wave) {
			x, xh, mx := w.wideRow(&at[0], 0)
			y, yh, my := w.wideRow(&at[1], 1)
			u, uh, mu := w.wideRow(&at[2], 2)
			z, zh := put(w)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v := f(join(x, xh, l&mx), join(y, yh, l&my), join(u, uh, l&mu))
				z[l], zh[l] = uint32(v), uint32(v>>32)
			}
		}
	}
	return nil
}

// fastCarry is for additions and subtractions with a carry.
func (in *inst) fastCarry(fn any) func(w *wave) {
	if width(in.sig.result) != 32 || width(in.sig.sources[0]) != 32 || width(in.sig.sources[1]) != 32 {
		return nil
	}
	a, b, file, d, carry := in.source(0), in.source(1), in.dst.file, in.dst.reg, in.mask.reg
	switch f := fn.(type) {
	case func(a, b uint32) (uint32, bool):
		return func(w *wave) {
			x, mx := w.row(&a, 0)
			y, my := w.row(&b, 1)
			z, out := w.reg(file, d), uint64(0)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v, c := f(x[l&mx], y[l&my])
				z[l] = v
				out |= flag(c) << l
			}
			w.setMask(carry, out)
		}
	case func(a, b, c uint32) (uint32, bool):
		if in.sig.sources[2] != mask || in.src[2].file != sgpr || in.src[2].reg == regNull {
			return nil
		}
		from := in.src[2].reg
		return func(w *wave) {
			x, mx := w.row(&a, 0)
			y, my := w.row(&b, 1)
			z, in, out := w.reg(file, d), w.mask(from), uint64(0)
			for m := w.exec(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v, c := f(x[l&mx], y[l&my], uint32(in>>l&1))
				z[l] = v
				out |= flag(c) << l
			}
			w.setMask(carry, out)
		}
	}
	return nil
}

// fastSelect is v_cndmask_b32.
func (in *inst) fastSelect() func(w *wave) {
	if in.src[2] == nil || in.src[2].file != sgpr {
		return nil
	}
	a, b, sel, file, d := in.source(0), in.source(1), in.src[2].reg, in.dst.file, in.dst.reg
	return func(w *wave) {
		x, mx := w.row(&a, 0)
		y, my := w.row(&b, 1)
		z := w.reg(file, d)
		choose := w.mask(sel)
		for m := w.exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if choose>>l&1 != 0 {
				z[l] = y[l&my]
			} else {
				z[l] = x[l&mx]
			}
		}
	}
}
