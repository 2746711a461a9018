package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file tells which functions the captured variables of a closure hold, and
// in which combinations.

// maxChoices is how many combinations of captured functions a closure may have.
// A program that registers its kernels through one function has one combination
// for each of them.
const maxChoices = 1 << 12

// Choices are the values that v may be, one for each combination of functions
// that its variables of func type may hold, depth captured functions deep. What
// parameters hold goes together as the calls pass it: add(f, g) and add(h, i)
// are two combinations, not four.
func (f *Flow) Choices(v Value, depth int) []Value {
	all := []Value{v}
	if depth == 0 {
		return all
	}
	params := map[*ssa.Function][]int{} // variables that hold parameters, by the function whose those are
	var owners []*ssa.Function
	for i, fv := range v.Fn.FreeVars {
		if !holdsFunc(fv) || i >= len(v.Bindings) {
			continue
		}
		p := f.paramOf(v.Bindings[i])
		if p == nil || len(f.arguments(p.Parent())) == 0 {
			holds, _ := f.variable(v.Bindings[i])
			all = combine(all, f.holding(v, []int{i}, [][]Value{holds}, depth))
			continue
		}
		if params[p.Parent()] == nil {
			owners = append(owners, p.Parent())
		}
		params[p.Parent()] = append(params[p.Parent()], i)
	}
	for _, owner := range owners {
		var some []Value
		for _, args := range f.arguments(owner) {
			var holds [][]Value
			for _, i := range params[owner] {
				h, _ := f.Values(args[slices.Index(owner.Params, f.paramOf(v.Bindings[i]))])
				holds = append(holds, h)
			}
			some = append(some, f.holding(v, params[owner], holds, depth)...)
		}
		all = combine(all, distinctValues(some))
	}
	return all
}

// holding are the values that v may be by what some of its variables hold: the
// variables by their indices, and the functions that each may hold.
func (f *Flow) holding(v Value, vars []int, holds [][]Value, depth int) []Value {
	all := []Value{v}
	for n, i := range vars {
		var some []Value
		for _, h := range holds[n] {
			for _, c := range f.Choices(h, depth-1) {
				one := v
				one.Held = make([]*Value, len(v.Fn.FreeVars))
				one.Held[i] = &c
				some = append(some, one)
			}
		}
		all = combine(all, some)
	}
	return all
}

// combine joins what the values of two lists hold, each of the one with each of
// the other. Nothing is known of what the one that is empty, or makes too many
// combinations, would hold.
func combine(some, others []Value) []Value {
	if len(others) == 0 || len(some)*len(others) > maxChoices {
		return some
	}
	var all []Value
	for _, a := range some {
		for _, b := range others {
			c := a
			c.Held = make([]*Value, len(a.Fn.FreeVars))
			copy(c.Held, a.Held)
			for i, h := range b.Held {
				if h != nil {
					c.Held[i] = h
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// distinctValues leaves out values that another of the list equals.
func distinctValues(vals []Value) (all []Value) {
	seen := map[string]bool{}
	for _, v := range vals {
		if s := v.String(); !seen[s] {
			seen[s] = true
			all = append(all, v)
		}
	}
	return all
}

// holdsFunc reports whether a captured variable, or what it is the address of,
// is a func.
func holdsFunc(fv *ssa.FreeVar) bool {
	t := fv.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// paramOf is the parameter that a captured variable, by its binding, is and
// stays; nil if it is none.
func (f *Flow) paramOf(binding ssa.Value) *ssa.Parameter {
	if a, ok := binding.(*ssa.Alloc); ok {
		vals := f.assigned(a)
		if len(vals) != 1 {
			return nil
		}
		binding = vals[0]
	}
	p, _ := binding.(*ssa.Parameter)
	return p
}

// variable lists the functions that a captured variable, by its binding, may
// hold: the binding is the variable's address, or its value.
func (f *Flow) variable(binding ssa.Value) (all []Value, whole bool) {
	if p, ok := binding.Type().Underlying().(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Signature); ok {
			return f.find(func(s *search) { s.load(binding) })
		}
	}
	return f.Values(binding)
}

// Holds is the function that a captured variable holds, nil if it is not known.
func (v *Value) Holds(cv *types.Var) *Value {
	for i, fv := range v.Fn.FreeVars {
		if fv.Pos() == cv.Pos() && fv.Name() == cv.Name() && i < len(v.Held) {
			return v.Held[i]
		}
	}
	return nil
}
