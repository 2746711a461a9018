; Lanes leave the loop in different iterations; the count is the same in all
; that are still in it.
define void @k(ptr %out, i32 %limit) {
entry:
  %t = call i32 @heddle.thread.x(), !range !0
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = phi i32 [ %t, %entry ], [ %half, %latch ]
  %end = icmp eq i32 %i, %limit
  br i1 %end, label %exit, label %body

body:
  %half = lshr i32 %v, 1
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %exit, label %latch

latch:
  %next = add i32 %i, 1
  br label %head

exit:
  %count = phi i32 [ %limit, %head ], [ %i, %body ]
  %t64 = zext i32 %t to i64
  %p = getelementptr i32, ptr %out, i64 %t64
  store i32 %count, ptr %p, align 4
  ret void
}

declare i32 @heddle.thread.x()

!0 = !{i32 0, i32 1024}
