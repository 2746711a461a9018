package amdemu

import (
	"fmt"
	"strings"
)

// This file has the loads and stores of LDS: "ds_read_b32 v1, v0 offset:16" and
// its kin. An address is the vector register plus the constant, in 32 bits.

// ldsMemory are the rows of loads and stores of LDS.
func ldsMemory() table {
	t := table{}
	for names, s := range ldsLoads {
		for name := range strings.FieldsSeq(names) {
			t[name] = row{"", s.ldsBinder(effectRead)}
		}
	}
	for names, s := range ldsStores {
		for name := range strings.FieldsSeq(names) {
			t[name] = row{"", s.ldsBinder(effectWrite)}
		}
	}
	for _, n := range []int{4, 8} {
		s, b := shape{size: n}, fmt.Sprintf("_b%d", 8*n)
		for _, name := range []string{"ds_read2" + b, "ds_load_2addr" + b} {
			t[name] = row{"", s.ldsBinder2(effectRead, 1)}
		}
		for _, name := range []string{"ds_read2st64" + b, "ds_load_2addr_stride64" + b} {
			t[name] = row{"", s.ldsBinder2(effectRead, 64)}
		}
		for _, name := range []string{"ds_write2" + b, "ds_store_2addr" + b} {
			t[name] = row{"", s.ldsBinder2(effectWrite, 1)}
		}
		for _, name := range []string{"ds_write2st64" + b, "ds_store_2addr_stride64" + b} {
			t[name] = row{"", s.ldsBinder2(effectWrite, 64)}
		}
	}
	t["ds_nop"] = nothing
	return t
}

var ldsLoads = map[string]shape{
	"ds_read_u8 ds_load_u8":                 loads["ubyte u8"],
	"ds_read_i8 ds_load_i8":                 loads["sbyte i8"],
	"ds_read_u16 ds_load_u16":               loads["ushort u16"],
	"ds_read_i16 ds_load_i16":               loads["sshort i16"],
	"ds_read_u8_d16 ds_load_u8_d16":         loads["ubyte_d16 d16_u8"],
	"ds_read_u8_d16_hi ds_load_u8_d16_hi":   loads["ubyte_d16_hi d16_hi_u8"],
	"ds_read_i8_d16 ds_load_i8_d16":         loads["sbyte_d16 d16_i8"],
	"ds_read_i8_d16_hi ds_load_i8_d16_hi":   loads["sbyte_d16_hi d16_hi_i8"],
	"ds_read_u16_d16 ds_load_u16_d16":       loads["short_d16 d16_b16"],
	"ds_read_u16_d16_hi ds_load_u16_d16_hi": loads["short_d16_hi d16_hi_b16"],
	"ds_read_b32 ds_load_b32":               {size: 4},
	"ds_read_b64 ds_load_b64":               {size: 8},
	"ds_read_b96 ds_load_b96":               {size: 12},
	"ds_read_b128 ds_load_b128":             {size: 16},
}

var ldsStores = map[string]shape{
	"ds_write_b8 ds_store_b8":                 {size: 1},
	"ds_write_b16 ds_store_b16":               {size: 2},
	"ds_write_b8_d16_hi ds_store_b8_d16_hi":   {size: 1, shift: 16},
	"ds_write_b16_d16_hi ds_store_b16_d16_hi": {size: 2, shift: 16},
	"ds_write_b32 ds_store_b32":               {size: 4},
	"ds_write_b64 ds_store_b64":               {size: 8},
	"ds_write_b96 ds_store_b96":               {size: 12},
	"ds_write_b128 ds_store_b128":             {size: 16},
}

// ldsAddress is the addressing by operand i and an option that counts units of
// unit bytes.
func (in *inst) ldsAddress(i int, option string, unit int) (addressing, error) {
	v, err := in.data(i, 1)
	if err != nil {
		return addressing{}, err
	}
	if v.file != vgpr {
		return addressing{}, fmt.Errorf("address %s: %s", v.text, in.text)
	}
	n, err := in.option(option)
	if _, gds := in.options["gds"]; gds {
		err = fmt.Errorf("global data share is not emulated: %s", in.text)
	}
	reg, offset := v.reg, uint32(int(n)*unit)
	return addressing{func(w *wave) {
		lo, z := &w.v[reg], &w.mem.addr
		for l := range z {
			z[l] = uint64(lo[l] + offset)
		}
	}, (*access).local, false}, err
}

// ldsBinder binds loads ("v1, v0 offset:16") and stores ("v0, v1 offset:16").
func (t shape) ldsBinder(e effect) binder {
	return func(in *inst) (func(w *wave), error) {
		d, addr, err := in.dataAndAddress(e, t.registers())
		if err != nil {
			return nil, err
		}
		at, err := in.ldsAddress(addr, "offset", 1)
		if err != nil {
			return nil, err
		}
		return at.runs(t.access(in, e, d)), nil
	}
}

// ldsBinder2 binds what accesses two places, offset0 and offset1 times the size
// and stride from the address: "v[2:3], v0 offset1:4", "v0, v1, v2 offset1:4".
func (t shape) ldsBinder2(e effect, stride int) binder {
	return func(in *inst) (func(w *wave), error) {
		n := t.registers()
		var data [2]*operand
		var err error
		addr := 0
		if e == effectRead {
			var both *operand
			if both, err = in.data(0, 2*n); err != nil {
				return nil, err
			}
			lo, hi := *both, *both
			hi.reg += n
			data, addr = [2]*operand{&lo, &hi}, 1
		} else {
			if data[0], err = in.data(1, n); err != nil {
				return nil, err
			}
			if data[1], err = in.data(2, n); err != nil {
				return nil, err
			}
		}
		at, delta, err := in.ldsAddress2(addr, t.size*stride)
		if err != nil {
			return nil, err
		}
		return at.runs2(t.access(in, e, data[0]), t.access(in, e, data[1]), delta), nil
	}
}

// ldsAddress2 is the addressing of the first of two places, and the distance to
// the second.
func (in *inst) ldsAddress2(i, unit int) (at addressing, delta uint32, err error) {
	if at, err = in.ldsAddress(i, "offset0", unit); err != nil {
		return at, 0, err
	}
	first, err := in.option("offset0")
	if err != nil {
		return at, 0, err
	}
	second, err := in.option("offset1")
	return at, uint32((int(second) - int(first)) * unit), err
}

// runs2 executes two accesses, the second delta bytes from the first.
func (t addressing) runs2(a, b *access, delta uint32) func(w *wave) {
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		t.address(w)
		t.do(a, w, m)
		z := &w.mem.addr
		for l := range z {
			z[l] = uint64(uint32(z[l]) + delta)
		}
		t.do(b, w, m)
	}
}
