define float @heddle.math.rsqrt.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_rsqrt32(float %x.0)
	%3 = call i1 @heddle_heddle_internal_cpumath_unusualLog32(float %x.0)
	br i1 %3, label %4, label %6

4:
	%5 = call float @heddle_heddle_internal_cpumath_edgeRsqrt32(float %x.0)
	br label %6

6:
	%7 = phi float [ %2, %1 ], [ %5, %4 ]
	ret float %7
}

define internal float @heddle_heddle_internal_cpumath_rsqrt32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_estimateRsqrt32(float %x.0)
	%3 = call float @heddle_heddle_internal_cpumath_halley32(float %x.0, float %2)
	ret float %3
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

define internal float @heddle_heddle_internal_cpumath_edgeRsqrt32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float %x.0, 0x4170000000000000
	%3 = call float @heddle_heddle_internal_cpumath_rsqrt32(float %2)
	%4 = fmul contract float %3, 0x40B0000000000000
	%5 = fcmp oeq float %x.0, 0x0000000000000000
	br i1 %5, label %6, label %10

6:
	%7 = bitcast float %x.0 to i32
	%8 = or i32 %7, 2139095040
	%9 = bitcast i32 %8 to float
	br label %10

10:
	%11 = phi float [ %4, %1 ], [ %9, %6 ]
	%12 = fcmp ogt float %x.0, 0x47EFFFFFE0000000
	br i1 %12, label %13, label %14

13:
	br label %14

14:
	%15 = phi float [ %11, %10 ], [ 0x0000000000000000, %13 ]
	%16 = fcmp oge float %x.0, 0x0000000000000000
	br i1 %16, label %19, label %17

17:
	%18 = call float @heddle_heddle_internal_cpumath_nan32()
	br label %19

19:
	%20 = phi float [ %15, %14 ], [ %18, %17 ]
	ret float %20
}

define internal float @heddle_heddle_internal_cpumath_estimateRsqrt32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = lshr i32 %2, 1
	%4 = sub i32 1597463174, %3
	%5 = bitcast i32 %4 to float
	%6 = call float @heddle_heddle_internal_cpumath_halley32(float %x.0, float %5)
	ret float %6
}

define internal float @heddle_heddle_internal_cpumath_halley32(float %x.0, float %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float %x.0, %y.1
	%3 = fmul contract float %2, %y.1
	%4 = fsub contract float 0x3FF0000000000000, %3
	%5 = fmul contract float 0x3FD8000000000000, %4
	%6 = fadd contract float 0x3FE0000000000000, %5
	%7 = fmul contract float %4, %6
	%8 = fmul contract float %y.1, %7
	%9 = fadd contract float %y.1, %8
	ret float %9
}

define internal float @heddle_heddle_internal_cpumath_nan32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2143289344 to float
	ret float %2
}


