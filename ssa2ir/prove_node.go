package ssa2ir

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/module"
)

// The operations of nodes that are no operators of Go.
const (
	opConst   token.Token = -1 - iota // k
	opAtom                            // v, of which nothing more is known
	opPhi                             // v
	opField                           // field k of x, or element k of an array
	opCall                            // the result of a function, by name, of which all calls have the same
	opLen                             // the length of x
	opCap                             // its capacity
	opConvert                         // x in another type of integers
	opMin
	opMax
	opQuotient // x / y of what a launch passes, which the host computes
)

// A node is a value, or what several values of one instance have in common: that they
// are computed in the same way from the same values.
type node struct {
	nodeKey
	id    int
	base  span            // what it is anywhere
	block *ssa.BasicBlock // the innermost one that a part of it is defined in; nil: none is
}

// nodeKey identifies a node.
type nodeKey struct {
	op   token.Token
	x, y *node
	k    int64
	name string
	v    ssa.Value
	intType
}

// typeOf is the type of integers that t is; false if it is none.
func typeOf(t types.Type) (intType, bool) {
	if !isInteger(t) || opaque(t) != nil {
		return intType{}, false
	}
	return intType{uint8(8 * sizeof(t)), isSigned(t)}, true
}

var goInt = intType{64, true}

// intern is the node of that key; base is what is known of it.
func (p *prover) intern(key nodeKey, base span) *node {
	if n := p.nodes[key]; n != nil {
		return n
	}
	n := &node{nodeKey: key, id: len(p.nodes), base: base}
	p.nodes[key] = n
	if i, ok := key.v.(ssa.Instruction); ok {
		n.block = i.Block()
	}
	for _, a := range []*node{key.x, key.y} {
		if a != nil && a.block != nil && (n.block == nil || n.block.Dominates(a.block)) {
			n.block = a.block
		}
	}
	return n
}

func (p *prover) constant(k int64) *node {
	return p.intern(nodeKey{op: opConst, k: k, intType: goInt}, span{k, k})
}

// binary is an operator's result; the constants are computed.
func (p *prover) binary(op token.Token, t intType, x, y *node) *node {
	switch op {
	case token.ADD, token.MUL, token.AND, token.OR, token.XOR:
		if x.op == opConst && y.op != opConst || x.op != opConst && y.op != opConst && x.id > y.id {
			x, y = y, x
		}
	}
	if s, ok := spanOf(op, t, y.intType, x.base, y.base); ok {
		if k, ok := s.one(); ok && x.op == opConst && y.op == opConst {
			return p.constant(k)
		}
	}
	return p.intern(nodeKey{op: op, x: x, y: y, intType: t}, t.full())
}

// node is that of a value of any type.
func (p *prover) node(v ssa.Value) *node {
	if n := p.values[v]; n != nil {
		return n
	}
	b := &nodes{prover: p, in: p.in}
	n := b.make(v)
	p.values[v] = n
	return n
}

// nodes makes the nodes of one function: the instance itself, or one that it calls.
type nodes struct {
	*prover
	in  *instance
	env map[ssa.Value]*node // of a function that is called: its parameters; nil for the instance
	// deep is how many calls lead there.
	deep int
}

// maxCalls is how many calls lead to a function whose result is computed here.
const maxCalls = 3

// get is the node of an operand, nil if a called function does more than compute.
func (b *nodes) get(v ssa.Value) *node {
	if b.env == nil {
		return b.node(v)
	}
	if n := b.env[v]; n != nil {
		return n
	}
	n := b.make(v)
	if n != nil {
		b.env[v] = n
	}
	return n
}

// atom is a value of which no more is known than its type.
func (b *nodes) atom(v ssa.Value) *node {
	if b.env != nil {
		return nil
	}
	t, ok := typeOf(v.Type())
	if !ok {
		return b.intern(nodeKey{op: opAtom, v: v}, span{})
	}
	return b.intern(nodeKey{op: opAtom, v: v, intType: t}, t.full())
}

func (b *nodes) make(v ssa.Value) *node {
	if b.chosen[v] && b.env == nil {
		return b.intern(nodeKey{op: opAtom, v: v, intType: goInt}, int32s)
	}
	if n := b.known(v); n != nil {
		return n
	}
	if n := b.wrappedNode(v); n != nil {
		return n
	}
	n := b.compute(v)
	if n == nil {
		return b.atom(v)
	}
	return n
}

