define void @k(ptr %out, i64 %n) {
entry:
  %l = call i32 @heddle.lane(), !range !0
  %t = call i32 @heddle.thread.x(), !range !1
  %w = lshr i32 %t, 5
  %low = and i32 %t, 31
  %s = call ptr @heddle.shared(i64 0)
  %w64 = zext i32 %w to i64
  %p = getelementptr i32, ptr %s, i64 %w64
  %up = call i32 @heddle.shuffle.down(i32 %low, i64 16, i64 32)
  %sum = add i32 %up, %low
  %first = icmp eq i32 %l, 0
  br i1 %first, label %write, label %join

write:
  store i32 %sum, ptr %p, align 4
  br label %join

join:
  call void @heddle.barrier(i32 3)
  %v = load i32, ptr %s, align 4
  %t64 = zext i32 %t to i64
  %bad = icmp uge i64 %t64, %n
  br i1 %bad, label %fail, label %ok

fail:
  call void @heddle.panic(i32 0, i64 %t64, i64 %n)
  unreachable

ok:
  %q = getelementptr i32, ptr %out, i64 %t64
  store i32 %v, ptr %q, align 4
  ret void
}

declare i32 @heddle.lane()
declare i32 @heddle.thread.x()
declare ptr @heddle.shared(i64)
declare i32 @heddle.shuffle.down(i32, i64, i64)
declare void @heddle.barrier(i32)
declare void @heddle.panic(i32, i64, i64)

!0 = !{i32 0, i32 32}
!1 = !{i32 0, i32 1024}
