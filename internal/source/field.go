package source

import (
	"go/types"
	"slices"
	"unsafe"

	"heddle/internal/exe"
)

// This file reads closure objects at launches. What it goes by is plain data: it can be kept
// for another process of the same binary, which then needs no source.

// A Field is where a closure object has a captured variable.
type Field struct {
	// Offset is the place in the closure object of the value, or with ByRef of
	// the pointer to the variable, in bytes.
	Offset uintptr
	ByRef  bool `json:",omitempty"`
	// Inner is the offset in a variable captured by reference.
	Inner uintptr `json:",omitempty"`
	// Dead marks a variable that only statically dead code uses: the compiler
	// did not capture it, and its value is zero.
	Dead bool    `json:",omitempty"`
	Size uintptr // of the variable, in bytes
}

// Addr returns the address of the captured variable's value, given the closure
// object it belongs to. Call it at every launch: a captured variable that the
// program changes is seen with its new value, as Go would see it.
//
//go:noinline
func (f *Field) Addr(obj unsafe.Pointer) unsafe.Pointer {
	if f.Dead {
		return unsafe.Pointer(unsafe.SliceData(make([]uint64, (f.Size+7)/8+1)))
	}
	p := unsafe.Add(obj, f.Offset)
	if f.ByRef {
		return unsafe.Add(*(*unsafe.Pointer)(p), f.Inner)
	}
	return p
}

// A Place is a Field of a closure, or of a func that it captures: Through are the funcs that
// lead there.
type Place struct {
	Through []Field `json:",omitempty"`
	Field
}

// Addr is Field.Addr; obj is the outermost closure.
func (p *Place) Addr(obj unsafe.Pointer) unsafe.Pointer {
	for i := range p.Through {
		obj = *(*unsafe.Pointer)(p.Through[i].Addr(obj))
	}
	return p.Field.Addr(obj)
}

// A FuncIn says which function a func-typed captured variable held when a kernel was found.
type FuncIn struct {
	Place
	Nil    bool    `json:",omitempty"`
	PC     int64   // code entry and dictionary, see exe.Relative
	Dict   int64   `json:",omitempty"`
	DictAt uintptr `json:",omitempty"` // offset of the dictionary in the func's closure object, 0 for none
}

// Holds reports whether the variable still holds it, in the closure object obj. Those that
// lead there have to hold theirs.
func (f *FuncIn) Holds(obj unsafe.Pointer) bool {
	fn := *(*unsafe.Pointer)(f.Addr(obj))
	if fn == nil || f.Nil {
		return fn == nil && f.Nil
	}
	return exe.Relative(*(*uintptr)(fn)) == f.PC && (f.DictAt == 0 || exe.Relative(*(*uintptr)(unsafe.Add(fn, f.DictAt))) == f.Dict)
}

// Funcs are the functions that u's func-typed captures, and theirs, were found with, each
// before those that it leads to. If one holds another now, the kernel needs to be found
// again: its code has changed.
func (u *Func) Funcs() []FuncIn { return u.funcs(nil, nil) }

func (u *Func) funcs(through []Field, outer []*Func) (all []FuncIn) {
	if slices.Contains(outer, u) {
		return nil
	}
	add := func(at Field, held *Func) {
		in := FuncIn{Place: Place{through, at}, Nil: held == nil}
		if held == nil {
			all = append(all, in)
			return
		}
		id := held.ID
		in.PC, in.DictAt = exe.Relative(id.PC), exe.DictionaryAt(id.PC)
		if in.DictAt != 0 {
			in.Dict = exe.Relative(id.Dict)
		}
		all = append(append(all, in), held.funcs(append(slices.Clip(through), at), append(slices.Clip(outer), u))...)
	}
	for i := range u.Captures {
		c := &u.Captures[i]
		if c.Dead {
			continue
		}
		if _, ok := c.Type.Underlying().(*types.Signature); ok {
			add(c.Field, c.Func)
		}
		for j := range c.Parts {
			add(c.part(&c.Parts[j]), c.Parts[j].Func)
		}
	}
	return all
}

// PartField is where the func of a part of a captured variable is.
func (c *Capture) PartField(i int) Field { return c.part(&c.Parts[i]) }

// Current reports whether the func-typed captures of the closure object obj
// still hold the functions that u was found with.
func (u *Func) Current(obj unsafe.Pointer) bool {
	for _, f := range u.Funcs() {
		if !f.Holds(obj) {
			return false
		}
	}
	return true
}
