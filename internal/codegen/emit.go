package codegen

import (
	"errors"
	"slices"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/llvm"
)

// Emit compiles a module, without the disk cache. The object's Kind, Arch,
// WarpSize, Kernel, Code and Res are filled; the rest is the caller's.
func Emit(r *Request) (*abi.Object, error) {
	r, err := r.normal()
	if err != nil {
		return nil, err
	}
	back := backends[r.Kind]
	code, err := back.emit(r)
	if err != nil {
		return nil, r.fail(err)
	}
	obj := &abi.Object{Kind: r.Kind, Arch: r.CPU, WarpSize: r.WarpSize, Kernel: r.Kernel, Code: code}
	if err := back.check(r, obj); err != nil {
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
	if _, err := backends[r.Kind].compile(r, llvm.Object, &text); err != nil {
		return "", r.fail(err)
	}
	return text, nil
}

// compile runs the whole pipeline in libLLVM for a GPU. With ir it stores the optimised
// module's text there and generates no code.
func (r *Request) compile(kind llvm.FileType, ir *string) (code []byte, err error) {
	code, err = r.compileOnce(kind, ir)
	var fatal *llvm.FatalError
	if r.Kind == abi.PTX && errors.As(err, &fatal) && strings.Contains(fatal.Message, "Broken module") {
		// LLVM 17 gives a phi two values for one block where a switch has two ways there, when it infers address spaces (ptxPipeline).
		again := *r
		again.Passes += ",function(break-crit-edges)"
		return again.compileOnce(kind, ir)
	}
	return code, err
}

func (r *Request) compileOnce(kind llvm.FileType, ir *string) (code []byte, err error) {
	back := backends[r.Kind]
	lib, err := llvm.Open()
	if err != nil {
		return nil, err
	}
	if err := supports(r.Triple, r.CPU, lib.Major); err != nil {
		return nil, err
	}
	features, err := back.features(r, lib)
	if err != nil {
		return nil, err
	}
	err = lib.Do(func(c *llvm.Context) error {
		text := r.IR
		if back.early != nil {
			text = back.early(r, text)
		}
		m, err := c.ParseIR(r.Kernel+".ll", text)
		if err != nil {
			return err
		}
		tm, err := lib.NewTargetMachine(llvm.Target{Triple: r.Triple, CPU: r.CPU, Features: features, Level: back.effort(r, lib.Major)})
		if err != nil {
			return err
		}
		defer tm.Close()
		m.SetTarget(tm)
		if m, err = r.joinSines(c, m, tm); err != nil {
			return err
		}
		if err := r.mergeMath(m, tm, lib.Major); err != nil {
			return err
		}
		if err := r.prepare(c, m, tm, lib.Major); err != nil {
			return err
		}
		if err := m.RunPasses(back.pipeline(r, lib.Major), tm); err != nil {
			return err
		}
		if err := r.expandMemmove(c, m, tm, lib.Major); err != nil {
			return err
		}
		if m, err = r.expandMemset(c, m, tm, lib.Major); err != nil {
			return err
		}
		if r.Kind == abi.PTX {
			if m, err = r.constantRoots(c, m, tm); err != nil {
				return err
			}
		}
		if back.carries {
			if m, err = r.carries(c, m, tm); err != nil {
				return err
			}
		}
		if back.short {
			if m, err = r.shortened(c, m, tm); err != nil {
				return err
			}
		}
		if back.flat != nil {
			if m, err = r.flattened(c, m, tm, back.flat); err != nil {
				return err
			}
		}
		if ir != nil {
			*ir = m.String()
			return nil
		}
		if m, err = back.fix(r, c, m, tm, lib.Major); err != nil {
			return err
		}
		code, err = m.Emit(tm, kind)
		return err
	})
	return code, err
}

// seenTwice is the passes for what LLVM finds twice and does not look at again: after loops
// that are unrolled because the program says so it has no pass that knows what a branch before
// has found out, so that a check of equal values stands in each round.
const seenTwice = "early-cse,simplifycfg"

// withFeature is a list of features with one more.
func withFeature(features, more string) string {
	if features == "" {
		return more
	}
	return features + "," + more
}

// prepare completes the parsed module: flags, libraries, linkage. It verifies it.
func (r *Request) prepare(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, major int) error {
	if err := m.Verify(); err != nil { // before anything else looks at it
		return err
	}
	if err := r.checkKernel(m); err != nil {
		return err
	}
	back := backends[r.Kind]
	if back.flags != nil {
		back.flags(r, m, major)
	}
	if err := r.linkMath(c, m, tm); err != nil {
		return err
	}
	for f := range m.Functions() {
		if !f.IsDeclaration() && !f.IsKernel() && f.Linkage() == llvm.External {
			f.SetLinkage(llvm.Internal) // nobody else can call it
		}
	}
	back.prepare(r, m)
	return m.Verify()
}

// checkKernel checks that the module defines the kernel.
func (r *Request) checkKernel(m *llvm.Module) error {
	var kernels []string
	for f := range m.Functions() {
		isKernel := f.IsKernel() || backends[r.Kind].external && f.Linkage() == llvm.External
		if isKernel && !f.IsDeclaration() {
			kernels = append(kernels, f.Name())
		}
	}
	if !slices.Contains(kernels, r.Kernel) {
		return errs.F("the module does not define this kernel; it defines %q", kernels)
	}
	return nil
}
