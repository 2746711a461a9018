package codegen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// environment are the variables that decide which files are found.
var environment = []string{
	llvm.EnvLLVM, llvm.EnvComgr, EnvBackend, EnvDeviceLibs, "HOME",
	"LD_LIBRARY_PATH", "ROCM_PATH", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX",
}

// remembered is what was found on disk, for as long as the environment is as it was.
type remembered struct {
	mu    sync.Mutex
	key   string
	value string
}

func (r *remembered) get(find func() string) string {
	var key bytes.Buffer
	for _, name := range environment {
		fmt.Fprintf(&key, "%q", os.Getenv(name))
	}
	if lib := llvm.Loaded(); lib != nil {
		key.WriteString(lib.Path)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := key.String(); r.key != k {
		r.key, r.value = k, find()
	}
	return r.value
}

var fingerprints = [len(backends)]remembered{}

// Fingerprint identifies the compiler and the math library that a compile to a
// kind of object would use here and now: path, size and time of each file. It
// opens none, and looks once per process, and again when the environment has
// changed or libLLVM is loaded. Looking takes a millisecond: a caller that has
// other work to do first may start it in a goroutine of its own.
func Fingerprint(kind abi.Kind) string {
	if backendOf(kind) == nil { // abi.GoFunc
		return ""
	}
	return fingerprints[kind].get(func() string { return identify(kind) })
}

// identify looks at the files.
func identify(kind abi.Kind) string {
	var files []string
	if _, path, err := Backend(kind); err == nil {
		files = append(files, path)
	}
	if path, ok := HasMathLib(kind); ok {
		for _, lib := range backends[kind].libraries {
			files = append(files, filepath.Join(path, lib.file))
		}
	}
	var b bytes.Buffer
	b.WriteString(backends[kind].version())
	for _, file := range files {
		if st, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", file, st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String()
}
