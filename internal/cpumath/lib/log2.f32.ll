define float @heddle.math.log2.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = call float @heddle_heddle_internal_cpumath_binary32(i32 %2)
	%4 = call i1 @heddle_heddle_internal_cpumath_unusualLog32(float %x.0)
	br i1 %4, label %5, label %9

5:
	%6 = call i32 @heddle_heddle_internal_cpumath_normal32(float %x.0)
	%7 = call float @heddle_heddle_internal_cpumath_binary32(i32 %6)
	%8 = call float @heddle_heddle_internal_cpumath_edgeLog32(float %x.0, float %7)
	br label %9

9:
	%10 = phi float [ %3, %1 ], [ %8, %5 ]
	ret float %10
}

define internal float @heddle_heddle_internal_cpumath_binary32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { float, float } @heddle_heddle_internal_cpumath_reduceLog32(i32 %bits.0)
	%3 = extractvalue { float, float } %2, 0
	%4 = extractvalue { float, float } %2, 1
	%5 = fmul contract float 0xBFC80AD860000000, %3
	%6 = fadd contract float %5, 0x3FCA03AD40000000
	%7 = fmul contract float %6, %3
	%8 = fsub contract float %7, 0x3FC66F04E0000000
	%9 = fmul contract float %8, %3
	%10 = fadd contract float %9, 0x3FC9D14500000000
	%11 = fmul contract float %10, %3
	%12 = fsub contract float %11, 0x3FCECF3FE0000000
	%13 = fmul contract float %12, %3
	%14 = fadd contract float %13, 0x3FD27A5C60000000
	%15 = fmul contract float %14, %3
	%16 = fsub contract float %15, 0x3FD7153280000000
	%17 = fmul contract float %16, %3
	%18 = fadd contract float %17, 0x3FDEC6FF40000000
	%19 = fmul contract float %18, %3
	%20 = fsub contract float %19, 0x3FE7154780000000
	%21 = fmul contract float %20, %3
	%22 = fadd contract float %21, 0x3FDC551DA0000000
	%23 = fadd contract float %4, %3
	%24 = fmul contract float %3, %22
	%25 = fadd contract float %23, %24
	ret float %25
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

define internal i32 @heddle_heddle_internal_cpumath_exponentLog32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = sub i32 %bits.0, 1059760811
	%3 = ashr i32 %2, 23
	ret i32 %3
}


