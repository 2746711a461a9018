define float @heddle.math.exp10.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fmul contract float %x.0, 0x400A934F00000000
	%3 = fadd contract float %2, 0x4168000000000000
	%4 = fsub contract float %3, 0x4168000000000000
	%5 = fmul contract float %4, 0x3FD3440000000000
	%6 = fsub contract float %x.0, %5
	%7 = fmul contract float %4, 0x3ED3509F80000000
	%8 = fsub contract float %6, %7
	%9 = fmul contract float 0x3FCAD30B20000000, %8
	%10 = fadd contract float %9, 0x3FE15AE3C0000000
	%11 = fmul contract float %10, %8
	%12 = fadd contract float %11, 0x3FF2BD3E40000000
	%13 = fmul contract float %12, %8
	%14 = fadd contract float %13, 0x400046F240000000
	%15 = fmul contract float %14, %8
	%16 = fadd contract float %15, 0x40053524E0000000
	%17 = fmul contract float %16, %8
	%18 = fadd contract float %17, 0x3FD35D8DE0000000
	%19 = fmul contract float 0x4000000000000000, %8
	%20 = fmul contract float %8, %18
	%21 = fadd contract float %19, %20
	%22 = fadd contract float 0x3FF0000000000000, %21
	%23 = call float @heddle_heddle_internal_cpumath_addExponent32(float %22, float %3)
	%24 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%25 = fcmp ole float %24, 0x4042C00000000000
	br i1 %25, label %28, label %26

26:
	%27 = call float @heddle_heddle_internal_cpumath_edge32(float %22, float %3, float %x.0, float 0xC047000000000000, float 0x4043800000000000)
	br label %28

28:
	%29 = phi float [ %23, %1 ], [ %27, %26 ]
	ret float %29
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

define internal float @heddle_heddle_internal_cpumath_edge32(float %p.0, float %t.1, float %x.2, float %low.3, float %high.4) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call i32 @heddle_heddle_internal_cpumath_wholePart32(float %t.1)
	%3 = call float @heddle_heddle_internal_cpumath_scale32(float %p.0, i32 %2)
	%4 = fcmp olt float %x.2, %low.3
	br i1 %4, label %5, label %6

5:
	br label %6

6:
	%7 = phi float [ %3, %1 ], [ 0x0000000000000000, %5 ]
	%8 = fcmp ogt float %x.2, %high.4
	br i1 %8, label %9, label %11

9:
	%10 = call float @heddle_heddle_internal_cpumath_infinity32()
	br label %11

11:
	%12 = phi float [ %7, %6 ], [ %10, %9 ]
	ret float %12
}

define internal i32 @heddle_heddle_internal_cpumath_wholePart32(float %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %t.0 to i32
	%3 = sub i32 %2, 1262485504
	ret i32 %3
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

define internal float @heddle_heddle_internal_cpumath_power32(i32 %n.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = add i32 %n.0, 127
	%3 = shl i32 %2, 23
	%4 = bitcast i32 %3 to float
	ret float %4
}


