package ssa2ir

import (
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/module"
)

// coordinateBelow is what a thread's or block's coordinate is less than, nil of others.
func (p *prover) coordinateBelow(n *node) *node {
	if n.x.op != opCall {
		return nil
	}
	switch n.x.name {
	case module.DSL + ".ThreadIdx":
		return p.beside(n, ".BlockDim")
	case module.DSL + ".BlockIdx":
		return p.beside(n, ".GridDim")
	case module.DSL + ".GlobalIdx":
		return p.beside(n, ".GlobalSize")
	}
	return nil
}

// threadOfGrid reports whether a node is computed as a grid's threads are numbered along an axis, or counted:
//
//	BlockIdx().X*BlockDim().X + ThreadIdx().X    BlockIdx().X*BlockDim().X    GridDim().X*BlockDim().X
func (n *node) threadOfGrid() (axis int, ok bool) {
	if n.op != token.ADD && n.op != token.MUL {
		return 0, false
	}
	for axis := range 3 {
		if n.op == token.ADD && (n.x.isBlocks(".BlockIdx", axis) && n.y.isGeometry(".ThreadIdx", axis) || n.y.isBlocks(".BlockIdx", axis) && n.x.isGeometry(".ThreadIdx", axis)) ||
			n.isBlocks(".BlockIdx", axis) || n.isBlocks(".GridDim", axis) {
			return axis, true
		}
	}
	return 0, false
}

// isBlocks reports whether a node is a number of blocks times their size along an axis.
func (n *node) isBlocks(name string, axis int) bool {
	return n.op == token.MUL && (n.x.isGeometry(name, axis) && n.y.isGeometry(".BlockDim", axis) || n.y.isGeometry(name, axis) && n.x.isGeometry(".BlockDim", axis))
}

// isGeometry reports whether a node is a number of the launch along an axis.
func (n *node) isGeometry(name string, axis int) bool {
	return n.op == opField && n.k == int64(axis) && n.x.op == opCall && n.x.name == module.DSL+name
}

// beside is another number of the launch, along the axis of n.
func (p *prover) beside(n *node, name string) *node {
	base, _ := p.geometry(module.DSL+name, int(n.k))
	all := p.intern(nodeKey{op: opCall, name: module.DSL + name}, span{})
	return p.intern(nodeKey{op: opField, x: all, k: n.k, intType: n.intType}, base)
}

// suppose runs f where a node is in a span, and forgets what follows from that.
func (p *prover) suppose(all map[*node]span, f func()) {
	known, assumed := p.known, p.assumed
	p.known, p.assumed = map[spanKey]span{}, map[*node]span{}
	for n, s := range assumed {
		p.assumed[n] = s
	}
	for n, s := range all {
		p.assumed[n] = s
	}
	f()
	p.known, p.assumed = known, assumed
}

// The limits of loops whose states are followed.
const (
	maxWalk   = 300 // iterations, to know the variables' spans
	maxStates = 160 // in all, to show something for each
)

// A walk is what the variables of a loop are in each iteration, as far as they are known.
type walk struct {
	nodes  []*node
	states [][]int64
	last   []int64 // behind the loop, if it ends where it begins and nowhere else
}

// walkOf follows a loop whose variables begin with known values; nil if it cannot be.
func (p *prover) walkOf(l *loop) *walk {
	if w, ok := p.walks[l]; w != nil || ok && !p.supposesOne() {
		return w // what is known in general is so in each case
	}
	w := p.follow(l)
	if len(p.assumed) == 0 {
		p.walks[l] = w
	}
	return w
}

// supposesOne reports whether a node is supposed to be one number, as in a loop's state: where it is not, few loops can be followed that
// cannot be in general.
func (p *prover) supposesOne() bool {
	for _, s := range p.assumed {
		if _, ok := s.one(); ok {
			return true
		}
	}
	return false
}

