package codegen

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/llvm"
)

// EnvDeviceLibs names the directory of ocml.bc and ockl.bc or of libdevice.10.bc,
// ahead of the usual ones. "off" is for none: Go's own mathematics is compiled instead.
const EnvDeviceLibs = env.DeviceLibs

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
	if backendOf(kind) == nil || env.Get(EnvDeviceLibs) == "off" {
		return "", false
	}
	path = look(kind).MathLib
	return path, path != ""
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

// A library is a bitcode file that defines functions whose names begin with prefix.
type library struct {
	prefix string
	file   string // within the path HasMathLib gives; "" for that itself
}

// mathFiles lists the bitcode files that define what the named declarations need.
func mathFiles(kind abi.Kind, declared []string) ([]string, error) {
	var files []string
	for _, lib := range backends[kind].libraries {
		name := ""
		for _, d := range declared {
			if strings.HasPrefix(d, lib.prefix) {
				name = d
			}
		}
		if name == "" {
			continue
		}
		path, ok := HasMathLib(kind)
		if !ok {
			return nil, errs.F("%s needs the device math library, which is not on this machine: %s", name, kind.MathFix())
		}
		files = append(files, filepath.Join(path, lib.file))
	}
	return files, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

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
	if err := backends[r.Kind].configure(r, c, m, tm); err != nil {
		return err
	}
	for f := range m.Functions() {
		// What the module declared and the library has defined is the library's too.
		if !f.IsDeclaration() && (!own[f.Name()] || r.isMath(f.Name())) {
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

func (r *Request) isMath(name string) bool {
	for _, lib := range backends[r.Kind].libraries {
		if strings.HasPrefix(name, lib.prefix) {
			return true
		}
	}
	return false
}
