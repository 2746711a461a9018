; One thread of a kernel, in the form that package spmd gets.
@heddle_shared_size = constant i64 64
@heddle_warp = constant i32 32
@table = internal constant [4 x float] [float 1.0, float 2.0, float 4.0, float 8.0]

declare i32 @"heddle.thread.x"() #0
declare i32 @"heddle.block.x"() #0
declare i32 @"heddle.dim.x"() #0
declare ptr @"heddle.shared"(i64) #0
declare void @"heddle.barrier"(i32) #1
declare i64 @"heddle.ballot"(i1) #1
declare void @"heddle.panic"(i32, i64, i64) #2
declare float @"heddle.math.exp.f32"(float) #0

define void @"main.Scale[float32]"(ptr byref({ { ptr, i64, i64 }, float }) align 8 %args) {
entry:
  %tid = call i32 @"heddle.thread.x"(), !range !0
  %block = call i32 @"heddle.block.x"()
  %dim = call i32 @"heddle.dim.x"()
  %base = mul i32 %block, %dim
  %n32 = add i32 %base, %tid
  %n = zext i32 %n32 to i64
  %p = load ptr, ptr %args, align 8
  %lenp = getelementptr i8, ptr %args, i64 8
  %len = load i64, ptr %lenp, align 8
  %scalep = getelementptr { { ptr, i64, i64 }, float }, ptr %args, i64 0, i32 1
  %scale = load float, ptr %scalep, align 4
  %in = icmp ult i64 %n, %len
  br i1 %in, label %loop, label %fail

loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %acc = phi float [ 0.0, %entry ], [ %acc2, %loop ]
  %which = and i32 %i, 3
  %w = zext i32 %which to i64
  %tp = getelementptr [4 x float], ptr @table, i64 0, i64 %w
  %tv = load float, ptr %tp, align 4
  %e = call float @"heddle.math.exp.f32"(float %tv)
  %acc2 = call contract float @llvm.fmuladd.f32(float %e, float %scale, float %acc)
  %i2 = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i2, %tid
  br i1 %more, label %loop, label %out, !llvm.loop !1

out:
  %sh = call ptr @"heddle.shared"(i64 16)
  %at = getelementptr float, ptr %sh, i64 %n
  store float %acc2, ptr %at, align 4
  call void @"heddle.barrier"(i32 3)
  %neg = fcmp olt float %acc2, 0.0
  %mask = call i64 @"heddle.ballot"(i1 %neg)
  %bits = call i64 @llvm.ctpop.i64(i64 %mask)
  %f = uitofp i64 %bits to float
  %q = getelementptr float, ptr %p, i64 %n
  %old = atomicrmw fadd ptr %q, float %f syncscope("agent") monotonic, align 4
  %kind = and i32 %tid, 7
  switch i32 %kind, label %done [
    i32 1, label %one
    i32 2, label %one
    i32 5, label %five
  ]

one:
  store volatile float %old, ptr %q, align 4
  br label %done

five:
  %pair = cmpxchg ptr %q, i32 0, i32 1 acquire monotonic, align 4
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %done, label %one

fail:
  call void @"heddle.panic"(i32 0, i64 %n, i64 %len)
  unreachable

done:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)
declare i64 @llvm.ctpop.i64(i64)

attributes #0 = { nounwind willreturn memory(none) }
attributes #1 = { nounwind convergent }
attributes #2 = { noreturn nounwind cold }

!0 = !{i32 0, i32 1024}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
