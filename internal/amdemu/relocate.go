package amdemu

import (
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"heddle/internal/link"
)

const (
	relaSize  = 24
	relocNone = 0 // R_AMDGPU_NONE
)

// relocationOf is a relocation that a dynamic loader may meet.
func relocationOf(number uint32) (t link.RelocationType, ok bool) {
	t, ok = link.Relocations.Get()[number]
	return t, ok && t.Base != link.RelativeGOT && t.Size >= 4 // those are a linker's
}

// relocate lists the exported symbols and applies the dynamic relocations. What
// they need and nothing defines is an error that names it; undefined symbols
// that nothing needs are no harm, and lld leaves some.
func (p *program) relocate(f *elf.File) error {
	symbols, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || s.Section >= elf.SHN_LORESERVE || s.Name == "" {
			continue // nothing in memory
		}
		if _, err := p.at(s.Value, s.Size); err != nil {
			return fmt.Errorf("symbol %s: %w", s.Name, err)
		}
		p.symbols[s.Name] = extent{s.Name, p.symbolAddr(&s), int(s.Size)}
	}
	missing := map[string]bool{}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		switch s.Type {
		case elf.SHT_REL, shtRelr:
			return fmt.Errorf("section %s: relocations of type %v are not known here", s.Name, s.Type)
		case elf.SHT_RELA:
			if err := p.relocateAll(s, symbols, missing); err != nil {
				return fmt.Errorf("section %s: %w", s.Name, err)
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("undefined symbols: %s", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return nil
}

// symbolAddr is a symbol's address; undefined weak ones are at 0.
func (p *program) symbolAddr(s *elf.Symbol) uint64 {
	switch {
	case s.Section == elf.SHN_UNDEF:
		return 0
	case s.Section >= elf.SHN_LORESERVE: // absolute
		return s.Value
	}
	return p.base + s.Value
}

// relocateAll applies one section of relocations, and collects the undefined
// symbols among theirs.
func (p *program) relocateAll(s *elf.Section, symbols []elf.Symbol, missing map[string]bool) error {
	data, err := s.Data()
	if err != nil {
		return err
	}
	for ; len(data) >= relaSize; data = data[relaSize:] {
		place, info, addend := le.Uint64(data), le.Uint64(data[8:]), le.Uint64(data[16:])
		if uint32(info) == relocNone {
			continue
		}
		r, ok := relocationOf(uint32(info))
		if !ok {
			return fmt.Errorf("relocation of unknown type %d at %#x", uint32(info), place)
		}
		value := addend
		if r.Base == link.LoadAddress {
			value += p.base
		} else if sym := info >> 32; sym > uint64(len(symbols)) {
			return fmt.Errorf("%s at %#x: symbol %d of %d", r.Name, place, sym, len(symbols))
		} else if sym > 0 {
			value += p.symbolAddr(&symbols[sym-1])
			if s := &symbols[sym-1]; s.Section == elf.SHN_UNDEF && elf.ST_BIND(s.Info) != elf.STB_WEAK {
				missing[s.Name] = true
			}
		}
		if r.Base == link.RelativePlace {
			value -= p.base + place
		}
		if r.High {
			value >>= 32
		}
		at, err := p.at(place, r.Size)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		if r.Size == 8 {
			le.PutUint64(at, value)
		} else {
			le.PutUint32(at, uint32(value))
		}
	}
	return nil
}
