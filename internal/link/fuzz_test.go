package link

import (
	"bytes"
	"debug/elf"
	"strings"
	"testing"

	"heddle/internal/llvm"
)

// seeds adds objects of two processors, and damaged ones: lengths, indices and
// offsets of the tables that Link follows, set to extremes.
func seeds(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("\x7fELF"))
	if len(llvm.Candidates()) == 0 {
		return
	}
	for _, arch := range []string{"gfx90a", "gfx1030"} {
		obj := object(f, moduleIR, arch, "default<O0>")
		f.Add(obj)
		for _, damaged := range damage(obj) {
			f.Add(damaged)
		}
	}
}

// damage returns copies of an object with one field of its headers, symbols or
// relocations changed.
func damage(obj []byte) (list [][]byte) {
	set := func(off uint64, b ...byte) {
		if off+uint64(len(b)) <= uint64(len(obj)) {
			c := bytes.Clone(obj)
			copy(c[off:], b)
			list = append(list, c)
		}
	}
	set(40, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f) // e_shoff
	set(60, 0xff, 0xff)                                     // e_shnum
	set(62, 0xff, 0xff)                                     // e_shstrndx
	f, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil {
		return list
	}
	shoff := le.Uint64(obj[40:])
	for i, s := range f.Sections {
		header := shoff + uint64(i)*shdrSize
		for _, field := range []uint64{4, 8, 24, 32, 40, 44, 48, 56} { // type, flags, offset, size, link, info, alignment, entry size
			set(header+field, 0xff, 0xff, 0xff, 0x7f)
			set(header+field, 3)
		}
		if s.Type == elf.SHT_RELA {
			set(s.Offset, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff) // offset
			set(s.Offset+8, 12)                                           // type
			set(s.Offset+12, 0xff, 0xff)                                  // symbol
		}
		if s.Type == elf.SHT_SYMTAB {
			for off := s.Offset; off < s.Offset+s.Size; off += symSize {
				set(off+6, 0x77, 0)                                        // section
				set(off+8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f) // value
			}
		}
	}
	return list
}

// Whatever the input, Link and Inspect return, and what Link makes can be
// inspected and taken apart.
func checkLink(t *testing.T, data []byte) {
	Inspect(data)
	out, err := Link(data)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "link: ") {
			t.Errorf("error without its origin: %v", err)
		}
		return
	}
	f, err := elf.NewFile(bytes.NewReader(out))
	if err != nil {
		t.Fatalf("made an unreadable file: %v", err)
	}
	for _, p := range f.Progs {
		if p.Off+p.Filesz > uint64(len(out)) || p.Filesz > p.Memsz {
			t.Errorf("segment %+v of a file of %d bytes", p.ProgHeader, len(out))
		}
	}
	if in, err := Inspect(data); err == nil && len(in.Undefined) == 0 {
		if _, err := Inspect(out); err != nil {
			t.Errorf("the input could be inspected, the output cannot: %v", err)
		}
	}
}

func FuzzLink(f *testing.F) {
	seeds(f)
	f.Fuzz(checkLink)
}

// The same without the fuzzer's process: every damaged object.
func TestDamaged(t *testing.T) {
	damaged := damage(object(t, moduleIR, "gfx90a", "default<O0>"))
	if len(damaged) < 500 {
		t.Fatalf("only %d", len(damaged))
	}
	refused := 0
	for _, data := range damaged {
		checkLink(t, data)
		if _, err := Link(data); err != nil {
			refused++
		}
	}
	if refused < len(damaged)/10 {
		t.Errorf("only %d of %d were refused", refused, len(damaged))
	}
	t.Logf("%d of %d refused", refused, len(damaged))
}
