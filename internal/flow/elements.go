package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file tells the elements of slices and arrays apart by where those are
// made. Where that is not known it is all elements of a type.

// An element is a value that is stored in a slice or an array.
type element struct {
	of  ssa.Value // the slice, or the array's address
	val ssa.Value
}

// maxSteps is how many variables a slice is followed through.
const maxSteps = 8

// elements follows the elements, whose type is named, of a slice, an array or an
// array's address.
func (s *search) elements(of ssa.Value, typ string) {
	home := s.home(of, maxSteps)
	if s.copied[typ] {
		home = nil
	}
	for _, e := range s.elems[typ] {
		if h := s.home(e.of, maxSteps); home == nil || h == nil || h == home {
			s.value(e.val)
		}
	}
}

// home is the array of a slice, an array or an array's address, as the
// instruction or variable that makes it; nil if that is not known to be one.
func (f *Flow) home(v ssa.Value, steps int) ssa.Value {
	if steps == 0 {
		return nil
	}
	only := func(addr ssa.Value) ssa.Value {
		if vals := f.assigned(addr); len(vals) == 1 {
			return f.home(vals[0], steps-1)
		}
		return nil
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return f.home(x.X, steps-1)
	case *ssa.ChangeType:
		return f.home(x.X, steps-1)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil
		}
		switch a := x.X.(type) {
		case *ssa.Alloc, *ssa.Global:
			if f.isArray(a) {
				return f.home(a, steps-1)
			}
			return only(a)
		}
	case *ssa.Alloc, *ssa.Global:
		switch {
		case !f.isArray(x):
			return nil
		case len(f.assigned(x)) > 0: // as a whole
			return only(x)
		}
		return x
	}
	return nil
}

// isArray reports whether a variable, by its address, is an array.
func (f *Flow) isArray(addr ssa.Value) bool {
	_, ok := addr.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	return ok
}
