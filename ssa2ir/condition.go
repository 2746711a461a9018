package ssa2ir

// This file has the host decide whether a launch may run the first version of a kernel (bounded.go), where all that decides is passed by the launch.
// Then there is no other one in the code: who launches the kernel sees to it that the condition holds, and has
// general code for launches of which it does not.
//
//	if w*h <= len(in) && w, h, w*h < 1<<31   ->   abi.Condition, of the bytes that are passed
//
// It is what bounded_make.go computes on the device. A block's index stands for that of any block.

import (
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/target"
)

// ask finds what the host is to see to.
func (l *lowerer) ask() {
	in := l.prog.root
	if !l.opts.Conditional || l.m.T.AnyLaunch || l.m.T.Bounded != target.IfItPays {
		return
	}
	f := l.newFunction(ir.NewFunc("", target.Void), in)
	f.know = in.evaluator(f.M.T, f.known)
	if f.prove(); f.proof == nil || len(f.counts()) > 0 {
		return
	}
	b := f.bounds(true)
	b.head = in.fn.Blocks[0]
	if !b.begins() {
		return
	}
	b.disjoint = f.findDisjoint()
	if c := f.conditionOf(b); f.mayBe(c) {
		l.condition = c
		b.narrow(f.assuming(b), in)
		l.asked, l.m.ShortGrid = b, true
		if l.m.T.ShortParams {
			l.shortAt = f.shorts(b)
		}
		l.leastAt, l.fewerAt, l.apartAt = f.leastPassed(b), f.fewerPassed(b), map[int]bool{}
		for _, d := range b.disjoint {
			l.apartAt[int(d.read.at)] = true
		}
	}
}

// shorts are the ints that need 32 bits, and what they may be, by their place in the argument block.
func (f *function) shorts(b *bounded) map[int]span {
	h, all := &hostSteps{f: f}, map[int]span{}
	for i, n := range slices.Concat(b.passed, b.vars) {
		s, at := n.base.and(int32s), int64(0)
		if i >= len(b.passed) {
			s = s.and(span{0, math.MaxInt32})
		}
		if n.op == opLen {
			n, at = n.x, 8 // behind the pointer
		} else if n.intType != goInt || n.op != opAtom && !(n.op == opField && f.M.T.PartParams) {
			continue
		}
		if offset, _, ok := h.argument(n); ok {
			all[int(offset+at)] = s
		}
	}
	return all
}

// leastPassed is how many bytes slices have at least in such launches, by the place of their pointers in the argument block. LLVM may load those
// bytes ahead of branches and loops.
func (f *function) leastPassed(b *bounded) map[int]int64 {
	const most = 1 << 12
	h, all := &hostSteps{f: f}, map[int]int64{}
	canBeLess := func(m mono) bool { // than 0, for all that the host sees to
		return m.k < 0 || slices.ContainsFunc(m.of, func(n *node) bool {
			return n.op != opLen && !(n.op == opField && n.x.op == opCall) && !slices.Contains(b.vars, n)
		})
	}
	for _, r := range b.reaches {
		if r.length == nil || r.length.op != opLen || r.c < 0 || slices.ContainsFunc(r.terms, canBeLess) {
			continue
		}
		if offset, t, ok := h.argument(r.length.x); ok {
			if s, isSlice := t.Underlying().(*types.Slice); isSlice {
				all[int(offset)] = max(all[int(offset)], min(r.c/r.per+1, most)*min(sizeof(s.Elem()), most))
			}
		}
	}
	return all
}

// passedInts are the ints and lengths that are passed, of those that the kernel uses. An int64 is one of them where indices are made of it.
func (f *function) passedInts() (all []*node) {
	h, p := &hostSteps{f: f}, f.newProver()
	wide := p.indexInts(f.in.fn)
	add := func(n *node) {
		if n.intType != goInt || !n.isVariable() && !isCapacity(n) || slices.Contains(all, n) {
			return
		}
		if n.op != opLen && n.op != opCap {
			_, t, ok := h.argument(n)
			if !ok || !isKind(t, types.IsInteger) || t.Underlying().(*types.Basic).Kind() != types.Int && !wide[n] {
				return
			}
		}
		if number, ok := f.numbers()(n); !ok || math.Abs(number) <= math.MaxInt32-hostMargin {
			all = append(all, n)
		}
	}
	for _, v := range f.in.fn.Params {
		add(p.node(v))
	}
	for _, b := range f.in.fn.Blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok {
				add(p.length(a.X))
			}
			if s, ok := i.(*ssa.Slice); ok {
				add(p.capacity(s.X))
			}
			if v, ok := i.(ssa.Value); ok {
				if t, _ := typeOf(v.Type()); t == goInt {
					add(p.node(v))
				}
			}
		}
	}
	return all
}

