package codegen

import (
	"errors"
	"fmt"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// A Request says what to compile. It is a value: Emit and Build do not change it.
type Request struct {
	IR       []byte // the module's text, with opaque pointers
	Triple   string // "amdgcn-amd-amdhsa", "nvptx64-nvidia-cuda", "x86_64-unknown-linux-gnu"
	CPU      string // "gfx942", "sm_90", "x86-64-v3"
	Features string // LLVM's, as in "+wavefrontsize64"; on NVPTX may raise the PTX version, "+ptx78"
	Kind     abi.Kind
	Kernel   string // the entry, which the module must define
	WarpSize int
	// CodeObject is the AMDGPU code object version, 4 to 6; 0 means 5.
	CodeObject int
	// Passes is the optimisation pipeline; if it is empty, that of the level which
	// the environment variable HEDDLE_OPT names, or "default<O3>". Its level is that
	// of code generation too.
	Passes string
	// FastMath lets the device math library trade accuracy for speed. What the
	// module itself computes depends on its own flags.
	FastMath bool
	// Waves is how many of an AMD GPU a SIMD has to have room for; 0: as LLVM takes it (amdwaves.go).
	Waves int
}

// EnvOpt names the environment variable that chooses the optimisation of GPU code:
// O0, O1, O2 or O3. Code for the host has passes of its own.
const EnvOpt = env.Opt

const (
	defaultLevel      = "O3"
	defaultCodeObject = 5
)

// defaultPasses is the pipeline of the level that is chosen.
func defaultPasses(k abi.Kind) (string, error) {
	level := env.Get(EnvOpt)
	if level == "" || backends[k].ownPasses {
		level = defaultLevel
	}
	switch level {
	case "O0", "O1", "O2", "O3":
	default:
		return "", errs.F("codegen: %s=%q: want O0, O1, O2 or O3", EnvOpt, level)
	}
	return "default<" + level + ">", nil
}

// normal is r with defaults filled in, or the error that says what is missing.
func (r *Request) normal() (*Request, error) {
	n := *r
	if backendOf(n.Kind) == nil {
		return nil, errs.F("codegen: cannot compile to %v", n.Kind)
	}
	if n.Passes == "" {
		var err error
		if n.Passes, err = defaultPasses(n.Kind); err != nil {
			return nil, err
		}
	}
	switch {
	case strings.TrimSpace(string(n.IR)) == "":
		return nil, errors.New("codegen: the module is empty")
	case n.Triple == "", n.CPU == "", n.Kernel == "":
		return nil, errs.F("codegen: incomplete request: triple %q, CPU %q, kernel %q", n.Triple, n.CPU, n.Kernel)
	}
	if err := backends[n.Kind].normal(&n); err != nil {
		return nil, err
	}
	return &n, nil
}

// level is the code generation effort that goes with the pipeline.
func (r *Request) level() int {
	for level := range 3 {
		if strings.Contains(r.Passes, fmt.Sprintf("<O%d>", level)) {
			return level
		}
	}
	return 3
}

// tooMuchShared is LLVM's text for a kernel with more shared memory than there is.
var tooMuchShared = lazy.Regexp{Expr: `local memory \((\d+)\) exceeds limit \((\d+)\)`}

// fail prefixes an error with what was being compiled. What is the user's fault is
// said in heddle's words.
func (r *Request) fail(err error) error {
	if m := tooMuchShared.Get().FindStringSubmatch(err.Error()); m != nil {
		return &abi.SharedError{Need: m[1], Limit: m[2], Of: r.CPU}
	}
	return errs.F("codegen: kernel %s for %s: %w", r.Kernel, r.CPU, err)
}
