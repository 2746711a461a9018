package ssa2ir

// This file makes the decision between the two versions of bounded.go.

import (
	"go/token"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// A decision is being made, where a section begins or by the host.
type decision struct {
	calculator
	b         *bounded
	unchecked bool
	host      bool // it is made for all blocks at once
	values    map[*node]target.Value
	made      []product32
	wide      target.Value // has a bit from 31 on if a product is too large, of 64 bits; nil if there is none
	signs     target.Value // is negative if a sum is, or too large, of 32 bits
	high      target.Value // is not 0 if an integer needs more than 32 bits, of 32 bits
	tops      target.Value // the lengths that indices of memory need, or'ed
}

// A calculator computes what a decision is made of.
type calculator interface {
	Bin(op string, x, y target.Value) target.Value
	IntCast(x target.Value, to target.Type, signed bool) target.Value
	low(x target.Value, small bool) target.Value
	// common is a value that the threads of a block have in common, an integer as an i64.
	common(n *node) target.Value
}

// A product32 is a product of nodes that is known to fit.
type product32 struct {
	of []*node
	v  target.Value
}

// makeTwice makes both versions of a section, from the block on that leads to it.
func (f *function) makeTwice() {
	b := f.twice
	f.at(b.head.Instrs[0])
	f.Cur = f.start[b.head]
	var bad target.Value
	if !b.host {
		bad = f.decides(b, f).decide()
	}
	if bad == nil {
		fast := f.NewBlock()
		f.Br(fast)
		f.makeSection(fast, b)
		return
	}
	slow, fast := f.NewBlock(), f.NewBlock()
	f.CondBr(f.ICmp("ne", bad, target.Int(target.I32, 0)), slow, fast)
	f.unlikely()
	attach(f.Cur, &metadata.Attachment{Name: abi.Decision, Node: f.M.Tuple("")})
	f.makeSection(fast, b)
	f.makeSection(slow, nil)
}

// makeSection makes a version of a section from a block on: the first, if it takes something for granted.
func (f *function) makeSection(from *ir.Block, first *bounded) {
	g := &function{lowerer: f.lowerer, Builder: f.Builder, in: f.in, know: f.know, scope: f.scope, frame: f.frame, caller: f.caller, outs: f.outs, inlined: f.inlined, inside: f.inside, calledAt: f.calledAt,
		allocs: f.allocs, vals: maps.Clone(f.vals), holdings: map[*ssa.Phi]holding{}, ins: map[*memory]target.Value{},
		start: maps.Clone(f.start), end: map[*ssa.BasicBlock]*ir.Block{}, section: f.twice.blocks, bounded: first}
	if first == nil {
		g.other = f.twice
	}
	for _, b := range f.in.fn.Blocks {
		if !g.section[b] {
			continue
		}
		g.start[b] = from
		if b != f.twice.head {
			g.start[b] = f.NewBlock()
		}
	}
	g.prove()
	if first != nil {
		f.Cur = from
		g.shorten(f.twice.head)
	}
	g.blocks()
}

// shorten has LLVM know of integers that were computed ahead of the section that they need 32 bits: what is compared
// with them or made of them is computed so, and a loop up to one counts in 32 bits.
//
//	%w   ->   zext i32 (trunc i64 %w to i32) to i64
func (f *function) shorten(head *ssa.BasicBlock) {
	var all []ssa.Value
	for _, p := range f.in.fn.Params {
		all = append(all, p)
	}
	for _, v := range f.in.fn.FreeVars {
		all = append(all, v)
	}
	for _, b := range f.in.fn.Blocks {
		if f.section[b] || !b.Dominates(head) {
			continue
		}
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok {
				all = append(all, v)
			}
		}
	}
	inside := func(i ssa.Instruction) bool { return f.section[i.Block()] }
	for _, v := range all {
		x := f.vals[v]
		if t, _ := typeOf(v.Type()); x == nil || t != goInt || !slices.ContainsFunc(*v.Referrers(), inside) {
			continue
		}
		if _, isConst := target.IntConst(x); !isConst && f.proof.spanBefore(v, head.Instrs[0]).within(span{0, math.MaxInt32}) {
			low := f.low(x, true)
			if _, isParam := v.(*ssa.Parameter); f.shortAt != nil && isParam {
				low = f.IntCast(x, target.I32, false) // it was extended
			}
			f.vals[v] = f.IntCast(low, target.I64, false)
		}
	}
}

