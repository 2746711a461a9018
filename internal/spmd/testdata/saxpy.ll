define void @k(float %a, ptr %x, ptr %y, i64 %n) {
entry:
  %b = call i32 @heddle.block.x(), !range !0
  %d = call i32 @heddle.dim.x(), !range !1
  %t = call i32 @heddle.thread.x(), !range !2
  %b64 = zext i32 %b to i64
  %d64 = zext i32 %d to i64
  %start = mul nuw nsw i64 %b64, %d64
  %t64 = zext i32 %t to i64
  %i = add nuw nsw i64 %start, %t64
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %then, label %done

then:
  %xp = getelementptr inbounds float, ptr %x, i64 %i
  %xv = load float, ptr %xp, align 4
  %m = fmul contract float %a, %xv
  %yp = getelementptr inbounds float, ptr %y, i64 %i
  %yv = load float, ptr %yp, align 4
  %s = fadd contract float %m, %yv
  store float %s, ptr %yp, align 4
  br label %done

done:
  ret void
}

declare i32 @heddle.block.x()
declare i32 @heddle.dim.x()
declare i32 @heddle.thread.x()

!0 = !{i32 0, i32 2147483647}
!1 = !{i32 1, i32 1025}
!2 = !{i32 0, i32 1024}
