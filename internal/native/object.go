package native

import (
	"bytes"
	"errors"
	"strings"

	"heddle/internal/elf64"
	"heddle/internal/errs"
)

// Limits of what is loaded.
const (
	maxImage = 64 << 20 // bytes: within reach of a branch on both machines
	maxAlign = 4096     // of a section: the smallest page
)

// part is where in the image a section goes.
type part uint8

const (
	code part = iota
	constants
	data
	parts   // how many there are
	nowhere = parts
)

// A section is one section of the object that the image holds.
type section struct {
	name  string
	part  part
	align uint64
	size  uint64
	bytes []byte // nil: zeros
	at    uint64 // offset in the image
	relas []rela
}

// A rela is one relocation of a section.
type rela struct {
	at     uint64
	typ    uint32
	sym    uint32 // index in Object.symbols
	addend int64
}

// A symbol is one entry of the symbol table.
type symbol struct {
	name    string
	section *section // nil: undefined or absolute
	value   uint64   // offset in the section, or the absolute value
	size    uint64
	bind    elf64.SymBind
	typ     elf64.SymType
	defined bool
	skipped bool // in a section that is not loaded
}

// An Object is a parsed relocatable object.
type Object struct {
	machine  *machine
	sections []*section
	symbols  []symbol // as in the file: index 0 is no symbol
}

// Parse reads an ELF relocatable object for x86-64 or AArch64.
func Parse(file []byte) (*Object, error) {
	f, err := elf64.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, errs.F("native: not an ELF object: %w", err)
	}
	m := machineFor(f.Machine)
	switch {
	case f.Type != elf64.ET_REL || f.Class != elf64.ELFCLASS64 || f.Data != elf64.ELFDATA2LSB:
		return nil, errs.F("native: want a 64-bit little-endian relocatable object, not class %d, data %d, type %d", f.Class, f.Data, f.Type)
	case m == nil:
		return nil, errs.F("native: objects for machine %d cannot be loaded", f.Machine)
	}
	o := &Object{machine: m}
	at := make([]*section, len(f.Sections)) // by the file's index
	for i, s := range f.Sections {
		if at[i], err = o.addSection(s); err != nil {
			return nil, errs.F("native: section %s: %w", s.Name, err)
		}
	}
	if err := o.readSymbols(f, at); err != nil {
		return nil, errs.F("native: symbols: %w", err)
	}
	for _, s := range f.Sections {
		if err := o.readRelas(s, at); err != nil {
			return nil, errs.F("native: section %s: %w", s.Name, err)
		}
	}
	return o, nil
}

// placeOf says which part of the image a section belongs to.
func placeOf(s *elf64.Section) part {
	const unwind = elf64.SHT_LOPROC + 1 // SHT_X86_64_UNWIND
	switch {
	case s.Flags&elf64.SHF_ALLOC == 0 || s.Type == unwind || strings.HasPrefix(s.Name, ".eh_frame") || s.Type == elf64.SHT_NOTE:
		return nowhere
	case s.Flags&elf64.SHF_EXECINSTR != 0:
		return code
	case s.Flags&elf64.SHF_WRITE == 0 || strings.HasPrefix(s.Name, ".data.rel.ro"):
		return constants
	}
	return data
}

// addSection keeps what the image needs of s, and returns nil for the rest.
func (o *Object) addSection(s *elf64.Section) (*section, error) {
	n := &section{name: s.Name, part: placeOf(s), align: max(s.Addralign, 1), size: s.Size}
	switch {
	case n.part == nowhere:
		return nil, nil
	case s.Flags&elf64.SHF_TLS != 0:
		return nil, errors.New("thread-local data cannot be loaded")
	case s.Flags&elf64.SHF_COMPRESSED != 0:
		return nil, errors.New("it is compressed")
	case s.Type == elf64.SHT_INIT_ARRAY || s.Type == elf64.SHT_FINI_ARRAY || s.Type == elf64.SHT_PREINIT_ARRAY:
		return nil, errors.New("code to run at load time is not supported")
	case n.part == code && s.Flags&elf64.SHF_WRITE != 0:
		return nil, errors.New("it is both writable and executable")
	case n.align > maxAlign || n.align&(n.align-1) != 0:
		return nil, errs.F("alignment of %d bytes", n.align)
	case n.size > maxImage:
		return nil, errs.F("%d bytes, more than the %d that can be loaded", n.size, maxImage)
	}
	if s.Type != elf64.SHT_NOBITS {
		b, err := s.Data()
		if err != nil || uint64(len(b)) != n.size {
			return nil, errs.F("it is cut short (%v)", err)
		}
		n.bytes = b
	}
	o.sections = append(o.sections, n)
	return n, nil
}

