package amdemu

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"heddle/internal/link"
	"heddle/internal/link/linktest"
	"heddle/internal/llvm"
)

// addressIR has variables that hold addresses: of a variable, of the middle of
// one, of functions. The kernel calls one of them by address.
const addressIR = `
@number = addrspace(1) global i32 5
@bytes = addrspace(1) global [10 x i8] c"0123456789"
@zeroed = addrspace(1) global [1000 x i32] zeroinitializer, align 512
@pointer = addrspace(1) global ptr addrspace(1) @number
@middle = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @bytes, i64 3)
@functions = addrspace(1) global [2 x ptr] [ptr @double, ptr @square]

define i32 @double(i32 %x) noinline {
  %y = add i32 %x, %x
  ret i32 %y
}
define i32 @square(i32 %x) noinline {
  %y = mul i32 %x, %x
  ret i32 %y
}
define amdgpu_kernel void @choose(ptr addrspace(1) %p, i32 %i) {
  %e = getelementptr [2 x ptr], ptr addrspace(1) @functions, i32 0, i32 %i
  %f = load ptr, ptr addrspace(1) %e
  %v = call i32 %f(i32 %i)
  %q = load volatile i32, ptr addrspace(1) @number
  store i32 %v, ptr addrspace(1) %p
  ret void
}
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!1 = !{i32 1, !"amdgpu_code_object_version", i32 500}
`

// assemble makes a relocatable object of IR, with clang.
func assemble(t testing.TB, arch, ir string) []byte {
	t.Helper()
	clang, dir := tool(t, "clang"), t.TempDir()
	in, out := filepath.Join(dir, "in.ll"), filepath.Join(dir, "out.o")
	if err := os.WriteFile(in, []byte(ir), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, clang, "-target", "amdgcn-amd-amdhsa", "-mcpu="+arch, "-nogpulib", "-O1", "-Wno-override-module", "-c", in, "-o", out)
	obj, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

// linkers make code objects of relocatable ones.
var linkers = map[string]func(t testing.TB, obj []byte) []byte{
	"heddle": func(t testing.TB, obj []byte) []byte {
		code, err := link.Link(obj)
		if err != nil {
			t.Fatal(err)
		}
		return code
	},
	"lld": func(t testing.TB, obj []byte) []byte {
		lld := linktest.LLD()
		if lld == "" {
			t.Skip("no ld.lld on this machine")
		}
		code, err := linktest.Link(lld, t.TempDir(), obj)
		if err != nil {
			t.Fatal(err)
		}
		return code
	},
}

// variable is the memory of an exported variable, read where the device would.
func (p *program) variable(t *testing.T, name string) []byte {
	t.Helper()
	addr, size, ok := p.symbol(name)
	first := uint64(uintptr(unsafe.Pointer(&p.image[0])))
	if !ok || addr < first || addr-first+uint64(size) > uint64(len(p.image)) {
		t.Fatalf("%s at %#x, of %d bytes, %v; the image at %#x, of %d", name, addr, size, ok, first, len(p.image))
	}
	return p.image[addr-first:][:size]
}

// Loaded, addresses in memory are what they are to point at.
func TestLoad(t *testing.T) {
	for name, link := range linkers {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
			t.Run(name+"/"+arch, func(t *testing.T) {
				p, err := load(link(t, assemble(t, arch, addressIR)), inWords)
				if err != nil {
					t.Fatal(err)
				}
				if string(p.variable(t, "bytes")) != "0123456789" || le.Uint32(p.variable(t, "number")) != 5 {
					t.Errorf("initial values: %q, %d", p.variable(t, "bytes"), p.variable(t, "number"))
				}
				if z := p.variable(t, "zeroed"); len(z) != 4000 || !bytes.Equal(z, make([]byte, 4000)) {
					t.Errorf("%d bytes, not 4000 zeros", len(z))
				}
				for variable, target := range map[string][]struct {
					symbol string
					plus   uint64
				}{
					"pointer": {{"number", 0}}, "middle": {{"bytes", 3}}, "functions": {{"double", 0}, {"square", 0}},
				} {
					for i, target := range target {
						want, _, ok := p.symbol(target.symbol)
						if got := le.Uint64(p.variable(t, variable)[8*i:]); !ok || got != want+target.plus {
							t.Errorf("%s[%d] is %#x, %s at %#x", variable, i, got, target.symbol, want)
						}
					}
				}
				if addr, _, _ := p.symbol("zeroed"); addr%512 != 0 {
					t.Errorf("zeroed at %#x", addr)
				}
				k, err := p.kernel("choose")
				if err != nil || !k.descriptor.dynamicStack || !k.DynamicStack {
					t.Errorf("%+v, %v", k, err)
				}
				if _, err := p.kernel("double"); err == nil || !strings.Contains(err.Error(), "double") {
					t.Errorf("a kernel double: %v", err)
				}
				if _, _, ok := p.symbol("missing"); ok || p.arch != arch || p.function(k.entry) != "choose" {
					t.Errorf("%+v", p)
				}
			})
		}
	}
}

