package amdemu

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// modifiers are an instruction's options that change what it reads and writes,
// apart from the abs and neg of each operand.
type modifiers struct {
	clamp    bool
	omod     float64 // 2, 4, 0.5; 0 for none
	opSel    uint    // bit i: source i's high half; bit 3: of what is written
	opSelHi  uint    // of packed instructions, for the high half
	negLo    uint
	negHi    uint
	dpp      func(lane int) int // which lane source 0 comes from, -1: none
	dppZero  bool               // bound_ctrl: lanes without a source read 0
	dppAll   bool               // fi: inactive lanes are read
	dppLanes uint64             // row_mask and bank_mask: lanes that may be written
	sdwa     bool
	sel      [3]selection // of source 0, 1 and what is written
	unused   string       // what is left in the rest: UNUSED_PAD, ...
	zeroHigh bool         // 16-bit results clear the upper half (before GFX10)
	mix      bool         // v_fma_mix: opSelHi tells the sources that are f16
	any      bool
}

// readModifiers reads the instruction's options.
func (in *inst) readModifiers() error {
	m := &in.mod
	m.opSelHi = 7
	if m.mix = strings.Contains(in.name, "_mix"); m.mix {
		m.opSelHi = 0
	}
	m.dppLanes = math.MaxUint64
	m.sel = [3]selection{{0, 32}, {0, 32}, {0, 32}}
	written := 0 // sources in the text
	for _, o := range in.src {
		if o != nil {
			written++
		}
	}
	for key, value := range in.options {
		m.any = true
		if err := m.read(key, value, written); err != nil {
			return fmt.Errorf("%s: %s: %w", in.text, key, err)
		}
	}
	if strings.Contains(in.name, "_mixhi_") {
		m.opSel |= 8
	}
	for i, o := range in.src {
		if o != nil && (o.abs || o.neg || o.sext || o.high) {
			m.any = true
		}
		if o != nil && o.high { // what op_sel says, too, where the encoding has it
			m.opSel |= 1 << i
		}
	}
	if in.dst != nil && in.dst.high {
		m.opSel |= 8
	}
	return nil
}

// read takes one option of an instruction with so many sources.
func (m *modifiers) read(key, value string, sources int) error {
	n, _ := strconv.Atoi(value)
	list := func() (v []int, err error) {
		for word := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
			i, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil {
				return nil, err
			}
			v = append(v, i)
		}
		return v, nil
	}
	bitsOf := func(to *uint) error {
		v, err := list()
		*to = 0
		for i, b := range v {
			*to |= uint(b&1) << i
		}
		if n := len(v); n == sources+1 { // the last is what is written
			*to = *to&(1<<sources-1) | uint(v[sources]&1)<<3
		}
		return err
	}
	switch key {
	case "clamp":
		m.clamp = true
	case "mul":
		m.omod = float64(n)
	case "div":
		m.omod = 1 / float64(n)
	case "op_sel":
		return bitsOf(&m.opSel)
	case "op_sel_hi":
		return bitsOf(&m.opSelHi)
	case "neg_lo":
		return bitsOf(&m.negLo)
	case "neg_hi":
		return bitsOf(&m.negHi)
	case "src0_sel", "src1_sel", "dst_sel":
		s, ok := selections[value]
		if !ok {
			return fmt.Errorf("what is %q?", value)
		}
		m.sdwa = true
		m.sel[map[string]int{"src0_sel": 0, "src1_sel": 1, "dst_sel": 2}[key]] = s
	case "dst_unused":
		m.unused = value
	case "bound_ctrl":
		m.dppZero = true
	case "fi":
		m.dppAll = n != 0
	case "row_mask", "bank_mask":
		return m.lanesOf(key, value)
	case "quad_perm", "dpp8":
		v, err := list()
		if want := map[string]int{"quad_perm": 4, "dpp8": 8}[key]; err != nil || len(v) != want {
			return fmt.Errorf("%q", value)
		}
		n := len(v)
		m.dpp = func(l int) int { return l&^(n-1) | v[l&(n-1)]&(n-1) }
		m.dppZero = m.dppZero || key == "dpp8"
	default:
		if f, ok := dppControls[key]; ok {
			m.dpp = func(l int) int { return f(l, n) }
			return nil
		}
		return fmt.Errorf("an option that the emulator does not know")
	}
	return nil
}