// follow makes a loop's walk.
func (p *prover) follow(l *loop) *walk {
	exit := p.exitOf(l)
	if exit == nil || p.following[l] {
		return nil
	}
	p.following[l] = true
	defer delete(p.following, l)
	var nodes []*node
	first := map[*node]int64{}
	for _, n := range p.variables(l) {
		p.pending[n] = true
		k, ok := p.edgesSpan(n, n.v.(*ssa.Phi), func(b *ssa.BasicBlock) bool { return !l.blocks[b] }).one()
		delete(p.pending, n)
		if ok {
			nodes, first[n] = append(nodes, n), k
		}
	}
	for len(nodes) > 0 {
		w, lost := p.followed(l, exit, nodes, first)
		if lost == nil {
			return w
		}
		nodes = slices.DeleteFunc(nodes, func(n *node) bool { return lost[n] })
	}
	return nil
}

// variables are the integers among the phi nodes of a loop's header.
func (p *prover) variables(l *loop) (all []*node) {
	for _, i := range l.header.Instrs {
		v, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		if n := p.node(v); n.op == opPhi {
			all = append(all, n)
		}
	}
	return all
}

// fixed are the spans that the variables of the loops around a block have in all iterations.
// What is supposed of one iteration must not be taken for what earlier ones have
// made of the others.
func (p *prover) fixed(b *ssa.BasicBlock, but []*node) map[*node]span {
	all := map[*node]span{}
	for _, l := range p.around(b) {
		for _, i := range l.header.Instrs {
			if v, ok := i.(*ssa.Phi); ok {
				if n := p.node(v); n.op == opPhi && !slices.Contains(but, n) {
					all[n] = p.phiSpan(n, p.placeAt(l.header))
				}
			}
		}
	}
	return all
}

// around are the loops around a block, the outer ones first.
func (p *prover) around(b *ssa.BasicBlock) (all []*loop) {
	for _, l := range p.all {
		if l.blocks[b] {
			all = append(all, l)
		}
	}
	slices.Reverse(all)
	return all
}

// followed makes the walk of some variables; those that are lost have values that are not
// known.
func (p *prover) followed(l *loop, exit *ssa.If, nodes []*node, first map[*node]int64) (w *walk, lost map[*node]bool) {
	w = &walk{nodes: nodes}
	at := make([]int64, len(nodes))
	for i, n := range nodes {
		at[i] = first[n]
	}
	fixed := p.fixed(l.header, nodes)
	repeating := func(b *ssa.BasicBlock) bool { return l.blocks[b] }
	for len(w.states) < maxWalk && p.step() {
		next := make([]int64, len(at))
		stays, known := false, false
		supposed := w.state(at)
		for n, s := range fixed {
			supposed[n] = s
		}
		p.suppose(supposed, func() {
			if stays, known = p.decide(exit, l); !stays {
				return
			}
			for i, n := range nodes {
				var ok bool
				if next[i], ok = p.edgesSpan(n, n.v.(*ssa.Phi), repeating).one(); !ok {
					if lost == nil {
						lost = map[*node]bool{}
					}
					lost[n] = true
				}
			}
		})
		switch {
		case !known:
			return nil, nil
		case lost != nil:
			return nil, lost
		case !stays && exit.Block() == l.header:
			w.last = at
			return w, nil
		}
		w.states = append(w.states, at)
		if !stays {
			return w, nil
		}
		at = next
	}
	return nil, nil
}

// state is what the loop's variables are.
func (w *walk) state(at []int64) map[*node]span {
	s := map[*node]span{}
	for i, n := range w.nodes {
		s[n] = span{at[i], at[i]}
	}
	return s
}

// exitOf is the branch that leaves a loop, if it is in the header or the only block that
// repeats it; others may leave it, too, in between.
func (p *prover) exitOf(l *loop) *ssa.If {
	var latch *ssa.BasicBlock
	for _, b := range l.header.Preds {
		if l.blocks[b] {
			if latch != nil {
				return nil
			}
			latch = b
		}
	}
	for _, b := range []*ssa.BasicBlock{l.header, latch} {
		if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && l.blocks[b.Succs[0]] != l.blocks[b.Succs[1]] {
			return br
		}
	}
	return nil
}

