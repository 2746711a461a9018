package main

import (
	"fmt"
	"strings"
)

type class int

const (
	boolean class = iota
	signed
	unsigned
	floating
	complexNum
	text
	structure
	array
	slice
	pointer
)

// A typ is a type of the generated program.
type typ struct {
	name   string // as it is written
	class  class
	bits   int    // of a number
	input  string // the field of Input that has values of this type
	count  int    // and how many
	elem   *typ
	len    int // of an array
	fields []field
	param  bool // a type parameter: any integer, or any float
}

type field struct {
	name string
	typ  *typ
}

// A fn is a function that statements, and expressions if it is pure, may call.
type fn struct {
	name    string // how it is called: h001a, v3.m001a
	recv    bool   // called as a method of its first parameter
	params  []*typ // of pointer type where it writes
	results []*typ
	pure    bool // neither writes to anything that outlives it nor panics
	takesIn bool // its last parameter is the input
	depth   int  // of the scope it is known in, 0 if it is declared by func
	cost    int  // how often a statement in it runs at most
}

var (
	boolT  = &typ{name: "bool", class: boolean, input: "Bool", count: 4}
	intT   = &typ{name: "int", class: signed, bits: 64, input: "Int", count: 3}
	uintT  = &typ{name: "uint", class: unsigned, bits: 64, input: "Uint", count: 2}
	u64T   = &typ{name: "uint64", class: unsigned, bits: 64, input: "U64", count: 3}
	u32T   = &typ{name: "uint32", class: unsigned, bits: 32, input: "U32", count: 3}
	u8T    = &typ{name: "uint8", class: unsigned, bits: 8, input: "U8", count: 2}
	i32T   = &typ{name: "int32", class: signed, bits: 32, input: "I32", count: 4}
	f32T   = &typ{name: "float32", class: floating, bits: 32, input: "F32", count: 4}
	f64T   = &typ{name: "float64", class: floating, bits: 64, input: "F64", count: 4}
	c64T   = &typ{name: "complex64", class: complexNum, bits: 32, input: "C64", count: 2}
	c128T  = &typ{name: "complex128", class: complexNum, bits: 64, input: "C128", count: 2}
	textT  = &typ{name: "string", class: text}
	smallT = &typ{name: "int", class: signed, bits: 64, input: "Small", count: 4}

	integerTypes = []*typ{
		intT, i32T, u32T, u64T, u8T, uintT,
		{name: "int8", class: signed, bits: 8, input: "I8", count: 2},
		{name: "int16", class: signed, bits: 16, input: "I16", count: 2},
		{name: "int64", class: signed, bits: 64, input: "I64", count: 3},
		{name: "uint16", class: unsigned, bits: 16, input: "U16", count: 2},
		{name: "uintptr", class: unsigned, bits: 64, input: "Uintptr", count: 2},
	}
	basicTypes = append([]*typ{boolT, f32T, f64T, c64T, c128T, textT, f32T, f64T}, integerTypes...)

	// uniformFields are what Uniform has.
	uniformFields = []*typ{
		{name: "bool", input: "Bool", count: 3}, {name: "int8", input: "I8", count: 3},
		{name: "uint16", input: "U16", count: 2}, {name: "int32", input: "I32", count: 2},
		{name: "float32", input: "F32", count: 2}, {name: "int", input: "Int", count: 2},
		{name: "uint64", input: "U64", count: 1}, {name: "int", input: "Small", count: 3},
	}

	integerParam = &typ{name: "T", class: signed, bits: 8, param: true}
	floatParam   = &typ{name: "T", class: floating, bits: 32, param: true}
)

func (t *typ) isInteger() bool { return t.class == signed || t.class == unsigned }
func (t *typ) isBasic() bool   { return t.class < structure }
func (t *typ) isNumber() bool  { return t.isInteger() || t.class == floating }

// refers reports whether values of the type hold addresses.
func (t *typ) refers() bool {
	switch t.class {
	case slice, pointer:
		return true
	case array:
		return t.elem.refers()
	case structure:
		for _, f := range t.fields {
			if f.typ.refers() {
				return true
			}
		}
	}
	return false
}

// comparable reports whether == is defined for the type.
func (t *typ) comparable() bool {
	switch t.class {
	case slice:
		return false
	case array:
		return t.elem.comparable()
	case structure:
		for _, f := range t.fields {
			if !f.typ.comparable() {
				return false
			}
		}
	}
	return true
}

func pointerTo(t *typ) *typ { return &typ{name: "*" + t.name, class: pointer, elem: t} }
func sliceOf(t *typ) *typ   { return &typ{name: "[]" + t.name, class: slice, elem: t} }
func arrayOf(n int, t *typ) *typ {
	return &typ{name: fmt.Sprintf("[%d]%s", n, t.name), class: array, elem: t, len: n}
}
func pairOf(a, b *typ) *typ {
	return &typ{name: fmt.Sprintf("pair[%s, %s]", a.name, b.name), class: structure, fields: []field{{"X", a}, {"Y", b}}}
}

func same(a, b *typ) bool { return a.name == b.name }

// result is a result list.
func result(ts []*typ) string {
	if len(ts) == 0 {
		return ""
	}
	if len(ts) == 1 {
		return ts[0].name
	}
	return "(" + names(ts) + ")"
}

func names(ts []*typ) string {
	var all []string
	for _, t := range ts {
		all = append(all, t.name)
	}
	return strings.Join(all, ", ")
}
