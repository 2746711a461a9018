package native

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/elf64"
)

// emulatorEnv is set where an emulator runs the test; see internal/tests/conformance/arm64_test.go.
const emulatorEnv = "HEDDLE_TEST_EMULATOR"

// compile makes an object of a C file in testdata, or of C text, or skips the test.
func compile(t testing.TB, c string, flags ...string) []byte {
	t.Helper()
	clang := ""
	for _, name := range []string{"clang-19", "clang", "clang-15"} {
		if clang, _ = exec.LookPath(name); clang != "" {
			break
		}
	}
	if clang == "" {
		t.Skip("no clang")
	}
	object := filepath.Join(t.TempDir(), "x.o")
	args := []string{"-c", "-O2", "-fPIC", "-o", object}
	if runtime.GOOS == "linux" { // the test itself may run under an emulator
		args = append(args, "--target="+runtime.GOARCH+"-linux-gnu")
	}
	args = append(args, flags...)
	if strings.HasSuffix(c, ".c") {
		args = append(args, filepath.Join("testdata", c))
	} else {
		args = append(args, "-x", "c", "-")
	}
	cmd := exec.Command(clang, args...)
	cmd.Stdin = strings.NewReader(c)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	b, err := os.ReadFile(object)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func load(t testing.TB, object []byte) *Image {
	t.Helper()
	if err := Supported(); err != nil {
		t.Skip(err)
	}
	i, err := Load(object)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

func call(t testing.TB, i *Image, name string, args ...uintptr) uintptr {
	t.Helper()
	a, size := i.Symbol(name)
	if a == 0 || size == 0 || !i.Code(name) {
		t.Fatalf("symbol %s: %#x, %d bytes", name, a, size)
	}
	r, _, _ := purego.SyscallN(a, args...)
	return r
}

// checkSections runs what testdata/sections.c defines.
func checkSections(t *testing.T, object []byte) {
	i := load(t, object)
	out := new([9]int64)
	if r := call(t, i, "run", uintptr(unsafe.Pointer(out))); r != 42 {
		t.Errorf("run returns %d", r)
	}
	sum := 8 + 32 + 4 + math.Sin(16)
	want := [9]int64{41 + 42, 350, 1, 1, 14, int64(sum * 1e6), 83, 2, int64(math.Sqrt(83) * 1e6)}
	if *out != want {
		t.Errorf("run: got  %d\nwant %d", *out, want)
	}
	for n, want := range []int64{11, 42, 33 * 42, 7, -5, 0, 0} {
		if got := int64(call(t, i, "choose", uintptr(n))); got != want {
			t.Errorf("choose(%d) = %d, want %d", n, got, want)
		}
	}
	b := make([]byte, 4)
	if !i.Read("exported", b) || !bytes.Equal(b, []byte{7, 0, 0, 0}) {
		t.Error("exported reads", b)
	}
	if i.Read("exported", make([]byte, 5)) || i.Read("run", b) || i.Read("absent", b) || i.Code("exported") {
		t.Error("read what is not there")
	}
	if a, _ := i.Symbol("table"); a != 0 {
		t.Error("found a local symbol")
	}
}

func TestLoad(t *testing.T) {
	for _, flags := range []string{"-O0", "-O2", "-O3 -fno-plt", "-O2 -mcmodel=large -fno-pic", "-O2 -fcommon -g -ffunction-sections -fdata-sections"} {
		t.Run(flags, func(t *testing.T) {
			f := strings.Fields(flags)
			if runtime.GOARCH == "arm64" && strings.Contains(flags, "large") {
				t.Skip("uses MOVW relocations")
			}
			checkSections(t, compile(t, "sections.c", f...))
		})
	}
}

// No page is writable and executable.
func TestProtection(t *testing.T) {
	i := load(t, compile(t, "sections.c"))
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	want := map[string]string{"run": "r-xp", "functions": "r--p", "exported": "rw-p"}
	if os.Getenv(emulatorEnv) != "" { // which need not tell code from constants
		want["run"], want["functions"] = "r-xp r--p", "r-xp r--p"
	}
	for symbol, want := range want {
		a, _ := i.Symbol(symbol)
		found := ""
		for line := range strings.Lines(string(maps)) {
			span, rest, _ := strings.Cut(line, " ")
			var from, to uintptr
			if n, _ := fmt.Sscanf(span, "%x-%x", &from, &to); n == 2 && from <= a && a < to {
				found, _, _ = strings.Cut(rest, " ")
			}
		}
		if found == "" || !strings.Contains(want, found) {
			t.Errorf("%s is in memory that is %s, want %s", symbol, found, want)
		}
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	if a, _ := i.Symbol("run"); a != 0 || i.Read("exported", make([]byte, 1)) {
		t.Error("a closed image has symbols")
	}
}

func TestErrors(t *testing.T) {
	other := map[string]string{"amd64": "aarch64", "arm64": "x86_64"}[runtime.GOARCH]
	if other == "" {
		t.Skip("not supported here")
	}
	for _, c := range []struct{ name, c, flags, want string }{
		{"undefined", "int no_such_a(int); int no_such_b(int); int f(int x) { return no_such_b(x) + no_such_a(x); }", "",
			"native: undefined symbols: no_such_a, no_such_b (looked for in libm.so.6, libc.so.6, libgcc_s.so.1)"},
		{"tls", "__thread int x = 3; int f(void) { return x; }", "", "section .tdata: thread-local data"},
		{"constructor", "int rand(void); int x; __attribute__((constructor)) void f(void) { x = rand(); }", "", "section .init_array: code to run at load time"},
		{"machine", "int x;", "--target=" + other + "-linux-gnu", "native: an object for " + machineOf(other) + ", this is " + runtime.GOARCH},
		{"alignment", "_Alignas(65536) int x = 3;", "", "section .data: alignment of 65536 bytes"},
		{"class", "int x;", "--target=i386-linux-gnu", "want a 64-bit little-endian relocatable object, not class 1"},
		{"foreign", "int x;", "--target=powerpc64le-linux-gnu", "objects for machine 21 cannot be loaded"},
		{"huge", "char x[1<<30]; ", "", "1073741824 bytes, more than the"},
		{"sum", "char a[50<<20], b[50<<20]; ", "-fdata-sections", "the image takes more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i, err := Load(compile(t, c.c, strings.Fields(c.flags)...))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nlacks %s", err, c.want)
			}
			if err == nil {
				_ = i.Close()
			}
		})
	}
	for _, b := range [][]byte{nil, []byte("\x7fELF"), bytes.Repeat([]byte("x"), 1000)} {
		if _, err := Load(b); err == nil || !strings.HasPrefix(err.Error(), "native: not an ELF object") {
			t.Errorf("%q: %v", b, err)
		}
	}
	if runtime.GOARCH == "amd64" {
		_, err := Load(compile(t, "int x; int *f(void) { return &x; }", "-fno-pic", "-mcmodel=small"))
		if err == nil || !strings.Contains(err.Error(), "R_X86_64_32 against") || !strings.Contains(err.Error(), "out of reach") {
			t.Error(err)
		}
	}
}

