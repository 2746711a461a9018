package link

import (
	"heddle/internal/elf64"
	"heddle/internal/errs"
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

// Relocations that are more than their row in Relocations.
const (
	relocNone       = 0
	relocABS64      = 3
	relocRelative64 = 13
	relocREL16      = 14
)

// A RelocationBase is what a relocation's value, symbol plus addend, is relative to.
type RelocationBase uint8

const (
	Absolute      RelocationBase = iota
	RelativePlace                // the place itself
	RelativeGOT                  // the symbol's slot in the global offset table, relative to the place
	LoadAddress                  // takes the load address for the symbol: the loader's
)

// A RelocationType is what a relocation stores.
type RelocationType struct {
	Name string
	Size uint64 // in bytes
	Base RelocationBase
	// High stores the upper 32 bits of the 64-bit value, Wrap the lower ones without a
	// check that they are all.
	High, Wrap bool
}

// Relocations are AMDGPU's by their numbers, without R_AMDGPU_NONE.
// Source: LLVM's User Guide for the AMDGPU Backend, "Relocation Records".
var Relocations = lazy.Value[map[uint32]RelocationType]{Make: func() map[uint32]RelocationType {
	return map[uint32]RelocationType{
		1:  {Name: "R_AMDGPU_ABS32_LO", Size: 4, Wrap: true},
		2:  {Name: "R_AMDGPU_ABS32_HI", Size: 4, High: true},
		3:  {Name: "R_AMDGPU_ABS64", Size: 8},
		4:  {Name: "R_AMDGPU_REL32", Size: 4, Base: RelativePlace},
		5:  {Name: "R_AMDGPU_REL64", Size: 8, Base: RelativePlace},
		6:  {Name: "R_AMDGPU_ABS32", Size: 4},
		7:  {Name: "R_AMDGPU_GOTPCREL", Size: 4, Base: RelativeGOT},
		8:  {Name: "R_AMDGPU_GOTPCREL32_LO", Size: 4, Base: RelativeGOT, Wrap: true},
		9:  {Name: "R_AMDGPU_GOTPCREL32_HI", Size: 4, Base: RelativeGOT, High: true},
		10: {Name: "R_AMDGPU_REL32_LO", Size: 4, Base: RelativePlace, Wrap: true},
		11: {Name: "R_AMDGPU_REL32_HI", Size: 4, Base: RelativePlace, High: true},
		13: {Name: "R_AMDGPU_RELATIVE64", Size: 8, Base: LoadAddress},
		14: {Name: "R_AMDGPU_REL16", Size: 2, Base: RelativePlace},
	}
}}

func (l *linker) readRelocations(s *elf64.Section) error {
	if int(s.Info) >= len(l.kept) || l.kept[s.Info] == nil {
		return nil // of a section that is dropped
	}
	target := l.kept[s.Info]
	data, err := s.Data()
	if err != nil || len(data)%relaSize != 0 {
		return errs.F("section %s: truncated", s.Name)
	}
	for ; len(data) > 0; data = data[relaSize:] {
		info := le.Uint64(data[8:])
		r := reloc{off: le.Uint64(data), typ: uint32(info), sym: uint32(info >> 32), addend: int64(le.Uint64(data[16:]))}
		if r.typ == relocNone {
			continue
		}
		if err := l.check(target, &r); err != nil {
			return errs.F("section %s, offset %#x: %w", target.name, r.off, err)
		}
		target.inputRelocate = append(target.inputRelocate, r)
	}
	return nil
}

// check refuses a relocation that cannot be applied.
func (l *linker) check(target *section, r *reloc) error {
	t, ok := Relocations.Get()[r.typ]
	if !ok || t.Base == LoadAddress { // which is for loaders
		return errs.F("relocation of unknown type %d", r.typ)
	}
	if n := uint64(len(target.data)); r.off > n || n-r.off < t.Size {
		return errs.F("%s reaches outside the section's %d bytes", t.Name, n)
	}
	if int(r.sym) >= len(l.syms) {
		return errs.F("%s against symbol %d of %d", t.Name, r.sym, len(l.syms))
	}
	sym := &l.syms[r.sym]
	if sym.dropped() {
		return errs.F("%s against %q, whose section is not linked", t.Name, sym.Name)
	}
	if !target.alloc() {
		if t.Base == RelativeGOT {
			return errs.F("%s in a section that is not loaded", t.Name)
		}
		return nil
	}
	// The loader chooses the address: only 64 bits of it can be patched in.
	if t.Base == Absolute && r.typ != relocABS64 && sym.section != nil {
		return errs.F("%s against %q, whose address is not known before loading", t.Name, sym.Name)
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
			switch t := Relocations.Get()[r.typ]; {
			case t.Base == RelativeGOT:
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
				return errs.F("section %s, offset %#x: %w", s.name, r.off, err)
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
	t := Relocations.Get()[r.typ]
	sym := &l.syms[r.sym]
	place := s.addr + r.off
	value := sym.addr() + uint64(r.addend)
	switch t.Base {
	case RelativePlace:
		value -= place
	case RelativeGOT:
		value = l.gotSection.addr + 8*l.gotSlot[r.sym] + uint64(r.addend) - place
	}
	at := s.data[r.off:]
	switch {
	case r.typ == relocREL16: // a branch: words from the next instruction
		words := (int64(value) - 4) / 4
		if int64(int16(words)) != words {
			return errs.F("%s against %q: a branch over %d words", t.Name, sym.Name, words)
		}
		le.PutUint16(at, uint16(words))
	case t.Size == 8:
		if r.typ == relocABS64 && s.alloc() && sym.section != nil {
			l.relative = append(l.relative, relative{place, value})
		}
		le.PutUint64(at, value)
	case t.High:
		le.PutUint32(at, uint32(value>>32))
	default:
		if !t.Wrap && int64(int32(value)) != int64(value) && uint64(uint32(value)) != value {
			return errs.F("%s against %q: %#x does not fit 32 bits", t.Name, sym.Name, value)
		}
		le.PutUint32(at, uint32(value))
	}
	return nil
}
