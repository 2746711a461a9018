define double @heddle.math.atan.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fcmp ogt double %2, 0x3FF0000000000000
	br i1 %3, label %4, label %5

4:
	br label %5

5:
	%6 = phi double [ %2, %1 ], [ 0x3FF0000000000000, %4 ]
	%7 = phi double [ 0x3FF0000000000000, %1 ], [ %2, %4 ]
	%8 = fdiv double %6, %7
	%9 = call double @heddle_heddle_internal_cpumath_arctan(double %8)
	%10 = fadd contract double %8, %9
	%11 = fcmp ogt double %2, 0x3FF0000000000000
	br i1 %11, label %12, label %16

12:
	%13 = fsub contract double %9, 0x3C91A62633145C07
	%14 = fadd contract double %8, %13
	%15 = fsub contract double 0x3FF921FB54442D18, %14
	br label %16

16:
	%17 = phi double [ %10, %5 ], [ %15, %12 ]
	%18 = call double @heddle_heddle_internal_cpumath_signed64(double %17, double %x.0)
	ret double %18
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


