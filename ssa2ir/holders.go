package ssa2ir

// This file finds what func values hold. It follows a value back to the functions that it
// may come from, through variables, fields, elements, parameters and results, whatever the
// order in which a function does things. A func can be stored only where all that it may
// hold is known to be (checkFuncStore): so what a variable holds is what is stored in it
// where its name is known.

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// holders collects functions that values hold.
type holders struct {
	plan    *planner
	in      *instance
	seen    map[visit]bool
	found   []*funcVal
	nilable bool
	unknown bool        // it may hold others, too:
	global  *ssa.Global // that it comes from
	said    bool        // of a call that is refused,
	itself  bool        // or it is made of itself
}

// A visit is of the funcs that a path leads to in a value, or in a variable by its address.
type visit struct {
	in    *instance
	v     ssa.Value
	path  way
	store bool
}

// resolve finds what v holds, a func or the address of a func variable; nil if that is not known.
//
//go:noinline
func (in *instance) resolve(v ssa.Value) *funcVal {
	if pointsToFunc(v.Type()) {
		return in.resolveAt(v, throughPointer)
	}
	return in.resolveAt(v, "")
}

// resolveAt finds what the funcs hold that a path leads to in v.
func (in *instance) resolveAt(v ssa.Value, p way) *funcVal {
	h := &holders{plan: in.plan, in: in, seen: map[visit]bool{}}
	h.add(v, p)
	return h.value()
}

// unfollowed says why it is not known what v holds.
func (in *instance) unfollowed(v ssa.Value) *holders {
	h := &holders{plan: in.plan, in: in, seen: map[visit]bool{}}
	if pointsToFunc(v.Type()) {
		h.add(v, throughPointer)
	} else {
		h.add(v, "")
	}
	return h
}

// value is what was found, nil if that is not all.
func (h *holders) value() *funcVal {
	if h.unknown || len(h.found) == 0 && !h.nilable {
		return nil
	}
	number := h.plan.number
	if len(h.found) == 1 && !h.nilable {
		return h.found[0]
	}
	c := &funcVal{nilable: h.nilable, among: h.found}
	slices.SortFunc(c.among, func(a, b *funcVal) int { return int(number(a) - number(b)) })
	for _, a := range c.among {
		c.numbers = append(c.numbers, number(a))
	}
	return c
}

// hold adds what is known to be held.
func (h *holders) hold(v *funcVal) {
	switch {
	case v == nil:
		h.unknown = true
	case v.chosen():
		h.nilable = h.nilable || v.nilable
		for _, a := range v.among {
			h.hold(a)
		}
	case !slices.ContainsFunc(h.found, func(a *funcVal) bool { return a.key() == v.key() }):
		h.found = append(h.found, v)
	}
}

// within goes on in another instance.
func (h *holders) within(in *instance, v ssa.Value, p way) {
	outer := h.in
	h.in = in
	h.add(v, p)
	h.in = outer
}

// add follows the funcs that a path leads to in v.
func (h *holders) add(v ssa.Value, p way) {
	at := visit{h.in, v, p, false}
	if h.seen[at] || h.unknown {
		return
	}
	h.seen[at] = true
	switch v := v.(type) {
	case *ssa.Function:
		h.hold(&funcVal{fn: v})
	case *ssa.MakeClosure:
		fv := h.in.closure(v)
		h.itself = h.itself || fv == nil
		h.hold(fv)
	case *ssa.Const: // a zero value
		_, deref := p.after(throughPointer)
		h.nilable = h.nilable || !deref
	case *ssa.Parameter:
		h.bound(v, p, h.in.fn.Params, h.in.params)
	case *ssa.FreeVar:
		if b := bindingOf(v); v.Parent() != h.in.fn && b != nil {
			h.add(b, p)
			return
		}
		h.bound(v, p, h.in.fn.FreeVars, h.in.free)
	case *ssa.Alloc:
		if rest, ok := p.after(throughPointer); ok {
			h.nilable = h.nilable || !assignedFirst(v, rest)
			h.stored(v, rest)
			return
		}
		h.unknown = true
	case *ssa.Global:
		h.unknown, h.global = true, v
	case *ssa.Phi:
		for i, e := range v.Edges {
			if h.in.live == nil || v.Parent() != h.in.fn || h.in.live[v.Block().Preds[i]] {
				h.add(e, p)
			}
		}
	case *ssa.Call:
		h.result(v, 0, p)
	case *ssa.Extract:
		switch from := v.Tuple.(type) {
		case *ssa.Call:
			h.result(from, v.Index, p)
		case *ssa.TypeAssert:
			if holds, known := h.in.holds(from); known && !holds {
				h.nilable = true
				return
			}
			h.add(from.X, p)
		default:
			h.unknown = true
		}
	default:
		if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
			if last, rest := h.plan.lastStored(load, p); last != nil {
				h.add(last, rest)
				return
			}
		}
		if x, step := partAt(v, p); x != nil {
			h.add(x, step)
			return
		}
		h.unknown = true
	}
}