// plain says that the fast paths serve.
func (in *inst) plain() bool { return !in.mod.any && width(in.sig.result) != 16 }

// floatBits is the width of a float type, 0 of others.
func floatBits(t typ) int {
	switch t {
	case f16, v2f16:
		return 16
	case f32, v2f32:
		return 32
	case f64:
		return 64
	}
	return 0
}

// general runs any VALU instruction: sources to w.wide, the row's function,
// the result's modifiers.
func (w *wave) general(in *inst, fn laneOp) {
	active := w.exec()
	lanesOn := active & in.mod.dppLanes
	for i, t := range in.sig.sources {
		lanesOn &= w.gather(in, i, t, active)
	}
	var a [4]uint64
	var maskOut uint64
	n := len(in.sig.sources)
	for m := lanesOn; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		for i := range n {
			a[i] = w.wide[i][l]
		}
		v, bit := fn(&a)
		if bit {
			maskOut |= 1 << l
		}
		if in.sig.result != mask {
			w.store(in, l, v)
		}
	}
	switch {
	case in.sig.result == mask:
		w.writeMask(in, maskOut)
	case in.sig.carries:
		w.setMask(in.mask.reg, maskOut)
	}
}

// gather fills w.wide[i] with source i of each lane, its modifiers applied, and
// returns the lanes that DPP finds a source for.
func (w *wave) gather(in *inst, i int, t typ, active uint64) uint64 {
	out := &w.wide[i]
	all := uint64(math.MaxUint64)
	switch t {
	case lane:
		for l := range out {
			out[l] = uint64(l)
		}
		return all
	case vcc, mask:
		m := w.mask(regVCC)
		if t == mask {
			m = w.maskOf(in.src[i])
		}
		for l := range out {
			out[l] = m >> l & 1
		}
		return all
	case dst:
		t = in.sig.result
		w.read(out, in.dst, t, width(t) == 16 && in.mod.opSel&8 != 0)
	default:
		whole := t
		if in.mod.sdwa && i < 2 {
			whole = b32 // of which a part is taken below
		}
		if in.mod.mix && in.mod.opSelHi>>i&1 != 0 {
			w.readMixed(out, in.src[i], in.mod.opSel>>i&1 != 0)
			break
		}
		w.read(out, w.indexed(in.src[i], i), whole, in.mod.opSel>>i&1 != 0)
		switch t {
		case v2b16, v2u16, v2i16, v2f16: // of an instruction with one result
			in.mod.pairs(out, i)
		}
	}
	if in.mod.dpp != nil && i == 0 {
		all = w.swizzle(&in.mod, out, active)
	}
	if in.mod.sdwa && i < 2 && in.src[i] != nil {
		sel := in.mod.sel[i]
		for l := range out {
			out[l] = extract(out[l], sel, in.src[i].sext) & (1<<width(t) - 1)
		}
	}
	if o := in.src[i]; o != nil && (o.abs || o.neg) { // of v_cndmask_b32, too
		signs(out, o, width(t))
	}
	if n := floatBits(t); n != 0 && n == width(t) && w.mode.flushes(n) {
		for l := range out {
			out[l] = flushed(out[l], n)
		}
	}
	return all
}

// maskOf reads an operand as a lane mask.
func (w *wave) maskOf(o *operand) uint64 {
	if o.file == sgpr {
		if o.reg == regNull {
			return 0
		}
		return w.mask(o.reg)
	}
	return w.scalar64(o, i64)
}

