package ssa2ir

// This file finds slices that the kernel only reads, and that lie apart from all that it writes to in all launches of which the condition holds,
// as the host sees to that. They are noalias then: LLVM loads from them ahead of stores to others, as nvcc does by __restrict__.
//
//	for ... { y[i] = f(x[i]) }   ->   ptr noalias %x, and of the host x+cap(x) <= y || y+cap(y) <= x
//
// It is asked for where something is read behind a store. A kernel whose threads wait for each other's stores, or for those of other kernels, but
// at a barrier, is left alone: such slices may be loaded by instructions that see no store.

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// mostDisjoint is how many pairs of slices the host compares, at 10 steps or so each.
const mostDisjoint = 24

// A disjoint is a pair of slices that may not overlap, nor what is that many bytes behind either.
type disjoint struct {
	read, written passedSlice
	more          int64
}

// A passedSlice is a slice that is passed: where its pointer is in the argument block, and its elements' size.
type passedSlice struct{ at, size int64 }

// A memoryUse is what a kernel does with the slices that are passed.
type memoryUse struct {
	f       *function
	p       *prover
	h       *hostSteps
	reads   map[passedSlice][]ssa.Instruction
	written map[passedSlice]bool
	stores  []ssa.Instruction // to any of them
	more    int64             // how many bytes may be read or written behind a slice, by what is no element
	unknown bool              // there may be others
}

// findDisjoint finds the slices that are to lie apart.
func (f *function) findDisjoint() (all []disjoint) {
	if !f.M.T.Disjoint || f.prog.Kernel.NoAlias || !f.meetsEarly() {
		return nil
	}
	a := &memoryUse{f: f, p: f.newProver(), h: &hostSteps{f: f}, reads: map[passedSlice][]ssa.Instruction{}, written: map[passedSlice]bool{}}
	for _, b := range f.in.fn.Blocks {
		for _, i := range b.Instrs {
			a.note(i)
		}
	}
	if a.unknown {
		return nil
	}
	written := a.sorted(func(s passedSlice) bool { return a.written[s] })
	for _, s := range a.sorted(func(s passedSlice) bool { return !a.written[s] && a.readLate(s) }) {
		var pairs []disjoint
		for _, w := range written {
			pairs = append(pairs, disjoint{s, w, a.more})
		}
		if len(all)+len(pairs) <= mostDisjoint && f.mayBeDisjoint(pairs) {
			all = append(all, pairs...)
		}
	}
	return all
}

// meetsEarly reports whether a thread sees the stores of others behind barriers alone. An atomic operation without an order shows no store but its own.
func (f *function) meetsEarly() bool {
	for _, in := range f.prog.plan.insts {
		for _, call := range in.calls {
			for _, c := range call.each() {
				if c.row == nil {
					continue
				}
				facts := c.row.Facts
				facts.Atomic = facts.Atomic && facts.Effect != ops.Writes
				if facts.Effect == ops.Writes && c.row.Atomic {
					continue
				}
				if !meetsAtBarriers(facts, c.row.Variadic) {
					return false
				}
			}
		}
	}
	return true
}

// sorted are slices in the order of the argument block.
func (a *memoryUse) sorted(wanted func(s passedSlice) bool) (all []passedSlice) {
	for s := range a.reads {
		all = append(all, s)
	}
	for s := range a.written {
		if _, found := a.reads[s]; !found {
			all = append(all, s)
		}
	}
	all = slices.DeleteFunc(all, func(s passedSlice) bool { return !wanted(s) })
	slices.SortFunc(all, func(x, y passedSlice) int { return int(x.at - y.at) })
	return all
}

// readLate reports whether a slice may be read after a store.
func (a *memoryUse) readLate(s passedSlice) bool {
	for _, store := range a.stores {
		after := reachable(store.Block(), nil)
		for _, r := range a.reads[s] {
			if after[r.Block()] || r.Block() == store.Block() && slices.Index(r.Block().Instrs, store) < slices.Index(r.Block().Instrs, r) {
				return true
			}
		}
	}
	return false
}

