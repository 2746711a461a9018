define double @heddle.math.atan2.f64(double %y.0, double %x.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %y.0)
	%3 = call double @llvm.fabs.f64(double %x.1)
	%4 = fcmp ogt double %2, %3
	br i1 %4, label %5, label %6

5:
	br label %6

6:
	%7 = phi double [ %2, %1 ], [ %3, %5 ]
	%8 = phi double [ %3, %1 ], [ %2, %5 ]
	%9 = fdiv double %7, %8
	%10 = fcmp oeq double %8, 0x0000000000000000
	br i1 %10, label %11, label %12

11:
	br label %12

12:
	%13 = phi double [ %9, %6 ], [ 0x0000000000000000, %11 ]
	%14 = fcmp ogt double %7, 0x7FEFFFFFFFFFFFFF
	br i1 %14, label %15, label %16

15:
	br label %16

16:
	%17 = phi double [ %13, %12 ], [ 0x3FF0000000000000, %15 ]
	%18 = call double @heddle_heddle_internal_cpumath_arctan(double %17)
	%19 = bitcast double %x.1 to i64
	%20 = and i64 %19, -9223372036854775808
	%21 = icmp ne i64 %20, 0
	br i1 %21, label %22, label %23

22:
	br label %23

23:
	%24 = phi double [ 0x0000000000000000, %16 ], [ 0x400921FB54442D18, %22 ]
	%25 = phi double [ 0x0000000000000000, %16 ], [ 0x3CA1A62633145C07, %22 ]
	%26 = phi double [ 0x3FF0000000000000, %16 ], [ 0xBFF0000000000000, %22 ]
	%27 = fcmp ogt double %2, %3
	br i1 %27, label %28, label %30

28:
	%29 = fneg contract double %26
	br label %30

30:
	%31 = phi double [ %24, %23 ], [ 0x3FF921FB54442D18, %28 ]
	%32 = phi double [ %25, %23 ], [ 0x3C91A62633145C07, %28 ]
	%33 = phi double [ %26, %23 ], [ %29, %28 ]
	%34 = fmul contract double %33, %17
	%35 = fmul contract double %33, %18
	%36 = fadd contract double %35, %32
	%37 = fadd contract double %34, %36
	%38 = fadd contract double %31, %37
	%39 = fcmp une double %2, %2
	br i1 %39, label %40, label %45

40:
	%41 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %42

42:
	%43 = phi double [ %38, %45 ], [ %41, %40 ]
	%44 = call double @heddle_heddle_internal_cpumath_signed64(double %43, double %y.0)
	ret double %44

45:
	%46 = fcmp une double %3, %3
	br i1 %46, label %40, label %42
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_arctan(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double %t.0, %t.0
	%3 = fmul contract double 0x3EEBBD592945DDAA, %2
	%4 = fsub contract double %3, 0x3F23F27C677C2A6C
	%5 = fmul contract double %4, %2
	%6 = fadd contract double %5, 0x3F4B3EA94EDD881A
	%7 = fmul contract double %6, %2
	%8 = fsub contract double %7, 0x3F67A2E836F7B6FD
	%9 = fmul contract double %8, %2
	%10 = fadd contract double %9, 0x3F7D7AEC0DA9DEE7
	%11 = fmul contract double %10, %2
	%12 = fsub contract double %11, 0x3F8C788B71F29009
	%13 = fmul contract double %12, %2
	%14 = fadd contract double %13, 0x3F968392922B648B
	%15 = fmul contract double %14, %2
	%16 = fsub contract double %15, 0x3F9E9F735DC0697C
	%17 = fmul contract double %16, %2
	%18 = fadd contract double %17, 0x3FA2C2D7FF90D89A
	%19 = fmul contract double %18, %2
	%20 = fsub contract double %19, 0x3FA59A39701620EA
	%21 = fmul contract double %20, %2
	%22 = fadd contract double %21, 0x3FA82DAB17ED9A4C
	%23 = fmul contract double %22, %2
	%24 = fsub contract double %23, 0x3FAAE5E680204E0B
	%25 = fmul contract double %24, %2
	%26 = fadd contract double %25, 0x3FAE1BBA41E8966C
	%27 = fmul contract double %26, %2
	%28 = fsub contract double %27, 0x3FB110E50F7EF233
	%29 = fmul contract double %28, %2
	%30 = fadd contract double %29, 0x3FB3B136694BD38A
	%31 = fmul contract double %30, %2
	%32 = fsub contract double %31, 0x3FB745D11AE065A9
	%33 = fmul contract double %32, %2
	%34 = fadd contract double %33, 0x3FBC71C717FC9D5E
	%35 = fmul contract double %34, %2
	%36 = fsub contract double %35, 0x3FC249249237F432
	%37 = fmul contract double %36, %2
	%38 = fadd contract double %37, 0x3FC99999999955B0
	%39 = fmul contract double %38, %2
	%40 = fsub contract double %39, 0x3FD5555555555526
	%41 = fmul contract double %t.0, %2
	%42 = fmul contract double %41, %40
	ret double %42
}

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
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


