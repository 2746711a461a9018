package codegen

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/cpumath"
	"heddle/internal/elf64"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/link"
	"heddle/internal/llvm"
	"heddle/internal/ops"
	"heddle/internal/spmd"
)

// This file implements code for the host. libLLVM simplifies the code of one
// thread, package spmd makes vector code of a warp from that, which libLLVM
// optimises again and compiles:
//
//	Request.IR --inlined, scalar--> one thread --spmd.Vectorize--> a warp --native--> ELF object

// inlinePasses is what happens first to the code of one thread. Everything but
// //go:noinline functions is inlined, so that no mask crosses a call.
const inlinePasses = "always-inline,globaldce"

// scalarPasses is what happens to it once it is inlined. Passes that
// would thread jumps, turn loops into calls or make vectors are absent: control
// flow as it was written makes the best masks. The last ones bring what is left
// into the form that spmd reads: branches of two ways, loops with one latch and
// a preheader, one return.
var scalarPasses = []string{
	"function(sroa,early-cse<memssa>,simplifycfg,INSTCOMBINE)",
	"function(loop-simplify,lcssa,loop-mssa(loop-rotate,licm),simplifycfg,INSTCOMBINE)",
	"function(loop(indvars,loop-deletion,loop-unroll-full),sroa,early-cse<memssa>)",
	"function(gvn,correlated-propagation,bdce,INSTCOMBINE,loop-mssa(licm),adce,simplifycfg,INSTCOMBINE)",
	"globaldce",
	"function(lower-switch,fix-irreducible,loop-simplify,lcssa)",
}

// runScalar runs scalarPasses in the words of an LLVM release.
func runScalar(m *llvm.Module, tm *llvm.TargetMachine, major int) error {
	passes := strings.ReplaceAll(strings.Join(scalarPasses, ","), "INSTCOMBINE", instCombine(major))
	err := m.RunPasses(passes, tm)
	if err != nil && strings.Contains(err.Error(), "unknown function pass 'lower-switch'") { // nothing has run
		err = m.RunPasses(strings.Replace(passes, "lower-switch", "lowerswitch", 1), tm)
	}
	return err
}

// instCombine is the pass of that name, which LLVM from 18 on is to run without
// giving up where no fixpoint is reached.
func instCombine(major int) string {
	if major >= 18 {
		return "instcombine<no-verify-fixpoint>"
	}
	return "instcombine"
}

// nativeVersion is part of the key of every native object.
func nativeVersion() string {
	return fmt.Sprintf("%d %q %q %x", spmd.Version, inlinePasses, scalarPasses, cpumath.Version())
}

// llvmCPU is LLVM's name of a processor.
func llvmCPU(cpu string) string {
	if cpu == "aarch64" {
		return "generic"
	}
	return cpu
}

// ScalarIR is the code of one thread, simplified, that is made vector code.
// Only host code (abi.Native) has it.
func ScalarIR(r *Request) (string, error) { return r.hostStage("scalar", (*Request).scalar) }

// VectorIR is the code of a warp as it was made, not yet optimised. Only host
// code (abi.Native) has it.
func VectorIR(r *Request) (string, error) { return r.hostStage("vector", (*Request).vector) }

func (r *Request) hostStage(name string, stage func(*Request) (string, error)) (string, error) {
	r, err := r.normal()
	if err != nil {
		return "", err
	}
	if r.Kind != abi.Native {
		return "", r.fail(errs.F("only host code has a stage %s", name))
	}
	text, err := stage(r)
	if err != nil {
		return "", r.fail(err)
	}
	return text, nil
}

// withModule calls f with a module for r's processor, parsed and verified.
func (r *Request) withModule(text []byte, f func(lib *llvm.Library, c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) error) error {
	lib, err := llvm.Open()
	if err != nil {
		return err
	}
	if err := supports(r.Triple, r.CPU, lib.Major); err != nil {
		return err
	}
	return lib.Do(func(c *llvm.Context) error {
		m, err := c.ParseIR(r.Kernel+".ll", text)
		if err != nil {
			return err
		}
		tm, err := lib.NewTargetMachine(llvm.Target{Triple: r.Triple, CPU: llvmCPU(r.CPU), Features: r.Features, Level: r.level()})
		if err != nil {
			return err
		}
		defer tm.Close()
		m.SetTarget(tm)
		if err := m.Verify(); err != nil {
			return err
		}
		return f(lib, c, m, tm)
	})
}

// scalar simplifies the code of one thread.
func (r *Request) scalar() (text string, err error) {
	err = r.withModule(r.ordered(), func(lib *llvm.Library, c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) error {
		m.StripDebug()
		if err := r.linkCPUMath(c, m, tm); err != nil {
			return err
		}
		if err := r.checkKernel(m); err != nil {
			return err
		}
		for f := range m.Functions() {
			if f.IsDeclaration() || f.Name() == r.Kernel {
				continue
			}
			f.SetLinkage(llvm.Internal)
			if !f.HasAttribute("noinline") {
				m.AddAttribute(f, "alwaysinline")
			}
		}
		if err := m.RunPasses(inlinePasses, tm); err != nil {
			return err
		}
		if inlined, shared := sharePanics(m.String()); shared {
			if m, err = c.ParseIR(r.Kernel+".ll", []byte(inlined)); err != nil {
				return err
			}
			m.SetTarget(tm)
		}
		if err := runScalar(m, tm, lib.Major); err != nil {
			return err
		}
		text = m.String()
		return m.Verify()
	})
	return text, err
}

var pureFunc = lazy.Regexp{Expr: `(?m)^declare .*@(heddle\.[\w.]+)\(.*\breadnone\b.*$`}

