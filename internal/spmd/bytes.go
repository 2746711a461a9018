package spmd

import (
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file finds indices that are bytes of wider numbers, such as (v>>8)&255. What is done lane by lane
// reads the numbers from memory: there such an index is a load of its own, and one store is enough for all indices
// that are made of a number.

// A lanePart is where an index of each lane is: a part of the lanes' values of, of size bits, or those whole.
type lanePart struct {
	of   ll.Value
	at   int // the part's first byte
	size int
}

// partOf finds where v, which is used in the current block, is. Values between are looked through if they are of that block, too:
// then what they are made of is known there.
func (e *emitter) partOf(v ll.Value) lanePart {
	whole := lanePart{of: v, size: v.Type().Bits}
	i, ok := v.(*ll.Inst)
	if !ok || i.Block != e.block || len(i.Args) == 0 {
		return whole
	}
	f := lanePart{of: i, size: whole.size}
	switch n := divergence.Constant(i.Args[len(i.Args)-1]); {
	case i.Op == "trunc":
		f.of = i.Args[0]
	case i.Op == "and" && n != nil && (*n == 1<<8-1 || *n == 1<<16-1):
		f.of, f.size = i.Args[0], map[bool]int{true: 8, false: 16}[*n == 1<<8-1]
	}
	if s, ok := f.of.(*ll.Inst); ok && s.Op == "lshr" && s.Block == e.block {
		if n := divergence.Constant(s.Args[1]); n != nil && *n >= 0 && *n%8 == 0 {
			f.of, f.at = s.Args[0], int(*n)/8
			f.size = min(f.size, s.Typ.Bits-int(*n))
		}
	}
	t := f.of.Type()
	if f.size != 8 && f.size != 16 || f.at*8+f.size > t.Bits || packed(t) || e.ShapeOf(f.of).Kind != divergence.Varying {
		return whole
	}
	return f
}

// partSlot puts the lanes' values of f into a slot: once in a block, if it is a part of them.
func (e *emitter) partSlot(f lanePart) string {
	t := f.of.Type()
	if f.size == t.Bits {
		return e.lanesSlot(t, e.vector(f.of))
	}
	if e.partSlots[f.of] == "" {
		e.partSlots[f.of] = e.lanesSlot(t, e.vector(f.of))
	}
	return e.partSlots[f.of]
}

// partLoad reads a lane's.
func (e *emitter) partLoad(f lanePart, slot, lane string) string {
	t := f.of.Type()
	if f.size == t.Bits {
		return e.laneLoad(t, slot, lane)
	}
	p := e.let("getelementptr %s, ptr %s, i32 %s", t.Text, slot, lane)
	if f.at > 0 {
		p = e.let("getelementptr i8, ptr %s, i32 %d", p, f.at)
	}
	return e.let("load volatile i%d, ptr %s, align 1", f.size, p)
}

// narrowIndex finds in an address the one operand that varies, if it is the extension
// of a narrower integer: each lane's address takes less room as that.
func (e *emitter) narrowIndex(x ll.Value) (at int, narrow *ll.Inst) {
	i, ok := x.(*ll.Inst)
	if !ok || i.Op != "getelementptr" || i.Block != e.block || e.ShapeOf(i).Kind != divergence.Varying || e.Scale(i.Args[0]) != 1 {
		return 0, nil
	}
	for n, a := range i.Args {
		if e.ShapeOf(a).Kind == divergence.Uniform {
			continue
		}
		z, ok := a.(*ll.Inst)
		if !ok || narrow != nil || z.Op != "zext" || z.Block != e.block || e.ShapeOf(z).Kind != divergence.Varying || packed(z.Args[0].Type()) {
			return 0, nil
		}
		at, narrow = n, z
	}
	return at, narrow
}

// narrowAddress is a lane's address i, whose operand at extends what the slot holds.
func (e *emitter) narrowAddress(i *ll.Inst, at int, narrow *ll.Inst, slot, lane string) string {
	f := e.partOf(narrow.Args[0])
	x := e.let("zext i%d %s to %s", f.size, e.partLoad(f, slot, lane), narrow.Typ.Text)
	args := make([]string, len(i.Args))
	for n, a := range i.Args {
		if n == at {
			args[n] = narrow.Typ.Text + " " + x
		} else {
			args[n] = e.scalar(a)
		}
	}
	return e.let("getelementptr %s, %s", i.Elem.Text, strings.Join(args, ", "))
}
