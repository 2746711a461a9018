// Package ahead finds, compiles and tries kernels without the program that makes them, from
// its source. It is what the commands heddle generate, build and dump do.
package ahead

import (
	"io"

	"heddle/internal/codegen"
	"heddle/internal/errs"
	"heddle/internal/program"
	"heddle/internal/source"
	"heddle/internal/target"
)

// A Kernel is one that a declaration or a call of kernel.New would make. It can be dumped,
// compiled and tried (Try); only its program can launch it.
type Kernel struct {
	name string
	opts program.Options
	prog *program.Program // with bodies
}

func newKernel(src *source.Func, name string, opts program.Options) (*Kernel, error) {
	p, err := program.Check(src, opts, nil)
	if err != nil {
		return nil, err
	}
	p.Bodies = true
	return &Kernel{name, opts, p}, nil
}

// Name is the kernel's Go function: "main.Saxpy".
func (k *Kernel) Name() string { return k.name }

func (k *Kernel) with(arch string, warpSize, codeObject int, f func(*program.Program, *target.Machine) error) error {
	return program.With(k.name, arch, warpSize, codeObject, func(bool) (*program.Program, error) { return k.prog, nil }, f)
}

// Dump writes one of program.Stages of the kernel, for an architecture and a warp size (0
// for its own).
func (k *Kernel) Dump(w io.Writer, arch string, warpSize int, stage string) error {
	return k.with(arch, warpSize, 0, func(p *program.Program, m *target.Machine) error { return p.Dump(w, m, k.opts, stage) })
}

// AddTo compiles the kernel for an architecture and warp size (0 for its own),
// and adds it to an archive: one object, or two if one of them is for some launches only.
func (k *Kernel) AddTo(w *codegen.ArchiveWriter, arch string, warpSize int) (all []*codegen.Entry, err error) {
	err = k.with(arch, warpSize, 0, func(p *program.Program, m *target.Machine) error {
		for _, general := range []bool{false, true} {
			req, res, err := p.Request(m, k.opts, general)
			if err != nil {
				return err
			}
			e, err := w.Add(req, p.Src.Name, m.MathLib)
			if err != nil {
				return errs.F("kernel %s: compiling for %s: %w", p.Src.Name, m.CPU, err)
			}
			all = append(all, e)
			if res.Condition == nil {
				return nil
			}
		}
		return nil
	})
	return all, err
}

// InArchive are the keys of the kernel's objects for an architecture and warp size
// (0 for its own) in an archive, nil if that lacks one. Nothing is compiled.
func (k *Kernel) InArchive(a *codegen.Archive, arch string, warpSize int) (keys []string, err error) {
	err = k.with(arch, warpSize, 0, func(p *program.Program, m *target.Machine) error {
		for _, general := range []bool{false, true} {
			obj, key, lacks := p.Archived(m, k.opts, general, []*codegen.Archive{a})
			if obj == nil {
				keys = nil
				return lacks
			}
			if keys = append(keys, key); obj.Condition == nil {
				break
			}
		}
		return nil
	})
	return keys, err
}
