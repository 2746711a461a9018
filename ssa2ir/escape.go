package ssa2ir

// This file proves that no address of a local variable outlives it. go/ssa
// puts every variable whose address is taken on the heap; a kernel has no
// heap, so each becomes a stack slot, which is right only if the address
// stays in the function and what it calls.

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
)

// maxPrivate is the most private memory, in bytes, that one variable may take.
const maxPrivate = 128 << 10

func (c *checker) escapes() {
	for _, b := range c.in.fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Alloc:
				c.escapesFrom(i, c.varName(i), sizeof(deref(i.Type())))
			case *ssa.Convert:
				if s, ok := madeOf(i); ok {
					c.escapesFrom(i, fmt.Sprintf("the %s of %.20q", i.Type(), s), int64(len(s)))
				}
			case *ssa.Store:
				c.escapesStored(i)
			case *ssa.Call:
				c.escapesMade(i)
			}
		}
	}
}

// escapesFrom reports an error if a variable is too large, or if its address is still in use when the variable is not.
func (c *checker) escapesFrom(v made, name string, size int64) {
	if size > maxPrivate {
		c.errorf(v.Pos(), "use shared memory or a buffer", "%s takes %d bytes of private memory, more than %d", name, size, maxPrivate)
	}
	e := &escape{in: c.in, from: v, seen: map[ssa.Value]bool{}}
	e.follow(v)
	switch {
	case e.returned:
		c.errorf(v.Pos(), "return the value, or let the caller pass a pointer", "address of %s is returned", name)
	case e.stored:
		c.errorf(v.Pos(), "the device has no heap: keep the address in the function", "address of %s is stored where it outlives the function", name)
	case e.loops:
		c.errorf(v.Pos(), "declare the variable before the loop", "address of %s outlives its iteration of the loop", name)
	}
}

// keepsAddress reports whether a value of the type can keep an address: a closure does.
func (e *escape) keepsAddress(t types.Type) bool {
	return hasPointers(t) || isInterface(t) || e.in != nil && len(e.in.plan.funcPaths(t)) > 0
}

// made is what makes a variable.
type made interface {
	ssa.Value
	Block() *ssa.BasicBlock
}

// unnamed are the variables that Go makes, by the comment that go/ssa gives them.
var unnamed = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"complit": "the literal of type %s", "new": "the variable of type %s that new makes", "varargs": "the arguments, of type %s",
		"slicelit": "the elements of a literal, of type %s", "makeslice": "the elements that make makes, of type %s",
	}
}}

// varName names a local variable in messages.
func (c *checker) varName(a *ssa.Alloc) string {
	format := unnamed.Get()[a.Comment]
	if format == "" {
		return "local variable " + a.Comment
	}
	var pkg *types.Package
	if c.in.fn.Pkg != nil {
		pkg = c.in.fn.Pkg.Pkg
	}
	return fmt.Sprintf(format, types.TypeString(deref(a.Type()), types.RelativeTo(pkg)))
}

// An escape follows an address through the values derived from it.
type escape struct {
	in                      *instance // whose values are followed, nil if that is not known
	from                    ssa.Value // the variable
	seen                    map[ssa.Value]bool
	returned, stored, loops bool
	made                    bool // it is returned in a func, which lives in the caller

	held bool // it has been stored in an array: who has a slice of that has it, too
}

func (e *escape) follow(v ssa.Value) {
	if e.seen[v] || v.Referrers() == nil {
		return
	}
	e.seen[v] = true
	e.loops = e.loops || e.livesOn(v)
	for _, r := range *v.Referrers() {
		if !e.isLive(v, r) {
			continue
		}
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.ChangeType, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Convert,
			*ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
			e.follow(r.(ssa.Value))
		case *ssa.Extract, *ssa.Field, *ssa.Index:
			if e.keepsAddress(r.(ssa.Value).Type()) {
				e.follow(r.(ssa.Value))
			}
		case *ssa.IndexAddr:
			if r.X == v {
				e.follow(r)
			}
		case *ssa.Phi:
			e.follow(r)
		case *ssa.Return:
			if e.in != nil && len(e.in.plan.funcPaths(v.Type())) > 0 {
				e.made = true
			} else {
				e.returned = true
			}
		case *ssa.Store:
			if r.Val == v {
				e.store(r.Addr)
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == v {
					e.follow(fn.FreeVars[i])
				}
			}
			e.follow(r)
		case *ssa.Call:
			e.call(r, v)
		}
	}
}

