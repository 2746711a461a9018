package kernel

import (
	"io"

	"heddle/internal/program"
	"heddle/internal/target"
)

// A Stage is a form that a kernel takes on its way to the device.
type Stage string

// The stages, in order.
const (
	SSA       Stage = "ssa"    // go/ssa's instructions
	IR        Stage = "ir"     // LLVM IR as heddle makes it
	Scalar    Stage = "scalar" // on a cpu: LLVM IR of one thread, simplified
	Vector    Stage = "vector" // on a cpu: LLVM IR of a warp
	Optimised Stage = "opt"    // LLVM IR after optimisation
	Asm       Stage = "asm"    // the processor's instructions, or PTX
	Res       Stage = "res"    // registers, shared memory, scratch
)

// EnvDump names the environment variable that dumps kernels as they are
// compiled: HEDDLE_DUMP=Saxpy:ssa,asm. The name is a substring of the kernel's,
// "" for all; the output goes to standard error.
const EnvDump = "HEDDLE_DUMP"

// EnvLog names the environment variable that logs what heddle does:
// HEDDLE_LOG=compile,launch,cache,leaks. Package launch/slog says where it logs to.
const EnvLog = "HEDDLE_LOG"

// Dump writes one stage of the kernel, compiled for an architecture such as
// gfx942 or sm_90 and a warp size (0 for its default). It needs no device.
func (k *Kernel) Dump(w io.Writer, arch string, warpSize int, stage Stage) error {
	return k.with(arch, warpSize, 0, func(p *sharedProgram, m *target.Machine) error {
		return p.Dump(w, m, program.Options(k.opts), string(stage))
	})
}

// An Object is a kernel compiled for an architecture.
type Object struct {
	Kind     string // "hsaco" (an AMDGPU ELF code object), "ptx" or "native" (an ELF object of the host)
	Arch     string // "gfx942", "sm_90", "x86-64-v3"
	WarpSize int
	Symbol   string // the entry's name in Code
	Code     []byte
	Resources
}

// Resources are a compiled kernel's static needs. Registers and spills are
// known for AMDGPU; for PTX the driver decides them when it loads the code.
type Resources struct {
	SGPR, VGPR, AGPR     int // registers: scalar of a wave, vector and accumulation of a lane
	SGPRSpill, VGPRSpill int
	SharedMemory         int // static, bytes a block
	Scratch              int // private memory, bytes a lane
	KernelArguments      int // bytes
	CodeBytes            int
}

// Object compiles the kernel for an architecture, without a device.
func (k *Kernel) Object(arch string, warpSize int) (*Object, error) {
	obj, err := k.withCode(arch, warpSize, 0)
	if err != nil {
		return nil, err
	}
	r := obj.Res
	return &Object{obj.Kind.String(), obj.Arch, obj.WarpSize, obj.Kernel, obj.Code,
		Resources{r.SGPR, r.VGPR, r.AGPR, r.SGPRSpill, r.VGPRSpill, obj.Shared, r.Scratch, r.KernArg, r.CodeBytes}}, nil
}

// Check reports everything that keeps the kernel from running on a device,
// without compiling it for one. The error lists file:line:col: message (hint),
// one a line.
func (k *Kernel) Check() error {
	_, err := k.find(false)
	return err
}
