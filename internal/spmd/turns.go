package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/ops"
	"heddle/internal/spmd/ll"
)

// This file lets the gangs of a block go through a loop by turns. In a loop that adds the
// grid's size to an index, a gang touches one or two lines of each page; if it goes to the
// end alone, the next one comes to all those pages again, and no page is read as a stream.
// By turns the block's gangs read lines that follow each other, as streams.
//
// A loop with turns does nothing that others can tell the order of. The gangs come to
// barriers and to their ends in the order of their threads, as without turns: one that
// comes there waits (settle) until those before it have. So does one that is about to panic:
// the panic of a gang before it, if there is one, is the block's.
//
// The loop is unrolled to a turn's iterations, if it is small: a processor that foresees addresses from where one
// instruction read before sees that each reads what follows what it read for the gang before. And memory is
// read in advance (readAhead): what other gangs, or those of the next block, read next.
//
// A kernel without barriers has turns only in a grid of at most manyBlocks blocks: in
// a larger one such loops are short, and stacks for gangs cost more than is won.

// turn is how many iterations a gang makes in its turn.
const turn = 8

// maxTurned is up to how many instructions a loop is unrolled.
const maxTurned = 40

// aheadBytes is how far memory is read in advance, and lineBytes how much at a time.
const (
	aheadBytes = 1024
	lineBytes  = 64
)

// manyBlocks is up to how many blocks a grid has turns in, if the kernel has no barriers.
const manyBlocks = 4096

// findTurns finds the loops in which gangs take turns.
func (e *emitter) findTurns() {
	if e.mayWait() || e.calls(e.F) {
		return
	}
	inner := map[*divergence.Loop]bool{}
	for _, l := range e.All {
		inner[l.Parent] = true
	}
	for _, l := range e.All {
		if !inner[l] && e.Trips(l) == 0 && e.strides(l) && e.quiet(l) {
			e.turns[l] = e.slot("i32")
			e.takesTurns = true
			e.startsWithTurns = e.startsWithTurns || e.comesFirst(l)
		}
	}
}

// findStreams finds the loops of that kind where no gang has to give its turn to others.
func (e *emitter) findStreams() {
	e.streams = map[*divergence.Loop]bool{}
	for _, l := range e.All {
		e.streams[l] = e.Trips(l) == 0 && e.strides(l)
	}
}

// strides reports whether a loop adds to a counter what all lanes share, but is no constant,
// and reads memory where lanes do not access the same.
func (e *emitter) strides(l *divergence.Loop) bool {
	steps, reads := false, false
	for _, b := range e.Order {
		if !l.Has(b) {
			continue
		}
		for _, i := range b.Insts {
			switch {
			case i.Op == "phi" && b == l.Header && e.ShapeOf(i).Kind == divergence.Linear:
				next, ok := e.Incoming(i, l.Latch).(*ll.Inst)
				if ok && next.Op == "add" && (next.Args[0] == i || next.Args[1] == i) {
					by := pick(next.Args[0] == i, next.Args[1], next.Args[0])
					steps = steps || divergence.Constant(by) == nil
				}
			case i.Op == "load" && e.ShapeOf(i.Args[0]).Kind == divergence.Linear && !divergence.IsShared(i.Args[0]):
				reads = true
			}
		}
	}
	return steps && reads
}

// quiet reports whether nobody can tell in which order gangs go through a loop.
func (e *emitter) quiet(l *divergence.Loop) bool {
	for _, b := range e.Order {
		if !l.Has(b) {
			continue
		}
		for _, i := range b.Insts {
			if i.Op == "call" && !isSilent(i.Callee) || i.Volatile || i.Op == "fence" || i.Op == "cmpxchg" || i.Op == "atomicrmw" && strings.HasPrefix(i.Pred, "f") {
				return false
			}
		}
	}
	return true
}

// isSilent reports whether calls of a function do nothing that others notice.
func isSilent(callee string) bool {
	f := ops.Of(callee)
	return strings.HasPrefix(callee, "llvm.") || f.Free() || f.ByWarp() && f.Effect == ops.Pure
}

// takeTurn is the way back of a loop with turns.
func (e *emitter) takeTurn(l *divergence.Loop) {
	slot, name := e.turns[l], e.fresh("turn")
	n := e.let("add i32 %s, 1", e.let("load i32, ptr %s", slot))
	e.line("store i32 %s, ptr %s", n, slot)
	e.line("br i1 %s, label %%%s, label %%%s.on", e.let("icmp eq i32 %s, 0", e.let("and i32 %s, %d", n, turn-1)), name, name)
	e.label(name)
	e.line("call void @heddle.turn(ptr %%worker)")
	e.line("br label %%%s.on", name)
	e.label(name + ".on")
}

// unrolled is what the way back of a loop with turns has if the loop is to be unrolled.
func (e *emitter) unrolled(l *divergence.Loop) string {
	n := 0
	for _, b := range e.Order {
		if l.Has(b) {
			n += len(b.Insts)
		}
	}
	return pick(n <= maxTurned, ", !llvm.loop !1", "")
}

// unrollIR is what unrolled refers to.
func unrollIR() string {
	return fmt.Sprintf("!1 = distinct !{!1, !2}\n!2 = !{!\"llvm.loop.unroll.count\", i32 %d}\n", turn)
}

