define float @heddle.math.rsqrt.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = lshr i32 %2, 1
	%4 = sub i32 1597463174, %3
	%5 = bitcast i32 %4 to float
	%6 = fmul contract float %x.0, %5
	%7 = fmul contract float %6, %5
	%8 = fsub contract float 0x3FF0000000000000, %7
	%9 = fmul contract float 0x3FD8000000000000, %8
	%10 = fadd contract float 0x3FE0000000000000, %9
	%11 = fmul contract float %8, %10
	%12 = fmul contract float %5, %11
	%13 = fadd contract float %5, %12
	%14 = fmul contract float %x.0, %13
	%15 = fmul contract float %14, %13
	%16 = fsub contract float 0x3FF0000000000000, %15
	%17 = fmul contract float 0x3FD8000000000000, %16
	%18 = fadd contract float 0x3FE0000000000000, %17
	%19 = fmul contract float %16, %18
	%20 = fmul contract float %13, %19
	%21 = fadd contract float %13, %20
	%22 = call i1 @heddle_heddle_internal_cpumath_unusualLog32(float %x.0)
	br i1 %22, label %23, label %28

23:
	%24 = fpext float %x.0 to double
	%25 = call double @llvm.sqrt.f64(double %24)
	%26 = fptrunc double %25 to float
	%27 = fdiv float 0x3FF0000000000000, %26
	br label %28

28:
	%29 = phi float [ %21, %1 ], [ %27, %23 ]
	ret float %29
}

define internal i1 @heddle_heddle_internal_cpumath_unusualLog32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = sub i32 %2, 8388608
	%4 = icmp uge i32 %3, 2130706432
	ret i1 %4
}

declare double @llvm.sqrt.f64(double %0)


