package llvm

import (
	"iter"
	"unsafe"
)

// A Global is a function or variable of a Module.
type Global struct {
	lib *Library
	ref ref
}

// Linkage is how a Global's name is bound, in the C API's numbers.
type Linkage int32

// The linkages that matter here; the C API has more.
const (
	External    Linkage = 0
	LinkOnceODR Linkage = 3
	Internal    Linkage = 8
)

// Functions iterates over the module's functions, declarations included.
func (m *Module) Functions() iter.Seq[Global] {
	api := m.ctx.lib.api
	return m.globals(api.getFirstFunction, api.getNextFunction)
}

// Variables iterates over the module's global variables, declarations included.
func (m *Module) Variables() iter.Seq[Global] {
	api := m.ctx.lib.api
	return m.globals(api.getFirstGlobal, api.getNextGlobal)
}

func (m *Module) globals(first, next func(ref) ref) iter.Seq[Global] {
	return func(yield func(Global) bool) {
		for v := first(m.ref); v != 0; {
			after := next(v)
			if !yield(Global{m.ctx.lib, v}) {
				return
			}
			v = after
		}
	}
}

// Name is the symbol.
//
//go:noinline
func (g Global) Name() string {
	var n uintptr
	p := g.lib.api.getValueName2(g.ref, &n)
	return string(unsafe.Slice((*byte)(p), n))
}

// IsDeclaration reports whether the definition is missing.
func (g Global) IsDeclaration() bool { return g.lib.api.isDeclaration(g.ref) != 0 }

// Linkage is the global's linkage.
func (g Global) Linkage() Linkage { return Linkage(g.lib.api.getLinkage(g.ref)) }

// SetLinkage changes the linkage. A global made internal gets the default
// visibility, as LLVM demands.
func (g Global) SetLinkage(l Linkage) {
	if l == Internal {
		g.lib.api.setVisibility(g.ref, 0)
	}
	g.lib.api.setLinkage(g.ref, int32(l))
}

// SetAttribute gives a function one of the attributes that are text.
func (g Global) SetAttribute(key, value string) {
	g.lib.api.addTargetDependentFunctionAttr(g.ref, key, value)
}

// functionIndex is where a function's own attributes are, in the C API.
const functionIndex = ^uint32(0)

// AddAttribute gives a function one of LLVM's own attributes without a value,
// "alwaysinline" for one.
func (m *Module) AddAttribute(f Global, name string) {
	api := m.ctx.lib.api
	api.addAttributeAtIndex(f.ref, functionIndex, api.createEnumAttribute(m.ctx.ref, api.attribute(name), 0))
}

// HasAttribute reports whether a function has one of LLVM's own attributes.
func (g Global) HasAttribute(name string) bool {
	return g.lib.api.getEnumAttributeAtIndex(g.ref, functionIndex, g.lib.api.attribute(name)) != 0
}

// attribute is the number of an attribute, 0 for none that this LLVM has.
func (a *api) attribute(name string) uint32 {
	return a.getEnumAttributeKindForName(unsafe.Pointer(unsafe.StringData(name)), uintptr(len(name)))
}

// IsKernel reports whether a function has a GPU kernel's calling convention.
func (g Global) IsKernel() bool {
	const amdgpuKernel, ptxKernel = 91, 71
	cc := g.lib.api.getFunctionCallConv(g.ref)
	return cc == amdgpuKernel || cc == ptxKernel
}

// ReplaceBy makes every use of the function f one of the function of that name
// and of f's type, declared if it is not there: an intrinsic for another, say.
func (m *Module) ReplaceBy(f Global, name string) {
	api := m.ctx.lib.api
	for g := range m.Functions() {
		if g.Name() == name {
			api.replaceAllUsesWith(f.ref, g.ref)
			return
		}
	}
	api.replaceAllUsesWith(f.ref, api.addFunction(m.ref, name, api.globalGetValueType(f.ref)))
}
