package kernel

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/exe"
	"heddle/internal/program"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/launch"
)

// This file finds a kernel's program, and shares what is made of a function among the
// kernels of it.

// A sharedProgram is a kernel's program with its loaded forms; without a program, what a
// process before this one has made of it for one machine.
type sharedProgram struct {
	*program.Program
	captured *program.Captured
	recalled *abi.Object // of Program == nil
	loading  sync.Mutex
	loaded   atomic.Pointer[[]*loaded] // one for each device; who stores another slice holds loading
}

// current reports whether the program still fits what k captures.
func (p *sharedProgram) current(k *Kernel) bool {
	return p == nil || p.captured.Current(closure(&k.fn))
}

// with calls f with the kernel's program and the machine it is for: see program.With.
func (k *Kernel) with(arch string, warpSize, codeObject int, f func(*sharedProgram, *target.Machine) error) error {
	var p *sharedProgram
	find := func(bodies bool) (_ *program.Program, err error) {
		if p, err = k.find(bodies); err != nil {
			return nil, err
		}
		return p.Program, nil
	}
	return program.With(k.Name(), arch, warpSize, codeObject, find, func(_ *program.Program, m *target.Machine) error { return f(p, m) })
}

// identify is what the kernel's function is. An error that has no place in the source has that of the call that made the kernel.
func (k *Kernel) identify() (exe.Ident, error) {
	id, err := exe.Identify(k.fn)
	if err != nil {
		o := k.sourceOptions()
		err = o.Locate(err)
	}
	return id, err
}

// find is the program for what the closure captures now, with bodies if so asked.
func (k *Kernel) find(bodies bool) (*sharedProgram, error) {
	id, err := k.identify()
	if err != nil {
		return nil, errs.F("kernel %s: %w", k.Name(), err)
	}
	key := codeKey{id: id.ID, opts: k.opts.settings()}
	if p := k.known(key, bodies); p != nil {
		return p, nil
	}
	start := time.Now()
	if err := program.RegisterOwn(); err != nil {
		return nil, err
	}
	intrinsic := program.HasRow
	if bodies {
		intrinsic = program.IsIntrinsic
	}
	o := k.sourceOptions()
	o.Intrinsic = intrinsic
	src, err := source.Find(k.fn, o)
	if err != nil {
		return nil, errs.F("kernel %s: %w", k.Name(), err)
	}
	p, err := program.Check(src, program.Options(k.opts), closure(&k.fn))
	if err != nil {
		return nil, err
	}
	p.Bodies, p.Took = bodies, time.Since(start)
	return k.share(key, &sharedProgram{Program: p, captured: p.Captured}), nil
}

// compiled is the kernel's program and its object for a machine. What another process of
// the same binary has compiled is taken as it is, without a look at the source; then the
// program has nothing but that. The object has no code yet if there are launches of which its condition may not hold.
func (k *Kernel) compiled(arch string, warpSize, codeObject int) (p *sharedProgram, obj *abi.Object, err error) {
	if m, merr := program.Machine(arch, warpSize, codeObject); merr == nil {
		if p := k.recall(m); p != nil {
			return p, p.recalled, nil
		}
	}
	err = k.with(arch, warpSize, codeObject, func(sp *sharedProgram, m *target.Machine) error {
		p = sp
		if obj, err = p.Condition(m, program.Options(k.opts)); err != nil || obj != nil {
			return err
		}
		obj, err = k.compileProgram(p, m)
		return err
	})
	return p, obj, err
}

// isPending reports whether an object has no code yet.
func isPending(obj *abi.Object) bool { return obj.Code == nil && obj.Kind != abi.GoFunc }

// withCode is compiled, with code.
func (k *Kernel) withCode(arch string, warpSize, codeObject int) (*abi.Object, error) {
	p, obj, err := k.compiled(arch, warpSize, codeObject)
	if err != nil || !isPending(obj) {
		return obj, err
	}
	return k.complete(p, arch, warpSize, codeObject)
}

