package native

import (
	"debug/elf"
	"testing"
)

// The numbers of relocations have the names that debug/elf gives them.
func TestRelocationNames(t *testing.T) {
	for _, m := range []struct {
		*machine
		name func(uint32) string
	}{
		{x86.Get(), func(n uint32) string { return elf.R_X86_64(n).String() }},
		{aarch64.Get(), func(n uint32) string { return elf.R_AARCH64(n).String() }},
	} {
		for n := range m.relocs {
			if want := m.name(n); m.typ(n) != want && n != rAArch64PLT32 {
				t.Errorf("relocation %d is %s, want %s", n, m.typ(n), want)
			}
		}
		if got := m.typ(9999); len(m.relocs) == 0 || got != "9999" {
			t.Errorf("an unknown one of %d is %s", len(m.relocs), got)
		}
	}
}
