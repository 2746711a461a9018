package ssa2ir

// This file ends threads that wait for one that has panicked. A real GPU cannot end a launch:
// a thread that panics ends alone, and whoever waits for what it would have stored would wait
// for ever, and the host with it. So a loop whose end depends on what atomics read
// asks now and then, on its way back, whether the launch has panicked:
//
//	for ready.Load(...) == 0 {}   ->   latch: n++; if n%256 == 0 && load heddle_panic_lock != 0 { panic }; br %header
//
// Devices that can end a launch (Target.Panic) need none of it.

import (
	"cmp"
	"maps"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// patience is how many times a loop goes round before it asks, a power of two: it takes about a tenth of a millisecond.
// Asking each time would take the time of one more access of memory.
const patience = 256

// waitedInVain is the panic of a thread that waits for one that has panicked, should the host have seen that one's before.
const waitedInVain = "it waits for a thread that has panicked"

// waitingLoops are the headers of loops that may go on until what a call in them reads changes, with that call.
func (f *function) waitingLoops() map[*ssa.BasicBlock]*ssa.Call {
	found := map[*ssa.BasicBlock]*ssa.Call{}
	if f.M.T.Panic != nil || f.opts.NoBounds && !f.prog.panicsItself() {
		return found
	}
	loops := slices.SortedFunc(maps.Values(f.in.loops), func(a, b *loop) int {
		return cmp.Or(len(a.blocks)-len(b.blocks), a.header.Index-b.header.Index)
	})
	for _, b := range f.in.fn.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok || !f.know.live[b] || !f.in.calls[c].readsAtomically() {
				continue
			}
			// of the loops that hold it, the innermost one that does not count
			at := slices.IndexFunc(loops, func(l *loop) bool { return l.blocks[b] && !l.endsByCounting() })
			if at >= 0 && f.doubles[loops[at].header] == nil && loops[at].asks(c) {
				found[loops[at].header] = c
			}
		}
	}
	return found
}

// asksForPanic makes the way back of a loop that waits, and begins to count how often it is taken. It is not in the way of what
// need not wait.
func (f *function) asksForPanic(l *latch, header *ir.Block, c *ssa.Call) {
	f.enter(c)
	f.pos, f.Loc = callPos(c), f.location(callPos(c))
	f.Cur = header
	turns := f.Phi(target.I32)
	check := f.NewBlock()
	f.Cur = l.begin
	f.Br(check)
	f.Cur = check
	n := f.Bin("add", turns, target.Int(target.I32, 1))
	f.panicFunc()
	if f.M.T.ExitAfter != nil {
		f.M.T.ExitAfter(f.Builder, n, patience, abi.LockSymbol)
	} else {
		asks, fail, goes := f.NewBlock(), f.NewBlock(), f.NewBlock()
		f.CondBr(f.ICmp("eq", f.Bin("and", n, target.Int(target.I32, patience-1)), target.Int(target.I32, 0)), asks, goes)
		f.Cur = asks
		asked := f.Atomic(target.Access{Op: "load", P: f.lock, V: target.Int(target.I32, 0), Scope: target.Device, Order: "monotonic"})
		f.CondBr(f.ICmp("ne", asked, target.Int(target.I32, 0)), fail, goes)
		f.Cur = fail
		f.raise(waitedInVain, false)
		f.Cur = goes
	}
	l.end, l.turns = f.Cur, turns
	target.AddIncoming(turns, n, f.Cur)
}

// fillTurns gives what counts the turns of loops that wait its first value.
func (f *function) fillTurns() {
	for _, header := range f.in.fn.Blocks {
		l := f.latches[header]
		if l == nil || l.turns == nil {
			continue
		}
		for _, pred := range header.Preds {
			if f.know.taken(pred, header) && !f.isBack(pred, header) {
				target.AddIncoming(l.turns, target.Int(target.I32, 0), f.end[pred])
			}
		}
	}
}

// panicsItself reports whether a panic statement is reached.
func (prog *Program) panicsItself() bool {
	for _, in := range prog.plan.insts {
		for _, b := range in.fn.Blocks {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); ok && (in.live == nil || in.live[b]) {
				return true
			}
		}
	}
	return false
}

// readsAtomically reports whether the call is of an atomic that has a result, or of a function with one in it that is in
// no loop there which may wait by itself.
func (c *callee) readsAtomically() bool {
	switch {
	case c == nil:
		return false
	case c.row != nil:
		return c.row.Atomic && c.fun.fn.Signature.Results().Len() > 0
	}
	return c.inst != nil && c.inst.readsAtomically() || slices.ContainsFunc(c.among, (*callee).readsAtomically)
}

func (in *instance) readsAtomically() bool {
	if in.atomic == 0 {
		in.atomic = -1
		for at, c := range in.calls {
			waits := func(l *loop) bool { return l.blocks[at.Block()] && !l.endsByCounting() }
			if c.readsAtomically() && !slices.ContainsFunc(slices.Collect(maps.Values(in.loops)), waits) {
				in.atomic = 1
			}
		}
	}
	return in.atomic > 0
}

// endsByCounting reports whether each iteration tests a variable that goes on by sums.
func (l *loop) endsByCounting() bool {
	for b := range l.blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		if test, ok := br.Cond.(*ssa.BinOp); ok && (l.counts(test.X) || l.counts(test.Y)) && l.always(b) {
			return true
		}
	}
	return false
}

// asks reports whether a branch of the loop depends on v: on its value, what is computed of it, or a
// local variable that it is stored in.
func (l *loop) asks(v ssa.Value) bool {
	seen := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	add := func(v ssa.Value) {
		if !seen[v] {
			seen[v], work = true, append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.If:
				if l.blocks[r.Block()] {
					return true
				}
			case *ssa.Store:
				if r.Val == v {
					add(wholeOf(r.Addr))
				}
			case ssa.Value:
				add(r)
			}
		}
	}
	return false
}

// wholeOf is the variable that an address is in, as far as that is in sight.
func wholeOf(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return addr
		}
	}
}
