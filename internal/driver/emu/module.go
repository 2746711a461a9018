package emu

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/amdemu"
	"heddle/internal/driver"
)

// This file takes code objects that other compilers have made.

// modules are those that are loaded.
type modules struct {
	mu  sync.Mutex
	all []*module
}

// holds reports whether memory is a variable of a module.
func (ms *modules) holds(p unsafe.Pointer, n int) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	return slices.ContainsFunc(ms.all, func(m *module) bool {
		for _, v := range m.variables {
			if at := uintptr(p) - uintptr(v.at); at < uintptr(v.size) && n <= v.size-int(at) {
				return true
			}
		}
		return false
	})
}

// module implements driver.Module.
type module struct {
	engine    *engine
	program   *amdemu.Program
	variables []variable // asked for; guarded by modules' mu
}

type variable struct {
	at   unsafe.Pointer
	size int
}

// LoadModule implements host.ModuleLoader.
func (e *engine) LoadModule(code []byte) (driver.Module, error) {
	p, err := amdemu.Load(code, e.memory, e.disasm)
	if err != nil {
		return nil, err
	}
	if p.Arch() != e.info.Arch {
		return nil, errors.Join(fmt.Errorf("%s: code for %s", e.info.Name, p.Arch()), p.Close())
	}
	p.Wrapped = false
	m := &module{engine: e, program: p}
	e.modules.mu.Lock()
	defer e.modules.mu.Unlock()
	e.modules.all = append(e.modules.all, m)
	return m, nil
}

// Function implements driver.Module.
func (m *module) Function(obj *abi.Object) (driver.Function, error) {
	own := *obj
	f := &function{engine: m.engine, object: &own, program: m.program, shared: true}
	if err := f.bind(); err != nil {
		return nil, fmt.Errorf("%s: kernel %s: %w", m.engine.info.Name, obj.Name, err)
	}
	return f, nil
}

// Params implements driver.Module: the code object's metadata tell.
func (m *module) Params(string) (params [][2]int, known bool, err error) { return nil, false, nil }

// Global implements driver.Module.
func (m *module) Global(name string) (driver.Ptr, int, error) {
	at, size, ok := m.program.Symbol(name)
	if !ok || size == 0 {
		return nil, 0, fmt.Errorf("%s: the code object has no variable %s", m.engine.info.Name, name)
	}
	m.engine.modules.mu.Lock()
	defer m.engine.modules.mu.Unlock()
	m.variables = append(m.variables, variable{at, size})
	return at, size, nil
}

// Close implements driver.Module.
func (m *module) Close() error {
	ms := &m.engine.modules
	ms.mu.Lock()
	ms.all = slices.DeleteFunc(ms.all, func(o *module) bool { return o == m })
	ms.mu.Unlock()
	return m.program.Close()
}
