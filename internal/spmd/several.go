package spmd

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/spmd/divergence"
	"heddle/internal/spmd/ll"
)

// This file lets the gangs of several blocks take turns with each other. In a loop that adds the grid's size, or a plane's,
// to an index, blocks that follow each other read what follows in memory; one after the other they would come to all its
// pages anew, and where the step is a power of two the few lines that a cache keeps of such pages are gone until then.
//
// Until the first gang comes to a barrier or its end, such blocks are like one. From there on they go one after the other, in
// their order: the gangs of a block wait for each other alone, and those of the next block go on when its last one has ended.
// So blocks end, and panic, in their order. Each has shared memory of its own, if it needs any.

// severalShared is up to how many bytes of shared memory such a block has: all of them shall be in the nearest cache.
const severalShared = 4096

// severalBlocks and severalStacks are abi.NativeSeveral and abi.NativeStacks, severalStride is abi.NativeStride.
const (
	severalBlocks = 4
	severalStacks = 64
)

func severalStride(shared int64) int64 { return (shared + 127) / 64 * 64 }

// sharesTurns reports whether the blocks' shared memory lets several run at once.
func (v *vectorizer) sharesTurns() bool {
	return v.sharedSize() <= severalShared && !v.some(func(i *ll.Inst) bool { return i.Callee == "heddle.dynamic" || i.Callee == "heddle.shared.size" })
}

// atOnce is how many blocks run at once, as far as there are stacks for their gangs.
func (v *vectorizer) atOnce() int {
	if !v.startsWithTurns || !v.sharesTurns() {
		return 1
	}
	return severalBlocks
}

