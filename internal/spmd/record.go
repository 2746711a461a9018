package spmd

import (
	"fmt"
	"slices"
	"sort"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file accesses the fields of records that lie side by side, such as the x,
// y, z and w of an array of vectors, all at once.

// A field is an access to a part of each lane's record.
type field struct {
	inst *ll.Inst
	c    int64 // place of lane 0's, see stripped
}

// fieldOf is the store i, of the given type, if it belongs to the same records as p.
func (e *emitter) fieldOf(i *ll.Inst, p ll.Value, t *ll.Type) (field, bool) {
	typ, q := i.Args[0].Type(), i.Args[1]
	s, r := e.ShapeOf(p), e.ShapeOf(q)
	if i.Ordering != "" || i.Volatile || s.Kind != divergence.Linear || r.Kind != divergence.Linear || s.Stride != r.Stride || typ.Kind != t.Kind || typ.Size() != t.Size() || packed(typ) {
		return field{}, false
	}
	root, terms, _ := e.Stripped(p)
	root2, terms2, c := e.Stripped(q)
	return field{i, c}, root == root2 && slices.Equal(terms, terms2)
}

// loaded is the part of each record, from and to where in bytes from p, that the
// current block loads anyway.
func (e *emitter) loaded(p ll.Value, t *ll.Type) (from, to int64) {
	if e.loadsOf != e.block {
		e.loadsOf, e.loads = e.block, e.findLoads(e.block)
	}
	key, c := e.recordKey(p, t)
	first := e.loads[key]
	stride, size := e.ShapeOf(p).Stride, int64(t.Size())
	var near []int64 // differences, in the order of the loads
	for d := -stride / size * size; d < stride; d += size {
		if _, ok := first[c+d]; ok && d > -stride {
			near = append(near, d)
		}
	}
	sort.Slice(near, func(i, j int) bool { return first[c+near[i]] < first[c+near[j]] })
	for _, d := range near {
		if max(d, to)-min(d, from) < stride {
			from, to = min(d, from), max(d, to)
		}
	}
	return from, to
}

// recordKey tells records and types of their fields apart, and is the place of the field at p.
func (e *emitter) recordKey(p ll.Value, t *ll.Type) (key string, c int64) {
	root, terms, c := e.Stripped(p)
	key = fmt.Sprintf("%d %d %d %p", t.Kind, t.Size(), e.ShapeOf(p).Stride, root)
	for _, t := range terms {
		key += fmt.Sprintf(" %p*%d", t.Index, t.Offset)
	}
	return key, c
}

// findLoads are b's loads of fields: of each kind of record and place the first one's number.
func (e *emitter) findLoads(b *ll.Block) map[string]map[int64]int {
	out := map[string]map[int64]int{}
	for n, i := range b.Insts {
		if i.Op != "load" || i.Ordering != "" || i.Volatile || e.ShapeOf(i.Args[0]).Kind != divergence.Linear || packed(i.Typ) {
			continue
		}
		key, c := e.recordKey(i.Args[0], i.Typ)
		if out[key] == nil {
			out[key] = map[int64]int{}
		}
		if _, ok := out[key][c]; !ok {
			out[key][c] = n
		}
	}
	return out
}

// stored are the stores, i among them, that together fill the records: nothing
// between them looks at memory. It is nil if there are none.
func (e *emitter) stored(i *ll.Inst) []field {
	p, t := i.Args[1], i.Args[0].Type()
	if s := e.ShapeOf(p); s.Kind != divergence.Linear || s.Stride <= int64(t.Size()) || t.Kind != ll.Int && t.Kind != ll.Float || t.Size()&(t.Size()-1) != 0 || packed(t) {
		return nil
	}
	at := e.numberOf(i)
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
	for n := at; n >= 0 && len(fields) <= maxSources && member(e.block.Insts[n]); n-- {
	}
	for n := at + 1; n < len(e.block.Insts) && len(fields) <= maxSources && member(e.block.Insts[n]); n++ {
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].c < fields[j].c })
	size := int64(t.Size())
	if int64(len(fields))*size != e.ShapeOf(p).Stride || len(fields) > maxSources {
		return nil
	}
	for n, f := range fields {
		if f.c != fields[0].c+int64(n)*size {
			return nil
		}
	}
	return fields
}

// numberOf is the place in the current block of one of its instructions.
func (e *emitter) numberOf(i *ll.Inst) int {
	if e.numbersOf != e.block {
		e.numbersOf, e.number = e.block, make(map[*ll.Inst]int, len(e.block.Insts))
		for n, j := range e.block.Insts {
			e.number[j] = n
		}
	}
	return e.number[i]
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
		if e.numberOf(f.inst) > e.numberOf(i) {
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
