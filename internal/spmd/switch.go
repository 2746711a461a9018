package spmd

import (
	"fmt"
	"math"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file makes switches of trees of comparisons in gangs of one lane. The scalar code has no
// switches, since lanes may part at them; LLVM makes jump tables of switches, but not of trees.

const (
	// leastCases is how many values a tree has to tell apart to become a switch.
	leastCases = 4
	// mostEach is up to how many values one end of a tree may stand for.
	mostEach = 8
)

// A choice is a tree of comparisons of one value with constants.
type choice struct {
	x     ll.Value
	ends  []choiceEnd
	other *choiceEnd // for all other values
	cases int
}

// A choiceEnd is an edge out of the tree, and the values that take it.
type choiceEnd struct {
	from, to *ll.Block
	values   []int64
}

// choiceAt is the tree that begins at the end of b, nil if it is none that becomes a switch.
func (e *emitter) choiceAt(b *ll.Block) *choice {
	x, _ := e.comparesConstant(b)
	if x == nil {
		return nil
	}
	c := &choice{x: x}
	bits := x.Type().Bits
	if !e.grow(c, b, b, [2]int64{math.MinInt64 >> (64 - bits), math.MaxInt64 >> (64 - bits)}) || c.other == nil || c.cases < leastCases {
		return nil
	}
	return c
}

// comparesConstant is what b's end compares with which constant, nil if nothing.
func (e *emitter) comparesConstant(b *ll.Block) (ll.Value, int64) {
	t := b.Term()
	if t.Op != "br" || len(t.Args) == 0 || t.Blocks[0] == t.Blocks[1] {
		return nil, 0
	}
	i, ok := t.Args[0].(*ll.Inst)
	if _, check := e.IsCheck(b); !ok || check || i.Op != "icmp" || i.Pred != "eq" && i.Pred != "slt" {
		return nil, 0
	}
	n, typ := divergence.Constant(i.Args[1]), i.Args[0].Type()
	if n == nil || typ.Kind != ll.Int || typ.Bits < 8 || typ.Bits > 64 {
		return nil, 0
	}
	if _, constant := i.Args[0].(*ll.Const); constant {
		return nil, 0
	}
	return i.Args[0], *n
}

// grow adds what follows the comparison at the end of b, for values within bounds, and reports whether
// all of it has a place in a switch.
func (e *emitter) grow(c *choice, root, b *ll.Block, in [2]int64) bool {
	_, n := e.comparesConstant(b)
	t := b.Term()
	if t.Args[0].(*ll.Inst).Pred == "eq" {
		return in[0] <= n && n <= in[1] && e.end(c, root, b, t.Blocks[0], [2]int64{n, n}, true) && e.end(c, root, b, t.Blocks[1], in, false)
	}
	if n <= in[0] || n > in[1] {
		return false
	}
	return e.end(c, root, b, t.Blocks[0], [2]int64{in[0], n - 1}, true) && e.end(c, root, b, t.Blocks[1], [2]int64{n, in[1]}, true)
}

// end adds the way from b to s for values within bounds: all of them, or those that no other end has.
func (e *emitter) end(c *choice, root, b, s *ll.Block, in [2]int64, all bool) bool {
	if x, _ := e.comparesConstant(s); x == c.x && len(s.Preds) == 1 && len(s.Insts) == 2 && s.Term().Args[0] == ll.Value(s.Insts[0]) &&
		len(e.Users(s.Insts[0])) == 1 && e.Loops[s.Index] == e.Loops[root.Index] {
		return e.grow(c, root, s, in)
	}
	if count := uint64(in[1]) - uint64(in[0]); all && count < mostEach {
		end := choiceEnd{from: b, to: s}
		for v := in[0]; ; v++ {
			end.values = append(end.values, v)
			c.cases++
			if v == in[1] {
				break
			}
		}
		c.ends = append(c.ends, end)
		return true
	}
	if c.other == nil {
		c.other = &choiceEnd{from: b, to: s}
		return true
	}
	return c.other.to == s && e.sameEdge(c.other.from, b, s)
}

// sameEdge reports whether the variables of s are the same from either block.
func (e *emitter) sameEdge(from, other, s *ll.Block) bool {
	for _, i := range s.Insts {
		if i.Op != "phi" {
			break
		}
		x, y := e.Incoming(i, from), e.Incoming(i, other)
		_, constants := x.(*ll.Const)
		if x != y && !(constants && x.Ident() == y.Ident()) {
			return false
		}
	}
	return true
}

// choose writes the switch.
func (e *emitter) choose(c *choice) {
	name, typ := e.fresh("case"), c.x.Type().Text
	var cases strings.Builder
	seen := map[int64]bool{}
	for n, end := range c.ends {
		for _, v := range end.values {
			if !seen[v] { // what the tree compares first it finds first
				fmt.Fprintf(&cases, " %s %d, label %%%s.%d", typ, v, name, n)
			}
			seen[v] = true
		}
	}
	e.line("switch %s %s, label %%%s.other [%s ]", typ, e.get(c.x), name, cases.String())
	own, vecs, masks := e.own, e.vecs, e.masks
	write := func(label string, end choiceEnd) {
		e.own, e.vecs, e.masks = cloned(own), cloned(vecs), cloned(masks)
		e.label(label)
		m := e.mask()
		e.make(e.edge(end.from, end.to, m))
		e.goTo(end.from, end.to, m)
	}
	for n, end := range c.ends {
		write(fmt.Sprintf("%s.%d", name, n), end)
	}
	write(name+".other", *c.other)
}