// ordered is the module with what threads compute together in its order: LLVM before
// release 17 takes two equal calls for one value, though other lanes may be
// active at the second one.
func (r *Request) ordered() []byte {
	lib, err := llvm.Open()
	if err != nil || lib.Major >= 17 {
		return r.IR
	}
	return pureFunc.Get().ReplaceAllFunc(r.IR, func(line []byte) []byte {
		if !ops.Of(string(pureFunc.Get().FindSubmatch(line)[1])).Convergent() {
			return line
		}
		return bytes.Replace(line, []byte("readnone"), []byte("inaccessiblememonly"), 1)
	})
}

// linkCPUMath links the mathematical functions that the module declares, and
// those that they declare.
func (r *Request) linkCPUMath(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) error {
	for {
		name := ""
		for f := range m.Functions() {
			if f.IsDeclaration() && strings.HasPrefix(f.Name(), cpumath.Prefix) {
				name = f.Name()
			}
		}
		if name == "" {
			return nil
		}
		text, ok := cpumath.Text(strings.TrimPrefix(name, cpumath.Prefix))
		if !ok {
			return &link.UndefinedError{Symbols: []string{name}}
		}
		if callee, ok := spmd.Estimate(r.CPU); ok {
			text = cpumath.Estimated(text, callee)
		}
		lib, err := c.ParseIR(name+".ll", text)
		if err != nil {
			return err
		}
		lib.SetTarget(tm)
		if err := m.Link(lib); err != nil {
			return err
		}
		if slices.ContainsFunc(slices.Collect(m.Functions()), func(f llvm.Global) bool { return f.IsDeclaration() && f.Name() == name }) {
			return errs.F("the math library's text for %s does not define it", name)
		}
	}
}

// vector makes the code of a warp.
func (r *Request) vector() (string, error) {
	text, err := r.scalar()
	if err != nil {
		return "", err
	}
	return spmd.Vectorize(text, spmd.Options{Kernel: r.Kernel, ISA: r.CPU, WarpSize: r.WarpSize})
}

// native runs all of the pipeline. With ir it stores the optimised module's
// text there and generates no code.
func (r *Request) native(kind llvm.FileType, ir *string) ([]byte, error) {
	text, err := r.vector()
	if err != nil {
		return nil, err
	}
	return r.host(text, kind, ir)
}

// host optimises the code of a warp and compiles it. LLVM's own vectorisers are
// off: they would make vectors of vectors.
func (r *Request) host(text string, kind llvm.FileType, ir *string) (code []byte, err error) {
	err = r.withModule([]byte(text), func(lib *llvm.Library, c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (err error) {
		if err := m.RunScalarPasses(r.Passes, tm); err != nil {
			return err
		}
		if ir != nil {
			*ir = m.String()
			return nil
		}
		if spmd.HasIntMasks(text, r.CPU, lib.Major) {
			if m, err = c.ParseIR(r.Kernel+".ll", []byte(spmd.HoldMasks(m.String()))); err != nil {
				return err
			}
			m.SetTarget(tm)
		}
		var frames int
		if code, frames, err = m.EmitWithFrames(tm, kind); err == nil && kind == llvm.Object {
			err = reserveStack(code, frames)
		}
		return err
	})
	return code, err
}

// nativeRuntime are the functions of the C library, and those of libm by the
// names for double and, with f appended, for float, that code may call.
var (
	nativeRuntime = lazy.Words{Text: "memcpy memmove memset memcmp bcmp clock_gettime"}
	nativeMath    = lazy.Words{Text: `acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2
		expm1 fabs floor fma fmax fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 nearbyint pow remainder rint
		round roundeven sin sinh sqrt tan tanh tgamma trunc`}
)

// isNativeRuntime reports whether the driver can resolve a symbol.
func isNativeRuntime(name string) bool {
	return name == "_GLOBAL_OFFSET_TABLE_" || nativeRuntime.Has(name) ||
		nativeMath.Has(name) || nativeMath.Has(strings.TrimSuffix(name, "f"))
}

// checkNative checks what came out, and notes the kernel's resources.
func (r *Request) checkNative(obj *abi.Object) error {
	f, err := elf64.NewFile(bytes.NewReader(obj.Code))
	if err != nil {
		return errs.F("LLVM's object: %w", err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return errs.F("LLVM's object: %w", err)
	}
	defined := map[string]*elf64.Symbol{}
	var undefined []string
	for i := range symbols {
		switch s := &symbols[i]; {
		case s.Section != elf64.SHN_UNDEF:
			defined[s.Name] = s
		case s.Name != "" && !isNativeRuntime(s.Name):
			undefined = append(undefined, s.Name)
		}
	}
	if undefined != nil {
		slices.Sort(undefined)
		return &link.UndefinedError{Symbols: undefined}
	}
	if defined[abi.NativeRun] == nil || defined[abi.NativeInfo] == nil {
		return errs.F("LLVM dropped %s or %s", abi.NativeRun, abi.NativeInfo)
	}
	info, err := nativeInfo(f, defined[abi.NativeInfo])
	if err != nil {
		return err
	}
	if info.Lanes == 0 || int(info.Lanes) > r.WarpSize || bits.OnesCount32(info.Lanes) != 1 {
		return errs.F("%s: %d lanes in a warp of %d", abi.NativeInfo, info.Lanes, r.WarpSize)
	}
	obj.Res = abi.Resources{LDS: int(info.Shared), Scratch: int(info.Stack) / r.WarpSize}
	for _, s := range f.Sections {
		if s.Flags&elf64.SHF_EXECINSTR != 0 {
			obj.Res.CodeBytes += int(s.Size)
		}
	}
	return nil
}
