package ahead

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/module"
	"heddle/internal/program"
	"heddle/internal/source"
)

// A Discovered is a kernel that a program makes, as a tool sees it.
type Discovered struct {
	Name   string         // of the Go function, "" if it is not known
	Pos    token.Position // of the call that makes the kernel
	Kernel *Kernel        // nil if Err is not
	// Err is what is wrong with the kernel or, if it is an *UnknownError, what only
	// the running program knows of it.
	Err error

	src *source.Func // nil if the function is not known
}

// An UnknownError is what keeps a tool from compiling a kernel that may be right.
type UnknownError struct{ Err error }

func (e *UnknownError) Error() string { return e.Err.Error() }
func (e *UnknownError) Unwrap() error { return e.Err }

// Discover lists the kernels that packages make, and those of the packages of
// their module that they import, for tools: the calls of New, NewWith, Typed, TypedWith and Go, and the
// functions that come to them through variables, parameters, results, fields and
// maps. Patterns are those of the go command, in the directory dir, which is
// needed as the source is; nothing is run.
func Discover(dir string, patterns ...string) ([]Discovered, error) {
	if err := program.RegisterOwn(); err != nil {
		return nil, err
	}
	made, err := source.Discover(dir, patterns, isMaker, program.IsIntrinsic)
	if err != nil {
		return nil, err
	}
	return discoveredAll(made), nil
}

// isMaker reports whether a function makes kernels.
func isMaker(name string) bool {
	name, ok := strings.CutPrefix(name, module.Kernel+".")
	return ok && slices.Contains([]string{"New", "NewWith", "Typed", "TypedWith", "Go"}, name)
}

func discoveredAll(made []source.KernelCall) (all []Discovered) {
	for i := range made {
		m := &made[i]
		d := Discovered{Name: m.Name, Pos: m.Pos, src: m.Func}
		if d.Kernel, d.Err = discovered(m); d.Err != nil {
			d.Kernel = nil
		}
		all = append(all, d)
	}
	return all
}

func discovered(m *source.KernelCall) (*Kernel, error) {
	unknown := func(format string, args ...any) error {
		return &UnknownError{&diag.Error{Pos: m.Pos, Msg: fmt.Sprintf(format, args...), Hint: "it is compiled when the program runs"}}
	}
	if m.Err != nil {
		return nil, &UnknownError{m.Err}
	}
	opts, err := constantOptions(m.Options)
	if err != nil || m.Unsure {
		return nil, unknown("the options of kernel %s are not all constants", m.Name)
	}
	for i := range m.Func.Captures {
		if c := &m.Func.Captures[i]; program.IsString(c.Type) {
			return nil, unknown("kernel %s captures the string %s, whose value becomes a part of the code", m.Name, c.Name)
		}
	}
	return newKernel(m.Func, m.Name, opts)
}

// constantOptions are Options from the constants that their fields have.
func constantOptions(fields map[string]constant.Value) (o program.Options, err error) {
	bools := map[string]*bool{"NoBounds": &o.NoBounds, "FastMath": &o.FastMath, "FastAtomics": &o.FastAtomics, "ImageInstructions": &o.ImageInstructions, "NoAlias": &o.NoAlias}
	ints := map[string]*int{"MaxThreads": &o.MaxThreads, "MinBlocks": &o.MinBlocks}
	for name, v := range fields {
		switch {
		case bools[name] != nil && v.Kind() == constant.Bool:
			*bools[name] = constant.BoolVal(v)
		case ints[name] != nil && v.Kind() == constant.Int:
			n, _ := constant.Int64Val(v)
			*ints[name] = int(n)
		default:
			err = errs.Join(err, errs.F("option %s", name))
		}
	}
	return o, err
}
