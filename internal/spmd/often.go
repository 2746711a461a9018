package spmd

import (
	"slices"

	"heddle/internal/spmd/divergence"
	"heddle/internal/spmd/ll"
)

// This file estimates how often a gang comes to each block of a kernel, and how often a lane.

const (
	// loopTrips is how many iterations a loop makes of which that is not known.
	loopTrips = 8
	// mostTrips bounds the iterations that are known: what counts is which loops are within which.
	mostTrips = 64
	// stays is the part of a divergent loop's iterations that a lane makes, of those of the gang,
	// staysCounted where each knows before how many, and staysSearching where there is more than one way
	// to leave it.
	stays          = 0.45
	staysCounted   = 0.6
	staysSearching = 0.3
)

// frequencies estimates how often blocks are visited.
func (c *costs) frequencies() {
	n := len(c.F.Blocks)
	c.findLost()
	c.inside = map[*divergence.Loop][]*ll.Block{}
	for _, b := range c.Order {
		for l := c.Loops[b.Index]; l != nil && !c.lost[b.Index]; l = l.Parent {
			c.inside[l] = append(c.inside[l], b)
		}
	}
	c.visits, c.lane = make([]float64, n), make([]float64, n)
	trips := map[*divergence.Loop]float64{}
	for _, l := range c.All {
		trips[l] = loopTrips
		if n := c.Trips(l); n > 0 {
			trips[l] = float64(min(n, mostTrips))
		}
	}
	first := c.Order[0].Index
	c.visits[first], c.lane[first] = 1, 1
	for _, b := range c.Order {
		l := c.Loops[b.Index]
		if l != nil && l.Header == b {
			c.visits[b.Index] *= trips[l]
			c.lane[b.Index] *= trips[l]
			if c.ragged(l) {
				c.lane[b.Index] *= c.stays(l)
			}
		}
		if d := c.Idom[b.Index]; d != nil && d != b && c.Loops[d.Index] == l {
			c.visits[b.Index] = min(c.visits[b.Index], c.visits[d.Index])
			c.lane[b.Index] = min(c.lane[b.Index], c.lane[d.Index])
		}
		c.leave(b, l)
	}
}

// findLost finds the blocks that only lead to panics, by loops, too.
func (c *costs) findLost() {
	c.lost = make([]bool, len(c.F.Blocks))
	for n := range c.lost {
		c.lost[n] = true
	}
	var back func(b *ll.Block)
	back = func(b *ll.Block) {
		if c.lost[b.Index] {
			c.lost[b.Index] = false
			for _, p := range b.Preds {
				back(p)
			}
		}
	}
	for _, b := range c.Order {
		if b.Term().Op == "ret" {
			back(b)
		}
	}
}

// ragged reports whether lanes leave a loop at different times.
func (c *costs) ragged(l *divergence.Loop) bool {
	return l.Divergent && slices.ContainsFunc(c.inside[l], func(b *ll.Block) bool { return c.leaves(b, l) })
}

// leaves reports whether lanes part at the end of b, in the loop, as some leave it.
func (c *costs) leaves(b *ll.Block, l *divergence.Loop) bool {
	return c.Parted[b] && slices.ContainsFunc(b.Succs(), func(s *ll.Block) bool { return !l.Has(s) && !c.lost[s.Index] })
}

// leave adds to the visits of the blocks that follow b, in the loop l.
func (c *costs) leave(b *ll.Block, l *divergence.Loop) {
	within := 0.0
	for _, s := range b.Succs() {
		if !c.lost[s.Index] && l.Has(s) && !c.IsBack(b, s) {
			within++
		}
	}
	for _, s := range b.Succs() {
		visits, lane, ways, parts := c.visits[b.Index], c.lane[b.Index], within, c.Parted[b]
		switch {
		case c.lost[s.Index] || c.IsBack(b, s):
			continue
		case !l.Has(s): // once for each time that control came to the outermost loop that ends here
			outer := l
			for outer.Parent != nil && !outer.Parent.Has(s) {
				outer = outer.Parent
			}
			before := c.Idom[outer.Header.Index].Index
			visits, lane, ways, parts = c.visits[before], c.lane[before], c.exits(outer), c.ragged(l)
		case parts && (c.mayAgree(b) || c.guards(b)):
			ways = 1
		}
		c.lane[s.Index] += lane / ways
		if parts {
			ways = 1
		}
		c.visits[s.Index] += visits / ways
	}
}

// exits is how many blocks follow a loop that do not only lead to panics.
func (c *costs) exits(l *divergence.Loop) (n float64) {
	for _, x := range l.Exits() {
		if !c.lost[x.Index] {
			n++
		}
	}
	return n
}

// stays is the part of a ragged loop's iterations that a lane makes.
func (c *costs) stays(l *divergence.Loop) float64 {
	part := 1.0
	for _, b := range c.inside[l] {
		if !c.leaves(b, l) {
			continue
		}
		i, ok := b.Term().Args[0].(*ll.Inst)
		switch {
		case part < 1:
			return staysSearching
		case ok && i.Op == "icmp" && (c.counts(l, i.Args[0], i.Args[1]) || c.counts(l, i.Args[1], i.Args[0])):
			part = staysCounted
		default:
			part = stays
		}
	}
	return part
}

// counts reports whether x is the loop's counter, or beside it, and end does not change in the loop.
func (c *costs) counts(l *divergence.Loop, x, end ll.Value) bool {
	if i, ok := end.(*ll.Inst); ok && l.Has(i.Block) {
		return false
	}
	for {
		i, ok := x.(*ll.Inst)
		if !ok || !l.Has(i.Block) {
			return false
		}
		switch {
		case i.Op == "phi":
			next, ok := c.Incoming(i, l.Latch).(*ll.Inst)
			return ok && i.Block == l.Header && next.Op == "add" && next.Args[0] == ll.Value(i) && divergence.Constant(next.Args[1]) != nil
		case (i.Op == "add" || i.Op == "zext" || i.Op == "sext" || i.Op == "trunc") && (len(i.Args) == 1 || divergence.Constant(i.Args[1]) != nil):
			x = i.Args[0]
		default:
			return false
		}
	}
}

// guards reports whether the lanes part at the end of b before all that they do, or before a loop: most
// lanes have something to do.
func (c *costs) guards(b *ll.Block) bool {
	t := b.Term()
	for n, s := range t.Blocks {
		other := t.Blocks[1-n]
		if c.Loops[b.Index] == nil && other.Term().Op == "ret" {
			return true
		}
		// A preheader on one way, where the loop ends on the other.
		if next := s.Succs(); len(next) == 1 && len(s.Preds) == 1 && c.Loops[s.Index] == c.Loops[b.Index] && c.Loops[next[0].Index] != c.Loops[b.Index] && len(other.Preds) > 1 {
			return true
		}
	}
	return false
}

// mayAgree reports whether the lanes part at the end of b by where they are, not by their data: nearly
// always all go the same way.
func (c *costs) mayAgree(b *ll.Block) bool {
	i, ok := b.Term().Args[0].(*ll.Inst)
	if !ok || i.Op != "icmp" {
		return false
	}
	x, y := c.ShapeOf(i.Args[0]).Kind, c.ShapeOf(i.Args[1]).Kind
	return x == divergence.Linear && y == divergence.Uniform || x == divergence.Uniform && y == divergence.Linear
}
