package native

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"heddle/internal/elf64"
	"heddle/internal/errs"
)

var order = binary.LittleEndian

// A machine is what differs from one instruction set to the other.
type machine struct {
	name   string // GOARCH
	relocs map[uint32]reloc
	// stub writes code at b, which will be at address at, that jumps to where
	// the word at address slot says.
	stub func(b []byte, at, slot uint64)
}

// stubSize is the bytes a stub takes on either machine.
const stubSize = 16

// A reloc is how one type of relocation is done.
type reloc struct {
	name string
	// got: the relocation is about the symbol's slot in the global offset table.
	got bool
	// call: the target may be reached through a stub.
	call bool
	size uint64 // bytes it changes
	// apply changes the bytes at b, at address p, for the target address.
	apply func(b []byte, target, p uint64) error
}

// typ is the name of a type of relocation, or its number.
func (m *machine) typ(t uint32) string {
	if r, ok := m.relocs[t]; ok {
		return r.name
	}
	return fmt.Sprint(t)
}

// machineFor is the machine of an object, nil if it is not known.
func machineFor(m elf64.Machine) *machine {
	switch m {
	case elf64.EM_X86_64:
		return x86.Get()
	case elf64.EM_AARCH64:
		return aarch64.Get()
	}
	return nil
}

var errRange = errors.New("the target is out of reach")

// layout is an Object with a place for everything.
type layout struct {
	*Object
	page   uint64
	begin  [parts + 1]uint64 // offsets of the parts, multiples of the page, and the end
	stubs  map[uint32]uint64 // offset of a symbol's stub
	slots  map[uint32]uint64 // offset of a symbol's slot in the global offset table
	wanted []uint32          // undefined symbols that relocations refer to
}

// layOut places the object's sections on pages of the given size.
func (o *Object) layOut(page uint64) (*layout, error) {
	l := &layout{Object: o, page: page, stubs: map[uint32]uint64{}, slots: map[uint32]uint64{}}
	if err := l.survey(); err != nil {
		return nil, err
	}
	end := uint64(0)
	for p := range parts {
		end = up(end, page)
		l.begin[p] = end
		for _, s := range o.sections {
			if s.part == p {
				s.at = up(end, s.align)
				end = s.at + s.size
			}
		}
		switch p {
		case code:
			end = place(l.stubs, end, stubSize)
		case constants:
			end = place(l.slots, end, 8)
		}
		if end > maxImage {
			return nil, errs.F("native: the image takes more than %d bytes", maxImage)
		}
	}
	l.begin[parts] = max(up(end, page), page)
	return l, nil
}

// place gives each symbol in m size bytes from offset at on, and returns the end.
func place(m map[uint32]uint64, at, size uint64) uint64 {
	at = up(at, size)
	var symbols []int
	for s := range m {
		symbols = append(symbols, int(s))
	}
	slices.Sort(symbols)
	for _, s := range symbols {
		m[uint32(s)] = at
		at += size
	}
	return at
}

// survey checks the relocations and finds which symbols need a stub or a slot.
func (l *layout) survey() error {
	var unknown []string
	seen := map[uint32]bool{}
	for _, s := range l.sections {
		for _, r := range s.relas {
			how, ok := l.machine.relocs[r.typ]
			switch {
			case !ok:
				if t := l.machine.typ(r.typ); !slices.Contains(unknown, t) {
					unknown = append(unknown, t)
				}
				continue
			case r.at > s.size || how.size > s.size-r.at:
				return errs.F("native: section %s of %d bytes: relocation at %d", s.name, s.size, r.at)
			case how.size == 0:
				continue
			case r.sym == 0:
				return errs.F("native: section %s: relocation %s against no symbol", s.name, l.machine.typ(r.typ))
			}
			sym := &l.symbols[r.sym]
			if sym.skipped {
				return errs.F("native: section %s: relocation against %s, which is not loaded", s.name, sym.name)
			}
			if how.got {
				l.slots[r.sym] = 0
			}
			if sym.defined {
				continue
			}
			if how.call {
				l.stubs[r.sym], l.slots[r.sym] = 0, 0
			}
			if !seen[r.sym] {
				seen[r.sym] = true
				l.wanted = append(l.wanted, r.sym)
			}
		}
	}
	if unknown != nil {
		return errs.F("native: relocations of type %s are not supported; compile position-independent code", strings.Join(unknown, ", "))
	}
	return nil
}

// resolve finds the undefined symbols' addresses.
func (l *layout) resolve(find func(name string) (uintptr, bool)) (map[uint32]uint64, error) {
	found := map[uint32]uint64{}
	var missing []string
	for _, i := range l.wanted {
		s := &l.symbols[i]
		a, ok := find(s.name)
		if !ok && s.bind != elf64.STB_WEAK {
			missing = append(missing, s.name)
		}
		found[i] = uint64(a)
	}
	if missing != nil {
		slices.Sort(missing)
		return nil, errs.F("native: undefined symbols: %s", strings.Join(missing, ", "))
	}
	return found, nil
}

// link writes the image into mem, which is zero and will be at address base.
// outside are the undefined symbols' addresses.
func (l *layout) link(mem []byte, base uint64, outside map[uint32]uint64) error {
	for _, s := range l.sections {
		copy(mem[s.at:], s.bytes)
	}
	for sym, at := range l.slots {
		order.PutUint64(mem[at:], l.address(sym, base, outside))
	}
	for sym, at := range l.stubs {
		l.machine.stub(mem[at:][:stubSize], base+at, base+l.slots[sym])
	}
	for _, s := range l.sections {
		for _, r := range s.relas {
			how := l.machine.relocs[r.typ]
			if how.size == 0 {
				continue
			}
			target := l.address(r.sym, base, outside)
			if how.got {
				target = base + l.slots[r.sym]
			} else if at, ok := l.stubs[r.sym]; ok && how.call {
				target = base + at
			}
			at := s.at + r.at
			if err := how.apply(mem[at:][:how.size], target+uint64(r.addend), base+at); err != nil {
				return errs.F("native: section %s at %d: %s against %s: %w",
					s.name, r.at, l.machine.typ(r.typ), l.symbols[r.sym].name, err)
			}
		}
	}
	return nil
}

// address is a symbol's.
func (l *layout) address(sym uint32, base uint64, outside map[uint32]uint64) uint64 {
	s := &l.symbols[sym]
	switch {
	case !s.defined:
		return outside[sym]
	case s.section == nil:
		return s.value
	}
	return base + s.section.at + s.value
}

// find returns the global symbol of that name, nil if the image has none.
//
//go:noinline
func (l *layout) find(name string) *symbol {
	for i := range l.symbols {
		if s := &l.symbols[i]; s.name == name && s.section != nil && s.bind != elf64.STB_LOCAL {
			return s
		}
	}
	return nil
}
