package elf64

import "errors"

// The types and names of the ELF standard that heddle uses, as debug/elf has them but
// without methods that print.
type (
	// Class is whether a file is of 32 or of 64 bits.
	Class uint8
	// Data is the order of a file's bytes.
	Data uint8
	// Type is what a file is for: to be linked, loaded or run.
	Type uint16
	// Machine is the instruction set of a file's code.
	Machine uint16
	// SectionType is what a section holds.
	SectionType uint32
	// SectionFlag is a set of a section's properties, of which there are 32.
	SectionFlag uint32
	// SectionIndex is the number of a section, or from SHN_LORESERVE on a place that is
	// in no section.
	SectionIndex int
	// ProgType is what a segment is for.
	ProgType uint32
	// ProgFlag is a set of a segment's rights.
	ProgFlag uint32
	// SymBind is where a symbol is visible.
	SymBind uint8
	// SymType is what a symbol stands for.
	SymType uint8
	// SymVis is whether other components see a symbol that is not local.
	SymVis uint8
)

// A Symbol is an entry of a table of symbols.
type Symbol struct {
	Name        string
	Info, Other byte
	Section     SectionIndex
	Value, Size uint64
}

// ErrNoSymbols says that a file has no table of symbols.
var ErrNoSymbols = errors.New("no symbol section")

// Where the first bytes of a file say what it is.
const (
	magic        = "\x7fELF"
	identClass   = 4
	identData    = 5
	identVersion = 6
	identABI     = 8
)

// What a file is.
const (
	EV_CURRENT = 1 // the version of all files

	ELFCLASS32  = Class(1)
	ELFCLASS64  = Class(2)
	ELFDATA2LSB = Data(1)
	ELFDATA2MSB = Data(2)

	ET_REL = Type(1)
	ET_DYN = Type(3)

	EM_X86_64  = Machine(62)
	EM_AARCH64 = Machine(183)
)

// Places that are in no section.
const (
	SHN_UNDEF     = SectionIndex(0)
	SHN_LORESERVE = SectionIndex(0xff00)
	SHN_ABS       = SectionIndex(0xfff1)
	SHN_COMMON    = SectionIndex(0xfff2)
	SHN_XINDEX    = SectionIndex(0xffff)
)

// Types and properties of sections.
const (
	SHT_PROGBITS      = SectionType(1)
	SHT_SYMTAB        = SectionType(2)
	SHT_STRTAB        = SectionType(3)
	SHT_RELA          = SectionType(4)
	SHT_HASH          = SectionType(5)
	SHT_DYNAMIC       = SectionType(6)
	SHT_NOTE          = SectionType(7)
	SHT_NOBITS        = SectionType(8)
	SHT_REL           = SectionType(9)
	SHT_DYNSYM        = SectionType(11)
	SHT_INIT_ARRAY    = SectionType(14)
	SHT_FINI_ARRAY    = SectionType(15)
	SHT_PREINIT_ARRAY = SectionType(16)
	SHT_LOPROC        = SectionType(0x70000000)

	SHF_WRITE      = SectionFlag(0x1)
	SHF_ALLOC      = SectionFlag(0x2)
	SHF_EXECINSTR  = SectionFlag(0x4)
	SHF_GROUP      = SectionFlag(0x200)
	SHF_TLS        = SectionFlag(0x400)
	SHF_COMPRESSED = SectionFlag(0x800)
)

// Program header types and flags, and tags of the dynamic section.
const (
	PT_LOAD      = ProgType(1)
	PT_DYNAMIC   = ProgType(2)
	PT_NOTE      = ProgType(4)
	PT_PHDR      = ProgType(6)
	PT_GNU_STACK = ProgType(0x6474e551)
	PT_GNU_RELRO = ProgType(0x6474e552)

	PF_X = ProgFlag(1)
	PF_W = ProgFlag(2)
	PF_R = ProgFlag(4)

	DT_HASH      = 4
	DT_STRTAB    = 5
	DT_SYMTAB    = 6
	DT_RELA      = 7
	DT_RELASZ    = 8
	DT_RELAENT   = 9
	DT_STRSZ     = 10
	DT_SYMENT    = 11
	DT_RELACOUNT = 0x6ffffff9
)

// Properties of symbols.
const (
	STB_LOCAL = SymBind(0)
	STB_WEAK  = SymBind(2)

	STT_OBJECT    = SymType(1)
	STT_FUNC      = SymType(2)
	STT_SECTION   = SymType(3)
	STT_TLS       = SymType(6)
	STT_GNU_IFUNC = SymType(10)

	STV_INTERNAL = SymVis(1)
	STV_HIDDEN   = SymVis(2)
)

// ST_BIND is where a symbol is visible, by its Info.
func ST_BIND(info byte) SymBind { return SymBind(info >> 4) }

// ST_TYPE is what a symbol stands for, by its Info.
func ST_TYPE(info byte) SymType { return SymType(info & 0xf) }

// ST_INFO is the Info of a symbol.
func ST_INFO(bind SymBind, typ SymType) byte { return byte(bind)<<4 | byte(typ)&0xf }

// ST_VISIBILITY is whether other components see a symbol, by its Other.
func ST_VISIBILITY(other byte) SymVis { return SymVis(other & 3) }
