package ssa2ir

// This file ends threads that wait for one that has panicked. A real GPU cannot end a launch:
// a thread that panics ends alone, and whoever waits for what it would have stored would wait
// for ever, and the host with it. So a loop whose end depends on what atomics read
// asks now and then whether the launch has panicked:
//
//	for ready.Load(...) == 0 {}   ->   each time: n++; if n%256 == 0 && load heddle_panic_lock != 0 { panic }
//
// Devices that can end a launch (Target.Panic) need none of it.

import (
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// patience is how many times a thread reads before it asks, a power of two: it takes about a tenth of a millisecond.
// Asking each time would take the time of one more access of memory.
const patience = 256

// waitedInVain is the panic of a thread that waits for one that has panicked, should the host have seen that one's before.
const waitedInVain = "it waits for a thread that has panicked"

// asksForPanics follows a call that may have read what other threads write.
func (f *function) asksForPanics(c *ssa.Call) {
	if f.M.T.Panic != nil || f.opts.NoBounds && !f.prog.panicsItself() || !f.in.calls[c].readsAtomically() || !f.in.waitsFor(c) {
		return
	}
	n := f.counted()
	asks, goes := f.NewBlock(), f.NewBlock()
	f.CondBr(f.ICmp("eq", f.Bin("and", n, target.Int(target.I32, patience-1)), target.Int(target.I32, 0)), asks, goes)
	f.Cur = asks
	f.panicFunc()
	asked := f.Atomic(target.Access{Op: "load", P: f.lock, V: target.Int(target.I32, 0), Scope: target.Device, Order: "monotonic"})
	fail := f.NewBlock()
	f.CondBr(f.ICmp("ne", asked, target.Int(target.I32, 0)), fail, goes)
	f.Cur = fail
	f.raise(waitedInVain, false)
	f.Cur = goes
}

// counted is how often the function's waiting loops have read.
func (f *function) counted() target.Value {
	if f.reads == nil {
		f.reads = f.slot(target.I32)
		cur := f.Cur
		f.Cur = f.allocs
		f.storeRaw(target.Int(target.I32, 0), f.reads)
		f.Cur = cur
	}
	n := f.Bin("add", f.Load(target.I32, f.reads, 4), target.Int(target.I32, 1))
	f.storeRaw(n, f.reads)
	return n
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

// readsAtomically reports whether the call is of an atomic that has a result, or of a function with one in it.
func (c *callee) readsAtomically() bool {
	switch {
	case c == nil:
		return false
	case c.row != nil:
		return c.row.Atomic && c.fun.fn.Signature.Results().Len() > 0
	}
	return c.inst != nil && c.inst.readsAtomically()
}

func (in *instance) readsAtomically() bool {
	if in.atomic == 0 {
		in.atomic = -1
		for _, c := range in.calls {
			if c.readsAtomically() {
				in.atomic = 1
			}
		}
	}
	return in.atomic > 0
}

// waitsFor reports whether a loop may go on until what c reads changes: it does not count, and has a
// branch that depends on c.
func (in *instance) waitsFor(c *ssa.Call) bool {
	for _, l := range in.loops {
		if l.blocks[c.Block()] && !l.endsByCounting() && l.asks(c) {
			return true
		}
	}
	return false
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
