package ssa2ir

// This file finds how far integers go, in all threads of a block: between two polynomials of
// what these have in common, which are the kernel's parameters, lengths, the block's place and the sizes of
// the grid and of a block.
//
//	if x >= w || y >= h { return }
//	... in[y*w+x]                    y*w+x is between 0 and (h-1)*w + w-1
//
// It holds where all of these numbers and their products that are named are from 0 to 1<<31-1:
// then nothing on the way wraps around. Who uses it has to see to that (bounded.go).

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/module"
	"heddle/internal/target"
)

const (
	maxEnds = 20   // how deep a value is looked into
	maxAsks = 4000 // values that are looked into
)

// An end is one of the ends between which a value is.
type end struct {
	poly
	known bool
	needs []need
}

// ends are the least and the most that a value is.
type ends struct{ lo, hi end }

// An ender finds ends.
type ender struct {
	*prover
	held  map[ssa.Value]ends // what is loaded from local arrays
	asked map[endKey]ends
	left  int
	// grows: an end is wanted by variables, and not by what these are taken to be at most.
	grows bool
	// launch: an end by the size of a launch is preferred to others.
	launch bool
	// steps: loops whose rounds are numbers of the launch add up, too (ends_steps.go).
	steps bool
	// number is what a node is in a launch that ends are wanted for; nil if there is none, or not known.
	number func(n *node) (float64, bool)
	// meant says that an average was found (ends_sums.go).
	meant bool
	order []endKey // what was asked, if nothing is known of it
	// mayHold reports whether what the host sees to may hold; nil if it is not the host that does.
	mayHold func(r reach) bool
}

type endKey struct {
	n *node
	c *place
}

func newEnder(p *prover, arrays []*contents) *ender {
	e := &ender{prover: p, held: map[ssa.Value]ends{}, asked: map[endKey]ends{}, left: maxAsks}
	for _, c := range arrays {
		for _, v := range c.loads {
			e.held[v] = c.ends
		}
	}
	return e
}

// least says what nodes are at least at a place.
func (e *ender) least(c *place) leastOf {
	return func(n *node) int64 { return max(e.spanAt(n, c).lo, 0) }
}

// isVariable reports whether a node is an integer that the threads of a block have in common, and that is known
// where a kernel begins.
func (n *node) isVariable() bool {
	switch n.op {
	case opQuotient:
		return true
	case opField, opLen:
		if n.x.op == opCall {
			_, ok := n.register()
			return ok
		}
		return n.bits > 0 && n.x.isCommon()
	case token.QUO, token.SHR:
		return n.intType == goInt && n.x.isVariable() && n.y.op == opConst && n.y.k > 0 && n.y.k < 1<<31 && (n.op == token.QUO || n.y.k < 31)
	}
	return n.bits > 0 && n.isCommon() || n.isSharedSize()
}

// register is where an axis of a launch's numbers is read, of those that the threads of a block have in common.
func (n *node) register() (target.Register, bool) {
	switch n.x.name {
	case module.DSL + ".BlockIdx":
		return target.BlockIdx, true
	case module.DSL + ".BlockDim":
		return target.BlockDim, true
	case module.DSL + ".GridDim":
		return target.GridDim, true
	}
	return 0, false
}

// ofBlock reports whether a variable is another one in each block.
func (n *node) ofBlock() bool {
	switch n.op {
	case opQuotient, token.ADD, token.MUL:
		return n.x.ofBlock() || n.y.ofBlock()
	case token.QUO, token.SHR:
		return n.x.ofBlock()
	case opField:
		if n.x.op == opCall {
			r, _ := n.register()
			return r == target.BlockIdx
		}
	}
	return false
}

// isCommon is isVariable for a value of any type.
func (n *node) isCommon() bool {
	switch n.op {
	case opField:
		return n.x.isCommon()
	case opAtom: // a large value stays in memory
		if n.name == "*" {
			return !isBig(deref(n.v.Type()))
		}
		_, isParam := n.v.(*ssa.Parameter)
		return isParam && !isBig(n.v.Type())
	}
	return false
}

