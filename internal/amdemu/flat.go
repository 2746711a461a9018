package amdemu

import (
	"fmt"
	"math/bits"
	"strings"
)

// This file has the addresses of global_, flat_ and scratch_ instructions.

// addressing computes w.mem.addr for all lanes, and does an access for the
// lanes m. Addresses are of the kinds of the instructions' names.
type addressing struct {
	address func(w *wave)
	do      func(a *access, w *wave, m uint64)
	fixed   bool // no part of the address is a lane's own
}

// runs is what executes an access with this addressing.
func (t addressing) runs(a *access) func(w *wave) {
	a.fixed = t.fixed
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		t.address(w)
		t.do(a, w, m)
	}
}

// flatMemory are the rows of loads and stores at global, flat and scratch
// addresses.
func flatMemory() table {
	t := table{}
	for _, space := range []string{"global", "flat", "scratch"} {
		for names, s := range loads {
			for name := range strings.FieldsSeq(names) {
				t[space+"_load_"+name] = row{"", s.flatBinder(space, effectRead)}
			}
		}
		for names, s := range stores {
			for name := range strings.FieldsSeq(names) {
				t[space+"_store_"+name] = row{"", s.flatBinder(space, effectWrite)}
			}
		}
	}
	return t
}

// flatBinder binds loads ("v1, v[2:3], off") and stores ("v[2:3], v1, off").
func (t shape) flatBinder(space string, e effect) binder {
	return func(in *inst) (func(w *wave), error) {
		d, addr, err := in.dataAndAddress(e, t.registers())
		if err != nil {
			return nil, err
		}
		at, err := in.flatAddress(space, addr, 2)
		if err != nil {
			return nil, err
		}
		return at.runs(t.access(in, e|in.coherent(), d)), nil
	}
}

// flatAddress reads the address of an instruction: the vector part is operand
// vector, the scalar part operand scalar, where flat has none.
func (in *inst) flatAddress(space string, vector, scalar int) (addressing, error) {
	var none operand
	offset, err := in.option("offset")
	if err != nil {
		return addressing{}, err
	}
	if len(in.operands) <= vector || len(in.operands) > scalar+1 {
		return addressing{}, fmt.Errorf("operands: %s", in.text)
	}
	v, s := &in.operands[vector], &none
	if len(in.operands) > scalar {
		s = &in.operands[scalar]
	}
	if s.file == sgpr && s.reg == regNull {
		s = &none
	}
	switch {
	case space == "scratch" && (v.file == vgpr && v.n == 1 || v.file == noFile) && (s.file == sgpr && s.n == 1 || s.file == noFile):
		at := addressing{scratchAddress(v, s, uint32(offset)), (*access).private, v.file == noFile}
		if in.generation < 12 {
			at.do = notNegative(v, s, at.do)
		}
		return at, nil
	case space == "scratch":
	case v.file == vgpr && v.n == 2 && s.file == noFile:
		return addressing{wideAddress(v.reg, uint64(offset)), spaces[space], false}, nil
	case v.file == vgpr && v.n == 1 && s.file == sgpr && s.n == 2:
		return addressing{baseAddress(v.reg, s.reg, uint64(offset)), spaces[space], false}, nil
	}
	return addressing{}, fmt.Errorf("the form of the address is not known: %s", in.text)
}

// spaces are how an access is done by the kind of address.
var spaces = map[string]func(a *access, w *wave, m uint64){
	"global": (*access).global, "flat": (*access).flat,
}

// wideAddress is of 64-bit addresses in a pair of vector registers.
func wideAddress(v int, offset uint64) func(w *wave) {
	return func(w *wave) {
		lo, hi, z := &w.v[v], &w.v[v+1], &w.mem.addr
		for l := range z {
			z[l] = (uint64(lo[l]) | uint64(hi[l])<<32) + offset
		}
	}
}

// baseAddress is of a scalar base and an unsigned vector offset.
func baseAddress(v, s int, offset uint64) func(w *wave) {
	return func(w *wave) {
		base := (uint64(w.s[s]) | uint64(w.s[s+1])<<32) + offset
		lo, z := &w.v[v], &w.mem.addr
		for l := range z {
			z[l] = uint64(lo[l]) + base
		}
	}
}

// scratchAddress is of the offset in a lane's private memory: the sum of a
// vector register, a scalar register and a constant, of which each may miss.
func scratchAddress(v, s *operand, offset uint32) func(w *wave) {
	return func(w *wave) {
		base, z := offset, &w.mem.addr
		if s.file == sgpr {
			base += w.s[s.reg]
		}
		if v.file != vgpr {
			for l := range z {
				z[l] = uint64(base)
			}
			return
		}
		lo := &w.v[v.reg]
		for l := range z {
			z[l] = uint64(lo[l] + base)
		}
	}
}

// notNegative is do, an access to private memory, that fails where a register of the address is negative. Before
// GFX12 it must not be (LLVM's pull requests 70634 and 78193).
func notNegative(v, s *operand, do func(a *access, w *wave, m uint64)) func(a *access, w *wave, m uint64) {
	return func(a *access, w *wave, m uint64) {
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			if v.file == vgpr && int32(w.v[v.reg][l]) < 0 || s.file == sgpr && int32(w.s[s.reg]) < 0 {
				w.fail(l, fmt.Sprintf("%s of private memory by a register that is negative: an index out of range, or a fault of the compiler", a.verb()))
			}
		}
		do(a, w, m)
	}
}

// flat does the access for the lanes m at generic addresses, space by space.
func (a *access) flat(w *wave, m uint64) {
	var shared, own uint64
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		switch addr := w.mem.addr[l]; addr >> 32 {
		case sharedBase >> 32:
			shared |= 1 << l
			w.mem.addr[l] = uint64(uint32(addr))
		case privateBase >> 32:
			own |= 1 << l
		}
	}
	if shared != 0 {
		a.local(w, shared)
	}
	if own != 0 {
		a.private(w, own)
	}
	a.global(w, m&^shared&^own)
}
