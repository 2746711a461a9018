package spmd

import (
	"fmt"
	"slices"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file writes control flow: which lanes are active in a block, and how
// blocks follow each other.
//
// Branches that all lanes take alike stay branches. Where lanes part, the
// blocks of both ways follow each other, each under the mask of its lanes and
// skipped if there are none (partial linearisation; see cfg.layout). pending
// holds, for a block, those that wait to be visited after it.

//go:noinline
func (e *emitter) maskType() string { return fmt.Sprintf("<%d x i1>", e.n) }

// A maskSource is whose mask a block has.
type maskSource struct {
	known      bool
	from, root *ll.Block // see maskFrom, maskRoot; root is nil until it is asked for
}

// maskFrom is a block with the same active lanes as b, nil if b's mask is one of its own.
func (e *emitter) maskFrom(b *ll.Block) *ll.Block {
	s := &e.maskSources[b.Index]
	if !s.known {
		e.Steps++
		s.known, s.from = true, e.findMask(b)
	}
	return s.from
}

// findMask finds what maskFrom is.
func (e *emitter) findMask(b *ll.Block) *ll.Block {
	if b == e.Order[0] || e.Dead[b.Index] {
		return nil
	}
	if l := e.Loops[b.Index]; l != nil && l.Header == b {
		if l.Divergent {
			return nil
		}
		for _, p := range b.Preds {
			if p != l.Latch {
				return p // loops have preheaders
			}
		}
	}
	if len(b.Preds) == 1 && !e.Parted[b.Preds[0]] && !e.leavesDivergent(b.Preds[0], b) {
		return b.Preds[0]
	}
	// Lanes that parted have come together again.
	d := e.Idom[b.Index]
	for l := e.Loops[d.Index]; l != e.Loops[b.Index]; l = e.Loops[d.Index] {
		if l == nil || l.Has(b) {
			return nil
		}
		d = e.Idom[l.Header.Index]
	}
	if e.Postdominates(e.Loops[b.Index], b, d) {
		return d
	}
	return nil
}

// leavesDivergent reports whether from -> to leaves a loop that lanes leave at different times.
//
//go:noinline
func (e *emitter) leavesDivergent(from, to *ll.Block) bool {
	for l := e.Loops[from.Index]; l != nil && !l.Has(to); l = l.Parent {
		if l.Divergent {
			return true
		}
	}
	return false
}

// maskRoot is the block whose mask b has.
func (e *emitter) maskRoot(b *ll.Block) *ll.Block {
	root := b
	for {
		e.Steps++
		if known := e.maskSources[root.Index].root; known != nil {
			root = known
			break
		}
		p := e.maskFrom(root)
		if p == nil {
			break
		}
		root = p
	}
	e.maskSources[b.Index].root = root
	return root
}

func (e *emitter) maskSlot(b *ll.Block) string {
	s := e.maskSlots[b]
	if s == "" {
		s = e.slot(e.maskType())
		e.maskSlots[b] = s
	}
	return s
}

// mask is the text of the current block's mask, fullMask if all lanes are active.
func (e *emitter) mask() string {
	if e.isFast {
		return e.entryMask
	}
	root := e.maskRoot(e.block)
	if root == e.Order[0] {
		return e.entryMask
	}
	if s := e.masks[root]; s != "" {
		return s
	}
	s := e.let("load %s, ptr %s", e.maskType(), e.maskSlot(root))
	e.masks[root] = s
	return s
}

func (v *vectorizer) fullMask() string {
	return v.splatText("i1", "true")
}

// isFull reports whether the mask is known to be of all lanes.
//
//go:noinline
func (e *emitter) isFull(mask string) bool { return mask == e.fullMask() }

// both is the mask of the lanes in m for which cond, a vector, is want. Lanes
// outside m may hold poison, so that "and" would not do.
func (e *emitter) both(m, cond string, want bool) string {
	t := e.maskType()
	if !want {
		cond = e.let("xor %s %s, %s", t, cond, e.fullMask())
	}
	if e.isFull(m) {
		return cond
	}
	return e.let("select %s %s, %s %s, %s zeroinitializer", t, m, t, cond, t)
}

// bits is a mask as an integer of as many bits as there are lanes.
func (e *emitter) bits(mask string) string {
	return e.let("bitcast %s %s to i%d", e.maskType(), mask, e.n)
}

// any is an i1: the mask is of some lane.
func (e *emitter) any(mask string) string {
	return e.let("icmp ne i%d %s, 0", e.n, e.bits(mask))
}

// wait notes that s is to be visited some time after b.
//
//go:noinline
func (e *emitter) wait(b, s *ll.Block) {
	if e.pending[b] == nil {
		e.pending[b] = map[*ll.Block]bool{}
	}
	e.pending[b][s] = true
}

// route is the first to visit of targets and of those that wait behind the
// current block; the others wait behind it. It is nil if there are none.
func (e *emitter) route(targets ...*ll.Block) *ll.Block {
	set := slices.Clone(targets)
	for s := range e.pending[e.block] {
		if s != e.block && !slices.Contains(set, s) {
			set = append(set, s)
		}
	}
	if len(set) == 0 {
		return nil
	}
	first := slices.MinFunc(set, func(a, b *ll.Block) int { return e.Place[a.Index] - e.Place[b.Index] })
	if e.Place[first.Index] <= e.Place[e.block.Index] {
		panic(fmt.Sprintf("spmd: @%s: %%%s after %%%s: not in order", e.F.Name, first.Name, e.block.Name))
	}
	for _, s := range set {
		if s != first {
			e.wait(first, s)
		}
	}
	return first
}

// guard skips a block that no lane is active in.
func (e *emitter) guard(b *ll.Block) {
	if b == e.Order[0] || e.maskFrom(b) != nil || e.Dead[b.Index] {
		return
	}
	if l := e.Loops[b.Index]; l != nil && l.Header == b {
		return
	}
	skip := e.route()
	if skip == nil {
		return
	}
	e.line("br i1 %s, label %%%s.go, label %%%s%s", e.any(e.mask()), labelOf(b), labelOf(skip), pick(e.isRare(b), firstIsRare, ""))
	e.label(labelOf(b) + ".go")
}

// A move is a store at the end of a block, into a mask's or a phi's slot.
type move struct{ typ, value, slot string }

// edge gathers what to store when lanes of the given mask go from b to s.
func (e *emitter) edge(b, s *ll.Block, mask string) []move {
	var moves []move
	back := e.IsBack(b, s)
	if e.maskFrom(s) == nil {
		slot, m := e.maskSlot(s), mask
		if h := e.Loops[s.Index]; !e.Dead[s.Index] && (h == nil || h.Header != s) {
			old := e.let("load %s, ptr %s", e.maskType(), slot)
			m = e.let("or %s %s, %s", e.maskType(), old, mask)
		}
		moves = append(moves, move{e.maskType(), m, slot})
	}
	blend := !back && !e.isFull(mask) && !e.Dead[s.Index] && (e.Meets[s.Index] || e.leavesDivergent(b, s))
	for _, phi := range s.Insts {
		if phi.Op != "phi" {
			break
		}
		in := e.Incoming(phi, b)
		if e.ShapeOf(phi).Kind != divergence.Varying {
			moves = append(moves, move{e.typeOf(phi), e.get(in), e.slotOf(phi)})
			continue
		}
		v, slot := e.vector(in), e.slotOf(phi)
		if blend {
			old := e.let("load %s, ptr %s", e.typeOf(phi), slot)
			v = e.blend(phi.Typ, mask, v, old)
		}
		moves = append(moves, move{e.typeOf(phi), v, slot})
	}
	return moves
}

// blend is x in the lanes of mask, y in the others.
func (e *emitter) blend(t *ll.Type, mask, x, y string) string {
	v := e.vec(t)
	if e.elems(t) == nil {
		return e.let("select %s %s, %s %s, %s %s", e.maskType(), mask, v, x, v, y)
	}
	return e.aggregate(t, e.vec, func(i int, elem *ll.Type) string {
		xi := e.let("extractvalue %s %s, %d", v, x, i)
		yi := e.let("extractvalue %s %s, %d", v, y, i)
		return e.blend(elem, mask, xi, yi)
	})
}

//go:noinline
func (e *emitter) make(moves []move) {
	for _, m := range moves {
		e.line("store %s %s, ptr %s", m.typ, m.value, m.slot)
	}
}

func (e *emitter) terminator(b *ll.Block) {
	t := b.Term()
	switch {
	case t.Op == "ret":
		e.ret(t)
	case t.Op == "unreachable":
		e.line("unreachable")
	case t.Op != "br":
		panic(fmt.Sprintf("spmd: @%s: terminator %s", e.F.Name, t.Op))
	case len(t.Args) == 0 || t.Blocks[0] == t.Blocks[1]:
		e.jump(b, t.Blocks[0])
	case e.Parted[b]:
		e.fork(b, t)
	default:
		if e.n == 1 {
			if c := e.choiceAt(b); c != nil {
				e.choose(c)
				return
			}
		}
		e.branch(b, t)
	}
}

// jump goes from b to s with all lanes of b.
func (e *emitter) jump(b, s *ll.Block) {
	m := e.mask()
	e.make(e.edge(b, s, m))
	e.goTo(b, s, m)
}

// successor is the block to visit when all lanes go from b to s.
func (e *emitter) successor(b, s *ll.Block) *ll.Block {
	if e.IsBack(b, s) || e.Dead[s.Index] && !e.Dead[b.Index] {
		return s
	}
	return e.route(s)
}

// branch is a branch that all lanes take alike, or a check that ends the launch,
// or in a dead end the way of the first lane.
func (e *emitter) branch(b *ll.Block, t *ll.Inst) {
	cond, mask := "", e.mask()
	failing := ""
	dead, check := e.IsCheck(b)
	ways := [2]string{mask, mask}
	if s := e.ShapeOf(t.Args[0]); s.Kind != divergence.Uniform && s.Kind != divergence.Unknown && e.Dead[b.Index] {
		v := e.vector(t.Args[0])
		ways = [2]string{e.both(mask, v, true), e.both(mask, v, false)}
		n := e.let("call i%d @llvm.cttz.i%d(i%d %s, i1 false)", e.n, e.n, e.n, e.bits(mask))
		cond = e.let("extractelement %s %s, i%d %s", e.maskType(), v, e.n, n)
	} else if s.Kind == divergence.Varying {
		if check {
			e.passTogether(b, t, dead)
		}
		failing = e.both(mask, e.vector(t.Args[0]), dead == 0)
		cond = e.any(failing)
		if dead == 1 {
			cond = e.let("xor i1 %s, true", cond)
		}
	} else {
		cond = e.get(t.Args[0])
	}
	name := e.fresh("e")
	e.line("br i1 %s, label %%%s.0, label %%%s.1", cond, name, name)
	own, vecs, masks := e.own, e.vecs, e.masks
	for i, s := range t.Blocks {
		// What one way computes the other cannot use.
		e.own, e.vecs, e.masks = cloned(own), cloned(vecs), cloned(masks)
		e.label(fmt.Sprintf("%s.%d", name, i))
		m := ways[i]
		if check && i == dead && failing != "" {
			m = failing
		}
		if check && i == dead && e.spring(b, s, m, failing != "") {
			continue
		}
		e.make(e.edge(b, s, m))
		e.goTo(b, s, m)
	}
}

// passTogether goes on at once where a comparison of scalars tells that no
// lane fails a check: of a linear value, such as an index, with one that all lanes share.
// Else each lane's is computed.
func (e *emitter) passTogether(b *ll.Block, t *ll.Inst, dead int) {
	i, ok := t.Args[0].(*ll.Inst)
	if !ok || i.Op != "icmp" {
		return
	}
	pred := i.Pred
	if dead == 0 {
		pred = orders.Get()[pred].inverse
	}
	pass := e.allHold(pred, i.Args[0], i.Args[1])
	if pass == "" {
		return
	}
	name := e.fresh("q")
	e.line("br i1 %s, label %%%s.all, label %%%s.each%s", pass, name, name, pick(e.isWhole, firstIsLikely, ""))
	own, vecs, masks := e.own, e.vecs, e.masks
	e.own, e.vecs, e.masks = cloned(own), cloned(vecs), cloned(masks)
	e.label(name + ".all")
	live := t.Blocks[1-dead]
	m := e.mask()
	e.make(e.edge(b, live, m))
	e.goTo(b, live, m)
	e.own, e.vecs, e.masks = own, vecs, masks
	e.label(name + ".each")
}

//go:noinline
func cloned[K comparable](m map[K]string) map[K]string {
	c := make(map[K]string, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// fork is a branch at which lanes part: both ways are visited.
func (e *emitter) fork(b *ll.Block, t *ll.Inst) {
	e.agree(b, t)
	cond, mask := e.vector(t.Args[0]), e.mask()
	var moves []move
	var forward []*ll.Block
	again := ""
	var header *ll.Block
	for i, s := range t.Blocks {
		m := e.both(mask, cond, i == 0)
		moves = append(moves, e.edge(b, s, m)...)
		if e.IsBack(b, s) {
			again, header = m, s
		} else {
			forward = append(forward, s)
		}
	}
	e.make(moves)
	fast := e.isFast
	e.isFast = false // the lanes part
	defer func() { e.isFast = fast }()
	if header == nil {
		e.line("br label %%%s", labelOf(e.route(forward...)))
		return
	}
	name := e.fresh("again")
	e.line("br i1 %s, label %%%s, label %%%s", e.any(again), name, labelOf(e.route(forward...)))
	e.label(name)
	e.goTo(b, header, again)
}

// ret leaves the function once no lane waits anywhere.
func (e *emitter) ret(t *ll.Inst) {
	if e.n == 1 && len(t.Args) > 0 {
		e.line("ret %s", e.scalar(t.Args[0]))
		return
	}
	if len(t.Args) > 0 {
		typ := t.Args[0].Type()
		if e.retSlot == "" {
			e.retSlot = e.slot(e.vec(typ))
		}
		v := e.vector(t.Args[0])
		if m := e.mask(); !e.isFull(m) {
			old := e.let("load %s, ptr %s", e.vec(typ), e.retSlot)
			v = e.blend(typ, m, v, old)
		}
		e.line("store %s %s, ptr %s", e.vec(typ), v, e.retSlot)
	}
	if e.isFast {
		e.line("ret void") // kernels have fast copies, functions do not
		return
	}
	switch next := e.route(); {
	case next != nil:
		e.line("br label %%%s", labelOf(next))
	case len(t.Args) > 0:
		typ := e.vec(t.Args[0].Type())
		e.line("ret %s %s", typ, e.let("load %s, ptr %s", typ, e.retSlot))
	default:
		e.line("ret void")
	}
}