func machineOf(arch string) string {
	return map[string]string{"aarch64": "arm64", "x86_64": "amd64"}[arch]
}

// TestArm64 checks what the relocations of an AArch64 object make of its
// instructions, by decoding them again.
func TestArm64(t *testing.T) {
	for _, flags := range []string{"-O0", "-O2", "-O2 -fno-pic"} {
		o, err := Parse(compile(t, "sections.c", append(strings.Fields(flags), "--target=aarch64-linux-gnu")...))
		if err != nil {
			t.Fatal(err)
		}
		l, err := o.layOut(4096)
		if err != nil {
			t.Fatal(err)
		}
		const base, far = 0x7f1234560000, 0x7fffdeadb000
		outside := map[uint32]uint64{}
		for i, s := range l.wanted {
			if l.symbols[s].bind != elf64.STB_WEAK {
				outside[s] = far + 16*uint64(i)
			}
		}
		mem := make([]byte, l.begin[parts])
		if err := l.link(mem, base, outside); err != nil {
			t.Fatal(err)
		}
		checked := map[string]int{}
		for _, s := range o.sections {
			for _, r := range s.relas {
				name, got, want := decodeArm64(l, mem, base, s, r, outside)
				if got != want {
					t.Errorf("%s: %s at %s+%d: target %#x, want %#x", flags, name, s.name, r.at, got, want)
				}
				checked[name]++
			}
		}
		t.Log(flags, checked)
		if len(checked) < 5 {
			t.Errorf("%s: only %v", flags, checked)
		}
		for sym, at := range l.stubs {
			if got := arm64Jump(mem, base, at); got != outside[sym] {
				t.Errorf("stub of %s jumps to %#x, want %#x", l.symbols[sym].name, got, outside[sym])
			}
		}
	}
}

