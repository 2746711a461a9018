package codegen

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/link"
	"heddle/internal/llvm"
)

// This file makes PTX for NVIDIA's GPUs.

var nvBackend = backend{
	normal:  noCodeObject,
	emit:    func(r *Request) ([]byte, error) { return r.ptx(llvm.Assembly, nil) },
	check:   func(r *Request, obj *abi.Object) error { return r.checkPTX(string(obj.Code)) },
	compile: (*Request).ptx,
	features: func(r *Request, lib *llvm.Library) (string, error) {
		features := withPTXVersion(r.CPU, r.Features)
		return features, checkPTXVersion(features, lib.Major)
	},
	effort:   func(r *Request, _ int) int { return r.level() },
	prepare:  (*Request).preparePTX,
	pipeline: (*Request).ptxPipeline,
	carries:  true,
	short:    true,
	flat:     &flatNVIDIA,
	fix:      (*Request).fixNVPTX,
	mathLib:  func() string { return firstFile(libdeviceDirs(), "libdevice.10.bc") },
	mathDirs: libdeviceDirs,
	libraries: []library{
		{"__nv_", ""},
	},
	configure: (*Request).configureLibdevice,
	version:   noVersion,
}

func init() { backends[abi.PTX] = &nvBackend } // its functions refer to backends

// noCodeObject completes a request of which the code object version says nothing.
func noCodeObject(r *Request) error {
	r.CodeObject = 0
	return nil
}

// ptx is compile, without what ptxas takes wrongly.
func (r *Request) ptx(kind llvm.FileType, ir *string) ([]byte, error) {
	code, err := r.compile(kind, ir)
	for _, pass := range []func([]byte) []byte{fixPTX, hideNegations, computeAgain, plainRoots, unsignedLocals, partEnds, meetAtReturns, coldAside, checksAhead} {
		code = pass(code)
	}
	return code, err
}

// preparePTX adds the attributes of fast mathematics.
func (r *Request) preparePTX(m *llvm.Module) {
	for f := range m.Functions() {
		if r.FastMath && !f.IsDeclaration() {
			for key, value := range fastPTX.Get() {
				f.SetAttribute(key, value)
			}
		}
	}
}

// fastPTX are nvcc's -prec-div=false, -prec-sqrt=false and -ftz=true. Functions
// of the math library get them too: only functions that agree are inlined.
var fastPTX = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"unsafe-fp-math": "true", "denormal-fp-math-f32": "preserve-sign,preserve-sign"}
}}

// ptxPipeline is the passes with what the target lacks. LLVM's NVPTX finds the
// address spaces of generic pointers only while it generates code, when it is
// too late to see that accesses to them are aligned and may be merged. So they
// are found before, once the kernel's own function is in its place, and after,
// for what was inlined since. AMDGPU does as much itself.
func (r *Request) ptxPipeline(major int) string {
	if r.level() == 0 {
		return r.Passes
	}
	align := "instcombine"
	if major >= 18 {
		align = "infer-alignment"
	}
	rest := ""
	if bytes.Contains(r.IR, []byte("unroll.followup_remainder")) { // LLVM does not look again at a loop over what is left
		rest = "loop-unroll<O2;no-partial;no-runtime;no-peeling>,"
	}
	return "always-inline,function(sroa,early-cse,infer-address-spaces)," + r.Passes + ",function(" + rest + "infer-address-spaces," + align + ")"
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

// libdeviceDirs are patterns of where NVIDIA's library may lie, best first.
func libdeviceDirs() []string {
	var patterns []string
	if dir := env.Get(EnvDeviceLibs); dir != "" {
		patterns = append(patterns, literally(dir))
	}
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if root := env.Path(name); root != "" {
			patterns = append(patterns, literally(filepath.Join(root, "nvvm/libdevice")))
		}
	}
	home := env.Path("HOME")
	if home != "" {
		home += "/.local"
	}
	patterns = append(patterns,
		"/usr/local/cuda/nvvm/libdevice", "/usr/local/cuda*/nvvm/libdevice", "/opt/cuda/nvvm/libdevice",
		"/usr/lib/nvidia-cuda-toolkit/libdevice", "/usr/lib/cuda/nvvm/libdevice")
	for _, root := range []string{env.Path("VIRTUAL_ENV"), env.Path("CONDA_PREFIX"), home, "/usr/local", "/usr"} {
		if root != "" { // pip's nvidia-cuda-nvcc
			for _, packages := range []string{"site-packages", "dist-packages"} {
				python := filepath.Join(literally(root), "lib/python3*", packages, "nvidia")
				patterns = append(patterns, python+"/cuda_nvcc/nvvm/libdevice", python+"/cu1*/nvvm/libdevice")
			}
		}
	}
	return patterns
}

// roundings maps NVPTX's rounding to the nearest integer, ties to even
// (cvt.rni), to LLVM's own. Left as it is, LLVM takes it for round, which
// sends ties away from zero: libdevice's tgammaf(0.5) then is wrong.
var roundings = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"llvm.nvvm.round.f": "llvm.rint.f32",
		"llvm.nvvm.round.d": "llvm.rint.f64",
	}
}}

// configureLibdevice chooses whether libdevice flushes denormals, and replaces what LLVM
// takes for something else.
func (r *Request) configureLibdevice(_ *llvm.Context, m *llvm.Module, _ *llvm.TargetMachine) error {
	m.SetFlag("nvvm-reflect-ftz", b2i(r.FastMath))
	for f := range m.Functions() {
		if name := roundings.Get()[f.Name()]; name != "" {
			m.ReplaceBy(f, name)
		}
	}
	return nil
}
