// Package elf64 reads what heddle has to know of ELF files: the header, the sections
// and the symbols of 64-bit little-endian ones. debug/elf reads all kinds, and
// compressed sections and DWARF with three more packages: 160 KB of a program, of which
// its constants alone, whose types can print their names, bring 41.
package elf64

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"heddle/internal/errs"
)

// Sizes of what the file holds, in bytes.
const (
	headerSize  = 64
	sectionSize = 64
	symbolSize  = 24
)

var le = binary.LittleEndian

// A File is a file whose header and section headers were read.
type File struct {
	Class      Class
	Data       Data
	Type       Type
	Machine    Machine
	ABIVersion uint8
	Sections   []*Section
}

// A Section is one section of a file.
type Section struct {
	Name      string
	Type      SectionType
	Flags     SectionFlag
	Offset    uint64 // in the file
	Size      uint64 // in bytes
	Link      uint32
	Info      uint32
	Addralign uint64
	Entsize   uint64

	name uint32 // where the name is in the table of names
	file io.ReaderAt
}

// NewFile reads a file's headers; contents of sections are read by their methods. Of a
// file of 32 bits, or a big-endian one, it reads what it is, and no sections. What is
// malformed is an error.
func NewFile(r io.ReaderAt) (*File, error) {
	h := make([]byte, headerSize)
	if n, _ := r.ReadAt(h, 0); n < 52 || string(h[:4]) != magic { // bytes of a header of 32 bits
		return nil, errors.New("not an ELF file")
	}
	f := &File{Class: Class(h[identClass]), Data: Data(h[identData]), ABIVersion: h[identABI]}
	u16 := le.Uint16
	switch {
	case f.Data == ELFDATA2MSB:
		u16 = binary.BigEndian.Uint16
	case f.Data != ELFDATA2LSB:
		return nil, errs.F("unknown data encoding %d", f.Data)
	}
	if f.Class != ELFCLASS64 && f.Class != ELFCLASS32 {
		return nil, errs.F("unknown class %d", f.Class)
	}
	if v := h[identVersion]; v != EV_CURRENT {
		return nil, errs.F("unknown version %d", v)
	}
	f.Type, f.Machine = Type(u16(h[16:])), Machine(u16(h[18:]))
	if f.Class == ELFCLASS32 || f.Data == ELFDATA2MSB {
		return f, nil
	}
	return f, f.readSections(r, h)
}

// readSections reads the section headers, which the file's header locates.
func (f *File) readSections(r io.ReaderAt, h []byte) error {
	at, entry, count, names := le.Uint64(h[40:]), uint64(le.Uint16(h[58:])), uint64(le.Uint16(h[60:])), uint32(le.Uint16(h[62:]))
	if at == 0 {
		if count != 0 {
			return errs.F("%d sections, and no headers of them", count)
		}
		return nil
	}
	if entry < sectionSize {
		return errs.F("headers of sections of %d bytes", entry)
	}
	if count == 0 { // there are too many for the header: the first section says how many
		first, err := read(r, at, sectionSize)
		if err != nil {
			return err
		}
		count = le.Uint64(first[32:])
		if names == uint32(SHN_XINDEX) {
			names = le.Uint32(first[40:])
		}
		if count < uint64(SHN_LORESERVE) {
			return errs.F("%d sections by the first one's header", count)
		}
	}
	if count > 1<<32 || uint64(names) >= count {
		return errs.F("names in section %d of %d", names, count)
	}
	headers, err := read(r, at, count*entry)
	if err != nil {
		return err
	}
	for ; len(headers) > 0; headers = headers[entry:] {
		f.Sections = append(f.Sections, &Section{
			name: le.Uint32(headers), file: r,
			Type: SectionType(le.Uint32(headers[4:])), Flags: SectionFlag(le.Uint64(headers[8:])),
			Offset: le.Uint64(headers[24:]), Size: le.Uint64(headers[32:]), Link: le.Uint32(headers[40:]), Info: le.Uint32(headers[44:]),
			Addralign: le.Uint64(headers[48:]), Entsize: le.Uint64(headers[56:]),
		})
	}
	return f.nameSections(names)
}

func (f *File) nameSections(table uint32) error {
	names, err := f.strings(table)
	if err != nil {
		return err
	}
	for i, s := range f.Sections {
		var ok bool
		if s.Name, ok = text(names, s.name); !ok {
			return errs.F("section %d has no name", i)
		}
	}
	return nil
}

// Data is what the section holds. One that is not in the file, or compressed, is an
// error.
func (s *Section) Data() ([]byte, error) {
	switch {
	case s.Type == SHT_NOBITS:
		return nil, errors.New("it has no contents")
	case s.Flags&SHF_COMPRESSED != 0:
		return nil, errors.New("it is compressed")
	}
	return read(s.file, s.Offset, s.Size)
}

// Symbols is the table of symbols without the first, which is none.
// [ErrNoSymbols] says that there is no table.
func (f *File) Symbols() ([]Symbol, error) {
	for _, s := range f.Sections {
		if s.Type == SHT_SYMTAB {
			return f.symbols(s)
		}
	}
	return nil, ErrNoSymbols
}

func (f *File) symbols(s *Section) ([]Symbol, error) {
	data, err := s.Data()
	switch {
	case err != nil:
		return nil, errs.F("section %s: %w", s.Name, err)
	case len(data) == 0:
		return nil, ErrNoSymbols
	case len(data)%symbolSize != 0:
		return nil, errs.F("section %s: %d bytes are no symbols", s.Name, len(data))
	}
	names, err := f.strings(s.Link)
	if err != nil {
		return nil, err
	}
	all := make([]Symbol, 0, len(data)/symbolSize-1)
	for b := data[symbolSize:]; len(b) > 0; b = b[symbolSize:] {
		name, _ := text(names, le.Uint32(b))
		all = append(all, Symbol{
			Name: name, Info: b[4], Other: b[5], Section: SectionIndex(le.Uint16(b[6:])), Value: le.Uint64(b[8:]), Size: le.Uint64(b[16:]),
		})
	}
	return all, nil
}

// strings is a table of strings, each of which ends in a zero.
func (f *File) strings(section uint32) (string, error) {
	if uint64(section) >= uint64(len(f.Sections)) {
		return "", errs.F("strings in section %d of %d", section, len(f.Sections))
	}
	data, err := f.Sections[section].Data()
	if err != nil {
		return "", errs.F("section %d, of strings: %w", section, err)
	}
	return string(data), nil
}

// text is the string at an offset, and whether there is one.
func text(table string, at uint32) (string, bool) {
	if uint64(at) >= uint64(len(table)) {
		return "", false
	}
	s, _, ok := strings.Cut(table[at:], "\x00")
	if !ok {
		return "", false
	}
	return s, true
}

// read reads exactly size bytes. It takes no more memory than the file has bytes,
// whatever a header says.
func read(r io.ReaderAt, at, size uint64) ([]byte, error) {
	const most = 1 << 62
	if at > most || size > most {
		return nil, errs.F("%d bytes at %d", size, at)
	}
	const chunk = 16 << 20
	if size <= chunk {
		b := make([]byte, size)
		if n, err := r.ReadAt(b, int64(at)); uint64(n) < size {
			return nil, errs.F("%d of %d bytes at %d: %w", n, size, at, err)
		}
		return b, nil
	}
	b, err := io.ReadAll(io.NewSectionReader(r, int64(at), int64(size)))
	if err == nil && uint64(len(b)) < size {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}
