package link

import (
	"heddle/internal/elf64"
	"heddle/internal/errs"
)

// layout is the output: its sections in file order, and the extents that
// become program headers.
type layout struct {
	out []*section
	off uint64 // next free byte of the file

	gotSection, relaSection, dynsymSection, dynamicSection *section

	segments []segment
	shstr    *section
}

// A segment is one program header.
type segment struct {
	typ               elf64.ProgType
	flags             elf64.ProgFlag
	off, addr         uint64
	fileSize, memSize uint64
	align             uint64
}

// segmentCount is known before the layout, as the headers come first:
// PT_PHDR, three PT_LOAD, PT_DYNAMIC, PT_GNU_RELRO, PT_GNU_STACK, PT_NOTE.
const segmentCount = 8

func alignUp(x, a uint64) uint64 { return (x + a - 1) &^ (a - 1) }

// add places s at the next aligned offset. delta is the distance from file
// offset to address: a segment starts on a page of its own in memory, and
// wastes none in the file.
func (l *linker) add(s *section, delta uint64) {
	l.off = alignUp(l.off, max(s.align, 1))
	s.off = l.off
	if s.data != nil {
		s.size = uint64(len(s.data))
	}
	if s.alloc() {
		s.addr = s.off + delta
	}
	l.off += uint64(len(s.data))
	l.number(s)
}

func (l *linker) number(s *section) {
	l.out = append(l.out, s)
	s.index = uint16(len(l.out)) // 0 is the null section
}

// place gives every section its offset and address.
func (l *linker) place() error {
	var exported []uint32
	for i := range l.syms {
		s := &l.syms[i]
		if i > 0 && !s.local() && !s.dropped() {
			exported = append(exported, uint32(i))
		}
	}
	l.off = ehdrSize + segmentCount*phdrSize
	l.segments = append(l.segments, segment{typ: elf64.PT_PHDR, flags: elf64.PF_R, off: ehdrSize, addr: ehdrSize, fileSize: segmentCount * phdrSize, memSize: segmentCount * phdrSize, align: 8})
	l.placeReadOnly(exported)
	l.placeCode()
	l.placeData(exported)
	for _, s := range l.debug {
		l.add(s, 0)
	}
	l.placeSymbols()
	if len(l.out) >= int(elf64.SHN_LORESERVE) {
		return errs.F("%d sections", len(l.out))
	}
	l.fillDynamicSymbols(exported)
	return nil
}

func (l *linker) placeReadOnly(exported []uint32) {
	for _, s := range l.notes {
		l.add(s, 0)
	}
	names := newStrings()
	for _, i := range exported {
		names.add(l.syms[i].Name)
	}
	l.dynsymSection = &section{name: ".dynsym", typ: elf64.SHT_DYNSYM, flags: elf64.SHF_ALLOC, info: 1, align: 8, entry: symSize, data: make([]byte, symSize*(len(exported)+1))}
	hash := &section{name: ".hash", typ: elf64.SHT_HASH, flags: elf64.SHF_ALLOC, align: 4, entry: 4, data: l.hashTable(exported)}
	dynstr := &section{name: ".dynstr", typ: elf64.SHT_STRTAB, flags: elf64.SHF_ALLOC, align: 1, data: names.data}
	for _, s := range []*section{l.dynsymSection, hash, dynstr} {
		l.add(s, 0)
	}
	l.dynsymSection.link = uint32(dynstr.index)
	hash.link = uint32(l.dynsymSection.index)
	if l.nDynamic > 0 {
		l.relaSection = &section{name: ".rela.dyn", typ: elf64.SHT_RELA, flags: elf64.SHF_ALLOC, link: uint32(l.dynsymSection.index), align: 8, entry: relaSize, data: make([]byte, relaSize*l.nDynamic)}
		l.add(l.relaSection, 0)
	}
	for _, s := range l.ro {
		l.add(s, 0)
	}
	l.load(elf64.PF_R, 0, 0, l.off, l.off, append(l.notes, l.ro...))
}

// load adds a PT_LOAD that ends here.
//
//go:noinline
func (l *linker) load(flags elf64.ProgFlag, off, addr, fileEnd, memEnd uint64, sections []*section) {
	align := uint64(pageSize)
	for _, s := range sections {
		align = max(align, s.align)
	}
	l.segments = append(l.segments, segment{elf64.PT_LOAD, flags, off, addr, fileEnd - off, memEnd - addr, align})
}

