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
	"heddle/internal/inline"
	"heddle/internal/ops"
	"heddle/intrinsics"
)

// An instance is one function to compile.
type instance struct {
	plan     *planner
	fn       *ssa.Function
	params   []binding // parallel to fn.Params
	free     []binding // parallel to fn.FreeVars
	calls    map[ssa.CallInstruction]*callee
	order    []*instance                // callees in the order first met
	guessed  bool                       // calls were judged before it was known what their arguments hold
	unroll   map[*ssa.BasicBlock]Unroll // by loop header
	loops    map[*ssa.BasicBlock]*loop  // likewise
	name     string                     // symbol
	inlining inlining
	live     map[*ssa.BasicBlock]bool // see liveBlocks; nil until that is known
	pure     int8                     // 1: it only computes, -1: it does more, 0: not known yet; see onlyComputes
	atomic   int8                     // likewise: it reads atomically; see readsAtomically
	directed bool                     // there is //heddle:unroll above one of its loops
	sites    *inline.Sites            // what is part of it
}

// isCalled reports whether a call resolves to an instance.
func (in *instance) isCalled(other *instance) bool {
	for _, cl := range in.calls {
		if slices.ContainsFunc(cl.each(), func(one *callee) bool { return one.inst == other }) {
			return true
		}
	}
	return false
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
	// among are those that it may be, where it is chosen at run time; no row and no inst then
	among []*callee
}

// each are the callees that a call may reach.
func (c *callee) each() []*callee {
	if c.fun.chosen() {
		return c.among
	}
	return []*callee{c}
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
	numbers      map[string]int64     // of func values, by their keys
	paths        map[types.Type][]way // see funcPaths
	making       map[visit]bool       // closures and calls that are being resolved
}

func newPlanner(k *Kernel) *planner {
	return &planner{k: k, insts: map[string]*instance{}, names: map[string]bool{}, errs: &errorList{},
		numbers: map[string]int64{}, paths: map[types.Type][]way{}, making: map[visit]bool{}}
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
	insts, names, numbers := maps.Clone(p.insts), maps.Clone(p.names), maps.Clone(p.numbers)
	return func() {
		for _, d := range slices.Backward(p.declined) {
			d.callee.inst, d.in.order = nil, d.in.order[:d.order]
		}
		p.insts, p.names, p.numbers, p.declined = insts, names, numbers, nil
	}
}

//go:noinline
func (p *planner) pos(pos token.Pos) token.Position { return p.k.Fset.Position(pos) }

// instance plans fn for the given bindings and everything it calls.
func (p *planner) instance(fn *ssa.Function, params, free []binding, at token.Pos) *instance {
	key := (&funcVal{fn: fn, binds: slices.Concat(params, free)}).key()
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
	if in.sites = (&inline.Sites{}); fn == p.k.Fn && p.k.sites != nil {
		in.sites = p.k.sites
	}
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

// makesFuncs reports whether the function returns functions. Such a function is
// translated inside its caller, so that what its closures capture lives on.
func (in *instance) makesFuncs() bool {
	for v := range in.fn.Signature.Results().Variables() {
		if len(in.plan.funcPaths(v.Type())) > 0 {
			return true
		}
	}
	return false
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
		if b := bindingOf(v); b != nil && v.Parent() != in.fn { // of a closure that it makes
			return in.nonNil(b)
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

func isLoopHeader(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Preds, b.Dominates)
}
