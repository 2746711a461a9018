package link

import (
	"heddle/internal/elf64"
)

// A stringTable builds a string table.
type stringTable struct{ data []byte }

func newStrings() *stringTable { return &stringTable{data: []byte{0}} }

//go:noinline
func (t *stringTable) add(s string) (offset uint32) {
	offset = uint32(len(t.data))
	t.data = append(append(t.data, s...), 0)
	return offset
}

// hashTable is a System V hash table of the exported symbols.
func (l *linker) hashTable(exported []uint32) []byte {
	n := uint32(len(exported) + 1)
	table := make([]byte, 4*(2+2*n))
	le.PutUint32(table, n)     // buckets
	le.PutUint32(table[4:], n) // chain entries
	for k, i := range exported {
		bucket := table[4*(2+hash(l.syms[i].Name)%n):]
		chain := table[4*(2+n+uint32(k)+1):]
		le.PutUint32(chain, le.Uint32(bucket))
		le.PutUint32(bucket, uint32(k)+1)
	}
	return table
}

// hash is the System V ABI's hash of a symbol name.
func hash(name string) uint32 {
	var h uint32
	for i := range len(name) {
		h = h<<4 + uint32(name[i])
		h ^= h >> 24 & 0xf0
		h &= 0x0fffffff
	}
	return h
}

// putSymbol encodes symbol s, whose section has its final place.
func putSymbol(b []byte, name uint32, s *symbol) {
	le.PutUint32(b, name)
	b[4], b[5] = s.Info, s.Other
	if s.local() {
		b[4] = elf64.ST_INFO(elf64.STB_LOCAL, elf64.ST_TYPE(s.Info))
	}
	index := uint16(s.Section)
	if s.section != nil {
		index = s.section.index
	}
	le.PutUint16(b[6:], index)
	le.PutUint64(b[8:], s.addr())
	le.PutUint64(b[16:], s.Size)
}

func (l *linker) fillDynamicSymbols(exported []uint32) {
	name := uint32(1) // in .dynstr, which has the same order
	for k, i := range exported {
		s := &l.syms[i]
		putSymbol(l.dynsymSection.data[symSize*(k+1):], name, s)
		name += uint32(len(s.Name)) + 1
	}
}

// placeSymbols adds .symtab, .strtab and .shstrtab, which need all sections
// before them placed.
func (l *linker) placeSymbols() {
	names := newStrings()
	data := make([]byte, symSize)
	locals := uint32(1)
	for _, local := range []bool{true, false} { // local symbols come first
		for i := range l.syms {
			s := &l.syms[i]
			if i == 0 || s.local() != local || elf64.ST_TYPE(s.Info) == elf64.STT_SECTION || s.dropped() {
				continue
			}
			entry := make([]byte, symSize)
			putSymbol(entry, names.add(s.Name), s)
			data = append(data, entry...)
			if local {
				locals++
			}
		}
	}
	symtab := &section{name: ".symtab", typ: elf64.SHT_SYMTAB, info: locals, align: 8, entry: symSize, data: data}
	strtab := &section{name: ".strtab", typ: elf64.SHT_STRTAB, align: 1, data: names.data}
	l.add(symtab, 0)
	l.add(strtab, 0)
	symtab.link = uint32(strtab.index)

	l.shstr = &section{name: ".shstrtab", typ: elf64.SHT_STRTAB, align: 1}
	table := newStrings()
	for _, s := range append(l.out, l.shstr) {
		table.add(s.name)
	}
	l.shstr.data = table.data
	l.add(l.shstr, 0)
}

// write assembles the file.
func (l *linker) write() []byte {
	shoff := alignUp(l.off, 8)
	img := make([]byte, shoff+shdrSize*uint64(len(l.out)+1))
	l.writeHeader(img, shoff)
	for i, s := range l.segments {
		b := img[ehdrSize+phdrSize*i:]
		le.PutUint32(b, uint32(s.typ))
		le.PutUint32(b[4:], uint32(s.flags))
		for k, v := range []uint64{s.off, s.addr, s.addr, s.fileSize, s.memSize, s.align} {
			le.PutUint64(b[8+8*k:], v)
		}
	}
	name := uint32(1) // in .shstrtab, which has the same order
	for _, s := range l.out {
		copy(img[s.off:], s.data)
		b := img[shoff+shdrSize*uint64(s.index):]
		le.PutUint32(b, name)
		name += uint32(len(s.name)) + 1
		le.PutUint32(b[4:], uint32(s.typ))
		for k, v := range []uint64{uint64(s.flags), s.addr, s.off, s.size} {
			le.PutUint64(b[8+8*k:], v)
		}
		le.PutUint32(b[40:], s.link)
		le.PutUint32(b[44:], s.info)
		le.PutUint64(b[48:], s.align)
		le.PutUint64(b[56:], s.entry)
	}
	return img
}

func (l *linker) writeHeader(img []byte, shoff uint64) {
	copy(img, l.ident)
	le.PutUint16(img[16:], uint16(elf64.ET_DYN))
	le.PutUint16(img[18:], machineAMDGPU)
	le.PutUint32(img[20:], uint32(elf64.EV_CURRENT))
	le.PutUint64(img[32:], ehdrSize) // program headers
	le.PutUint64(img[40:], shoff)
	le.PutUint32(img[eFlagsAt:], l.flags)
	for i, v := range []int{ehdrSize, phdrSize, len(l.segments), shdrSize, len(l.out) + 1, int(l.shstr.index)} {
		le.PutUint16(img[52+2*i:], uint16(v))
	}
}