// comesFirst reports whether gangs come to a loop before they come to any barrier.
func (e *emitter) comesFirst(l *divergence.Loop) bool {
	seen := map[*ll.Block]bool{}
	var reach func(b *ll.Block) bool
	reach = func(b *ll.Block) bool {
		if b == l.Header {
			return true
		}
		if seen[b] || slices.ContainsFunc(b.Insts, func(i *ll.Inst) bool { return strings.HasPrefix(i.Callee, "heddle.barrier") }) {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(b.Succs(), reach)
	}
	return reach(e.F.Blocks[0])
}

// severalIR are the runtime's lines for it: how many blocks run at once, what is known of them, and where a gang finds its block.
func (v *vectorizer) severalIR() []string {
	if v.atOnce() == 1 {
		return []string{"$TIMES", "add i32 1, 0", "$SEVERAL", "", "$WHERE", "%lin = call i32 @heddle.first(ptr %worker)" + blockIR, "$BLOCK", blockIR, "$FEW", "", "$ALONE", "true"}
	}
	return []string{"$TIMES", "call i32 @heddle.times(ptr %launch, i32 %threads, i32 %own, i64 %left)", "$SEVERAL", severalOpenIR, "$WHERE", severalWhereIR + severalBlockIR,
		"$BLOCK", severalNthIR + severalBlockIR, "$FEW", severalFewIR, "$ALONE", "%many"}
}

// severalFuncs are the functions that the runtime's lines call.
func (v *vectorizer) severalFuncs() string {
	if v.atOnce() == 1 {
		return aloneIR
	}
	for _, f := range []string{"i32 @llvm.umin.i32(i32, i32)", "i32 @llvm.umax.i32(i32, i32)", "i64 @llvm.umin.i64(i64, i64)"} {
		v.declare(f)
	}
	most := pick(v.sharedSize() > 0, severalBlocks, severalStacks)
	return strings.NewReplacer("$BELOW", fmt.Sprint(v.n-1), "$LANES", fmt.Sprint(v.n), "$BLOCKS", fmt.Sprint(severalBlocks), "$STACKS", fmt.Sprint(severalStacks), "$MOST", fmt.Sprint(most)).Replace(severalFuncsIR)
}

// sharedSize is how many bytes of static shared memory a block has.
func (v *vectorizer) sharedSize() (size int64) {
	for _, g := range v.mod.Globals {
		if g.Name == "heddle_shared_size" {
			size, _ = leading(g.Line[strings.LastIndex(g.Line, "i64 ")+len("i64 "):])
		}
	}
	return size
}

// sharedText finds a gang's shared memory.
func (v *vectorizer) sharedText(line lineFunc) {
	const load = "%%shared%s = load ptr, ptr %%worker, !invariant.load !0"
	if v.atOnce() == 1 || v.sharedSize() == 0 {
		line(load, "")
		return
	}
	line(load, ".first")
	line("%s", strings.TrimSpace(severalNthIR))
	line("%%shared.off = mul i32 %%nth, %d", severalStride(v.sharedSize()))
	line("%%shared.off64 = zext i32 %%shared.off to i64")
	line("%%shared = getelementptr i8, ptr %%shared.first, i64 %%shared.off64")
}

// blockIR finds the block that runs.
const blockIR = `
  %bx.p = getelementptr i8, ptr %worker, i64 88
  %bx = load i32, ptr %bx.p
  %by.p = getelementptr i8, ptr %worker, i64 92
  %by = load i32, ptr %by.p
  %bz.p = getelementptr i8, ptr %worker, i64 96
  %bz = load i32, ptr %bz.p
`

// aloneIR says that there is one block.
const aloneIR = `
define internal i32 @heddle.lo(ptr %worker) alwaysinline nounwind {
  ret i32 0
}

define internal i32 @heddle.from(ptr %worker) alwaysinline nounwind {
  ret i32 0
}

define internal i32 @heddle.to(ptr %worker) alwaysinline nounwind {
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  %gangs = load i32, ptr %gangs.p
  ret i32 %gangs
}

define internal i1 @heddle.nextblock(ptr %worker) alwaysinline nounwind {
  ret i1 false
}
`

// The worker keeps of several blocks: at 128 how many gangs one has, at 132 the first gang of the block that comes to barriers,
// at 136 the first block's number, at 144 all gangs, at 148 and 152 the first gang that takes turns and the one behind the last.
const severalOpenIR = `
  store i32 %own, ptr %gangs.p
  %own.p = getelementptr i8, ptr %worker, i64 128
  store i32 %own, ptr %own.p
  %lo.p = getelementptr i8, ptr %worker, i64 132
  store i32 0, ptr %lo.p
  %number.p = getelementptr i8, ptr %worker, i64 136
  store i64 %number, ptr %number.p
  %total.p = getelementptr i8, ptr %worker, i64 144
  store i32 %gangs, ptr %total.p
  %from.p = getelementptr i8, ptr %worker, i64 148
  store i32 0, ptr %from.p
  %to.p = getelementptr i8, ptr %worker, i64 152
  store i32 %gangs, ptr %to.p
`

// severalAgainIR is what a barrier does besides for those behind it: a block that has come there takes turns alone.
const severalAgainIR = `
  %from.p = getelementptr i8, ptr %worker, i64 148
  %to.p = getelementptr i8, ptr %worker, i64 152
  store i32 %lo, ptr %from.p
  store i32 %gangs, ptr %to.p
`

// severalFewIR lets a block be one gang only where blocks do not take turns: smaller gangs by turns read memory faster.
const severalFewIR = `
  %few = call i1 @heddle.few(ptr %launch)
  %many = xor i1 %few, true
`

// severalNthIR tells which of the blocks a gang belongs to.
const severalNthIR = `
  %nth.cur.p = getelementptr i8, ptr %worker, i64 52
  %nth.cur = load i32, ptr %nth.cur.p
  %nth.own.p = getelementptr i8, ptr %worker, i64 128
  %nth.own = load i32, ptr %nth.own.p
  %nth = udiv i32 %nth.cur, %nth.own
`

// severalWhereIR also finds a gang's first thread.
const severalWhereIR = severalNthIR + `
  %nth.before = mul i32 %nth, %nth.own
  %nth.in = sub i32 %nth.cur, %nth.before
  %lin = mul i32 %nth.in, %lanes
`

// severalBlockIR finds the nth block.
const severalBlockIR = `
  %nth.number.p = getelementptr i8, ptr %worker, i64 136
  %nth.number = load i64, ptr %nth.number.p
  %nth64 = zext i32 %nth to i64
  %nth.mine = add i64 %nth.number, %nth64
  %nth.gx.p = getelementptr i8, ptr %launch, i64 32
  %nth.gx = load i32, ptr %nth.gx.p, !invariant.load !0
  %nth.gx64 = zext i32 %nth.gx to i64
  %nth.gy.p = getelementptr i8, ptr %launch, i64 36
  %nth.gy = load i32, ptr %nth.gy.p, !invariant.load !0
  %nth.gy64 = zext i32 %nth.gy to i64
  %nth.x = urem i64 %nth.mine, %nth.gx64
  %nth.row = udiv i64 %nth.mine, %nth.gx64
  %nth.y = urem i64 %nth.row, %nth.gy64
  %nth.z = udiv i64 %nth.row, %nth.gy64
  %bx = trunc i64 %nth.x to i32
  %by = trunc i64 %nth.y to i32
  %bz = trunc i64 %nth.z to i32
`

// severalFuncsIR has how many blocks of so many gangs run at once: as many as there are stacks for, and blocks left, in a grid
// that has turns; and what is one block's where there is one.
const severalFuncsIR = `
define internal i32 @heddle.times(ptr %launch, i32 %threads, i32 %own, i64 %left) alwaysinline nounwind {
  %few = call i1 @heddle.few(ptr %launch)
  %up = add i32 %threads, $BELOW
  %one = udiv i32 %up, $LANES
  %some = mul i32 %one, $BLOCKS
  %limited = call i32 @llvm.umin.i32(i32 %some, i32 $STACKS)
  %stacks = call i32 @llvm.umax.i32(i32 %one, i32 %limited)
  %fit = udiv i32 %stacks, %own
  %most = call i32 @llvm.umin.i32(i32 %fit, i32 $MOST)
  %most64 = zext i32 %most to i64
  %fewer = call i64 @llvm.umin.i64(i64 %most64, i64 %left)
  %times64 = select i1 %few, i64 %fewer, i64 1
  %times = trunc i64 %times64 to i32
  ret i32 %times
}

define internal i32 @heddle.lo(ptr %worker) alwaysinline nounwind {
  %p = getelementptr i8, ptr %worker, i64 132
  %n = load i32, ptr %p
  ret i32 %n
}

define internal i32 @heddle.from(ptr %worker) alwaysinline nounwind {
  %p = getelementptr i8, ptr %worker, i64 148
  %n = load i32, ptr %p
  ret i32 %n
}

define internal i32 @heddle.to(ptr %worker) alwaysinline nounwind {
  %p = getelementptr i8, ptr %worker, i64 152
  %n = load i32, ptr %p
  ret i32 %n
}

; nextblock makes the next block the one that comes to barriers, if there is one.
define internal i1 @heddle.nextblock(ptr %worker) alwaysinline nounwind {
  %hi.p = getelementptr i8, ptr %worker, i64 56
  %hi = load i32, ptr %hi.p
  %own.p = getelementptr i8, ptr %worker, i64 128
  %own = load i32, ptr %own.p
  %total.p = getelementptr i8, ptr %worker, i64 144
  %total = load i32, ptr %total.p
  %lo.p = getelementptr i8, ptr %worker, i64 132
  store i32 %hi, ptr %lo.p
  %end = add i32 %hi, %own
  store i32 %end, ptr %hi.p
  %more = icmp ult i32 %hi, %total
  ret i1 %more
}
`
