package ssa2ir

// This file makes two versions of the section of a kernel whose indices are known to go no further
// than some numbers that all threads have in common: one without the checks of these indices, and
// the section as it was. Which one is run is decided where the section begins, by a branch that all threads take alike.
//
//	if x >= w || y >= h { return }      if x >= w || y >= h { return }
//	... in[y*w+x]                  ->   if w*h <= len(in) && w, h, w*h < 1<<31 {
//	                                        no check of y*w+x, which is computed in 32 bits
//	                                    } else {
//	                                        as it was
//	                                    }
//
// So the decision need not be exact: where it says no, each index is checked, and the panic is the program's.
//
//	bounded.go       which sections
//	bounded_array.go local arrays that are held in 32 bits there
//	bounded_short.go accesses by 32 bits
//	bounded_ints.go  integers on the way to indices that fit 32 bits
//	bounded_make.go  the decision
//	condition.go     the decision by the host, for a whole kernel: then there is one version
//	ends.go          how far indices go
//	ends_quotient.go how far quotients go that the host computes
//	ends_wrapped.go  how far what goes around goes
//	poly.go          computing with that

import (
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const maxBounded = 400 // SSA instructions of a kernel that has a section in two versions

// A bounded is what the first version of a kernel takes for granted.
type bounded struct {
	head     *ssa.BasicBlock          // where the section begins
	blocks   map[*ssa.BasicBlock]bool // those of the section: all that the head dominates
	know     *evaluator
	vars     []*node                      // are from 0 to 1<<31-1
	products [][]*node                    // likewise, of several of these
	reaches  []reach                      // how far indices go
	guarded  map[*ssa.IndexAddr]bool      // need no check
	proved   map[*ssa.IndexAddr]bool      // nor these: proven by what is assumed, before more is looked for
	cut      map[*ssa.Slice]bool          // are not cut off behind what they are of
	begin    map[*ssa.IndexAddr]bool      // of these, those that also need none where their block begins
	short    map[*ssa.IndexAddr]bool      // of these, what is indexed has less than 1<<32 bytes up to there
	small    map[ssa.Value]bool           // no less than 0, and no more than such an index
	elements int64                        // the size of the largest, a power of two
	arrays   []*contents                  // local arrays of ints
	compact  map[*ssa.Alloc]span          // of these, those that are held in 32 bits
	held     int                          // ends of integers that are asked for, see findInts
	enders   []*ender                     // what found all that
	limits   []poly                       // what is made of their elements is no more, and no less than the negative of one
	proof    *prover                      // what is known in this version
	host     bool                         // it is the host that decides
	disjoint []disjoint                   // slices that lie apart, as the host sees to that
	passed   []*node                      // then these have 32 bits, with their sign
	few      []*node                      // of these, those that have less than 27 (shortint.go)
	factors  []*node                      // and these of vars are not 0
	divisors []poly                       // nor these, which are computed of them
	sizes    []sized                      // and these slices less than 1<<32 bytes
	parts    map[*ssa.IndexAddr]bool      // short, also from where the slice begins that is indexed in part
	based    map[*ssa.IndexAddr]bool      // short, and what the constant in the index is added to is an index, too
	same     map[*ssa.IndexAddr]ssa.Value // the index of an access before it that is the same number, or differs by a constant
}

// A reach is the most that an index is, or the least of one that may be negative for all that is known.
type reach struct {
	length *node // of what is indexed; nil of a least
	poly
	per      int64   // the index is the poly divided by this, 1 in most reaches
	least    leastOf // where the index is used
	inMemory bool    // it is an index of what is not an array
	large    bool    // which is not asked for less than 1<<32 bytes
	tops     bool    // of all there is none that goes further
	holds    bool    // it is how far integers go that are held in 32 bits
}

// findBounded is what the first version of a section of a kernel takes for granted, nil if there is to be none.
func (f *function) findBounded() *bounded {
	if f.in != f.prog.root || f.opts.NoBounds && !f.M.T.Narrow || f.M.T.Bounded == target.Nowhere || len(f.counts()) > 0 {
		return nil
	}
	if f.asked != nil {
		return f.asked
	}
	if !f.in.maybeBounded() {
		return nil
	}
	b := f.bounds(false)
	if len(b.guarded)+len(b.cut) == 0 && !b.holdsMore() || !b.fitsArrays(f.in) || !b.pays(f) && f.M.T.Bounded == target.IfItPays || !b.place() {
		return nil
	}
	b.narrow(f.assuming(b), f.in)
	return b
}

// bounds is what a version may take for granted if the host decides, or the device.
func (f *function) bounds(host bool) *bounded {
	b := &bounded{host: host}
	if host {
		b.passed = f.passedInts()
		b.sizes = f.passedSizes(b)
		b.factors = f.factors(b)
		b.vars = slices.Clone(b.factors)
		b.few = f.few(b)
	}
	for range 2 { // what is found to be assumed makes more known
		p := f.assuming(b)
		next := &bounded{know: f.know, proof: p, host: host}
		for _, v := range b.vars {
			next.vars = append(next.vars, p.adopt(v))
		}
		for _, v := range b.factors {
			next.factors = append(next.factors, p.adopt(v))
		}
		for _, v := range b.passed {
			next.passed = append(next.passed, p.adopt(v))
		}
		for _, v := range b.few {
			next.few = append(next.few, p.adopt(v))
		}
		for _, s := range b.sizes {
			next.sizes = append(next.sizes, sized{p.adopt(s.length), s.shift})
		}
		b = next
		b.find(f)
	}
	if host && f.M.T.Narrow {
		b.findInts(f.in)
	}
	b.findTops()
	b.findShort(f.in)
	return b
}

// maybeBounded reports whether a kernel is small enough, and has no array of its own, for which the
// versions would have memory each, but such as may be held in 32 bits.
func (in *instance) maybeBounded() bool {
	n := 0
	for _, b := range in.fn.Blocks {
		n += weight(b, 0)
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.Alloc); ok && isBig(deref(a.Type())) && contentsOf(a) == nil {
				return false
			}
		}
	}
	return n <= maxBounded
}

