define float @heddle.math.erf.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%3 = fmul contract float %2, %2
	%4 = fmul contract float 0x3F14777E60000000, %3
	%5 = fsub contract float %4, 0x3F4A352FA0000000
	%6 = fmul contract float %5, %3
	%7 = fadd contract float %6, 0x3F753F2480000000
	%8 = fmul contract float %7, %3
	%9 = fsub contract float %8, 0x3F9B7F71C0000000
	%10 = fmul contract float %9, %3
	%11 = fadd contract float %10, 0x3FBCE2CE60000000
	%12 = fmul contract float %11, %3
	%13 = fsub contract float %12, 0x3FD81273E0000000
	%14 = fmul contract float %13, %3
	%15 = fadd contract float %14, 0x3FC06EBA80000000
	%16 = fmul contract float %2, %15
	%17 = fadd contract float %2, %16
	%18 = fcmp ogt float %2, 0x400F9999A0000000
	br i1 %18, label %19, label %20

19:
	br label %20

20:
	%21 = phi float [ %2, %1 ], [ 0x400F9999A0000000, %19 ]
	%22 = fmul contract float 0xBF286B8B60000000, %21
	%23 = fadd contract float %22, 0x3F68244FA0000000
	%24 = fmul contract float %23, %21
	%25 = fsub contract float %24, 0x3F965C09E0000000
	%26 = fmul contract float %25, %21
	%27 = fadd contract float %26, 0x3FBA64DB20000000
	%28 = fmul contract float %27, %21
	%29 = fadd contract float %28, 0x3FE46BBB40000000
	%30 = fmul contract float %29, %21
	%31 = fadd contract float %30, 0x3FF2088B00000000
	%32 = fmul contract float %31, %21
	%33 = fadd contract float %32, 0x3F366FDE00000000
	%34 = fneg contract float %33
	%35 = call float @heddle_heddle_internal_cpumath_exp32(float %34)
	%36 = fsub contract float 0x3FF0000000000000, %35
	%37 = fcmp oge float %21, 0x3FF0000000000000
	br i1 %37, label %39, label %38

38:
	br label %39

39:
	%40 = phi float [ %36, %20 ], [ %17, %38 ]
	%41 = call float @heddle_heddle_internal_cpumath_signed32(float %40, float %x.0)
	ret float %41
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


