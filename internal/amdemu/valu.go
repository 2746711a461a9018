package amdemu

import (
	"fmt"
)

// A source is an operand that is read as a row of 32-bit lanes.
type source struct {
	*operand
	t   typ
	lit *vector // of a literal, in element 0
	// litHigh is the upper half of a literal of 64 bits.
	litHigh *vector
}

// row is the source's register and a mask for lane numbers: 63, or 0 where
// element 0 serves all lanes. i is the source's place, for values that have to be
// put somewhere.
func (w *wave) row(s *source, i int) (*vector, int) {
	switch s.file {
	case vgpr:
		return &w.v[s.reg], lanes - 1
	case literal:
		return s.lit, 0
	case sgpr:
		w.tmp[i][0] = w.s[s.reg]
	case agpr:
		return &w.a[s.reg], lanes - 1
	default:
		w.tmp[i][0] = w.scalar32(s.operand, s.t)
	}
	return &w.tmp[i], 0
}

// reg is a vector register.
func (w *wave) reg(f file, n int) *vector {
	if f == agpr {
		return &w.a[n]
	}
	return &w.v[n]
}

// bindVector makes the function of a VALU instruction: of its signature and
// modifiers the general one, with a shorter way where there is nothing special.
func bindVector(in *inst, r row) error {
	if err := in.place(r); err != nil {
		return err
	}
	if err := in.readModifiers(); err != nil {
		return err
	}
	fn, err := laneFunc(r.fn)
	if err != nil {
		return err
	}
	if in.packed() {
		in.run = func(w *wave) { w.packedOp(in, fn) }
		return nil
	}
	general := func(w *wave) { w.general(in, fn) }
	in.run = general
	if !in.plain() {
		return nil
	}
	if fast := in.fast(r.fn); fast != nil {
		in.run = func(w *wave) {
			if w.slow {
				general(w)
				return
			}
			fast(w)
		}
	}
	return nil
}

// place gives the operands their roles by the signature.
func (in *inst) place(r row) (err error) {
	if in.sig, err = parseSig(r.sig); err != nil {
		return err
	}
	rest := make([]*operand, len(in.operands))
	for i := range in.operands {
		rest[i] = &in.operands[i]
	}
	take := func() (o *operand) {
		if len(rest) == 0 {
			err = fmt.Errorf("operands missing: %s", in.text)
			return nil
		}
		o, rest = rest[0], rest[1:]
		return o
	}
	written := 0
	for _, t := range in.sig.sources {
		if t != vcc && t != dst && t != lane {
			written++
		}
	}
	// v_cmpx has no destination but EXEC from GFX10 on.
	if !in.isCmpx() || len(rest) > written {
		in.dst = take()
	}
	if in.sig.carries {
		in.mask = take()
	}
	in.src = make([]*operand, len(in.sig.sources))
	for i, t := range in.sig.sources {
		if t != vcc && t != dst && t != lane {
			in.src[i] = take()
		}
	}
	for _, o := range in.src {
		if o != nil && o.file == wordFile {
			return fmt.Errorf("operand %s: %s", o.text, in.text)
		}
	}
	if err == nil && len(rest) > 0 {
		return fmt.Errorf("operands left over: %s", in.text)
	}
	return err
}

func (in *inst) isCmpx() bool { return len(in.name) > 7 && in.name[:7] == "v_cmpx_" }

// writeMask stores a mask result, and EXEC's of v_cmpx.
func (w *wave) writeMask(in *inst, m uint64) {
	if in.isCmpx() {
		w.setMask(regExec, m)
	}
	if in.dst != nil {
		w.setMask(in.dst.reg, m)
	}
}

// source makes a row source of operand i.
func (in *inst) source(i int) source {
	s := source{operand: in.src[i], t: in.sig.sources[i]}
	if s.operand.file == literal {
		v, _ := s.value(s.t)
		s.lit, s.litHigh = &vector{uint32(v)}, &vector{uint32(v >> 32)}
	}
	return s
}

// laneOp is a row's function in its most general form.
type laneOp func(a *[4]uint64) (uint64, bool)

// laneFunc brings a row's function to the general form.
func laneFunc(fn any) (laneOp, error) {
	switch f := fn.(type) {
	case func(a uint32) uint32:
		return func(a *[4]uint64) (uint64, bool) { return uint64(f(uint32(a[0]))), false }, nil
	case func(a, b uint32) uint32:
		return func(a *[4]uint64) (uint64, bool) { return uint64(f(uint32(a[0]), uint32(a[1]))), false }, nil
	case func(a, b, c uint32) uint32:
		return func(a *[4]uint64) (uint64, bool) {
			return uint64(f(uint32(a[0]), uint32(a[1]), uint32(a[2]))), false
		}, nil
	case func(a uint64) uint64:
		return func(a *[4]uint64) (uint64, bool) { return f(a[0]), false }, nil
	case func(a, b uint64) uint64:
		return func(a *[4]uint64) (uint64, bool) { return f(a[0], a[1]), false }, nil
	case func(a, b, c uint64) uint64:
		return func(a *[4]uint64) (uint64, bool) { return f(a[0], a[1], a[2]), false }, nil
	case func(a, b, c, d uint64) uint64:
		return func(a *[4]uint64) (uint64, bool) { return f(a[0], a[1], a[2], a[3]), false }, nil
	case func(a uint32) (uint32, bool):
		return func(a *[4]uint64) (uint64, bool) { v, c := f(uint32(a[0])); return uint64(v), c }, nil
	case func(a, b uint32) (uint32, bool):
		return func(a *[4]uint64) (uint64, bool) { v, c := f(uint32(a[0]), uint32(a[1])); return uint64(v), c }, nil
	case func(a, b, c uint32) (uint32, bool):
		return func(a *[4]uint64) (uint64, bool) {
			v, c := f(uint32(a[0]), uint32(a[1]), uint32(a[2]))
			return uint64(v), c
		}, nil
	case func(a uint64) (uint64, bool):
		return func(a *[4]uint64) (uint64, bool) { return f(a[0]) }, nil
	case func(a, b uint64) (uint64, bool):
		return func(a *[4]uint64) (uint64, bool) { return f(a[0], a[1]) }, nil
	case func(a, b, c uint64) (uint64, bool):
		return func(a *[4]uint64) (uint64, bool) { return f(a[0], a[1], a[2]) }, nil
	case func(a, b uint32) bool:
		return func(a *[4]uint64) (uint64, bool) { return 0, f(uint32(a[0]), uint32(a[1])) }, nil
	case func(a, b uint64) bool:
		return func(a *[4]uint64) (uint64, bool) { return 0, f(a[0], a[1]) }, nil
	}
	return nil, fmt.Errorf("a row of the table has a function of type %T", fn)
}

// width is a type's bits, 0 for masks and the like.
func width(t typ) int { return widths[t] }

var widths = func() (w [typs]int) {
	for _, i := range typInfo {
		w[i.t] = i.bits
	}
	return w
}()
