define float @heddle.math.log1p.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fadd contract float 0x3FF0000000000000, %x.0
	%3 = fsub contract float %2, 0x3FF0000000000000
	%4 = fsub contract float %x.0, %3
	%5 = fcmp ogt float %x.0, 0x3FF0000000000000
	br i1 %5, label %6, label %9

6:
	%7 = fsub contract float %2, %x.0
	%8 = fsub contract float 0x3FF0000000000000, %7
	br label %9

9:
	%10 = phi float [ %4, %1 ], [ %8, %6 ]
	%11 = bitcast float %2 to i32
	%12 = call { float, float } @heddle_heddle_internal_cpumath_reduceLog32(i32 %11)
	%13 = extractvalue { float, float } %12, 0
	%14 = extractvalue { float, float } %12, 1
	%15 = bitcast float %2 to i32
	%16 = call i32 @heddle_heddle_internal_cpumath_exponentLog32(i32 %15)
	%17 = sub i32 0, %16
	%18 = call float @heddle_heddle_internal_cpumath_power32(i32 %17)
	%19 = fmul contract float %10, %18
	%20 = fcmp oeq float %14, 0x0000000000000000
	br i1 %20, label %21, label %22

21:
	br label %22

22:
	%23 = phi float [ %19, %9 ], [ 0x0000000000000000, %21 ]
	%24 = phi float [ %13, %9 ], [ %x.0, %21 ]
	%25 = fmul contract float %14, 0x3FE6300000000000
	%26 = fmul contract float %14, 0xBF2BD01060000000
	%27 = fmul contract float %23, %24
	%28 = fsub contract float %23, %27
	%29 = fadd contract float %26, %28
	%30 = call float @heddle_heddle_internal_cpumath_log1p32(float %24)
	%31 = fadd contract float %29, %30
	%32 = fadd contract float %24, %31
	%33 = fadd contract float %25, %32
	%34 = fcmp ogt float %x.0, 0xBFF0000000000000
	br i1 %34, label %42, label %35

35:
	%36 = call i32 @heddle_heddle_internal_cpumath_normal32(float %2)
	%37 = call float @heddle_heddle_internal_cpumath_log32(i32 %36)
	%38 = call float @heddle_heddle_internal_cpumath_edgeLog32(float %2, float %37)
	br label %39

39:
	%40 = phi float [ %33, %42 ], [ %38, %35 ]
	%41 = fcmp oeq float %x.0, 0x0000000000000000
	br i1 %41, label %44, label %45

42:
	%43 = fcmp ole float %x.0, 0x47C0000000000000
	br i1 %43, label %39, label %35

44:
	br label %45

45:
	%46 = phi float [ %40, %39 ], [ %x.0, %44 ]
	ret float %46
}

define internal { float, float } @heddle_heddle_internal_cpumath_reduceLog32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call i32 @heddle_heddle_internal_cpumath_exponentLog32(i32 %bits.0)
	%3 = shl i32 %2, 23
	%4 = sub i32 %bits.0, %3
	%5 = bitcast i32 %4 to float
	%6 = fsub contract float %5, 0x3FF0000000000000
	%7 = sitofp i32 %2 to float
	%8 = insertvalue { float, float } poison, float %6, 0
	%9 = insertvalue { float, float } %8, float %7, 1
	ret { float, float } %9
}

define internal i32 @heddle_heddle_internal_cpumath_exponentLog32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = sub i32 %bits.0, 1059760811
	%3 = ashr i32 %2, 23
	ret i32 %3
}

define internal float @heddle_heddle_internal_cpumath_power32(i32 %n.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = add i32 %n.0, 127
	%3 = shl i32 %2, 23
	%4 = bitcast i32 %3 to float
	ret float %4
}

define internal float @heddle_heddle_internal_cpumath_log1p32(float %f.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float 0xBFC080A980000000, %f.0
	%3 = fadd contract float %2, 0x3FC1E655C0000000
	%4 = fmul contract float %3, %f.0
	%5 = fsub contract float %4, 0x3FBF30E9A0000000
	%6 = fmul contract float %5, %f.0
	%7 = fadd contract float %6, 0x3FC1ED75C0000000
	%8 = fmul contract float %7, %f.0
	%9 = fsub contract float %8, 0x3FC559DE80000000
	%10 = fmul contract float %9, %f.0
	%11 = fadd contract float %10, 0x3FC99D0240000000
	%12 = fmul contract float %11, %f.0
	%13 = fsub contract float %12, 0x3FCFFFEF00000000
	%14 = fmul contract float %13, %f.0
	%15 = fadd contract float %14, 0x3FD5555060000000
	%16 = fmul contract float %f.0, %f.0
	%17 = fmul contract float %15, %f.0
	%18 = fsub contract float %17, 0x3FE0000000000000
	%19 = fmul contract float %16, %18
	ret float %19
}

define internal i32 @heddle_heddle_internal_cpumath_normal32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = icmp ult i32 %2, 8388608
	br i1 %3, label %4, label %8

4:
	%5 = fmul contract float %x.0, 0x4160000000000000
	%6 = bitcast float %5 to i32
	%7 = sub i32 %6, 192937984
	br label %8

8:
	%9 = phi i32 [ %2, %1 ], [ %7, %4 ]
	ret i32 %9
}

define internal float @heddle_heddle_internal_cpumath_log32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { float, float } @heddle_heddle_internal_cpumath_reduceLog32(i32 %bits.0)
	%3 = extractvalue { float, float } %2, 0
	%4 = extractvalue { float, float } %2, 1
	%5 = fmul contract float %4, 0x3FE6300000000000
	%6 = fmul contract float %4, 0xBF2BD01060000000
	%7 = call float @heddle_heddle_internal_cpumath_log1p32(float %3)
	%8 = fadd contract float %6, %7
	%9 = fadd contract float %3, %8
	%10 = fadd contract float %5, %9
	ret float %10
}

define internal float @heddle_heddle_internal_cpumath_edgeLog32(float %x.0, float %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp oeq float %x.0, 0x0000000000000000
	br i1 %2, label %3, label %6

3:
	%4 = call float @heddle_heddle_internal_cpumath_infinity32()
	%5 = fneg contract float %4
	br label %6

6:
	%7 = phi float [ %y.1, %1 ], [ %5, %3 ]
	%8 = fcmp olt float %x.0, 0x0000000000000000
	br i1 %8, label %9, label %11

9:
	%10 = call float @heddle_heddle_internal_cpumath_nan32()
	br label %11

11:
	%12 = phi float [ %7, %6 ], [ %10, %9 ]
	%13 = fcmp ole float %x.0, 0x47EFFFFFE0000000
	br i1 %13, label %15, label %14

14:
	br label %15

15:
	%16 = phi float [ %12, %11 ], [ %x.0, %14 ]
	ret float %16
}

define internal float @heddle_heddle_internal_cpumath_infinity32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2139095040 to float
	ret float %2
}

define internal float @heddle_heddle_internal_cpumath_nan32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2143289344 to float
	ret float %2
}