// low is the low half of an i64, which is all of it if it is small.
func (f *function) low(x target.Value, small bool) target.Value {
	if low := f.M.T.Low; low != nil {
		return low(f.Builder, x, small)
	}
	return f.IntCast(x, target.I32, false)
}

// stayApart keeps what the second version ends with from being made one with what the first does: that could not
// go ahead then.
func (f *function) stayApart(b *ssa.BasicBlock) {
	leaves := len(b.Succs) == 0 || slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !f.section[s] })
	if f.section != nil && f.bounded == nil && f.M.T.Apart != nil && leaves {
		f.M.T.Apart(f.Builder)
	}
}

// decides is a decision that c computes.
func (f *function) decides(b *bounded, c calculator) *decision {
	return &decision{calculator: c, b: b, unchecked: f.opts.NoBounds, values: map[*node]target.Value{}}
}

// decide is not 0 if the section is to be run as it was; nil: never. All is computed in 32 bits: what has to be below 1<<31 is
// noted where it is made, so that nothing that follows wraps around unseen.
func (d *decision) decide() target.Value {
	b := d.b
	for _, n := range b.vars {
		if s, ok := d.launched(n); !ok || s.hi > math.MaxInt32 {
			d.wide = d.or(d.wide, d.value(n))
		}
	}
	for _, r := range b.reaches {
		d.reach(r)
	}
	for _, of := range b.products {
		if !slices.ContainsFunc(b.reaches, func(r reach) bool { return r.length != nil && r.factor(of) > 0 }) {
			d.product(of)
		}
	}
	shift := func(x target.Value, by int64) target.Value { return d.Bin("lshr", x, target.Int(x.Type(), by)) }
	low, high := d.signs, d.high
	if d.wide != nil {
		low = d.or(low, d.IntCast(d.wide, target.I32, false))
		high = d.or(high, d.IntCast(shift(d.wide, 32), target.I32, false))
	}
	if low != nil {
		high = d.or(high, shift(low, 31))
	}
	if n := bits.TrailingZeros64(uint64(b.elements)); d.tops != nil && n > 1 {
		high = d.or(high, shift(d.tops, int64(32-n)))
	}
	return high
}

// or is x | y; y, if there is no x yet.
func (d *decision) or(x, y target.Value) target.Value {
	if x == nil {
		return y
	}
	return d.Bin("or", x, y)
}

// reach notes whether indices go too far.
func (d *decision) reach(r reach) {
	if r.length == nil {
		if d.host {
			d.sum(r.poly, 1, true, false)
		}
		x := d.Bin("sub", d.sum(r.poly, 1, true, d.host), d.sum(r.poly, -1, true, false))
		d.signs = d.or(d.signs, x)
		return
	}
	// What is subtracted is not asked for: where it is more than the rest, no index is used.
	r.c++
	x := d.Bin("sub", d.sum(r.poly, 1, true, false), d.sum(r.poly, -1, false, d.host)) // the least length that is enough
	switch {
	case d.unchecked && !r.holds: // the program sees to it that there are as many
	case r.length.op == opConst:
		d.signs = d.or(d.signs, d.Bin("sub", target.Int(target.I32, r.length.k*r.per), x))
		return
	default:
		length := d.value(r.length)
		if r.per > 1 {
			length = d.Bin("mul", length, target.Int(target.I64, r.per))
		}
		rest := d.Bin("sub", length, d.IntCast(x, target.I64, false))
		d.signs = d.or(d.signs, d.IntCast(d.Bin("lshr", rest, target.Int(target.I64, 32)), target.I32, false))
	}
	if r.tops {
		d.tops = d.or(d.tops, x)
	}
}

