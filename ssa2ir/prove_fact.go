package ssa2ir

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A place is a point in the instance at which facts hold: its own and those of the places
// that are passed on every way to it.
type place struct {
	parent *place
	depth  int
	block  *ssa.BasicBlock
	facts  []*fact
	floats []floatBound
	linear bool // its facts have linear forms
}

// A fact says x + c <= y, or if it is an inequality, x != y.
type fact struct {
	x, y    *node
	c       int64
	unequal bool
	at      *place
	sum     linear // x - y + c, of which the fact says that it is at most 0
}

type edgeKey struct{ from, to *ssa.BasicBlock }

// after is a new place behind c.
func (p *prover) after(c *place, b *ssa.BasicBlock) *place {
	n := &place{parent: c, block: b}
	if c != nil {
		n.depth = c.depth + 1
	}
	return n
}

// passed reports whether every way to c leads through a.
func (c *place) passed(a *place) bool {
	for c != nil && c.depth > a.depth {
		c = c.parent
	}
	return c == a
}

// placeAt is the start of a block.
func (p *prover) placeAt(b *ssa.BasicBlock) *place {
	if c := p.starts[b]; c != nil {
		return c
	}
	var from *ssa.BasicBlock
	ways := 0
	for _, q := range b.Preds {
		if p.know.taken(q, b) && !b.Dominates(q) { // what holds where a loop is entered holds in it: it is of values from outside
			from = q
			ways++
		}
	}
	var c *place
	switch idom := b.Idom(); {
	case idom == nil:
		c = p.after(nil, b)
	case ways == 1:
		c = p.after(p.placeOn(from, b), b)
	default:
		c = p.after(p.placeBehind(idom), b)
	}
	p.starts[b] = c
	p.addRepeated(c, b)
	return c
}

// placeBehind is the end of a block.
func (p *prover) placeBehind(b *ssa.BasicBlock) *place {
	if c := p.ends[b]; c != nil {
		return c
	}
	c := p.placeAt(b)
	for _, i := range b.Instrs {
		p.before[i] = c
		if p.checks(i) {
			c = p.after(c, b)
			p.addChecks(c, i)
		}
	}
	p.ends[b] = c
	return c
}

func (p *prover) placeBefore(i ssa.Instruction) *place {
	p.placeBehind(i.Block())
	return p.before[i]
}

// placeOn is the edge between two blocks.
func (p *prover) placeOn(from, to *ssa.BasicBlock) *place {
	key := edgeKey{from, to}
	if c := p.edges[key]; c != nil {
		return c
	}
	c := p.after(p.placeBehind(from), from)
	if br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok && from.Succs[0] != from.Succs[1] {
		p.addCondition(c, br.Cond, from.Succs[0] == to, 0)
	}
	p.edges[key] = c
	p.addBehind(c, from, to)
	return c
}

// maxCondition is how deep conditions are looked into.
const maxCondition = 8

// addCondition adds what follows from cond being truth.
func (p *prover) addCondition(c *place, cond ssa.Value, truth bool, deep int) {
	if deep > maxCondition {
		return
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			p.addCondition(c, v.X, !truth, deep+1)
		}
	case *ssa.BinOp:
		if _, ok := typeOf(v.X.Type()); ok {
			p.addComparison(c, v, truth)
		} else {
			p.addFloats(c, v, truth, nil)
		}
	case *ssa.Phi: // of && and ||
		p.addJoined(c, v, truth, deep)
	}
}

// addJoined adds what follows from a phi node being truth: if the other edges bring the
// opposite, control came by the one edge that does not.
func (p *prover) addJoined(c *place, v *ssa.Phi, truth bool, deep int) {
	if isLoopHeader(v.Block()) { // what held at the end of the loop is of values that have changed
		return
	}
	edge := -1
	for i, e := range v.Edges {
		if k, ok := e.(*ssa.Const); ok && k.Value != nil && constant.BoolVal(k.Value) != truth || !p.know.taken(v.Block().Preds[i], v.Block()) {
			continue
		}
		if edge >= 0 {
			return
		}
		edge = i
	}
	if edge < 0 {
		return
	}
	from := v.Block().Preds[edge]
	for q := p.placeOn(from, v.Block()); q != nil && !c.passed(q); q = q.parent {
		for _, f := range q.facts {
			if f.x.isAbove(v.Block()) && f.y.isAbove(v.Block()) {
				p.add(c, &fact{x: f.x, y: f.y, c: f.c, unequal: f.unequal})
			}
		}
		for _, b := range q.floats {
			if b.isAbove(p, v.Block()) {
				p.addBound(c, b)
			}
		}
	}
	if i, ok := v.Edges[edge].(ssa.Instruction); ok && i.Block().Dominates(v.Block()) || !ok {
		p.addCondition(c, v.Edges[edge], truth, deep+1)
		return
	}
	p.addAbove(c, v.Edges[edge], truth, v.Block())
}

