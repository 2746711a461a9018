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
	if level == "" || k == abi.Native {
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
	switch n.Kind {
	case abi.HSACO:
		if n.CodeObject == 0 {
			n.CodeObject = defaultCodeObject
		}
		if n.CodeObject < 4 || n.CodeObject > 6 {
			return nil, errs.F("codegen: code object version %d: want 4, 5 or 6", n.CodeObject)
		}
	case abi.PTX, abi.Native:
		n.CodeObject = 0
	default:
		return nil, errs.F("codegen: cannot compile to %v", n.Kind)
	}
	return &n, nil
}

// pipeline is the passes with what the target lacks. LLVM's NVPTX finds the
// address spaces of generic pointers only while it generates code, when it is
// too late to see that accesses to them are aligned and may be merged. So they
// are found before, once the kernel's own function is in its place, and after,
// for what was inlined since. AMDGPU does as much itself.
func (r *Request) pipeline(major int) string {
	if r.Kind != abi.PTX || r.level() == 0 {
		return r.Passes
	}
	align := "instcombine"
	if major >= 18 {
		align = "infer-alignment"
	}
	return "always-inline,function(sroa,early-cse,infer-address-spaces)," + r.Passes + ",function(infer-address-spaces," + align + ")"
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

// effort is the level for an LLVM release. O0 generates AMD's code as O1 does where the
// register allocator for O0 loses values (releases 16 and 17; a 64-bit division by way of
// a function is enough), or LLVM crashes if it spills more scalars than the lanes of all
// vector registers hold (19, as each scalar has its own lane there, and the registers are
// set apart: see prepare).
func (r *Request) effort(major int) int {
	if r.Kind == abi.HSACO && (major == 16 || major == 17 || major == 19) {
		return max(r.level(), 1)
	}
	return r.level()
}

// tooMuchShared is LLVM's text for a kernel with more shared memory than there is.
var tooMuchShared = lazy.Regexp{Expr: `local memory \((\d+)\) exceeds limit \((\d+)\)`}

// fail prefixes an error with what was being compiled. What is the user's fault is
// said in heddle's words.
func (r *Request) fail(err error) error {
	if m := tooMuchShared.Get().FindStringSubmatch(err.Error()); m != nil {
		return errs.F("%s bytes of static shared memory; the limit of %s is %s a block", m[1], r.CPU, m[2])
	}
	return errs.F("codegen: kernel %s for %s: %w", r.Kernel, r.CPU, err)
}
