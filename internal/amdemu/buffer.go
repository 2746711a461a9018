package amdemu

import (
	"fmt"
	"math/bits"
	"strings"
)

// This file has buffer_ instructions: "buffer_load_dword v1, v0, s[0:3], s32
// offen offset:16". Operands: the data, the vector part of the address, the
// descriptor, the scalar part. And the instructions that write caches back or
// invalidate them, which here only order accesses.

// bufferMemory are the rows of buffer_ instructions and of cache operations.
func bufferMemory() table {
	t := table{}
	for names, s := range loads {
		for name := range strings.FieldsSeq(names) {
			t["buffer_load_"+name] = row{"", s.bufferBinder(effectRead)}
		}
	}
	for names, s := range stores {
		for name := range strings.FieldsSeq(names) {
			t["buffer_store_"+name] = row{"", s.bufferBinder(effectWrite)}
		}
	}
	for name, op := range atomicsByName() {
		t["buffer_atomic_"+name] = row{"", op.bufferBinder()}
	}
	for name := range strings.FieldsSeq(`buffer_wbl2 buffer_inv buffer_gl1_inv buffer_wbinvl1 buffer_wbinvl1_vol
		buffer_invl2 global_wb global_inv global_wbinv`) {
		t[name] = row{"", binder(func(in *inst) (func(w *wave), error) {
			scope := in.options["scope"]
			_, sc0 := in.options["sc0"]
			_, sc1 := in.options["sc1"]
			device := (!sc0 || sc1) && scope != "SCOPE_SE" && (scope != "" || !strings.HasPrefix(name, "global_"))
			return func(w *wave) { w.fence(device) }, nil
		})}
	}
	// The first of the two that make an invalidation for the device: alone, it is
	// for the workgroup.
	t["buffer_gl0_inv"] = do(func(w *wave, _ *inst) { w.fence(false) })
	return t
}

func (t shape) bufferBinder(e effect) binder {
	return func(in *inst) (func(w *wave), error) {
		d, err := in.data(0, t.registers())
		if err != nil {
			return nil, err
		}
		a := t.access(in, e|in.coherent(), d)
		at, err := in.bufferAddress()
		if err != nil {
			return nil, err
		}
		missing := func(*wave, uint64) {}
		if e == effectRead {
			missing = func(w *wave, m uint64) { t.zeros(w, d, m) }
		}
		return at.runs(a, missing), nil
	}
}

// bufferBinder: the old value goes where the data was, if glc, sc0 or th says so.
func (t atomicOp) bufferBinder() binder {
	return func(in *inst) (func(w *wave), error) {
		data, with, err := t.dataOf(in, 0)
		if err != nil {
			return nil, err
		}
		var d *operand
		_, glc := in.options["glc"]
		_, sc0 := in.options["sc0"]
		if glc || sc0 || strings.Contains(in.options["th"], "RETURN") {
			d = data
		}
		at, err := in.bufferAddress()
		if err != nil {
			return nil, err
		}
		missing := func(w *wave, m uint64) {
			if d != nil {
				shape{size: t.size}.zeros(w, d, m)
			}
		}
		return at.runs(t.access(in, d, data, with), missing), nil
	}
}

// zeros is what the lanes m load that are out of a buffer's range.
func (t shape) zeros(w *wave, d *operand, m uint64) {
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		for i := range t.registers() {
			z := w.reg(d.file, d.reg+i)
			if t.load != nil {
				z[l] = t.load(z[l], 0)
				continue
			}
			z[l] = 0
		}
	}
}

// A bufferAddress is the address of a buffer_ instruction.
type bufferAddress struct {
	offset     uint32
	vector     int // the register of the vector part, -1 if there is none
	descriptor int
	scalar     *operand
}

func (in *inst) bufferAddress() (b bufferAddress, err error) {
	offset, err := in.option("offset")
	if err != nil {
		return b, err
	}
	for _, o := range []string{"idxen", "addr64", "lds", "tfe"} {
		if _, ok := in.options[o]; ok {
			return b, fmt.Errorf("%s is not emulated: %s", o, in.text)
		}
	}
	if len(in.operands) != 4 || in.operands[2].file != sgpr || in.operands[2].n != 4 {
		return b, fmt.Errorf("operands: %s", in.text)
	}
	v := &in.operands[1]
	b = bufferAddress{uint32(offset), -1, in.operands[2].reg, &in.operands[3]}
	if _, ok := in.options["offen"]; ok {
		if v.file != vgpr || v.n != 1 {
			return b, fmt.Errorf("address %s: %s", v.text, in.text)
		}
		b.vector = v.reg
	}
	return b, nil
}

// runs is what executes the access; missing is called for lanes out of range.
func (b bufferAddress) runs(a *access, missing func(w *wave, m uint64)) func(w *wave) {
	a.fixed = b.vector < 0
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		soffset := w.scalar32(b.scalar, u32)
		z := &w.mem.addr
		for l := range z {
			z[l] = uint64(b.offset)
		}
		if b.vector >= 0 {
			for l, v := range &w.v[b.vector] {
				z[l] = uint64(v + b.offset)
			}
		}
		word := w.s[b.descriptor : b.descriptor+4]
		if word[1] == privateBase>>32 {
			// The descriptor of private memory, which interleaves lanes: the scalar part
			// counts the bytes of all of them.
			for l := range z {
				z[l] += uint64(soffset / uint32(w.size))
			}
			a.private(w, m)
			return
		}
		in := m
		base := uint64(word[0]) | uint64(word[1]&0xffff)<<32
		for l := range z {
			if z[l]+a.size > uint64(word[2]) {
				in &^= 1 << l
			}
			z[l] += base + uint64(soffset)
		}
		if out := m &^ in; out != 0 {
			missing(w, out)
		}
		a.global(w, in)
	}
}
