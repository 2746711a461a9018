; Values of many types through branches, aggregates and constants.
%slice = type { ptr, i64, i64 }
%rec = type <{ i8, %slice, [2 x half] }>

@zero = internal global %rec zeroinitializer, align 1
@words = private unnamed_addr constant [3 x i16] [i16 1, i16 -2, i16 3]
@"quoted name" = internal global ptr getelementptr inbounds (i8, ptr @zero, i64 9), align 8
@text = private constant [4 x i8] c"a\22;\00"

define internal fastcc %slice @part(%slice %s, i64 %lo, i64 noundef %hi) noinline {
  %1 = extractvalue %slice %s, 0
  %2 = getelementptr inbounds i32, ptr %1, i64 %lo
  %3 = sub nuw i64 %hi, %lo
  %4 = insertvalue %slice poison, ptr %2, 0
  %5 = insertvalue %slice %4, i64 %3, 1
  %6 = insertvalue %slice %5, i64 %3, 2
  ret %slice %6
}

define i64 @user(ptr %p, i64 %n, i128 %big, x86_fp80 %odd) {
  %s0 = insertvalue %slice undef, ptr %p, 0
  %s1 = insertvalue %slice %s0, i64 %n, 1
  %s2 = insertvalue %slice %s1, i64 %n, 2
  %t = call fastcc %slice @part(%slice %s2, i64 1, i64 noundef %n)
  %len = extractvalue %slice %t, 1
  %q = load ptr, ptr @"quoted name", align 8
  %v = load volatile i16, ptr %q, align 2
  %w = sext i16 %v to i64
  %neg = icmp slt i64 %w, 0
  %r = select i1 %neg, i64 %len, i64 %w
  %h = trunc i128 %big to i64
  %o = fptosi x86_fp80 %odd to i64
  %sum = add i64 %h, %o
  %both = xor i64 %sum, %r
  %gp = getelementptr %rec, ptr @zero, i64 0, i32 2, i64 1
  %half = load half, ptr %gp, align 1
  %wide = fpext half %half to double
  %c = fcmp ult double %wide, 0x3FB999999999999A
  br i1 %c, label %a, label %b

a:
  %x = freeze i64 %both
  %fs = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %x, i64 %n)
  %over = extractvalue { i64, i1 } %fs, 1
  br i1 %over, label %trap, label %b

trap:
  call void @llvm.trap()
  unreachable

b:
  %y = phi i64 [ %both, %0 ], [ %x, %a ]
  %z = call i64 @llvm.umin.i64(i64 %y, i64 %n)
  ret i64 %z
}

define <4 x float> @vector(<4 x float> %a, <4 x i32> %b, float %s, i32 %i) {
  %f = sitofp <4 x i32> %b to <4 x float>
  %m = fcmp fast ogt <4 x float> %a, %f
  %r = select <4 x i1> %m, <4 x float> %a, <4 x float> %f
  %e = extractelement <4 x float> %r, i32 %i
  %t = fadd float %e, %s
  %u = insertelement <4 x float> %r, float %t, i32 2
  %v = shufflevector <4 x float> %u, <4 x float> %a, <4 x i32> <i32 0, i32 5, i32 poison, i32 7>
  %w = fmul <4 x float> %v, <float 1.0, float 2.0, float 0x3FB99999A0000000, float 4.0>
  %n = fneg <4 x float> %w
  ret <4 x float> %n
}

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.trap()
