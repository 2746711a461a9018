package vet

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/ops"
	"heddle/intrinsics"
)

// This file finds barriers that only some threads of a block reach. It follows
// the values that differ between threads through a kernel and the helpers of
// its package; a branch on one makes what depends on the branch reached by some
// threads only. What another package's function returns differs if its
// arguments do. Writes through pointers to a caller's variables are not
// followed, so not every divergent barrier is found.

// dslKind says what a function with a row is: a barrier, which every thread of a block must
// call, or one whose result differs between the threads of a block whatever its arguments.
func dslKind(fn *ssa.Function) (barrier, varies bool) {
	row := intrinsics.Lookup(fullName(fn))
	if row == nil {
		return false, false
	}
	return row.Together == ops.Block, row.Result < ops.Block && !row.OfArgs
}

// A divergence analyses functions, once for each set of parameters that differ
// between threads.
type divergence struct {
	memo map[string]*diverged
}

func newDivergence() *divergence { return &divergence{memo: map[string]*diverged{}} }

// A diverged function is one with what differs between threads in it.
type diverged struct {
	flow    *controlFlow
	d       *divergence
	varies  map[ssa.Value]bool
	locals  map[*ssa.Alloc][][]int // fields of local variables whose values differ, by their paths
	partial map[int]token.Pos      // blocks that only some threads reach: the condition
	result  bool                   // what it returns differs
	has     bool                   // a barrier is in it, or in what it calls
	faults  []fault
}

// A fault is a barrier, or a call of a function with one, that only some
// threads reach because of the condition at cond.
type fault struct {
	at, cond token.Pos
	what     string
}

// checkBarriers reports a kernel's divergent barriers.
func (v *vetter) checkBarriers(fn *ssa.Function) {
	if len(fn.Blocks) == 0 {
		return
	}
	d := newDivergence()
	d.analyse(fn, make([]bool, len(fn.Params)), make([]bool, len(fn.FreeVars)))
	var faults []fault
	for _, one := range d.memo {
		faults = append(faults, one.faults...)
	}
	slices.SortFunc(faults, func(a, b fault) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.cond, b.cond)) })
	faults = slices.CompactFunc(faults, func(a, b fault) bool { return a.at == b.at })
	for _, f := range faults {
		where := ""
		if f.cond.IsValid() {
			where = fmt.Sprintf(" at line %d", v.pass.Fset.Position(f.cond).Line)
		}
		at := f.at
		if c := v.calls[at]; c != nil {
			at = c.Pos()
		}
		v.report(at, "some threads of a block may not reach %s: the condition%s differs between threads (move it out of the branch)", f.what, where)
	}
}

// analyse finds what differs in fn when the marked parameters and captured
// variables do.
func (d *divergence) analyse(fn *ssa.Function, params, free []bool) *diverged {
	key := fmt.Sprintf("%p %v %v", fn, params, free)
	if f := d.memo[key]; f != nil {
		return f
	}
	f := &diverged{flow: newControlFlow(fn), d: d, varies: map[ssa.Value]bool{}, locals: map[*ssa.Alloc][][]int{}, partial: map[int]token.Pos{}}
	d.memo[key] = f // a recursive call is refused anyway
	for i, p := range fn.Params {
		f.varies[p] = params[i]
	}
	for i, p := range fn.FreeVars {
		f.varies[p] = free[i]
	}
	for f.step() {
	}
	f.judge()
	return f
}

// step goes over the function once and reports whether it found anything new.
func (f *diverged) step() (changed bool) {
	mark := func(x ssa.Value) {
		if !f.varies[x] {
			f.varies[x], changed = true, true
		}
	}
	for n, b := range f.flow.fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.Store:
				_, partial := f.partial[n]
				load, copies := i.Val.(*ssa.UnOp)
				copies = copies && f.copied(i.Addr, load)
				switch {
				case partial || f.varies[i.Addr] || f.varies[i.Val] && !copies:
					changed = f.taint(i.Addr, nil) || changed
				case copies:
					changed = f.copy(i.Addr, load.X) || changed
				}
			case *ssa.Call:
				if f.callVaries(i) {
					mark(i)
				}
			case *ssa.If:
				if f.varies[i.Cond] && f.branch(n, i, mark) {
					changed = true
				}
			case *ssa.Return:
				_, partial := f.partial[n]
				for _, r := range i.Results {
					if (partial || f.varies[r]) && !f.result {
						f.result, changed = true, true
					}
				}
			case ssa.Value:
				load, ok := i.(*ssa.UnOp)
				if ok && load.Op == token.MUL && f.tainted(load.X) || f.operandVaries(i.(ssa.Instruction)) {
					mark(i)
				}
			}
		}
	}
	return changed
}

