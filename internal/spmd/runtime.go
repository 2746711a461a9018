package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// This file holds the code around the kernel: it claims blocks, runs their
// gangs, and lets the warps of a block wait for each other. Offsets are those of
// abi.NativeLaunch and abi.NativeWorker. What the worker leaves to this code,
// from offset 40 on, is:
//
//	40  i64  stack pointer of the caller
//	48  i32  status: 1 after a panic
//	52  i32  the gang that runs
//	56  i32  gangs of the block
//	60  i32  lanes of a gang
//	64  i32  threads so far whose operand of the barrier holds
//	68  i32  site of the barrier at which the gangs before the one that runs
//	         wait, -1 if they have returned
//	72  i32  how many threads' operands of the last barrier held
//	88  3 x i32  block index
//	100 i32  mode of gangs that take turns, see turns.go
//	104 3 x i64  abi.NativeWorker's counters
//	128 of gangs of several blocks, see several.go
//
// A fiber is a gang with a stack of its own, so that it can wait anywhere; its
// 16 bytes hold the stack pointer while it waits. Gangs run in turn, each until
// it waits or returns, so that when the first one's turn comes again all have
// reached the barrier.

// An asmSet is what only assembly can say, for one architecture: the function
// that switches stacks, which saves the registers that calls preserve, the one
// that a new stack starts in, and where a new stack's frame keeps, from the
// saved stack pointer, the function to call, its arguments, and the start. The
// switch ends in a jump: a return would go where no call came from, which
// processors predict wrongly each time.
type asmSet struct {
	swap, start                 string
	frame, fn, arg0, arg1, back int
}

var asmSets = lazy.Value[map[string]asmSet]{Make: func() map[string]asmSet {
	return map[string]asmSet{
		"x86": {
			swap: "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15; mov %rsp, (%rdi); mov (%rsi), %rsp; " +
				"pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; pop %rcx; jmp *%rcx",
			start: "mov %r13, %rdi; mov %r14, %rsi; call *%r12; ud2",
			frame: 56, fn: 24, arg0: 16, arg1: 8, back: 48,
		},
		"aarch64": {
			swap: "sub sp, sp, #160; stp x19, x20, [sp]; stp x21, x22, [sp, #16]; stp x23, x24, [sp, #32]; stp x25, x26, [sp, #48]; " +
				"stp x27, x28, [sp, #64]; stp x29, x30, [sp, #80]; stp d8, d9, [sp, #96]; stp d10, d11, [sp, #112]; " +
				"stp d12, d13, [sp, #128]; stp d14, d15, [sp, #144]; mov x9, sp; str x9, [x0]; ldr x9, [x1]; mov sp, x9; " +
				"ldp x19, x20, [sp]; ldp x21, x22, [sp, #16]; ldp x23, x24, [sp, #32]; ldp x25, x26, [sp, #48]; " +
				"ldp x27, x28, [sp, #64]; ldp x29, x30, [sp, #80]; ldp d8, d9, [sp, #96]; ldp d10, d11, [sp, #112]; " +
				"ldp d12, d13, [sp, #128]; ldp d14, d15, [sp, #144]; add sp, sp, #160; br x30",
			start: "mov x0, x20; mov x1, x21; blr x19; brk #1",
			frame: 160, fn: 0, arg0: 8, arg1: 16, back: 88,
		},
	}
}}

func asmFor(isa string) asmSet {
	if strings.HasPrefix(isa, "x86") {
		return asmSets.Get()["x86"]
	}
	return asmSets.Get()["aarch64"]
}

