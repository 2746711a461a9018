package spmd

import (
	"slices"
	"sort"

	"heddle/internal/spmd/ll"
)

// This file accesses the fields of records that lie side by side, such as the x,
// y, z and w of an array of vectors, all at once.

// A field is an access to a part of each lane's record.
type field struct {
	inst *ll.Inst
	c    int64 // place of lane 0's, see stripped
}

// fieldOf is the access i, a load or store of the given type, if it belongs to the same records as p.
func (e *emitter) fieldOf(i *ll.Inst, p ll.Value, t *ll.Type) (field, bool) {
	at := map[string]int{"load": 0, "store": 1}[i.Op]
	typ := i.Typ
	if i.Op == "store" {
		typ = i.Args[0].Type()
	}
	q := i.Args[at]
	s, r := e.shapeOf(p), e.shapeOf(q)
	if i.Ordering != "" || i.Volatile || s.kind != linear || r.kind != linear || s.stride != r.stride || typ.Kind != t.Kind || typ.Size() != t.Size() || packed(typ) {
		return field{}, false
	}
	root, terms, _ := e.stripped(p)
	root2, terms2, c := e.stripped(q)
	return field{i, c}, root == root2 && slices.Equal(terms, terms2)
}

// loaded is the part of each record, from and to where in bytes from p, that the
// current block loads anyway.
func (e *emitter) loaded(p ll.Value, t *ll.Type) (from, to int64) {
	_, _, c := e.stripped(p)
	stride := e.shapeOf(p).stride
	for _, i := range e.block.Insts {
		if i.Op != "load" {
			continue
		}
		f, ok := e.fieldOf(i, p, t)
		if d := f.c - c; ok && d%int64(t.Size()) == 0 && max(d, to)-min(d, from) < stride {
			from, to = min(d, from), max(d, to)
		}
	}
	return from, to
}

// stored are the stores, i among them, that together fill the records: nothing
// between them looks at memory. It is nil if there are none.
func (e *emitter) stored(i *ll.Inst) []field {
	p, t := i.Args[1], i.Args[0].Type()
	if s := e.shapeOf(p); s.kind != linear || s.stride <= int64(t.Size()) || t.Kind != ll.Int && t.Kind != ll.Float || t.Size()&(t.Size()-1) != 0 || packed(t) {
		return nil
	}
	at := slices.Index(e.block.Insts, i)
	var fields []field
	member := func(j *ll.Inst) (quiet bool) {
		switch j.Op {
		case "store":
			f, ok := e.fieldOf(j, p, t)
			if ok && !slices.ContainsFunc(fields, func(g field) bool { return g.c == f.c }) {
				fields = append(fields, f)
				return true
			}
			return false
		case "load", "call", "atomicrmw", "cmpxchg", "fence":
			return false
		}
		return true
	}
	for n := at; n >= 0 && member(e.block.Insts[n]); n-- {
	}
	for n := at + 1; n < len(e.block.Insts) && member(e.block.Insts[n]); n++ {
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].c < fields[j].c })
	size := int64(t.Size())
	if int64(len(fields))*size != e.shapeOf(p).stride || len(fields) > mostSources {
		return nil
	}
	for n, f := range fields {
		if f.c != fields[0].c+int64(n)*size {
			return nil
		}
	}
	return fields
}

// storeRecord writes all fields of the records at the last of their stores, and reports
// whether i is among such.
func (e *emitter) storeRecord(i *ll.Inst) bool {
	if !e.isFull(e.mask()) || i.Ordering != "" || i.Volatile {
		return false
	}
	fields := e.stored(i)
	if fields == nil {
		return false
	}
	for _, f := range fields {
		if slices.Index(e.block.Insts, f.inst) > slices.Index(e.block.Insts, i) {
			return true // that one writes
		}
	}
	t, first := i.Args[0].Type(), fields[0].inst
	g := &grid{elem: t, size: int64(t.Size()), align: alignment(first.Align, t)}
	g.width = min(registersOf(e.o.ISA).bytes/t.Size(), e.n)
	base, c := e.strip(first.Args[1])
	g.base = base
	parts := e.n / g.width
	values := make([]string, len(fields))
	for n, f := range fields {
		values[n] = e.vector(f.inst.Args[0])
	}
	for k := range parts * len(fields) {
		g.starts = append(g.starts, c+int64(k*g.width)*g.size)
		want := make([][2]int, g.width)
		for n := range want {
			at := k*g.width + n
			lane := at / len(fields)
			want[n] = [2]int{at%len(fields)*parts + lane/g.width, lane % g.width}
		}
		y := e.assemble(g.vec(), want, func(s int) string { return e.part(t, values[s/parts], s%parts, g.width) })
		e.line("store %s %s, ptr %s, align %d", g.vec(), y, e.chunkAddress(g, k), g.align)
	}
	return true
}