// Each type of relocation, put in place of one that a linker wrote.
func TestRelocations(t *testing.T) {
	code := linkers["lld"](t, assemble(t, "gfx90a", addressIR))
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	at := f.Section(".rela.dyn").Offset
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	index := func(name string) uint64 {
		return 1 + uint64(slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == name }))
	}
	place := symbols[index("zeroed")-1].Value
	const addend = 0x1_2345_6789
	for _, c := range []struct {
		typ    uint64
		symbol string
		want   func(p *program, symbol, place uint64) uint64
		size   int
	}{
		{0, "", func(*program, uint64, uint64) uint64 { return 0 }, 8},
		{1, "number", func(_ *program, s, _ uint64) uint64 { return (s + addend) & 0xffffffff }, 4},
		{2, "number", func(_ *program, s, _ uint64) uint64 { return (s + addend) >> 32 }, 4},
		{3, "number", func(_ *program, s, _ uint64) uint64 { return s + addend }, 8},
		{4, "number", func(_ *program, s, p uint64) uint64 { return (s + addend - p) & 0xffffffff }, 4},
		{5, "number", func(_ *program, s, p uint64) uint64 { return s + addend - p }, 8},
		{6, "number", func(_ *program, s, _ uint64) uint64 { return (s + addend) & 0xffffffff }, 4},
		{10, "number", func(_ *program, s, p uint64) uint64 { return (s + addend - p) & 0xffffffff }, 4},
		{11, "number", func(_ *program, s, p uint64) uint64 { return (s + addend - p) >> 32 }, 4},
		{13, "", func(p *program, _, _ uint64) uint64 { return p.base + addend }, 8},
	} {
		changed := bytes.Clone(code)
		le.PutUint64(changed[at:], place)
		le.PutUint64(changed[at+8:], c.typ)
		if c.symbol != "" {
			le.PutUint64(changed[at+8:], c.typ|index(c.symbol)<<32)
		}
		le.PutUint64(changed[at+16:], addend)
		p, err := load(changed, inWords)
		if err != nil {
			t.Errorf("type %d: %v", c.typ, err)
			continue
		}
		s, _, _ := p.symbol(c.symbol)
		to, _, _ := p.symbol("zeroed")
		got := p.variable(t, "zeroed")[:8]
		if want := c.want(p, s, to); le.Uint64(got) != want {
			t.Errorf("type %d: %#x, not %#x", c.typ, le.Uint64(got), want)
		}
	}
	for what, change := range map[string][3]uint64{
		"unknown type 12":      {place, 12, 0},
		"unknown type 7":       {place, 7, 0}, // of linkers
		"unknown type 14":      {place, 14, 0},
		"symbol 9999":          {place, 3 | 9999<<32, 0},
		"outside the segments": {1 << 40, 13, 0},
		"4 bytes at":           {1<<64 - 2, 1 | 1<<32, 0},
	} {
		changed := bytes.Clone(code)
		for i, v := range change {
			le.PutUint64(changed[at+8*uint64(i):], v)
		}
		if _, err := load(changed, inWords); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

func TestLoadUndefined(t *testing.T) {
	code := linkers["lld"](t, assemble(t, "gfx90a", `
@here = external addrspace(1) global i32
@there = external addrspace(1) global i32
@maybe = extern_weak addrspace(1) global i32
@pointers = addrspace(1) global [3 x ptr addrspace(1)] [ptr addrspace(1) @here, ptr addrspace(1) @there, ptr addrspace(1) @maybe]
`))
	if _, err := load(code, inWords); err == nil || !strings.HasSuffix(err.Error(), "undefined symbols: here, there") {
		t.Errorf("got %v", err)
	}
}

// Objects that are not for this loader.
func TestLoadRefuses(t *testing.T) {
	obj := assemble(t, "gfx90a", addressIR)
	code := linkers["heddle"](t, obj)
	change := func(at int, v byte) []byte {
		changed := bytes.Clone(code)
		changed[at] = v
		return changed
	}
	for want, code := range map[string][]byte{
		"bad magic":          []byte("not an object, but long enough for the header of one, with a tail"),
		"linked first":       obj,
		"not AMDGPU":         change(18, 62),
		"OS ABI 0":           change(7, 0),
		"ABI version is 1":   change(8, 1),
		"ABI version is 5":   change(8, 5),
		"processor of":       change(eFlagsAt, 0x7f),
		"loadable segments":  noSegments(code),
		"differ in their wa": mixed(t, code),
	} {
		if _, err := load(code, inWords); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// noSegments makes every PT_LOAD a PT_NULL.
func noSegments(code []byte) []byte {
	code = bytes.Clone(code)
	for i := range int(le.Uint16(code[56:])) {
		if p := code[64+56*i:]; le.Uint32(p) == uint32(elf.PT_LOAD) {
			le.PutUint32(p, 0)
		}
	}
	return code
}

// mixed is a code object of two kernels, one of whose descriptors says that it
// has waves of the other size.
func mixed(t *testing.T, _ []byte) []byte {
	code := linkers["heddle"](t, assemble(t, "gfx1030", "define amdgpu_kernel void @a() {\n ret void\n}\ndefine amdgpu_kernel void @b() {\n ret void\n}"))
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	code[f.Section(".rodata").Offset+57] ^= 1 << 2
	return code
}

var instruction = regexp.MustCompile(`(?m)^\t(\S.*?)\s*// ([0-9A-F]{12}): ([0-9A-F ]+?)(?: <.*)?$`)

// The lines of a program are those of llvm-objdump, with libLLVM's disassembler
// of the same release.
func TestDisassembly(t *testing.T) {
	lib := disassembler(t)
	for _, b := range builds {
		if !knows(lib, b.arch) {
			continue
		}
		path, code := compile(t, b)
		p, err := load(code, lib.Disassemble)
		if err != nil {
			t.Fatalf("%v: %v", b, err)
		}
		ours := map[uint64]Line{}
		for _, text := range p.texts {
			end := text.base
			for _, line := range text.lines {
				if line.Addr != end {
					t.Fatalf("%v: %+v after %#x", b, line, end)
				}
				end += uint64(line.Size)
				ours[line.Addr-p.base] = line
			}
			if end != text.base+uint64(text.size) {
				t.Errorf("%v: lines end at %#x of %#x", b, end, text.base+uint64(text.size))
			}
		}
		out, err := exec.Command(fmt.Sprintf("llvm-objdump-%d", lib.Major), "-d", fmt.Sprintf("--mattr=+wavefrontsize%d,-wavefrontsize%d", b.wave, 96-b.wave), path).Output()
		if err != nil {
			t.Skipf("no llvm-objdump of LLVM %d to compare with: %v", lib.Major, err)
		}
		found := instruction.FindAllStringSubmatch(string(out), -1)
		if len(found) < 50 {
			t.Fatalf("%v: %s", b, out)
		}
		for _, m := range found {
			addr, err := strconv.ParseUint(m[2], 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			line := ours[addr]
			if line.Text != strings.TrimSpace(m[1]) || line.Size != 4*len(strings.Fields(m[3])) {
				t.Errorf("%v: %#x: %+v, objdump has %q", b, addr, line, m[0])
			}
		}
	}
}

// disassembler is this machine's libLLVM.
func disassembler(t testing.TB) *llvm.Library {
	t.Helper()
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to disassemble with")
	}
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// knows reports whether a release of LLVM has a processor.
func knows(lib *llvm.Library, arch string) bool {
	return lib.Major >= map[string]int{"gfx942": 17, "gfx1201": 18}[arch]
}

// Padding that resembles the beginning of a long instruction does not swallow
// the function behind it.
func TestUntilMidst(t *testing.T) {
	p := &program{functions: []extent{{"a", 0x100, 4}, {"b", 0x110, 8}}}
	lines := []Line{{0x100, 4, "s_endpgm"}, {0x104, 8, "x"}, {0x10c, 8, "y"}, {0x114, 4, "z"}}
	got := p.untilMidst(slices.Clone(lines))
	want := []Line{{0x100, 4, "s_endpgm"}, {0x104, 8, "x"}, {0x10c, 4, ""}}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	lines[2].Size = 4
	lines[3].Addr = 0x110
	if got := p.untilMidst(slices.Clone(lines)); !slices.Equal(got, lines) {
		t.Errorf("%v", got)
	}
}

// What code demands of the device is in its header.
func TestTargetID(t *testing.T) {
	for id, want := range map[string][2]string{
		"gfx90a":                 {"any", "any"},
		"gfx90a:sramecc-:xnack+": {"on", "off"},
		"gfx90a:xnack-":          {"off", "any"},
		"gfx1100":                {"", ""},
	} {
		_, code := compile(t, build{arch: id, wave: 64, version: 5})
		p, err := load(code, inWords)
		if err != nil {
			t.Fatal(err)
		}
		if arch, _, _ := strings.Cut(id, ":"); p.arch != arch || p.xnack != want[0] || p.sramecc != want[1] {
			t.Errorf("%s: %s, xnack %q, sramecc %q", id, p.arch, p.xnack, p.sramecc)
		}
	}
	for arch, want := range map[string]int{"gfx803": 8, "gfx90a": 9, "gfx9-4-generic": 9, "gfx1030": 10, "gfx10-3-generic": 10, "gfx1201": 12, "none": 0, "gfx": 0, "": 0} {
		if got := generation(arch); got != want {
			t.Errorf("%s: generation %d, not %d", arch, got, want)
		}
	}
}
