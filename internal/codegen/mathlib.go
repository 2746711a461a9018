package codegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// EnvDeviceLibs names the directory of ocml.bc and ockl.bc or of libdevice.10.bc,
// ahead of the usual ones. "off" is for none: Go's own mathematics is compiled instead.
const EnvDeviceLibs = env.DeviceLibs

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

// literally is the pattern that matches only path.
func literally(path string) string {
	for _, special := range []string{`\`, "*", "?", "["} { // the backslash first
		path = strings.ReplaceAll(path, special, `\`+special)
	}
	return path
}

// firstFile is the first file of a name in the directories that patterns match.
// It looks no further than that.
func firstFile(patterns []string, name string) string {
	for _, pattern := range patterns {
		found, _ := filepath.Glob(filepath.Join(pattern, name))
		for _, file := range found {
			if isFile(file) {
				return file
			}
		}
	}
	return ""
}

// HasMathLib finds the device math library for a kind of object: the directory
// of AMD's bitcode libraries, or the file of NVIDIA's libdevice; the host's is
// part of this program. It looks once per process, and again when the
// environment has changed.
func HasMathLib(kind abi.Kind) (path string, ok bool) {
	if kind == abi.Native && env.Get(EnvDeviceLibs) != "off" {
		return "built in", true
	}
	lib := mathLibs[kind]
	if lib == nil {
		return "", false
	}
	path = lib.get(func() string { return findMathLib(kind) })
	return path, path != ""
}

var mathLibs = [...]*remembered{abi.HSACO: {}, abi.PTX: {}, abi.Native: nil}

func findMathLib(kind abi.Kind) string {
	if env.Get(EnvDeviceLibs) == "off" {
		return ""
	}
	if kind == abi.PTX {
		return firstFile(libdeviceDirs(), "libdevice.10.bc")
	}
	if file := firstFile(ocmlDirs(), "ocml.bc"); file != "" {
		return filepath.Dir(file)
	}
	return ""
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

var bitcode sync.Map // path to []byte: a library is read once per process

func readBitcode(path string) ([]byte, error) {
	if data, ok := bitcode.Load(path); ok {
		return data.([]byte), nil
	}
	data, err := os.ReadFile(path)
	if err == nil {
		bitcode.Store(path, data)
	}
	return data, err
}

// libraries are the bitcode files a module needs, by the prefix of the
// functions it declares, in the order they are linked.
var libraries = []struct {
	kind   abi.Kind
	prefix string
	file   string // within the path HasMathLib gives; "" for that itself
	hint   string
}{
	{abi.HSACO, "__ocml_", "ocml.bc", "install rocm-device-libs, or set " + EnvDeviceLibs + " to the directory of ocml.bc"},
	{abi.HSACO, "__ockl_", "ockl.bc", "install rocm-device-libs, or set " + EnvDeviceLibs + " to the directory of ockl.bc"},
	{abi.PTX, "__nv_", "", "install the CUDA toolkit, or set CUDA_HOME to where it is"},
}

// mathFiles lists the bitcode files that define what the named declarations need.
func mathFiles(kind abi.Kind, declared []string) ([]string, error) {
	var files []string
	for _, lib := range libraries {
		name := ""
		for _, d := range declared {
			if lib.kind == kind && strings.HasPrefix(d, lib.prefix) {
				name = d
			}
		}
		if name == "" {
			continue
		}
		path, ok := HasMathLib(kind)
		if !ok {
			return nil, errs.F("%s needs the device math library, which is not on this machine: %s", name, lib.hint)
		}
		files = append(files, filepath.Join(path, lib.file))
	}
	return files, nil
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

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
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

// roundings maps NVPTX's rounding to the nearest integer, ties to even
// (cvt.rni), to LLVM's own. Left as it is, LLVM takes it for round, which
// sends ties away from zero: libdevice's tgammaf(0.5) then is wrong.
var roundings = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"llvm.nvvm.round.f": "llvm.rint.f32",
		"llvm.nvvm.round.d": "llvm.rint.f64",
	}
}}

// linkMath links the device libraries that the module calls, and makes what
// they brought internal, so that all but what is used vanishes.
func (r *Request) linkMath(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) error {
	var declared []string
	own := map[string]bool{}
	for f := range m.Functions() {
		own[f.Name()] = true
		if f.IsDeclaration() {
			declared = append(declared, f.Name())
		}
	}
	files, err := mathFiles(r.Kind, declared)
	if err != nil || files == nil {
		return err
	}
	for g := range m.Variables() {
		own[g.Name()] = true
	}
	for _, file := range files {
		data, err := readBitcode(file)
		if err != nil {
			return err
		}
		lib, err := c.LoadBitcode(file, data)
		if err != nil {
			return err
		}
		lib.SetTarget(tm)
		// NVIDIA's functions are external definitions, all of which a link takes.
		for f := range lib.Functions() {
			if !f.IsDeclaration() && f.Linkage() == llvm.External {
				f.SetLinkage(llvm.LinkOnceODR)
			}
		}
		if err := m.Link(lib); err != nil {
			return err
		}
	}
	if r.Kind == abi.PTX {
		m.SetFlag("nvvm-reflect-ftz", b2i(r.FastMath))
		for f := range m.Functions() {
			if name := roundings.Get()[f.Name()]; name != "" {
				m.ReplaceBy(f, name)
			}
		}
	} else if err := r.linkControls(c, m, tm); err != nil {
		return err
	}
	for f := range m.Functions() {
		// What the module declared and the library has defined is the library's too.
		if !f.IsDeclaration() && (!own[f.Name()] || isMath(f.Name())) {
			f.SetLinkage(llvm.Internal)
		}
	}
	for g := range m.Variables() {
		if !g.IsDeclaration() && !own[g.Name()] && !strings.HasPrefix(g.Name(), "llvm.") {
			g.SetLinkage(llvm.Internal)
		}
	}
	return nil
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

func isMath(name string) bool {
	for _, lib := range libraries {
		if strings.HasPrefix(name, lib.prefix) {
			return true
		}
	}
	return false
}
