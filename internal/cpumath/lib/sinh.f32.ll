define float @heddle.math.sinh.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%3 = fmul contract float %2, %2
	%4 = fmul contract float 0x3EC756C1A0000000, %3
	%5 = fadd contract float %4, 0x3F2A022BC0000000
	%6 = fmul contract float %5, %3
	%7 = fadd contract float %6, 0x3F81110E00000000
	%8 = fmul contract float %7, %3
	%9 = fadd contract float %8, 0x3FC5555560000000
	%10 = fmul contract float %2, %3
	%11 = fmul contract float %10, %9
	%12 = fadd contract float %2, %11
	%13 = call float @heddle_heddle_internal_cpumath_half32(float %2)
	%14 = fdiv float 0x3FD0000000000000, %13
	%15 = fsub contract float %13, %14
	%16 = fcmp olt float %2, 0x3FF0000000000000
	br i1 %16, label %17, label %18

17:
	br label %18

18:
	%19 = phi float [ %15, %1 ], [ %12, %17 ]
	%20 = call float @heddle_heddle_internal_cpumath_signed32(float %19, float %x.0)
	ret float %20
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

define internal float @heddle_heddle_internal_cpumath_half32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp ogt float %x.0, 0x4056C00000000000
	br i1 %2, label %3, label %4

3:
	br label %4

4:
	%5 = phi float [ %x.0, %1 ], [ 0x4056C00000000000, %3 ]
	%6 = call { float, float } @heddle_heddle_internal_cpumath_reduceExp32(float %5)
	%7 = extractvalue { float, float } %6, 0
	%8 = extractvalue { float, float } %6, 1
	%9 = call i32 @heddle_heddle_internal_cpumath_wholePart32(float %8)
	%10 = call float @heddle_heddle_internal_cpumath_exponential32(float %7)
	%11 = sub i32 %9, 1
	%12 = call float @heddle_heddle_internal_cpumath_scale32(float %10, i32 %11)
	ret float %12
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

define internal i32 @heddle_heddle_internal_cpumath_wholePart32(float %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %t.0 to i32
	%3 = sub i32 %2, 1262485504
	ret i32 %3
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

define internal float @heddle_heddle_internal_cpumath_power32(i32 %n.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = add i32 %n.0, 127
	%3 = shl i32 %2, 23
	%4 = bitcast i32 %3 to float
	ret float %4
}