// isCapacity reports whether a node is the capacity of what is passed. It is no end of an index: to compare with it says less than other ends do.
func isCapacity(n *node) bool { return n.op == opCap && n.x.isCommon() }

// factors are those of b.passed that are divisors, or factors of an index, such as a matrix's width, and what is a mask less one,
// such as a power of two that is a table's length: few launches have any of them below 1.
func (f *function) factors(b *bounded) (all []*node) {
	p := f.newProver()
	add := func(y *node, lengths bool) {
		k := slices.IndexFunc(b.passed, func(n *node) bool { return p.adopt(n) == y })
		if k < 0 || y.op == opLen && !lengths || slices.Contains(all, b.passed[k]) {
			return
		}
		if number, ok := f.numbers()(y); !ok || number >= 1 {
			all = append(all, b.passed[k])
		}
	}
	for _, block := range f.in.fn.Blocks {
		for _, i := range block.Instrs {
			op, ok := i.(*ssa.BinOp)
			switch {
			case !ok || !isInteger(op.Type()):
			case op.Op == token.QUO || op.Op == token.REM:
				add(p.node(op.Y), true)
			case op.Op == token.AND:
				for _, v := range []ssa.Value{op.X, op.Y} {
					if n := p.node(v); n.op == token.SUB && n.y == p.constant(1) || n.op == token.ADD && n.y == p.constant(-1) {
						add(n.x, true)
					}
				}
			case op.Op == token.MUL && makesIndex(op, 4, token.ADD, token.SUB, token.MUL):
				add(p.node(op.X), false)
				add(p.node(op.Y), false)
			}
		}
	}
	return all
}

// conditionOf is a version's condition, nil if the host cannot tell, or if it would take too long.
func (f *function) conditionOf(b *bounded) abi.Condition {
	h := &hostSteps{f: f}
	d := f.decides(b, h)
	d.host = true
	for axis := range 3 {
		if t := f.M.T; t.MostBlocks(axis)*f.M.MaxBlock() > math.MaxInt32 {
			grid, block := h.add(target.I64, abi.Step{Op: abi.StepGrid, X: axis}), h.add(target.I64, abi.Step{Op: abi.StepBlock, X: axis})
			d.wide = d.or(d.wide, h.more(h.Bin("mul", grid, block)))
		}
	}
	for _, n := range b.vars {
		d.wide = d.or(d.wide, h.more(d.value(n)))
	}
	for _, n := range b.factors {
		d.wide = d.or(d.wide, h.Bin("sub", d.value(n), target.Int(target.I64, 1)))
	}
	for _, n := range b.few {
		x := h.Bin("add", d.value(n), target.Int(target.I64, mostFewPassed))
		d.wide = d.or(d.wide, h.more(h.Bin("mul", x, target.Int(target.I64, 1<<30/mostFewPassed))))
	}
	lengths := map[int]target.Value{}
	for _, s := range b.sizes {
		lengths[s.shift] = d.or(lengths[s.shift], d.value(s.length))
	}
	for _, shift := range slices.Sorted(maps.Keys(lengths)) {
		d.high = d.or(d.high, h.low(h.Bin("lshr", lengths[shift], target.Int(target.I64, int64(32-shift))), true))
	}
	for _, n := range b.passed {
		if slices.Contains(b.vars, n) || slices.ContainsFunc(b.sizes, func(s sized) bool { return s.length == n && s.shift > 1 }) {
			continue
		}
		for _, by := range []int64{1<<31 - hostMargin, 1<<31 + hostMargin} {
			x := h.Bin("add", d.value(n), target.Int(target.I64, by))
			d.high = d.or(d.high, h.low(h.Bin("lshr", x, target.Int(target.I64, 32)), true))
		}
	}
	for _, pair := range b.disjoint {
		d.high = d.or(d.high, h.low(h.overlaps(pair), true))
	}
	v := d.decide()
	if v == nil {
		return abi.Condition{{Op: abi.StepConst}} // it holds always
	}
	h.steps = h.steps[:h.place(v)+1] // what was computed before is last
	if h.failed || len(h.steps) > abi.MaxSteps {
		return nil
	}
	return inputsFirst(h.steps)
}

