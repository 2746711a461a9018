package link

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"heddle/internal/elf64"
	"heddle/internal/errs"
)

const (
	machineAMDGPU = 224
	// shnLDS marks a symbol that wants LDS allocated by the linker.
	shnLDS = elf64.SectionIndex(0xff00)

	pageSize    = 0x1000
	maxAlign    = 1 << 20
	maxSection  = 1 << 32 // of .bss, which costs no bytes in the file
	ehdrSize    = 64
	phdrSize    = 56
	shdrSize    = 64
	symSize     = 24
	relaSize    = 24
	dynSize     = 16
	eIdentSize  = 16
	eFlagsAt    = 48
	eABIVersion = 8
)

var le = binary.LittleEndian

// A section is one section of the output: copied from the input, or synthetic.
type section struct {
	name          string
	typ           elf64.SectionType
	flags         elf64.SectionFlag
	addr, off     uint64
	size          uint64
	link, info    uint32
	align, entry  uint64
	data          []byte // nil for .bss
	index         uint16 // in the output's section header table
	fromInput     bool
	inputRelocate []reloc
}

func (s *section) alloc() bool { return s.flags&elf64.SHF_ALLOC != 0 }

// A symbol is one entry of the input's symbol table.
type symbol struct {
	elf64.Symbol
	section *section // where it is defined; nil for an absolute one
}

func (s *symbol) local() bool {
	vis := elf64.ST_VISIBILITY(s.Other)
	return elf64.ST_BIND(s.Info) == elf64.STB_LOCAL || vis == elf64.STV_HIDDEN || vis == elf64.STV_INTERNAL
}

// addr is the symbol's address in the output, once laid out.
func (s *symbol) addr() uint64 {
	if s.section == nil {
		return s.Value
	}
	return s.section.addr + s.Value
}

// A linker holds one link from input to output.
type linker struct {
	ident []byte // e_ident: carries the OS ABI and the code object version
	flags uint32 // e_flags: the processor
	// kept are the input's sections by input index; nil where one is dropped.
	kept []*section
	syms []symbol // by input index; 0 is the null symbol

	notes, ro, rx, rw, bss, debug []*section

	got      []uint32          // symbols with a slot, in order
	gotSlot  map[uint32]uint64 // symbol to slot
	relative []relative        // for the loader
	nDynamic int

	layout
}

// Linked, if set, sees the input and the output of every Link: tests compare
// them with what lld makes. It must be set before anything is linked.
var Linked func(obj, code []byte)

// Link makes a loadable shared code object of one relocatable AMDGPU object.
// Undefined symbols are an error that names them all. The input may be
// anything: what is malformed is an error. Debugging sections are kept.
func Link(obj []byte) ([]byte, error) {
	l := &linker{gotSlot: map[uint32]uint64{}}
	for _, step := range []func() error{
		func() error { return l.read(obj) },
		l.scan,
		l.place,
		l.relocate,
	} {
		if err := step(); err != nil {
			return nil, errs.F("link: %w", err)
		}
	}
	code := l.write()
	if Linked != nil {
		Linked(obj, code)
	}
	return code, nil
}

// read takes the object apart.
func (l *linker) read(obj []byte) error {
	f, err := elf64.NewFile(bytes.NewReader(obj))
	if err != nil {
		return errs.F("not a readable ELF object: %w", err)
	}
	if f.Machine != machineAMDGPU || f.Class != elf64.ELFCLASS64 || f.Data != elf64.ELFDATA2LSB {
		return errs.F("the object is for machine %d of class %d, not AMDGPU", f.Machine, f.Class)
	}
	if f.Type != elf64.ET_REL {
		return errs.F("the object is of type %d, not relocatable", f.Type)
	}
	l.ident = obj[:eIdentSize]
	l.flags = le.Uint32(obj[eFlagsAt:])
	if err := l.readSections(f); err != nil {
		return err
	}
	if err := l.readSymbols(f); err != nil {
		return err
	}
	for _, s := range f.Sections {
		if s.Type == elf64.SHT_RELA {
			if err := l.readRelocations(s); err != nil {
				return err
			}
		}
		if s.Type == elf64.SHT_REL {
			return errs.F("section %s: relocations without addends", s.Name)
		}
	}
	return nil
}

