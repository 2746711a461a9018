package link

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tool finds a program of LLVM's, whatever its version suffix.
func tool(t testing.TB, name string) string {
	t.Helper()
	for _, version := range []string{"-22", "-19", ""} {
		if path, err := exec.LookPath(name + version); err == nil {
			return path
		}
	}
	t.Skipf("no %s on this machine to compare with", name)
	return ""
}

func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// What Link makes is, in all that a loader and a tool sees, what lld makes.
func TestAgainstLLD(t *testing.T) {
	lld, objdump := tool(t, "ld.lld"), tool(t, "llvm-objdump")
	for _, arch := range linkArchs {
		for _, passes := range []string{"default<O0>", "globaldce"} {
			t.Run(arch+"/"+passes, func(t *testing.T) {
				obj := object(t, moduleIR, arch, passes)
				ours, err := Link(obj)
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				path := func(name string) string { return filepath.Join(dir, name) }
				for name, data := range map[string][]byte{"in.o": obj, "ours": ours} {
					if err := os.WriteFile(path(name), data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				output(t, lld, "-shared", "-o", path("theirs"), path("in.o"))
				theirs, err := os.ReadFile(path("theirs"))
				if err != nil {
					t.Fatal(err)
				}
				compareELF(t, obj, ours, theirs)
				compareMetadata(t, ours, theirs)
				a := disassembly(output(t, objdump, "-d", "-l", path("ours")))
				b := disassembly(output(t, objdump, "-d", "-l", path("theirs")))
				if a != b || !strings.Contains(a, "s_endpgm") || !strings.Contains(a, "first.go:9") {
					t.Errorf("disassembly differs or is empty:\n%s\n--- lld:\n%s", a, b)
				}
			})
		}
	}
}

var addresses = regexp.MustCompile(`(?m)^.*file format.*$|\s*// [0-9A-F]{12}:.*$|^[0-9a-f]{16} |(0x[0-9a-f]+|-?\d+)(\s*// [0-9A-F]{12}:.*)$`)

// disassembly is objdump's text less addresses, encodings and last immediate
// operands, which relocations change: compareELF looks at the bytes.
func disassembly(text string) string { return addresses.ReplaceAllString(text, "") }

func compareMetadata(t *testing.T, ours, theirs []byte) {
	t.Helper()
	a, err := Inspect(ours)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Inspect(theirs)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("metadata: %+v\nlld: %+v", a, b)
	}
	if len(a.Kernels) != 2 || !slices.Equal(a.Descriptors, []string{"first.kd", "second.kd"}) {
		t.Errorf("kernels: %+v", a)
	}
}

// compareELF compares header, notes, symbols and what each relocation of the
// object leads to once loaded.
func compareELF(t *testing.T, obj, ours, theirs []byte) {
	t.Helper()
	if !bytes.Equal(ours[:eIdentSize], theirs[:eIdentSize]) || !bytes.Equal(ours[48:52], theirs[48:52]) {
		t.Errorf("header %x, lld's %x", ours[:64], theirs[:64])
	}
	a, b := loaded(t, ours), loaded(t, theirs)
	for _, name := range []string{".note", ".debug_line", ".debug_info", ".debug_str", ".debug_abbrev"} {
		x, y := a.contents(t, name), b.contents(t, name)
		if len(x) != len(y) || name != ".debug_line" && name != ".debug_info" && name != ".debug_str" && !bytes.Equal(x, y) {
			t.Errorf("%s: %d bytes, lld's %d, or they differ", name, len(x), len(y))
		}
	}
	if x, y := symbolList(t, a.f.DynamicSymbols), symbolList(t, b.f.DynamicSymbols); !slices.Equal(x, y) {
		t.Errorf("dynamic symbols\n%s\nlld:\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
	if x, y := symbolList(t, a.f.Symbols), symbolList(t, b.f.Symbols); !slices.Equal(x, y) {
		t.Errorf("symbols\n%s\nlld:\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
	if x, y := a.unrelocated(t, obj), b.unrelocated(t, obj); !bytes.Equal(x, y) {
		t.Error("the code differs where no relocation touches it")
	}
	x, y := a.resolve(t, obj), b.resolve(t, obj)
	if !slices.Equal(x, y) || len(x) < 8 {
		t.Errorf("relocations\n%s\nlld:\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
}

// symbolList describes symbols in a way that does not depend on the layout.
func symbolList(t *testing.T, read func() ([]elf.Symbol, error)) []string {
	symbols, err := read()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range symbols {
		if s.Name != "_DYNAMIC" && s.Name != "" {
			list = append(list, fmt.Sprintf("%s %d info %#x other %#x absolute %v", s.Name, s.Size, s.Info, s.Other, s.Section == elf.SHN_ABS))
		}
	}
	slices.Sort(list)
	return list
}

// image is a code object as a loader would have it in memory.
type image struct {
	f   *elf.File
	mem []byte
	sym []elf.Symbol
}

const loadBase = 0x7f0000000000

func loaded(t *testing.T, code []byte) *image {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	im := &image{f: f}
	last := uint64(0)
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		if p.Vaddr < last || p.Off%pageSize != p.Vaddr%pageSize || p.Off+p.Filesz > uint64(len(code)) {
			t.Errorf("segment %+v after address %#x", p.ProgHeader, last)
		}
		last = p.Vaddr + p.Memsz
		im.mem = append(im.mem, make([]byte, last-uint64(len(im.mem)))...)
		copy(im.mem[p.Vaddr:], code[p.Off:p.Off+p.Filesz])
	}
	im.checkSections(t)
	if end := le.Uint64(code[40:]) + uint64(le.Uint16(code[58:]))*uint64(le.Uint16(code[60:])); end != uint64(len(code)) {
		t.Errorf("the section header table ends at %d of %d", end, len(code))
	}
	if im.sym, err = f.Symbols(); err != nil {
		t.Fatal(err)
	}
	dynamic, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		for d := im.contents(t, s.Name); len(d) > 0; d = d[relaSize:] {
			off, info, v := le.Uint64(d), le.Uint64(d[8:]), le.Uint64(d[16:])+loadBase
			if uint32(info) == relocABS64 {
				v += dynamic[info>>32-1].Value
			}
			le.PutUint64(im.mem[off:], v)
		}
	}
	return im
}

// checkSections checks that sections are aligned, disjoint and within segments.
func (im *image) checkSections(t *testing.T) {
	t.Helper()
	end := uint64(0)
	for _, s := range im.f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		inside := slices.ContainsFunc(im.f.Progs, func(p *elf.Prog) bool {
			writable := p.Flags&elf.PF_W != 0 || s.Flags&elf.SHF_WRITE == 0
			executable := p.Flags&elf.PF_X != 0 || s.Flags&elf.SHF_EXECINSTR == 0
			return p.Type == elf.PT_LOAD && p.Vaddr <= s.Addr && s.Addr+s.Size <= p.Vaddr+p.Memsz && writable && executable
		})
		if !inside || s.Addr%max(s.Addralign, 1) != 0 || s.Addr < end {
			t.Errorf("section %+v after %#x, in a segment: %v", s.SectionHeader, end, inside)
		}
		end = s.Addr + s.Size
	}
}

func (im *image) contents(t *testing.T, section string) []byte {
	t.Helper()
	s := im.f.Section(section)
	if s == nil {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// name says what an address is, by symbol or contents.
func (im *image) name(addr uint64) string {
	addr -= loadBase
	for _, s := range im.sym {
		if s.Value <= addr && addr < s.Value+max(s.Size, 1) && s.Section != elf.SHN_ABS && elf.ST_TYPE(s.Info) != elf.STT_SECTION {
			return fmt.Sprintf("%s+%d", s.Name, addr-s.Value)
		}
	}
	if addr+8 > uint64(len(im.mem)) {
		return fmt.Sprintf("outside: %#x", addr)
	}
	return fmt.Sprintf("[%x]", im.mem[addr:addr+8])
}

// unrelocated is the code with zeros where relocations were applied.
func (im *image) unrelocated(t *testing.T, obj []byte) []byte {
	t.Helper()
	in, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil {
		t.Fatal(err)
	}
	text := slices.Clone(im.contents(t, ".text"))
	relocations, err := in.Section(".rela.text").Data()
	if err != nil {
		t.Fatal(err)
	}
	for d := relocations; len(d) > 0; d = d[relaSize:] {
		clear(text[le.Uint64(d):][:4])
	}
	return text
}

// resolve follows every relocation of the loaded sections of obj.
func (im *image) resolve(t *testing.T, obj []byte) (list []string) {
	t.Helper()
	in, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.Sections {
		if s.Type != elf.SHT_RELA || in.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		target := in.Sections[s.Info]
		base := im.f.Section(target.Name).Addr
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		high := map[uint64]uint64{} // of the pairs: symbol and addend to place
		for d := data; len(d) > 0; d = d[relaSize:] {
			if typ := le.Uint32(d[8:]); typ == 9 || typ == 11 {
				high[uint64(le.Uint32(d[12:]))] = base + le.Uint64(d)
			}
		}
		for d := data; len(d) > 0; d = d[relaSize:] {
			place, typ, sym := base+le.Uint64(d), le.Uint32(d[8:]), le.Uint32(d[12:])
			addend := le.Uint64(d[16:])
			var at string
			switch typ {
			case 8, 10: // the low half; take the high half from its pair
				v := uint64(le.Uint32(im.mem[place:])) | uint64(le.Uint32(im.mem[high[uint64(sym)]:]))<<32
				addr := loadBase + place + v - addend
				if typ == 8 {
					addr = le.Uint64(im.mem[addr-loadBase:])
				}
				at = im.name(addr)
			case 3:
				at = im.name(le.Uint64(im.mem[place:]))
			case 5:
				at = im.name(loadBase + place + le.Uint64(im.mem[place:]) - addend)
			case 9, 11:
				continue
			default:
				at = fmt.Sprintf("%x", im.mem[place:place+4])
			}
			list = append(list, fmt.Sprintf("%s+%#x type %d -> %s", target.Name, le.Uint64(d), typ, at))
		}
	}
	return list
}
