package divergence

import (
	"fmt"
	"maps"
	"slices"

	"heddle/internal/dom"
	"heddle/internal/spmd/ll"
)

// This file holds what the analyses and the emission need to know of a
// function's control flow: dominators, loops, dead ends, and the order in which
// blocks are laid out.

// A Loop is a natural loop in LLVM's simplified form: one latch, and exits that
// only the loop leads to.
type Loop struct {
	Header, Latch *ll.Block
	Parent        *Loop
	blocks        map[*ll.Block]bool
	// Divergent: lanes may leave in different iterations.
	Divergent bool
	post      map[*ll.Block]postdominator // see cfg.postdominators
}

func (l *Loop) Has(b *ll.Block) bool { return l == nil || l.blocks[b] }

// A CFG is a function's control flow. Slices are indexed by Block.Index.
type CFG struct {
	F     *ll.Func
	rpo   []*ll.Block // reachable blocks in reverse postorder
	num   []int       // place in rpo, -1 for the unreachable
	Idom  []*ll.Block
	spans [][2]int                    // see span; zeros for the unreachable
	post  map[*ll.Block]postdominator // of the whole function: see postdominators
	Loops []*Loop                     // innermost loop of each block
	All   []*Loop
	// Dead marks blocks from which no path leads to a return, and one to unreachable: panics.
	Dead      []bool
	Order     []*ll.Block                         // see layout
	Place     []int                               // in order
	uses      map[ll.Value][]*ll.Inst             // see users; nil before its first call
	incomings map[*ll.Inst]map[*ll.Block]ll.Value // see incoming
	// scratch are the places of blocks in an order, by Index; -1 between uses.
	scratch []int
	// Steps are those taken along trees of postdominators and masks, which a test holds near linear.
	Steps int
}

func NewCFG(f *ll.Func) *CFG {
	n := len(f.Blocks)
	c := &CFG{F: f, num: make([]int, n), Idom: make([]*ll.Block, n), Loops: make([]*Loop, n), Dead: make([]bool, n), Place: make([]int, n),
		spans: make([][2]int, n)}
	c.number()
	for i, d := range dominators(c.rpo, c.num, func(b *ll.Block) []*ll.Block { return b.Preds }) {
		c.Idom[c.rpo[i].Index] = d
	}
	c.span()
	c.findDead()
	c.findLoops()
	c.post = c.postdominators(nil)
	c.layout()
	return c
}

func (c *CFG) number() {
	for i := range c.num {
		c.num[i] = -1
	}
	seen := make([]bool, len(c.num))
	var post []*ll.Block
	var visit func(b *ll.Block)
	visit = func(b *ll.Block) {
		seen[b.Index] = true
		for _, s := range b.Succs() {
			if !seen[s.Index] {
				visit(s)
			}
		}
		post = append(post, b)
	}
	visit(c.F.Blocks[0])
	slices.Reverse(post)
	c.rpo = post
	for i, b := range post {
		c.num[b.Index] = i
	}
}

// dominators are the immediate dominators of the blocks in rpo, the first of
// which is the root. num are the blocks' places in rpo by their Index, -1 for others.
func dominators(rpo []*ll.Block, num []int, preds func(*ll.Block) []*ll.Block) []*ll.Block {
	idom := dom.Immediate(len(rpo), func(b int, have func(int)) {
		for _, p := range preds(rpo[b]) {
			have(num[p.Index])
		}
	})
	out := make([]*ll.Block, len(rpo))
	for i, d := range idom {
		if d >= 0 {
			out[i] = rpo[d]
		}
	}
	return out
}

// Incoming is a phi node's value from a block, nil if it has none.
func (c *CFG) Incoming(phi *ll.Inst, from *ll.Block) ll.Value {
	if len(phi.Blocks) <= 8 {
		if n := slices.Index(phi.Blocks, from); n >= 0 {
			return phi.Args[n]
		}
		return nil
	}
	in := c.incomings[phi]
	if in == nil {
		in = make(map[*ll.Block]ll.Value, len(phi.Blocks))
		for n, b := range phi.Blocks {
			in[b] = phi.Args[n]
		}
		if c.incomings == nil {
			c.incomings = map[*ll.Inst]map[*ll.Block]ll.Value{}
		}
		c.incomings[phi] = in
	}
	return in[from]
}