// of is between what a node is at a place.
func (e *ender) of(n *node, c *place, deep int) ends {
	if n.op == opConst {
		p := constantPoly(n.k)
		return ends{knownEnd(p, p.fits()), knownEnd(p, p.fits())}
	}
	if n.isVariable() {
		x := knownEnd(variablePoly(n), true)
		for q := n; q.op == token.QUO || q.op == token.SHR; q = q.x {
			x.needs = append(x.needs, need{poly: variablePoly(q.x)})
		}
		return ends{x, x}
	}
	key := endKey{n, c}
	if x, ok := e.asked[key]; ok {
		return x
	}
	e.left--
	if deep == maxEnds || e.left < 0 {
		return ends{}
	}
	e.asked[key] = ends{} // of a variable that depends on itself nothing is known
	least := e.least(c)
	r := e.byOperation(n, c, deep+1)
	if !r.isOne() { // else no fact says more, and what is asked meanwhile would know nothing of n
		r = e.byFacts(n, c, r, deep+1)
	}
	if n.op == token.MUL && n.intType == goInt && e.shortGrid && (!r.lo.known || !r.hi.known) {
		x := e.product(n, c, deep+1)
		if !r.lo.known {
			r.lo = x.lo
		}
		if !r.hi.known {
			r.hi = x.hi
		}
	}
	s := e.spanAt(n, c)
	if p := constantPoly(s.lo); p.fits() && (!r.lo.known || p.atLeast(r.lo.poly, least)) {
		r.lo = knownEnd(p, true)
	}
	if p := constantPoly(s.hi); p.fits() && (!r.hi.known || r.hi.atLeast(p, least) || e.grows && p.isFew() && !r.hi.isFew()) {
		r.hi = knownEnd(p, true)
	}
	if e.asked[key] = r; !r.lo.known || !r.hi.known {
		e.order = append(e.order, key)
	}
	return r
}

// byFacts makes r of what holds about a node at a place.
func (e *ender) byFacts(n *node, c *place, r ends, deep int) ends {
	least := e.least(c)
	for _, f := range e.about[n] {
		if !c.passed(f.at) || f.unequal {
			continue
		}
		if f.x == n {
			y := e.of(f.y, c, deep).hi
			r.hi = e.better(r.hi, e.moved(y, -f.c), true, least)
		} else {
			x := e.of(f.x, c, deep).lo
			r.lo = e.better(r.lo, e.moved(x, f.c), false, least)
		}
	}
	return r
}

// moved is an end that is by more.
func (e *ender) moved(x end, by int64) end {
	if !x.known || by > maxFactor || by < -maxFactor {
		return end{}
	}
	p, ok := x.plus(constantPoly(by), 1)
	return knownEnd(p, ok, x.needs)
}

// better is the one of two ends that says more. If that is not known it is the first, or the one that is not about the
// size of the launch: that is most often rounded up.
func (e *ender) better(x, y end, up bool, least leastOf) end {
	if a, b, ok := e.inLaunch(x, y, up); ok {
		if up == (a > b) {
			return y
		}
		return x
	}
	switch {
	case e.grows && up && x.known && y.known && x.isFew() != y.isFew(): // however often a loop runs, an array's length ends it
		if x.isFew() {
			return x
		}
		return y
	case !x.known, e.grows && up && y.known && x.isAssumed():
		return y
	case !y.known, e.grows && up && y.isAssumed():
		return x
	case up && x.atLeast(y.poly.ofDividends(), least), !up && y.atLeast(x.poly, least), x.ofLaunch() != e.launch && y.ofLaunch() == e.launch:
		return y
	}
	return x
}

// inLaunch is what two ends are in the launch that they are wanted for: the most that the host finds of all blocks, or the least. Where an end by
// the size of the launch is preferred it is what it is in the last block.
func (e *ender) inLaunch(x, y end, up bool) (a, b float64, ok bool) {
	if e.number == nil || !x.known || !y.known {
		return 0, 0, false
	}
	if !e.launch {
		x.poly, y.poly = x.inBlocks(up), y.inBlocks(up)
	}
	a, ok = x.in(e.number)
	b, ok2 := y.in(e.number)
	return a, b, ok && ok2 && a != b
}

// in is what p is where its nodes are these numbers.
func (p poly) in(number func(n *node) (float64, bool)) (float64, bool) {
	sum := float64(p.c)
	for _, m := range p.terms {
		x := float64(m.k)
		for _, n := range m.of {
			y, ok := number(n)
			if !ok {
				return 0, false
			}
			x *= y
		}
		sum += x
	}
	return sum, true
}