// complete is the object with code of a program whose object had none.
func (k *Kernel) complete(p *sharedProgram, arch string, warpSize, codeObject int) (*abi.Object, error) {
	m, err := program.Machine(arch, warpSize, codeObject)
	if err != nil {
		return nil, err
	}
	return k.compileProgram(p, m)
}

// compileProgram compiles a kernel's program, and puts the object on record.
func (k *Kernel) compileProgram(p *sharedProgram, m *target.Machine) (*abi.Object, error) {
	obj, err := p.Compile(m, program.Options(k.opts))
	if err == nil {
		p.Remember(k.Name(), program.Options(k.opts), m, obj, closure(&k.fn))
	}
	return obj, err
}

// recall is what is on record of the kernel for a machine; nil if there is nothing, or if this
// process has found its source already.
func (k *Kernel) recall(m *target.Machine) *sharedProgram {
	id, err := k.identify()
	if err != nil {
		return nil
	}
	key := codeKey{id: id.ID, opts: k.opts.settings()}
	if k.known(key, false) != nil {
		return nil
	}
	if key.record = program.RecordKey(k.Name(), id.ID, program.Options(k.opts), m); key.record != "" {
		if p := k.known(key, false); p != nil {
			return p
		}
	}
	v := program.Recall(key.record, closure(&k.fn))
	if v == nil {
		return nil
	}
	return k.share(key, &sharedProgram{captured: v.Captured, recalled: v.Object})
}

// settings are the Options that make a difference to a compile.
type settings struct {
	noBounds, fastMath, fastAtomics, images, noAlias bool
	maxThreads, minBlocks                            int
	specialize                                       [4]string // the names, sorted, without their order and repetition; all in the first one if they are more
}

func (o *Options) settings() settings {
	s := settings{noBounds: o.NoBounds, fastMath: o.FastMath, fastAtomics: o.FastAtomics, images: o.ImageInstructions, noAlias: o.NoAlias,
		maxThreads: o.MaxThreads, minBlocks: o.MinBlocks}
	if len(o.Specialize) <= len(s.specialize) {
		names := append(s.specialize[:0], o.Specialize...)
		slices.Sort(names)
		clear(s.specialize[len(slices.Compact(names)):])
		return s
	}
	names := slices.Sorted(slices.Values(o.Specialize))
	s.specialize[0] = strings.Join(slices.Compact(names), ",")
	return s
}

// A codeKey is what the kernels of one function with the same options have in common.
type codeKey struct {
	id      exe.ID
	opts    settings
	record  string     // of what is on record for one machine
	machine machineKey // where it was found on record; of no record
}

// A machineKey is a machine as a device names it.
type machineKey struct {
	arch                 string
	warpSize, codeObject int
}

// loadedBefore is the loaded form that another kernel of the same code has on a device, without a look at what
// a compile would depend on; nil if there is none. A program that makes a kernel for each launch comes here each time.
func (k *Kernel) loadedBefore(dev *launch.Device, m machineKey) *loaded {
	id, err := k.identify()
	if err != nil {
		return nil
	}
	opts := k.opts.settings()
	code := *(*uintptr)(closure(&k.fn))
	programs.Lock()
	defer programs.Unlock()
	if r := programs.recent[code]; r.program != nil && r.id == id.ID && r.opts == opts && r.program.current(k) {
		if l := r.program.onDevice(dev); l != nil {
			return l
		}
	}
	for _, key := range [2]codeKey{{id: id.ID, opts: opts}, {id: id.ID, opts: opts, machine: m}} {
		// A program has two forms where bodies are needed: see program.With.
		for _, p := range programs.byCode[key] {
			if !p.current(k) {
				continue
			}
			if l := p.onDevice(dev); l != nil {
				if programs.recent == nil {
					programs.recent = map[uintptr]recent{}
				}
				programs.recent[code] = recent{id.ID, opts, p, k.call}
				return l
			}
		}
	}
	return nil
}

