package llvm

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// words is machine code.
func words(list ...uint32) (code []byte) {
	for _, w := range list {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return code
}

func TestDisassemble(t *testing.T) {
	lib := mustOpen(t)
	const sEndpgm, garbage = 0xbf810000, 0xffffffff
	lines, err := lib.Disassemble(amd, "gfx90a", "", append(words(0xbf800000, garbage, 0xbe8000ff, 0x12345678, sEndpgm), 1, 2), 0x1000)
	if err != nil {
		t.Fatal(err)
	}
	want := []Line{
		{0x1000, 4, "s_nop 0"},
		{0x1004, 4, ""},
		{0x1008, 8, "s_mov_b32 s0, 0x12345678"},
		{0x1010, 4, "s_endpgm"},
		{0x1014, 2, ""},
	}
	if len(lines) != len(want) {
		t.Fatalf("%+v", lines)
	}
	for i, l := range lines {
		if l != want[i] {
			t.Errorf("line %d: %+v, not %+v", i, l, want[i])
		}
	}
}

// The carry of an addition is written with the wave's mask register.
func TestDisassembleWaves(t *testing.T) {
	lib := mustOpen(t)
	code := words(0x50000702) // v_add_co_ci_u32 v0, v2, v3 of gfx10
	for features, mask := range map[string]string{
		"":                                  "vcc_lo",
		"+wavefrontsize64,-wavefrontsize32": "vcc",
	} {
		lines, err := lib.Disassemble(amd, "gfx1030", features, code, 0)
		if err != nil || len(lines) != 1 || !strings.HasSuffix(lines[0].Text, ", "+mask) {
			t.Errorf("features %q: %v, %v; want %s", features, lines, err, mask)
		}
	}
}

// What LLVM itself has compiled is instructions from end to end, the same as
// its assembly says.
func TestDisassembleCompiled(t *testing.T) {
	lib := mustOpen(t)
	for _, cpu := range []string{"gfx90a", "gfx1030", "gfx1100"} {
		obj, err := emit(lib, addIR, amd, cpu, Object)
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(obj))
		if err != nil {
			t.Fatal(err)
		}
		code, err := f.Section(".text").Data()
		if err != nil {
			t.Fatal(err)
		}
		lines, err := lib.Disassemble(amd, cpu, "", code, 0)
		if err != nil {
			t.Fatal(err)
		}
		asm, err := emit(lib, addIR, amd, cpu, Assembly)
		if err != nil {
			t.Fatal(err)
		}
		rest := string(asm)
		for _, l := range lines {
			mnemonic, _, _ := strings.Cut(l.Text, " ")
			_, after, ok := strings.Cut(rest, "\t"+mnemonic)
			if !ok {
				t.Fatalf("%s: %q, of %v, is not in\n%s", cpu, mnemonic, lines, rest)
			}
			rest = after
			if mnemonic == "s_endpgm" {
				break
			}
		}
	}
}

func TestDisassembleErrors(t *testing.T) {
	lib := mustOpen(t)
	for _, c := range []struct{ triple, cpu, want string }{
		{nv, "sm_80", "no triple of AMDGPU"},
		{amd, "gfx700", "not yet supported"},
		{amd, "gfx0", "not yet supported"},
	} {
		lines, err := lib.Disassemble(c.triple, c.cpu, "", words(0), 0)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, %v; want %q", c.triple, c.cpu, lines, err, c.want)
		}
	}
	if lines, err := lib.Disassemble(amd, "gfx90a", "", nil, 0); err != nil || len(lines) != 0 {
		t.Errorf("no code: %v, %v", lines, err)
	}
}

// Any bytes give lines that cover them.
func TestDisassembleNoise(t *testing.T) {
	lib := mustOpen(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, cpu := range []string{"gfx803", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
		if lib.Major < 17 && cpu == "gfx942" || lib.Major < 19 && cpu == "gfx1201" {
			continue
		}
		code := make([]byte, 40_001)
		for i := range code {
			code[i] = byte(rng.Uint32())
		}
		lines, err := lib.Disassemble(amd, cpu, "", code, 1<<40)
		if err != nil {
			t.Fatalf("%s: %v", cpu, err)
		}
		at, decoded := uint64(1<<40), 0
		for _, l := range lines {
			if l.Addr != at || l.Size <= 0 {
				t.Fatalf("%s: %+v at %#x", cpu, l, at)
			}
			at += uint64(l.Size)
			if l.Text != "" {
				decoded++
			}
			if strings.ContainsAny(l.Text, "\n;\t") {
				t.Errorf("%s: %q", cpu, l.Text)
			}
		}
		if at != 1<<40+uint64(len(code)) || decoded == 0 || decoded == len(lines) {
			t.Errorf("%s: %d lines, %d of them decoded, up to %#x", cpu, len(lines), decoded, at)
		}
	}
}

func BenchmarkDisassemble(b *testing.B) {
	lib := mustOpen(b)
	var code []byte
	for range 1000 {
		code = append(code, words(0xbf800000, 0xbe8000ff, 0x12345678, 0x02000702, 0xd1c80000, 0x04060501)...)
	}
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		if _, err := lib.Disassemble(amd, "gfx90a", "", code, 0); err != nil {
			b.Fatal(err)
		}
	}
}
