package spmd

import (
	"regexp"
	"strconv"
	"strings"

	"heddle/internal/spmd/ll"
)

// This file lets a launch be ended while it runs: at the branch back of a loop
// the launch's flag is looked at (abi.NativeLaunch.Stop), and where it is set the
// worker gives up, with a record of which loop it was in.

// poll looks at the flag before the lanes of mask go through l once more.
func (e *emitter) poll(l *loop, mask string) {
	site, ok := e.pollSite(l)
	if !ok {
		return
	}
	name := e.fresh("poll")
	stop := e.let("load atomic i32, ptr %s monotonic, align 4", e.let("getelementptr i8, ptr %%launch, i64 76"))
	e.line("br i1 %s, label %%%s.go, label %%%s.halt", e.let("icmp eq i32 %s, 0", stop), name, name)
	e.label(name + ".halt")
	bits := e.let("bitcast %s %s to i%d", e.maskType(), mask, e.n)
	if e.n < 64 {
		bits = e.let("zext i%d %s to i64", e.n, bits)
	}
	e.line("call void @heddle.halt(ptr %%launch, ptr %%worker, i32 %d, i64 %s, i32 %%lin, i32 %%block.x, i32 %%block.y, i32 %%block.z)", site, bits)
	e.line("unreachable")
	e.label(name + ".go")
}

// noSite is the place of a loop of which none is known.
const noSite = -1

var loopSite = regexp.MustCompile(`"heddle\.site", i32 (\d+)`)

// pollSite is where in the source the loop is, as its metadata says or that of a
// loop around it; ok is false for a loop that makes only few iterations.
func (e *emitter) pollSite(l *loop) (site int, ok bool) {
	for ; l != nil; l = l.parent {
		for node := range strings.FieldsFuncSeq(e.mod.Meta[l.latch.Term().Loop], func(r rune) bool { return strings.ContainsRune("{, }", r) }) {
			text := e.mod.Meta[node]
			if strings.Contains(text, `"heddle.bounded"`) {
				return 0, false
			}
			if m := loopSite.FindStringSubmatch(text); m != nil {
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
	next := e.successor(b, s)
	if e.isBack(b, s) {
		e.poll(e.loops[s.Index], mask)
	}
	e.line("br label %%%s", labelOf(next))
}

// haltIR ends the launch in a loop, for a thread of mask in the gang that begins
// with %lin.
const haltIR = `
define internal void @heddle.halt(ptr %launch, ptr %worker, i32 %site, i64 %mask, i32 %lin, i32 %bx, i32 %by, i32 %bz) cold noinline noreturn nounwind {
  %lane = call i64 @llvm.cttz.i64(i64 %mask, i1 false)
  %lane32 = trunc i64 %lane to i32
  %who = add i32 %lin, %lane32
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