// runtimeText is the runtime with $NAME replaced from the pairs, one after the other.
func runtimeText(pairs ...string) string {
	text := runtimeIR + barrierIR + haltIR
	for i := 0; i < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func asmText(s string) string { return strings.ReplaceAll(s, "; ", `\0A`) }

const runtimeIR = `
define internal void @heddle.swap(ptr %save, ptr %to) naked noinline nounwind {
  call void asm sideeffect "$SWAP", ""()
  unreachable
}

define internal void @heddle.start() naked noinline nounwind {
  call void asm sideeffect "$START", ""()
  unreachable
}

define internal void @heddle.fiber.new(ptr %launch, ptr %worker, i64 %n, ptr %fn) nounwind {
  %stacks.p = getelementptr i8, ptr %worker, i64 8
  %stacks = load ptr, ptr %stacks.p
  %stride.p = getelementptr i8, ptr %worker, i64 16
  %stride = load i64, ptr %stride.p
  %size.p = getelementptr i8, ptr %worker, i64 24
  %size = load i64, ptr %size.p
  %off = mul i64 %n, %stride
  %end = add i64 %off, %size
  %low = sub i64 %end, $FRAME
  %sp = getelementptr i8, ptr %stacks, i64 %low
  %fn.p = getelementptr i8, ptr %sp, i64 $FN
  store ptr %fn, ptr %fn.p
  %a.p = getelementptr i8, ptr %sp, i64 $ARG0
  store ptr %launch, ptr %a.p
  %b.p = getelementptr i8, ptr %sp, i64 $ARG1
  store ptr %worker, ptr %b.p
  %back.p = getelementptr i8, ptr %sp, i64 $BACK
  store ptr @heddle.start, ptr %back.p
  %f = call ptr @heddle.fiber(ptr %worker, i64 %n)
  store ptr %sp, ptr %f
  ret void
}

define internal ptr @heddle.fiber(ptr %worker, i64 %n) alwaysinline nounwind {
  %fibers.p = getelementptr i8, ptr %worker, i64 32
  %fibers = load ptr, ptr %fibers.p
  %off = mul i64 %n, 16
  %f = getelementptr i8, ptr %fibers, i64 %off
  ret ptr %f
}

; leave gives the worker's caller its stack back, for good.
define internal void @heddle.leave(ptr %worker) noinline noreturn nounwind {
  %dead = alloca i64
  %main = getelementptr i8, ptr %worker, i64 40
  call void @heddle.swap(ptr %dead, ptr %main)
  unreachable
}

define internal void @heddle.fail(ptr %launch, ptr %worker, i32 %site, i64 %a, i64 %b, i32 %x, i32 %y, i32 %z, i32 %bx, i32 %by, i32 %bz) cold noinline noreturn nounwind {
  $ARRIVE
  call void @heddle.end(ptr %launch, ptr %worker, i32 %site, i64 %a, i64 %b, i32 %x, i32 %y, i32 %z, i32 %bx, i32 %by, i32 %bz, i32 1)
  unreachable
}

; end ends the launch; state says why.
define internal void @heddle.end(ptr %launch, ptr %worker, i32 %site, i64 %a, i64 %b, i32 %x, i32 %y, i32 %z, i32 %bx, i32 %by, i32 %bz, i32 %state) cold noinline noreturn nounwind {
  %lock = getelementptr i8, ptr %launch, i64 72
  %stop = getelementptr i8, ptr %launch, i64 76
  %old = atomicrmw xchg ptr %lock, i32 1 seq_cst
  %first = icmp eq i32 %old, 0
  br i1 %first, label %write, label %end
write:
  %sink.p = getelementptr i8, ptr %launch, i64 64
  %sink = load ptr, ptr %sink.p
  %none = icmp eq ptr %sink, null
  br i1 %none, label %end, label %fill
fill:
  %p4 = getelementptr i8, ptr %sink, i64 4
  store i32 %site, ptr %p4
  %p8 = getelementptr i8, ptr %sink, i64 8
  store i32 %bx, ptr %p8
  %p12 = getelementptr i8, ptr %sink, i64 12
  store i32 %by, ptr %p12
  %p16 = getelementptr i8, ptr %sink, i64 16
  store i32 %bz, ptr %p16
  %p20 = getelementptr i8, ptr %sink, i64 20
  store i32 %x, ptr %p20
  %p24 = getelementptr i8, ptr %sink, i64 24
  store i32 %y, ptr %p24
  %p28 = getelementptr i8, ptr %sink, i64 28
  store i32 %z, ptr %p28
  %p32 = getelementptr i8, ptr %sink, i64 32
  store i64 %a, ptr %p32
  %p40 = getelementptr i8, ptr %sink, i64 40
  store i64 %b, ptr %p40
  store atomic i32 %state, ptr %sink release, align 4
  br label %end
end:
  store atomic i32 1, ptr %stop seq_cst, align 4
  %status = getelementptr i8, ptr %worker, i64 48
  store i32 1, ptr %status
  call void @heddle.leave(ptr %worker)
  unreachable
}

; threads of a block
define internal i32 @heddle.threads(ptr %launch) alwaysinline nounwind {
  %dx.p = getelementptr i8, ptr %launch, i64 44
  %dx = load i32, ptr %dx.p, !invariant.load !0
  %dy.p = getelementptr i8, ptr %launch, i64 48
  %dy = load i32, ptr %dy.p, !invariant.load !0
  %dz.p = getelementptr i8, ptr %launch, i64 52
  %dz = load i32, ptr %dz.p, !invariant.load !0
  %xy = mul i32 %dx, %dy
  %n = mul i32 %xy, %dz
  ret i32 %n
}

; lanes of a gang: many, if the block's rows consist of such gangs or they of whole rows; or
; the whole block's, if it has that shape.
define internal i32 @heddle.lanes(ptr %launch) alwaysinline nounwind {
  $FEW
  %dx.p = getelementptr i8, ptr %launch, i64 44
  %dx = load i32, ptr %dx.p, !invariant.load !0
  %rest = urem i32 %dx, $WIDE
  %long = icmp eq i32 %rest, 0
  %dy.p = getelementptr i8, ptr %launch, i64 48
  %dy = load i32, ptr %dy.p, !invariant.load !0
  %above = urem i32 %dy, $ROWS
  %whole = icmp eq i32 %above, 0
  %short = icmp eq i32 %dx, $TILE
  %tiled = and i1 %short, %whole
  %fits = or i1 %long, %tiled
  %parts = select i1 %fits, i32 $WIDE, i32 $LANES
  %threads = call i32 @heddle.threads(ptr %launch)
  %some = icmp eq i32 %threads, $WHOLE
  %row = icmp eq i32 %dx, $ACROSS
  %column = icmp eq i32 %dy, $DOWN
  %shape = and i1 %row, %column
  %fits.block = and i1 %some, %shape
  %block = and i1 %fits.block, $ALONE
  %lanes = select i1 %block, i32 $WHOLE, i32 %parts
  ret i32 %lanes
}

; stuck reports a barrier that not all threads reach, by a thread that waits there.
define internal void @heddle.stuck(ptr %launch, ptr %worker, i32 %site, i64 %waiting, i32 %lin) cold noinline noreturn nounwind {
  %n = call i32 @heddle.threads(ptr %launch)
  %n64 = zext i32 %n to i64
  %dx.p = getelementptr i8, ptr %launch, i64 44
  %dx = load i32, ptr %dx.p, !invariant.load !0
  %dy.p = getelementptr i8, ptr %launch, i64 48
  %dy = load i32, ptr %dy.p, !invariant.load !0
  %x = urem i32 %lin, %dx
  %r = udiv i32 %lin, %dx
  %y = urem i32 %r, %dy
  %z = udiv i32 %r, %dy
  $BLOCK
  call void @heddle.fail(ptr %launch, ptr %worker, i32 %site, i64 %waiting, i64 %n64, i32 %x, i32 %y, i32 %z, i32 %bx, i32 %by, i32 %bz)
  unreachable
}

; block runs one block. Without barriers its gangs are a loop.
define internal i64 @heddle.block.loop(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i64 %number, i64 %left) alwaysinline nounwind {
entry:
  %threads = call i32 @heddle.threads(ptr %launch)
  %lanes = call i32 @heddle.lanes(ptr %launch)
  %many = icmp ne i32 %lanes, $LANES
  br i1 %many, label %wide, label %narrow
wide:
  %wlin = phi i32 [ 0, %entry ], [ %wlin1, %wide ]
  call void @heddle.gang.wide(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %wlin, i32 %threads)
  %wlin1 = add i32 %wlin, $WIDE
  %wmore = icmp ult i32 %wlin1, %threads
  br i1 %wmore, label %wide, label %done
narrow:
  %lin = phi i32 [ 0, %entry ], [ %lin1, %narrow ]
  call void @heddle.gang(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %lin, i32 %threads)
  %lin1 = add i32 %lin, $LANES
  %more = icmp ult i32 %lin1, %threads
  br i1 %more, label %narrow, label %done
done:
  ret i64 1
}

; block.fibers runs one block, whose gangs have stacks; or several.
define internal i64 @heddle.block.fibers(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i64 %number, i64 %left) nounwind {
entry:
  %threads = call i32 @heddle.threads(ptr %launch)
  %lanes = call i32 @heddle.lanes(ptr %launch)
  %below = sub i32 %lanes, 1
  %up = add i32 %threads, %below
  %own = udiv i32 %up, %lanes
  %times = $TIMES
  %gangs = mul i32 %own, %times
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %state = getelementptr i8, ptr %worker, i64 52
  call void @llvm.memset.p0.i64(ptr %state, i8 0, i64 36, i1 false)
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  store i32 %gangs, ptr %gangs.p
  store i32 %lanes, ptr %lanes.p
  $OPEN
  $SEVERAL
  %bx.p = getelementptr i8, ptr %worker, i64 88
  store i32 %bx, ptr %bx.p
  %by.p = getelementptr i8, ptr %worker, i64 92
  store i32 %by, ptr %by.p
  %bz.p = getelementptr i8, ptr %worker, i64 96
  store i32 %bz, ptr %bz.p
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %n64 = zext i32 %n to i64
  call void @heddle.fiber.new(ptr %launch, ptr %worker, i64 %n64, ptr @heddle.gangmain)
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, %gangs
  br i1 %more, label %loop, label %run
run:
  %main = getelementptr i8, ptr %worker, i64 40
  %f = call ptr @heddle.fiber(ptr %worker, i64 0)
  call void @heddle.swap(ptr %main, ptr %f)
  %ran = zext i32 %times to i64
  ret i64 %ran
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)

; blocks claims blocks and runs them, until there are no more.
define internal void @heddle.blocks(ptr %launch, ptr %worker) nounwind {
entry:
  %count.p = getelementptr i8, ptr %launch, i64 8
  %count = load i64, ptr %count.p
  %chunk.p = getelementptr i8, ptr %launch, i64 16
  %most = load i64, ptr %chunk.p
  %ending.p = getelementptr i8, ptr %launch, i64 24
  %ending32 = load i32, ptr %ending.p
  %ending = zext i32 %ending32 to i64
  %stop.p = getelementptr i8, ptr %launch, i64 76
  %gx.p = getelementptr i8, ptr %launch, i64 32
  %gx = load i32, ptr %gx.p
  %gy.p = getelementptr i8, ptr %launch, i64 36
  %gy = load i32, ptr %gy.p
  %gx64 = zext i32 %gx to i64
  %gy64 = zext i32 %gy to i64
  %status = getelementptr i8, ptr %worker, i64 48
  br label %claim
claim:
  %now = load atomic i64, ptr %launch monotonic, align 8
  %over = icmp uge i64 %now, %count
  %left0 = sub i64 %count, %now
  %left = select i1 %over, i64 0, i64 %left0
  %part = lshr i64 %left, %ending
  %none = icmp eq i64 %part, 0
  %part1 = select i1 %none, i64 1, i64 %part
  %fewer = icmp ult i64 %part1, %most
  %chunk = select i1 %fewer, i64 %part1, i64 %most
  %first = atomicrmw add ptr %launch, i64 %chunk monotonic
  %some = icmp ult i64 %first, %count
  br i1 %some, label %begin, label %done
begin:
  %end0 = add i64 %first, %chunk
  %less = icmp ult i64 %end0, %count
  %end = select i1 %less, i64 %end0, i64 %count
  %x0 = urem i64 %first, %gx64
  %row = udiv i64 %first, %gx64
  %y0 = urem i64 %row, %gy64
  %z0 = udiv i64 %row, %gy64
  %bx0 = trunc i64 %x0 to i32
  %by0 = trunc i64 %y0 to i32
  %bz0 = trunc i64 %z0 to i32
  br label %each
each:
  %n = phi i64 [ %first, %begin ], [ %n1, %on ]
  %bx = phi i32 [ %bx0, %begin ], [ %bx4, %on ]
  %by = phi i32 [ %by0, %begin ], [ %by4, %on ]
  %bz = phi i32 [ %bz0, %begin ], [ %bz4, %on ]
  %stop = load atomic i32, ptr %stop.p monotonic, align 4
  %halt = icmp ne i32 %stop, 0
  br i1 %halt, label %done, label %run
run:
  $COUNT
  %rest = sub i64 %end, %n
  %ran = call i64 @heddle.block.$HOW(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i64 %n, i64 %rest)
  %bad = load i32, ptr %status
  %failed = icmp ne i32 %bad, 0
  br i1 %failed, label %done, label %next
next:
  %n1 = add i64 %n, %ran
  %single = icmp eq i64 %ran, 1
  br i1 %single, label %step, label %jump
step:
  %bx1 = add i32 %bx, 1
  %wx = icmp eq i32 %bx1, %gx
  %bx2 = select i1 %wx, i32 0, i32 %bx1
  %cy = zext i1 %wx to i32
  %by1 = add i32 %by, %cy
  %wy = icmp eq i32 %by1, %gy
  %by2 = select i1 %wy, i32 0, i32 %by1
  %cz = zext i1 %wy to i32
  %bz1 = add i32 %bz, %cz
  br label %on
jump:
  %x1 = urem i64 %n1, %gx64
  %row1 = udiv i64 %n1, %gx64
  %y1 = urem i64 %row1, %gy64
  %z1 = udiv i64 %row1, %gy64
  %bx3 = trunc i64 %x1 to i32
  %by3 = trunc i64 %y1 to i32
  %bz3 = trunc i64 %z1 to i32
  br label %on
on:
  %bx4 = phi i32 [ %bx2, %step ], [ %bx3, %jump ]
  %by4 = phi i32 [ %by2, %step ], [ %by3, %jump ]
  %bz4 = phi i32 [ %bz1, %step ], [ %bz3, %jump ]
  %more = icmp ult i64 %n1, %end
  br i1 %more, label %each, label %claim
done:
  ret void
}

; blocksmain is blocks on the worker's first stack.
define internal void @heddle.blocksmain(ptr %launch, ptr %worker) nounwind {
  call void @heddle.blocks(ptr %launch, ptr %worker)
  call void @heddle.leave(ptr %worker)
  unreachable
}

define i32 @heddle_run(ptr %launch, ptr %worker) nounwind {
  %status.p = getelementptr i8, ptr %worker, i64 48
  store i32 0, ptr %status.p
  call void @heddle.enter.$HOW(ptr %launch, ptr %worker)
  %status = load i32, ptr %status.p
  ret i32 %status
}

define internal void @heddle.enter.fibers(ptr %launch, ptr %worker) nounwind {
  call void @heddle.blocks(ptr %launch, ptr %worker)
  ret void
}

define internal void @heddle.enter.loop(ptr %launch, ptr %worker) nounwind {
  call void @heddle.fiber.new(ptr %launch, ptr %worker, i64 0, ptr @heddle.blocksmain)
  %main = getelementptr i8, ptr %worker, i64 40
  %f = call ptr @heddle.fiber(ptr %worker, i64 0)
  call void @heddle.swap(ptr %main, ptr %f)
  ret void
}
`

// environment is what each function of a gang gets.
func environment(lanes int, rows bool) []string {
	env := strings.Split("ptr %launch,ptr %worker,ptr %shared,ptr %dynamic,i32 %dynsize,i64 %full,i32 %lin,"+
		"i32 %block.x,i32 %block.y,i32 %block.z,i32 %dim.x,i32 %dim.y,i32 %dim.z,i32 %grid.x,i32 %grid.y,i32 %grid.z", ",")
	for _, axis := range []string{"x", "y", "z"} {
		if rows {
			env = append(env, "i32 %thread."+axis)
		} else {
			env = append(env, fmt.Sprintf("<%d x i32> %%thread.%s.v", lanes, axis))
		}
	}
	return env
}
