define float @heddle.math.hypot.f32(float %x.0, float %y.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fpext float %x.0 to double
	%3 = fpext float %y.1 to double
	%4 = fmul contract double %2, %2
	%5 = fmul contract double %3, %3
	%6 = fadd contract double %4, %5
	%7 = call double @llvm.sqrt.f64(double %6)
	%8 = fptrunc double %7 to float
	%9 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%10 = fcmp ogt float %9, 0x47EFFFFFE0000000
	br i1 %10, label %11, label %15

11:
	%12 = call float @heddle_heddle_internal_cpumath_infinity32()
	br label %13

13:
	%14 = phi float [ %8, %15 ], [ %12, %11 ]
	ret float %14

15:
	%16 = call float @heddle_heddle_internal_cpumath_abs32(float %y.1)
	%17 = fcmp ogt float %16, 0x47EFFFFFE0000000
	br i1 %17, label %11, label %13
}

declare double @llvm.sqrt.f64(double %0)

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

define internal float @heddle_heddle_internal_cpumath_infinity32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2139095040 to float
	ret float %2
}


