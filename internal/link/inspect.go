package link

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"heddle/internal/elf64"
	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// Info is what a code object says of itself.
type Info struct {
	// Arch is the processor the code was generated for, from the ELF header:
	// "gfx90a", or "none". It is "" for a number this package does not know.
	Arch string
	// Target is the target ID of the metadata, "amdgcn-amd-amdhsa--gfx90a:xnack-".
	Target string
	// CodeObject is the code object version, 3 to 6.
	CodeObject int
	Kernels    []Kernel
	// Descriptors are the kernel descriptor symbols ("<kernel>.kd"), sorted:
	// a kernel without one cannot be launched.
	Descriptors []string
	// Undefined are the symbols a relocatable object lacks, sorted.
	Undefined []string
}

// A Kernel is one kernel's metadata. Sizes are in bytes.
type Kernel struct {
	Name             string // of the function
	Symbol           string // of the descriptor: Name + ".kd"
	KernArg          int    // explicit and hidden arguments
	KernArgAlign     int
	SGPR, VGPR, AGPR int // registers of a wave, and of a lane
	SGPRSpill        int
	VGPRSpill        int
	LDS              int // static, a block
	Scratch          int // a lane
	MaxThreads       int // a block
	WarpSize         int
	DynamicStack     bool // Scratch is only a lower bound
	CodeBytes        int  // of the function's machine code
	Args             []Arg
}

// An Arg is one kernel argument, explicit or hidden.
type Arg struct {
	Name         string
	Kind         string // "by_value", "global_buffer", "hidden_block_count_x"
	Offset, Size int
	AddressSpace string // "global", "generic"; "" for a value
}

// archs are the values of EF_AMDGPU_MACH in e_flags.
var archs = lazy.Value[map[uint32]string]{Make: func() map[uint32]string {
	return map[uint32]string{
		0: "none", 0x20: "gfx600", 0x21: "gfx601", 0x22: "gfx700", 0x23: "gfx701", 0x24: "gfx702", 0x25: "gfx703", 0x26: "gfx704",
		0x28: "gfx801", 0x29: "gfx802", 0x2a: "gfx803", 0x2b: "gfx810", 0x2c: "gfx900", 0x2d: "gfx902", 0x2e: "gfx904", 0x2f: "gfx906",
		0x30: "gfx908", 0x31: "gfx909", 0x32: "gfx90c", 0x33: "gfx1010", 0x34: "gfx1011", 0x35: "gfx1012", 0x36: "gfx1030", 0x37: "gfx1031",
		0x38: "gfx1032", 0x39: "gfx1033", 0x3a: "gfx602", 0x3b: "gfx705", 0x3c: "gfx805", 0x3d: "gfx1035", 0x3e: "gfx1034", 0x3f: "gfx90a",
		0x40: "gfx940", 0x41: "gfx1100", 0x42: "gfx1013", 0x43: "gfx1150", 0x44: "gfx1103", 0x45: "gfx1036", 0x46: "gfx1101", 0x47: "gfx1102",
		0x48: "gfx1200", 0x49: "gfx1250", 0x4a: "gfx1151", 0x4b: "gfx941", 0x4c: "gfx942", 0x4e: "gfx1201", 0x4f: "gfx950",
		0x50: "gfx1310", 0x51: "gfx9-generic", 0x52: "gfx10-1-generic", 0x53: "gfx10-3-generic", 0x54: "gfx11-generic", 0x55: "gfx1152",
		0x58: "gfx1153", 0x59: "gfx12-generic", 0x5a: "gfx1251", 0x5f: "gfx9-4-generic",
	}
}}

const (
	machMask         = 0xff
	noteAMDGPU       = 32 // NT_AMDGPU_METADATA
	firstABIVersion  = 1  // EI_ABIVERSION of code object version 3
	firstCodeObject  = 3
	descriptorSuffix = ".kd"
)

// Inspect reads the header, metadata and symbols of a code object, or of the
// relocatable object it is made of. Code objects older than version 3 have no
// such metadata and are an error, as is whatever is malformed.
func Inspect(code []byte) (*Info, error) {
	info, err := inspect(code)
	if err != nil {
		return nil, errs.F("inspect code object: %w", err)
	}
	return info, nil
}