// partAt is the value that v is a part of or is made of, and the way there to what a path
// leads to in v; nil if v is neither.
func partAt(v ssa.Value, p way) (x ssa.Value, by way) {
	rest, inVariable := p.after(throughPointer)
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return v.X, throughPointer + p
		}
	case *ssa.Field:
		return v.X, toField(v.Field) + p
	case *ssa.Index:
		return v.X, toElement + p
	case *ssa.FieldAddr:
		if inVariable {
			return v.X, throughPointer + toField(v.Field) + rest
		}
	case *ssa.IndexAddr:
		if inVariable {
			return v.X, throughPointer + toElement + rest
		}
	case *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		return *v.(ssa.Instruction).Operands(nil)[0], p // of the same funcs
	}
	return nil, ""
}

// bound adds what a parameter or a free variable is bound to.
func (h *holders) bound(v ssa.Value, p way, vars any, bs []binding) {
	i := -1
	switch all := vars.(type) {
	case []*ssa.Parameter:
		i = slices.Index(all, v.(*ssa.Parameter))
	case []*ssa.FreeVar:
		i = slices.Index(all, v.(*ssa.FreeVar))
	}
	if i < 0 {
		h.unknown = true
		return
	}
	h.hold(bs[i].at(p))
}

// bindingOf is what a closure's free variable is bound to in the function around it.
func bindingOf(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			if mk, ok := i.(*ssa.MakeClosure); ok && mk.Fn == fn {
				return mk.Bindings[slices.Index(fn.FreeVars, v)]
			}
		}
	}
	return nil
}

// closure is a function with its bindings, nil if a func among these is not known: it is
// made of itself, then, or of what is not.
func (in *instance) closure(m *ssa.MakeClosure) *funcVal {
	at := visit{in: in, v: m}
	if in.plan.making[at] {
		return nil
	}
	in.plan.making[at] = true
	defer delete(in.plan.making, at)
	fv := &funcVal{fn: m.Fn.(*ssa.Function)}
	for _, v := range m.Bindings {
		b := in.bind(v)
		if (isFunc(b.typ) || pointsToFunc(b.typ)) && b.fun == nil {
			return nil
		}
		fv.binds = append(fv.binds, b)
	}
	return fv
}

// result adds what a call returns as result i.
func (h *holders) result(call *ssa.Call, i int, p way) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			h.add(call.Call.Args[0], p)
			h.add(call.Call.Args[1], p)
			return
		}
		h.unknown = true
		return
	}
	if call.Parent() != h.in.fn {
		h.unknown = true
		return
	}
	if h.in.calls[call] == nil && h.plan.making[visit{in: h.in, v: call}] {
		h.in.guessed = true // what it returns of its own arguments is nothing new, or found by settle
		return
	}
	c := h.in.judged(call)
	if c == nil {
		h.unknown, h.said = true, true
		return
	}
	for _, c := range c.each() {
		if c.inst == nil {
			h.unknown = true
			return
		}
		h.returned(c.inst, i, p)
	}
}

// returned adds what an instance returns as result i.
func (h *holders) returned(in *instance, i int, p way) {
	for _, b := range in.fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && (in.live == nil || in.live[b]) {
			h.within(in, r.Results[i], p)
		}
	}
}

// judged is what a call resolves to, which is judged here if it was not before; nil if it
// is refused, or depends on itself.
func (in *instance) judged(call *ssa.Call) *callee {
	at := visit{in: in, v: call}
	if in.calls[call] == nil && !in.plan.making[at] {
		in.plan.making[at] = true
		defer delete(in.plan.making, at)
		checkCall(&checker{planner: in.plan, in: in}, call)
	}
	return in.calls[call]
}