// livesOn reports whether a value that may hold what an earlier iteration made is used when
// the next one has made another: whether a way leads from there to a use, but by where the
// value is made again.
func (e *escape) livesOn(held ssa.Value) bool {
	from, isMade := e.from.(made)
	v, ok := held.(ssa.Instruction)
	if !ok || !isMade || held == e.from || v.Parent() != e.from.Parent() {
		return false
	}
	at, ok := from.(ssa.Instruction)
	if k, isKept := from.(kept); isKept {
		at, ok = k.at, held != k.Value
	}
	if phi, isPhi := held.(*ssa.Phi); !ok || isPhi && isLoopVar(phi, from) {
		return false
	}
	if !reachable(at.Block(), nil)[at.Block()] {
		return false // it is made once
	}
	place := func(i ssa.Instruction) int { return slices.Index(at.Block().Instrs, i) }
	if v.Block() == at.Block() && place(v) > place(at) {
		return false // it is made again behind that
	}
	after := reachable(at.Block(), v.Block())
	return slices.ContainsFunc(*held.Referrers(), func(use ssa.Instruction) bool {
		phi, ok := use.(*ssa.Phi)
		if !ok {
			return after[use.Block()] || use.Block() == at.Block() && place(use) > place(at)
		}
		for i, x := range phi.Edges {
			if pred := phi.Block().Preds[i]; x == held && (pred == at.Block() || after[pred]) {
				return true
			}
		}
		return false
	})
}

// isLive reports whether a use of a value is in a block that the instance can get to.
func (e *escape) isLive(v ssa.Value, use ssa.Instruction) bool {
	if e.in == nil || e.in.live == nil || use.Parent() != e.in.fn {
		return true
	}
	if phi, ok := use.(*ssa.Phi); ok {
		for i, x := range phi.Edges {
			if x == v && e.in.live[phi.Block().Preds[i]] {
				return true
			}
		}
		return false
	}
	return e.in.live[use.Block()]
}

// isLoopVar reports whether phi is a loop's variable and a the one that
// go/ssa makes for the next iteration, after it has read the one before: they
// can be the same slot.
func isLoopVar(phi *ssa.Phi, v made) bool {
	a, ok := v.(*ssa.Alloc)
	return ok && phi.Comment == a.Comment && len(phi.Edges) == 2 && phi.Edges[1] == a && phi.Pos() == a.Pos()
}

// outlives reports whether a local variable can hold the address of another
// when the other's slot is given to its next iteration: whether from can be
// made again without to being made again, and what to held be read after that.
func outlives(to *ssa.Alloc, from made) bool {
	if to.Parent() != from.Parent() {
		return false
	}
	after := reachable(from.Block(), to.Block())
	return after[from.Block()] && readIn(to, after, map[ssa.Value]bool{})
}

// reachable are the blocks that control comes to from the end of a block without passing
// through another.
func reachable(from, without *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{}
	var reach func(b *ssa.BasicBlock)
	reach = func(b *ssa.BasicBlock) {
		for _, s := range b.Succs {
			if s != without && !seen[s] {
				seen[s] = true
				reach(s)
			}
		}
	}
	reach(from)
	return seen
}

// readIn reports whether an instruction of the blocks, other than a store there, uses an
// address or what holds it.
func readIn(v ssa.Value, blocks map[*ssa.BasicBlock]bool, seen map[ssa.Value]bool) bool {
	if v == nil || seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		var holder ssa.Value
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				continue
			}
			holder = addressRoot(r.Addr)
		case ssa.Value:
			if !onlyNumbers(r.Type()) {
				holder = r
			}
		}
		if blocks[r.Block()] || readIn(holder, blocks, seen) {
			return true
		}
	}
	return false
}