// span numbers the blocks so that what a block dominates has the numbers behind its own, up to
// its last.
func (c *CFG) span() {
	size := make([]int, len(c.F.Blocks))
	for _, b := range slices.Backward(c.rpo) {
		size[b.Index]++
		if d := c.Idom[b.Index]; d != nil {
			size[d.Index] += size[b.Index]
		}
	}
	free := make([]int, len(c.F.Blocks)) // the next number of what a block dominates
	for n, b := range c.rpo {
		at := 1
		if n > 0 {
			d := c.Idom[b.Index]
			at = free[d.Index]
			free[d.Index] += size[b.Index]
		}
		free[b.Index] = at + 1
		c.spans[b.Index] = [2]int{at, at + size[b.Index] - 1}
	}
}

// Dominates reports whether all ways to b lead through a, or a is b.
func (c *CFG) Dominates(a, b *ll.Block) bool {
	at := c.spans[b.Index][0]
	return a == b || c.spans[a.Index][0] < at && at <= c.spans[a.Index][1]
}

// findDead finds the dead ends, of which loops may be a part that only a panic leaves.
func (c *CFG) findDead() {
	returns, panics := c.leadingTo("ret"), c.leadingTo("unreachable")
	for _, b := range c.rpo {
		c.Dead[b.Index] = panics[b.Index] && !returns[b.Index]
	}
}

// leadingTo has the blocks from which there is a way to a block that ends in op.
func (c *CFG) leadingTo(op string) []bool {
	leads := make([]bool, len(c.F.Blocks))
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(c.rpo) {
			if !leads[b.Index] && (b.Term().Op == op || slices.ContainsFunc(b.Succs(), func(s *ll.Block) bool { return leads[s.Index] })) {
				leads[b.Index], changed = true, true
			}
		}
	}
	return leads
}

// IsBack reports whether from -> to goes back to a loop's header.
func (c *CFG) IsBack(from, to *ll.Block) bool { return c.Dominates(to, from) }

func (c *CFG) findLoops() {
	for _, h := range c.rpo { // outer loops come first
		var latch *ll.Block
		for _, p := range h.Preds {
			if c.num[p.Index] < 0 || !c.Dominates(h, p) {
				continue
			}
			if latch != nil {
				panic(fmt.Sprintf("spmd: @%s: loop at %%%s has two latches", c.F.Name, h.Name))
			}
			latch = p
		}
		if latch == nil {
			continue
		}
		l := &Loop{Header: h, Latch: latch, Parent: c.Loops[h.Index], blocks: map[*ll.Block]bool{h: true}}
		work := []*ll.Block{latch}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if l.blocks[b] {
				continue
			}
			l.blocks[b] = true
			work = append(work, b.Preds...)
		}
		for b := range l.blocks {
			c.Loops[b.Index] = l
		}
		c.All = append(c.All, l)
	}
	for _, b := range c.rpo {
		for _, s := range b.Succs() {
			if c.num[s.Index] <= c.num[b.Index] && !c.Dominates(s, b) {
				panic(fmt.Sprintf("spmd: @%s: irreducible control flow at %%%s", c.F.Name, s.Name))
			}
		}
	}
}

// A postdominator is what a block's lanes come to next, all of them.
type postdominator struct {
	block *ll.Block // nil if there is none
	place int       // of the block that has it, in an order in which those it leads to come before it
}

