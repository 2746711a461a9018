package codegen

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/link"
	"heddle/internal/llvm"
)

// This file makes code objects for AMD's GPUs.

var amdBackend = backend{
	normal: (*Request).checkVersion, comgr: true, memmove: true,
	emit: func(r *Request) ([]byte, error) {
		code, err := r.generate(llvm.Object)
		if err != nil {
			return nil, err
		}
		return link.Link(code)
	},
	check:   (*Request).checkCodeObject,
	compile: (*Request).compileAMD,
	early:   (*Request).fuse,
	short:   true,
	flat:    &flatAMD,
	features: func(r *Request, lib *llvm.Library) (string, error) {
		features := withFeature(r.Features, withoutDot4)
		if lib.Major >= 20 { // others do not know it
			features = withFeature(features, withoutBitop3)
		}
		return features, lib.CodeObject(r.CodeObject)
	},
	effort: (*Request).amdEffort,
	flags: func(r *Request, m *llvm.Module, major int) {
		m.SetFlag(codeObjectFlags[b2i(major < 19)], 100*r.CodeObject)
	},
	prepare:  prepareAMD,
	pipeline: (*Request).amdPipeline,
	fix:      (*Request).fixAMD,
	mathLib: func() string {
		if file := firstFile(ocmlDirs(), "ocml.bc"); file != "" {
			return filepath.Dir(file)
		}
		return ""
	},
	mathDirs: ocmlDirs,
	libraries: []library{
		{"__ocml_", "ocml.bc"},
		{"__ockl_", "ockl.bc"},
	},
	configure: (*Request).linkControls,
	version:   noVersion,
}

func init() { backends[abi.HSACO] = &amdBackend } // its functions refer to backends

// checkVersion completes and checks the code object version.
func (r *Request) checkVersion() error {
	if r.CodeObject == 0 {
		r.CodeObject = defaultCodeObject
	}
	if r.CodeObject < 4 || r.CodeObject > 6 {
		return errs.F("codegen: code object version %d: want 4, 5 or 6", r.CodeObject)
	}
	return nil
}

// withoutDot4 keeps LLVM from making sums of four products of bytes, as in
//
//	uint32(a)*uint32(b) + uint32(c)*uint32(d)>>3
//
// where it takes any operation with a product, such as the shift here, for one more
// addition, takes bytes from wrong places, or loses the upper half of a sum of 64 bits
// (llvm-project's pull requests 198412, in 23, 115224, in 20, and 216015).
const withoutDot4 = "-dot7-insts"

// withoutBitop3 keeps LLVM from making one operation of three operands, v_bitop3_b32 of gfx950,
// of several bitwise ones: releases to 22 get the table of its results wrong where an operation
// has an operand that is made of the others, as (a|b ^ a) & (a|b) has (AMDGPUISelDAGToDAG.cpp,
// BitOp3_Op; LLVM's pull requests 198373, 198419 and 198556).
const withoutBitop3 = "-bitop3-insts"

// codeObjectFlags are the module flags for the code object version: LLVM 19
// renamed it.
var codeObjectFlags = []string{"amdhsa_code_object_version", "amdgpu_code_object_version"}

// prepareAMD sets registers apart.
func prepareAMD(r *Request, m *llvm.Module) {
	for f := range m.Functions() {
		if f.IsDeclaration() {
			continue
		}
		// Scalars are spilled to lanes of vector registers. LLVM 19 allocates those
		// with all others and may copy one where a block restores EXEC, before it
		// does: what it spills or copies of the others after that, it puts there too,
		// for no lane or some (isBasicBlockPrologue; likewise at O0, where it reloads
		// registers that those displaced). Set apart, they are not copied.
		f.SetAttribute("amdgpu-prealloc-sgpr-spill-vgprs", "")
		if r.Waves > 0 {
			f.SetAttribute("amdgpu-waves-per-eu", strconv.Itoa(r.Waves))
		}
	}
}

// amdPipeline is the passes for a release of LLVM. Functions are inlined first, so that what the
// entry knows of its parameters is known where they are used. At O0 functions that nothing calls are left out at the end: LLVM generates no code for
// them, and crashes as it asks for the registers that this uses.
func (r *Request) amdPipeline(int) string {
	if r.level() == 0 {
		return r.Passes + ",globaldce"
	}
	if !strings.HasPrefix(r.Passes, "default<") {
		return r.Passes
	}
	return "always-inline," + r.Passes + ",function(" + seenTwice + ")"
}

// amdEffort is the level. O0 generates AMD's code as O1 does: the register allocator for O0 loses
// values (releases 16 and 17; a 64-bit division by way of a function is enough), or LLVM crashes
// if it spills more scalars than the lanes of all vector registers hold (19 and 22, as each
// scalar has its own lane there, and the registers are set apart: see prepareAMD).
func (r *Request) amdEffort(int) int { return max(r.level(), 1) }

