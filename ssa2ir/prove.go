package ssa2ir

// This file and the others named prove_*.go show that checks cannot fail, so that no code
// is made of them, and that sums do not wrap around, which LLVM is told. LLVM itself proves
// little of it: it does not carry a condition on a thread's coordinate into what is
// computed from the coordinate.
//
//	prove_node.go    what is computed from what: equal values are one node
//	prove_range.go   arithmetic of intervals
//	prove_fact.go    what holds at a place: conditions on the way there, checks passed before
//	prove_span.go    between which ends a value is, at a place
//	prove_linear.go  inequalities between sums
//	prove_chain.go   how they are derived from those that hold
//	prove_guess.go   variables of loops, by guesses
//	prove_table.go   package-level tables
//	prove_average.go averages
//	prove_loop.go    loops that go through a few known values
//	prove_float.go   ints of floats that were compared
//
// All numbers are those of mathematics, not of Go's types: a sum is taken apart only where
// it cannot wrap around. A check is shown to pass by what happened before it, never by
// itself or what comes later; also in a loop, where earlier iterations come before.
//
// The work is limited: where it takes too many steps, nothing is known.

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// maxProof is how many steps the proofs of one function may take; maxOfCheck those of one check.
const (
	maxProof   = 400_000
	maxOfCheck = 40_000
	minOfCheck = 1_000 // once others took too long
)

// A prover knows what holds at the places of one instance.
type prover struct {
	in         *instance
	know       *evaluator
	unchecked  bool  // there are no checks: what they would have stopped may happen
	maxThreads int64 // of a block
	shortGrid  bool  // a grid has less than 1<<31 threads along each axis
	machine    *target.Machine
	nodes      map[nodeKey]*node
	values     map[ssa.Value]*node
	about      map[*node][]*fact
	sums       map[*node][]*fact // those whose linear form has the node
	starts     map[*ssa.BasicBlock]*place
	ends       map[*ssa.BasicBlock]*place
	before     map[ssa.Instruction]*place
	edges      map[edgeKey]*place
	most       map[*ssa.UnOp]int64 // what is loaded is at most, if memory holds what was stored
	wrapping   map[ssa.Value]*wrappedSum
	chosen     map[ssa.Value]bool // see with
	known      map[spanKey]span
	failed     map[claim]int  // how deep it was tried
	assumed    map[*node]span // what is taken to hold while it is shown
	pending    map[*node]bool // phi nodes whose span is being computed
	all        []*loop        // the smaller first
	loops      map[*ssa.BasicBlock]*loop
	following  map[*loop]bool
	walks      map[*loop]*walk
	tables     map[string]span // see tableSpan
	means      map[*node]span  // see averaged
	rising     map[*node]int   // of a loop's variable: 1 never falls, -1 never rises, 2 neither
	total      int             // steps left
	steps      int             // of the current check
	limit      int             // of the next check's steps
	claims     int             // left of the current question, see follows
	mostClaims int             // of the next question
	short      bool            // more facts could have been tried
}

// newProver is the prover of an instance on a machine.
func newProver(in *instance, know *evaluator, maxThreads int64, machine *target.Machine) *prover {
	p := &prover{in: in, know: know, maxThreads: maxThreads, machine: machine,
		nodes: map[nodeKey]*node{}, values: map[ssa.Value]*node{}, about: map[*node][]*fact{}, sums: map[*node][]*fact{},
		starts: map[*ssa.BasicBlock]*place{}, ends: map[*ssa.BasicBlock]*place{}, before: map[ssa.Instruction]*place{}, edges: map[edgeKey]*place{},
		known: map[spanKey]span{}, failed: map[claim]int{}, assumed: map[*node]span{}, pending: map[*node]bool{},
		loops: map[*ssa.BasicBlock]*loop{}, walks: map[*loop]*walk{}, rising: map[*node]int{}, means: map[*node]span{}, following: map[*loop]bool{}, total: maxProof, limit: maxOfCheck, mostClaims: maxClaims}
	p.all = loopsOf(in.fn, know)
	for _, l := range p.all {
		p.loops[l.header] = l
	}
	return p
}

// begin gives the next question its steps.
func (p *prover) begin() {
	p.steps = min(p.limit, p.total)
	p.total -= p.steps
}

// done returns the steps that were not taken. Where they did not suffice, the next questions of the function get less: they are about the same values
// as a rule.
func (p *prover) done() {
	if p.total += max(p.steps, 0); p.steps < 0 {
		p.limit = max(p.limit/2, minOfCheck)
	}
}

// with is a prover like p that knows no more of some values than that they need 32 bits: they are not what their operations make.
func (p *prover) with(chosen map[ssa.Value]bool) *prover {
	q := newProver(p.in, p.know, p.maxThreads, p.machine)
	q.unchecked, q.shortGrid, q.most, q.wrapping, q.chosen = p.unchecked, p.shortGrid, p.most, p.wrapping, chosen
	for _, n := range p.nodes {
		if n.x == nil || n.op == opField || n.op == opLen || n.op == opCap {
			m := q.adopt(n)
			m.base = m.base.and(n.base)
		}
	}
	return q
}

// forget forgets what was found out, since more is known now of what a node may be.
func (p *prover) forget() {
	clear(p.known)
	clear(p.failed)
	clear(p.sums)
	again := func(c *place) {
		for ; c != nil && c.linear; c = c.parent {
			c.linear = false
		}
	}
	for _, c := range p.before {
		again(c)
	}
	for _, c := range p.starts {
		again(c)
	}
	for _, c := range p.ends {
		again(c)
	}
	for _, c := range p.edges {
		again(c)
	}
}

// step reports whether another step may be taken.
func (p *prover) step() bool {
	p.steps--
	return p.steps >= 0
}

// inRange reports whether 0 <= index < length holds before instruction at.
func (p *prover) inRange(index, length *node, at ssa.Instruction) bool {
	return p.shown(p.constant(0), index, 0, at) && p.shown(index, length, 1, at)
}

// ordered reports whether 0 <= x <= y holds before instruction at.
func (p *prover) ordered(x, y *node, at ssa.Instruction) bool {
	return p.shown(p.constant(0), x, 0, at) && p.shown(x, y, 0, at)
}

// shown reports whether x + by <= y holds before instruction at: in general, or in each of
// the few states that the loops around it go through.
func (p *prover) shown(x, y *node, by int64, at ssa.Instruction) bool {
	c := p.placeBefore(at)
	p.begin()
	defer p.done()
	return p.atMost(x, y, by, c) || p.inEachState(c, func(c *place) bool { return p.atMost(x, y, by, c) })
}

// spanBefore is what a value may be before instruction at.
func (p *prover) spanBefore(v ssa.Value, at ssa.Instruction) span {
	n := p.node(v)
	p.begin()
	defer p.done()
	return p.spanAt(n, p.placeBefore(at))
}

// wraps reports whether the sum, difference, product or left shift may wrap around where
// it is computed, before instruction at.
func (p *prover) wraps(op *ssa.BinOp, at ssa.Instruction) bool {
	n := p.node(op)
	if n.op != token.ADD && n.op != token.SUB && n.op != token.MUL && n.op != token.SHL {
		return true
	}
	p.begin()
	defer p.done()
	return !p.keeps(n, p.placeBefore(at))
}
