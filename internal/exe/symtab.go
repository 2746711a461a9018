package exe

import (
	"os"
	"reflect"
	"runtime"
	"sort"
	"strings"

	"heddle/internal/elf64"
	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// A symtab is the linker's symbol table of the running binary, where it has one:
// its names spell type arguments out, which the function table abbreviates.
type symtab struct {
	syms  []elf64.Symbol // by address
	slide uint64         // run-time address minus address in the file
	err   error
}

var symbols = lazy.Value[*symtab]{Make: func() *symtab {
	s := new(symtab)
	exe, err := os.Executable()
	if err != nil {
		s.err = err
		return s
	}
	file, err := os.Open(exe)
	if err != nil {
		s.err = err
		return s
	}
	defer file.Close()
	f, err := elf64.NewFile(file)
	if err != nil {
		s.err = errs.F("%s: %w", exe, err)
		return s
	}
	if s.syms, s.err = f.Symbols(); s.err != nil {
		s.err = errs.F("the binary has no symbol table (%w)", s.err)
		return s
	}
	sort.Slice(s.syms, func(i, j int) bool { return s.syms[i].Value < s.syms[j].Value })
	pc := reflect.ValueOf(canaryFunc).Pointer()
	name := runtime.FuncForPC(pc).Name()
	for _, sym := range s.syms {
		if sym.Name == name {
			s.slide = uint64(pc) - sym.Value
			return s
		}
	}
	s.err = errs.F("the binary's symbol table does not name %s", name)
	return s
}}

// SymbolAt is the name of the symbol that starts at a run-time address, with type arguments
// spelled out.
func SymbolAt(addr uintptr) (string, error) {
	s := symbols.Get()
	if s.err != nil {
		return "", s.err
	}
	v := uint64(addr) - s.slide
	name := ""
	for i := sort.Search(len(s.syms), func(i int) bool { return s.syms[i].Value >= v }); i < len(s.syms) && s.syms[i].Value == v; i++ {
		// dictionaries of no length may be where another symbol begins
		if sym := s.syms[i]; name == "" || strings.Contains(sym.Name, "..dict.") && sym.Size > 0 {
			name = sym.Name
		}
	}
	if name == "" {
		return "", errs.F("no symbol starts at %#x", addr)
	}
	return name, nil
}
