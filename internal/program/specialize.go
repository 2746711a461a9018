package program

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unsafe"

	"heddle/internal/diag"
	"heddle/internal/source"
	"heddle/ssa2ir"
)

// This file makes constants of captured variables: of strings, and of those that
// Options.Specialize names.

// sizes are those of every target.
var sizes = types.SizesFor("gc", "amd64")

// all in Options.Specialize stands for every captured variable that can be a constant.
const all = "*"

// A specializer decides which captured variables of a kernel become constants, and
// takes their values.
type specializer struct {
	names []string
	met   map[string]bool
	can   []string // the names of the captured variables, for an error
}

// value is what a captured variable at an address holds, as a constant; nil if
// the variable stays one.
func (b *specializer) value(src *source.Func, c *source.Capture, at unsafe.Pointer) (*ssa2ir.Value, error) {
	named := slices.Contains(b.names, c.Name)
	b.can = append(b.can, c.Name)
	if named {
		b.met[c.Name] = true
	}
	switch {
	case !named && !IsString(c.Type) && !slices.Contains(b.names, all):
		return nil, nil
	case !ssa2ir.CanBeConstant(c.Type):
		if named {
			return nil, &diag.Error{Pos: src.Fset.Position(c.Pos), Msg: fmt.Sprintf("captured variable %s of type %s cannot be specialised: it holds addresses, or is too large", c.Name, c.Type),
				Hint: "take it out of Options.Specialize"}
		}
		return nil, nil
	}
	return readValue(c.Type, at), nil
}

// unknown says which names no captured variable has.
func (b *specializer) unknown(src *source.Func) error {
	for _, n := range b.names {
		if n != all && !b.met[n] {
			what := "it captures none"
			if len(b.can) > 0 {
				what = "it captures " + strings.Join(b.can, ", ")
			}
			return &diag.Error{Pos: src.Pos, Msg: fmt.Sprintf("kernel %s: Options.Specialize names %s, which is no variable that it captures", src.Name, n), Hint: what}
		}
	}
	return nil
}

// IsString reports whether t is a string type.
func IsString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// readValue copies the value of type t at an address, and the strings in it.
func readValue(t types.Type, at unsafe.Pointer) *ssa2ir.Value {
	v := &ssa2ir.Value{Bytes: bytes.Clone(unsafe.Slice((*byte)(at), sizes.Sizeof(t)))}
	for _, o := range stringsIn(t, 0, nil) {
		if v.Strings == nil {
			v.Strings = map[int64]string{}
		}
		v.Strings[o] = strings.Clone(*(*string)(unsafe.Add(at, o)))
		clear(v.Bytes[o : o+int64(unsafe.Sizeof(""))])
	}
	return v
}

// stringsIn appends the offsets of the strings in a value of type t.
func stringsIn(t types.Type, at int64, to []int64) []int64 {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			to = append(to, at)
		}
	case *types.Array:
		for i := range u.Len() {
			to = stringsIn(u.Elem(), at+i*sizes.Sizeof(u.Elem()), to)
		}
	case *types.Struct:
		fields := slices.Collect(u.Fields())
		for i, o := range sizes.Offsetsof(fields) {
			to = stringsIn(fields[i].Type(), at+o, to)
		}
	}
	return to
}
