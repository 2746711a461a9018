package spmd

import (
	"slices"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file writes blocks a second time, for when all lanes are active in them: without
// masks, which cost much where the processor has no mask registers, and some elsewhere.
//
// Such a fast copy and the block itself have the same slots for values, phi nodes and
// masks. So a fast copy in which the lanes part goes on where the block itself would, and
// finds what it needs; nothing is undone or done again. The lanes come to fast copies
// where a comparison of scalars tells that all of them take the same way, and from other
// fast copies; a branch by the lanes' own data is no such place, and ends them.

// maxFast is up to how many instructions are written twice.
const maxFast = 500

// findFast finds the blocks that have fast copies.
func (e *emitter) findFast() {
	fast, size := map[*ll.Block]bool{}, 0
	var todo []*ll.Block
	add := func(s *ll.Block) {
		if !fast[s] && !e.Dead[s.Index] && e.maskRoot(s) != e.Order[0] {
			fast[s] = true
			size += len(s.Insts)
			todo = append(todo, s)
		}
	}
	visit := func(b *ll.Block) {
		if t := b.Term(); t.Op == "br" && (!e.Parted[b] || e.mayAgree(t.Args[0])) {
			for _, s := range t.Blocks {
				add(s)
			}
		}
	}
	for _, b := range e.Order {
		if !e.Dead[b.Index] && e.maskRoot(b) == e.Order[0] {
			visit(b)
		}
	}
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		visit(b)
	}
	if size > maxFast {
		return
	}
	e.fast = fast
	for b := range fast {
		for _, p := range b.Preds {
			e.keepLeaves(p)
		}
	}
}

// keepLeaves notes that the end of b wants the values that its condition is made of.
func (e *emitter) keepLeaves(b *ll.Block) {
	t := b.Term()
	if t.Op != "br" || !e.Parted[b] {
		return
	}
	var keep func(x ll.Value)
	keep = func(x ll.Value) {
		i, ok := x.(*ll.Inst)
		if !ok {
			return
		}
		if i.Block != b {
			e.outside[x] = true
		}
		switch i.Op {
		case "and", "or", "xor", "select":
			for _, y := range i.Args {
				keep(y)
			}
		case "icmp":
			for _, y := range append(e.AddressParts(i), i.Args...) {
				if def, ok := y.(*ll.Inst); ok && def.Block != b {
					e.outside[y] = true
				}
			}
		}
	}
	keep(t.Args[0])
}

// comparisons calls f for the comparisons that a condition is made of, until it returns
// false, and reports whether it returned true for one.
func (e *emitter) comparisons(cond ll.Value, f func(i *ll.Inst) bool) bool {
	i, ok := cond.(*ll.Inst)
	if !ok {
		return false
	}
	switch i.Op {
	case "icmp":
		return f(i)
	case "and", "or", "xor", "select":
		some := false
		for _, x := range i.Args {
			some = e.comparisons(x, f) || some
		}
		return some
	}
	return false
}

// mayAgree reports whether allAre may tell something of a condition.
func (e *emitter) mayAgree(cond ll.Value) bool {
	return e.comparisons(cond, func(i *ll.Inst) bool {
		return slices.ContainsFunc(i.Args, func(x ll.Value) bool { return e.span(x) != 0 }) &&
			slices.ContainsFunc(i.Args, func(y ll.Value) bool { return e.ShapeOf(y).Kind == divergence.Uniform })
	})
}

// allAre is an i1 that tells that a condition is want in all lanes; it may be false though
// it is. It is empty where nothing is known.
func (e *emitter) allAre(cond ll.Value, want bool) string {
	if c, ok := cond.(*ll.Const); ok && (c.Text == "true" || c.Text == "false") {
		return pick((c.Text == "true") == want, "true", "false")
	}
	i, ok := cond.(*ll.Inst)
	switch {
	case !ok:
		return ""
	case e.ShapeOf(i).Kind == divergence.Uniform:
		is := e.let("freeze i1 %s", e.get(i)) // a select may guard it
		if !want {
			is = e.let("xor i1 %s, true", is)
		}
		return is
	case i.Op == "icmp":
		return e.allCompare(i, want)
	case i.Op == "xor" && i.Args[1].Ident() == "true":
		return e.allAre(i.Args[0], !want)
	case i.Op == "and" || i.Op == "or":
		return e.allOf(i.Args[0], i.Args[1], want, want == (i.Op == "and"))
	case i.Op == "select" && i.Args[2].Ident() == "false":
		return e.allOf(i.Args[0], i.Args[1], want, want)
	case i.Op == "select" && i.Args[1].Ident() == "true":
		return e.allOf(i.Args[0], i.Args[2], want, !want)
	}
	return ""
}

// allOf is allAre of x and y, of both or of either.
func (e *emitter) allOf(x, y ll.Value, want, both bool) string {
	a, b := e.allAre(x, want), e.allAre(y, want)
	switch {
	case both && (a == "" || b == ""):
		return ""
	case a == "" || b == "":
		return a + b
	case both:
		return e.let("and i1 %s, %s", a, b)
	}
	return e.let("or i1 %s, %s", a, b)
}

// allCompare is allAre for a comparison. What it compares may be poison where a select
// guards it.
func (e *emitter) allCompare(i *ll.Inst, want bool) string {
	pred, x, y := i.Pred, i.Args[0], i.Args[1]
	if e.span(x) == 0 {
		x, y = y, x
		if other := swapped.Get()[pred]; other != "" {
			pred = other
		}
	}
	span := e.span(x)
	if span == 0 || e.ShapeOf(y).Kind != divergence.Uniform {
		return ""
	}
	if pred == "eq" || pred == "ne" {
		if want != (pred == "ne") || e.ShapeOf(x).Kind == divergence.Varying {
			return ""
		}
		typ := x.Type().Text
		return e.let("freeze i1 %s", e.let("icmp ugt %s %s, %d", typ, e.let("sub %s %s, %s", typ, e.get(y), e.get(x)), span))
	}
	if !want {
		pred = orders.Get()[pred].inverse
	}
	if all := e.allHold(pred, x, y); all != "" {
		return e.let("freeze i1 %s", all)
	}
	return ""
}

// writeFast writes the fast copies.
func (e *emitter) writeFast() {
	e.isFast = true
	for _, b := range e.Order {
		if e.fast[b] {
			e.label(fastLabel(b))
			e.blockBody(b)
		}
	}
	e.isFast = false
}

func fastLabel(b *ll.Block) string { return labelOf(b) + ".fast" }

// agree goes on at once where all lanes take the same way of a branch at which they may
// part. The way of those that part is written next.
func (e *emitter) agree(b *ll.Block, t *ll.Inst) {
	if len(e.fast) == 0 || !e.isFull(e.mask()) || !e.mayAgree(t.Args[0]) {
		return
	}
	for n, s := range t.Blocks {
		all := e.allAre(t.Args[0], n == 0)
		if all == "" {
			continue
		}
		name := e.fresh("f")
		e.line("br i1 %s, label %%%s.all, label %%%s.some", all, name, name)
		own, vecs, masks := e.own, e.vecs, e.masks
		e.own, e.vecs, e.masks = cloned(own), cloned(vecs), cloned(masks)
		e.label(name + ".all")
		m := e.mask()
		e.make(e.edge(b, s, m))
		e.goTo(b, s, m)
		e.own, e.vecs, e.masks = own, vecs, masks
		e.label(name + ".some")
	}
}