// inputsFirst has the steps that take what is passed come first.
func inputsFirst(c abi.Condition) abi.Condition {
	place := make([]int, len(c))
	var all abi.Condition
	for _, inputs := range []bool{true, false} {
		for i, s := range c {
			switch isInput := s.Op < abi.StepConst; {
			case isInput != inputs:
				continue
			case !isInput && s.Op != abi.StepConst:
				s.X, s.Y = place[s.X], place[s.Y]
			}
			place[i] = len(all)
			all = append(all, s)
		}
	}
	return all
}

// A stepValue is what a step computes.
type stepValue struct {
	n   int
	typ target.Type
}

func (v *stepValue) Type() target.Type { return v.typ }
func (v *stepValue) Ident() string     { return "" }
func (v *stepValue) String() string    { return "" }

// hostSteps implements calculator.
type hostSteps struct {
	f      *function
	steps  abi.Condition
	failed bool // what it would need is not known to the host
}

func (h *hostSteps) add(t target.Type, s abi.Step) target.Value {
	for i, o := range h.steps {
		if o == s {
			return &stepValue{i, t}
		}
	}
	h.steps = append(h.steps, s)
	return &stepValue{len(h.steps) - 1, t}
}

// place is that of a value's step.
func (h *hostSteps) place(v target.Value) int {
	if s, ok := v.(*stepValue); ok {
		return s.n
	}
	k, ok := target.IntConst(v)
	h.failed = h.failed || !ok
	if target.Bits(v.Type()) == 32 {
		k &= 1<<32 - 1
	}
	return h.add(v.Type(), abi.Step{Op: abi.StepConst, K: uint64(k)}).(*stepValue).n
}

// Bin implements calculator.
func (h *hostSteps) Bin(op string, x, y target.Value) target.Value {
	s := abi.Step{X: h.place(x), Y: h.place(y)}
	all := []string{"or", "lshr", "add", "sub", "mul", "udiv"}
	switch i := slices.Index(all, op); {
	case target.Bits(x.Type()) == 64 && i >= 0:
		s.Op = [...]abi.StepOp{abi.StepOr, abi.StepShr, abi.StepAdd, abi.StepSub, abi.StepMul, abi.StepDiv}[i]
	case target.Bits(x.Type()) == 32 && i >= 0 && i < 4:
		s.Op = [...]abi.StepOp{abi.StepOr, abi.StepShr, abi.StepAdd32, abi.StepSub32}[i]
	default:
		h.failed = true
	}
	return h.add(x.Type(), s)
}

// IntCast implements calculator: numbers of 32 bits are extended without a sign.
func (h *hostSteps) IntCast(x target.Value, to target.Type, signed bool) target.Value {
	n := h.place(x)
	switch {
	case target.Bits(x.Type()) > target.Bits(to):
		return h.add(to, abi.Step{Op: abi.StepLow, X: n})
	case target.Bits(x.Type()) < target.Bits(to) && signed:
		h.failed = true
	}
	return &stepValue{n, to}
}

// more is what has a bit from 31 on if x is no less than 1<<31 - hostMargin.
func (h *hostSteps) more(x target.Value) target.Value {
	return h.Bin("add", x, target.Int(target.I64, hostMargin))
}

func (h *hostSteps) low(x target.Value, _ bool) target.Value { return h.IntCast(x, target.I32, false) }

