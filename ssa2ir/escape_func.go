package ssa2ir

// This file proves that no closure is called when what it captures is not there any more,
// or is the next iteration's.

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A kept closure is one that a field or an element holds: it has a slot of its own, which the
// next one stored there takes.
type kept struct {
	ssa.Value
	at *ssa.Store
}

func (k kept) Block() *ssa.BasicBlock { return k.at.Block() }

// escapesStored reports a closure in a field or an element that is still in use when the next
// iteration of a loop makes another there.
func (c *checker) escapesStored(s *ssa.Store) {
	if !isFunc(s.Val.Type()) || !inAggregate(s.Addr) {
		return
	}
	if fv := c.in.resolve(s.Val); fv == nil || !fv.captures() {
		return
	}
	e := &escape{in: c.in, from: kept{s.Val, s}, seen: map[ssa.Value]bool{}}
	e.store(s.Addr)
	switch {
	case e.stored:
		c.errorf(s.Pos(), "store it where the variable is declared", "func with captured variables is stored where it outlives the function")
	case e.loops:
		c.errorf(s.Pos(), "call it in the iteration that makes it", "func with captured variables outlives its iteration of the loop")
	}
}

// escapesMade reports the closure that a call returns, if it is still in use when the call
// returns another.
func (c *checker) escapesMade(call *ssa.Call) {
	cl := c.in.calls[call]
	if cl == nil || !slices.ContainsFunc(cl.each(), func(o *callee) bool { return o.inst != nil && o.inst.makesFuncs() }) {
		return
	}
	e := &escape{in: c.in, from: call, seen: map[ssa.Value]bool{}}
	e.follow(call)
	if !e.loops {
		return
	}
	for _, p := range c.resultPaths(call.Type()) {
		if fv := c.in.resultAt(call, p); fv == nil || fv.captures() {
			c.errorf(callPos(call), "call it in the iteration that makes it", "func with captured variables outlives its iteration of the loop")
			return
		}
	}
}

// A resultPath leads to a func in a result of a call.
type resultPath struct {
	result int
	path   way
}

func (p *planner) resultPaths(t types.Type) (all []resultPath) {
	tup, ok := t.(*types.Tuple)
	if !ok {
		tup = types.NewTuple(types.NewVar(0, nil, "", t))
	}
	for i := range tup.Len() {
		for _, way := range p.funcPaths(tup.At(i).Type()) {
			all = append(all, resultPath{i, way})
		}
	}
	return all
}

// resultAt is what a call's results hold.
func (in *instance) resultAt(call *ssa.Call, p resultPath) *funcVal {
	h := &holders{plan: in.plan, in: in, seen: map[visit]bool{}}
	h.result(call, p.result, p.path)
	return h.value()
}

// inAggregate reports whether an address is that of a field or an element: a func there is
// a word, see word.go.
func inAggregate(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}