// place finds where the section begins: as late as it may, so that threads that leave the kernel before do not
// decide anything.
func (b *bounded) place() bool {
	holds := func(c *ssa.BasicBlock) {
		if b.head == nil {
			b.head = c
		}
		for !b.head.Dominates(c) {
			b.head = b.head.Idom()
		}
	}
	for a := range b.guarded {
		holds(a.Block())
	}
	for s := range b.cut {
		holds(s.Block())
	}
	for a := range b.compact {
		holds(a.Block())
	}
	for ; b.head != nil; b.head = b.head.Idom() {
		if b.begins() {
			return true
		}
	}
	return false
}

// begins reports whether the head may be where the section begins: nothing but jumps leads in or out, once.
func (b *bounded) begins() bool {
	b.blocks = map[*ssa.BasicBlock]bool{}
	hasPhi := func(b *ssa.BasicBlock) bool { _, ok := b.Instrs[0].(*ssa.Phi); return ok }
	if hasPhi(b.head) || slices.ContainsFunc(b.proof.all, func(l *loop) bool { return l.blocks[b.head] }) {
		return false
	}
	for _, c := range b.head.Parent().Blocks {
		if b.head.Dominates(c) {
			b.blocks[c] = true
		}
	}
	for c := range b.blocks {
		if slices.ContainsFunc(c.Succs, func(s *ssa.BasicBlock) bool { return !b.blocks[s] && hasPhi(s) }) {
			return false
		}
	}
	return true
}

// hostMargin is by how much what is passed is less than the greatest int32, and more than the least, where the host sees to that: then
// nothing around it is one of these.
const hostMargin = 4096

// assuming makes a prover that relies on the ranges of the launch's arguments: those of b.vars, b.factors, b.passed and b.sizes.
func (f *function) assuming(b *bounded) *prover {
	p := f.newProver()
	p.shortGrid = b.host
	for _, v := range b.passed {
		n := p.adopt(v)
		n.base = n.base.and(span{math.MinInt32 + hostMargin, math.MaxInt32 - hostMargin})
	}
	for _, v := range b.few {
		n := p.adopt(v)
		n.base = n.base.and(span{-mostFewPassed, mostFewPassed - 1})
	}
	for _, s := range b.sizes {
		n := p.adopt(s.length)
		n.base = n.base.and(span{0, s.most()})
	}
	for _, v := range b.vars {
		n := p.adopt(v)
		n.base = n.base.and(span{0, b.most()})
	}
	for _, v := range b.factors {
		n := p.adopt(v)
		n.base = n.base.and(span{1, b.most()})
	}
	return p
}

