package spmd

// barrierIR is how the gangs of a block wait for each other. They run in turn, each
// until it waits or returns, in the order of their threads; so at a barrier a gang
// needs to look only at where the first one waits.
const barrierIR = `
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1 immarg)

; diverge is where a gang ends that waits where others do not: %some of its threads, the
; first of them %who, wait at %site; -1 if all have returned. The gangs before wait elsewhere
; or have returned, or only a part of this gang waits. How many threads wait at a barrier
; is known once each gang after this one has run to its next barrier or its end: it then
; comes here, too. The barrier that is reported is where the gangs before wait, unless
; a part of this gang waits at another: of the rest it is not known where they would.
define internal void @heddle.diverge(ptr %launch, ptr %worker, i32 %site, i32 %some, i32 %who, i1 %part) cold noinline noreturn nounwind {
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  %site.p = getelementptr i8, ptr %worker, i64 68
  %where = load i32, ptr %site.p
  %report.p = getelementptr i8, ptr %worker, i64 76
  %count.p = getelementptr i8, ptr %worker, i64 80
  %thread.p = getelementptr i8, ptr %worker, i64 84
  %begun = icmp eq i32 %where, -2
  br i1 %begun, label %add, label %begin
begin:
  %lo = call i32 @heddle.lo(ptr %worker)
  %begins = icmp eq i32 %cur, %lo
  %gone = icmp eq i32 %where, -1
  %alone = or i1 %begins, %gone
  %other = icmp ne i32 %where, %site
  %split = and i1 %part, %other
  %none = or i1 %alone, %split
  %in = sub i32 %cur, %lo
  %before = mul i32 %in, %lanes
  %report0 = select i1 %none, i32 %site, i32 %where
  %count0 = select i1 %none, i32 0, i32 %before
  %thread0 = select i1 %none, i32 %who, i32 0
  store i32 %report0, ptr %report.p
  store i32 %count0, ptr %count.p
  store i32 %thread0, ptr %thread.p
  store i32 -2, ptr %site.p
  br label %add
add:
  %report = load i32, ptr %report.p
  %here = icmp eq i32 %report, %site
  %more = select i1 %here, i32 %some, i32 0
  %count1 = load i32, ptr %count.p
  %count = add i32 %count1, %more
  store i32 %count, ptr %count.p
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  %gangs = load i32, ptr %gangs.p
  %next = add i32 %cur, 1
  %all = icmp eq i32 %next, %gangs
  br i1 %all, label %stuck, label %on
stuck:
  %count64 = zext i32 %count to i64
  %thread = load i32, ptr %thread.p
  call void @heddle.stuck(ptr %launch, ptr %worker, i32 %report, i64 %count64, i32 %thread)
  unreachable
on:
  store i32 %next, ptr %cur.p
  %cur64 = zext i32 %cur to i64
  %next64 = zext i32 %next to i64
  %me = call ptr @heddle.fiber(ptr %worker, i64 %cur64)
  %it = call ptr @heddle.fiber(ptr %worker, i64 %next64)
  call void @heddle.swap(ptr %me, ptr %it)
  unreachable
}

; parted is a barrier that only the lanes of mask reach.
define internal void @heddle.parted(ptr %launch, ptr %worker, i32 %site, i64 %mask) cold noinline noreturn nounwind {
  $ARRIVE
  %first = call i32 @heddle.first(ptr %worker)
  %some = call i64 @llvm.ctpop.i64(i64 %mask)
  %some32 = trunc i64 %some to i32
  %lane = call i64 @llvm.cttz.i64(i64 %mask, i1 false)
  %lane32 = trunc i64 %lane to i32
  %who = add i32 %first, %lane32
  call void @heddle.diverge(ptr %launch, ptr %worker, i32 %site, i32 %some32, i32 %who, i1 true)
  unreachable
}

; differ is a barrier that the whole gang reaches while others wait at another, or have returned.
define internal void @heddle.differ(ptr %launch, ptr %worker, i32 %site) cold noinline noreturn nounwind {
  %first = call i32 @heddle.first(ptr %worker)
  %threads = call i32 @heddle.threads(ptr %launch)
  %left = sub i32 %threads, %first
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  %full = icmp ult i32 %lanes, %left
  %some = select i1 %full, i32 %lanes, i32 %left
  call void @heddle.diverge(ptr %launch, ptr %worker, i32 %site, i32 %some, i32 %first, i1 false)
  unreachable
}

; first is the first thread of the gang that runs.
define internal i32 @heddle.first(ptr %worker) alwaysinline nounwind {
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  %lo = call i32 @heddle.lo(ptr %worker)
  %in = sub i32 %cur, %lo
  %first = mul i32 %in, %lanes
  ret i32 %first
}

; pause is the barrier, for a gang of which all lanes have reached it: the
; next gang's turn comes, and after the last one the first one's again.
define internal void @heddle.pause(ptr %launch, ptr %worker, i32 %site) noinline nounwind {
  $ARRIVE
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %site.p = getelementptr i8, ptr %worker, i64 68
  %where = load i32, ptr %site.p
  %lo = call i32 @heddle.lo(ptr %worker)
  %begins = icmp eq i32 %cur, %lo
  %at = select i1 %begins, i32 %site, i32 %where
  %same = icmp eq i32 %at, %site
  br i1 %same, label %go, label %differ
differ:
  call void @heddle.differ(ptr %launch, ptr %worker, i32 %site)
  unreachable
go:
  store i32 %site, ptr %site.p
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  %gangs = load i32, ptr %gangs.p
  %next1 = add i32 %cur, 1
  %wraps = icmp eq i32 %next1, %gangs
  %next = select i1 %wraps, i32 %lo, i32 %next1
  store i32 %next, ptr %cur.p
  $REOPEN
  %cur64 = zext i32 %cur to i64
  %next64 = zext i32 %next to i64
  %me = call ptr @heddle.fiber(ptr %worker, i64 %cur64)
  %it = call ptr @heddle.fiber(ptr %worker, i64 %next64)
  tail call void @heddle.swap(ptr %me, ptr %it)
  ret void
}

; wait is pause for the lanes of mask in a gang that has the lanes of full.
define internal void @heddle.wait(ptr %launch, ptr %worker, i32 %site, i64 %mask, i64 %full) alwaysinline nounwind {
  %whole = icmp eq i64 %mask, %full
  br i1 %whole, label %arrive, label %parted
parted:
  call void @heddle.parted(ptr %launch, ptr %worker, i32 %site, i64 %mask)
  unreachable
arrive:
  call void @heddle.pause(ptr %launch, ptr %worker, i32 %site)
  ret void
}

; count is a barrier that returns in how many threads of the block pred held. The
; last gang to arrive makes the sum known, which all have read when it arrives again.
define internal i32 @heddle.count(ptr %launch, ptr %worker, i32 %site, i64 %mask, i64 %full, i64 %pred) noinline nounwind {
  $ARRIVE
  %true = and i64 %pred, %mask
  %votes64 = call i64 @llvm.ctpop.i64(i64 %true)
  %votes = trunc i64 %votes64 to i32
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %acc.p = getelementptr i8, ptr %worker, i64 64
  %acc = load i32, ptr %acc.p
  %lo = call i32 @heddle.lo(ptr %worker)
  %begins = icmp eq i32 %cur, %lo
  %before = select i1 %begins, i32 0, i32 %acc
  %sum = add i32 %before, %votes
  store i32 %sum, ptr %acc.p
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  %gangs = load i32, ptr %gangs.p
  %next = add i32 %cur, 1
  %last = icmp eq i32 %next, %gangs
  %result.p = getelementptr i8, ptr %worker, i64 72
  br i1 %last, label %known, label %go
known:
  store i32 %sum, ptr %result.p
  br label %go
go:
  call void @heddle.wait(ptr %launch, ptr %worker, i32 %site, i64 %mask, i64 %full)
  %n = load i32, ptr %result.p
  ret i32 %n
}

; gangmain is a gang of a block with barriers, on a stack of its own.
define internal void @heddle.gangmain(ptr %launch, ptr %worker) nounwind {
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %threads = call i32 @heddle.threads(ptr %launch)
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  $WHERE
  %all = icmp eq i32 %lanes, $WHOLE
  br i1 %all, label %block, label %part
block:
  call void @heddle.gang.block(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %lin, i32 %threads)
  br label %returned
part:
  %many = icmp ne i32 %lanes, $LANES
  br i1 %many, label %wide, label %narrow
wide:
  call void @heddle.gang.wide(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %lin, i32 %threads)
  br label %returned
narrow:
  call void @heddle.gang(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %lin, i32 %threads)
  br label %returned
returned:
  $ARRIVE
  %site.p = getelementptr i8, ptr %worker, i64 68
  %where = load i32, ptr %site.p
  %lo = call i32 @heddle.lo(ptr %worker)
  %begins = icmp eq i32 %cur, %lo
  %gone = icmp eq i32 %where, -1
  %fine = or i1 %begins, %gone
  br i1 %fine, label %ok, label %stuck
stuck:
  call void @heddle.diverge(ptr %launch, ptr %worker, i32 -1, i32 0, i32 0, i1 false)
  unreachable
ok:
  store i32 -1, ptr %site.p
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  %gangs = load i32, ptr %gangs.p
  %next1 = add i32 %cur, 1
  %end = icmp eq i32 %next1, %gangs
  br i1 %end, label %last, label %next
last:
  %more = call i1 @heddle.nextblock(ptr %worker)
  br i1 %more, label %next, label %leave
leave:
  call void @heddle.leave(ptr %worker)
  unreachable
next:
  store i32 %next1, ptr %cur.p
  %cur64 = zext i32 %cur to i64
  %next64 = zext i32 %next1 to i64
  %me = call ptr @heddle.fiber(ptr %worker, i64 %cur64)
  %it = call ptr @heddle.fiber(ptr %worker, i64 %next64)
  call void @heddle.swap(ptr %me, ptr %it)
  unreachable
}
`
