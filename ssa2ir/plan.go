package ssa2ir

// This file finds what a kernel reaches. Every function is compiled as an
// instance: the function together with the functions its func-typed
// parameters and free variables hold (a call through a func value is thereby
// a static call) and with which of its pointers are known not to be nil.

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/internal/ops"
	"heddle/intrinsics"
)

// A funcVal is a function value known while compiling. At run time it is the
// tuple of its bindings.
type funcVal struct {
	fn    *ssa.Function
	binds []binding
}

// A binding is one free variable of a known closure.
type binding struct {
	typ    types.Type
	fun    *funcVal // what it holds, where it is a func or points to one
	nonNil bool
	// dynamic is the type of what an interface holds; typ is that, too
	dynamic types.Type
	// captured: it is the address of a captured variable, not to be written to
	captured bool
	// value is what the variable holds, where that is a constant of the kernel.
	value *Value
}

// key identifies a funcVal: equal keys mean the same code and layout.
func (v *funcVal) key() string {
	if v == nil {
		return "-"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%p", v.fn)
	for _, x := range v.binds {
		fmt.Fprintf(&b, "<%s,%t,%t,%p,%p>", x.fun.key(), x.nonNil, x.captured, x.value, x.dynamic)
	}
	return b.String()
}

// An instance is one function to compile.
type instance struct {
	plan     *planner
	fn       *ssa.Function
	params   []binding // parallel to fn.Params
	free     []binding // parallel to fn.FreeVars
	calls    map[ssa.CallInstruction]*callee
	order    []*instance                // callees in the order first met
	unroll   map[*ssa.BasicBlock]Unroll // by loop header
	loops    map[*ssa.BasicBlock]*loop  // likewise
	name     string                     // symbol
	inlining inlining
	live     map[*ssa.BasicBlock]bool // see liveBlocks; nil until that is known
	pure     int8                     // 1: it only computes, -1: it does more, 0: not known yet; see onlyComputes
	atomic   int8                     // likewise: it reads atomically; see readsAtomically
}

// bound are the bindings of the parameters and the free variables.
func (in *instance) bound() []binding { return slices.Concat(in.params, in.free) }

// A callee is what one call resolves to. Both may be set: a row may decline.
type callee struct {
	row  *intrinsics.Row
	name string // full name, for the row
	fun  *funcVal
	inst *instance // nil until planned
	args []binding
}

// A planner makes instances, once each.
type planner struct {
	k     *Kernel
	insts map[string]*instance
	names map[string]bool
	errs  *errorList
	// failed are functions of the standard library that cannot be compiled
	failed map[*instance]*diag.Error
	stack  []*instance // being planned: a callee found here is recursion
	sites  []token.Pos // of their calls
	// unknownFuncs says that what a captured func holds is not known (Kernel.Partial).
	unknownFuncs bool
	declined     []declined
}

// A declined call was planned while lowering, since its row has nothing for the machine.
type declined struct {
	callee *callee
	in     *instance // the caller,
	order  int       // and how many callees it had
}

// keepPlan takes back what a lowering planned for its machine alone, when that ends: another
// machine's code must not depend on which came before.
func (p *planner) keepPlan() (restore func()) {
	insts, names := maps.Clone(p.insts), maps.Clone(p.names)
	return func() {
		for _, d := range slices.Backward(p.declined) {
			d.callee.inst, d.in.order = nil, d.in.order[:d.order]
		}
		p.insts, p.names, p.declined = insts, names, nil
	}
}

//go:noinline
func (p *planner) pos(pos token.Pos) token.Position { return p.k.Fset.Position(pos) }

// instance plans fn for the given bindings and everything it calls.
func (p *planner) instance(fn *ssa.Function, params, free []binding, at token.Pos) *instance {
	key := (&funcVal{fn, append(append([]binding{}, params...), free...)}).key()
	if in := p.insts[key]; in != nil {
		for _, s := range p.stack {
			if s == in {
				p.fault(p.pos(at), "use a loop; the GPU has no stack to grow",
					"recursive call of %s", fn.Name())
			}
		}
		return in
	}
	in := &instance{plan: p, fn: fn, params: params, free: free, calls: map[ssa.CallInstruction]*callee{}, name: p.symbol(fn)}
	p.insts[key] = in
	in.direct(p)
	p.stack, p.sites = append(p.stack, in), append(p.sites, at)
	(&checker{planner: p, in: in}).check()
	p.stack, p.sites = p.stack[:len(p.stack)-1], p.sites[:len(p.sites)-1]
	return in
}

// fault notes an error in the function that is being planned, with the calls that
// lead there.
func (p *planner) fault(pos token.Position, hint, format string, args ...any) {
	e := p.errs.add(pos, hint, format, args...)
	for i := len(p.stack) - 1; i > 0; i-- {
		if !hidden(p.stack[i-1].fn) {
			e.Calls = append(e.Calls, p.pos(p.sites[i]))
		}
	}
}

// symbolPrefix begins the names of device functions; the kernel's own symbol lacks it.
const symbolPrefix = "heddle_"

// symbol is a unique name of letters, digits and underscores, as PTX wants them.
func (p *planner) symbol(fn *ssa.Function) string {
	base := strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, fn.RelString(nil))
	if len(base) > 100 {
		base = strings.TrimLeft(base[len(base)-100:], "_0123456789") // the kernel's symbol is this alone: a letter first
	}
	name := symbolPrefix + base
	for i := 1; p.names[name]; i++ {
		name = fmt.Sprintf("%s%s_%d", symbolPrefix, base, i)
	}
	p.names[name] = true
	return name
}