// madeBefore is the place of an earlier call that made a kernel of the same function, 0 if there is none: to find the place of this
// one takes as long as half a launch, and whoever makes a kernel for each launch does so at one place.
func (k *Kernel) madeBefore() uintptr {
	programs.Lock()
	r := programs.recent[*(*uintptr)(closure(&k.fn))]
	programs.Unlock()
	if r.program == nil {
		return 0
	}
	if id, err := exe.Identify(k.fn); err != nil || id.ID != r.id {
		return 0
	}
	return r.call
}

// A recent is a program that was found for a kernel, with what it was found by.
type recent struct {
	id      exe.ID
	opts    settings
	program *sharedProgram
	call    uintptr // see Kernel.call, of the kernel it was found for
}

// shareFor makes a program that was on record known for a machine.
func (k *Kernel) shareFor(m machineKey, p *sharedProgram) *sharedProgram {
	id, err := k.identify()
	if err != nil {
		return p
	}
	return k.share(codeKey{id: id.ID, opts: k.opts.settings(), machine: m}, p)
}

// onDevice is the program's loaded form on a device, nil if there is none.
func (p *sharedProgram) onDevice(dev *launch.Device) *loaded {
	if all := p.loaded.Load(); all != nil {
		for _, l := range *all {
			if l.dev == dev {
				return l
			}
		}
	}
	return nil
}

// maxPrograms is how many programs of one function are kept: as many values of its
// specialised variables, and functions that it captures, have their code at hand.
const maxPrograms = 64

// programs are those of the whole process, the latest used ones last.
var programs struct {
	sync.Mutex
	byCode map[codeKey][]*sharedProgram
	// recent has what loadedBefore found last for a function, by the address of its code: to hash a codeKey takes
	// as long as the rest of the search.
	recent map[uintptr]recent
}

// known is the program of k's function that fits what k captures now, nil if
// there is none yet.
func (k *Kernel) known(key codeKey, bodies bool) *sharedProgram {
	programs.Lock()
	defer programs.Unlock()
	return findProgram(key, k, bodies)
}

// findProgram is known for a caller that holds the lock.
func findProgram(key codeKey, k *Kernel, bodies bool) *sharedProgram {
	all := programs.byCode[key]
	for i, p := range all {
		if (!bodies || p.Bodies) && p.current(k) {
			if i < len(all)-1 {
				copy(all[i:], all[i+1:])
				all[len(all)-1] = p
			}
			return p
		}
	}
	return nil
}

// share makes p known to the kernels of its function, unless k fits a program that
// is known already: then that is returned.
func (k *Kernel) share(key codeKey, p *sharedProgram) *sharedProgram {
	programs.Lock()
	defer programs.Unlock()
	if known := findProgram(key, k, p.Program != nil && p.Bodies); known != nil {
		return known
	}
	if programs.byCode == nil {
		programs.byCode = map[codeKey][]*sharedProgram{}
	}
	all := append(programs.byCode[key], p)
	if len(all) > maxPrograms {
		all = slices.Delete(all, 0, len(all)-maxPrograms)
	}
	programs.byCode[key] = all
	return p
}

// loadedOn is the program's loaded form on a device; load makes it where there is
// none yet.
func (p *sharedProgram) loadedOn(dev *launch.Device, load func() (*loaded, error)) (*loaded, error) {
	p.loading.Lock()
	defer p.loading.Unlock()
	if l := p.onDevice(dev); l != nil {
		return l, nil
	}
	l, err := load()
	if err != nil {
		return nil, err
	}
	all := []*loaded{l}
	if old := p.loaded.Load(); old != nil {
		for _, l := range *old {
			if !l.dev.Closed() {
				all = append(all, l)
			}
		}
	}
	p.loaded.Store(&all)
	return l, nil
}
