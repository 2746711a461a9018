package launch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/internal/foreign"
)

// A Module is code that another compiler has made, loaded on a device (hipModule_t). Its
// kernels and variables are found by name.
type Module struct {
	dev  *Device
	drv  driver.Module
	kind foreign.Kind
	arch string
	// known are the kernels, where the code tells of them.
	known map[string]*foreign.Kernel

	mu      sync.Mutex
	kernels map[string]*ModuleKernel
	closed  bool
}

// takes are the forms of code that a target takes.
func takes(target string) []foreign.Kind {
	switch target {
	case "amdgpu":
		return []foreign.Kind{foreign.HSACO, foreign.Bundle}
	case "nvptx":
		return []foreign.Kind{foreign.PTX, foreign.Cubin, foreign.Fatbin}
	}
	return nil
}

// LoadModule loads code that another compiler has made for d (hipModuleLoadData,
// cuModuleLoadData): on AMD's GPUs and the emulator a code object (hsaco) or clang's offload
// bundle, as hipcc --genco writes it; on NVIDIA's PTX, a cubin or a fat binary, as nvcc -ptx,
// -cubin and -fatbin write them. The other devices run no such code, which is an error.
func LoadModule(d *Device, code []byte) (*Module, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	m := &Module{dev: d, kind: foreign.KindOf(code), arch: d.info.Arch, kernels: map[string]*ModuleKernel{}}
	can, ok := d.drv.(driver.Modules)
	want := takes(d.info.Target)
	switch {
	case !ok || want == nil:
		return nil, errs.F("launch: LoadModule: %s runs no code of other compilers; emu:%s and GPUs do", d.info.Name, "gfx942")
	case m.kind == foreign.Unknown:
		return nil, errs.F("launch: LoadModule: %d bytes that are no code that is known; %s takes %s", len(code), d.info.Name, listed(want))
	case !slices.Contains(want, m.kind):
		return nil, errs.F("launch: LoadModule: this is %s; %s takes %s", errs.A(string(m.kind)), d.info.Name, listed(want))
	}
	code, err := m.inspect(slices.Clone(code))
	if err != nil {
		return nil, errs.F("launch: LoadModule: %w", err)
	}
	if m.drv, err = can.LoadModule(code); err != nil {
		return nil, errs.F("launch: LoadModule of a %s on %s: %w", m.kind, d, d.vendor(err))
	}
	d.all.Lock()
	defer d.all.Unlock()
	if d.all.modules == nil {
		d.all.modules = map[*Module]bool{}
	}
	d.all.modules[m] = true
	return m, nil
}

func listed(kinds []foreign.Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// inspect reads what the code tells of itself, and returns the part for the device.
func (m *Module) inspect(code []byte) ([]byte, error) {
	var all []foreign.Kernel
	var err error
	switch m.kind {
	case foreign.Bundle:
		if code, err = foreign.Unbundle(code, m.arch); err != nil {
			return nil, err
		}
		fallthrough
	case foreign.HSACO:
		var arch string
		if arch, all, err = foreign.CodeObject(code); err == nil && arch != m.arch {
			err = errs.F("the code object is for %s, %s is %s; compile with --offload-arch=%s", arch, m.dev.info.Name, m.arch, m.arch)
		}
	case foreign.PTX:
		all, err = foreign.Text(code)
	case foreign.Cubin:
		all, err = foreign.Binary(code)
	}
	if err != nil || m.kind == foreign.Fatbin {
		return code, err
	}
	m.known = map[string]*foreign.Kernel{}
	for i := range all {
		m.known[all[i].Name] = &all[i]
	}
	return code, nil
}

// enter begins a use; where it returns nil, dev.leave must follow.
func (m *Module) enter() error {
	if m == nil {
		return errors.New("launch: nil Module")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errs.F("launch: the module of %s is closed", m.dev.Name())
	}
	return m.dev.enter()
}

// Kernels are the names of the module's kernels as its compiler has them, sorted; nil for a
// fat binary, which does not tell.
func (m *Module) Kernels() []string {
	if m == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(m.known))
}

