package codegen

import (
	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file makes one call of two of the device math library's with the same arguments: the same
// exponential in several rates of a cell, say. Most such functions branch, and once they are
// inlined LLVM does not merge what two of them compute, as it is chosen by phi nodes. Before that
// they are calls of which LLVM only has to know that they do nothing but compute.

// mathCall matches a call of a function of such a library with what it gives.
var mathCall = lazy.Regexp{Expr: `= (?:tail )?call [^@\n]*@(__(?:ocml|nv)_\w+)\(`}

// pureMath matches the declaration of a function of such a library that takes numbers only, and so does nothing but compute.
var pureMath = lazy.Regexp{Expr: `(?m)^declare (?:half|float|double|i32|i64) @(__(?:ocml|nv)_\w+)\((?:(?:half|float|double|i32|i64)(?: %\w+)?(?:, )?)+\)`}

// mathTwice is which functions a module's text calls twice, perhaps alike.
func mathTwice(text string) map[string]bool {
	calls, twice := map[string]int{}, map[string]bool{}
	for _, m := range mathCall.Get().FindAllStringSubmatch(text, -1) {
		calls[m[1]]++
	}
	for _, m := range pureMath.Get().FindAllStringSubmatch(text, -1) {
		if calls[m[1]] > 1 {
			twice[m[1]] = true
		}
	}
	return twice
}

// mergeMath does it in a parsed module, before its libraries are linked.
func (r *Request) mergeMath(m *llvm.Module, tm *llvm.TargetMachine, major int) error {
	if r.level() == 0 || major < 16 || len(mathTwice(string(r.IR))) == 0 { // 15 has no such attribute
		return nil
	}
	twice := mathTwice(m.String()) // sines are one call already
	if len(twice) == 0 {
		return nil
	}
	for f := range m.Functions() {
		if twice[f.Name()] && f.IsDeclaration() {
			m.AddAttribute(f, "memory") // the value 0: no memory at all
		}
	}
	return m.RunPasses("always-inline,function(sroa,early-cse)", tm)
}
