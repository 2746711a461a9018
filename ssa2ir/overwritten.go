package ssa2ir

// This file finds large local variables that need not begin as zeros, as all of such a variable is written before
// any of it is read, whatever way the function takes.
//
//	var state [4096]uint8            state is not zeroed here
//	for {
//		clear(state[:])
//
// What writes all of it is a store of the whole, clear, copy of an array that is as long, or a loop over all indices:
//
//	for i := range a { a[i] = x }    behind the loop, not in it
//
// A way that ends, by a return or a panic, reads nothing.

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// beginsAnyhow reports whether a large local variable may begin with anything in it.
func (f *function) beginsAnyhow(a *ssa.Alloc) bool {
	if !isBig(deref(a.Type())) {
		return false
	}
	o := &overwriting{f: f, array: a, reads: map[ssa.Instruction]bool{}, writes: map[ssa.Instruction]bool{}, ends: map[*ssa.BasicBlock]bool{}}
	o.find(a, nil, true)
	if len(o.writes) == 0 && len(o.parts) == 0 {
		return false
	}
	o.findFills()
	return o.safe()
}

// An overwriting is what a function does with a local variable.
type overwriting struct {
	f      *function
	array  *ssa.Alloc
	reads  map[ssa.Instruction]bool // that may read of it, or tell others where it is
	writes map[ssa.Instruction]bool // that write all of it
	parts  []partStore
	ends   map[*ssa.BasicBlock]bool // whose second way out is taken when a loop has written all of it
}

// A partStore stores to an element, or to a field of one.
type partStore struct {
	store   *ssa.Store
	indices []ssa.Value // of one array within another, the outer first
	fields  []int
}

// find notes what is done with v, which points into the variable. way leads there, if it is nothing but indices and then fields.
func (o *overwriting) find(v ssa.Value, way *partStore, known bool) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			o.reads[r] = slices.ContainsFunc(*r.Referrers(), func(i ssa.Instruction) bool { _, info := i.(*ssa.DebugRef); return !info })
		case *ssa.Store:
			o.findStore(v, r, way, known)
		case *ssa.IndexAddr:
			next := partStore{}
			if way != nil {
				next = *way
			}
			next.indices = append(slices.Clip(next.indices), r.Index)
			o.find(r, &next, known && len(next.fields) == 0)
		case *ssa.FieldAddr:
			next := partStore{}
			if way != nil {
				next = *way
			}
			next.fields = append(slices.Clip(next.fields), r.Field)
			o.find(r, &next, known && len(next.indices) > 0)
		case *ssa.Slice:
			_, ofArray := r.X.Type().Underlying().(*types.Pointer)
			o.find(r, way, known && ofArray && isWhole(r))
		case *ssa.Call:
			o.findCall(v, r, known && way == nil)
		default:
			o.reads[r] = true
		}
	}
}

// isWhole reports whether a slice is all of what it is made of.
func isWhole(s *ssa.Slice) bool { return s.Low == nil && s.High == nil && s.Max == nil }

func (o *overwriting) findStore(v ssa.Value, s *ssa.Store, way *partStore, known bool) {
	switch {
	case s.Val == v:
		o.reads[s] = true
	case way == nil:
		o.writes[s] = true
	case known && len(way.indices) > 0:
		o.parts = append(o.parts, partStore{s, way.indices, way.fields})
	}
}

// findCall is find for a call that is given v; whole: it is a slice of the whole variable.
func (o *overwriting) findCall(v ssa.Value, c *ssa.Call, whole bool) {
	b, _ := c.Call.Value.(*ssa.Builtin)
	if b == nil {
		o.reads[c] = true
		return
	}
	switch b.Name() {
	case "len", "cap":
	case "clear":
		o.writes[c] = o.writes[c] || whole
	case "copy":
		if c.Call.Args[1] == v {
			o.reads[c] = true
			return
		}
		if from, ok := c.Call.Args[1].(*ssa.Slice); whole && ok && isWhole(from) {
			p, ofArray := from.X.Type().Underlying().(*types.Pointer)
			o.writes[c] = ofArray && p.Elem().Underlying().(*types.Array).Len() >= deref(o.array.Type()).Underlying().(*types.Array).Len()
		}
	default:
		o.reads[c] = true
	}
}

// A counting is a loop in which an index takes all values from 0 on below an array's length, if it is left after a test.
type counting struct {
	*loop
	test *ssa.BasicBlock // whose second way out leaves the loop
	late bool            // that is behind the last element, not ahead of what would be the next one
}

// findFills finds the loops that write all elements.
func (o *overwriting) findFills() {
	for _, p := range o.parts {
		nest := o.nest(p)
		if len(nest) == 0 {
			continue
		}
		var same []partStore
		for _, q := range o.parts {
			if slices.Equal(q.indices, p.indices) && o.always(nest[0], q.store.Block(), nil) {
				same = append(same, q)
			}
		}
		elem := deref(o.array.Type())
		for range p.indices {
			elem = arrayElem(elem)
		}
		if coversAll(elem, same, 0) && o.eachTime(nest) {
			o.ends[nest[len(nest)-1].test] = true
		}
	}
}