// decodeArm64 returns what the relocated bytes say and what they should: the
// target, or its page or low bits.
func decodeArm64(l *layout, mem []byte, base uint64, s *section, r rela, outside map[uint32]uint64) (name string, got, want uint64) {
	at := s.at + r.at
	word, p := order.Uint32(mem[at:]), base+at
	want = l.address(r.sym, base, outside) + uint64(r.addend)
	low := uint64(word>>10) & 0xfff
	signed := func(v uint64, bits uint) uint64 { return uint64(int64(v<<(64-bits)) >> (64 - bits)) }
	name = strings.TrimPrefix(aarch64.Get().typ(r.typ), "R_AARCH64_")
	if strings.Contains(name, "GOT") {
		want = base + l.slots[r.sym]
		if order.Uint64(mem[l.slots[r.sym]:]) != l.address(r.sym, base, outside) {
			return name, 0, 1
		}
	}
	switch name {
	case "ABS64":
		return name, order.Uint64(mem[at:]), want
	case "PREL32":
		return name, p + signed(uint64(word), 32), want
	case "CALL26", "JUMP26":
		if stub, ok := l.stubs[r.sym]; ok {
			want = base + stub
		}
		return name, p + signed(uint64(word), 26)*4, want
	case "ADR_PREL_PG_HI21", "ADR_GOT_PAGE":
		imm := uint64(word>>29)&3 | uint64(word>>5)&0x7ffff<<2
		return name, p&^0xfff + signed(imm, 21)<<12, want &^ 0xfff
	case "ADD_ABS_LO12_NC", "LDST8_ABS_LO12_NC":
		return name, low, want & 0xfff
	case "LDST16_ABS_LO12_NC":
		return name, low * 2, want & 0xfff
	case "LDST32_ABS_LO12_NC":
		return name, low * 4, want & 0xfff
	case "LDST64_ABS_LO12_NC", "LD64_GOT_LO12_NC":
		return name, low * 8, want & 0xfff
	case "LDST128_ABS_LO12_NC":
		return name, low * 16, want & 0xfff
	}
	return name, 0, 1
}