// symbol is the kernel that a name means: it itself, or the one C++ function of that name.
func (m *Module) symbol(name string) (string, error) {
	if m.known == nil || m.known[name] != nil {
		return name, nil
	}
	var found []string
	for _, k := range m.Kernels() {
		if strings.HasPrefix(k, fmt.Sprintf("_Z%d%s", len(name), name)) {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return "", errs.F("launch: the module has no kernel %s; it has %s", name, strings.Join(m.Kernels(), ", "))
	case 1:
		return found[0], nil
	}
	return "", errs.F("launch: the module has %d kernels %s: %s", len(found), name, strings.Join(found, ", "))
}

// Kernel is the module's kernel of that name (hipModuleGetFunction): the compiler's symbol, or
// a C++ function's name where it has one form only.
func (m *Module) Kernel(name string) (*ModuleKernel, error) {
	if err := m.enter(); err != nil {
		return nil, err
	}
	defer m.dev.leave()
	symbol, err := m.symbol(name)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kernels[symbol]; k != nil {
		return k, nil
	}
	k := &ModuleKernel{m: m, info: foreign.Kernel{Name: symbol}}
	if known := m.known[symbol]; known != nil {
		k.info = *known
	}
	if err := k.load(name); err != nil {
		return nil, errs.F("launch: kernel %s: %w", name, m.dev.vendor(err))
	}
	m.kernels[symbol] = k
	return k, nil
}

// load asks the driver for the kernel and its parameters.
func (k *ModuleKernel) load(name string) error {
	m, d := k.m, k.m.dev
	params, known, err := m.drv.Params(k.info.Name)
	switch {
	case err != nil:
		return err
	case known:
		k.refine(params)
	case m.known == nil:
		return errs.F("neither the fat binary nor the driver (%s) tells its parameters; install a driver of CUDA 12.4 or later, or load PTX or a cubin", d.info.Driver)
	}
	obj := &abi.Object{Kind: abi.HSACO, Arch: m.arch, WarpSize: d.info.WarpSize, Kernel: k.info.Name, Name: name, Sig: k.signature()}
	if d.info.Target == "nvptx" {
		obj.Kind = abi.PTX
	}
	obj.Res.LDS, obj.Res.MaxThreads = k.info.Shared, k.info.MaxThreads
	drv, err := m.drv.Function(obj)
	if err != nil {
		return err
	}
	f := &function{dev: d, drv: drv, obj: drv.Object(), maxThreads: d.info.MaxThreads}
	if limit := f.obj.Res.MaxThreads; limit > 0 {
		f.maxThreads = min(f.maxThreads, limit)
	}
	f.maxShared = max(d.info.SharedPerBlock, d.info.SharedPerBlockMax) - f.static()
	k.f = f
	return nil
}

// refine takes the offsets and sizes of the parameters from the driver.
func (k *ModuleKernel) refine(params [][2]int) {
	old := k.info.Params
	k.info.Params, k.info.Size = nil, 0
	for i, p := range params {
		own := foreign.Param{Offset: p[0], Size: p[1], Value: p[1] != 8}
		if i < len(old) && old[i].Size == own.Size {
			own.Name, own.Pointer, own.Value = old[i].Name, old[i].Pointer, old[i].Value
		}
		k.info.Params = append(k.info.Params, own)
		k.info.Size = max(k.info.Size, p[0]+p[1])
	}
}

// Close unloads the module when the work with its kernels has ended, for which it waits
// (hipModuleUnload). Their later use is an error. Closing twice is fine.
func (m *Module) Close() error {
	if m == nil || m.enter() != nil {
		return nil
	}
	defer m.dev.leave()
	m.mu.Lock()
	was := m.closed
	m.closed = true
	kernels := slices.Collect(maps.Values(m.kernels))
	m.mu.Unlock()
	if was {
		return nil
	}
	for _, s := range m.dev.streams() {
		s.mu.Lock()
		runs := slices.ContainsFunc(s.running, func(r running) bool {
			return slices.ContainsFunc(kernels, func(k *ModuleKernel) bool { return k.f == r.f })
		})
		s.mu.Unlock()
		if runs {
			s.rest()
		}
	}
	m.dev.all.Lock()
	delete(m.dev.all.modules, m)
	m.dev.all.Unlock()
	return m.dev.vendor(m.unload())
}

func (m *Module) unload() error {
	var err error
	for _, k := range m.kernels {
		err = errs.Join(err, k.f.drv.Close())
	}
	return errs.Join(err, m.drv.Close())
}