func (l *linker) readSections(f *elf64.File) error {
	l.kept = make([]*section, len(f.Sections))
	for i, in := range f.Sections {
		switch in.Type {
		case elf64.SHT_PROGBITS, elf64.SHT_NOTE, elf64.SHT_NOBITS, elf64.SHT_INIT_ARRAY, elf64.SHT_FINI_ARRAY:
		default:
			continue
		}
		alloc := in.Flags&elf64.SHF_ALLOC != 0
		if !alloc && (in.Size == 0 || in.Type == elf64.SHT_NOTE || in.Name == ".note.GNU-stack") {
			continue
		}
		s := &section{name: in.Name, typ: in.Type, flags: in.Flags &^ elf64.SHF_GROUP, size: in.Size, align: max(in.Addralign, 1), entry: in.Entsize, fromInput: true}
		if s.align&(s.align-1) != 0 || s.align > maxAlign {
			return errs.F("section %s: alignment %d", in.Name, s.align)
		}
		if in.Flags&elf64.SHF_COMPRESSED != 0 {
			return errs.F("section %s: compressed", in.Name)
		}
		if in.Type == elf64.SHT_NOBITS {
			if in.Size > maxSection {
				return errs.F("section %s: %d bytes", in.Name, in.Size)
			}
		} else {
			data, err := in.Data()
			if err != nil || uint64(len(data)) != in.Size {
				return errs.F("section %s: truncated", in.Name)
			}
			s.data = data
		}
		l.kept[i] = s
		group := &l.ro
		switch {
		case !alloc:
			group = &l.debug
		case in.Flags&elf64.SHF_EXECINSTR != 0:
			group = &l.rx
		case in.Type == elf64.SHT_NOBITS:
			group = &l.bss
		case in.Flags&elf64.SHF_WRITE != 0:
			group = &l.rw
		case in.Type == elf64.SHT_NOTE:
			group = &l.notes
		}
		*group = append(*group, s)
		if in.Type == elf64.SHT_NOBITS && group != &l.bss {
			return errs.F("section %s: no contents", in.Name)
		}
	}
	return nil
}

func (l *linker) readSymbols(f *elf64.File) error {
	l.syms = make([]symbol, 1)
	table, err := f.Symbols()
	if err != nil && !errors.Is(err, elf64.ErrNoSymbols) {
		return errs.F("symbol table: %w", err)
	}
	var undefined []string
	for _, in := range table {
		s := symbol{Symbol: in}
		switch {
		case in.Section == elf64.SHN_UNDEF:
			undefined = append(undefined, in.Name)
		case in.Section == elf64.SHN_COMMON, in.Section == shnLDS:
			return errs.F("symbol %s: the linker would have to allocate it", in.Name)
		case in.Section >= elf64.SHN_LORESERVE:
			// SHN_ABS: the value is all there is.
		case int(in.Section) >= len(l.kept):
			return errs.F("symbol %s: section %d of %d", in.Name, in.Section, len(l.kept))
		default:
			s.section = l.kept[in.Section]
		}
		l.syms = append(l.syms, s)
	}
	if undefined != nil {
		slices.Sort(undefined)
		return &UndefinedError{Symbols: undefined}
	}
	return nil
}

// dropped reports whether a symbol's section did not make it into the output.
func (s *symbol) dropped() bool {
	return s.section == nil && s.Section != elf64.SHN_UNDEF && s.Section < elf64.SHN_LORESERVE
}

// An UndefinedError lists symbols that are used and not defined. A code object
// cannot import anything.
type UndefinedError struct{ Symbols []string }

func (e *UndefinedError) Error() string {
	return "undefined symbol " + strings.Join(e.Symbols, ", ")
}