// decide reports whether the loop goes on at its exit, and whether that is known.
func (p *prover) decide(exit *ssa.If, l *loop) (stays, known bool) {
	v, ok := exit.Cond.(*ssa.BinOp)
	if !ok {
		return false, false
	}
	if _, ok := typeOf(v.X.Type()); !ok {
		return false, false
	}
	c := p.placeBefore(exit)
	x, ok1 := p.spanAt(p.node(v.X), c).one()
	y, ok2 := p.spanAt(p.node(v.Y), c).one()
	if !ok1 || !ok2 {
		return false, false
	}
	holds := map[token.Token]bool{token.LSS: x < y, token.LEQ: x <= y, token.GTR: x > y, token.GEQ: x >= y, token.EQL: x == y, token.NEQ: x != y}[v.Op]
	return holds == l.blocks[exit.Block().Succs[0]], true
}

// walked is the span of a variable over a loop's states.
func (p *prover) walked(n *node, l *loop) (span, bool) {
	w := p.walkOf(l)
	if w == nil {
		return span{}, false
	}
	i := slices.Index(w.nodes, n)
	if i < 0 {
		return span{}, false
	}
	s := span{math.MaxInt64, math.MinInt64}
	for _, at := range w.states {
		s = s.or(span{at[i], at[i]})
	}
	if w.last != nil {
		s = s.or(span{w.last[i], w.last[i]})
	}
	return s, s.lo <= s.hi
}

// behindLoop is what a loop's variable is behind the loop, if that is known.
func (p *prover) behindLoop(n *node, l *loop, c *place) (span, bool) {
	if c == nil || l.blocks[c.block] || p.pending[n] {
		return span{}, false
	}
	for b := range l.blocks {
		for _, s := range b.Succs {
			if !l.blocks[s] && b != l.header {
				return span{}, false
			}
		}
	}
	key := spanKey{n, nil, -1}
	if s, ok := p.known[key]; ok {
		return s, s != n.base
	}
	s := n.base
	if w := p.walkOf(l); w != nil && w.last != nil {
		if i := slices.Index(w.nodes, n); i >= 0 {
			s = span{w.last[i], w.last[i]}
		}
	}
	p.known[key] = s
	return s, s != n.base
}

// inEachState reports whether something is shown in each state of the loops around c.
func (p *prover) inEachState(c *place, shown func(*place) bool) bool {
	around := p.around(c.block)
	if len(around) == 0 || p.steps < 0 {
		return false
	}
	left := maxStates
	return p.eachState(around, p.fixed(c.block, nil), c, shown, &left, false)
}

// eachState is inEachState for some of the loops; fixed has what is supposed of all.
func (p *prover) eachState(around []*loop, fixed map[*node]span, c *place, shown func(*place) bool, left *int, any bool) bool {
	if len(around) == 0 {
		if *left--; *left < 0 || !any {
			return false
		}
		ok := false
		p.suppose(fixed, func() { ok = shown(c) })
		return ok
	}
	l, inner := around[0], around[1:]
	w := p.walkOf(l)
	if w == nil {
		outer := map[*node]span{}
		for n, s := range fixed {
			if !slices.ContainsFunc(around, func(m *loop) bool { return n.block == m.header }) {
				outer[n] = s
			}
		}
		p.suppose(outer, func() { w = p.follow(l) })
	}
	if w == nil {
		return p.eachState(inner, fixed, c, shown, left, any)
	}
	states := w.states
	if w.last != nil && c.block == l.header {
		states = append(slices.Clip(states), w.last)
	}
	for _, at := range states {
		state := w.state(at)
		for n, s := range fixed {
			if _, ok := state[n]; !ok {
				state[n] = s
			}
		}
		if *left < 0 || p.steps < 0 || !p.eachState(inner, state, c, shown, left, true) {
			return false
		}
	}
	return true
}
