package amdemu

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"heddle/internal/link"
)

// A Line is one instruction of the disassembly. It is an alias so that a
// disassembler needs no type of this package.
type Line = struct {
	Addr uint64
	Size int    // bytes
	Text string // as llvm-objdump writes it; "" for what is no instruction
}

// A Disassembler decodes code that lies at addr, from its first byte to its
// last. Triple, cpu and features are LLVM's.
type Disassembler func(triple, cpu, features string, code []byte, addr uint64) ([]Line, error)

const (
	machineAMDGPU = 224
	osABIHSA      = 64
	eFlagsAt      = 48
	// EI_ABIVERSION of code object versions 4 and 6.
	abiV4, abiV6 = 2, 4

	page     = 4096
	maxAlign = 1 << 20
	maxImage = 1 << 30 // bytes of all segments, .bss included
	slack    = 64      // that can be read behind the image

	shtRelr = elf.SectionType(19)
)

var le = binary.LittleEndian

// A program is a loaded code object. Addresses are those of the host, at which
// the device sees its memory too.
type program struct {
	arch       string // "gfx90a"
	generation int    // 8 to 12: the number before the last two digits
	codeObject int    // version: 4, 5 or 6
	// xnack and sramecc are what the code demands of the device: "on", "off" or
	// "any", and "" where the processor has no such feature.
	xnack, sramecc string
	waveSize       int // of all kernels, 64 if there are none

	// Files are the source files by the names that the debug information has for
	// them; one that is not here keeps its name. Set it before the first launch.
	Files map[string]string
	// Wrapped says that a kernel's entry only calls the Go function: its own place in
	// the source says nothing.
	Wrapped bool

	image     []byte // the segments: keeps the memory alive that base is in
	base      uint64 // host address of virtual address 0; the first byte of image is at base+low
	low       uint64
	texts     []text
	functions []extent // sorted by address
	symbols   map[string]extent
	kernels   map[string]*kernelInfo

	lines lineTable
}

// A text is one executable segment and its disassembly.
type text struct {
	base  uint64
	size  int // bytes
	lines []Line
}

// An extent is what a symbol names.
type extent struct {
	name string
	addr uint64
	size int
}

// A kernelInfo is one kernel, ready to be launched.
type kernelInfo struct {
	link.Kernel            // the metadata
	descriptor  descriptor // what registers a wave starts with
	object      uint64     // address of the descriptor: the packet's kernel_object
	entry       uint64     // address of the first instruction
}

// load puts a code object of version 4 to 6 into memory, as ROCr's loader does:
// its segments, relocated, and its kernels. The code is disassembled whole.
// What is malformed is an error, as are undefined symbols, which it names. The
// bytes may not change later: debug information is read when it is needed.
func load(code []byte, disasm Disassembler) (*program, error) {
	p := &program{symbols: map[string]extent{}, kernels: map[string]*kernelInfo{}}
	if err := p.load(code, disasm); err != nil {
		return nil, fmt.Errorf("load code object: %w", err)
	}
	return p, nil
}

func (p *program) load(code []byte, disasm Disassembler) error {
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return err
	}
	info, err := link.Inspect(code)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return p.identify(f, info, le.Uint32(code[eFlagsAt:])) },
		func() error { return p.place(f) },
		func() error { return p.relocate(f) },
		func() error { return p.findFunctions(f) },
		func() error { return p.findKernels(info) },
		func() error { return p.disassemble(f, disasm) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	p.lines.elf = f
	return nil
}