// readAhead fetches what is so many bytes behind what a gang reads in a loop with turns.
func (e *emitter) readAhead(p place, bytes int) {
	if l := e.Loops[e.block.Index]; p.shared || e.turns[l] == "" && !e.streams[l] {
		return
	}
	f := e.declare("void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)")
	for at := aheadBytes; at < aheadBytes+bytes; at += lineBytes {
		e.line("call void %s(ptr %s, i32 0, i32 3, i32 1)", f, e.let("getelementptr i8, ptr %s, i64 %d", p.base, at))
	}
}

// Where gangs take turns, there are these lines more: before a barrier, a gang's end and a
// panic; where a barrier's last gang lets the first one go on; and where a block begins.
const (
	arriveIR = "call void @heddle.settle(ptr %worker)"
	reopenIR = `
  %mode.p = getelementptr i8, ptr %worker, i64 100
  %mode = select i1 %wraps, i32 0, i32 3
  store i32 %mode, ptr %mode.p
  $AGAIN
`
	openIR = `
  %mode.p = getelementptr i8, ptr %worker, i64 100
  store i32 0, ptr %mode.p
`
)

// turnIR is how gangs take turns. The mode, at 100 of the worker, says what has happened
// since the last barrier: 0 nothing, 1 gangs have taken turns, 2 a gang has come
// to a barrier or its end, and those before it catch up, 3 the first gang has come to a barrier or its end; those
// behind it follow in their order.
const turnIR = `
; turn gives the next gang its turn.
define internal void @heddle.turn(ptr %worker) noinline nounwind {
  %mode.p = getelementptr i8, ptr %worker, i64 100
  %mode = load i32, ptr %mode.p
  %late = icmp ugt i32 %mode, 1
  br i1 %late, label %no, label %yes
no:
  ret void
yes:
  store i32 1, ptr %mode.p
  tail call void @heddle.pass(ptr %worker)
  ret void
}

; pass goes to the next gang, after the last one the first.
define internal void @heddle.pass(ptr %worker) alwaysinline nounwind {
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %from = call i32 @heddle.from(ptr %worker)
  %to = call i32 @heddle.to(ptr %worker)
  %next1 = add i32 %cur, 1
  %wraps = icmp eq i32 %next1, %to
  %next = select i1 %wraps, i32 %from, i32 %next1
  %self = icmp eq i32 %next, %cur
  br i1 %self, label %stay, label %go
stay:
  ret void
go:
  store i32 %next, ptr %cur.p
  %cur64 = zext i32 %cur to i64
  %next64 = zext i32 %next to i64
  %me = call ptr @heddle.fiber(ptr %worker, i64 %cur64)
  %it = call ptr @heddle.fiber(ptr %worker, i64 %next64)
  call void @heddle.swap(ptr %me, ptr %it)
  ret void
}

; settle waits until the gangs before this one have come to a barrier or the end.
define internal void @heddle.settle(ptr %worker) alwaysinline nounwind {
  %mode.p = getelementptr i8, ptr %worker, i64 100
  %mode = load i32, ptr %mode.p
  %ordered = icmp eq i32 %mode, 3
  br i1 %ordered, label %done, label %late
late:
  call void @heddle.catchup(ptr %worker)
  br label %done
done:
  ret void
}

define internal void @heddle.catchup(ptr %worker) noinline nounwind {
entry:
  %mode.p = getelementptr i8, ptr %worker, i64 100
  %cur.p = getelementptr i8, ptr %worker, i64 52
  br label %again
again:
  %mode = load i32, ptr %mode.p
  switch i32 %mode, label %behind [ i32 0, label %begin i32 3, label %done ]
behind:
  %cur = load i32, ptr %cur.p
  %from = call i32 @heddle.from(ptr %worker)
  %first = icmp eq i32 %cur, %from
  br i1 %first, label %begin, label %wait
begin:
  store i32 3, ptr %mode.p
  br label %done
wait:
  store i32 2, ptr %mode.p
  call void @heddle.pass(ptr %worker)
  br label %again
done:
  ret void
}

; few reports whether gangs take turns in this grid.
define internal i1 @heddle.few(ptr %launch) alwaysinline nounwind {
  %gx.p = getelementptr i8, ptr %launch, i64 32
  %gx = load i32, ptr %gx.p, !invariant.load !0
  %gy.p = getelementptr i8, ptr %launch, i64 36
  %gy = load i32, ptr %gy.p, !invariant.load !0
  %gz.p = getelementptr i8, ptr %launch, i64 40
  %gz = load i32, ptr %gz.p, !invariant.load !0
  %x = zext i32 %gx to i64
  %y = zext i32 %gy to i64
  %z = zext i32 %gz to i64
  %xy = mul i64 %x, %y
  %n = mul i64 %xy, %z
  %few = icmp ule i64 %n, $MANY
  ret i1 %few
}

; block.turns runs one block of a kernel without barriers.
define internal i64 @heddle.block.turns(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i64 %number, i64 %left) alwaysinline nounwind {
  %few = call i1 @heddle.few(ptr %launch)
  br i1 %few, label %turns, label %loop
turns:
  %ran = call i64 @heddle.block.fibers(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i64 %number, i64 %left)
  ret i64 %ran
loop:
  %one = call i64 @heddle.block.loop(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i64 %number, i64 %left)
  ret i64 %one
}

define internal void @heddle.enter.turns(ptr %launch, ptr %worker) nounwind {
  %mode.p = getelementptr i8, ptr %worker, i64 100
  store i32 3, ptr %mode.p
  %few = call i1 @heddle.few(ptr %launch)
  br i1 %few, label %turns, label %loop
turns:
  call void @heddle.enter.fibers(ptr %launch, ptr %worker)
  ret void
loop:
  call void @heddle.enter.loop(ptr %launch, ptr %worker)
  ret void
}
`
