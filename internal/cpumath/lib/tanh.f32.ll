define float @heddle.math.tanh.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%3 = fmul contract float %2, %2
	%4 = fmul contract float 0xBF774FB220000000, %3
	%5 = fadd contract float %4, 0x3F951F5720000000
	%6 = fmul contract float %5, %3
	%7 = fsub contract float %6, 0x3FAB8353C0000000
	%8 = fmul contract float %7, %3
	%9 = fadd contract float %8, 0x3FC1106F40000000
	%10 = fmul contract float %9, %3
	%11 = fsub contract float %10, 0x3FD5555320000000
	%12 = fmul contract float %2, %3
	%13 = fmul contract float %12, %11
	%14 = fadd contract float %2, %13
	%15 = fcmp ogt float %2, 0x4024000000000000
	br i1 %15, label %16, label %17

16:
	br label %17

17:
	%18 = phi float [ %2, %1 ], [ 0x4024000000000000, %16 ]
	%19 = fmul contract float 0x4000000000000000, %18
	%20 = call float @heddle_heddle_internal_cpumath_exp32(float %19)
	%21 = fadd contract float %20, 0x3FF0000000000000
	%22 = fdiv float 0x4000000000000000, %21
	%23 = fsub contract float 0x3FF0000000000000, %22
	%24 = fcmp oge float %18, 0x3FE4000000000000
	br i1 %24, label %26, label %25

25:
	br label %26

26:
	%27 = phi float [ %23, %17 ], [ %14, %25 ]
	%28 = call float @heddle_heddle_internal_cpumath_signed32(float %27, float %x.0)
	ret float %28
}

define internal float @heddle_heddle_internal_cpumath_abs32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = xor i32 -2147483648, -1
	%4 = and i32 %2, %3
	%5 = bitcast i32 %4 to float
	ret float %5
}

define internal float @heddle_heddle_internal_cpumath_exp32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { float, float } @heddle_heddle_internal_cpumath_reduceExp32(float %x.0)
	%3 = extractvalue { float, float } %2, 0
	%4 = extractvalue { float, float } %2, 1
	%5 = call float @heddle_heddle_internal_cpumath_exponential32(float %3)
	%6 = call float @heddle_heddle_internal_cpumath_addExponent32(float %5, float %4)
	ret float %6
}

define internal float @heddle_heddle_internal_cpumath_signed32(float %x.0, float %s.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = xor i32 -2147483648, -1
	%4 = and i32 %2, %3
	%5 = bitcast float %s.1 to i32
	%6 = and i32 %5, -2147483648
	%7 = or i32 %4, %6
	%8 = bitcast i32 %7 to float
	ret float %8
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

define internal float @heddle_heddle_internal_cpumath_exponential32(float %r.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float 0x3F56A232E0000000, %r.0
	%3 = fadd contract float %2, 0x3F8123A640000000
	%4 = fmul contract float %3, %r.0
	%5 = fadd contract float %4, 0x3FA5558F60000000
	%6 = fmul contract float %5, %r.0
	%7 = fadd contract float %6, 0x3FC5554900000000
	%8 = fmul contract float %7, %r.0
	%9 = fadd contract float %8, 0x3FDFFFFFC0000000
	%10 = fmul contract float %r.0, %r.0
	%11 = fmul contract float %10, %9
	%12 = fadd contract float %r.0, %11
	%13 = fadd contract float 0x3FF0000000000000, %12
	ret float %13
}

define internal float @heddle_heddle_internal_cpumath_addExponent32(float %y.0, float %t.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %y.0 to i32
	%3 = bitcast float %t.1 to i32
	%4 = shl i32 %3, 23
	%5 = add i32 %2, %4
	%6 = bitcast i32 %5 to float
	ret float %6
}


