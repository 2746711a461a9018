package kernel

import (
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"sync/atomic"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/errs"
	"heddle/internal/module"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/launch"
)

// A Discovered is a kernel that a program makes, as a tool sees it.
type Discovered struct {
	Name string         // of the Go function, "" if it is not known
	Pos  token.Position // of the call of New or NewWith
	// Kernel can be checked, dumped and compiled, not launched; nil if Err is not.
	Kernel *Kernel
	// Err is what is wrong with the kernel or, if it is an *UnknownError, what only
	// the running program knows of it.
	Err error

	src *source.Unit // nil if the function is not known
}

// An UnknownError is what keeps a tool from compiling a kernel that may be right.
type UnknownError struct{ Err error }

func (e *UnknownError) Error() string { return e.Err.Error() }
func (e *UnknownError) Unwrap() error { return e.Err }

// Discover lists the kernels that packages make, and those of the packages of
// their module that they import, for tools: the calls of New and NewWith, and the
// functions that come to them through variables, parameters, results, fields and
// maps. Patterns are those of the go command, in the directory dir, which is
// needed as the source is; nothing is run.
func Discover(dir string, patterns ...string) ([]Discovered, error) {
	if err := registerOwn.Get(); err != nil {
		return nil, err
	}
	made, err := source.Discover(dir, patterns, isMaker, isIntrinsic)
	if err != nil {
		return nil, err
	}
	return discoveredAll(made), nil
}

// isMaker reports whether a function makes kernels.
func isMaker(name string) bool {
	return name == module.Kernel+".New" || name == module.Kernel+".NewWith"
}

func discoveredAll(made []source.Made) (all []Discovered) {
	for i := range made {
		m := &made[i]
		d := Discovered{Name: m.Name, Pos: m.Pos, src: m.Unit}
		if d.Kernel, d.Err = discovered(m); d.Err != nil {
			d.Kernel = nil
		}
		all = append(all, d)
	}
	return all
}

func discovered(m *source.Made) (*Kernel, error) {
	unknown := func(format string, args ...any) error {
		return &UnknownError{&source.Error{Pos: m.Pos, Msg: fmt.Sprintf(format, args...), Hint: "it is compiled when the program runs"}}
	}
	if m.Err != nil {
		return nil, &UnknownError{m.Err}
	}
	opts, err := constantOptions(m.Options)
	if err != nil || m.Unsure {
		return nil, unknown("the options of kernel %s are not all constants", m.Name)
	}
	for i := range m.Unit.Captures {
		if c := &m.Unit.Captures[i]; isString(c.Type) {
			return nil, unknown("kernel %s captures the string %s, whose value becomes a part of the code", m.Name, c.Name)
		}
	}
	u, err := check(m.Unit, opts, nil)
	if err != nil {
		return nil, err
	}
	u.bodies = true
	return &Kernel{decl: m.Name, opts: opts, unit: u}, nil
}

// constantOptions are Options from the constants that their fields have.
func constantOptions(fields map[string]constant.Value) (o Options, err error) {
	bools := map[string]*bool{"NoBounds": &o.NoBounds, "FastMath": &o.FastMath, "FastAtomics": &o.FastAtomics, "NoAlias": &o.NoAlias}
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

// badArchive is why an archive cannot be used.
var badArchive atomic.Pointer[error]

// archiveNote is what archives have to do with a kernel that cannot be compiled,
// "" for nothing.
func archiveNote(kind abi.Kind) string {
	switch err := badArchive.Load(); {
	case err != nil:
		return fmt.Sprintf(", while the program's archive cannot be used (%v)", *err)
	case carriesArchive(kind):
		return ", which the program's archive has no code of it for (heddle build compiles what it finds)"
	}
	return ""
}

// carriesArchive says whether an archive has objects of a kind.
func carriesArchive(kind abi.Kind) bool {
	return slices.ContainsFunc(codegen.Archives(), func(a *codegen.Archive) bool { return len(a.MathLibs(kind)) > 0 })
}

// Archive makes the kernels known that heddle build compiled ahead of time:
//
//	//go:embed kernels.heddle
//	var kernels []byte
//	var _ = kernel.Archive(kernels)
//
// What is in an archive is neither compiled nor looked for on disk; a launch of
// anything else compiles it, if there is a compiler. The program still needs its
// kernels' sources (see Source), by which they are found in the archive. Archive
// returns true. One of another version of heddle, or damaged, is as good as none:
// where a kernel then cannot be compiled, the error says so.
func Archive(data []byte) bool {
	if err := codegen.AddArchive(data); err != nil {
		badArchive.CompareAndSwap(nil, &err)
		launch.Compiled(err)
	}
	if carriesArchive(abi.Native) {
		launch.Compiled(nil)
	}
	return true
}

// AddTo compiles the kernel for an architecture and warp size (0 for its own),
// and adds it to an archive, for tools.
func (k *Kernel) AddTo(w *codegen.ArchiveWriter, arch string, warpSize int) (*codegen.Entry, error) {
	var e *codegen.Entry
	err := k.withProgram(arch, warpSize, 0, func(u *unit, m *target.Machine) error {
		req, _, err := u.request(m, k.opts)
		if err != nil {
			return err
		}
		if e, err = w.Add(req, u.src.Name, m.MathLib); err != nil {
			return errs.F("kernel %s: compiling for %s: %w", u.src.Name, m.CPU, err)
		}
		return nil
	})
	return e, err
}

// InArchive is the key of the kernel's object for an architecture and warp size
// (0 for its own) in an archive, "" if that lacks it, for tools. Nothing is compiled.
func (k *Kernel) InArchive(a *codegen.Archive, arch string, warpSize int) (key string, err error) {
	err = k.withProgram(arch, warpSize, 0, func(u *unit, m *target.Machine) (lacks error) {
		_, key, lacks = u.archived(m, k.opts, []*codegen.Archive{a})
		return lacks
	})
	return key, err
}