// onlyNumbers reports whether a value of the type can hold no address.
func onlyNumbers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return !isString(t)
	case *types.Array:
		return onlyNumbers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !onlyNumbers(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// store follows an address into the local variable it is stored in.
func (e *escape) store(addr ssa.Value) {
	a := variableOf(addr)
	if a == nil || !encloses(e.from.Parent(), a.Parent()) {
		e.stored = true
		return
	}
	if from, ok := e.from.(made); ok && outlives(a, from) {
		e.loops = true
	}
	var loads func(v ssa.Value)
	loads = func(v ssa.Value) {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.MakeClosure:
				for i, b := range r.Bindings {
					if b == v {
						loads(r.Fn.(*ssa.Function).FreeVars[i])
					}
				}
				e.follow(r)
			case *ssa.FieldAddr:
				loads(r)
			case *ssa.IndexAddr:
				loads(r)
			case *ssa.UnOp:
				if e.keepsAddress(r.Type()) {
					e.follow(r)
				}
			case *ssa.Slice:
				e.held = true
				e.follow(r)
			}
		}
	}
	loads(a)
}

// variableOf is the local variable that an address lies in: one of the function
// itself, or one that it captured from a function around it. Nil if it is neither.
func variableOf(addr ssa.Value) *ssa.Alloc {
	switch root := addressRoot(addr).(type) {
	case *ssa.Alloc:
		return root
	case *ssa.FreeVar:
		fn := root.Parent()
		if fn.Parent() == nil {
			return nil
		}
		for _, b := range fn.Parent().Blocks {
			for _, i := range b.Instrs {
				if mk, ok := i.(*ssa.MakeClosure); ok && mk.Fn == fn {
					return variableOf(mk.Bindings[slices.Index(fn.FreeVars, root)])
				}
			}
		}
	}
	return nil
}

// encloses reports whether variables of outer live as long as those of fn:
// whether it is fn or a function around it.
func encloses(outer, fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

// call follows an address into a callee's parameter and out of its results.
func (e *escape) call(call *ssa.Call, v ssa.Value) {
	if cl := e.callee(call); cl != nil && cl.fun.chosen() {
		for _, one := range cl.among {
			if one.inst != nil {
				e.into(call, v, one.inst.fn, one.inst)
			}
		}
		return
	}
	fn, ok := call.Call.Value.(*ssa.Function)
	if mk, isClosure := call.Call.Value.(*ssa.MakeClosure); isClosure {
		fn, ok = mk.Fn.(*ssa.Function), true
	}
	var within *instance
	if e.in != nil && e.in.calls[call] != nil {
		within = e.in.calls[call].inst
	}
	if within != nil {
		fn, ok = within.fn, true
	}
	if !ok || fn.Blocks == nil {
		// append returns its first argument's memory, and copies the second's elements
		if b, isBuiltin := call.Call.Value.(*ssa.Builtin); isBuiltin && b.Name() == "append" && (call.Call.Args[0] == v || e.held && hasPointers(elemOf(call.Type()))) {
			e.follow(call)
		} else if isBuiltin && unsafeAddress(b.Name()) {
			e.follow(call)
		}
		return
	}
	e.into(call, v, fn, within)
}

// callee is what a call resolves to, nil if that is not known.
func (e *escape) callee(call *ssa.Call) *callee {
	if e.in == nil {
		return nil
	}
	return e.in.calls[call]
}

// into follows an address into a function that is called.
func (e *escape) into(call *ssa.Call, v ssa.Value, fn *ssa.Function, within *instance) {
	for i, a := range arguments(&call.Call) {
		if a != v || i >= len(fn.Params) {
			continue
		}
		in := &escape{in: within, from: fn.Params[i], held: e.held}
		if len(e.seen) > 1000 {
			return // a kernel this deep is refused for its recursion
		}
		in.seen = e.seen
		in.follow(fn.Params[i])
		e.stored, e.held = e.stored || in.stored, in.held
		if in.made || in.returned && pointerResult(call.Type()) {
			e.follow(call)
		}
	}
}

func pointerResult(t types.Type) bool {
	if tup, ok := t.(*types.Tuple); ok {
		for v := range tup.Variables() {
			if hasPointers(v.Type()) || isInterface(v.Type()) {
				return true
			}
		}
		return false
	}
	return hasPointers(t) || isInterface(t)
}
