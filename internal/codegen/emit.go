package codegen

import (
	"errors"
	"slices"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/link"
	"heddle/internal/llvm"
)

// Emit compiles a module, without the disk cache. The object's Kind, Arch,
// WarpSize, Kernel, Code and Res are filled; the rest is the caller's.
func Emit(r *Request) (*abi.Object, error) {
	r, err := r.normal()
	if err != nil {
		return nil, err
	}
	var code []byte
	switch r.Kind {
	case abi.PTX:
		code, err = r.compile(llvm.Assembly, nil)
	case abi.Native:
		code, err = r.native(llvm.Object, nil)
	default:
		if code, err = r.generate(llvm.Object); err == nil {
			code, err = link.Link(code)
		}
	}
	if err != nil {
		return nil, r.fail(err)
	}
	obj := &abi.Object{Kind: r.Kind, Arch: r.CPU, WarpSize: r.WarpSize, Kernel: r.Kernel, Code: code}
	switch r.Kind {
	case abi.PTX:
		err = r.checkPTX(string(code))
	case abi.Native:
		err = r.checkNative(obj)
	default:
		err = r.checkCodeObject(obj)
	}
	if err != nil {
		return nil, r.fail(err)
	}
	return obj, nil
}

// Assembly is the machine code a request compiles to, as text: the processor's
// instructions, or PTX.
func Assembly(r *Request) (string, error) {
	r, err := r.normal()
	if err != nil {
		return "", err
	}
	text, err := r.generate(llvm.Assembly)
	if err != nil {
		return "", r.fail(err)
	}
	return string(text), nil
}

// OptimisedIR is the module after the pass pipeline, which libLLVM runs
// whatever the Backend.
func OptimisedIR(r *Request) (string, error) {
	r, err := r.normal()
	if err != nil {
		return "", err
	}
	var text string
	if _, err := r.compile(llvm.Object, &text); err != nil {
		return "", r.fail(err)
	}
	return text, nil
}

// compile runs the whole pipeline in libLLVM. With ir it stores the optimised
// module's text there and generates no code.
func (r *Request) compile(kind llvm.FileType, ir *string) (code []byte, err error) {
	if r.Kind == abi.Native {
		return r.native(kind, ir)
	}
	lib, err := llvm.Open()
	if err != nil {
		return nil, err
	}
	if err := supports(r.Triple, r.CPU, lib.Major); err != nil {
		return nil, err
	}
	features := r.Features
	if r.Kind == abi.HSACO {
		features = withFeature(features, withoutDot4)
	}
	if r.Kind == abi.PTX {
		features = withPTXVersion(r.CPU, features)
		if err := checkPTXVersion(features, lib.Major); err != nil {
			return nil, err
		}
	} else if err := lib.CodeObject(r.CodeObject); err != nil {
		return nil, err
	}
	err = lib.Do(func(c *llvm.Context) error {
		m, err := c.ParseIR(r.Kernel+".ll", r.IR)
		if err != nil {
			return err
		}
		tm, err := lib.NewTargetMachine(llvm.Target{Triple: r.Triple, CPU: r.CPU, Features: features, Level: r.effort(lib.Major)})
		if err != nil {
			return err
		}
		defer tm.Close()
		m.SetTarget(tm)
		if err := r.prepare(c, m, tm, lib.Major); err != nil {
			return err
		}
		if err := m.RunPasses(r.pipeline(lib.Major), tm); err != nil {
			return err
		}
		if err := r.expandMemmove(c, m, tm, lib.Major); err != nil {
			return err
		}
		if ir != nil {
			*ir = m.String()
			return nil
		}
		switch {
		case r.Kind == abi.PTX:
			m, err = r.fixNVPTX(c, m, tm)
		case r.Kind == abi.HSACO && !leaveDivisions:
			m, err = r.fixAMD(c, m, tm, lib.Major)
		}
		if err != nil {
			return err
		}
		if code, err = m.Emit(tm, kind); r.Kind == abi.PTX {
			code = fixPTX(code)
		}
		return err
	})
	return code, err
}

// withoutDot4 keeps LLVM from making sums of four products of bytes, as in
//
//	uint32(a)*uint32(b) + uint32(c)*uint32(d)>>3
//
// where it takes any operation with a product, such as the shift here, for one more
// addition, takes bytes from wrong places, or loses the upper half of a sum of 64 bits
// (llvm-project's pull requests 198412, in 23, 115224, in 20, and 216015).
const withoutDot4 = "-dot7-insts"

