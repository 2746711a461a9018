package codegen

import (
	"fmt"
	"path/filepath"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/llvm"
)

// EnvBackend chooses the compiler of AMDGPU code, "llvm" or "comgr".
const EnvBackend = env.Backend

// Names of the compilers.
const (
	LLVM  = "llvm"
	Comgr = "comgr"
)

// Backend is the compiler that kinds of object are made by here, and the
// library it would load: comgr for AMDGPU where ROCm 6.4 or later is installed
// (comgr 3, which matches the driver), otherwise libLLVM, otherwise an older
// comgr. HEDDLE_BACKEND decides instead. No library is opened.
func Backend(kind abi.Kind) (name, path string, err error) {
	files, want := []string(nil), LLVM
	if b := backendOf(kind); b != nil && b.comgr {
		files, want = llvm.ComgrCandidates(), env.Get(EnvBackend)
	}
	switch want {
	case LLVM, "":
	case Comgr:
		if files == nil {
			_, err := llvm.OpenComgr()
			return Comgr, "", err
		}
		return Comgr, files[0], nil
	default:
		return "", "", errs.F("codegen: %s=%q: want %s or %s", EnvBackend, want, LLVM, Comgr)
	}
	if want == "" && files != nil && !strings.Contains(filepath.Base(files[0]), ".so.2") {
		return Comgr, files[0], nil
	}
	if lib := llvm.Loaded(); lib != nil {
		return LLVM, lib.Path, nil
	}
	path, _, err = llvm.Find()
	if err != nil && want == "" && files != nil {
		return Comgr, files[0], nil
	}
	return LLVM, path, err
}

// generate compiles with the chosen back end. Where comgr was not asked for by
// name and fails for whatever reason, libLLVM has its turn, and its errors are
// the clearer ones.
func (r *Request) generate(kind llvm.FileType) ([]byte, error) {
	name, _, err := Backend(r.Kind)
	if err != nil {
		return nil, err
	}
	if name == LLVM {
		return backends[r.Kind].compile(r, kind, nil)
	}
	code, err := r.comgr(kind)
	if err == nil || env.Get(EnvBackend) == Comgr {
		return code, err
	}
	code, second := backends[r.Kind].compile(r, kind, nil)
	if second != nil {
		return nil, errs.Join(second, err)
	}
	return code, nil
}

// comgr compiles with AMD's library.
func (r *Request) comgr(kind llvm.FileType) ([]byte, error) {
	lib, err := llvm.OpenComgr()
	if err != nil {
		return nil, err
	}
	declared := declarations(string(r.IR))
	files, err := mathFiles(r.Kind, declared)
	if err != nil {
		return nil, err
	}
	controls, err := r.controls()
	if err != nil {
		return nil, err
	}
	inputs := []llvm.ComgrInput{{Name: r.Kernel + ".ll", Data: []byte(rewriteAMD(string(r.IR)))}}
	for _, file := range files {
		data, err := readBitcode(file)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, llvm.ComgrInput{Name: filepath.Base(file), Data: data})
	}
	// The module may lack a triple; the controls, linked to it, have one.
	inputs = append(inputs, llvm.ComgrInput{Name: "controls.ll", Data: []byte(controls)})
	options := []string{
		fmt.Sprintf("-O%d", r.level()),
		fmt.Sprintf("-mcode-object-version=%d", r.CodeObject),
		"-mllvm", "-amdgpu-internalize-symbols",
	}
	for _, o := range llvm.OptionsForAMD() {
		options = append(options, "-mllvm", o)
	}
	target := r.CPU
	for feature := range strings.SplitSeq(r.Features, ",") {
		switch name := strings.TrimLeft(feature, "+-"); {
		case name == "wavefrontsize32":
			options = append(options, "-mno-wavefrontsize64")
		case name == "wavefrontsize64":
			options = append(options, "-mwavefrontsize64")
		case name == "xnack", name == "sramecc": // target ID: gfx90a:xnack-
			target += ":" + name + feature[:1]
		case name != "":
			return nil, errs.F("comgr takes no feature %q", feature)
		}
	}
	return lib.Compile(target, kind, options, inputs...)
}

// declarations are the functions that a module's text declares.
func declarations(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "declare ") {
			continue
		}
		if _, after, ok := strings.Cut(line, "@"); ok {
			name, _, _ := strings.Cut(after, "(")
			names = append(names, strings.Trim(name, `"`))
		}
	}
	return names
}
