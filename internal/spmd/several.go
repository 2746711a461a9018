package spmd

import "heddle/internal/spmd/ll"

// This file lets the gangs of several blocks take turns with each other, where blocks have nothing of their own: no barriers and
// no shared memory. In a loop that adds the grid's size, or a plane's, to an index, blocks that follow each other read what
// follows in memory; one after the other they would come to all its pages anew, and where the step is a power of two the few
// lines that a cache keeps of such pages are gone until then.
//
// Such blocks are like one of their gangs: those end, and panic, in the order of the blocks.

// sharesTurns reports whether blocks have nothing of their own.
func (v *vectorizer) sharesTurns() bool {
	return !v.some(func(i *ll.Inst) bool { return i.Callee == "heddle.shared" || i.Callee == "heddle.dynamic" })
}

// severalIR are the runtime's lines for it: how many blocks run at once, what is known of them, and where a gang finds its block.
func severalIR(several bool) []string {
	if !several {
		return []string{"$TIMES", "add i32 1, 0", "$SEVERAL", "", "$WHERE", whereIR}
	}
	return []string{"$TIMES", "call i32 @heddle.times(i32 %threads, i32 %own, i64 %left)", "$SEVERAL", severalOpenIR, "$WHERE", severalWhereIR}
}

// whereIR finds a gang's place in the block.
const whereIR = `%bx.p = getelementptr i8, ptr %worker, i64 88
  %bx = load i32, ptr %bx.p
  %by.p = getelementptr i8, ptr %worker, i64 92
  %by = load i32, ptr %by.p
  %bz.p = getelementptr i8, ptr %worker, i64 96
  %bz = load i32, ptr %bz.p
  %lin = call i32 @heddle.first(ptr %worker)
`

// severalOpenIR keeps a block's number of gangs where barriers count votes, and the first block's number.
const severalOpenIR = `
  %own.p = getelementptr i8, ptr %worker, i64 64
  store i32 %own, ptr %own.p
  %number.p = getelementptr i8, ptr %worker, i64 80
  store i64 %number, ptr %number.p
`

// severalWhereIR finds a gang's block, and its place there.
const severalWhereIR = `
  %own.p = getelementptr i8, ptr %worker, i64 64
  %own = load i32, ptr %own.p
  %number.p = getelementptr i8, ptr %worker, i64 80
  %number = load i64, ptr %number.p
  %nth = udiv i32 %cur, %own
  %in = urem i32 %cur, %own
  %lin = mul i32 %in, %lanes
  %nth64 = zext i32 %nth to i64
  %mine = add i64 %number, %nth64
  %gx.p = getelementptr i8, ptr %launch, i64 32
  %gx = load i32, ptr %gx.p, !invariant.load !0
  %gx64 = zext i32 %gx to i64
  %gy.p = getelementptr i8, ptr %launch, i64 36
  %gy = load i32, ptr %gy.p, !invariant.load !0
  %gy64 = zext i32 %gy to i64
  %x = urem i64 %mine, %gx64
  %row = udiv i64 %mine, %gx64
  %y = urem i64 %row, %gy64
  %z = udiv i64 %row, %gy64
  %bx = trunc i64 %x to i32
  %by = trunc i64 %y to i32
  %bz = trunc i64 %z to i32
`

// timesIR is how many blocks of so many gangs run at once: as many as there are stacks for, and blocks left.
const timesIR = `
define internal i32 @heddle.times(i32 %threads, i32 %own, i64 %left) alwaysinline nounwind {
  %up = add i32 %threads, $BELOW
  %stacks = udiv i32 %up, $LANES
  %most = udiv i32 %stacks, %own
  %most64 = zext i32 %most to i64
  %few = icmp ult i64 %left, %most64
  %times64 = select i1 %few, i64 %left, i64 %most64
  %times = trunc i64 %times64 to i32
  ret i32 %times
}
`