// readSymbols reads the symbol table and places the COMMON ones.
func (o *Object) readSymbols(f *elf64.File, at []*section) error {
	list, err := f.Symbols()
	if errors.Is(err, elf64.ErrNoSymbols) {
		list, err = nil, nil
	}
	if err != nil {
		return err
	}
	o.symbols = make([]symbol, len(list)+1)
	common := &section{name: "COMMON", part: data, align: 1}
	for i, e := range list {
		s := &o.symbols[i+1]
		*s = symbol{name: e.Name, value: e.Value, size: e.Size, bind: elf64.ST_BIND(e.Info), typ: elf64.ST_TYPE(e.Info)}
		switch {
		case e.Section == elf64.SHN_UNDEF:
			continue
		case s.typ == elf64.STT_TLS || s.typ == elf64.STT_GNU_IFUNC:
			return errs.F("%s is of type %v, which cannot be loaded", s.name, s.typ)
		case e.Section == elf64.SHN_ABS:
		case e.Section == elf64.SHN_COMMON:
			if e.Value == 0 || e.Value > maxAlign || e.Value&(e.Value-1) != 0 || e.Size > maxImage {
				return errs.F("%s: %d bytes of common data, aligned to %d", s.name, e.Size, e.Value)
			}
			s.section, s.value = common, up(common.size, e.Value)
			common.size, common.align = s.value+e.Size, max(common.align, e.Value)
			if common.size > maxImage {
				return errors.New("too much common data")
			}
		case int(e.Section) >= len(at):
			return errs.F("%s is in section %d of %d", s.name, e.Section, len(at))
		case at[e.Section] == nil:
			s.skipped = true
		default:
			s.section = at[e.Section]
			if e.Value > s.section.size || e.Size > s.section.size-e.Value {
				return errs.F("%s: %d bytes at %d do not lie in section %s of %d bytes",
					s.name, e.Size, e.Value, s.section.name, s.section.size)
			}
			if s.typ == elf64.STT_SECTION {
				s.name = s.section.name
			}
		}
		s.defined = true
	}
	if common.size > 0 {
		o.sections = append(o.sections, common)
	}
	return nil
}

// readRelas reads the relocations in s, if it holds those of a loaded section.
func (o *Object) readRelas(s *elf64.Section, at []*section) error {
	if s.Type != elf64.SHT_RELA && s.Type != elf64.SHT_REL {
		return nil
	}
	if int(s.Info) >= len(at) {
		return errs.F("it relocates section %d of %d", s.Info, len(at))
	}
	target := at[s.Info]
	if target == nil {
		return nil
	}
	if s.Type == elf64.SHT_REL || target.bytes == nil && s.Size > 0 {
		return errs.F("relocations of type %d for section %s", s.Type, target.name)
	}
	b, err := s.Data()
	const size = 24
	if err != nil || len(b)%size != 0 {
		return errs.F("%d bytes are no relocations (%v)", len(b), err)
	}
	for ; len(b) > 0; b = b[size:] {
		info := order.Uint64(b[8:])
		r := rela{at: order.Uint64(b), typ: uint32(info), sym: uint32(info >> 32), addend: int64(order.Uint64(b[16:]))}
		if int(r.sym) >= len(o.symbols) && r.sym != 0 {
			return errs.F("a relocation against symbol %d of %d", r.sym, len(o.symbols))
		}
		target.relas = append(target.relas, r)
	}
	return nil
}

// up is n rounded up to a multiple of align, a power of two.
func up(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
