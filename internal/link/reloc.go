package link

import (
	"fmt"

	"heddle/internal/elf64"
	"heddle/internal/lazy"
)

// A reloc is one relocation of the input.
type reloc struct {
	off    uint64
	typ    uint32
	sym    uint32
	addend int64
}

// A relative is an R_AMDGPU_RELATIVE64 of the output: the loader stores the
// load address plus value at addr.
type relative struct{ addr, value uint64 }

const (
	relocNone       = 0
	relocABS64      = 3
	relocRelative64 = 13
	relocREL16      = 14
)

// base is what a relocation's value is relative to.
type base uint8

const (
	absolute base = iota
	relPC         // the place itself
	relGOT        // the symbol's slot in the global offset table, relative to the place
)

// relocTypes are the relocations that LLVM emits for AMDGPU. With high set the
// upper 32 bits of the 64-bit value are stored; with wrap, the lower ones
// without a check that they are all.
var relocTypes = lazy.Value[map[uint32]relocType]{Make: func() map[uint32]relocType {
	return map[uint32]relocType{
		1:  {name: "R_AMDGPU_ABS32_LO", size: 4, wrap: true},
		2:  {name: "R_AMDGPU_ABS32_HI", size: 4, high: true},
		3:  {name: "R_AMDGPU_ABS64", size: 8},
		4:  {name: "R_AMDGPU_REL32", size: 4, base: relPC},
		5:  {name: "R_AMDGPU_REL64", size: 8, base: relPC},
		6:  {name: "R_AMDGPU_ABS32", size: 4},
		7:  {name: "R_AMDGPU_GOTPCREL", size: 4, base: relGOT},
		8:  {name: "R_AMDGPU_GOTPCREL32_LO", size: 4, base: relGOT, wrap: true},
		9:  {name: "R_AMDGPU_GOTPCREL32_HI", size: 4, base: relGOT, high: true},
		10: {name: "R_AMDGPU_REL32_LO", size: 4, base: relPC, wrap: true},
		11: {name: "R_AMDGPU_REL32_HI", size: 4, base: relPC, high: true},
		14: {name: "R_AMDGPU_REL16", size: 2, base: relPC},
	}
}}

type relocType struct {
	name       string
	size       uint64
	base       base
	high, wrap bool
}

func (l *linker) readRelocations(s *elf64.Section) error {
	if int(s.Info) >= len(l.kept) || l.kept[s.Info] == nil {
		return nil // of a section that is dropped
	}
	target := l.kept[s.Info]
	data, err := s.Data()
	if err != nil || len(data)%relaSize != 0 {
		return fmt.Errorf("section %s: truncated", s.Name)
	}
	for ; len(data) > 0; data = data[relaSize:] {
		info := le.Uint64(data[8:])
		r := reloc{off: le.Uint64(data), typ: uint32(info), sym: uint32(info >> 32), addend: int64(le.Uint64(data[16:]))}
		if r.typ == relocNone {
			continue
		}
		if err := l.check(target, &r); err != nil {
			return fmt.Errorf("section %s, offset %#x: %w", target.name, r.off, err)
		}
		target.inputRelocate = append(target.inputRelocate, r)
	}
	return nil
}

// check refuses a relocation that cannot be applied.
func (l *linker) check(target *section, r *reloc) error {
	t, ok := relocTypes.Get()[r.typ]
	if !ok {
		return fmt.Errorf("relocation of unknown type %d", r.typ)
	}
	if n := uint64(len(target.data)); r.off > n || n-r.off < t.size {
		return fmt.Errorf("%s reaches outside the section's %d bytes", t.name, n)
	}
	if int(r.sym) >= len(l.syms) {
		return fmt.Errorf("%s against symbol %d of %d", t.name, r.sym, len(l.syms))
	}
	sym := &l.syms[r.sym]
	if sym.dropped() {
		return fmt.Errorf("%s against %q, whose section is not linked", t.name, sym.Name)
	}
	if !target.alloc() {
		if t.base == relGOT {
			return fmt.Errorf("%s in a section that is not loaded", t.name)
		}
		return nil
	}
	// The loader chooses the address: only 64 bits of it can be patched in.
	if t.base == absolute && r.typ != relocABS64 && sym.section != nil {
		return fmt.Errorf("%s against %q, whose address is not known before loading", t.name, sym.Name)
	}
	return nil
}

// scan finds the symbols that need a slot in the global offset table, and how
// many relocations are left to the loader.
func (l *linker) scan() error {
	for _, s := range l.kept {
		if s == nil || !s.alloc() {
			continue
		}
		for _, r := range s.inputRelocate {
			inAddressSpace := l.syms[r.sym].section != nil
			switch t := relocTypes.Get()[r.typ]; {
			case t.base == relGOT:
				if _, ok := l.gotSlot[r.sym]; !ok {
					l.gotSlot[r.sym] = uint64(len(l.got))
					l.got = append(l.got, r.sym)
					if inAddressSpace {
						l.nDynamic++
					}
				}
			case r.typ == relocABS64 && inAddressSpace:
				l.nDynamic++
			}
		}
	}
	return nil
}

// relocate applies every relocation, now that all addresses are known.
func (l *linker) relocate() error {
	for i, index := range l.got {
		sym := &l.syms[index]
		le.PutUint64(l.gotSection.data[8*i:], sym.addr())
		if sym.section != nil {
			l.relative = append(l.relative, relative{l.gotSection.addr + 8*uint64(i), sym.addr()})
		}
	}
	for _, s := range l.kept {
		if s == nil {
			continue
		}
		for _, r := range s.inputRelocate {
			if err := l.apply(s, &r); err != nil {
				return fmt.Errorf("section %s, offset %#x: %w", s.name, r.off, err)
			}
		}
	}
	for i, r := range l.relative {
		b := l.relaSection.data[relaSize*i:]
		le.PutUint64(b, r.addr)
		le.PutUint64(b[8:], relocRelative64)
		le.PutUint64(b[16:], r.value)
	}
	return nil
}

func (l *linker) apply(s *section, r *reloc) error {
	t := relocTypes.Get()[r.typ]
	sym := &l.syms[r.sym]
	place := s.addr + r.off
	value := sym.addr() + uint64(r.addend)
	switch t.base {
	case relPC:
		value -= place
	case relGOT:
		value = l.gotSection.addr + 8*l.gotSlot[r.sym] + uint64(r.addend) - place
	}
	at := s.data[r.off:]
	switch {
	case r.typ == relocREL16: // a branch: words from the next instruction
		words := (int64(value) - 4) / 4
		if int64(int16(words)) != words {
			return fmt.Errorf("%s against %q: a branch over %d words", t.name, sym.Name, words)
		}
		le.PutUint16(at, uint16(words))
	case t.size == 8:
		if r.typ == relocABS64 && s.alloc() && sym.section != nil {
			l.relative = append(l.relative, relative{place, value})
		}
		le.PutUint64(at, value)
	case t.high:
		le.PutUint32(at, uint32(value>>32))
	default:
		if !t.wrap && int64(int32(value)) != int64(value) && uint64(uint32(value)) != value {
			return fmt.Errorf("%s against %q: %#x does not fit 32 bits", t.name, sym.Name, value)
		}
		le.PutUint32(at, uint32(value))
	}
	return nil
}