// coversAll reports whether all of a type is stored, by those stores whose fields agree up to a depth.
func coversAll(t types.Type, all []partStore, depth int) bool {
	if slices.ContainsFunc(all, func(p partStore) bool { return len(p.fields) == depth }) {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || len(all) == 0 {
		return false
	}
	for i := range s.NumFields() {
		var of []partStore
		for _, p := range all {
			if p.fields[depth] == i {
				of = append(of, p)
			}
		}
		if !coversAll(s.Field(i).Type(), of, depth+1) {
			return false
		}
	}
	return true
}

// nest is the loops over a store's indices, the innermost first; nil if they are anything else.
func (o *overwriting) nest(p partStore) (nest []*counting) {
	t := deref(o.array.Type())
	for _, index := range p.indices {
		arr, ok := t.Underlying().(*types.Array)
		if !ok {
			return nil
		}
		c := o.countsTo(index, arr.Len())
		if c == nil || c.blocks[o.array.Block()] || !c.blocks[p.store.Block()] || slices.ContainsFunc(nest, func(d *counting) bool { return d.loop == c.loop }) {
			return nil
		}
		nest = append(nest, c)
		t = arr.Elem()
	}
	slices.SortFunc(nest, func(c, d *counting) int { return len(c.blocks) - len(d.blocks) })
	return nest
}

// countsTo is the loop in which an index takes all values from 0 on below n; nil if there is none.
func (o *overwriting) countsTo(index ssa.Value, n int64) *counting {
	v, first := index, int64(0)
	if next, sum := index.(*ssa.BinOp); sum { // that of a range begins at -1, and is tested after it is increased
		v, first = next.X, -1
	}
	p, ok := v.(*ssa.Phi)
	if !ok || v != index && !addsOne(index, p) {
		return nil
	}
	l := o.f.in.loops[p.Block()]
	if l == nil {
		return nil
	}
	for i, from := range l.header.Preds {
		if l.blocks[from] && !addsOne(p.Edges[i], p) || !l.blocks[from] && !isConst(p.Edges[i], first) {
			return nil
		}
	}
	for _, b := range o.f.in.fn.Blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !l.blocks[b] || !l.blocks[b.Succs[0]] || l.blocks[b.Succs[1]] {
			continue
		}
		test, ok := br.Cond.(*ssa.BinOp)
		if !ok || test.Op != token.LSS || test.Block() != b || !o.isInt(test.Y, n) {
			continue
		}
		if test.X == index {
			return &counting{l, b, false}
		}
		if addsOne(test.X, index) {
			return &counting{l, b, true}
		}
	}
	return nil
}

// addsOne reports whether v is x + 1.
func addsOne(v, x ssa.Value) bool {
	sum, ok := v.(*ssa.BinOp)
	return ok && sum.Op == token.ADD && sum.X == x && isConst(sum.Y, 1)
}

// isInt reports whether a value is n.
func (o *overwriting) isInt(v ssa.Value, n int64) bool {
	c := o.f.know.value(v)
	return c != nil && c.Kind() == constant.Int && constant.Compare(c, token.EQL, constant.MakeInt64(n))
}

// eachTime reports whether each loop of a nest is run to its end in every iteration of that around it.
func (o *overwriting) eachTime(nest []*counting) bool {
	for i, c := range nest[1:] {
		if !c.blocks[nest[i].header] || !o.always(c, nil, nest[i].test) {
			return false
		}
	}
	return true
}

// always reports whether every iteration of a loop goes through a block, or a loop within ends by its test there. An iteration that
// is left ahead of its own test does not matter.
func (o *overwriting) always(c *counting, through, ends *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var avoids func(b *ssa.BasicBlock) bool
	avoids = func(b *ssa.BasicBlock) bool {
		if b == through || seen[b] || !c.blocks[b] {
			return false
		}
		if c.late && b == c.test {
			return true
		}
		seen[b] = true
		for n, s := range b.Succs {
			if (b != ends || n != 1) && o.f.know.taken(b, s) && (s == c.header || avoids(s)) {
				return true
			}
		}
		return false
	}
	return !avoids(c.header)
}

// safe reports whether no way from where the variable is made leads to what may read of it, before all of it is written.
func (o *overwriting) safe() bool {
	seen := map[*ssa.BasicBlock]bool{}
	var from func(b *ssa.BasicBlock, start int) bool
	from = func(b *ssa.BasicBlock, start int) bool {
		for _, i := range b.Instrs[start:] {
			if o.reads[i] {
				return false
			}
			if o.writes[i] || i == ssa.Instruction(o.array) {
				return true
			}
		}
		for n, s := range b.Succs {
			if o.ends[b] && n == 1 || !o.f.know.taken(b, s) || seen[s] {
				continue
			}
			seen[s] = true
			if !from(s, 0) {
				return false
			}
		}
		return true
	}
	b := o.array.Block()
	return from(b, slices.Index(b.Instrs, ssa.Instruction(o.array))+1)
}
