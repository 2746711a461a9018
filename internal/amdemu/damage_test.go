package amdemu

import (
	"bytes"
	"debug/elf"
	"strings"
	"testing"
)

// use does with a damaged program what a launch and its error would do. What it
// gets must lie in the program's memory.
func use(t *testing.T, what string, p *program) {
	t.Helper()
	first := p.base + p.low
	inside := func(addr uint64, n int) bool {
		return addr >= first && n >= 0 && addr-first <= uint64(len(p.image)) && uint64(n) <= uint64(len(p.image))-(addr-first)
	}
	for name, s := range p.symbols {
		if !inside(s.addr, s.size) {
			t.Fatalf("%s: %s at %#x, of %d bytes, in %d at %#x", what, name, s.addr, s.size, len(p.image), first)
		}
	}
	for _, text := range p.texts {
		if !inside(text.base, text.size) {
			t.Fatalf("%s: code at %#x, of %d bytes, in %d at %#x", what, text.base, text.size, len(p.image), first)
		}
	}
	for name, k := range p.kernels {
		if !inside(k.entry, 4) || !inside(k.object, descriptorSize) {
			t.Fatalf("%s: %s at %#x, in %d at %#x", what, name, k.entry, len(p.image), first)
		}
		for _, s := range k.descriptor.sgpr {
			if s.reg < 0 || s.reg+s.n > scalarRegs || s.n < 1 {
				t.Fatalf("%s: %s: %+v", what, name, s)
			}
		}
		if v := k.descriptor.vgprs; v < 1 || v > 256 {
			t.Fatalf("%s: %s: %d VGPRs", what, name, v)
		}
		_, _ = fillKernarg(k, make([]byte, 12), &someDispatch) // may refuse
		_, _ = k.packet(&someDispatch, 0)                      // likewise
		if len(p.where(k.entry)) == 0 {
			t.Fatalf("%s: %s is nowhere", what, name)
		}
	}
	p.where(0)
	p.where(first + uint64(len(p.image)) - 1)
}

// start launches the kernels of a code object as they are loaded: they end in an
// error, as their instructions are unknown.
func start(t *testing.T, code []byte) {
	t.Helper()
	m := NewMemory(Options{})
	p, err := Load(code, m, inWords)
	if err != nil {
		t.Fatal(err)
	}
	for name, info := range p.kernels {
		k, err := p.Kernel(name)
		if err != nil {
			continue
		}
		args := make([]byte, explicitSize(&info.Kernel))
		if _, err := k.Run(Config{Grid: [3]int{2, 1, 1}, Block: [3]int{64, 1, 1}, Args: args, Memory: m, Workers: 2}); err == nil {
			t.Errorf("%s ran", name)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// A descriptor that asks for what the emulator does not have is refused by name.
func TestDescriptorRefused(t *testing.T) {
	_, code := compile(t, builds[0])
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, s := range symbols {
		if strings.HasSuffix(s.Name, ".kd") {
			section := f.Sections[s.Section]
			at = int(section.Offset + s.Value - section.Addr)
		}
	}
	if at < 0 {
		t.Fatal("no descriptor")
	}
	for _, c := range []struct {
		offset int
		value  uint32
		want   string
	}{
		{48, le.Uint32(code[at+48:]) | 2<<12, "rounding mode 0x2"},
		{48, le.Uint32(code[at+48:]) | 1<<14, "rounding mode 0x4"},
		{4, 1 << 30, "1073741824 bytes of private memory a lane"},
	} {
		changed := bytes.Clone(code)
		le.PutUint32(changed[at+c.offset:], c.value)
		if _, err := load(changed, inWords); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %q", err, c.want)
		}
	}
}

// Every beginning of a code object is refused or can be used.
func TestTruncated(t *testing.T) {
	code := linkers["heddle"](t, assemble(t, "gfx90a", addressIR))
	p, err := load(code, inWords)
	if err != nil {
		t.Fatal(err)
	}
	use(t, "whole", p)
	loaded := 0
	for n := range code {
		if p, err := load(bytes.Clone(code[:n]), inWords); err == nil {
			use(t, "truncated", p)
			loaded++
		}
	}
	// The section headers end the file.
	if loaded > 0 {
		t.Errorf("%d of %d beginnings were loaded", loaded, len(code))
	}
}

// Each byte of what a loader reads, changed, is an error or does no harm.
func TestDamaged(t *testing.T) {
	_, code := compile(t, builds[0])
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	type stretch struct {
		name     string
		from, to uint64
	}
	parts := []stretch{
		{"header", 0, 64 + 56*uint64(len(f.Progs))},
		{"section headers", le.Uint64(code[40:]), uint64(len(code))},
	}
	for _, name := range []string{".note", ".dynsym", ".dynstr", ".rodata", ".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists", ".debug_addr", ".debug_str_offsets"} {
		s := f.Section(name)
		if s == nil {
			t.Fatalf("no section %s", name)
		}
		parts = append(parts, stretch{name, s.Offset, s.Offset + s.FileSize})
	}
	step := uint64(1)
	if testing.Short() {
		step = 7
	}
	for _, part := range parts {
		refused, loaded := 0, 0
		for at := part.from; at < part.to; at += step {
			changed := bytes.Clone(code)
			changed[at] ^= []byte{1, 0x80, 0xff}[at%3]
			p, err := load(changed, inWords)
			if err != nil {
				refused++
				continue
			}
			loaded++
			use(t, part.name, p)
			if part.name == ".rodata" {
				start(t, changed)
			}
		}
		t.Logf("%s: %d refused, %d loaded", part.name, refused, loaded)
	}
}