// addAbove adds a comparison whose operands are defined above block b.
func (p *prover) addAbove(c *place, cond ssa.Value, truth bool, b *ssa.BasicBlock) {
	if v, ok := cond.(*ssa.BinOp); ok {
		if _, ok := typeOf(v.X.Type()); ok && p.node(v.X).isAbove(b) && p.node(v.Y).isAbove(b) {
			p.addComparison(c, v, truth)
		} else if !ok {
			p.addFloats(c, v, truth, b)
		}
	}
}

// isAbove reports whether all parts of a node are defined in blocks that dominate b.
func (n *node) isAbove(b *ssa.BasicBlock) bool { return n.block == nil || n.block.Dominates(b) }

// opposite are the comparisons that hold where the others do not.
var opposite = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

func (p *prover) addComparison(c *place, v *ssa.BinOp, truth bool) {
	op := v.Op
	if !truth {
		op = opposite[op]
	}
	x, y := p.node(v.X), p.node(v.Y)
	switch op {
	case token.GTR:
		op, x, y = token.LSS, y, x
	case token.GEQ:
		op, x, y = token.LEQ, y, x
	}
	switch op {
	case token.LSS:
		p.addOrder(c, x, y, 1)
	case token.LEQ:
		p.addOrder(c, x, y, 0)
	case token.EQL:
		p.addOrder(c, x, y, 0)
		p.addOrder(c, y, x, 0)
	case token.NEQ:
		p.add(c, &fact{x: x, y: y, unequal: true})
	}
}

// addOrder adds x + by <= y, where the comparison may be one of uint(i) < uint(n): if n is
// not negative, then i is not, either.
func (p *prover) addOrder(c *place, x, y *node, by int64) {
	p.add(c, &fact{x: x, y: y, c: by})
	if x.op != opConvert || x.signed || x.bits != 64 || x.x.bits != 64 || !x.x.signed {
		return
	}
	if y.op == opConvert && y.x.signed && y.x.base.lo >= 0 {
		y = y.x
	}
	if s := y.base; s.lo >= 0 && !y.endless(s) {
		p.add(c, &fact{x: p.constant(0), y: x.x})
		p.add(c, &fact{x: x.x, y: y, c: by})
	}
}

func (p *prover) add(c *place, f *fact) {
	f.at = c
	c.facts = append(c.facts, f)
	for _, n := range []*node{f.x, f.y} {
		if n.op != opConst {
			p.about[n] = append(p.about[n], f)
		}
	}
}

// addInside adds 0 <= x and x + by <= n.
func (p *prover) addInside(c *place, x, n *node, by int64) {
	p.add(c, &fact{x: p.constant(0), y: x})
	p.add(c, &fact{x: x, y: n, c: by})
	if n.op == opConst {
		p.addNear(c, x, 0, n.k-by)
	}
}

// addNear adds what is known of x if x+k is between two numbers. The sum has not wrapped around: then it would be further from 0.
func (p *prover) addNear(c *place, sum *node, lo, hi int64) {
	if sum.op == token.ADD && sum.intType == goInt && sum.y.op == opConst && sum.y.base.within(int32s) && (span{lo, hi}).within(int32s) {
		p.add(c, &fact{x: p.constant(lo - sum.y.k), y: sum.x})
		p.add(c, &fact{x: sum.x, y: p.constant(hi - sum.y.k)})
	}
}

// checks reports whether something holds only once the instruction has been run.
func (p *prover) checks(i ssa.Instruction) bool {
	if p.unchecked {
		if _, ok := i.(*ssa.Slice); ok { // as what is passed to a function, it is one
			return true
		}
		a, ok := i.(*ssa.IndexAddr)
		return ok && sizeof(deref(a.Type())) > 0 && accessed(a)
	}
	switch i := i.(type) {
	case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Slice, *ssa.SliceToArrayPointer:
		return true
	case *ssa.BinOp:
		return i.Op == token.QUO || i.Op == token.REM || i.Op == token.SHL || i.Op == token.SHR
	}
	return false
}