// Immediates of AArch64 of both signs say what they should, and nothing else of
// the instruction changes.
func TestArm64Reach(t *testing.T) {
	const p, mib = 0x7f1234567008, 1 << 20
	for _, c := range []struct {
		name     string
		apply    func(b []byte, target, p uint64) error
		word     uint32 // the instruction, its immediate 0
		mask     uint32 // of the immediate
		distance func(word uint32) int64
		unit     int64 // what distances are a multiple of
		lo, hi   int64 // the farthest ones
	}{
		{"adr", adr, 0x1000000b, 3<<29 | 0x7ffff<<5, splitImmediate, 1, -mib, mib - 1},
		{"adrp", adrp, 0x9000000b, 3<<29 | 0x7ffff<<5, func(w uint32) int64 { return splitImmediate(w) << 12 }, 1 << 12, -mib << 12, (mib - 1) << 12},
		{"branch26", branch26, 0x94000000, 0x3ffffff, func(w uint32) int64 { return int64(int32(w<<6)>>6) * 4 }, 4, -128 * mib, 128*mib - 4},
		{"branch19", branch19, 0x54000001, 0x7ffff << 5, func(w uint32) int64 { return int64(int32(w<<8)>>13) * 4 }, 4, -mib, mib - 4},
	} {
		for _, d := range []int64{0, 1, 2, 3, 4, 5, 1000, -1, -2, -3, -4, -5, -1000, c.lo / c.unit, c.hi / c.unit} {
			b := order.AppendUint32(nil, c.word|c.mask&0x55555555)
			if err := c.apply(b, uint64(p+d*c.unit), p); err != nil {
				t.Errorf("%s of %d: %v", c.name, d*c.unit, err)
			}
			if w := order.Uint32(b); c.distance(w) != d*c.unit || w&^c.mask != c.word {
				t.Errorf("%s of %d: %#x goes %d", c.name, d*c.unit, w, c.distance(w))
			}
		}
		for _, d := range []int64{c.lo - c.unit, c.hi + c.unit} {
			if err := c.apply(make([]byte, 4), uint64(p+d), p); err != errRange {
				t.Errorf("%s of %d: %v", c.name, d, err)
			}
		}
	}
}

// splitImmediate is the signed immediate of adr and adrp.
func splitImmediate(word uint32) int64 {
	imm := uint64(word>>29)&3 | uint64(word>>5)&0x7ffff<<2
	return int64(imm<<43) >> 43
}

// arm64Jump is where the stub at offset at of mem jumps.
func arm64Jump(mem []byte, base, at uint64) uint64 {
	adrp, ldr := order.Uint32(mem[at:]), order.Uint32(mem[at+4:])
	imm := uint64(adrp>>29)&3 | uint64(adrp>>5)&0x7ffff<<2
	slot := (base+at)&^0xfff + uint64(int64(imm<<43)>>43)<<12 + uint64(ldr>>10)&0xfff*8
	return order.Uint64(mem[slot-base:])
}

// FuzzLoad damages an object: Load returns an error or an image, and never
// crashes. Nothing of the image runs.
func FuzzLoad(f *testing.F) {
	f.Add(compile(f, "sections.c"))
	f.Add(compile(f, "sections.c", "-O0", "-g", "-fcommon"))
	f.Add(compile(f, "sections.c", "--target=aarch64-linux-gnu"))
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := Parse(b)
		if err != nil {
			return
		}
		l, err := o.layOut(4096)
		if err != nil {
			return
		}
		mem := make([]byte, l.begin[parts])
		_ = l.link(mem, 0x7f0000000000, nil)
		_ = l.find("run")
	})
}

// TestDamage does what FuzzLoad does, with each byte of an object in turn.
func TestDamage(t *testing.T) {
	for _, target := range []string{"x86_64", "aarch64"} {
		whole := compile(t, "int x[4]; extern int y; int g(int); int f(int i) { return x[i] + g(i) + y; }", "--target="+target+"-linux-gnu")
		n := 0
		for at := range whole {
			for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff, whole[at] + 1} {
				b := bytes.Clone(whole)
				b[at] = v
				if o, err := Parse(b); err == nil {
					if l, err := o.layOut(4096); err == nil {
						n++
						_ = l.link(make([]byte, l.begin[parts]), 0x7f0000000000, nil)
					}
				}
			}
			if _, err := Parse(whole[:at]); err == nil {
				t.Errorf("%s: %d of %d bytes were parsed", target, at, len(whole))
			}
		}
		t.Logf("%s: %d of %d damaged objects could be linked", target, n, 6*len(whole))
	}
}

func BenchmarkLoad(b *testing.B) {
	object := compile(b, "sections.c")
	for b.Loop() {
		i, err := Load(object)
		if err != nil {
			b.Fatal(err)
		}
		if err := i.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