// common implements calculator.
func (h *hostSteps) common(n *node) target.Value {
	s := abi.Step{Op: abi.StepArg}
	switch {
	case n.op == opField && n.x.op == opCall:
		s.Op, s.X = abi.StepGrid, int(n.k)
		switch r, _ := n.register(); r {
		case target.BlockDim:
			s.Op = abi.StepBlock
		case target.BlockIdx: // at most
			return h.Bin("sub", h.add(target.I64, s), target.Int(target.I64, 1))
		}
	case n.isSharedSize():
		s.Op = abi.StepShared
	case n.op == opConst:
		return target.Int(target.I64, n.k)
	case n.op == token.ADD:
		return h.Bin("add", h.common(n.x), h.common(n.y))
	case n.op == token.MUL:
		return h.Bin("mul", h.common(n.x), h.common(n.y))
	case n.op == opQuotient:
		return h.Bin("udiv", h.common(n.x), h.common(n.y))
	case n.op == token.QUO:
		return h.Bin("udiv", h.common(n.x), target.Int(target.I64, n.y.k))
	case n.op == token.SHR:
		return h.Bin("lshr", h.common(n.x), target.Int(target.I64, n.y.k))
	default:
		x, behind := n, int64(0)
		switch n.op {
		case opLen:
			x, behind = n.x, 8 // the pointer
		case opCap:
			x, behind = n.x, 16
		}
		at, t, ok := h.argument(x)
		if at += behind; behind > 0 {
			t = types.Typ[types.Int]
		}
		u, isInt := intType{}, ok
		if ok {
			u, isInt = typeOf(t)
		}
		if !isInt {
			h.failed = true
			return h.add(target.I64, s)
		}
		s.X, s.Y = int(at), int(u.bits/8)
		if u.signed {
			s.Op = abi.StepSigned
		}
	}
	return h.add(target.I64, s)
}

// passes reports whether the host knows a number.
func (h *hostSteps) passes(n *node) bool {
	h.common(n)
	return !h.failed
}

// argument is where a value is passed: a parameter, a captured variable, or a field of one.
func (h *hostSteps) argument(n *node) (at int64, t types.Type, ok bool) {
	in := h.f.in
	i := -1
	switch n.op {
	case opField:
		at, t, ok = h.argument(n.x)
		if !ok {
			return 0, nil, false
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			return at + offsets(u)[n.k], u.Field(int(n.k)).Type(), true
		case *types.Array:
			return at + n.k*sizeof(u.Elem()), u.Elem(), true
		}
		return 0, nil, false
	case opAtom:
		switch v := n.v.(type) {
		case *ssa.Parameter:
			if n.name != "*" {
				i, t = slices.Index(in.fn.Params, v), v.Type()
			}
		case *ssa.FreeVar:
			if i = slices.Index(in.fn.FreeVars, v); i >= 0 && n.name == "*" {
				i, t = i+len(in.fn.Params), deref(v.Type())
			}
		}
	}
	if i < 0 || i >= len(h.f.passedAt) || h.f.passedAt[i] < 0 || t == nil {
		return 0, nil, false
	}
	return int64(h.f.prog.Sig.Params[h.f.passedAt[i]].Offset), t, true
}

// passing says which of the signature's parameters the root's parameters are, and the variables that its free variables point to; -1 for those that
// are known while compiling or consist of several, and for pointers.
func (prog *Program) passing() (all []int) {
	k := prog.Kernel
	n := 0
	next := func(passed bool) {
		if !passed {
			all = append(all, -1)
			return
		}
		all = append(all, n)
		n++
	}
	params := len(k.Fn.Params)
	if k.Receiver {
		all = append(all, -1)
		params--
	}
	for range params {
		next(true)
	}
	if k.Receiver && k.ReceiverValue == nil {
		all[0] = n
		n++
	}
	for _, c := range k.Captures {
		before := n
		n += c.passed()
		if t := k.Fn.FreeVars[len(all)-len(k.Fn.Params)].Type(); c.Func != nil || c.Value != nil || len(c.Parts) > 0 || types.Identical(t, c.Type) {
			before = -1
		}
		all = append(all, before)
	}
	return all
}

// passed is of how many of the signature's parameters a captured variable consists.
func (c *Capture) passed() (n int) {
	ofFunc := func(k *Kernel) {
		for i := range k.Captures {
			n += k.Captures[i].passed()
		}
	}
	switch {
	case c.Func != nil:
		ofFunc(c.Func)
		return n
	case c.Value == nil:
		n = 1
	}
	for _, p := range c.Parts {
		if p.Func != nil {
			ofFunc(p.Func)
		}
	}
	return n
}

// numbers are what nodes are in the launch that the code is made for; of a block's place the last one's.
func (f *function) numbers() func(n *node) (float64, bool) {
	return func(n *node) (float64, bool) {
		l := f.opts.Launch
		if l == nil {
			return 0, false
		}
		h := &hostSteps{f: f}
		v := h.common(n)
		c := h.steps[:h.place(v)+1]
		if h.failed || c.Check(len(l.Args)) != nil {
			return 0, false
		}
		return float64(int64(c.Value(l))), true
	}
}
