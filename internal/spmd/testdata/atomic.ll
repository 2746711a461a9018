define void @k(ptr %p, ptr %x, i64 %n) {
entry:
  %t = call i32 @heddle.thread.x(), !range !0
  %t64 = zext i32 %t to i64
  %inside = icmp ult i64 %t64, %n
  br i1 %inside, label %then, label %done

then:
  %xp = getelementptr inbounds float, ptr %x, i64 %t64
  %xv = load float, ptr %xp, align 4
  %old = atomicrmw fsub ptr %p, float %xv monotonic
  store float %old, ptr %xp, align 4
  br label %done

done:
  ret void
}

declare i32 @heddle.thread.x()

!0 = !{i32 0, i32 1024}