// known is a constant, nil if v is none.
func (b *nodes) known(v ssa.Value) *node {
	if _, ok := typeOf(v.Type()); !ok {
		return nil
	}
	var k constant.Value
	if c, ok := v.(*ssa.Const); ok {
		k = c.Value
	} else if b.env == nil {
		k = b.know.value(v)
	}
	if k != nil && k.Kind() == constant.Int {
		if n, ok := constant.Int64Val(k); ok {
			return b.constant(n)
		}
	}
	return nil
}

// compute is what an instruction makes of its operands, nil for one that is an atom.
func (b *nodes) compute(v ssa.Value) *node {
	t, isInt := typeOf(v.Type())
	switch v := v.(type) {
	case *ssa.BinOp:
		if isInt {
			return b.operator(v, t)
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			if n := b.count(v); n != nil {
				return n
			}
			if isInt {
				if n := b.tabled(v, t); n != nil {
					return n
				}
			}
			return b.load(v.X, v)
		}
		x := b.get(v.X)
		switch {
		case !isInt || x == nil:
		case v.Op == token.SUB:
			return b.binary(token.SUB, t, b.constant(0), x)
		case v.Op == token.XOR && t.signed:
			return b.binary(token.SUB, t, b.constant(-1), x)
		}
	case *ssa.ChangeType:
		return b.get(v.X)
	case *ssa.Convert:
		return b.convert(v, t, isInt)
	case *ssa.Field:
		if isInt {
			if n := b.tabled(v, t); n != nil {
				return n
			}
		}
		if x := b.get(v.X); x != nil {
			return b.field(x, v.Field, v.Type())
		}
	case *ssa.Index:
		if isInt {
			if n := b.tabled(v, t); n != nil {
				return n
			}
		}
		if k, ok := inline.Element(v.X, v.Index); ok {
			if x := b.get(v.X); x != nil {
				return b.field(x, k, v.Type())
			}
		}
	case *ssa.Phi:
		if b.env == nil && isInt {
			return b.intern(nodeKey{op: opPhi, v: v, intType: t}, t.full())
		}
	case *ssa.Call:
		return b.call(v, t, isInt)
	}
	return nil
}

func (b *nodes) operator(v *ssa.BinOp, t intType) *node {
	x, y := b.get(v.X), b.get(v.Y)
	if x == nil || y == nil {
		return nil
	}
	return b.binary(v.Op, t, x, y)
}

func (b *nodes) convert(v *ssa.Convert, t intType, isInt bool) *node {
	from, ok := typeOf(v.X.Type())
	if !isInt || !ok {
		return nil
	}
	x := b.get(v.X)
	if x == nil || from == t {
		return x
	}
	if from.full().within(t.full()) && !from.endless(from.full()) {
		return x // it holds all of them
	}
	if k := x.k; x.op == opConst && (span{k, k}).within(t.full()) {
		return x
	}
	return b.intern(nodeKey{op: opConvert, x: x, intType: t}, t.full())
}

// field is one of a structure.
func (b *nodes) field(x *node, i int, typ types.Type) *node {
	t, ok := typeOf(typ)
	base := t.full()
	if x.op == opCall && ok {
		if s, ok := b.geometry(x.name, i); ok {
			base = s
		}
	}
	return b.intern(nodeKey{op: opField, x: x, k: int64(i), intType: t}, base)
}

// geometry is the span of one axis of a thread's coordinates, by the limits of launches.
func (p *prover) geometry(name string, axis int) (span, bool) {
	blocks, threads := p.machine.MostBlocks(axis), p.mostThreads(axis)
	switch name {
	case module.DSL + ".ThreadIdx":
		return span{0, p.maxThreads - 1}, true
	case module.DSL + ".BlockDim":
		return span{1, p.maxThreads}, true
	case module.DSL + ".BlockIdx":
		return span{0, blocks - 1}, true
	case module.DSL + ".GridDim":
		return span{1, blocks}, true
	case module.DSL + ".GlobalIdx":
		return span{0, threads - 1}, true
	case module.DSL + ".GlobalSize":
		return span{1, threads}, true
	}
	return span{}, false
}

