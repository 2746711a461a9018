package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/spmd/divergence"
	"heddle/internal/spmd/ll"
)

// This file chooses gangs of one lane, and writes what only they have. Where lanes part often,
// at branches by their data in loops that they leave at different times, and read and write arrays
// lane by lane, vector code does for all lanes what few of them want: a search with backtracking
// took ten times as long as Go's own code. A gang of one lane has no masks, and all its values are
// uniform: the code is that of one thread, in the frame that all gangs have.
//
// The choice is by an estimate of both forms' cost. It weighs instructions by how often a gang
// comes to their block and how many of its lanes are active there, and takes for granted that a
// branch by the lanes' data parts them by halves.

// margin is by how much gangs of one lane must cost less.
const margin = 0.9

// always is what Always says, if it was called.
var always *bool

// Always makes gangs of one lane of all kernels that may have them, or of none: for tests, before any kernel
// is compiled. The keys of objects do not say so: there must be no cache.
func Always(one bool) { always = &one }

// oneIsBetter reports whether gangs of one lane suit the kernel.
func (v *vectorizer) oneIsBetter(f *ll.Func) bool {
	if v.warpOps() || v.mayWait() || v.hasBarriers() {
		return false
	}
	if always != nil {
		return *always
	}
	params := map[*ll.Param]divergence.Shape{}
	for _, p := range f.Params {
		params[p] = divergence.IsUniform
	}
	c := costs{Analysis: divergence.Analyse(f, v.n, v.o.WarpSize, true, 0, params), isa: v.o.ISA, mod: v.mod, calls: map[*ll.Func]cost{}}
	sum := c.estimate()
	return sum.one < margin*sum.gang
}

// hasBarriers reports whether threads of a block wait for each other.
func (v *vectorizer) hasBarriers() bool {
	return v.some(func(i *ll.Inst) bool { return strings.HasPrefix(i.Callee, "heddle.barrier") })
}

// functionOfOne writes a function that gangs of one lane call: one with the scalar code's own types.
func (v *vectorizer) functionOfOne(f *ll.Func) {
	params := map[*ll.Param]divergence.Shape{}
	head := environment(1, true)
	for _, p := range f.Params {
		params[p] = divergence.IsUniform
		head = append(head, p.Typ.Text+" %p."+p.Name)
	}
	e := v.newEmitter(divergence.Analyse(f, 1, v.o.WarpSize, true, 0, params), v.fullMask())
	e.function()
	v.funcs.WriteString(e.finish("define internal " + f.Ret.Text + " " + v.gangs[f] + "(" + strings.Join(head, ", ") + ") noinline nounwind"))
}

// callOne calls such a function.
func (e *emitter) callOne(i *ll.Inst, f *ll.Func) {
	args := environment(1, true)
	for _, x := range i.Args {
		args = append(args, e.scalar(x))
	}
	call := fmt.Sprintf("call %s %s(%s)", i.Typ.Text, e.gang(f), strings.Join(args, ", "))
	if i.Typ.Kind == ll.Void {
		e.line("%s", call)
		return
	}
	e.set(i, e.let("%s", call))
}
