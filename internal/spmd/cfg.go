package spmd

import (
	"fmt"
	"slices"

	"heddle/internal/spmd/ll"
)

// This file holds what the analyses and the emission need to know of a
// function's control flow: dominators, loops, dead ends, and the order in which
// blocks are laid out.

// A loop is a natural loop in LLVM's simplified form: one latch, and exits that
// only the loop leads to.
type loop struct {
	header, latch *ll.Block
	parent        *loop
	blocks        map[*ll.Block]bool
	// divergent: lanes may leave in different iterations.
	divergent bool
}

func (l *loop) has(b *ll.Block) bool { return l == nil || l.blocks[b] }

// A cfg is a function's control flow. Slices are indexed by Block.Index.
type cfg struct {
	f     *ll.Func
	rpo   []*ll.Block // reachable blocks in reverse postorder
	num   []int       // place in rpo, -1 for the unreachable
	idom  []*ll.Block
	ipdom []*ll.Block // dead ends aside; nil is the virtual exit
	loops []*loop     // innermost loop of each block
	all   []*loop
	// dead marks blocks from which every path ends in unreachable: panics.
	dead  []bool
	order []*ll.Block // see layout
	place []int       // in order
}

func newCFG(f *ll.Func) *cfg {
	n := len(f.Blocks)
	c := &cfg{f: f, num: make([]int, n), idom: make([]*ll.Block, n), ipdom: make([]*ll.Block, n), loops: make([]*loop, n), dead: make([]bool, n), place: make([]int, n)}
	c.number()
	c.idom = c.dominators(c.rpo, c.num, func(b *ll.Block) []*ll.Block { return b.Preds })
	c.findDead()
	c.findLoops()
	c.postdominators()
	c.layout()
	return c
}

func (c *cfg) number() {
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
	visit(c.f.Blocks[0])
	slices.Reverse(post)
	c.rpo = post
	for i, b := range post {
		c.num[b.Index] = i
	}
}

// dominators are the immediate dominators by the algorithm of Cooper, Harvey
// and Kennedy ("A Simple, Fast Dominance Algorithm").
func (c *cfg) dominators(rpo []*ll.Block, num []int, preds func(*ll.Block) []*ll.Block) []*ll.Block {
	idom := make([]*ll.Block, len(num))
	root := rpo[0]
	idom[root.Index] = root
	meet := func(a, b *ll.Block) *ll.Block {
		for a != b {
			for num[a.Index] > num[b.Index] {
				a = idom[a.Index]
			}
			for num[b.Index] > num[a.Index] {
				b = idom[b.Index]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, b := range rpo[1:] {
			var d *ll.Block
			for _, p := range preds(b) {
				switch {
				case num[p.Index] < 0 || idom[p.Index] == nil:
				case d == nil:
					d = p
				default:
					d = meet(p, d)
				}
			}
			if idom[b.Index] != d {
				idom[b.Index], changed = d, true
			}
		}
	}
	return idom
}

func (c *cfg) dominates(a, b *ll.Block) bool {
	for c.num[b.Index] > c.num[a.Index] {
		b = c.idom[b.Index]
	}
	return a == b
}

func (c *cfg) findDead() {
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(c.rpo) {
			if c.dead[b.Index] || b.Term().Op == "ret" {
				continue
			}
			if !slices.ContainsFunc(b.Succs(), func(s *ll.Block) bool { return !c.dead[s.Index] }) {
				c.dead[b.Index], changed = true, true
			}
		}
	}
}

// isBack reports whether from -> to goes back to a loop's header.
func (c *cfg) isBack(from, to *ll.Block) bool { return c.dominates(to, from) }

func (c *cfg) findLoops() {
	for _, h := range c.rpo { // outer loops come first
		var latch *ll.Block
		for _, p := range h.Preds {
			if c.num[p.Index] < 0 || !c.dominates(h, p) {
				continue
			}
			if latch != nil {
				panic(fmt.Sprintf("spmd: @%s: loop at %%%s has two latches", c.f.Name, h.Name))
			}
			latch = p
		}
		if latch == nil {
			continue
		}
		l := &loop{header: h, latch: latch, parent: c.loops[h.Index], blocks: map[*ll.Block]bool{h: true}}
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
			c.loops[b.Index] = l
		}
		c.all = append(c.all, l)
	}
	for _, b := range c.rpo {
		for _, s := range b.Succs() {
			if c.num[s.Index] <= c.num[b.Index] && !c.dominates(s, b) {
				panic(fmt.Sprintf("spmd: @%s: irreducible control flow at %%%s", c.f.Name, s.Name))
			}
		}
	}
}