// adopt is another prover's node as one of p.
func (p *prover) adopt(n *node) *node {
	if n == nil {
		return nil
	}
	key := n.nodeKey
	key.x, key.y = p.adopt(n.x), p.adopt(n.y)
	return p.intern(key, n.base)
}

// find looks for checks that are not needed if few numbers are as they should, and for arrays that then need 32 bits.
func (b *bounded) find(f *function) {
	p := b.proof
	b.arrays = f.in.intArrays(f.know)
	var number func(n *node) (float64, bool)
	if f.opts.Launch != nil && b.host {
		number = f.numbers()
	}
	p.findContents(b.arrays, number)
	e := newEnder(p, b.arrays)
	e.number = number
	byLaunch := newEnder(p, b.arrays)
	byLaunch.number, byLaunch.launch = e.number, true
	b.enders = []*ender{e, byLaunch}
	if b.host {
		steps := newEnder(p, b.arrays)
		steps.number, steps.steps = e.number, true
		b.enders = append(b.enders, steps)
		for _, e := range b.enders {
			e.mayHold = func(r reach) bool { return f.mayHold(b, r) }
		}
	}
	b.cut, b.proved = map[*ssa.Slice]bool{}, map[*ssa.IndexAddr]bool{}
	b.guarded, b.begin, b.short, b.elements = map[*ssa.IndexAddr]bool{}, map[*ssa.IndexAddr]bool{}, map[*ssa.IndexAddr]bool{}, 1
	b.findCompact(e, f.M.T.Narrow)
	b.findDivisors(e, f.in)
	for _, block := range f.in.fn.DomPreorder() {
		if !b.know.live[block] {
			continue
		}
		for _, i := range block.Instrs {
			if a, ok := i.(*ssa.IndexAddr); ok {
				b.proved[a] = p.inRange(p.node(a.Index), p.length(a.X), a)
				_ = b.proved[a] || slices.ContainsFunc(b.enders, func(e *ender) bool { return b.guard(e, a) })
			}
			if s, ok := i.(*ssa.Slice); ok && !f.opts.NoBounds && !p.isCut(s) {
				_ = slices.ContainsFunc(b.enders, func(e *ender) bool { return b.guardPart(e, s) })
			}
		}
	}
}

// need adds variables and products, but those that are less than others, and what is asked for.
func (b *bounded) need(all []need, least leastOf) {
	for _, p := range all {
		if p.asked && !p.notNegative(least) {
			b.reach(reach{poly: p.poly, least: least, per: 1})
		}
	}
	for degree := maxDegree; degree > 0; degree-- {
		for _, p := range all {
			for _, m := range p.terms {
				if len(m.of) != degree || b.covers(m.of, least) {
					continue
				}
				if degree > 1 {
					b.products = append(b.products, m.of)
				} else {
					b.vars = append(b.vars, m.of[0])
				}
			}
		}
	}
}

// covers reports whether a product is known to be small if those of b are: there is one with the same
// factors, and others that are not 0.
func (b *bounded) covers(of []*node, least leastOf) bool {
	if len(of) == 1 {
		return slices.Contains(b.vars, of[0])
	}
	return slices.ContainsFunc(b.products, func(p []*node) bool {
		if len(p) < len(of) {
			return false
		}
		var few [8]*node
		left := append(few[:0], p...)
		for _, n := range of {
			i := slices.Index(left, n)
			if i < 0 {
				return false
			}
			left = slices.Delete(left, i, i+1)
		}
		return !slices.ContainsFunc(left, func(n *node) bool { return least(n) < 1 })
	})
}

// reach adds a reach, unless another one says as much.
func (b *bounded) reach(r reach) {
	if slices.ContainsFunc(b.reaches, func(o reach) bool { return r.within(o) }) {
		return
	}
	b.reaches = slices.DeleteFunc(b.reaches, func(o reach) bool { return o.within(r) })
	b.reaches = append(b.reaches, r)
}