// branch notes what depends on a branch that threads take differently.
func (f *diverged) branch(n int, br *ssa.If, mark func(ssa.Value)) (changed bool) {
	blocks, join := f.flow.influence(n)
	for i, b := range f.flow.fn.Blocks {
		if _, known := f.partial[i]; blocks.has(i) && !known {
			f.partial[i], changed = br.Cond.Pos(), true
		}
		if !blocks.has(i) && i != join {
			continue
		}
		for _, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); ok && (i != join || differs(phi, n, blocks)) {
				mark(phi)
			}
		}
	}
	return changed
}

// operandVaries reports whether an operand of an instruction differs.
func (f *diverged) operandVaries(i ssa.Instruction) bool {
	return slices.ContainsFunc(i.Operands(nil), func(op *ssa.Value) bool { return *op != nil && f.varies[*op] })
}

// taint notes that the fields sub of what is at an address in a local variable
// differ between threads, and reports whether that is new.
func (f *diverged) taint(addr ssa.Value, sub []int) bool {
	root, path := local(addr)
	path = slices.Concat(path, sub)
	if root == nil || slices.ContainsFunc(f.locals[root], func(p []int) bool { return slices.Equal(p, path) }) {
		return false
	}
	f.locals[root] = append(f.locals[root], path)
	return true
}

// copied reports whether storing a load copies one local variable's struct to
// another, each field to its like.
func (f *diverged) copied(to ssa.Value, load *ssa.UnOp) bool {
	if load.Op != token.MUL || f.varies[load.X] {
		return false
	}
	from, _ := local(load.X)
	dst, _ := local(to)
	_, isStruct := load.Type().Underlying().(*types.Struct)
	return from != nil && dst != nil && from != dst && isStruct
}

// copy notes that of a copied struct those fields differ that did so before.
func (f *diverged) copy(to, from ssa.Value) (changed bool) {
	root, path := local(from)
	for _, p := range f.locals[root] {
		n := min(len(p), len(path))
		if slices.Equal(p[:n], path[:n]) {
			changed = f.taint(to, p[n:]) || changed
		}
	}
	return changed
}

// tainted reports whether an address is in a local variable, and what is there,
// or a part of it, differs between threads.
func (f *diverged) tainted(addr ssa.Value) bool {
	root, path := local(addr)
	return root != nil && slices.ContainsFunc(f.locals[root], func(p []int) bool {
		n := min(len(p), len(path))
		return slices.Equal(p[:n], path[:n])
	})
}

// local is the local variable that an address lies in, nil for none, and the
// fields that lead there, up to the first index.
func local(addr ssa.Value) (root *ssa.Alloc, path []int) {
	for {
		switch x := addr.(type) {
		case *ssa.Alloc:
			slices.Reverse(path)
			return x, path
		case *ssa.FieldAddr:
			path = append(path, x.Field)
			addr = x.X
		case *ssa.IndexAddr:
			path = nil
			addr = x.X
		case *ssa.Slice:
			addr = x.X
		default:
			return nil, nil
		}
	}
}

// callVaries reports whether a call's result differs between threads.
func (f *diverged) callVaries(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if barrier, varies := dslKind(fn); barrier || varies {
		return varies
	}
	if callee := f.callee(call); callee != nil {
		return callee.result
	}
	return f.operandVaries(call) || slices.ContainsFunc(call.Call.Args, f.tainted)
}

// callee is the analysis of a called function; nil if it has no body here, or
// depends on run time.
func (f *diverged) callee(call *ssa.Call) *diverged {
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return nil
	}
	params, free := make([]bool, len(fn.Params)), make([]bool, len(fn.FreeVars))
	for i, a := range call.Call.Args {
		params[i] = f.varies[a] || f.tainted(a)
	}
	if mk, ok := call.Call.Value.(*ssa.MakeClosure); ok {
		for i, b := range mk.Bindings {
			free[i] = f.varies[b] || f.tainted(b)
		}
	}
	return f.d.analyse(fn, params, free)
}

// judge finds the barriers that only some threads reach.
func (f *diverged) judge() {
	for n, b := range f.flow.fn.Blocks {
		cond, partial := f.partial[n]
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			fn, what := call.Call.StaticCallee(), ""
			if barrier, _ := dslKind(fn); barrier {
				what = "dsl." + fn.Name()
			} else if callee := f.callee(call); callee != nil && callee.has {
				what = fn.Name() + ", which has a barrier in it"
			}
			if what == "" {
				continue
			}
			f.has = true
			if partial {
				f.faults = append(f.faults, fault{call.Pos(), cond, what})
			}
		}
	}
}
