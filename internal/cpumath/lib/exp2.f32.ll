define float @heddle.math.exp2.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fadd contract float %x.0, 0x4168000000000000
	%3 = fsub contract float %2, 0x4168000000000000
	%4 = fsub contract float %x.0, %3
	%5 = call float @heddle_heddle_internal_cpumath_power2of32(float %4)
	%6 = call float @heddle_heddle_internal_cpumath_addExponent32(float %5, float %2)
	%7 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%8 = fcmp ole float %7, 0x405F800000000000
	br i1 %8, label %11, label %9

9:
	%10 = call float @heddle_heddle_internal_cpumath_edge32(float %5, float %2, float %x.0, float 0xC062E00000000000, float 0x4060100000000000)
	br label %11

11:
	%12 = phi float [ %6, %1 ], [ %10, %9 ]
	ret float %12
}

define internal float @heddle_heddle_internal_cpumath_power2of32(float %f.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float 0x3F2470BB00000000, %f.0
	%3 = fadd contract float %2, 0x3F55F735E0000000
	%4 = fmul contract float %3, %f.0
	%5 = fadd contract float %4, 0x3F83B270E0000000
	%6 = fmul contract float %5, %f.0
	%7 = fadd contract float %6, 0x3FAC6AE700000000
	%8 = fmul contract float %7, %f.0
	%9 = fadd contract float %8, 0x3FCEBFBE20000000
	%10 = fmul contract float %9, %f.0
	%11 = fadd contract float %10, 0x3FC8B90C00000000
	%12 = fmul contract float 0x3FE0000000000000, %f.0
	%13 = fmul contract float %f.0, %11
	%14 = fadd contract float %12, %13
	%15 = fadd contract float 0x3FF0000000000000, %14
	ret float %15
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


