package amdemu

import (
	"fmt"
	"unsafe"
)

// A Program is a code object, loaded and decoded. Its memory is a region of the
// Memory that it was loaded for until Close.
type Program struct {
	*program
	memory   *Memory
	sections []*code
}

// Load loads a code object whose kernels are run with this Memory.
func Load(object []byte, m *Memory, disasm Disassembler) (*Program, error) {
	inner, err := load(object, disasm)
	if err != nil {
		return nil, err
	}
	p := &Program{program: inner, memory: m}
	for _, t := range inner.texts {
		p.sections = append(p.sections, decodeAll(t.lines, t.base, t.size, inner.generation))
	}
	if err := m.Add(unsafe.Pointer(&inner.image[0]), len(inner.image), "the program's image", true); err != nil {
		return nil, err
	}
	return p, nil
}

// A Place is a place in the source.
type Place struct {
	File      string
	Line, Col int
}

// Atomics says where in the source atomic accesses are: what loads and stores there does so
// atomically. Files must be set.
func (p *Program) Atomics(places map[Place]bool) {
	if len(places) == 0 {
		return
	}
	for _, c := range p.sections {
		for _, in := range c.insts {
			if in == nil || in.class == classVALU || in.class == classSALU {
				continue
			}
			f := p.where(in.addr)[0]
			in.atomic = places[Place{f.file, f.line, f.column}]
		}
	}
}

// Close takes the program's memory from the Memory. No kernel of it may run.
func (p *Program) Close() error { return p.memory.Remove(unsafe.Pointer(&p.image[0])) }

// Arch is the processor that the code is for: "gfx942".
func (p *Program) Arch() string { return p.arch }

// Symbol finds a variable by its name: where it is in the host's memory, and its
// size in bytes.
func (p *Program) Symbol(name string) (unsafe.Pointer, int, bool) {
	addr, size, ok := p.symbol(name)
	off := addr - p.base - p.low
	if !ok || off+uint64(size) > uint64(len(p.image)) {
		return nil, 0, false
	}
	return unsafe.Pointer(&p.image[off]), size, true
}

// A Kernel is one that can be launched.
type Kernel struct {
	Name       string // for errors: at first the symbol's
	program    *Program
	info       *kernelInfo
	entry      uint64
	code       *code // the section of the entry
	waveSize   int
	maxThreads int
	lds        int // static, bytes
	// Own is how many bytes at the end of the static shared memory are no shared memory of
	// the program's: LLVM keeps variables of single threads there.
	Own     int
	scratch int // bytes a lane
	vgprs   int
	agprs   int
}

// dynamicStack is the scratch of a kernel whose need the compiler does not know,
// in bytes a lane: as ROCr's.
const dynamicStack = 16 << 10

// Kernel finds a kernel by its function's name.
func (p *Program) Kernel(name string) (*Kernel, error) {
	info, err := p.kernel(name)
	if err != nil {
		return nil, err
	}
	d := &info.descriptor
	k := &Kernel{
		Name: name, program: p, info: info, entry: info.entry, waveSize: d.waveSize,
		maxThreads: info.MaxThreads, lds: d.group, scratch: d.private, vgprs: d.vgprs, agprs: d.agprs,
	}
	if k.maxThreads == 0 {
		k.maxThreads = 1024
	}
	if d.dynamicStack {
		k.scratch += dynamicStack
	}
	for _, c := range p.sections {
		// Functions that are called may name more registers than the descriptor
		// of a kernel that was compiled before them.
		k.vgprs, k.agprs = max(k.vgprs, c.vgprs, 3), max(k.agprs, c.agprs)
		if c.at(k.entry) != nil {
			k.code = c
		}
	}
	if k.code == nil {
		return nil, fmt.Errorf("kernel %s: no instruction at its entry", name)
	}
	return k, nil
}

// WaveSize is how many lanes the kernel's waves have.
func (k *Kernel) WaveSize() int { return k.waveSize }

// position is where in the source an instruction comes from, "file.go:12:3", and
// the calls that it is inlined by; empty without debug information.
func (p *Program) position(pc uint64) (at string, inlined []string) {
	frames := p.where(pc)
	if n := len(frames); n > 1 && p.Wrapped {
		frames = frames[:n-1]
	}
	for i, f := range frames {
		text := ""
		if f.line != 0 {
			text = fmt.Sprintf("%s:%d:%d", f.file, f.line, f.column)
		}
		if i == 0 {
			at = text
		} else if text != "" {
			inlined = append(inlined, text)
		}
	}
	return at, inlined
}

// arguments makes the kernarg segment and the dispatch packet, and lets the
// kernel read them until release is called.
func (l *launch) arguments() (release func(), err error) {
	k := l.kernel
	d := dispatch{grid: l.Grid, block: l.Block, dynamicLDS: l.Shared}
	if l.kernarg, err = fillKernarg(k.info, l.Args, &d); err != nil {
		return nil, err
	}
	if l.packet, err = k.info.packet(&d, address(l.kernarg)); err != nil {
		return nil, err
	}
	var all []unsafe.Pointer
	release = func() {
		for _, p := range all {
			if err := l.Memory.Remove(p); err != nil {
				panic(err)
			}
		}
	}
	for _, r := range []struct {
		bytes []byte
		name  string
	}{{l.kernarg, "the kernel arguments"}, {l.packet, "the dispatch packet"}} {
		if len(r.bytes) == 0 {
			continue
		}
		p := unsafe.Pointer(&r.bytes[0])
		if err := l.Memory.Add(p, len(r.bytes), r.name, true); err != nil {
			release()
			return nil, err
		}
		all = append(all, p)
	}
	return release, nil
}