// checkCodeObject checks what came out, and notes the kernel's resources.
func (r *Request) checkCodeObject(obj *abi.Object) error {
	info, err := link.Inspect(obj.Code)
	if err != nil {
		return err
	}
	if info.Arch != "" && info.Arch != r.CPU {
		return errs.F("the processor is not known to this LLVM: it generated code for %s", info.Arch)
	}
	if info.CodeObject != r.CodeObject {
		return errs.F("this LLVM makes code object version %d, not %d as asked", info.CodeObject, r.CodeObject)
	}
	k := info.Kernel(r.Kernel)
	if k == nil {
		return errs.F("LLVM dropped the kernel: does the processor have features %q?", r.Features)
	}
	if r.WarpSize != 0 && k.WarpSize != r.WarpSize {
		return errs.F("compiled for warps of %d, not %d: the features are %q", k.WarpSize, r.WarpSize, r.Features)
	}
	obj.WarpSize = k.WarpSize
	obj.Res = abi.Resources{
		SGPR: k.SGPR, VGPR: k.VGPR, AGPR: k.AGPR, SGPRSpill: k.SGPRSpill, VGPRSpill: k.VGPRSpill,
		LDS: k.LDS, Scratch: k.Scratch, MaxThreads: k.MaxThreads, KernArg: k.KernArg, CodeBytes: k.CodeBytes,
	}
	return nil
}

// ocmlDirs are patterns of where AMD's device libraries may lie, best first.
func ocmlDirs() []string {
	var dirs []string
	if dir := env.Get(EnvDeviceLibs); dir != "" {
		dirs = append(dirs, literally(dir))
	}
	if root := env.Path("ROCM_PATH"); root != "" {
		dirs = append(dirs, literally(filepath.Join(root, "amdgcn/bitcode")))
	}
	return append(dirs,
		"/opt/rocm/amdgcn/bitcode", "/opt/rocm*/amdgcn/bitcode", "/opt/rocm*/lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
		"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode", "/usr/lib*/amdgcn/bitcode", "/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode", "/usr/lib/clang/*/amdgcn/bitcode",
		"/usr/lib/clang/*/lib/amdgcn/bitcode")
}

// controls is IR that sets the code object version, and defines the variables
// by which AMD's libraries are configured. The packages bring a bitcode file per value; defined here, they
// serve processors newer than the package.
func (r *Request) controls() (string, error) {
	isa, err := isaVersion(r.CPU)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "target triple = \"%s\"\n", r.Triple)
	define := func(name, typ string, value int) {
		fmt.Fprintf(&b, "@__oclc_%s = linkonce_odr hidden addrspace(4) constant %s %d\n", name, typ, value)
	}
	define("ISA_version", "i32", isa)
	define("ABI_version", "i32", 100*r.CodeObject)
	define("finite_only_opt", "i8", 0)
	define("unsafe_math_opt", "i8", b2i(r.FastMath))
	define("daz_opt", "i8", 0)
	define("correctly_rounded_sqrt32", "i8", b2i(!r.FastMath))
	define("wavefrontsize64", "i8", b2i(r.WarpSize == 64))
	const override = 4
	b.WriteString("!llvm.module.flags = !{!0, !1}\n")
	for i, flag := range codeObjectFlags {
		fmt.Fprintf(&b, "!%d = !{i32 %d, !\"%s\", i32 %d}\n", i, override, flag, 100*r.CodeObject)
	}
	return b.String(), nil
}

// linkControls links the controls, after the libraries: what nobody refers to
// yet would be left out.
func (r *Request) linkControls(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) error {
	text, err := r.controls()
	if err != nil {
		return err
	}
	controls, err := c.ParseIR("controls.ll", []byte(text))
	if err != nil {
		return err
	}
	controls.SetTarget(tm)
	return m.Link(controls)
}

// isaVersion is a processor's number as the libraries compare it: gfx90a is
// 9*1000 + 0*100 + 0xa.
func isaVersion(cpu string) (int, error) {
	digits := strings.TrimPrefix(cpu, "gfx")
	if generic, ok := strings.CutSuffix(digits, "-generic"); ok { // gfx10-3-generic is as gfx1030
		major, minor, _ := strings.Cut(generic, "-")
		a, err := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		if err == nil {
			return 1000*a + 100*b, nil
		}
	}
	if len(digits) >= 3 {
		n := len(digits)
		major, err1 := strconv.Atoi(digits[:n-2])
		minor, err2 := strconv.ParseUint(digits[n-2:n-1], 16, 8)
		step, err3 := strconv.ParseUint(digits[n-1:], 16, 8)
		if errs.Join(err1, err2, err3) == nil {
			return 1000*major + 100*int(minor) + int(step), nil
		}
	}
	return 0, errs.F("processor %q has no version number", cpu)
}
