package ssa2ir

// This file implements joins: phi nodes, and the returns of functions that are
// translated inside their callers because they make closures.

import (
	"go/token"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"
	lltypes "github.com/llir/llvm/ir/types"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// phi makes the phi nodes of a value: one for each scalar in it. A large value
// is copied: along each edge into one slot, and where the edges meet from there
// into another, so that neither a phi node of the same block nor a use behind
// another edge sees the next value too early.
//
//	t2 = phi [0: t0, 1: t1]   ->   %t2 = phi i64 [ %t0, %b0 ], [ %t1, %b1 ]
func lowerPhi(f *function, i ssa.Instruction) {
	v := i.(*ssa.Phi)
	p := pendingPhi{v, f.splitPhi(f.phiType(v)), anyEdge}
	f.phis = append(f.phis, p)
	if f.held(v) != asItIs {
		f.halves = append(f.halves, p)
		return
	}
	f.set(v, p.val)
}

func (f *function) splitPhi(t target.Type) target.Value {
	switch t := t.(type) {
	case *lltypes.StructType:
		a := &target.Agg{Typ: t}
		for _, ft := range t.Fields {
			a.Elems = append(a.Elems, f.splitPhi(ft))
		}
		return a
	case *bigType:
		m := f.large(t.goT, f.slot(f.memType(t.goT)))
		in := f.slot(f.memType(t.goT))
		f.joins, f.ins[m] = append(f.joins, m), in
		return m
	}
	return f.Phi(t)
}

// join copies the large phi nodes of the current block, and widens those that are held in 32
// bits, behind all of its phi nodes.
func (f *function) join() {
	for _, m := range f.joins {
		f.memcpy(m.addr, f.ins[m], sizeof(m.typ.goT), alignof(m.typ.goT))
	}
	for _, p := range f.halves {
		f.setPhi(p.phi, p.val)
	}
	f.joins, f.halves = nil, nil
}

// fillPhis gives the pending phi nodes from number n on their edges.
func (f *function) fillPhis(n int) {
	for _, p := range f.phis[n:] {
		header := p.phi.Block()
		var back []returned
		frozen := f.readAhead(p.phi)
		for k, pred := range header.Preds {
			if !f.know.taken(pred, header) || p.edges != anyEdge && f.isBack(pred, header) != (p.edges == repeating) {
				continue
			}
			if second := f.both[pred]; second != nil && second != header {
				continue // the second test's block leads here, too
			}
			f.Cur = f.end[pred]
			f.pos = p.phi.Pos()
			v := f.value(p.phi.Edges[k])
			if isFunc(p.phi.Type()) {
				v = f.funcAs(p.phi.Edges[k], f.in.resolve(p.phi))
			}
			if frozen {
				v = f.Emit(v.Type(), "freeze ", target.T(v))
			}
			if f.latches[header] != nil && f.isBack(pred, header) {
				back = append(back, returned{[]target.Value{v}, f.end[pred]})
			} else {
				f.addEdge(p.val, v, f.end[pred])
			}
		}
		if back != nil {
			f.addBack(p.val, back, f.latches[header])
		}
	}
	f.phis = f.phis[:n]
}

func (f *function) addEdge(phi, v target.Value, from *ir.Block) {
	switch phi := phi.(type) {
	case *target.Agg:
		for i, e := range phi.Elems {
			f.addEdge(e, f.Elem(v, i), from)
		}
		return
	case *memory:
		f.copyTo(f.ins[phi], v.(*memory))
		return
	}
	in := phi.(*target.Inst)
	target.AddIncoming(in, f.incoming(v, in.Type()), from)
}

// inlined is what a body that is part of its caller's returns to.
type inlined struct {
	at      *metadata.DILocation
	next    *ir.Block
	returns []returned
}

// returned is one return statement of an inlined body.
type returned struct {
	vals []target.Value
	from *ir.Block
}

// inline translates a callee as part of this function and returns its results.
func (f *function) inline(in *instance, args []target.Value) target.Value {
	loc := f.Loc
	g := &function{lowerer: f.lowerer, Builder: f.Builder, in: in, vals: map[ssa.Value]target.Value{}, holdings: map[*ssa.Phi]holding{}, ins: map[*memory]target.Value{},
		allocs: f.allocs, start: map[*ssa.BasicBlock]*ir.Block{}, end: map[*ssa.BasicBlock]*ir.Block{}}
	g.scope, g.frame = f.inlinedScope(in.fn), f.newFrame(in.fn)
	g.frame.context = f.called(g.frame)
	g.caller = &inlined{at: loc, next: f.NewBlock()}
	first := f.NewBlock()
	f.Br(first)
	f.Cur = first
	g.Loc = g.location(token.NoPos)
	g.body(args)
	rs := g.caller.returns
	f.Cur, f.Loc = g.caller.next, loc
	if len(rs) == 0 { // it only panics
		return f.zeroResults(in.fn.Signature.Results())
	}
	return f.resultOf(rs)
}

// resultOf is the result of a call: where it comes back from several places, phis of theirs.
func (f *function) resultOf(rs []returned) target.Value {
	vals := rs[0].vals
	if len(rs) > 1 {
		vals = f.mergeReturns(rs)
	}
	if len(vals) == 1 {
		return vals[0]
	}
	return target.NewAgg(vals...)
}

// mergeReturns joins the results of several return statements by phis.
func (f *function) mergeReturns(rs []returned) []target.Value {
	next := f.Cur
	vals := make([]target.Value, len(rs[0].vals))
	for i, v := range rs[0].vals {
		vals[i] = f.splitPhi(v.Type())
	}
	for _, r := range rs {
		f.Cur = r.from
		for i, v := range r.vals {
			f.addEdge(vals[i], v, r.from)
		}
	}
	f.Cur = next
	f.join()
	return vals
}

// readAhead reports whether a loop's variable is loaded on every way to an iteration, as in
//
//	for p := parent[v]; p != v; p = parent[v]
//
// LLVM would make one load of these, at the start of an iteration, and the check of what the next
// one loads would stand between the loop's test and the branch back: where lanes have left the
// loop the others part from them for it. A load that is frozen stays where it is.
func (f *function) readAhead(phi *ssa.Phi) bool {
	if !f.M.T.Votes || !isInteger(phi.Type()) && !isFloat(phi.Type()) {
		return false
	}
	again := false
	for k, pred := range phi.Block().Preds {
		if u, ok := phi.Edges[k].(*ssa.UnOp); !ok || u.Op != token.MUL {
			return false
		}
		again = again || f.isBack(pred, phi.Block())
	}
	return again
}