// start begins a segment: off becomes congruent to the address it is loaded
// at, and the address lies beyond the last segment's pages.
//
//go:noinline
func (l *linker) start(sections []*section, previousEnd uint64) (delta uint64) {
	align := uint64(pageSize)
	for _, s := range sections {
		align = max(align, s.align)
	}
	l.off = alignUp(l.off, 256)
	return alignUp(max(previousEnd, l.off)-l.off%align, align) + l.off%align - l.off
}

func (l *linker) memEnd() uint64 {
	last := l.segments[len(l.segments)-1]
	return last.addr + last.memSize
}

func (l *linker) placeCode() {
	if len(l.rx) == 0 {
		return
	}
	delta := l.start(l.rx, alignUp(l.memEnd(), pageSize))
	off := l.off
	for _, s := range l.rx {
		l.add(s, delta)
	}
	l.load(elf64.PF_R|elf64.PF_X, off, off+delta, l.off, l.off+delta, l.rx)
}

func (l *linker) placeData(exported []uint32) {
	entries := 6
	if l.nDynamic > 0 {
		entries += 4
	}
	l.dynamicSection = &section{name: ".dynamic", typ: elf64.SHT_DYNAMIC, flags: elf64.SHF_ALLOC | elf64.SHF_WRITE, link: l.dynsymSection.link, align: 8, entry: dynSize, data: make([]byte, dynSize*entries)}
	all := append([]*section{l.dynamicSection}, l.rw...)
	if len(l.got) > 0 {
		l.gotSection = &section{name: ".got", typ: elf64.SHT_PROGBITS, flags: elf64.SHF_ALLOC | elf64.SHF_WRITE, align: 8, entry: 8, data: make([]byte, 8*len(l.got))}
		all = append([]*section{l.dynamicSection, l.gotSection}, l.rw...)
	}
	delta := l.start(append(all, l.bss...), alignUp(l.memEnd(), pageSize))
	off := l.off
	for _, s := range all {
		l.add(s, delta)
	}
	end := l.off + delta
	for _, s := range l.bss {
		s.off, s.addr = l.off, alignUp(end, s.align)
		end = s.addr + s.size
		l.number(s)
	}
	l.load(elf64.PF_R|elf64.PF_W, off, off+delta, l.off, end, append(all, l.bss...))
	d := l.dynamicSection
	l.segments = append(l.segments,
		segment{elf64.PT_DYNAMIC, elf64.PF_R | elf64.PF_W, d.off, d.addr, d.size, d.size, 8},
		segment{elf64.PT_GNU_RELRO, elf64.PF_R, d.off, d.addr, d.size, d.size, 1},
		segment{typ: elf64.PT_GNU_STACK, flags: elf64.PF_R | elf64.PF_W})
	if n := len(l.notes); n > 0 {
		first, last := l.notes[0], l.notes[n-1]
		size := last.off + last.size - first.off
		l.segments = append(l.segments, segment{elf64.PT_NOTE, elf64.PF_R, first.off, first.addr, size, size, 4})
	}
	l.fillDynamic()
}

func (l *linker) fillDynamic() {
	find := func(name string) *section {
		for _, s := range l.out {
			if s.name == name && !s.fromInput {
				return s
			}
		}
		panic("link: no " + name)
	}
	dynstr := find(".dynstr")
	entries := [][2]uint64{
		{uint64(elf64.DT_SYMTAB), l.dynsymSection.addr},
		{uint64(elf64.DT_SYMENT), symSize},
		{uint64(elf64.DT_STRTAB), dynstr.addr},
		{uint64(elf64.DT_STRSZ), dynstr.size},
		{uint64(elf64.DT_HASH), find(".hash").addr},
	}
	if rela := l.relaSection; rela != nil {
		entries = append(entries, [][2]uint64{
			{uint64(elf64.DT_RELA), rela.addr},
			{uint64(elf64.DT_RELASZ), rela.size},
			{uint64(elf64.DT_RELAENT), relaSize},
			{uint64(elf64.DT_RELACOUNT), uint64(l.nDynamic)},
		}...)
	}
	for i, e := range entries { // the last entry stays DT_NULL
		le.PutUint64(l.dynamicSection.data[dynSize*i:], e[0])
		le.PutUint64(l.dynamicSection.data[dynSize*i+8:], e[1])
	}
}
