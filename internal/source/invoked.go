package source

import (
	"go/types"
	"slices"
	"strings"

	"heddle/internal/module"
)

// This file finds the methods that code calls through interfaces: which types they are of
// is known in each instance of a function only, so all types that the code mentions count.

// An invoker is what a reach knows of interfaces.
type invoker struct {
	types map[types.Type]bool // that the reached code mentions
	named []*types.Named      // those with methods
	calls []*types.Func       // of interfaces, that it calls
}

// mention adds the types that a type of reached code is made of.
func (r *reach) mention(t types.Type) {
	if t == nil || r.types[t] {
		return
	}
	if r.types == nil {
		r.types = map[types.Type]bool{}
	}
	r.types[t] = true
	switch t := t.(type) {
	case *types.Alias:
		r.mention(types.Unalias(t))
	case *types.Named:
		if types.IsInterface(t) {
			return
		}
		r.named = append(r.named, t)
		for _, m := range r.calls {
			r.invoke(t, m)
		}
		r.mention(t.Underlying())
	case *types.Struct:
		for f := range t.Fields() {
			r.mention(f.Type())
		}
	case *types.Signature:
		r.mention(t.Params())
		r.mention(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			r.mention(v.Type())
		}
	case interface{ Elem() types.Type }:
		r.mention(t.Elem())
	}
}

// invoked adds a method of an interface that reached code calls.
func (r *reach) invoked(m *types.Func) {
	if path := m.Pkg().Path(); path == "reflect" || strings.HasPrefix(path, module.Internal+"driver") || slices.Contains(r.calls, m) {
		return // the first two are the host's: no kernel has such an interface
	}
	r.calls = append(r.calls, m)
	for _, t := range r.named {
		r.invoke(t, m)
	}
}

// invoke adds a type's method if an interface may hold the type when m is called.
func (r *reach) invoke(t *types.Named, m *types.Func) {
	i, ok := recvType(m).Underlying().(*types.Interface)
	p := types.NewPointer(t)
	if !ok || t.TypeArgs() == nil && t.TypeParams() == nil && !types.Implements(p, i) {
		return
	}
	o, _, _ := types.LookupFieldOrMethod(p, true, m.Pkg(), m.Name())
	if f, ok := o.(*types.Func); ok && !types.IsInterface(recvType(f)) {
		r.fn(f.Origin())
	}
}