// sum is the sum of a polynomial's products with factors above 0, or below, in 32 bits. least: it is to be the least one of
// all blocks, else it is the greatest.
func (d *decision) sum(p poly, sign int64, asked, least bool) (sum target.Value) {
	add := func(x target.Value) {
		if sum == nil {
			sum = x
			return
		}
		sum = d.Bin("add", sum, x)
		if asked {
			d.signs = d.or(d.signs, sum)
		}
	}
	for _, m := range p.terms {
		if m.k*sign > 0 && !(least && slices.ContainsFunc(m.of, (*node).ofBlock)) {
			add(d.times(m.of, m.k*sign, asked))
		}
	}
	if p.c*sign > 0 || sum == nil {
		add(target.Int(target.I32, max(p.c*sign, 0)))
	}
	return sum
}

// times is a product of nodes and a factor.
func (d *decision) times(of []*node, k int64, asked bool) target.Value {
	x := d.product(of)
	if k == 1 {
		return x
	}
	all := d.Bin("mul", d.IntCast(x, target.I64, false), target.Int(target.I64, k))
	if asked {
		d.wide = d.or(d.wide, all)
	}
	return d.IntCast(all, target.I32, false)
}

// product is a product of nodes in 32 bits.
func (d *decision) product(of []*node) target.Value {
	for _, m := range d.made {
		if compareNodes(m.of, of) == 0 {
			return m.v
		}
	}
	var v target.Value
	if len(of) == 1 {
		v = d.low(d.value(of[0]), false)
	} else {
		part, last := d.split(of)
		x := d.IntCast(d.product(part), target.I64, false)
		y := d.IntCast(d.product(last), target.I64, false)
		all := d.Bin("mul", x, y)
		d.wide = d.or(d.wide, all)
		v = d.low(all, false)
	}
	d.made = append(d.made, product32{of, v})
	return v
}

// split takes a factor off a product: one of which the rest is asked for anyhow, if there is.
func (d *decision) split(of []*node) (rest, last []*node) {
	for i := range of {
		rest = slices.Delete(slices.Clone(of), i, i+1)
		if slices.ContainsFunc(d.made, func(m product32) bool { return compareNodes(m.of, rest) == 0 }) {
			return rest, of[i : i+1]
		}
	}
	return of[:len(of)-1], of[len(of)-1:]
}

// launched is what a number of the launch may be.
func (d *decision) launched(n *node) (span, bool) {
	if n.op != opField || n.x.op != opCall {
		return span{}, false
	}
	return d.b.proof.geometry(n.x.name, int(n.k))
}

// value is that of a variable.
func (d *decision) value(n *node) target.Value {
	if v := d.values[n]; v != nil {
		return v
	}
	v := d.common(n)
	d.values[n] = v
	return v
}

// common is a value that the threads of a block have in common, an integer as an i64.
func (f *function) common(n *node) target.Value {
	wide := func(x target.Value) target.Value { return f.IntCast(x, target.I64, n.signed) }
	switch n.op {
	case opField:
		if n.x.op == opCall {
			r, _ := n.register()
			return f.IntCast(f.M.T.Geometry(f.Builder, r, int(n.k)), target.I64, false)
		}
		x := f.Elem(f.common(n.x), int(n.k))
		if n.bits > 0 {
			return wide(x)
		}
		return x
	case opLen:
		return f.Elem(f.common(n.x), 1)
	case opCall:
		return f.IntCast(f.Do(ops.SharedSize), target.I64, false)
	case token.QUO:
		return f.Bin("udiv", f.common(n.x), target.Int(target.I64, n.y.k))
	case token.SHR:
		return f.Bin("lshr", f.common(n.x), target.Int(target.I64, n.y.k))
	}
	v := f.value(n.v)
	if n.name == "*" {
		v = f.load(deref(n.v.Type()), v)
	}
	if n.bits > 0 {
		return wide(v)
	}
	return v
}
