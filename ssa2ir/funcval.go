package ssa2ir

// This file is about func values. A device calls no address: a func value is known while
// compiling, or it is one of several that are. Of one that is known only its bindings exist
// at run time. A choice has the number of the one that it holds, too, and a call of it is
// a branch for each.

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A funcVal is a func value: one function, or where fn is nil one of several. At run time it
// is the tuple of its bindings, or for a choice of its number and the tuples of all.
type funcVal struct {
	fn    *ssa.Function
	binds []binding

	among   []*funcVal // by their numbers
	numbers []int64    // of these
	nilable bool       // it may be nil, whose number is 0
}

// A binding is one free variable of a known closure, or one parameter of an instance.
type binding struct {
	typ    types.Type
	fun    *funcVal // what it holds, where it is a func or points to one
	parts  []held   // and what it has in it, where it is another type with funcs in it
	nonNil bool
	// dynamic is the type of what an interface holds; typ is that, too
	dynamic types.Type
	// captured: it is the address of a captured variable, not to be written to
	captured bool
	// value is what the variable holds, where that is a constant of the kernel.
	value *Value
	// flag is a bool argument that decides what of a library's function is there at all.
	flag constant.Value
}

// A held is what the funcs in a value hold, those that one path leads to.
type held struct {
	path way
	fun  *funcVal // nil: that is not known
}

// A way leads from a value to a func in it: a letter for each step.
type way string

const (
	throughPointer = "*" // or to a slice's elements
	toElement      = "#" // whichever
	firstField     = 0x100
)

func toField(i int) way { return way(rune(firstField + i)) }

// after is the rest of a path that begins with a step.
func (p way) after(step way) (rest way, ok bool) {
	s, ok := strings.CutPrefix(string(p), string(step))
	return way(s), ok
}

// at is what the funcs hold that a path leads to, nil if that is not known.
func (b *binding) at(p way) *funcVal {
	if p == "" || p == throughPointer && pointsToFunc(b.typ) {
		return b.fun
	}
	for _, x := range b.parts {
		if x.path == p {
			return x.fun
		}
	}
	return nil
}

// key identifies a funcVal: equal keys mean the same code and layout.
func (v *funcVal) key() string {
	if v == nil {
		return "-"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%p", v.fn)
	for _, x := range v.binds {
		fmt.Fprintf(&b, "<%s,%t,%t,%p,%p", x.fun.key(), x.nonNil, x.captured, x.value, x.dynamic)
		for _, p := range x.parts {
			fmt.Fprintf(&b, ",%q:%s", p.path, p.fun.key())
		}
		if x.flag != nil {
			b.WriteString(x.flag.String())
		}
		b.WriteByte('>')
	}
	if v.fn == nil {
		fmt.Fprint(&b, v.numbers, v.nilable)
	}
	return b.String()
}

// chosen reports whether a func value is one of several, or may be nil.
func (v *funcVal) chosen() bool { return v.fn == nil && (v.among != nil || v.nilable) }

// all are the functions that a func value may hold.
func (v *funcVal) all() []*funcVal {
	if v.chosen() {
		return v.among
	}
	return []*funcVal{v}
}

// captures reports whether a func value has bindings at run time.
func (v *funcVal) captures() bool {
	return slices.ContainsFunc(v.all(), func(a *funcVal) bool { return len(a.binds) > 0 })
}

// within reports whether all that a func value may hold is among what another may.
func (v *funcVal) within(w *funcVal) bool {
	mayBeNil := v.chosen() && v.nilable
	if mayBeNil && !(w.chosen() && w.nilable) {
		return false
	}
	for _, a := range v.all() {
		if !slices.ContainsFunc(w.all(), func(b *funcVal) bool { return a.key() == b.key() }) {
			return false
		}
	}
	return true
}

// number is a func value's at run time: odd, so that it is no address.
func (p *planner) number(v *funcVal) int64 {
	key := v.key()
	if p.numbers[key] == 0 {
		p.numbers[key] = int64(2*len(p.numbers) + 1)
	}
	return p.numbers[key]
}

// funcPaths are the ways to the funcs in a value of type t. Those in itself, as of a list's
// next one, have none.
func (p *planner) funcPaths(t types.Type) []way {
	if all, known := p.paths[t]; known {
		return all
	}
	var all []way
	var in []types.Type
	var walk func(t types.Type, at way)
	walk = func(t types.Type, at way) {
		if opaque(t) != nil || bufferElem(t) != nil || slices.Contains(in, t) {
			return
		}
		in = append(in, t)
		switch u := t.Underlying().(type) {
		case *types.Signature:
			all = append(all, at)
		case *types.Pointer:
			walk(u.Elem(), at+throughPointer)
		case *types.Slice:
			walk(u.Elem(), at+throughPointer+toElement)
		case *types.Array:
			if u.Len() > 0 {
				walk(u.Elem(), at+toElement)
			}
		case *types.Struct:
			for i := range u.NumFields() {
				walk(u.Field(i).Type(), at+toField(i))
			}
		}
		in = in[:len(in)-1]
	}
	walk(t, "")
	p.paths[t] = all
	return all
}

// bind describes what a parameter or free variable gets.
func (in *instance) bind(v ssa.Value) binding {
	b := binding{typ: v.Type(), nonNil: in.nonNil(v), captured: in.captured(v)}
	if t := in.dynamic(v); t != nil {
		b.typ, b.dynamic = t, t
	}
	switch {
	case isFunc(b.typ), pointsToFunc(b.typ):
		b.fun = in.resolve(v)
	default:
		for _, p := range in.plan.funcPaths(b.typ) {
			b.parts = append(b.parts, held{p, in.resolveAt(v, p)})
		}
	}
	return b
}

// bindings describes call arguments.
func (in *instance) bindings(args []ssa.Value) []binding {
	bs := make([]binding, len(args))
	for i, a := range args {
		bs[i] = in.bind(a)
	}
	return bs
}
