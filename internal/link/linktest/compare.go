// Package linktest compares the code objects of package link with those that
// lld makes of the same input. It is for tests.
package linktest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	headerSize = 16 // of e_ident
	flagsAt    = 48 // of e_flags in the header
	pageSize   = 0x1000
	relaSize   = 24
	loadBase   = 0x7f0000000000

	relocABS64 = 3 // R_AMDGPU_ABS64
)

var le = binary.LittleEndian

// LLD is the path of an ld.lld, "" if there is none.
func LLD() string {
	for _, version := range []string{"-22", "-19", ""} {
		if path, err := exec.LookPath("ld.lld" + version); err == nil {
			return path
		}
	}
	return ""
}

// Link links a relocatable object with lld. The files it needs are in dir.
func Link(lld, dir string, obj []byte) ([]byte, error) {
	in, out := filepath.Join(dir, "in.o"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, obj, 0o600); err != nil {
		return nil, err
	}
	if text, err := exec.Command(lld, "-shared", "-o", out, in).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", lld, err, text)
	}
	return os.ReadFile(out)
}

// Compare reports where ours differs from theirs, both linked from obj, in
// anything that a loader or a tool sees but the layout: header, notes, symbols,
// code, and what each relocation leads to once loaded, of which it returns the
// number.
func Compare(obj, ours, theirs []byte) (relocations int, err error) {
	var errs []error
	differ := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !bytes.Equal(ours[:headerSize], theirs[:headerSize]) || !bytes.Equal(ours[flagsAt:flagsAt+4], theirs[flagsAt:flagsAt+4]) {
		differ("header %x, lld's %x", ours[:64], theirs[:64])
	}
	in, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil {
		return 0, err
	}
	a, err := load(ours)
	if err != nil {
		return 0, err
	}
	b, err := load(theirs)
	if err != nil {
		return 0, fmt.Errorf("lld: %w", err)
	}
	for _, name := range []string{".note", ".debug_line", ".debug_info", ".debug_str", ".debug_abbrev"} {
		x, y := contents(a.f, name), contents(b.f, name)
		if len(x) != len(y) || name != ".debug_line" && name != ".debug_info" && name != ".debug_str" && !bytes.Equal(x, y) {
			differ("%s: %d bytes, lld's %d, or they differ", name, len(x), len(y))
		}
	}
	lists := []struct {
		what string
		x, y []string
	}{
		{"dynamic symbols", describe(a.dynamic), describe(b.dynamic)},
		{"symbols", describe(a.symbols), describe(b.symbols)},
		{"relocations", a.resolve(in), b.resolve(in)},
	}
	for _, l := range lists {
		if !slices.Equal(l.x, l.y) {
			differ("%s\n%s\nlld:\n%s", l.what, strings.Join(l.x, "\n"), strings.Join(l.y, "\n"))
		}
	}
	if !bytes.Equal(a.unrelocated(in), b.unrelocated(in)) {
		differ("the code differs where no relocation touches it")
	}
	return len(lists[2].x), errors.Join(errs...)
}

// describe lists symbols in a way that does not depend on the layout.
func describe(symbols []elf.Symbol) []string {
	var list []string
	for _, s := range symbols {
		if s.Name != "_DYNAMIC" && s.Name != "" {
			list = append(list, fmt.Sprintf("%s %d info %#x other %#x absolute %v", s.Name, s.Size, s.Info, s.Other, s.Section == elf.SHN_ABS))
		}
	}
	slices.Sort(list)
	return list
}

// contents is a section's, nil if there is none.
func contents(f *elf.File, section string) []byte {
	s := f.Section(section)
	if s == nil {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		return nil
	}
	return data
}
