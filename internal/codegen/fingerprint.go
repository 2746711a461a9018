package codegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	var key strings.Builder
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

var fingerprint remembered

// Fingerprint identifies the compiler and the math libraries that a compile
// would use here and now: path, size and time of each file. It opens none, and
// looks once per process, and again when the environment has changed or
// libLLVM is loaded.
func Fingerprint() string { return fingerprint.get(identify) }

// identify looks at the files.
func identify() string {
	var files []string
	for _, kind := range []abi.Kind{abi.HSACO, abi.PTX} {
		if _, path, err := Backend(kind); err == nil {
			files = append(files, path)
		}
	}
	if dir, ok := HasMathLib(abi.HSACO); ok {
		files = append(files, filepath.Join(dir, "ocml.bc"), filepath.Join(dir, "ockl.bc"))
	}
	if file, ok := HasMathLib(abi.PTX); ok {
		files = append(files, file)
	}
	var b strings.Builder
	for _, file := range files {
		if st, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", file, st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String()
}