// accessed reports whether memory is accessed at an element, or a part of one, in the block where its address is made.
func accessed(a ssa.Value) bool {
	return slices.ContainsFunc(*a.Referrers(), func(u ssa.Instruction) bool {
		if u.Block() != a.(ssa.Instruction).Block() {
			return false
		}
		switch u := u.(type) {
		case *ssa.IndexAddr:
			_, isConst := u.Index.(*ssa.Const)
			return u.X == a && isConst && accessed(u)
		case *ssa.FieldAddr:
			return accessed(u)
		}
		return accesses(u, a)
	})
}

// accesses reports whether an instruction loads from or stores to an address.
func accesses(i ssa.Instruction, at ssa.Value) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op == token.MUL
	case *ssa.Store:
		return i.Addr == at
	}
	return false
}

// addChecks adds what holds once instruction i has been run and has not panicked.
func (p *prover) addChecks(c *place, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.IndexAddr:
		if p.unchecked { // memory is accessed there, wherever that is
			x, most := p.node(i.Index), ownElements(i)
			p.add(c, &fact{x: p.constant(-most), y: x})
			p.add(c, &fact{x: x, y: p.constant(most)})
			p.addNear(c, x, -most, most)
			break
		}
		p.addInside(c, p.node(i.Index), p.length(i.X), 1)
	case *ssa.Index:
		p.addInside(c, p.node(i.Index), p.length(i.X), 1)
	case *ssa.Lookup:
		if isString(i.X.Type()) {
			p.addInside(c, p.node(i.Index), p.length(i.X), 1)
		}
	case *ssa.Slice:
		p.addSlice(c, i)
	case *ssa.SliceToArrayPointer:
		n := deref(i.Type()).Underlying().(*types.Array).Len()
		p.add(c, &fact{x: p.constant(n), y: p.length(i.X)})
	case *ssa.BinOp:
		switch {
		case !isInteger(i.Type()):
		case i.Op == token.QUO || i.Op == token.REM:
			p.add(c, &fact{x: p.node(i.Y), y: p.constant(0), unequal: true})
		case (i.Op == token.SHL || i.Op == token.SHR) && isSigned(i.Y.Type()):
			p.add(c, &fact{x: p.constant(0), y: p.node(i.Y)})
		}
	}
}

// ownElements is more elements than there are before or behind any of a local array, of all that the variable has: to access what is no part of it is undefined,
// and LLVM takes that for granted, too. Of other memory it is as much as there may be.
func ownElements(a *ssa.IndexAddr) int64 {
	v := a.X
	for {
		switch x := v.(type) {
		case *ssa.IndexAddr:
			if _, isConst := x.Index.(*ssa.Const); !isConst { // it may be anything, and this one make up for it
				return maxBytes
			}
			v = x.X
			continue
		case *ssa.FieldAddr:
			v = x.X
			continue
		case *ssa.Alloc:
			return sizeof(deref(x.Type()))/sizeof(deref(a.Type())) + 1
		}
		return maxBytes
	}
}

// addSlice adds 0 <= lo <= hi <= max <= cap.
func (p *prover) addSlice(c *place, s *ssa.Slice) {
	last := p.capacity(s.X)
	if p.unchecked {
		p.addLength(c, s)
		return
	}
	bounds := []ssa.Value{s.Max, s.High, s.Low}
	if s.Max == nil && s.High == nil {
		last = p.length(s.X)
	}
	for _, b := range bounds {
		if b != nil {
			n := p.node(b)
			p.addInside(c, n, last, 0)
			last = n
		}
	}
	p.addLength(c, s)
}

// addLength adds 0 <= length <= cap, also without checks: a part that is longer than what it is of is longer than memory that may be accessed.
func (p *prover) addLength(c *place, s *ssa.Slice) {
	n := p.length(s)
	if n.op == opConst || n.op == opLen {
		return
	}
	p.add(c, &fact{x: p.constant(0), y: n})
	if t, ok := s.Type().Underlying().(*types.Slice); !ok || sizeof(t.Elem()) > 0 {
		p.add(c, &fact{x: n, y: p.constant(maxBytes)})
	}
	p.add(c, &fact{x: n, y: p.capacity(s.X)})
}

// length is the node of a length.
func (p *prover) length(v ssa.Value) *node { return (&nodes{prover: p, in: p.in}).lengthNode(v) }

// capacity is the node of a capacity; of a string, and of an array, its length.
func (p *prover) capacity(v ssa.Value) *node {
	b := &nodes{prover: p, in: p.in}
	if isString(v.Type()) {
		return b.lengthNode(v)
	}
	return b.capNode(v)
}
