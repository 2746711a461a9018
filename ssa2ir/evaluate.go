package ssa2ir

// This file computes what is known while compiling: values that come of constants, of
// methods of type arguments, of captured variables and package variables that are
// constants, and of the machine. An argument that must be a constant may be any of these,
// and a branch on one is none: what it leads to on no machine like this is not compiled.

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/target"
)

// An evaluator computes values of one instance that are known while compiling for a
// machine; nil is no machine: what depends on it is not known.
type evaluator struct {
	in   *instance
	m    *target.Machine
	live map[*ssa.BasicBlock]bool     // blocks that can be reached, of those seen so far
	dead map[[2]*ssa.BasicBlock]bool  // edges that are not taken
	memo map[ssa.Value]constant.Value // nil: not known
	all  map[*instance]*evaluator     // of the same machine
}

// maxSteps is how many instructions of functions are executed to find one value.
const maxSteps = 10_000

// evaluator is the one for values of an instance on a machine. all has those made so far.
//
//go:noinline
func (in *instance) evaluator(m *target.Machine, all map[*instance]*evaluator) *evaluator {
	if e := all[in]; e != nil {
		return e
	}
	e := &evaluator{in: in, m: m, live: map[*ssa.BasicBlock]bool{}, dead: map[[2]*ssa.BasicBlock]bool{}, memo: map[ssa.Value]constant.Value{}, all: all}
	all[in] = e
	e.reach()
	return e
}

// evaluate is a value that is known on a machine, or on all (nil), by the calls that are
// planned so far; nil if it is not.
func (in *instance) evaluate(m *target.Machine, v ssa.Value) constant.Value {
	return in.evaluator(m, map[*instance]*evaluator{}).value(v)
}

// reach finds the blocks that can be reached. A block comes behind those it is reached
// from, but for the ends of loops.
func (e *evaluator) reach() {
	fn := e.in.fn
	if len(fn.Blocks) == 0 {
		return
	}
	e.live[fn.Blocks[0]] = true
	for _, b := range inline.ReversePostorder(fn) {
		if !e.live[b] {
			continue
		}
		if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && b.Succs[0] != b.Succs[1] {
			if v := e.value(br.Cond); v != nil {
				taken, not := b.Succs[0], b.Succs[1]
				if !constant.BoolVal(v) {
					taken, not = not, taken
				}
				e.dead[[2]*ssa.BasicBlock{b, not}] = true
				e.live[taken] = true
				continue
			}
		}
		for _, s := range b.Succs {
			e.live[s] = true
		}
	}
}

// taken reports whether control may go from one block to the next.
func (e *evaluator) taken(from, to *ssa.BasicBlock) bool {
	return e.live[from] && !e.dead[[2]*ssa.BasicBlock{from, to}]
}

// value is a bool, an integer or a string that is known, nil if it is not.
func (e *evaluator) value(v ssa.Value) constant.Value {
	if c, ok := v.(*ssa.Const); ok {
		if c.Value == nil || !folds(c.Type()) {
			return nil
		}
		return c.Value
	}
	if x, ok := e.memo[v]; ok {
		return x
	}
	e.memo[v] = nil // while a cycle of phi nodes is followed
	x := e.compute(v)
	e.memo[v] = x
	return x
}

// folds reports whether values of a type are evaluated.
func folds(t types.Type) bool { return isKind(t, types.IsBoolean|types.IsInteger|types.IsString) }

func (e *evaluator) compute(v ssa.Value) constant.Value {
	if !folds(v.Type()) {
		return nil
	}
	if x := e.in.decided(v); x != nil {
		return x
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return e.phi(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return e.variable(v.X)
		}
		return foldUnary(v, e.value(v.X))
	case *ssa.Call:
		return e.call(v)
	case *ssa.FreeVar: // a variable that is captured by its value
		return e.captured(v)
	}
	if i, ok := v.(ssa.Instruction); ok {
		return fold(i, e.value)
	}
	return nil
}

// phi is the one value of the edges that are taken.
func (e *evaluator) phi(v *ssa.Phi) (one constant.Value) {
	for i, from := range v.Block().Preds {
		if v.Block().Dominates(from) {
			return nil // a loop's, which is yet to be reached
		}
		if !e.taken(from, v.Block()) {
			continue
		}
		x := e.value(v.Edges[i])
		if x == nil || one != nil && !constant.Compare(x, token.EQL, one) {
			return nil
		}
		one = x
	}
	return one
}

// variable is what a variable holds that never changes.
func (e *evaluator) variable(addr ssa.Value) constant.Value {
	switch a := addr.(type) {
	case *ssa.FreeVar:
		return e.captured(a)
	case *ssa.Global:
		if init, info, err := e.in.plan.k.table(a); err == nil && init != nil && folds(deref(a.Type())) {
			return info.Types[init].Value
		}
	}
	return nil
}

