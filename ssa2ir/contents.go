package ssa2ir

// This file finds how far the integers go that a local array holds, and with it where they need no more than 32 bits.
// An array begins as zeros. Each store puts an integer into it that has nothing to do with the array, of which ends.go
// finds the ends, or one that was there before and a little more: then the array grows by that as often as the store is run.
//
//	var row [25]int
//	for r, letter := range word {
//		for k, own := range words[i*24 : (i+1)*24] {
//			... row[k+1] = min(diagonal+1, row[k]+1, row[k+1]+1)     row grows by 24*len(word) at most
//
// This holds where nothing on the way wraps around, which is asked where a section in two versions begins (bounded.go), unless all of it is
// constant.

import (
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
)

// headroom is how much more than an array's integers others may be that are computed of them in 32 bits.
const headroom = 1 << 16

// contents are what a local array of ints holds.
type contents struct {
	array  *ssa.Alloc
	loads  []ssa.Value // of its elements
	stores []*ssa.Store
	whole  bool // it is read as a whole, too
	ends
}

// contentsOf is what is done with a local array of ints, if that is to load and store its elements; else nil.
func contentsOf(a *ssa.Alloc) *contents {
	t := deref(a.Type())
	for arrayElem(t) != nil {
		t = arrayElem(t)
	}
	if i, ok := typeOf(t); !ok || i != goInt || arrayElem(deref(a.Type())) == nil {
		return nil
	}
	c := &contents{array: a}
	if !c.find(a) {
		return nil
	}
	return c
}

// arrayElem is the type of an array's elements, nil of other types.
func arrayElem(t types.Type) types.Type {
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Elem()
	}
	return nil
}

// find adds what is done with what v points to; false if that is anything else.
func (c *contents) find(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			if r.X != v || !c.find(r) {
				return false
			}
		case *ssa.Store:
			if t, ok := typeOf(r.Val.Type()); !ok || t != goInt || r.Addr != v {
				return false
			}
			c.stores = append(c.stores, r)
		case *ssa.UnOp:
			if _, ok := typeOf(r.Type()); ok {
				c.loads = append(c.loads, r)
			} else if !c.findElements(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// findElements is find for an array that was loaded as a whole.
func (c *contents) findElements(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Index:
			if t, ok := typeOf(r.Type()); !ok || t != goInt || r.X != v {
				return false
			}
			c.loads, c.whole = append(c.loads, r), true
		default:
			return false
		}
	}
	return true
}

// constant is the span of the contents, if that is known to need 32 bits.
func (c *contents) constant() (span, bool) {
	s := span{c.lo.c, c.hi.c}
	return s, c.lo.known && c.hi.known && len(c.lo.terms) == 0 && len(c.hi.terms) == 0 && s.within(span{headroom - math.MaxInt32, math.MaxInt32 - headroom})
}

// intArrays are the local arrays of ints of an instance that are loaded from, without what they hold.
func (in *instance) intArrays(know *evaluator) (all []*contents) {
	for _, b := range in.fn.Blocks {
		for _, i := range b.Instrs {
			a, ok := i.(*ssa.Alloc)
			if !ok || !know.live[b] {
				continue
			}
			if c := contentsOf(a); c != nil && len(c.loads) > 0 {
				all = append(all, c)
			}
		}
	}
	if len(all) > 0 && goesRound(in.fn) {
		return nil
	}
	return all
}

// findContents finds what arrays hold, each given those before it. number is the one of the ender that this is for.
func (p *prover) findContents(arrays []*contents, number func(n *node) (float64, bool)) {
	for n, c := range arrays {
		e := newEnder(p, arrays[:n])
		e.number = number
		e.grows = true
		c.grow(e)
	}
}

// goesRound reports whether control goes round by ways into the middle of a loop, as goto makes them: then it is not known how often a store is run.
func goesRound(fn *ssa.Function) bool {
	order := inline.ReversePostorder(fn)
	place := map[*ssa.BasicBlock]int{}
	for i, b := range order {
		place[b] = i
	}
	return slices.ContainsFunc(order, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return place[s] <= place[b] && !s.Dominates(b) })
	})
}

// grow finds the ends.
func (c *contents) grow(e *ender) {
	e.begin()
	defer e.done()
	g := &grower{ender: e, loads: map[ssa.Value]bool{}, joining: map[*node]bool{}}
	for _, v := range c.loads {
		g.loads[v] = true
	}
	first := e.placeBefore(c.array)
	zero := exactly(constantPoly(0))
	own, more := zero, zero
	for _, s := range c.stores {
		if !e.know.live[s.Block()] {
			continue
		}
		x, ok := g.of(e.node(s.Val), e.placeBefore(s), 0)
		if !ok {
			return
		}
		if x.own != nil {
			own = e.union(own, *x.own, first)
		}
		if x.more == nil {
			continue
		}
		step := e.union(zero, *x.more, first)
		times := g.times(s)
		more = ends{growing(step.lo, times, more.lo), growing(step.hi, times, more.hi)}
	}
	c.ends = ends{sumOf(own.lo, more.lo, 1), sumOf(own.hi, more.hi, 1)}
}

// exactly are the ends of what is p.
func exactly(p poly) ends { return ends{knownEnd(p, p.fits()), knownEnd(p, p.fits())} }

// sumOf is x + k*y.
func sumOf(x, y end, k int64) end {
	if !x.known || !y.known {
		return end{}
	}
	p, ok := x.plus(y.poly, k)
	return knownEnd(p, ok, x.needs, y.needs)
}