func inspect(code []byte) (*Info, error) {
	f, err := elf64.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, err
	}
	if f.Machine != machineAMDGPU || f.Class != elf64.ELFCLASS64 || f.Data != elf64.ELFDATA2LSB {
		return nil, errs.F("it is for machine %d of class %d, not AMDGPU", f.Machine, f.Class)
	}
	if f.ABIVersion < firstABIVersion {
		return nil, errors.New("its version is older than 3")
	}
	info := &Info{
		Arch:       archs.Get()[le.Uint32(code[eFlagsAt:])&machMask],
		CodeObject: int(f.ABIVersion) - firstABIVersion + firstCodeObject,
	}
	if err := info.readNotes(f); err != nil {
		return nil, err
	}
	symbols, err := f.Symbols()
	if err != nil && !errors.Is(err, elf64.ErrNoSymbols) {
		return nil, err
	}
	sizes := map[string]int{}
	for _, s := range symbols {
		switch {
		case s.Section == elf64.SHN_UNDEF && s.Name != "":
			info.Undefined = append(info.Undefined, s.Name)
		case elf64.ST_TYPE(s.Info) == elf64.STT_OBJECT && strings.HasSuffix(s.Name, descriptorSuffix):
			info.Descriptors = append(info.Descriptors, s.Name)
		case elf64.ST_TYPE(s.Info) == elf64.STT_FUNC:
			sizes[s.Name] = int(s.Size)
		}
	}
	slices.Sort(info.Descriptors)
	slices.Sort(info.Undefined)
	for i := range info.Kernels {
		k := &info.Kernels[i]
		k.CodeBytes = sizes[k.Name]
	}
	return info, nil
}

// Kernel finds a kernel by its function's name; nil if there is none, or if
// it has no descriptor.
func (info *Info) Kernel(name string) *Kernel {
	for i := range info.Kernels {
		if k := &info.Kernels[i]; k.Name == name && slices.Contains(info.Descriptors, k.Symbol) {
			return k
		}
	}
	return nil
}

func (info *Info) readNotes(f *elf64.File) error {
	for _, s := range f.Sections {
		if s.Type != elf64.SHT_NOTE {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return err
		}
		for len(data) >= 12 {
			nameSize, descSize, typ := uint64(le.Uint32(data)), uint64(le.Uint32(data[4:])), le.Uint32(data[8:])
			descAt := 12 + alignUp(nameSize, 4)
			end := descAt + alignUp(descSize, 4)
			if descAt+descSize > uint64(len(data)) {
				return errs.F("section %s: note reaches beyond it", s.Name)
			}
			name := strings.TrimRight(string(data[12:12+nameSize]), "\x00")
			if typ == noteAMDGPU && name == "AMDGPU" {
				if err := info.readMetadata(data[descAt : descAt+descSize]); err != nil {
					return err
				}
			}
			data = data[min(end, uint64(len(data))):]
		}
	}
	return nil
}

// fields reads values out of a decoded map, and treats a missing or mistyped
// one as zero: the metadata's optional fields are defined so.
type fields map[string]any

//go:noinline
func (m fields) int(key string) int {
	switch v := m[key].(type) {
	case uint64:
		return int(v)
	case int64:
		return int(v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

//go:noinline
func (m fields) text(key string) string {
	s, _ := m[key].(string)
	return s
}

func (m fields) list(key string) []any {
	l, _ := m[key].([]any)
	return l
}

func (info *Info) readMetadata(desc []byte) error {
	v, err := (&msgpack{desc}).value(0)
	if err != nil {
		return errs.F("metadata: %w", err)
	}
	root, ok := v.(map[string]any)
	if !ok {
		return errs.F("metadata: %T, not a map", v)
	}
	info.Target = fields(root).text("amdhsa.target")
	for _, v := range fields(root).list("amdhsa.kernels") {
		m, ok := v.(map[string]any)
		if !ok {
			return errs.F("metadata: kernel: %T, not a map", v)
		}
		info.Kernels = append(info.Kernels, readKernel(m))
	}
	return nil
}

func readKernel(m fields) Kernel {
	k := Kernel{
		Name:         m.text(".name"),
		Symbol:       m.text(".symbol"),
		KernArg:      m.int(".kernarg_segment_size"),
		KernArgAlign: m.int(".kernarg_segment_align"),
		SGPR:         m.int(".sgpr_count"),
		VGPR:         m.int(".vgpr_count"),
		AGPR:         m.int(".agpr_count"),
		SGPRSpill:    m.int(".sgpr_spill_count"),
		VGPRSpill:    m.int(".vgpr_spill_count"),
		LDS:          m.int(".group_segment_fixed_size"),
		Scratch:      m.int(".private_segment_fixed_size"),
		MaxThreads:   m.int(".max_flat_workgroup_size"),
		WarpSize:     m.int(".wavefront_size"),
		DynamicStack: m.int(".uses_dynamic_stack") != 0,
	}
	for _, v := range m.list(".args") {
		a, ok := v.(map[string]any)
		if !ok {
			continue
		}
		arg := fields(a)
		k.Args = append(k.Args, Arg{
			Name:         arg.text(".name"),
			Kind:         arg.text(".value_kind"),
			Offset:       arg.int(".offset"),
			Size:         arg.int(".size"),
			AddressSpace: arg.text(".address_space"),
		})
	}
	return k
}