// withFeature is a list of features with one more.
func withFeature(features, more string) string {
	if features == "" {
		return more
	}
	return features + "," + more
}

// codeObjectFlags are the module flags for the code object version: LLVM 19
// renamed it.
var codeObjectFlags = []string{"amdhsa_code_object_version", "amdgpu_code_object_version"}

// prepare completes the parsed module: flags, libraries, linkage. It verifies it.
func (r *Request) prepare(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, major int) error {
	if err := m.Verify(); err != nil { // before anything else looks at it
		return err
	}
	if err := r.checkKernel(m); err != nil {
		return err
	}
	if r.Kind == abi.HSACO {
		m.SetFlag(codeObjectFlags[b2i(major < 19)], 100*r.CodeObject)
	}
	if err := r.linkMath(c, m, tm); err != nil {
		return err
	}
	for f := range m.Functions() {
		if !f.IsDeclaration() && !f.IsKernel() && f.Linkage() == llvm.External {
			f.SetLinkage(llvm.Internal) // nobody else can call it
		}
		if r.Kind == abi.HSACO && !f.IsDeclaration() {
			// Scalars are spilled to lanes of vector registers. LLVM 19 allocates those
			// with all others and may copy one where a block restores EXEC, before it
			// does: what it spills or copies of the others after that, it puts there too,
			// for no lane or some (isBasicBlockPrologue; likewise at O0, where it reloads
			// registers that those displaced). Set apart, they are not copied.
			f.SetAttribute("amdgpu-prealloc-sgpr-spill-vgprs", "")
		}
		if r.FastMath && r.Kind == abi.PTX && !f.IsDeclaration() {
			for key, value := range fastPTX.Get() {
				f.SetAttribute(key, value)
			}
		}
	}
	return m.Verify()
}

// fastPTX are nvcc's -prec-div=false, -prec-sqrt=false and -ftz=true. Functions
// of the math library get them too: only functions that agree are inlined.
var fastPTX = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"unsafe-fp-math": "true", "denormal-fp-math-f32": "preserve-sign,preserve-sign"}
}}

// checkKernel checks that the module defines the kernel.
func (r *Request) checkKernel(m *llvm.Module) error {
	var kernels []string
	for f := range m.Functions() {
		isKernel := f.IsKernel() || r.Kind == abi.Native && f.Linkage() == llvm.External
		if isKernel && !f.IsDeclaration() {
			kernels = append(kernels, f.Name())
		}
	}
	if !slices.Contains(kernels, r.Kernel) {
		return errs.F("the module does not define this kernel; it defines %q", kernels)
	}
	return nil
}

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

var (
	ptxEntry  = lazy.Regexp{Expr: `(?m)^\s*(?:\.(?:visible|weak)\s+)?\.entry\s+([\w$.]+)`}
	ptxTarget = lazy.Regexp{Expr: `(?m)^\s*\.target\s+(\w+)`}
	ptxExtern = lazy.Regexp{Expr: `(?m)^\s*\.extern\s+\.(func|global|const)\s+((?:\([^)]*\)\s*)?)([^\n(;]*)`}
)

// ptxRuntime are the functions that every CUDA driver provides.
var ptxRuntime = []string{"vprintf", "malloc", "free", "__assertfail"}

// checkPTX checks what came out.
func (r *Request) checkPTX(text string) error {
	entries := ptxEntry.Get().FindAllStringSubmatch(text, -1)
	if !slices.ContainsFunc(entries, func(m []string) bool { return m[1] == r.Kernel }) {
		return errors.New("LLVM dropped the kernel")
	}
	if m := ptxTarget.Get().FindStringSubmatch(text); m == nil || m[1] != r.CPU {
		return errs.F("the processor is not known to this LLVM: it generated code for %q", m)
	}
	var undefined []string
	for _, m := range ptxExtern.Get().FindAllStringSubmatch(text, -1) {
		fields := strings.Fields(m[3])
		if len(fields) == 0 {
			continue
		}
		name, _, _ := strings.Cut(fields[len(fields)-1], "[")
		if m[1] != "func" || !slices.Contains(ptxRuntime, name) {
			undefined = append(undefined, name)
		}
	}
	if undefined != nil {
		slices.Sort(undefined)
		return &link.UndefinedError{Symbols: undefined}
	}
	return nil
}