// productOf is x*y.
func productOf(x, y end) end {
	if !x.known || !y.known {
		return end{}
	}
	p, ok := x.times(y.poly)
	return knownEnd(p, ok, x.needs, y.needs)
}

// growing is an end of the contents that goes further by a step so often.
func growing(step, times, before end) end {
	if step.isZero() {
		return before
	}
	return sumOf(productOf(step, times), before, 1)
}

// union are the ends of what is one of two integers.
func (e *ender) union(x, y ends, c *place) ends {
	least := e.least(c)
	return ends{e.met(x.lo, y.lo, false, least), e.met(x.hi, y.hi, true, least)}
}

// A growth is how far an integer goes that is stored in an array: what it may be that has nothing to do with the array, and how much more than
// something that is or was in the array it may be. Of nothing it is nil.
type growth struct{ own, more *ends }

// A grower finds growths.
type grower struct {
	*ender
	loads   map[ssa.Value]bool
	joining map[*node]bool // phi nodes that are taken to be in the array
}

// of is the growth of a node at a place; false if it is not known.
func (g *grower) of(n *node, c *place, deep int) (growth, bool) {
	if n.op == opAtom && g.loads[n.v] || g.joining[n] {
		zero := exactly(constantPoly(0))
		return growth{more: &zero}, true
	}
	if x := g.ender.of(n, c, 0); x.lo.known && x.hi.known {
		return growth{own: &x}, true
	}
	if deep == maxEnds || n.intType != goInt {
		return growth{}, false
	}
	switch n.op {
	case token.ADD, token.SUB:
		x, ok1 := g.of(n.x, c, deep+1)
		y, ok2 := g.of(n.y, c, deep+1)
		if n.op == token.ADD && x.more == nil {
			x, y = y, x
		}
		return x.plus(y, n.op), ok1 && ok2 && y.more == nil
	case opMin, opMax:
		x, ok1 := g.of(n.x, c, deep+1)
		y, ok2 := g.of(n.y, c, deep+1)
		return g.either(x, y, c), ok1 && ok2
	case opPhi:
		return g.joined(n, deep+1)
	}
	return growth{}, false
}

// plus is the growth of a sum or difference of which the second operand has nothing to do with the array.
func (x growth) plus(y growth, op token.Token) (r growth) {
	if y.own == nil {
		return growth{}
	}
	add := func(x *ends) *ends {
		switch {
		case x == nil:
			return nil
		case op == token.SUB:
			return &ends{sumOf(x.lo, y.own.hi, -1), sumOf(x.hi, y.own.lo, -1)}
		}
		return &ends{sumOf(x.lo, y.own.lo, 1), sumOf(x.hi, y.own.hi, 1)}
	}
	return growth{add(x.own), add(x.more)}
}

// either is the growth of one of two integers.
func (g *grower) either(x, y growth, c *place) growth {
	join := func(x, y *ends) *ends {
		switch {
		case x == nil:
			return y
		case y == nil:
			return x
		}
		u := g.union(*x, *y, c)
		return &u
	}
	return growth{join(x.own, y.own), join(x.more, y.more)}
}

// joined is the growth of a phi node: of a loop's variable, if it is what was in the array, and no more.
func (g *grower) joined(n *node, deep int) (r growth, ok bool) {
	v := n.v.(*ssa.Phi)
	g.joining[n] = true
	defer delete(g.joining, n)
	for i, from := range v.Block().Preds {
		if !g.know.taken(from, v.Block()) {
			continue
		}
		x, ok := g.of(g.node(v.Edges[i]), g.placeOn(from, v.Block()), deep)
		if !ok {
			return growth{}, false
		}
		r = g.either(r, x, g.placeAt(v.Block()))
	}
	return r, r.more == nil || g.loops[v.Block()] == nil || r.more.lo.isZero() && r.more.hi.isZero()
}

// isZero reports whether an end is 0.
func (x end) isZero() bool { return x.known && x.c == 0 && len(x.terms) == 0 }

// times is how often a store is run at most: no less than 0, also where a loop's end lies before its beginning.
func (g *grower) times(s *ssa.Store) end {
	least := g.least(g.placeAt(s.Parent().Blocks[0]))
	all := exactly(constantPoly(1)).hi
	for _, l := range g.around(s.Block()) {
		all = productOf(all, g.met(g.iterations(l, g.placeBefore(s)), exactly(constantPoly(0)).hi, true, least))
	}
	return all
}

// maxStride is the most by which a variable counts: with more it could come by all numbers of 64 bits.
const maxStride = 1 << 10

// iterations is in how many iterations of a loop a place is reached at most: a variable that counts is another number in each.
func (g *grower) iterations(l *loop, c *place) (most end) {
	for _, n := range g.variables(l) {
		by, ok := g.addedEach(n, l)
		if !ok || n.intType != goInt || by.lo <= 0 && by.hi >= 0 || !by.within(span{-maxStride, maxStride}) {
			continue
		}
		for _, m := range []*node{n, g.next(n, l)} {
			x := g.ender.of(m, c, 0)
			if x.lo.known && x.hi.known {
				most = g.better(most, g.moved(sumOf(x.hi, x.lo, -1), 1), true, g.least(c))
			}
		}
	}
	return most
}

// next is what a loop's variable is next, or the variable, if there are several ways.
func (g *grower) next(n *node, l *loop) *node {
	m := n
	for i, from := range n.v.(*ssa.Phi).Block().Preds {
		if !l.blocks[from] || !g.know.taken(from, l.header) {
			continue
		}
		if m != n {
			return n
		}
		m = g.node(n.v.(*ssa.Phi).Edges[i])
	}
	return m
}
