package spmd

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// This file lets a launch be ended while it runs: at the branch back of a loop
// the launch's flag is looked at (abi.NativeLaunch.Stop), and where it is set the
// worker gives up, with a record of which loop it was in.

// poll looks at the flag before the lanes of mask go through l once more.
func (e *emitter) poll(l *divergence.Loop, mask string) {
	site, ok := e.pollSite(l)
	if !ok {
		return
	}
	if e.Waits(l) {
		e.vectorizer.waitsAnywhere = true
		e.increment(workerSpins)
	}
	e.pollAt(site, mask)
}

// pollAt looks at the flag.
func (e *emitter) pollAt(site int, mask string) {
	name := e.fresh("poll")
	stop := e.let("load atomic i32, ptr %s monotonic, align 4", e.let("getelementptr i8, ptr %%launch, i64 76"))
	e.line("br i1 %s, label %%%s.go, label %%%s.halt", e.let("icmp eq i32 %s, 0", stop), name, name)
	e.label(name + ".halt")
	if e.sharesTraps {
		e.jumpToHalt(site, mask)
	} else {
		e.halt(fmt.Sprint(site), mask)
	}
	e.label(name + ".go")
}

// longestBlock is of how many lines a block of vector code is at most.
const longestBlock = 1000

// breakBlock goes on in a new block of the vector code where this one, which began at
// the line from, is so long that LLVM would take too long for it: its scheduling of a block, and
// what it makes of selections, take the square of its length. LLVM joins blocks
// that simply follow each other, so there is a poll between them.
func (e *emitter) breakBlock(from int) (begin int) {
	if e.lines-from <= pick(e.isWhole, 4, 1)*longestBlock || e.Dead[e.block.Index] {
		return from
	}
	e.pollAt(noSite, e.mask())
	return e.lines
}

// halt ends the launch in a loop.
func (e *emitter) halt(site, mask string) {
	lane := e.firstLane(e.bits(mask))
	e.line("call void @heddle.halt(ptr %%launch, ptr %%worker, i32 %s, i32 %s, i32 %%lin, i32 %%block.x, i32 %%block.y, i32 %%block.z)", site, lane)
	e.line("unreachable")
}

// noSite is the place of a loop of which none is known.
const noSite = -1

var loopSite = lazy.Regexp{Expr: `"heddle\.site", i32 (\d+)`}

// pollSite is where in the source the loop is, as its metadata says or that of a
// loop around it; ok is false for a loop that makes only few iterations. LLVM gives a
// loop the metadata of one that it has unrolled away, so they may be wrong.
func (e *emitter) pollSite(l *divergence.Loop) (site int, ok bool) {
	if e.Trips(l) > 0 {
		return 0, false
	}
	for ; l != nil; l = l.Parent {
		for node := range strings.FieldsFuncSeq(e.mod.Meta[l.Latch.Term().Loop], func(r rune) bool { return strings.ContainsRune("{, }", r) }) {
			if m := loopSite.Get().FindStringSubmatch(e.mod.Meta[node]); m != nil {
				if n, err := strconv.Atoi(m[1]); err == nil {
					return n, true
				}
			}
		}
	}
	return noSite, true
}

// goTo goes from b to s, with the lanes of mask.
func (e *emitter) goTo(b, s *ll.Block, mask string) {
	next, unroll := labelOf(s), ""
	if !e.isFast {
		next = labelOf(e.successor(b, s))
	}
	if e.fast[s] && e.isFull(mask) {
		next = fastLabel(s)
	}
	if l := e.Loops[s.Index]; e.IsBack(b, s) {
		e.poll(l, mask)
		if e.turns[l] != "" {
			e.takeTurn(l)
			unroll = pick(e.isFull(mask), e.unrolled(l), "")
		}
	} else if l != nil && l.Header == s && e.turns[l] != "" {
		e.line("store i32 0, ptr %s", e.turns[l])
	} else if l != nil && l.Header == s && e.Waits(l) {
		e.increment(workerWaits)
	}
	e.line("br label %%%s%s", next, unroll)
}

// Counters of abi.NativeWorker.
const (
	workerSpins = 104
	workerWaits = 112
)

// increment adds 1 to a counter of the worker.
func (e *emitter) increment(at int) {
	p := e.let("getelementptr i8, ptr %%worker, i64 %d", at)
	e.line("store i64 %s, ptr %s", e.let("add i64 %s, 1", e.let("load i64, ptr %s", p)), p)
}

// countIR counts the blocks that a worker has begun, where there are loops that wait.
const countIR = `
  %begun.p = getelementptr i8, ptr %worker, i64 120
  %begun = load i64, ptr %begun.p
  %begun1 = add i64 %begun, 1
  store i64 %begun1, ptr %begun.p
`

// haltIR ends the launch in a loop, for the thread of a lane in the gang that begins
// with %lin.
const haltIR = `
define internal void @heddle.halt(ptr %launch, ptr %worker, i32 %site, i32 %lane, i32 %lin, i32 %bx, i32 %by, i32 %bz) cold noinline noreturn nounwind {
  %who = add i32 %lin, %lane
  %dx.p = getelementptr i8, ptr %launch, i64 44
  %dx = load i32, ptr %dx.p, !invariant.load !0
  %dy.p = getelementptr i8, ptr %launch, i64 48
  %dy = load i32, ptr %dy.p, !invariant.load !0
  %x = urem i32 %who, %dx
  %r = udiv i32 %who, %dx
  %y = urem i32 %r, %dy
  %z = udiv i32 %r, %dy
  call void @heddle.end(ptr %launch, ptr %worker, i32 %site, i64 0, i64 0, i32 %x, i32 %y, i32 %z, i32 %bx, i32 %by, i32 %bz, i32 2)
  unreachable
}
`