// read fills out with an operand, high halves where high says so.
func (w *wave) read(out *[lanes]uint64, o *operand, t typ, high bool) {
	shift := 0
	if high && width(t) == 16 {
		shift = 16
	}
	keep := uint64(1)<<width(t) - 1 // 0 - 1 for 64 bits
	switch o.file {
	case vgpr, agpr:
		lo := w.reg(o.file, o.reg)
		if width(t) == 64 {
			hi := w.reg(o.file, o.reg+1)
			for l := range out {
				out[l] = uint64(lo[l]) | uint64(hi[l])<<32
			}
			return
		}
		for l := range out {
			out[l] = uint64(lo[l]) >> shift & keep
		}
		return
	}
	var v uint64
	if width(t) == 64 {
		v = w.scalar64(o, t)
	} else {
		v = uint64(w.scalar32(o, t)) >> shift & keep
	}
	for l := range out {
		out[l] = v
	}
}

// signs applies abs and neg to values of n bits.
func signs(v *[lanes]uint64, o *operand, n int) {
	sign := uint64(1) << (n - 1)
	for l := range v {
		if o.abs {
			v[l] &^= sign
		}
		if o.neg {
			v[l] ^= sign
		}
	}
}

func (m mode) flushes(n int) bool {
	if n == 32 {
		return m.flush32()
	}
	return m.flush64()
}

// exponents are the exponent fields of floats, by their width.
var exponents = map[int]uint64{16: 0x7c00, 32: 0x7f800000, 64: 0x7ff0 << 48}

// flushed is a float with denormals made zeros of their sign.
func flushed(v uint64, n int) uint64 {
	if v&exponents[n] == 0 {
		return v & (1 << (n - 1))
	}
	return v
}

// store writes a lane of the result.
func (w *wave) store(in *inst, l int, v uint64) {
	t, m := in.sig.result, &in.mod
	if n := floatBits(t); n != 0 {
		v = m.floatResult(w, v, n)
	}
	o := w.indexed(in.dst, 3)
	if o == nil {
		return
	}
	if o.file == sgpr { // v_readlane and such; v_s_ instructions
		w.setScalar32(o, uint32(v))
		return
	}
	r := w.reg(o.file, o.reg)
	switch {
	case m.sdwa && width(t) < 64:
		r[l] = m.merge(r[l], uint32(v&(1<<width(t)-1)))
	case width(t) == 64:
		r[l] = uint32(v)
		w.reg(o.file, o.reg+1)[l] = uint32(v >> 32)
	case width(t) == 16 && m.opSel&8 != 0:
		r[l] = r[l]&0xffff | uint32(v)<<16
	case width(t) == 16 && !m.zeroHigh:
		r[l] = r[l]&^0xffff | uint32(v)&0xffff
	case width(t) == 16:
		r[l] = uint32(v) & 0xffff
	default:
		r[l] = uint32(v)
	}
}

// floatResult applies omod, clamp and the flushing of denormals.
func (m *modifiers) floatResult(w *wave, v uint64, n int) uint64 {
	if m.omod != 0 || m.clamp {
		f := toFloat(v, n)
		if m.omod != 0 {
			f *= m.omod
		}
		if m.clamp {
			switch {
			case f > 1:
				f = 1
			case !(f > 0): // NaN too: DX10_CLAMP
				f = 0
			}
		}
		v = fromFloat(f, n)
	}
	if w.mode.flushes(n) {
		v = flushed(v, n)
	}
	return v
}

// toFloat and fromFloat convert floats of n bits.
func toFloat(v uint64, n int) float64 {
	switch n {
	case 16:
		return float64(unhalf(uint16(v)))
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

func fromFloat(f float64, n int) uint64 {
	switch n {
	case 16:
		return uint64(half(float32(f)))
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// indexed is o moved by M0 where GFX9's s_set_gpr_idx mode says so: place 0 to 2
// are sources, 3 is what is written. Past the wave's registers a source is v0, and nothing
// is written (nil): LLVM moves accesses to arrays in registers over the branches that say that there is
// such an element.
// "Vector register out of range", AMD Instinct MI300 and RDNA3 instruction set architectures.
func (w *wave) indexed(o *operand, place int) *operand {
	if w.indexMode>>place&1 == 0 || o.file != vgpr {
		return o
	}
	moved := *o
	moved.reg += int(w.s[regM0] & 0xff)
	if moved.reg+moved.n > len(w.v) {
		if place == 3 {
			return nil
		}
		moved.reg = 0
	}
	return &moved
}