// within reports whether r goes no further than o, wherever r counts.
func (r reach) within(o reach) bool {
	switch {
	case r.holds != o.holds || r.per != o.per:
		return false
	case r.length == nil || o.length == nil:
		return r.length == o.length && r.atLeast(o.poly, r.least)
	case r.length.op == opConst && o.length.op == opConst:
		o.c += (r.length.k - o.length.k) * r.per
	case r.length != o.length:
		return false
	}
	return o.atLeast(r.poly, r.least)
}

// findTops notes which reaches say how far all go.
func (b *bounded) findTops() {
	for i := range b.reaches {
		r := &b.reaches[i]
		r.tops = r.inMemory && !r.large && !slices.ContainsFunc(b.reaches, func(o reach) bool { return o.tops && o.atLeast(r.poly, r.least) })
		for k := range b.reaches[:i] {
			if o := &b.reaches[k]; r.tops && o.tops && r.atLeast(o.poly, o.least) {
				o.tops = false
			}
		}
	}
}

// narrow has p as what is known in the first version. It says of integers that are computed in the first version, and are no more than an index goes to,
// that they need no more than 32 bits.
func (b *bounded) narrow(p *prover, in *instance) {
	e := newEnder(b.proof, b.arrays)
	spans := map[*node]span{}
	var nodes []*node
	var values []ssa.Value
	add := func(v ssa.Value, n *node, s span) {
		values = append(values, v)
		if before, ok := spans[n]; ok {
			s = s.or(before)
		} else {
			nodes = append(nodes, n)
		}
		spans[n] = s
	}
	b.small = map[ssa.Value]bool{}
	for _, block := range in.fn.DomPreorder() {
		if !b.know.live[block] {
			continue
		}
		for _, i := range block.Instrs {
			at := i
			v, ok := i.(ssa.Value)
			switch i := i.(type) {
			case *ssa.Phi:
				at = firstBehindPhis(block)
			case *ssa.BinOp:
			case *ssa.Call:
				ok = isMinMax(i)
			default:
				_, ok = e.held[v]
			}
			if !ok {
				continue
			}
			if t, _ := typeOf(v.Type()); t != goInt {
				continue
			}
			n, c := e.node(v), e.placeBefore(at)
			b.small[v] = b.isSmall(e, n, c)
			add(v, n, b.spanOf(e, n, c, b.small[v]))
		}
	}
	for _, a := range b.arrays {
		if s, ok := b.compact[a.array]; ok {
			for _, v := range a.loads {
				n := e.node(v)
				add(v, n, s)
				spans[n] = s
			}
		}
	}
	for _, n := range nodes {
		if s := spans[n]; n.op != opConst && s.within(int32s) {
			m := p.adopt(n)
			m.base = m.base.and(s)
		}
	}
	again := map[*node]span{} // with what is known now, p may have other nodes for the values, and one for several
	for _, v := range values {
		m, s := p.node(v), spans[e.node(v)]
		if before, ok := again[m]; ok {
			s = s.or(before)
		}
		again[m] = s
	}
	for m, s := range again {
		if m.op != opConst && s.within(int32s) {
			m.base = m.base.and(s)
		}
	}
	b.proof = p
}

// spanOf is what an integer may be in the first version; small says that it is no more than an index goes to.
func (b *bounded) spanOf(e *ender, n *node, c *place, small bool) span {
	switch {
	case small && b.divides(e, n, c):
		return span{1, b.most()}
	case small:
		return span{0, b.most()}
	case b.fits(n, c):
		return span{-b.most(), b.most()}
	case b.withinLimits(e, n, c):
		return int32s
	}
	return n.base
}

// isSmall reports whether a node is no more than an index goes to, and not negative.
func (b *bounded) isSmall(e *ender, n *node, c *place) bool {
	e.begin()
	defer e.done()
	x := e.of(n, c, 0)
	least := e.least(c)
	if !x.lo.known || !x.hi.known || !x.lo.notNegative(least) || !b.coversAll(slices.Concat(x.lo.needs, x.hi.needs), least) {
		return false
	}
	return slices.ContainsFunc(b.reaches, func(r reach) bool { return r.covers(reach{poly: x.hi.poly, least: least}) })
}
