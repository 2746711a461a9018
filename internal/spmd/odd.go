package spmd

import (
	"fmt"

	"heddle/internal/spmd/ll"
)

// This file accesses memory by integers of three, five, six or seven bytes. The code
// of one thread has none as it is written; LLVM makes them where it cuts or joins
// accesses. A vector has them without gaps and an array of them has gaps, so each
// is accessed as smaller integers.

// An oddPart is some bytes of an integer.
type oddPart struct {
	*ll.Type
	off int // bytes
}

// packed reports whether a vector of t has its elements at other places in memory
// than an array of t.
func packed(t *ll.Type) bool { return t.Kind == ll.Int && t.Bits != 8*t.Size() }

// oddParts are the parts that an odd integer is accessed by, nil for all other types.
func oddParts(t *ll.Type) (all []oddPart) {
	if !packed(t) || t.Bits%8 != 0 || t.Bits > 64 {
		return nil
	}
	off := 0
	for bits := 32; bits >= 8; bits /= 2 {
		if t.Bits&bits != 0 {
			all = append(all, oddPart{intType(bits), off})
			off += bits / 8
		}
	}
	return all
}

//go:noinline
func intType(bits int) *ll.Type {
	return &ll.Type{Kind: ll.Int, Bits: bits, Text: fmt.Sprintf("i%d", bits)}
}

// loadOdd reads an odd integer in each active lane.
func (e *emitter) loadOdd(t *ll.Type, all []oddPart, p place, align int) string {
	out := "zeroinitializer"
	for _, part := range all {
		x := e.loadFrom(part.Type, e.plus(p, part.off), lowerAlign(align, part.off))
		x = e.let("zext %s %s to %s", e.vec(part.Type), x, e.vec(t))
		x = e.let("shl %s %s, %s", e.vec(t), x, e.times8(t, part.off))
		out = e.let("or %s %s, %s", e.vec(t), out, x)
	}
	return out
}

// storeOdd writes an odd integer in each active lane.
func (e *emitter) storeOdd(t *ll.Type, all []oddPart, x string, p place, align int) {
	for _, part := range all {
		y := e.let("lshr %s %s, %s", e.vec(t), x, e.times8(t, part.off))
		y = e.let("trunc %s %s to %s", e.vec(t), y, e.vec(part.Type))
		e.storeTo(part.Type, y, e.plus(p, part.off), lowerAlign(align, part.off))
	}
}

// times8 is a vector of that many bytes' bits, to shift by.
func (e *emitter) times8(t *ll.Type, bytes int) string {
	return e.splatConst(&ll.Const{Typ: t, Text: fmt.Sprint(8 * bytes)})
}
