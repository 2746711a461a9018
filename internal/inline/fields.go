package inline

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
)

// This file sets the fields of go/ssa that it does not export: it lets nobody else make instructions. Their names and types
// are looked up, and where go/ssa has changed them nothing is made.

// private are the fields that are set, by what has them.
func private() map[reflect.Type]map[string]reflect.Type {
	function, referrers := reflect.TypeFor[*ssa.Function](), reflect.TypeFor[[]ssa.Instruction]()
	block, typ, num := reflect.TypeFor[*ssa.BasicBlock](), reflect.TypeFor[types.Type](), reflect.TypeFor[int]()
	return map[reflect.Type]map[string]reflect.Type{
		reflect.TypeFor[ssa.BasicBlock](): {"parent": function},
		reflect.TypeFor[ssa.Parameter]():  {"parent": function, "referrers": referrers},
		reflect.TypeFor[ssa.FreeVar]():    {"parent": function, "referrers": referrers},
		reflect.TypeFor[ssa.Jump]():       {"block": block},
		reflect.TypeFor[ssa.Phi]():        {"block": block, "typ": typ, "num": num},
		reflect.TypeFor[ssa.Field]():      {"block": block, "typ": typ, "num": num, "pos": reflect.TypeFor[token.Pos]()},
		reflect.TypeFor[ssa.Index]():      {"block": block, "typ": typ, "num": num, "pos": reflect.TypeFor[token.Pos]()},
	}
}

// dominance are the fields of a block's place in the dominator tree, which is its field dom.
func dominance() map[string]reflect.Type {
	block, number := reflect.TypeFor[*ssa.BasicBlock](), reflect.TypeFor[int32]()
	return map[string]reflect.Type{"idom": block, "children": reflect.SliceOf(block), "pre": number, "post": number}
}

// known reports whether go/ssa has these fields.
var known = lazy.Value[bool]{Make: func() bool {
	has := func(t reflect.Type, fields map[string]reflect.Type) bool {
		for name, want := range fields {
			if f, ok := t.FieldByName(name); !ok || f.Type != want {
				return false
			}
		}
		return true
	}
	for t, fields := range private() {
		if !has(t, fields) {
			return false
		}
	}
	dom, ok := reflect.TypeFor[ssa.BasicBlock]().FieldByName("dom")
	return ok && dom.Type.Kind() == reflect.Struct && has(dom.Type, dominance())
}}

// set sets a field of what p points to.
func set(p any, name string, to any) { put(reflect.ValueOf(p).Elem().FieldByName(name), to) }

func put(field reflect.Value, to any) {
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(to))
}

// place sets a block's place in the dominator tree.
func place(b, idom *ssa.BasicBlock, children []*ssa.BasicBlock, pre, post int32) {
	dom := reflect.ValueOf(b).Elem().FieldByName("dom")
	put(dom.FieldByName("idom"), idom)
	put(dom.FieldByName("children"), children)
	put(dom.FieldByName("pre"), pre)
	put(dom.FieldByName("post"), post)
}

// cloned is a copy of an instruction that belongs to a function: its operands may be set, and a local variable is the function's.
func cloned(fn *ssa.Function, i ssa.Instruction) ssa.Instruction {
	n := copied(i)
	switch n := n.(type) {
	case *ssa.Phi:
		n.Edges = slices.Clone(n.Edges)
	case *ssa.Call:
		n.Call.Args = slices.Clone(n.Call.Args)
	case *ssa.MakeClosure:
		n.Bindings = slices.Clone(n.Bindings)
	case *ssa.Return:
		n.Results = slices.Clone(n.Results)
	case *ssa.Alloc:
		if !n.Heap {
			fn.Locals = append(fn.Locals, n)
		}
	}
	return n
}

// copied is a copy of an instruction or of a parameter, which nothing refers to.
func copied[T any](x T) T {
	old := reflect.ValueOf(x).Elem()
	c := reflect.New(old.Type())
	c.Elem().Set(old)
	return c.Interface().(T)
}
