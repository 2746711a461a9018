define double @heddle.math.tanh.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fmul contract double %2, %2
	%4 = fmul contract double 0xBEF0D9843E8B27E4, %3
	%5 = fadd contract double %4, 0x3F1438989BBE2804
	%6 = fmul contract double %5, %3
	%7 = fsub contract double %6, 0x3F2DF5224CAA2D5E
	%8 = fmul contract double %7, %3
	%9 = fadd contract double %8, 0x3F43365A994C5E7D
	%10 = fmul contract double %9, %3
	%11 = fsub contract double %10, 0x3F57D68931EF2AF1
	%12 = fmul contract double %11, %3
	%13 = fadd contract double %12, 0x3F6D6CF267E58ECF
	%14 = fmul contract double %13, %3
	%15 = fsub contract double %14, 0x3F8226E161F8E68B
	%16 = fmul contract double %15, %3
	%17 = fadd contract double %16, 0x3F9664F477A6183F
	%18 = fmul contract double %17, %3
	%19 = fsub contract double %18, 0x3FABA1BA1B503A52
	%20 = fmul contract double %19, %3
	%21 = fadd contract double %20, 0x3FC111111110AC93
	%22 = fmul contract double %21, %3
	%23 = fsub contract double %22, 0x3FD55555555554FF
	%24 = fmul contract double %2, %3
	%25 = fmul contract double %24, %23
	%26 = fadd contract double %2, %25
	%27 = fcmp ogt double %2, 0x4034000000000000
	br i1 %27, label %28, label %29

28:
	br label %29

29:
	%30 = phi double [ %2, %1 ], [ 0x4034000000000000, %28 ]
	%31 = fmul contract double 0x4000000000000000, %30
	%32 = call { double, double, double } @heddle_heddle_internal_cpumath_reduceExp64(double %31)
	%33 = extractvalue { double, double, double } %32, 0
	%34 = extractvalue { double, double, double } %32, 1
	%35 = extractvalue { double, double, double } %32, 2
	%36 = fsub contract double %33, %34
	%37 = call double @heddle_heddle_internal_cpumath_tail64(double %36)
	%38 = fsub contract double %37, %34
	%39 = fadd contract double %33, %38
	%40 = fadd contract double 0x3FF0000000000000, %39
	%41 = call double @heddle_heddle_internal_cpumath_addExponent64(double %40, double %35)
	%42 = fadd contract double %41, 0x3FF0000000000000
	%43 = fdiv double 0x4000000000000000, %42
	%44 = fsub contract double 0x3FF0000000000000, %43
	%45 = fcmp oge double %30, 0x3FE4000000000000
	br i1 %45, label %47, label %46

46:
	br label %47

47:
	%48 = phi double [ %44, %29 ], [ %26, %46 ]
	%49 = call double @heddle_heddle_internal_cpumath_signed64(double %48, double %x.0)
	ret double %49
}

declare double @llvm.fabs.f64(double %0)

define internal { double, double, double } @heddle_heddle_internal_cpumath_reduceExp64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double %x.0, 0x3FF71547652B82FE
	%3 = fadd contract double %2, 0x4338000000000000
	%4 = fsub contract double %3, 0x4338000000000000
	%5 = fmul contract double %4, 0x3FE62E42FEFA3000
	%6 = fsub contract double %x.0, %5
	%7 = fmul contract double %4, 0x3D53DE6AF278ECE6
	%8 = insertvalue { double, double, double } poison, double %6, 0
	%9 = insertvalue { double, double, double } %8, double %7, 1
	%10 = insertvalue { double, double, double } %9, double %3, 2
	ret { double, double, double } %10
}

define internal double @heddle_heddle_internal_cpumath_tail64(double %r.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0x3E5A53AAA468A8A6, %r.0
	%3 = fadd contract double %2, 0x3E928B44531B2C93
	%4 = fmul contract double %3, %r.0
	%5 = fadd contract double %4, 0x3EC71E45553F40A2
	%6 = fmul contract double %5, %r.0
	%7 = fadd contract double %6, 0x3EFA019934D0A0D9
	%8 = fmul contract double %7, %r.0
	%9 = fadd contract double %8, 0x3F2A019FEE0E98D4
	%10 = fmul contract double %9, %r.0
	%11 = fadd contract double %10, 0x3F56C16C1864D920
	%12 = fmul contract double %11, %r.0
	%13 = fadd contract double %12, 0x3F81111111190C7D
	%14 = fmul contract double %13, %r.0
	%15 = fadd contract double %14, 0x3FA5555555550148
	%16 = fmul contract double %15, %r.0
	%17 = fadd contract double %16, 0x3FC555555555536B
	%18 = fmul contract double %17, %r.0
	%19 = fadd contract double %18, 0x3FE000000000000A
	%20 = fmul contract double %r.0, %r.0
	%21 = fmul contract double %20, %19
	ret double %21
}

define internal double @heddle_heddle_internal_cpumath_addExponent64(double %y.0, double %t.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %y.0 to i64
	%3 = bitcast double %t.1 to i64
	%4 = shl i64 %3, 52
	%5 = add i64 %2, %4
	%6 = bitcast i64 %5 to double
	ret double %6
}

define internal double @heddle_heddle_internal_cpumath_signed64(double %x.0, double %s.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = xor i64 -9223372036854775808, -1
	%4 = and i64 %2, %3
	%5 = bitcast double %s.1 to i64
	%6 = and i64 %5, -9223372036854775808
	%7 = or i64 %4, %6
	%8 = bitcast i64 %7 to double
	ret double %8
}


