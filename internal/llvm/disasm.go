package llvm

import (
	"encoding/binary"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/dl"
	"heddle/internal/errs"
)

// A Line is one instruction, disassembled. It is an alias so that users can
// take a disassembler as a plain function, without this package.
type Line = struct {
	Addr uint64
	Size int    // bytes
	Text string // the mnemonic, a space, the operands; "" for what is no instruction
}

// undecodable is what is skipped of what is no instruction: a word of AMDGPU.
const undecodable = 4

// maxText is more than the longest instruction's text.
const maxText = 512

// disasmAPI is the part of the C API that is bound at the first Disassemble.
type disasmAPI struct {
	create      func(triple, cpu, features string, info unsafe.Pointer, tag int32, opInfo, lookUp uintptr) ref
	instruction func(d ref, code unsafe.Pointer, n, pc uint64, text unsafe.Pointer, size uintptr) uintptr
	dispose     func(ref)
}

// bindDisasm initialises AMDGPU's disassembler; the other back ends' are not used.
func bindDisasm(lib uintptr) (*disasmAPI, error) {
	a := new(disasmAPI)
	var initialise func()
	for _, f := range []struct {
		name  string
		field any
	}{
		{"LLVMInitializeAMDGPUDisassembler", &initialise},
		{"LLVMCreateDisasmCPUFeatures", &a.create},
		{"LLVMDisasmInstruction", &a.instruction},
		{"LLVMDisasmDispose", &a.dispose},
	} {
		p, err := dl.Sym(lib, f.name)
		if err != nil {
			return nil, errs.F("no function %s", f.name)
		}
		purego.RegisterFunc(f.field, p)
	}
	initialise()
	return a, nil
}

// Disassemble decodes AMDGPU machine code from its first byte on; addr is where
// that byte is loaded. Immediates are written as llvm-objdump writes them,
// which for branches is the distance in words, unsigned and decimal. A word
// that is no instruction has the Text "".
//
// Features are LLVM's, "+wavefrontsize64,-wavefrontsize32" for one: without it
// the code of gfx10 and later is understood as of waves of 32. Code for
// processors before gfx8 is a *FatalError, as LLVM cannot disassemble it.
func (l *Library) Disassemble(triple, cpu, features string, code []byte, addr uint64) ([]Line, error) {
	if !slices.Contains(l.Targets, "AMDGPU") {
		return nil, errs.F("llvm: disassemble: %s is built without the AMDGPU back end", l.Path)
	}
	if !strings.HasPrefix(triple, "amdgcn") {
		return nil, errs.F("llvm: disassemble: %q is no triple of AMDGPU", triple)
	}
	api, err := l.disasm()
	if err != nil {
		return nil, errs.F("llvm: disassemble: %w", err)
	}
	var lines []Line
	err = guard(func() error {
		d := api.create(triple, cpu, features, nil, 0, 0, 0)
		if d == 0 {
			return errs.F("llvm: disassemble: no disassembler for %s, %s", triple, cpu)
		}
		defer api.dispose(d)
		text := make([]byte, maxText)
		for len(code) > 0 {
			line := api.next(d, code, addr, text)
			lines = append(lines, line)
			code, addr = code[line.Size:], addr+uint64(line.Size)
		}
		return nil
	})
	if err != nil {
		return nil, err // a fatal error may have left lines half made
	}
	return lines, nil
}

// next decodes one instruction; text is room for what LLVM writes.
func (a *disasmAPI) next(d ref, code []byte, addr uint64, text []byte) Line {
	if badSDWA(code) {
		return Line{Addr: addr, Size: undecodable}
	}
	n := int(a.instruction(d, unsafe.Pointer(&code[0]), uint64(len(code)), addr, unsafe.Pointer(&text[0]), uintptr(len(text))))
	if n <= 0 || n > len(code) {
		return Line{Addr: addr, Size: min(undecodable, len(code))}
	}
	s := goString(unsafe.Pointer(&text[0]))
	if i := strings.IndexAny(s, ";\n"); i >= 0 { // comments of the decoder
		s = s[:i]
	}
	return Line{Addr: addr, Size: n, Text: strings.ReplaceAll(strings.TrimSpace(s), "\t", " ")}
}

// badSDWA reports whether code begins with an instruction of the encodings VOP1,
// VOP2 or VOPC whose second word selects parts of operands by reserved numbers:
// LLVM decodes it, and crashes where it should print it.
// Source: AMD's ISA documents, the encoding SDWA.
func badSDWA(code []byte) bool {
	const wide, sdwa, vopc, reservedPart, reservedRest = 1 << 31, 0xf9, 0x3e, 7, 3
	if len(code) < 8 {
		return false
	}
	first, second := binary.LittleEndian.Uint32(code), binary.LittleEndian.Uint32(code[4:])
	if first&wide != 0 || first&0x1ff != sdwa {
		return false
	}
	// Comparisons have their destination where others say what part it is.
	badDst := first>>25 != vopc && (second>>8&7 == reservedPart || second>>11&3 == reservedRest)
	return badDst || second>>16&7 == reservedPart || second>>24&7 == reservedPart
}
