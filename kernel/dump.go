package kernel

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/logs"
	"heddle/internal/target"
	"heddle/ssa2ir"
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

// Stages lists them.
var Stages = []Stage{SSA, IR, Scalar, Vector, Optimised, Asm, Res}

// EnvDump names the environment variable that dumps kernels as they are
// compiled: HEDDLE_DUMP=Saxpy:ssa,asm. The name is a substring of the kernel's,
// "" for all; the output goes to standard error.
const EnvDump = env.Dump

// EnvLog names the environment variable that logs what heddle does:
// HEDDLE_LOG=compile,leaks. Package launch/slog says where it logs to.
const EnvLog = env.Log

// Dump writes one stage of the kernel, compiled for an architecture such as
// gfx942 or sm_90 and a warp size (0 for its default). It needs no device.
func (k *Kernel) Dump(w io.Writer, arch string, warpSize int, stage Stage) error {
	return k.withProgram(arch, warpSize, 0, func(u *unit, m *target.Machine) error {
		req, res, err := u.request(m, k.opts)
		if err != nil {
			return err
		}
		return u.dump(w, m, req, res, stage)
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
	var obj *abi.Object
	err := k.withProgram(arch, warpSize, 0, func(u *unit, m *target.Machine) (err error) {
		obj, err = u.compile(m, k.opts)
		return err
	})
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

func (u *unit) dump(w io.Writer, m *target.Machine, req *codegen.Request, res *ssa2ir.Result, stage Stage) error {
	var text string
	var err error
	switch stage {
	case SSA:
		var b bytes.Buffer
		u.prog.WriteSSA(&b)
		text = b.String()
	case IR:
		text = string(res.IR)
	case Scalar:
		text, err = codegen.ScalarIR(req)
	case Vector:
		text, err = codegen.VectorIR(req)
	case Optimised:
		text, err = codegen.OptimisedIR(req)
	case Asm:
		text, err = codegen.Assembly(req)
		text = withoutDebugSections(text)
	case Res:
		var obj *abi.Object
		if obj, _, err = codegen.Build(req); err == nil {
			text = resources(u.src.Name, m, obj)
		}
	default:
		return errs.F("kernel: unknown stage %q: want one of %v", stage, Stages)
	}
	if err != nil {
		return errs.F("kernel %s: %s for %s: %w", u.src.Name, stage, m.CPU, err)
	}
	_, err = io.WriteString(w, text)
	return err
}

// withoutDebugSections drops the data of debug sections, ten times the code,
// from an assembly listing; the .loc lines among the code stay.
func withoutDebugSections(asm string) string {
	var b bytes.Buffer
	skip := false
	for line := range strings.Lines(asm) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch word {
		case ".section":
			skip = strings.HasPrefix(strings.Trim(rest, `"`), ".debug_")
		case ".text", ".amdgpu_metadata":
			skip = false
		}
		if !skip {
			b.WriteString(line)
		}
	}
	return b.String()
}

func resources(name string, m *target.Machine, obj *abi.Object) string {
	r := obj.Res
	if obj.Kind == abi.Native {
		return fmt.Sprintf("%s %s warp %d: %d bytes shared, %d bytes scratch a lane, %d bytes of code\n",
			name, m.CPU, m.WarpSize, r.LDS, r.Scratch, r.CodeBytes)
	}
	if obj.Kind == abi.PTX {
		return fmt.Sprintf("%s %s warp %d: %d bytes of PTX; the driver assigns registers when it loads them\n", name, m.CPU, m.WarpSize, len(obj.Code))
	}
	return fmt.Sprintf("%s %s warp %d: %d SGPR (%d spilled), %d VGPR (%d spilled), %d AGPR, %d bytes shared, %d bytes scratch a lane, %d bytes of arguments, %d bytes of code\n",
		name, m.CPU, m.WarpSize, r.SGPR, r.SGPRSpill, r.VGPR, r.VGPRSpill, r.AGPR, r.LDS, r.Scratch, r.KernArg, r.CodeBytes)
}

// dumpRequest is what HEDDLE_DUMP asks for.
var dumpRequest = lazy.Value[func(name string) []Stage]{Make: func() func(name string) []Stage {
	v, ok := env.Lookup(EnvDump)
	want, list, _ := strings.Cut(v, ":")
	return func(name string) []Stage {
		if !ok || !strings.Contains(name, want) {
			return nil
		}
		if list == "" {
			return []Stage{SSA, IR, Asm}
		}
		var stages []Stage
		for s := range strings.SplitSeq(list, ",") {
			stages = append(stages, Stage(s))
		}
		return stages
	}
}}

// dumpAll writes the stages that HEDDLE_DUMP asks for.
func (u *unit) dumpAll(m *target.Machine, req *codegen.Request, res *ssa2ir.Result) error {
	for _, s := range dumpRequest.Get()(u.src.Name) {
		fmt.Fprintf(os.Stderr, "==== %s %s %s\n", u.src.Name, m.CPU, s)
		if err := u.dump(os.Stderr, m, req, res, s); err != nil {
			return err
		}
	}
	return nil
}

var logged = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	topics := map[string]bool{}
	for t := range strings.SplitSeq(env.Get(EnvLog), ",") {
		topics[t] = true
	}
	return topics
}}

func logCompile(u *unit, m *target.Machine, from string, lower, build time.Duration, obj *abi.Object) {
	if logged.Get()["compile"] {
		logs.Info("compiled", "kernel", u.src.Name, "arch", m.CPU, "warp", m.WarpSize, "from", from, "source", u.took,
			"lower", lower, "build", build, "bytes", len(obj.Code))
	}
}
