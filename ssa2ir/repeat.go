package ssa2ir

// This file finds the loops of which several iterations are to be made at a time (inline.Series): those in which threads do something together, a barrier or
// a shuffle. LLVM unrolls them only if it knows the number of iterations, and nvcc does by four. A thread in the loop of several iterations and
// one in the loop for the rest would not be together: so both must be the same for all threads, what the variable begins with and its bound.

import (
	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/ops"
	"heddle/internal/target"
)

const (
	maxRepeated     = 400 // SSA instructions of several iterations
	maxRepeatedSize = 64  // bytes of local variables of one
)

// repeated is the program with such loops, where there are any; else it is the program.
func (prog *Program) repeated(m *target.Machine) *Program {
	if !m.UnrollsMedium {
		return prog
	}
	all := prog.findSeries(m)
	if len(all) == 0 {
		return prog
	}
	return prog.with(inline.NewRepeated(prog.root.fn, prog.root.sites, all))
}

// with is the program of another form of the kernel, if there is one; else it is the program.
func (prog *Program) with(fn *ssa.Function, sites *inline.Sites) *Program {
	if fn == nil {
		return prog
	}
	k := *prog.Kernel
	k.Fn, k.sites = fn, sites
	if p, err := check(&k); err == nil {
		return p
	}
	return prog
}

// findSeries finds the loops.
func (prog *Program) findSeries(m *target.Machine) (all []*inline.Series) {
	in := prog.root
	know := in.evaluator(m, map[*instance]*evaluator{})
	var u *uniformity
	for _, b := range in.fn.Blocks {
		l := in.loops[b]
		if l == nil || l.trips > 0 || !know.live[b] || !in.meets(l) {
			continue
		}
		s := inline.SeriesAt(b)
		if s == nil {
			continue
		}
		if s.Times = in.timesOf(l); s.Times < 2 {
			continue
		}
		if u == nil {
			if u = prog.newUniformity(false); u == nil {
				return nil
			}
		}
		if u.returns[b] && u.same(s.First, b) && u.same(s.Bound, b) {
			all = append(all, s)
		}
	}
	return all
}

// meets reports whether threads do something together in a loop, which may be there several times.
func (in *instance) meets(l *loop) bool {
	together, size := false, int64(0)
	for b := range l.blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Alloc:
				if size += sizeof(deref(i.Type())); i.Heap || size > maxRepeatedSize {
					return false
				}
			case *ssa.Call:
				if _, ok := i.Call.Value.(*ssa.Builtin); ok {
					continue
				}
				c := in.calls[i]
				if c == nil || c.row != nil && c.row.Space == ops.StaticShared { // each call stands for a variable
					return false
				}
				does, ok := c.meets()
				if !ok {
					return false
				}
				together = together || does
			}
		}
	}
	return together
}

// meets reports whether threads do something together in a call; it is not ok that such a call is there several times if that is inline assembly, which
// may have labels, or not known.
func (c *callee) meets() (together, ok bool) {
	for _, one := range c.each() {
		switch {
		case one.row != nil:
			if one.row.Convergent() && one.row.Variadic {
				return false, false
			}
			together = together || one.row.Convergent()
		case one.inst == nil:
			return false, false
		default:
			for _, within := range one.inst.calls {
				does, ok := within.meets()
				if !ok {
					return false, false
				}
				together = together || does
			}
		}
	}
	return together, true
}

// timesOf is how many iterations of a loop are to be made at a time.
func (in *instance) timesOf(l *loop) int {
	size := 0
	for b := range l.blocks {
		size += weight(b, 0)
	}
	if n := in.unroll[l.header]; n > 0 {
		if int(n)*size > maxUnrolled {
			return 1
		}
		return int(n)
	}
	switch {
	case 4*size <= maxRepeated:
		return 4
	case 2*size <= maxRepeated:
		return 2
	}
	return 1
}