// mostThreads is how many threads a grid has along an axis.
func (p *prover) mostThreads(axis int) int64 {
	n := p.machine.MostThreads(axis, p.maxThreads)
	if p.shortGrid {
		n = min(n, math.MaxInt32-hostMargin)
	}
	return n
}

// results are the spans of functions of one result.
func (p *prover) results(name string) (span, bool) {
	switch name {
	case module.DSL + ".LaneID":
		return span{0, int64(p.machine.WarpSize) - 1}, true
	case module.DSL + ".WarpID":
		return span{0, (p.maxThreads - 1) / int64(p.machine.WarpSize)}, true
	}
	return span{}, false
}

// call is the result of a function that computes it from its arguments, or of one of
// which every call has the same result.
func (b *nodes) call(v *ssa.Call, t intType, isInt bool) *node {
	if f, ok := v.Call.Value.(*ssa.Builtin); ok {
		return b.builtin(f.Name(), v, t, isInt)
	}
	callee := b.in.calls[v]
	if callee == nil {
		return nil
	}
	if callee.row == nil {
		return b.inside(v, callee)
	}
	name := fullName(callee.fun.fn)
	if s, ok := b.results(name); ok {
		return b.intern(nodeKey{op: opCall, name: name, intType: t}, s)
	}
	if _, ok := b.geometry(name, 0); ok {
		return b.intern(nodeKey{op: opCall, name: name}, span{})
	}
	if callee.row.Known != nil && b.know.m != nil {
		if k := callee.row.Known(b.know.m); k != nil && k.Kind() == constant.Int {
			if n, ok := constant.Int64Val(k); ok {
				return b.constant(n)
			}
		}
	}
	if name == "(*"+module.Launch+".Buffer[T]).Len" {
		if x := b.get(v.Call.Args[0]); x != nil {
			return b.intern(nodeKey{op: opLen, x: x, intType: goInt}, span{0, maxBytes})
		}
	}
	if name == "(*"+module.Launch+".Buffer[T]).Device" {
		return b.get(v.Call.Args[0])
	}
	if n := b.atom(v); n != nil && t.bits == 64 && slices.Contains(bitCounts, name) {
		if n.base = (span{0, 64}); strings.HasSuffix(name, "32") {
			n.base.hi = 32
		}
		return n
	}
	return nil
}

// bitCounts are functions whose result is a number of bits.
var bitCounts = []string{"math/bits.OnesCount", "math/bits.OnesCount64", "math/bits.OnesCount32", "math/bits.Len", "math/bits.Len64", "math/bits.Len32",
	"math/bits.LeadingZeros32", "math/bits.LeadingZeros64", "math/bits.TrailingZeros32", "math/bits.TrailingZeros64"}

// inside is the result of a function of one block that only computes.
func (b *nodes) inside(v *ssa.Call, callee *callee) *node {
	in := callee.inst
	if in == nil || b.deep == maxCalls || len(in.fn.Blocks) != 1 || len(callee.fun.binds) > 0 || len(in.fn.FreeVars) > 0 {
		return nil
	}
	block := in.fn.Blocks[0]
	ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
	if _, isInt := typeOf(v.Type()); !ok || !isInt || len(ret.Results) != 1 || len(v.Call.Args) != len(in.fn.Params) {
		return nil
	}
	args := map[ssa.Value]*node{}
	for i, a := range v.Call.Args {
		if args[in.fn.Params[i]] = b.get(a); args[in.fn.Params[i]] == nil {
			return nil
		}
	}
	return (&nodes{prover: b.prover, in: in, env: args, deep: b.deep + 1}).get(ret.Results[0])
}

func (b *nodes) builtin(name string, v *ssa.Call, t intType, isInt bool) *node {
	switch name {
	case "len":
		return b.lengthNode(v.Call.Args[0])
	case "cap":
		return b.capNode(v.Call.Args[0])
	case "min", "max":
		if !isInt {
			return nil
		}
		op := map[string]token.Token{"min": opMin, "max": opMax}[name]
		var all *node
		for _, a := range v.Call.Args {
			n := b.get(a)
			switch {
			case n == nil:
				return nil
			case all == nil:
				all = n
			default:
				all = b.intern(nodeKey{op: op, x: all, y: n, intType: t}, t.full())
			}
		}
		return all
	case "copy":
		if n := b.atom(v); n != nil {
			n.base = span{0, maxBytes}
			return n
		}
	}
	return nil
}