// postdominators are the immediate postdominators of a loop's blocks, or of all
// blocks (nil), within one iteration: a block has none where some threads leave
// the loop or begin its next iteration before they all come to one block. Dead
// ends do not count: who goes there never comes back.
func (c *CFG) postdominators(in *Loop) map[*ll.Block]postdominator {
	exit := &ll.Block{Index: len(c.F.Blocks)}
	succs := map[*ll.Block][]*ll.Block{}
	preds := map[*ll.Block][]*ll.Block{}
	link := func(from, to *ll.Block) {
		succs[from] = append(succs[from], to)
		preds[to] = append(preds[to], from)
	}
	var inner []*Loop // in, and those within it
	for _, b := range c.blocksOf(in) {
		if l := c.Loops[b.Index]; l != nil && l.Header == b {
			inner = append(inner, l)
		}
		if c.Dead[b.Index] {
			continue
		}
		if b.Term().Op == "ret" {
			link(b, exit)
		}
		for _, s := range b.Succs() {
			switch {
			case c.Dead[s.Index]:
			case in != nil && (s == in.Header || !in.Has(s)):
				link(b, exit)
			default:
				link(b, s)
			}
		}
	}
	// Endless loops leave by their latch, for the algorithm's sake.
	reach := map[*ll.Block]bool{}
	var post []*ll.Block
	var visit func(b *ll.Block)
	visit = func(b *ll.Block) {
		reach[b] = true
		for _, p := range preds[b] {
			if !reach[p] {
				visit(p)
			}
		}
		post = append(post, b)
	}
	for {
		clear(reach)
		post = post[:0]
		visit(exit)
		i := slices.IndexFunc(inner, func(l *Loop) bool { return !c.Dead[l.Latch.Index] && !reach[l.Latch] })
		if i < 0 {
			break
		}
		link(inner[i].Latch, exit)
	}
	slices.Reverse(post)
	if c.scratch == nil {
		c.scratch = make([]int, len(c.F.Blocks)+1)
		for i := range c.scratch {
			c.scratch[i] = -1
		}
	}
	for i, b := range post {
		c.scratch[b.Index] = i
	}
	ipdom := dominators(post, c.scratch, func(b *ll.Block) []*ll.Block { return succs[b] })
	out := make(map[*ll.Block]postdominator, len(post))
	for i, b := range post {
		d := ipdom[i]
		if d == exit {
			d = nil
		}
		out[b] = postdominator{d, i}
		c.scratch[b.Index] = -1
	}
	return out
}

// blocksOf are a loop's blocks, or all (nil), in reverse postorder.
func (c *CFG) blocksOf(in *Loop) []*ll.Block {
	if in == nil {
		return c.rpo
	}
	bs := slices.Collect(maps.Keys(in.blocks))
	slices.SortFunc(bs, func(a, b *ll.Block) int { return c.num[a.Index] - c.num[b.Index] })
	return bs
}

// postOf are the postdominators in a loop, or of all blocks (nil).
func (c *CFG) postOf(in *Loop) map[*ll.Block]postdominator {
	if in == nil {
		return c.post
	}
	if in.post == nil {
		in.post = c.postdominators(in)
	}
	return in.post
}

// ipdom is the first block that all threads pass that pass b in one iteration of
// a loop (nil: at all), which is around b; nil if there is none.
func (c *CFG) ipdom(in *Loop, b *ll.Block) *ll.Block { return c.postOf(in)[b].block }

// Postdominates reports whether every thread that passes b passes a later in the
// same iteration of a loop around both, or a is b.
func (c *CFG) Postdominates(in *Loop, a, b *ll.Block) bool {
	post := c.postOf(in)
	for first := post[a].place; b != nil && b != a; {
		c.Steps++
		p := post[b]
		if p.place < first {
			return false
		}
		b = p.block
	}
	return b == a
}

// layout orders the blocks topologically, so that a loop's blocks stand
// together, and what a block dominates stands together right behind it, but
// for what leaves its loop: that follows the loop. Partial linearisation (Moll
// and Hack, "Partial Control-Flow Linearization", PLDI 2018) rests on it.
func (c *CFG) layout() {
	kids := make([][]*ll.Block, len(c.F.Blocks))
	for _, b := range c.rpo[1:] { // in reverse postorder
		d := c.Idom[b.Index]
		kids[d.Index] = append(kids[d.Index], b)
	}
	left := map[*Loop][]*ll.Block{} // blocks that a loop's blocks dominate outside it
	byNum := func(a, b *ll.Block) int { return c.num[a.Index] - c.num[b.Index] }
	var visit func(b *ll.Block)
	place := func(in *Loop, k *ll.Block) {
		if in.Has(k) {
			visit(k)
		} else {
			left[in] = append(left[in], k)
		}
	}
	visit = func(b *ll.Block) {
		c.Place[b.Index] = len(c.Order)
		c.Order = append(c.Order, b)
		l := c.Loops[b.Index]
		for _, k := range kids[b.Index] {
			place(l, k)
		}
		if l != nil && l.Header == b {
			out := left[l]
			delete(left, l)
			slices.SortFunc(out, byNum)
			for _, k := range out {
				place(l.Parent, k)
			}
		}
	}
	visit(c.F.Blocks[0])
}
