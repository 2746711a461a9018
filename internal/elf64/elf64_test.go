package elf64

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"slices"
	"testing"
)

// same holds what is read of a file against debug/elf.
func same(t *testing.T, file []byte) {
	t.Helper()
	got, err := NewFile(bytes.NewReader(file))
	want, stdErr := elf.NewFile(bytes.NewReader(file))
	if stdErr == nil && (want.Class != elf.ELFCLASS64 || want.Data != elf.ELFDATA2LSB) {
		if err != nil || !sameHeader(got, want) || got.Sections != nil {
			t.Errorf("%+v, %v; want the header of %+v", got, err, want.FileHeader)
		}
		return
	}
	if err != nil || stdErr != nil {
		return // each looks at things that the other passes over
	}
	if !sameHeader(got, want) || got.ABIVersion != want.ABIVersion || len(got.Sections) != len(want.Sections) {
		t.Fatalf("%+v, want %+v", got, want.FileHeader)
	}
	for i, s := range got.Sections {
		w := want.Sections[i]
		if w.Flags&elf.SHF_COMPRESSED != 0 {
			continue
		}
		if s.Name != w.Name || elf.SectionType(s.Type) != w.Type || elf.SectionFlag(s.Flags) != w.Flags || s.Offset != w.Offset || s.Size != w.Size || s.Link != w.Link || s.Info != w.Info || s.Addralign != w.Addralign || s.Entsize != w.Entsize {
			t.Errorf("section %d: %+v, want %+v", i, s, w.SectionHeader)
		}
		data, err := s.Data()
		wantData, stdErr := w.Data()
		if s.Type == SHT_NOBITS {
			if err == nil {
				t.Errorf("section %d without contents: %d bytes", i, len(data))
			}
			continue
		}
		if (err == nil) != (stdErr == nil) || err == nil && !bytes.Equal(data, wantData) {
			t.Errorf("section %d: %d bytes, %v; want %d, %v", i, len(data), err, len(wantData), stdErr)
		}
	}
	symbols, err := got.Symbols()
	wantSymbols, stdErr := want.Symbols()
	equal := slices.EqualFunc(symbols, wantSymbols, func(s Symbol, w elf.Symbol) bool {
		return s.Name == w.Name && s.Info == w.Info && s.Other == w.Other && elf.SectionIndex(s.Section) == w.Section && s.Value == w.Value && s.Size == w.Size
	})
	if (err == nil) != (stdErr == nil) || errors.Is(err, ErrNoSymbols) != errors.Is(stdErr, elf.ErrNoSymbols) || err == nil && !equal {
		t.Errorf("%d symbols, %v; want %d, %v", len(symbols), err, len(wantSymbols), stdErr)
	}
}

func sameHeader(got *File, want *elf.File) bool {
	return elf.Class(got.Class) == want.Class && elf.Data(got.Data) == want.Data && elf.Type(got.Type) == want.Type && elf.Machine(got.Machine) == want.Machine
}