// note notes what an instruction does.
func (a *memoryUse) note(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.UnOp:
		if i.Op == token.MUL {
			a.access(i, i.X, false)
		}
	case *ssa.Store:
		a.access(i, i.Addr, true)
	case *ssa.Convert:
		if t, ok := i.Type().Underlying().(*types.Pointer); ok { // what is more than an element ends behind the slice
			a.more = max(a.more, sizeof(t.Elem())-1)
		}
		a.unknown = a.unknown || isInteger(i.X.Type()) && types.Identical(i.Type().Underlying(), types.Typ[types.UnsafePointer])
	case *ssa.MakeClosure, *ssa.Go, *ssa.Defer:
		a.unknown = true
	case *ssa.Call:
		a.call(i)
	}
}

// call notes what a call does: nothing that is called may store but through its arguments, or it is not seen.
func (a *memoryUse) call(i *ssa.Call) {
	if b, ok := i.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex", "print", "println", "ssa:wrapnilchk":
		case "copy":
			a.access(i, i.Call.Args[0], true)
			a.access(i, i.Call.Args[1], false)
		case "clear":
			a.access(i, i.Call.Args[0], true)
		default:
			a.unknown = true
		}
		return
	}
	callee := a.f.in.calls[i]
	if callee == nil || callee.row == nil || callee.fun.chosen() {
		a.unknown = true
		return
	}
	for _, arg := range i.Call.Args {
		if !onlyNumbers(arg.Type()) && callee.row.Effect != ops.Pure {
			a.access(i, arg, callee.row.Effect != ops.Reads)
		}
	}
}

// access notes that memory is read or written where an address, or a slice, points to.
func (a *memoryUse) access(i ssa.Instruction, addr ssa.Value, write bool) {
	slices, ok := a.slicesOf(addr, map[ssa.Value]bool{})
	a.unknown = a.unknown || write && !ok
	for _, s := range slices {
		if write {
			a.written[s] = true
			a.stores = append(a.stores, i)
		} else {
			a.reads[s] = append(a.reads[s], i)
		}
	}
}

// slicesOf are the slices that are passed into which an address may point. It is ok if it points nowhere else, but to the thread's own
// memory or the block's.
func (a *memoryUse) slicesOf(v ssa.Value, seen map[ssa.Value]bool) (all []passedSlice, ok bool) {
	for {
		if seen[v] {
			return nil, true
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.SliceToArrayPointer:
			v = x.X
		case *ssa.Convert:
			v = x.X
		case *ssa.Alloc:
			return nil, true
		case *ssa.Phi:
			for _, e := range x.Edges {
				s, known := a.slicesOf(e, seen)
				if !known {
					return nil, false
				}
				all = append(all, s...)
			}
			return all, true
		case *ssa.Call:
			callee := a.f.in.calls[x]
			return nil, callee != nil && callee.row != nil && callee.row.Shared()
		default:
			return a.passed(v)
		}
	}
}

// passed is the slice that a value is, if that is passed.
func (a *memoryUse) passed(v ssa.Value) ([]passedSlice, bool) {
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		return nil, false
	}
	at, t, ok := a.h.argument(a.p.node(v))
	if !ok {
		return nil, false
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil, false
	}
	return []passedSlice{{at, sizeof(s.Elem())}}, true
}

// mayBeDisjoint reports whether slices lie apart in the launch that the code is made for, or may in some.
func (f *function) mayBeDisjoint(all []disjoint) bool {
	if f.opts.Launch == nil {
		return true
	}
	h := &hostSteps{f: f}
	var v target.Value = target.Int(target.I64, 0)
	for _, d := range all {
		v = h.Bin("or", v, h.overlaps(d))
	}
	c := h.steps[:h.place(v)+1]
	return c.Check(len(f.opts.Launch.Args)) == nil && c.Holds(f.opts.Launch)
}

// overlaps is 1 if slices do, or what is behind them; else 0. Addresses are below 1<<63.
func (h *hostSteps) overlaps(d disjoint) target.Value {
	ends := func(s passedSlice) (begin, end target.Value) {
		arg := func(at int64) target.Value {
			return h.add(target.I64, abi.Step{Op: abi.StepArg, X: int(at), Y: 8})
		}
		begin = arg(s.at)
		size := h.Bin("mul", arg(s.at+16), target.Int(target.I64, s.size))
		return begin, h.Bin("add", begin, h.Bin("add", size, target.Int(target.I64, d.more)))
	}
	before := func(x, y target.Value) target.Value {
		return h.Bin("lshr", h.Bin("sub", x, y), target.Int(target.I64, 63))
	}
	read, readEnd := ends(d.read)
	written, writtenEnd := ends(d.written)
	return h.Bin("mul", before(read, writtenEnd), before(written, readEnd))
}
