define float @heddle.math.asin.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fpext float %x.0 to double
	%3 = call double @heddle_heddle_internal_cpumath_AsinF64(double %2)
	%4 = fptrunc double %3 to float
	ret float %4
}

define internal double @heddle_heddle_internal_cpumath_AsinF64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fmul contract double %2, %2
	%4 = fcmp ogt double %2, 0x3FE0000000000000
	br i1 %4, label %5, label %8

5:
	%6 = fsub contract double 0x3FF0000000000000, %2
	%7 = fmul contract double 0x3FE0000000000000, %6
	br label %8

8:
	%9 = phi double [ %3, %1 ], [ %7, %5 ]
	%10 = call double @heddle_heddle_internal_cpumath_arcsin(double %9)
	%11 = fmul contract double %2, %10
	%12 = fadd contract double %2, %11
	%13 = fcmp ogt double %2, 0x3FE0000000000000
	br i1 %13, label %14, label %22

14:
	%15 = call double @llvm.sqrt.f64(double %9)
	%16 = call double @heddle_heddle_internal_cpumath_top(double %15)
	%17 = fmul contract double %16, %16
	%18 = fsub contract double %9, %17
	%19 = fadd contract double %15, %16
	%20 = fdiv double %18, %19
	%21 = fcmp oeq double %9, 0x0000000000000000
	br i1 %21, label %25, label %26

22:
	%23 = phi double [ %12, %8 ], [ %36, %26 ]
	%24 = call double @heddle_heddle_internal_cpumath_signed64(double %23, double %x.0)
	ret double %24

25:
	br label %26

26:
	%27 = phi double [ %20, %14 ], [ 0x0000000000000000, %25 ]
	%28 = fmul contract double 0x4000000000000000, %15
	%29 = fmul contract double %28, %10
	%30 = fmul contract double 0x4000000000000000, %27
	%31 = fsub contract double 0x3C91A62633145C07, %30
	%32 = fsub contract double %29, %31
	%33 = fsub contract double 0x3FE921FB54442D18, %32
	%34 = fmul contract double 0x4000000000000000, %16
	%35 = fsub contract double %34, 0x3FE921FB54442D18
	%36 = fsub contract double %33, %35
	br label %22
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_arcsin(double %z.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0x3FA0B733019E3EE6, %z.0
	%3 = fsub contract double %2, 0x3F95886363CB290E
	%4 = fmul contract double %3, %z.0
	%5 = fadd contract double %4, 0x3F963F90A8155E54
	%6 = fmul contract double %5, %z.0
	%7 = fadd contract double %6, 0x3F6E4D30FF26FC3B
	%8 = fmul contract double %7, %z.0
	%9 = fadd contract double %8, 0x3F8614EC9182075A
	%10 = fmul contract double %9, %z.0
	%11 = fadd contract double %10, 0x3F87582797F822F0
	%12 = fmul contract double %11, %z.0
	%13 = fadd contract double %12, 0x3F8CA1FE6B89DD27
	%14 = fmul contract double %13, %z.0
	%15 = fadd contract double %14, 0x3F91C49ECF245967
	%16 = fmul contract double %15, %z.0
	%17 = fadd contract double %16, 0x3F96E8BDF0BDA192
	%18 = fmul contract double %17, %z.0
	%19 = fadd contract double %18, 0x3F9F1C71A939ED27
	%20 = fmul contract double %19, %z.0
	%21 = fadd contract double %20, 0x3FA6DB6DB7215321
	%22 = fmul contract double %21, %z.0
	%23 = fadd contract double %22, 0x3FB333333332E10C
	%24 = fmul contract double %23, %z.0
	%25 = fadd contract double %24, 0x3FC5555555555577
	%26 = fmul contract double %z.0, %25
	ret double %26
}

declare double @llvm.sqrt.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_top(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = xor i64 134217727, -1
	%4 = and i64 %2, %3
	%5 = bitcast i64 %4 to double
	ret double %5
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


