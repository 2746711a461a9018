define float @heddle.math.expm1.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fcmp olt float %x.0, 0xC03E000000000000
	br i1 %2, label %3, label %4

3:
	br label %4

4:
	%5 = phi float [ %x.0, %1 ], [ 0xC03E000000000000, %3 ]
	%6 = fcmp ogt float %5, 0x4056400000000000
	br i1 %6, label %7, label %8

7:
	br label %8

8:
	%9 = phi float [ %5, %4 ], [ 0x4056400000000000, %7 ]
	%10 = call { float, float } @heddle_heddle_internal_cpumath_reduceExp32(float %9)
	%11 = extractvalue { float, float } %10, 0
	%12 = extractvalue { float, float } %10, 1
	%13 = fmul contract float 0x3F56A232E0000000, %11
	%14 = fadd contract float %13, 0x3F8123A640000000
	%15 = fmul contract float %14, %11
	%16 = fadd contract float %15, 0x3FA5558F60000000
	%17 = fmul contract float %16, %11
	%18 = fadd contract float %17, 0x3FC5554900000000
	%19 = fmul contract float %18, %11
	%20 = fadd contract float %19, 0x3FDFFFFFC0000000
	%21 = fmul contract float %11, %11
	%22 = fmul contract float %21, %20
	%23 = call i32 @heddle_heddle_internal_cpumath_wholePart32(float %12)
	%24 = icmp sgt i32 %23, 126
	br i1 %24, label %25, label %26

25:
	br label %26

26:
	%27 = phi i32 [ %23, %8 ], [ 126, %25 ]
	%28 = sub i32 0, %27
	%29 = call float @heddle_heddle_internal_cpumath_power32(i32 %28)
	%30 = fsub contract float 0x3FF0000000000000, %29
	%31 = fadd contract float %30, %11
	%32 = fsub contract float %31, %30
	%33 = fsub contract float %11, %32
	%34 = fadd contract float %33, %22
	%35 = fadd contract float %31, %34
	%36 = call float @heddle_heddle_internal_cpumath_scale32(float %35, i32 %23)
	%37 = fcmp ogt float %x.0, 0x4056333340000000
	br i1 %37, label %38, label %40

38:
	%39 = call float @heddle_heddle_internal_cpumath_infinity32()
	br label %40

40:
	%41 = phi float [ %36, %26 ], [ %39, %38 ]
	%42 = fcmp oeq float %x.0, 0x0000000000000000
	br i1 %42, label %43, label %46

43:
	br label %44

44:
	%45 = phi float [ %41, %46 ], [ %x.0, %43 ]
	ret float %45

46:
	%47 = fcmp une float %x.0, %x.0
	br i1 %47, label %43, label %44
}

define internal { float, float } @heddle_heddle_internal_cpumath_reduceExp32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float %x.0, 0x3FF7154760000000
	%3 = fadd contract float %2, 0x4168000000000000
	%4 = fsub contract float %3, 0x4168000000000000
	%5 = fmul contract float %4, 0x3FE6300000000000
	%6 = fsub contract float %x.0, %5
	%7 = fmul contract float %4, 0xBF2BD01060000000
	%8 = fsub contract float %6, %7
	%9 = insertvalue { float, float } poison, float %8, 0
	%10 = insertvalue { float, float } %9, float %3, 1
	ret { float, float } %10
}

define internal i32 @heddle_heddle_internal_cpumath_wholePart32(float %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %t.0 to i32
	%3 = sub i32 %2, 1262485504
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

define internal float @heddle_heddle_internal_cpumath_scale32(float %y.0, i32 %n.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = ashr i32 %n.1, 1
	%3 = call float @heddle_heddle_internal_cpumath_power32(i32 %2)
	%4 = fmul contract float %y.0, %3
	%5 = sub i32 %n.1, %2
	%6 = call float @heddle_heddle_internal_cpumath_power32(i32 %5)
	%7 = fmul contract float %4, %6
	ret float %7
}

define internal float @heddle_heddle_internal_cpumath_infinity32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2139095040 to float
	ret float %2
}


