package spmd

// barrierIR is how the gangs of a block wait for each other. They run in turn, each
// until it waits or returns, in the order of their threads; so at a barrier a gang
// needs to look only at where the first one waits.
const barrierIR = `
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1 immarg)

; parted reports a barrier that only the lanes of mask reach.
define internal void @heddle.parted(ptr %launch, ptr %worker, i32 %site, i64 %mask) cold noinline noreturn nounwind {
  %first = call i32 @heddle.first(ptr %worker)
  %some = call i64 @llvm.ctpop.i64(i64 %mask)
  %lane = call i64 @llvm.cttz.i64(i64 %mask, i1 false)
  %lane32 = trunc i64 %lane to i32
  %who = add i32 %first, %lane32
  call void @heddle.stuck(ptr %launch, ptr %worker, i32 %site, i64 %some, i32 %who)
  unreachable
}

; differ reports a barrier that the gang reaches while others wait at another, or have returned.
define internal void @heddle.differ(ptr %launch, ptr %worker, i32 %site) cold noinline noreturn nounwind {
  %first = call i32 @heddle.first(ptr %worker)
  %site.p = getelementptr i8, ptr %worker, i64 68
  %where = load i32, ptr %site.p
  %gone = icmp eq i32 %where, -1
  %others = select i1 %gone, i32 0, i32 %first
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  %all = add i32 %others, %lanes
  %all64 = zext i32 %all to i64
  call void @heddle.stuck(ptr %launch, ptr %worker, i32 %site, i64 %all64, i32 %first)
  unreachable
}

; first is the first thread of the gang that runs.
define internal i32 @heddle.first(ptr %worker) alwaysinline nounwind {
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  %first = mul i32 %cur, %lanes
  ret i32 %first
}

; pause is the barrier, for a gang of which all lanes have reached it: the
; next gang's turn comes, and after the last one the first one's again.
define internal void @heddle.pause(ptr %launch, ptr %worker, i32 %site) noinline nounwind {
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %site.p = getelementptr i8, ptr %worker, i64 68
  %where = load i32, ptr %site.p
  %begins = icmp eq i32 %cur, 0
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
  %next = select i1 %wraps, i32 0, i32 %next1
  store i32 %next, ptr %cur.p
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
  %true = and i64 %pred, %mask
  %votes64 = call i64 @llvm.ctpop.i64(i64 %true)
  %votes = trunc i64 %votes64 to i32
  %cur.p = getelementptr i8, ptr %worker, i64 52
  %cur = load i32, ptr %cur.p
  %acc.p = getelementptr i8, ptr %worker, i64 64
  %acc = load i32, ptr %acc.p
  %begins = icmp eq i32 %cur, 0
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
  %bx.p = getelementptr i8, ptr %worker, i64 88
  %bx = load i32, ptr %bx.p
  %by.p = getelementptr i8, ptr %worker, i64 92
  %by = load i32, ptr %by.p
  %bz.p = getelementptr i8, ptr %worker, i64 96
  %bz = load i32, ptr %bz.p
  %threads = call i32 @heddle.threads(ptr %launch)
  %lin = call i32 @heddle.first(ptr %worker)
  %lanes.p = getelementptr i8, ptr %worker, i64 60
  %lanes = load i32, ptr %lanes.p
  %many = icmp ne i32 %lanes, $LANES
  br i1 %many, label %wide, label %narrow
wide:
  call void @heddle.gang.wide(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %lin, i32 %threads)
  br label %returned
narrow:
  call void @heddle.gang(ptr %launch, ptr %worker, i32 %bx, i32 %by, i32 %bz, i32 %lin, i32 %threads)
  br label %returned
returned:
  %site.p = getelementptr i8, ptr %worker, i64 68
  %where = load i32, ptr %site.p
  %begins = icmp eq i32 %cur, 0
  %gone = icmp eq i32 %where, -1
  %fine = or i1 %begins, %gone
  br i1 %fine, label %ok, label %stuck
stuck:
  %n64 = zext i32 %lin to i64
  call void @heddle.stuck(ptr %launch, ptr %worker, i32 %where, i64 %n64, i32 0)
  unreachable
ok:
  store i32 -1, ptr %site.p
  %gangs.p = getelementptr i8, ptr %worker, i64 56
  %gangs = load i32, ptr %gangs.p
  %next1 = add i32 %cur, 1
  %all = icmp eq i32 %next1, %gangs
  br i1 %all, label %last, label %next
last:
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