// captured is a captured variable that is a constant of the kernel.
func (e *evaluator) captured(v *ssa.FreeVar) constant.Value {
	for i, f := range e.in.fn.FreeVars {
		if f != v || e.in.free[i].value == nil {
			continue
		}
		t := v.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		return e.in.free[i].value.scalar(t)
	}
	return nil
}

// scalar is the value as a bool, an integer or a string, nil if it is none.
func (v *Value) scalar(t types.Type) constant.Value {
	if !folds(t) || opaque(t) != nil {
		return nil
	}
	if isString(t) {
		return constant.MakeString(v.Strings[0])
	}
	var n uint64
	for i, b := range v.Bytes {
		n |= uint64(b) << (8 * i)
	}
	switch {
	case !isInteger(t):
		return constant.MakeBool(n&1 != 0)
	case isSigned(t):
		shift := 64 - 8*len(v.Bytes)
		return constant.MakeInt64(int64(n) << shift >> shift)
	}
	return constant.MakeUint64(n)
}

// call is the result of a call whose arguments are known: what the function's row says of
// the machine, or what its body computes.
func (e *evaluator) call(call *ssa.Call) constant.Value {
	callee := e.in.calls[call]
	if callee != nil && callee.row != nil {
		if callee.row.Known == nil || e.m == nil {
			return nil
		}
		return callee.row.Known(e.m)
	}
	if n := lengthOfPart(&call.Call); n != nil {
		return n
	}
	var args []constant.Value
	for _, a := range arguments(&call.Call) {
		x := e.value(a)
		if x == nil && sizeof(a.Type()) > 0 { // a type argument's method takes a value of no size
			return nil
		}
		args = append(args, x)
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return foldBuiltin(b.Name(), args)
	}
	if callee == nil || callee.inst == nil || len(callee.fun.binds) > 0 {
		return nil
	}
	steps := maxSteps
	return e.execute(callee.inst, args, &steps)
}

// execute runs a function on values that are known, nil if it does what cannot be evaluated.
func (e *evaluator) execute(in *instance, args []constant.Value, steps *int) constant.Value {
	if len(in.fn.Blocks) == 0 {
		return nil
	}
	vals := map[ssa.Value]constant.Value{}
	for i, p := range in.fn.Params {
		vals[p] = args[i]
	}
	within := &evaluator{in: in, m: e.m, all: e.all}
	get := func(v ssa.Value) constant.Value {
		if c, ok := v.(*ssa.Const); ok && folds(c.Type()) {
			return c.Value
		}
		return vals[v]
	}
	var from *ssa.BasicBlock
	for b := in.fn.Blocks[0]; ; {
		next := map[ssa.Value]constant.Value{} // phi nodes take their values at once
		for _, i := range b.Instrs {
			if *steps--; *steps < 0 {
				return nil
			}
			switch i := i.(type) {
			case *ssa.Phi:
				for n, p := range b.Preds {
					if p == from {
						next[i] = get(i.Edges[n])
					}
				}
				continue
			case *ssa.DebugRef:
				continue
			}
			for p, x := range next {
				vals[p] = x
			}
			clear(next)
			switch i := i.(type) {
			case *ssa.Return:
				if len(i.Results) != 1 {
					return nil
				}
				return get(i.Results[0])
			case *ssa.Jump:
				from, b = b, b.Succs[0]
			case *ssa.If:
				c := get(i.Cond)
				if c == nil {
					return nil
				}
				to := b.Succs[1]
				if constant.BoolVal(c) {
					to = b.Succs[0]
				}
				from, b = b, to
			case *ssa.Call:
				x := within.step(i, get, steps)
				if x == nil {
					return nil
				}
				vals[i] = x
			case *ssa.UnOp:
				if i.Op == token.MUL {
					vals[i] = within.variable(i.X)
				} else {
					vals[i] = foldUnary(i, get(i.X))
				}
				if vals[i] == nil {
					return nil
				}
			default:
				x := fold(i, get)
				if x == nil {
					return nil
				}
				vals[i.(ssa.Value)] = x
			}
		}
	}
}

// step is a call within a function that is executed.
func (e *evaluator) step(call *ssa.Call, get func(ssa.Value) constant.Value, steps *int) constant.Value {
	all := arguments(&call.Call)
	args := make([]constant.Value, len(all))
	for i, a := range all {
		if args[i] = get(a); args[i] == nil && sizeof(a.Type()) > 0 {
			return nil
		}
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return foldBuiltin(b.Name(), args)
	}
	switch callee := e.in.calls[call]; {
	case callee == nil:
		return nil
	case callee.row != nil && callee.row.Known != nil && e.m != nil:
		return callee.row.Known(e.m)
	case callee.row != nil, callee.inst == nil, len(callee.fun.binds) > 0:
		return nil
	default:
		return e.execute(callee.inst, args, steps)
	}
}
