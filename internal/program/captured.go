package program

import (
	"bytes"
	"sort"
	"unsafe"

	"heddle/internal/source"
	"heddle/ssa2ir"
)

// This file reads at each launch what a kernel's closure holds.

// Captured says where the variables are that a kernel's closures capture, and what some of
// them have to hold for its code to be right. It is plain data: see source.Field.
type Captured struct {
	Vars   []source.Place  `json:",omitempty"` // those that are passed at each launch, in the signature's order
	Funcs  []source.FuncIn `json:",omitempty"`
	Consts []constant      `json:",omitempty"`
}

// A constant is a captured variable that was made one: the value that it has to
// have for the code to be right.
type constant struct {
	source.Place
	Bytes   []byte   // with zeros for strings
	Strings []textAt `json:",omitempty"` // all strings in the value, the empty ones too
}

// A textAt is a string in a value, at an offset in bytes.
type textAt struct {
	At   int64
	Text string
}

// captured describes the variables of a function that was found.
func captured(src *source.Func, vars []variable) *Captured {
	c := &Captured{Funcs: src.Funcs()}
	for i := range vars {
		v := &vars[i]
		if v.constant == nil {
			c.Vars = append(c.Vars, v.place())
		} else {
			c.Consts = append(c.Consts, constantOf(v.place(), v.constant))
		}
	}
	return c
}

func constantOf(at source.Place, v *ssa2ir.Value) constant {
	c := constant{Place: at, Bytes: v.Bytes}
	for o, text := range v.Strings {
		c.Strings = append(c.Strings, textAt{o, text})
	}
	sort.Slice(c.Strings, func(i, j int) bool { return c.Strings[i].At < c.Strings[j].At })
	return c
}

// Current reports whether the code still fits what the closure obj captures: a captured
// func variable may have been assigned another function, and one that became a constant
// another value. A nil Captured fits.
func (c *Captured) Current(obj unsafe.Pointer) bool {
	if c == nil {
		return true
	}
	for i := range c.Funcs {
		if !c.Funcs[i].Holds(obj) {
			return false
		}
	}
	for i := range c.Consts {
		if !c.Consts[i].holds(obj) {
			return false
		}
	}
	return true
}

// Addresses appends where the values of the variables that the closure obj captures are
// now, in the signature's order.
func (c *Captured) Addresses(obj unsafe.Pointer, to []unsafe.Pointer) []unsafe.Pointer {
	for i := range c.Vars {
		to = append(to, c.Vars[i].Addr(obj))
	}
	return to
}

// holds reports whether the variable has that value still.
func (c *constant) holds(obj unsafe.Pointer) bool {
	at, from := c.Addr(obj), int64(0)
	now := unsafe.Slice((*byte)(at), len(c.Bytes))
	for _, s := range c.Strings {
		if *(*string)(unsafe.Add(at, s.At)) != s.Text || !bytes.Equal(now[from:s.At], c.Bytes[from:s.At]) {
			return false
		}
		from = s.At + int64(unsafe.Sizeof(""))
	}
	return bytes.Equal(now[from:], c.Bytes[from:])
}