// image is a file with a section of each kind, and n symbols.
func image(n int) []byte {
	names := "\x00.text\x00.bss\x00.symtab\x00.strtab\x00"
	code, symbols, strings := []byte{0xc3, 1, 2, 3}, make([]byte, symbolSize*n), []byte("\x00f\x00data\x00")
	for i := 1; i < n; i++ {
		b := symbols[i*symbolSize:]
		le.PutUint32(b, []uint32{1, 3, 0, 99}[i%4])
		b[4], b[5] = elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), 2
		le.PutUint16(b[6:], uint16(i))
		le.PutUint64(b[8:], uint64(i)<<40)
		le.PutUint64(b[16:], uint64(i)*3)
	}
	file := make([]byte, headerSize)
	var headers []byte
	section := func(name uint32, typ elf.SectionType, flags elf.SectionFlag, data []byte, size int, link uint32) {
		h := make([]byte, sectionSize)
		le.PutUint32(h, name)
		le.PutUint32(h[4:], uint32(typ))
		le.PutUint64(h[8:], uint64(flags))
		le.PutUint64(h[24:], uint64(len(file)))
		le.PutUint64(h[32:], uint64(size))
		le.PutUint32(h[40:], link)
		le.PutUint32(h[44:], 7)
		le.PutUint64(h[48:], 16)
		le.PutUint64(h[56:], 24)
		headers, file = append(headers, h...), append(file, data...)
	}
	section(0, elf.SHT_NULL, 0, nil, 0, 0)
	section(1, elf.SHT_PROGBITS, elf.SHF_ALLOC|elf.SHF_EXECINSTR, code, len(code), 0)
	section(7, elf.SHT_NOBITS, elf.SHF_ALLOC|elf.SHF_WRITE, nil, 1<<40, 0)
	section(12, elf.SHT_SYMTAB, 0, symbols, len(symbols), 4)
	section(20, elf.SHT_STRTAB, 0, strings, len(strings), 0)
	section(0, elf.SHT_STRTAB, 0, []byte(names), len(names), 0)
	copy(file, elf.ELFMAG)
	file[elf.EI_CLASS], file[elf.EI_DATA], file[elf.EI_VERSION], file[elf.EI_ABIVERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1, 3
	le.PutUint16(file[16:], uint16(elf.ET_REL))
	le.PutUint16(file[18:], uint16(elf.EM_AARCH64))
	le.PutUint32(file[20:], 1)
	le.PutUint64(file[40:], uint64(len(file)))
	le.PutUint16(file[58:], sectionSize)
	le.PutUint16(file[60:], uint16(len(headers)/sectionSize))
	le.PutUint16(file[62:], 5)
	return append(file, headers...)
}

func TestImage(t *testing.T) {
	for _, n := range []int{0, 1, 6} {
		file := image(n)
		f, err := NewFile(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if symbols, err := f.Symbols(); len(symbols) != max(n-1, 0) || (err == nil) != (n > 0) {
			t.Errorf("%d symbols of %d: %v", len(symbols), n, err)
		}
		if data, err := f.Sections[1].Data(); f.Sections[1].Name != ".text" || err != nil || len(data) != 4 {
			t.Errorf("section %s has %d bytes: %v", f.Sections[1].Name, len(data), err)
		}
		same(t, file)
	}
}

// What is cut short, or not of the kind that is read, is an error; no header makes the
// reader take more memory than there is file.
func TestDamaged(t *testing.T) {
	good := image(6)
	for size := range len(good) {
		if f, err := NewFile(bytes.NewReader(good[:size])); err == nil {
			t.Errorf("%d bytes of %d are read: %d sections", size, len(good), len(f.Sections))
		}
	}
	damage := func(at int, b byte) []byte {
		file := bytes.Clone(good)
		file[at] = b
		return file
	}
	for _, at := range []int{0, elf.EI_CLASS, elf.EI_DATA, elf.EI_VERSION, 47, 58, 62} {
		if _, err := NewFile(bytes.NewReader(damage(at, 0x7e))); err == nil {
			t.Errorf("byte %d is wrong, and not found", at)
		}
	}
	headers := int(le.Uint64(good[40:]))
	for s := 1; s < 5; s++ {
		f, err := NewFile(bytes.NewReader(damage(headers+s*sectionSize+38, 1))) // 1<<48 bytes
		if err != nil {
			t.Fatal(err)
		}
		if data, err := f.Sections[s].Data(); err == nil {
			t.Errorf("section %d: %d bytes that the file lacks", s, len(data))
		}
	}
}

func FuzzNewFile(f *testing.F) {
	for _, n := range []int{0, 1, 6} {
		f.Add(image(n))
	}
	for _, at := range []int{elf.EI_CLASS, elf.EI_DATA} { // of 32 bits, and big-endian
		file := image(1)
		file[at] ^= 3
		f.Add(file)
	}
	f.Fuzz(same)
}

// The test's own binary has all that programs have but symbols.
func TestOwn(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(file, []byte(elf.ELFMAG)) {
		t.Skip("programs of this system are not ELF files")
	}
	f, err := NewFile(bytes.NewReader(file))
	if err != nil || len(f.Sections) < 10 {
		t.Fatalf("%+v, %v", f, err)
	}
	same(t, file)
}