// byOperation is what a node's operation makes of its operands' ends.
func (e *ender) byOperation(n *node, c *place, deep int) (r ends) {
	switch n.op {
	case opAtom:
		return e.held[n.v]
	case token.ADD, token.SUB, token.MUL, token.SHL, opMin, opMax:
		if n.intType != goInt { // it may wrap around
			return ends{}
		}
		if r = e.opposing(n, c, deep); r.lo.known && r.hi.known {
			return r
		}
		if x := n.x; n.op == token.SUB && n.y.op == token.AND && (n.y.x == x || n.y.y == x) { // this is x &^ y
			if r = e.of(x, c, deep); r.lo.known && r.lo.notNegative(e.least(c)) {
				return ends{knownEnd(constantPoly(0), true, r.lo.needs), r.hi}
			}
		}
		least := e.least(c)
		r = e.arithmetic(n, c, deep)
		of, _ := n.whole()
		if of == nil {
			of = n.together()
		}
		if of != nil {
			if x := e.of(of, c, deep); x.lo.known && x.lo.notNegative(least) {
				r = ends{e.better(r.lo, knownEnd(constantPoly(0), true), false, least), e.better(r.hi, x.hi, true, least)}
			}
		}
		x := e.relative(n, c, deep)
		return ends{e.better(x.lo, r.lo, false, least), e.better(x.hi, r.hi, true, least)}
	case opConvert:
		if e.keeps(n, c) {
			return e.of(n.x, c, deep)
		}
	case token.QUO:
		if x, ok := e.mean(n, c, deep); ok {
			return x
		}
		return e.quotient(n, c, deep)
	case token.REM:
		x, y := e.of(n.x, c, deep), e.of(n.y, c, deep)
		if least := e.least(c); x.lo.known && x.lo.notNegative(least) && y.hi.known {
			return ends{knownEnd(constantPoly(0), true), e.moved(y.hi, -1)}
		}
	case token.AND:
		return e.masked(n, c, deep)
	case token.AND_NOT:
		return e.cleared(n, c, deep)
	case token.OR, token.XOR:
		return e.either(n, c, deep)
	case opField:
		return e.coordinate(n)
	case opPhi:
		return e.phi(n, c, deep)
	}
	return ends{}
}

// arithmetic is between what a sum, a difference, a product or the lesser or greater of two is.
func (e *ender) arithmetic(n *node, c *place, deep int) ends {
	x, y := e.of(n.x, c, deep), e.of(n.y, c, deep)
	least := e.least(c)
	switch {
	case n.op == opMin:
		if e.number == nil && x.hi.known && y.hi.known && x.hi.ofLaunch() == y.hi.ofLaunch() && x.hi.grows(y.hi.poly) {
			x.hi = y.hi
		}
		if y.hi.known && !y.hi.isAssumed() && x.hi.isAssumed() { // the least is meant: what a variable is taken to be at most says nothing
			x.hi = y.hi
		}
		return ends{e.lesser(x.lo, y.lo, least), e.better(x.hi, y.hi, true, least)}
	case n.op == opMax:
		return ends{e.better(x.lo, y.lo, false, least), e.met(x.hi, y.hi, true, least)}
	case !x.lo.known || !x.hi.known || !y.lo.known || !y.hi.known:
		return ends{}
	}
	by := func(a, b end, op func(poly, poly) (poly, bool)) end {
		p, ok := op(a.poly, b.poly)
		return knownEnd(p, ok, x.lo.needs, x.hi.needs, y.lo.needs, y.hi.needs)
	}
	plus := func(a, b poly) (poly, bool) { return a.plus(b, 1) }
	minus := func(a, b poly) (poly, bool) { return a.plus(b, -1) }
	switch n.op {
	case token.ADD:
		return ends{by(x.lo, y.lo, plus), by(x.hi, y.hi, plus)}
	case token.SUB:
		return ends{by(x.lo, y.hi, minus), by(x.hi, y.lo, minus)}
	case token.SHL:
		k, ok := e.spanAt(n.y, c).one()
		if !ok || k < 0 || k > 16 {
			return ends{}
		}
		times := knownEnd(constantPoly(1<<k), true)
		return ends{by(x.lo, times, poly.times), by(x.hi, times, poly.times)}
	}
	if !x.lo.notNegative(least) || !y.lo.notNegative(least) {
		return ends{}
	}
	return ends{by(x.lo, y.lo, poly.times), by(x.hi, y.hi, poly.times)}
}

