package inline

import (
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// This file sets the fields of go/ssa that it does not export: it lets nobody else make instructions. Their names and types
// are looked up, and where go/ssa has changed them nothing is made.

// private are the fields that are set, by what has them.
var private = map[reflect.Type]map[string]reflect.Type{
	reflect.TypeFor[ssa.BasicBlock](): {"parent": reflect.TypeFor[*ssa.Function]()},
	reflect.TypeFor[ssa.Parameter]():  {"parent": reflect.TypeFor[*ssa.Function](), "referrers": reflect.TypeFor[[]ssa.Instruction]()},
	reflect.TypeFor[ssa.FreeVar]():    {"parent": reflect.TypeFor[*ssa.Function](), "referrers": reflect.TypeFor[[]ssa.Instruction]()},
	reflect.TypeFor[ssa.Jump]():       {"block": reflect.TypeFor[*ssa.BasicBlock]()},
	reflect.TypeFor[ssa.Phi]():        {"block": reflect.TypeFor[*ssa.BasicBlock](), "typ": reflect.TypeFor[types.Type](), "num": reflect.TypeFor[int]()},
	reflect.TypeFor[ssa.Field]():      {"block": reflect.TypeFor[*ssa.BasicBlock](), "typ": reflect.TypeFor[types.Type](), "num": reflect.TypeFor[int](), "pos": reflect.TypeFor[token.Pos]()},
}

// dominance are the fields of a block's place in the dominator tree, which is its field dom.
var dominance = map[string]reflect.Type{
	"idom": reflect.TypeFor[*ssa.BasicBlock](), "children": reflect.TypeFor[[]*ssa.BasicBlock](), "pre": reflect.TypeFor[int32](), "post": reflect.TypeFor[int32](),
}

// known reports whether go/ssa has these fields.
var known = sync.OnceValue(func() bool {
	has := func(t reflect.Type, fields map[string]reflect.Type) bool {
		for name, want := range fields {
			if f, ok := t.FieldByName(name); !ok || f.Type != want {
				return false
			}
		}
		return true
	}
	for t, fields := range private {
		if !has(t, fields) {
			return false
		}
	}
	dom, ok := reflect.TypeFor[ssa.BasicBlock]().FieldByName("dom")
	return ok && dom.Type.Kind() == reflect.Struct && has(dom.Type, dominance)
})

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

// copied is a copy of an instruction or of a parameter, which nothing refers to.
func copied[T any](x T) T {
	old := reflect.ValueOf(x).Elem()
	c := reflect.New(old.Type())
	c.Elem().Set(old)
	return c.Interface().(T)
}