// settle judges calls again whose arguments hold more than was known when they were judged:
// what they return is stored where these come from, as in o = o.with(f).
func (c *checker) settle() {
	const rounds = 10
	for range rounds {
		if !c.in.guessed {
			return
		}
		c.in.guessed = false
		again := false
		for _, b := range c.in.fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(*ssa.Call); ok && c.in.calls[call] != nil && c.grown(call) {
					again = true
					delete(c.in.calls, call)
					checkCall(c, call)
				}
			}
		}
		c.in.guessed = c.in.guessed || again
	}
	c.chosen(c.in.fn.Pos(), followFuncs, "func values in %s that the compiler cannot follow", c.in.fn.Name())
}

// grown reports whether a call is now known to call other functions, or with others, than
// when it was judged.
func (c *checker) grown(call *ssa.Call) bool {
	cl := c.in.calls[call]
	if !call.Call.IsInvoke() && c.in.resolve(call.Call.Value).key() != cl.fun.key() {
		return true
	}
	now := &funcVal{binds: c.in.bindings(arguments(&call.Call))}
	return slices.ContainsFunc(cl.each(), func(one *callee) bool {
		then := &funcVal{binds: slices.Clone(one.args)}
		for i := range then.binds {
			then.binds[i].flag = nil // see withFlags
		}
		return then.key() != now.key()
	})
}

// stored adds what is stored in a variable, or a part of one, by what its address is used for.
func (h *holders) stored(addr ssa.Value, p way) {
	at := visit{h.in, addr, p, true}
	if h.seen[at] || h.unknown {
		return
	}
	h.seen[at] = true
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				h.add(r.Val, p)
			}
		case *ssa.FieldAddr:
			if rest, ok := p.after(toField(r.Field)); ok {
				h.stored(r, rest)
			}
		case *ssa.IndexAddr:
			if rest, ok := p.after(toElement); ok && r.X == addr {
				h.stored(r, rest)
			}
		case *ssa.Slice, *ssa.ChangeType, *ssa.Phi, *ssa.SliceToArrayPointer:
			h.stored(r.(ssa.Value), p)
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == addr {
					h.stored(r.Fn.(*ssa.Function).FreeVars[i], p)
				}
			}
		case *ssa.Convert: // to unsafe.Pointer
			h.unknown = true
		case *ssa.Call:
			b, ok := r.Call.Value.(*ssa.Builtin)
			if ok && (b.Name() == "append" || b.Name() == "copy") && r.Call.Args[0] == addr {
				h.add(r.Call.Args[1], throughPointer+p)
			}
			if ok && b.Name() == "append" && r.Call.Args[0] == addr {
				h.stored(r, p)
			}
		}
	}
}

// assignedFirst reports whether what a path leads to in a variable is stored in the block
// that makes it, before anything may read it: it is never nil for having been left so.
func assignedFirst(a *ssa.Alloc, p way) bool {
	in := map[ssa.Value]bool{a: true} // addresses in it
	first := map[*ssa.Store]bool{}    // that come before any use
	for _, i := range a.Block().Instrs[slices.Index(a.Block().Instrs, ssa.Instruction(a))+1:] {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			in[i] = in[i.X]
			continue
		case *ssa.IndexAddr:
			in[i] = in[i.X]
			continue
		case *ssa.Store:
			if !in[i.Val] {
				first[i] = true
				continue
			}
		case *ssa.DebugRef:
			continue
		case *ssa.MakeClosure: // nothing calls it yet
			in[i] = slices.ContainsFunc(i.Bindings, func(b ssa.Value) bool { return in[b] })
			continue
		}
		if slices.ContainsFunc(i.Operands(nil), func(v *ssa.Value) bool { return *v != nil && in[*v] }) {
			break // of the loop
		}
	}
	return assigns(first, a, p)
}

// assigns reports whether stores assign all that a path leads to in a variable.
func assigns(stores map[*ssa.Store]bool, addr ssa.Value, p way) bool {
	elems := map[int64]bool{}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr && stores[r] {
				return true
			}
		case *ssa.FieldAddr:
			if rest, ok := p.after(toField(r.Field)); ok && assigns(stores, r, rest) {
				return true
			}
		case *ssa.IndexAddr:
			rest, ok := p.after(toElement)
			if k, isConst := r.Index.(*ssa.Const); ok && isConst && r.X == addr && assigns(stores, r, rest) {
				elems[k.Int64()] = true
			}
		}
	}
	arr, ok := deref(addr.Type()).Underlying().(*types.Array)
	return ok && int64(len(elems)) == arr.Len()
}