// lesser is what the lesser of two values is at least. Where that may be negative for all that is known, it is a constant if that is, for which is
// asked, as in
//
//	min(max(x, 0), w-1)     0, if 0 <= w-1
func (e *ender) lesser(x, y end, least leastOf) end {
	r := e.met(x, y, false, least)
	if !r.known || r.notNegative(least) {
		return r
	}
	if len(x.terms) > 0 {
		x, y = y, x
	}
	more, ok := y.plus(x.poly, -1)
	if len(x.terms) > 0 || x.c < 0 || !ok {
		return r
	}
	return knownEnd(x.poly, true, x.needs, y.needs, []need{{more, true}})
}

// coordinate is between what a thread's or block's coordinate is.
func (e *ender) coordinate(n *node) ends {
	if n.x.op != opCall {
		return ends{}
	}
	of := func(name string) poly { return variablePoly(e.beside(n, name)) }
	block := of(".BlockDim")
	switch n.x.name {
	case module.DSL + ".ThreadIdx":
		return ends{knownEnd(constantPoly(0), true), e.moved(knownEnd(block, true), -1)}
	case module.DSL + ".GlobalIdx":
		start, ok := block.times(of(".BlockIdx"))
		behind, ok2 := start.plus(block, 1)
		return ends{knownEnd(constantPoly(0), true), e.moved(knownEnd(behind, ok && ok2), -1)}
	case module.DSL + ".GlobalSize":
		all, ok := block.times(of(".GridDim"))
		return ends{knownEnd(all, ok), knownEnd(all, ok)}
	}
	return ends{}
}

// joined is between what a phi node is: of one that joins branches, what its edges bring; of
// a loop's variable that only rises or falls, what it begins with on that side, and on the other, if its test is at the
// end of the loop, what that lets through; of another one, what its edges bring.
func (e *ender) joined(n *node, deep int) ends {
	v, ok := n.v.(*ssa.Phi)
	if !ok {
		return ends{}
	}
	l := e.loops[v.Block()]
	entering := func(from *ssa.BasicBlock) bool { return l == nil || !l.blocks[from] }
	if l == nil {
		return e.brought(v, entering, func(x *node, c *place) ends { return e.of(x, c, deep) })
	}
	d := e.direction(n)
	if d != 1 && d != -1 {
		anyOf := func(*ssa.BasicBlock) bool { return true }
		return e.brought(v, anyOf, func(x *node, c *place) ends { return e.of(x, c, deep) })
	}
	r := e.brought(v, entering, func(x *node, c *place) ends { return e.of(x, c, deep) })
	repeating := func(from *ssa.BasicBlock) bool { return !entering(from) }
	again := e.brought(v, repeating, func(x *node, c *place) ends {
		if x == n {
			return r
		}
		return e.byFacts(x, c, ends{}, deep)
	})
	least := e.least(e.placeAt(v.Block()))
	if d == 1 {
		r.hi = e.met(r.hi, again.hi, true, least)
	} else {
		r.lo = e.met(r.lo, again.lo, false, least)
	}
	return r
}

// brought are the ends of the values that some edges of a phi node bring; of says what those of one value are.
func (e *ender) brought(v *ssa.Phi, which func(from *ssa.BasicBlock) bool, of func(x *node, c *place) ends) (r ends) {
	least := e.least(e.placeAt(v.Block()))
	first := true
	for i, from := range v.Block().Preds {
		if !which(from) || !e.know.taken(from, v.Block()) {
			continue
		}
		n, c := e.node(v.Edges[i]), e.placeOn(from, v.Block())
		x := e.wrapped(n, c, e.inBlock(of(n, c), c, maxEnds-1))
		if first {
			r, first = x, false
			continue
		}
		r = ends{e.lesser(r.lo, x.lo, least), e.met(r.hi, x.hi, true, least)}
	}
	return r
}

// met is an end of what is one of two values.
func (e *ender) met(x, y end, up bool, least leastOf) end {
	if !x.known || !y.known {
		return end{}
	}
	p, ok := x.either(y.poly, up, least)
	if up && e.shortGrid && !(ok && (p.equals(x.poly) || p.equals(y.poly))) {
		if r, ok := e.greater(x, y, least); ok {
			return r
		}
	}
	return knownEnd(p, ok, x.needs, y.needs)
}