// resolve finds the function that v holds, or nil if that depends on run time.
//
//go:noinline
func (in *instance) resolve(v ssa.Value) *funcVal {
	return in.resolveIn(v, map[ssa.Value]bool{})
}

func (in *instance) resolveIn(v ssa.Value, seen map[ssa.Value]bool) *funcVal {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Function:
		return &funcVal{fn: v}
	case *ssa.MakeClosure:
		fv := &funcVal{fn: v.Fn.(*ssa.Function)}
		for _, b := range v.Bindings {
			bind := binding{typ: b.Type(), nonNil: in.nonNil(b), captured: in.captured(b)}
			if isFunc(b.Type()) || pointsToFunc(b.Type()) {
				if bind.fun = in.resolveIn(b, seen); bind.fun == nil {
					return nil
				}
			}
			in.hold(&bind, b)
			fv.binds = append(fv.binds, bind)
		}
		return fv
	case *ssa.Parameter:
		for i, q := range in.fn.Params {
			if q == v {
				return in.params[i].fun
			}
		}
	case *ssa.FreeVar:
		for i, q := range in.fn.FreeVars {
			if q == v {
				return in.free[i].fun
			}
		}
	case *ssa.ChangeType:
		return in.resolveIn(v.X, seen)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return in.resolveIn(v.X, seen)
		}
	case *ssa.Alloc: // a func variable: known if assigned once
		if val := onlyStore(v); val != nil {
			return in.resolveIn(val, seen)
		}
	case *ssa.Phi:
		fv := in.same(v.Edges, seen)
		if fv != nil && len(fv.binds) > 0 && isLoopHeader(v.Block()) {
			return nil // what an earlier iteration captured has been overwritten
		}
		return fv
	case *ssa.Call:
		return in.result(v, 0, seen)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return in.result(call, v.Index, seen)
		}
	}
	return nil
}

func isLoopHeader(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Preds, b.Dominates)
}

// same is the one function that all values hold: the same code, whatever its bindings.
func (in *instance) same(vs []ssa.Value, seen map[ssa.Value]bool) *funcVal {
	var one *funcVal
	for _, v := range vs {
		fv := in.resolveIn(v, seen)
		if fv == nil || one != nil && one.key() != fv.key() {
			return nil
		}
		one = fv
	}
	return one
}

// result is the function that a call returns as result i: one that makes closures.
func (in *instance) result(call *ssa.Call, i int, seen map[ssa.Value]bool) *funcVal {
	if in.calls[call] == nil {
		checkCall(&checker{planner: in.plan, in: in}, call)
	}
	c := in.calls[call]
	if c == nil || c.inst == nil {
		return nil
	}
	var results []ssa.Value
	for _, b := range c.inst.fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			results = append(results, r.Results[i])
		}
	}
	return c.inst.same(results, seen)
}

// makesFuncs reports whether the function returns functions. Such a function is
// translated inside its caller, so that what its closures capture lives on.
func (in *instance) makesFuncs() bool {
	for v := range in.fn.Signature.Results().Variables() {
		if isFunc(v.Type()) {
			return true
		}
	}
	return false
}

// onlyStore is the one value ever stored to a local variable, following it
// into the closures that capture it; nil if there is none or several.
func onlyStore(a *ssa.Alloc) ssa.Value {
	var val ssa.Value
	n := 0
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == v {
					val = r.Val
				}
				n++
			case *ssa.MakeClosure:
				fn := r.Fn.(*ssa.Function)
				for i, b := range r.Bindings {
					if b == v {
						visit(fn.FreeVars[i])
					}
				}
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				n = 2
			}
		}
	}
	visit(a)
	if n != 1 {
		return nil
	}
	return val
}

// nonNil reports whether a pointer cannot be nil.
func (in *instance) nonNil(v ssa.Value) bool {
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok && !isUnsafePointer(v.Type()) {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.SliceToArrayPointer:
		return true
	case *ssa.FreeVar:
		for i, q := range in.fn.FreeVars {
			if q == v {
				return in.free[i].nonNil
			}
		}
	case *ssa.Parameter:
		for i, q := range in.fn.Params {
			if q == v {
				return in.params[i].nonNil
			}
		}
	case *ssa.ChangeType:
		return in.nonNil(v.X)
	case *ssa.Convert: // to unsafe.Pointer and back
		return in.nonNil(v.X)
	case *ssa.Call:
		// by the rules of package unsafe what is added to an address leads to the same variable
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "Add" {
			return in.nonNil(v.Call.Args[0])
		}
		if c := in.calls[v]; c != nil && c.row == nil && c.inst != nil {
			return c.inst.returnsNonNil()
		}
		return in.facts(v).NonNil
	}
	return false
}

// returnsNonNil reports whether no nil can be the one result of a function.
func (in *instance) returnsNonNil() bool {
	for _, b := range in.fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && (len(ret.Results) != 1 || !in.nonNil(ret.Results[0])) {
			return false
		}
	}
	return true
}

// facts are those of the row that a call has, none if it has no row.
func (in *instance) facts(call *ssa.Call) ops.Facts {
	if c := in.calls[call]; c != nil && c.row != nil {
		return c.row.Facts
	}
	return ops.Facts{}
}

// bindings describes call arguments.
func (in *instance) bindings(args []ssa.Value) []binding {
	bs := make([]binding, len(args))
	for i, a := range args {
		bs[i] = binding{typ: a.Type(), nonNil: in.nonNil(a), captured: in.captured(a)}
		if isFunc(a.Type()) || pointsToFunc(a.Type()) {
			bs[i].fun = in.resolve(a)
		}
		in.hold(&bs[i], a)
	}
	return bs
}

// fullName is a function's name as the intrinsic table has it.
func fullName(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.FullName()
	}
	return ""
}
