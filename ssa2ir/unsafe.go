package ssa2ir

// This file implements the functions of package unsafe that make addresses: gc's builtins.

import (
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// unsafeAddress reports whether a builtin is one of those whose result points to the memory of their first argument.
func unsafeAddress(name string) bool {
	switch name {
	case "Add", "Slice", "SliceData", "String", "StringData":
		return true
	}
	return false
}

// integer is an argument of some integer type as a Go int.
func (f *function) integer(v ssa.Value) target.Value {
	return f.IntCast(f.value(v), target.I64, isSigned(v.Type()))
}

// Add(p, n)   ->   getelementptr i8, ptr %p, i64 %n
func builtinAdd(f *function, c *ssa.Call) target.Value {
	return f.GEP(target.I8, f.value(c.Call.Args[0]), f.integer(c.Call.Args[1]))
}

// Slice(p, n)   ->   {%p, %n, %n}
func builtinUnsafeSlice(f *function, c *ssa.Call) target.Value {
	elem := c.Type().Underlying().(*types.Slice).Elem()
	p, n := f.checkedLength(c, "unsafe.Slice", sizeof(elem))
	return &target.Agg{Typ: f.slice, Elems: []target.Value{p, n, n}}
}

// String(p, n)   ->   {%p, %n}
func builtinUnsafeString(f *function, c *ssa.Call) target.Value {
	p, n := f.checkedLength(c, "unsafe.String", 1)
	return &target.Agg{Typ: f.llType(c.Type()), Elems: []target.Value{p, n}}
}

// checkedLength are a pointer and a length, which is checked as gc does.
func (f *function) checkedLength(c *ssa.Call, name string, size int64) (p, n target.Value) {
	p, n = f.value(c.Call.Args[0]), f.integer(c.Call.Args[1])
	f.panicIf(f.ICmp("ugt", n, target.Int(target.I64, math.MaxInt64/max(1, size))), name+": len out of range")
	if !f.in.nonNil(c.Call.Args[0]) {
		some := f.ICmp("ne", n, target.Int(target.I64, 0))
		f.panicIf(f.Bin("and", some, f.ICmp("eq", p, target.Zero(f.ptr))), name+": ptr is nil and len is not zero")
	}
	return p, n
}

// SliceData(s), StringData(s)   ->   extractvalue %s, 0
func builtinData(f *function, c *ssa.Call) target.Value { return f.Elem(f.value(c.Call.Args[0]), 0) }