// postdominators ignores dead ends: who goes there never comes back. Blocks
// that leave the function, or never do, are followed by a virtual exit.
func (c *cfg) postdominators() {
	exit := &ll.Block{Index: len(c.f.Blocks)}
	succs := make([][]*ll.Block, len(c.f.Blocks)+1)
	preds := make([][]*ll.Block, len(c.f.Blocks)+1)
	link := func(from, to *ll.Block) {
		succs[from.Index] = append(succs[from.Index], to)
		preds[to.Index] = append(preds[to.Index], from)
	}
	for _, b := range c.rpo {
		if c.dead[b.Index] {
			continue
		}
		if b.Term().Op == "ret" {
			link(b, exit)
		}
		for _, s := range b.Succs() {
			if !c.dead[s.Index] {
				link(b, s)
			}
		}
	}
	// Endless loops leave by their latch, for the algorithm's sake.
	reach := make([]bool, len(succs))
	num := make([]int, len(succs))
	var post []*ll.Block
	var visit func(b *ll.Block)
	visit = func(b *ll.Block) {
		reach[b.Index] = true
		for _, p := range preds[b.Index] {
			if !reach[p.Index] {
				visit(p)
			}
		}
		post = append(post, b)
	}
	for {
		clear(reach)
		post = post[:0]
		visit(exit)
		i := slices.IndexFunc(c.all, func(l *loop) bool { return !c.dead[l.latch.Index] && !reach[l.latch.Index] })
		if i < 0 {
			break
		}
		link(c.all[i].latch, exit)
	}
	slices.Reverse(post)
	for i := range num {
		num[i] = -1
	}
	for i, b := range post {
		num[b.Index] = i
	}
	ipdom := c.dominators(post, num, func(b *ll.Block) []*ll.Block { return succs[b.Index] })
	for i := range c.ipdom {
		if d := ipdom[i]; d != exit {
			c.ipdom[i] = d
		}
	}
}

// postdominates reports whether every thread that passes b passes a later, or
// a is b.
func (c *cfg) postdominates(a, b *ll.Block) bool {
	for b != nil && b != a {
		b = c.ipdom[b.Index]
	}
	return b == a
}

// layout orders the blocks topologically, so that a loop's blocks stand
// together, and what a block dominates stands together right behind it, but
// for what leaves its loop: that follows the loop. Partial linearisation (Moll
// and Hack, "Partial Control-Flow Linearization", PLDI 2018) rests on it.
func (c *cfg) layout() {
	kids := make([][]*ll.Block, len(c.f.Blocks))
	for _, b := range c.rpo[1:] { // in reverse postorder
		d := c.idom[b.Index]
		kids[d.Index] = append(kids[d.Index], b)
	}
	left := map[*loop][]*ll.Block{} // blocks that a loop's blocks dominate outside it
	byNum := func(a, b *ll.Block) int { return c.num[a.Index] - c.num[b.Index] }
	var visit func(b *ll.Block)
	place := func(in *loop, k *ll.Block) {
		if in.has(k) {
			visit(k)
		} else {
			left[in] = append(left[in], k)
		}
	}
	visit = func(b *ll.Block) {
		c.place[b.Index] = len(c.order)
		c.order = append(c.order, b)
		l := c.loops[b.Index]
		for _, k := range kids[b.Index] {
			place(l, k)
		}
		if l != nil && l.header == b {
			out := left[l]
			delete(left, l)
			slices.SortFunc(out, byNum)
			for _, k := range out {
				place(l.parent, k)
			}
		}
	}
	visit(c.f.Blocks[0])
}