// identify checks that the header is one of a code object, and reads the processor.
func (p *program) identify(f *elf.File, info *link.Info, flags uint32) error {
	switch {
	case f.Machine != machineAMDGPU || f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB:
		return fmt.Errorf("it is for %v, %v, not AMDGPU", f.Machine, f.Class)
	case f.Type != elf.ET_DYN:
		return fmt.Errorf("it is of type %v, and is to be linked first", f.Type)
	case f.OSABI != osABIHSA:
		return fmt.Errorf("it is for OS ABI %d, not AMD's HSA", f.OSABI)
	case f.ABIVersion < abiV4 || f.ABIVersion > abiV6:
		return fmt.Errorf("its ABI version is %d: only code objects of version 4 to 6 can be run", f.ABIVersion)
	}
	p.codeObject = int(f.ABIVersion) - abiV4 + 4
	p.arch = info.Arch
	p.generation = generation(p.arch)
	if p.generation == 0 {
		return fmt.Errorf("the processor of e_flags %#x is unknown", flags)
	}
	demands := [...]string{"", "any", "off", "on"}
	p.xnack, p.sramecc = demands[flags>>8&3], demands[flags>>10&3]
	return nil
}

// generation is the major number of a processor: 9 of "gfx90a" and of
// "gfx9-4-generic", 10 of "gfx1030"; 0 if there is none.
func generation(arch string) int {
	digits, ok := strings.CutPrefix(arch, "gfx")
	family, _, generic := strings.Cut(digits, "-")
	if !generic && ok {
		family = digits[:max(0, len(digits)-2)] // less minor number and stepping
	}
	n, err := strconv.Atoi(family)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// place copies the loadable segments into one block of memory.
func (p *program) place(f *elf.File) error {
	low, high, align := ^uint64(0), uint64(0), uint64(page)
	for _, s := range f.Progs {
		if s.Type != elf.PT_LOAD {
			continue
		}
		if s.Filesz > s.Memsz || s.Vaddr+s.Memsz < s.Vaddr || s.Align > maxAlign || s.Align&(s.Align-1) != 0 {
			return fmt.Errorf("segment at %#x: %d bytes in the file, %d in memory, alignment %d", s.Vaddr, s.Filesz, s.Memsz, s.Align)
		}
		low, high, align = min(low, s.Vaddr), max(high, s.Vaddr+s.Memsz), max(align, s.Align)
	}
	if low >= high {
		return errors.New("it has no loadable segments")
	}
	low &^= align - 1
	if high-low > maxImage {
		return fmt.Errorf("its segments span %d bytes: at most %d can be loaded", high-low, maxImage)
	}
	// Words hold no pointers, and the collector does not move them.
	words := make([]uint64, (high-low+slack+align)/8+1)
	first := -uint64(uintptr(unsafe.Pointer(&words[0]))) % align / 8
	p.image = unsafe.Slice((*byte)(unsafe.Pointer(&words[first])), high-low)
	p.low, p.base = low, uint64(uintptr(unsafe.Pointer(&words[first])))-low
	for _, s := range f.Progs {
		if s.Type != elf.PT_LOAD || s.Filesz == 0 {
			continue
		}
		if _, err := s.ReadAt(p.image[s.Vaddr-low:][:s.Filesz], 0); err != nil {
			return fmt.Errorf("segment at %#x, of %d bytes in the file: %w", s.Vaddr, s.Filesz, err)
		}
	}
	return nil
}

// at is n bytes of the image at a virtual address.
func (p *program) at(vaddr, n uint64) ([]byte, error) {
	if off, size := vaddr-p.low, uint64(len(p.image)); vaddr >= p.low && off <= size && n <= size-off {
		return p.image[off : off+n], nil
	}
	return nil, fmt.Errorf("%d bytes at %#x are outside the segments", n, vaddr)
}

// symbol finds an exported function or variable by name.
func (p *program) symbol(name string) (addr uint64, size int, ok bool) {
	s, ok := p.symbols[name]
	return s.addr, s.size, ok
}

// kernel finds a kernel by its function's name.
func (p *program) kernel(name string) (*kernelInfo, error) {
	if k := p.kernels[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("the code object has no kernel %s", name)
}

// findFunctions lists the functions, local ones included where there is a
// symbol table.
func (p *program) findFunctions(f *elf.File) error {
	all, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	exported, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	for _, s := range append(all, exported...) {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Section != elf.SHN_UNDEF {
			p.functions = append(p.functions, extent{s.Name, p.base + s.Value, int(min(s.Size, maxImage))})
		}
	}
	slices.SortStableFunc(p.functions, func(a, b extent) int {
		switch {
		case a.addr < b.addr:
			return -1
		case a.addr > b.addr:
			return 1
		}
		return 0
	})
	p.functions = slices.CompactFunc(p.functions, func(a, b extent) bool { return a.addr == b.addr })
	return nil
}

// findKernels reads the descriptors of the kernels that the metadata lists.
func (p *program) findKernels(info *link.Info) error {
	for _, m := range info.Kernels {
		addr, size, ok := p.symbol(m.Symbol)
		if !ok {
			return fmt.Errorf("kernel %s: there is no symbol %s", m.Name, m.Symbol)
		}
		raw, err := p.at(addr-p.base, descriptorSize)
		if err != nil || size != descriptorSize {
			return fmt.Errorf("kernel %s: its descriptor: %d bytes at %#x", m.Name, size, addr-p.base)
		}
		k := &kernelInfo{Kernel: m, object: addr}
		if k.descriptor, err = parseDescriptor(raw, p.arch); err != nil {
			return fmt.Errorf("kernel %s: its descriptor: %w", m.Name, err)
		}
		k.entry = addr + uint64(k.descriptor.entry)
		if err := checkKernarg(&m); err != nil {
			return fmt.Errorf("kernel %s: %w", m.Name, err)
		}
		if p.waveSize != 0 && p.waveSize != k.descriptor.waveSize {
			return fmt.Errorf("kernels %s and others differ in their wave sizes", m.Name)
		}
		p.waveSize = k.descriptor.waveSize
		p.kernels[m.Name] = k
	}
	if p.waveSize == 0 {
		p.waveSize = 64
	}
	return nil
}

// disassemble decodes the executable segments.
func (p *program) disassemble(f *elf.File, disasm Disassembler) error {
	features := ""
	if p.generation >= 10 {
		features = map[int]string{32: "+wavefrontsize32,-wavefrontsize64", 64: "-wavefrontsize32,+wavefrontsize64"}[p.waveSize]
	}
	for _, s := range f.Progs {
		if s.Type != elf.PT_LOAD || s.Flags&elf.PF_X == 0 || s.Filesz == 0 {
			continue
		}
		code, err := p.at(s.Vaddr, s.Filesz)
		if err != nil {
			return err
		}
		t := text{base: p.base + s.Vaddr, size: len(code)}
		for done := 0; done < t.size; {
			lines, err := disasm("amdgcn-amd-amdhsa", p.arch, features, code[done:], t.base+uint64(done))
			if err != nil {
				return err
			}
			lines = p.untilMidst(lines)
			if len(lines) == 0 {
				return fmt.Errorf("no disassembly at %#x", s.Vaddr+uint64(done))
			}
			last := lines[len(lines)-1]
			done = int(last.Addr + uint64(last.Size) - t.base)
			t.lines = append(t.lines, lines...)
		}
		p.texts = append(p.texts, t)
	}
	for name, k := range p.kernels {
		if !slices.ContainsFunc(p.texts, func(t text) bool { return k.entry-t.base < uint64(t.size) && k.entry%4 == 0 }) {
			return fmt.Errorf("kernel %s: its entry %#x is not in executable code", name, k.entry-p.base)
		}
	}
	return nil
}

// untilMidst cuts lines off where a function begins in the middle of one: what
// is there is padding that resembles a long instruction. The line is made to
// end at the function.
func (p *program) untilMidst(lines []Line) []Line {
	next := 0
	for i, line := range lines {
		for next < len(p.functions) && p.functions[next].addr <= line.Addr {
			next++
		}
		if next == len(p.functions) {
			break
		}
		if start := p.functions[next].addr; start < line.Addr+uint64(line.Size) {
			return append(lines[:i], Line{Addr: line.Addr, Size: int(start - line.Addr)})
		}
	}
	return lines
}
