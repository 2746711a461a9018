package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file moves values between the lanes of a warp.

// shuffle moves i32 values between lanes.
func (e *emitter) shuffle(i *ll.Inst) {
	x, arg, width := i.Args[0], i.Args[1], i.Args[2]
	if e.one(x) {
		e.set(i, e.operand(i, x)) // the same everywhere
		return
	}
	t := e.vec(i.Typ)
	v := e.let("freeze %s %s", t, e.vector(x))   // of lanes that are not active
	if e.ShapeOf(i).Kind == divergence.Uniform { // one lane's value
		lane := e.let("trunc i64 %s to i32", e.get(arg))
		lane = e.let("and i32 %s, %d", lane, e.WarpSize-1)
		e.set(i, e.let("extractelement %s %s, i32 %s", t, v, lane))
		return
	}
	if n, w := divergence.Constant(arg), divergence.Constant(width); n != nil && w != nil {
		e.set(i, e.permute(t, v, sources(i.Callee, e.n, *n, *w)))
		return
	}
	slot := e.slot(t)
	e.line("store %s %s, ptr %s", t, v, slot)
	src := e.sourceLanes(i.Callee, e.vector(arg), e.vector(width))
	p := e.let("getelementptr i32, ptr %s, <%d x i32> %s", slot, e.n, src)
	f := e.declare(fmt.Sprintf("%s @llvm.masked.gather.v%di32.v%dp0(<%d x ptr>, i32 immarg, %s, %s)", t, e.n, e.n, e.n, e.maskType(), t))
	e.set(i, e.let("call %s %s(<%d x ptr> %s, i32 4, %s %s, %s poison)", t, f, e.n, p, e.maskType(), e.fullMask(), t))
}

// permute is a shufflevector.
func (e *emitter) permute(t, v string, from []int) string {
	var b strings.Builder
	for _, l := range from {
		fmt.Fprintf(&b, ", i32 %d", l)
	}
	return e.let("shufflevector %s %s, %s poison, <%d x i32> <%s>", t, v, t, e.n, b.String()[2:])
}

// sources are the lanes that each lane reads, as package simt has it.
func sources(callee string, lanes int, arg, width int64) []int {
	from := make([]int, lanes)
	for l := range from {
		lane := int64(l)
		base := lane &^ (width - 1)
		src := lane
		switch strings.TrimPrefix(callee, "heddle.shuffle.") {
		case "idx":
			src = base | arg&(width-1)
		case "up":
			if arg >= 0 && arg <= lane-base {
				src = lane - arg
			}
		case "down":
			if arg >= 0 && arg < base+width-lane {
				src = lane + arg
			}
		case "xor":
			if s := lane ^ arg; s >= 0 && s < base+width {
				src = s
			}
		}
		from[l] = int(src)
	}
	return from
}

// sourceLanes is sources for what is known only at run time, as a vector of i32.
func (e *emitter) sourceLanes(callee, arg, width string) string {
	t := fmt.Sprintf("<%d x i64>", e.n)
	lane := e.iotaText("i64", 1)
	bin := func(op, x, y string) string { return e.let("%s %s %s, %s", op, t, x, y) }
	below := bin("sub", width, e.splatText("i64", "1"))
	inside := bin("and", lane, below)
	base := bin("sub", lane, inside)
	cmp := func(pred, x, y string) string { return e.let("icmp %s %s %s, %s", pred, t, x, y) }
	own := func(ok, src string) string {
		return e.let("select %s %s, %s %s, %s %s", e.maskType(), ok, t, src, t, lane)
	}
	src := ""
	switch strings.TrimPrefix(callee, "heddle.shuffle.") {
	case "idx":
		src = bin("or", base, bin("and", arg, below))
	case "up":
		src = own(cmp("ule", arg, inside), bin("sub", lane, arg))
	case "down":
		src = own(cmp("ult", arg, bin("sub", width, inside)), bin("add", lane, arg))
	case "xor":
		s := bin("xor", lane, arg)
		src = own(cmp("ult", s, bin("add", base, width)), s)
	}
	return e.let("trunc %s %s to <%d x i32>", t, src, e.n)
}
