define double @heddle.math.rsqrt.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fdiv double 0x3FF0000000000000, %x.0
	%3 = call double @llvm.sqrt.f64(double %2)
	%4 = fcmp oge double %x.0, 0x0170000000000000
	br i1 %4, label %9, label %5

5:
	%6 = fcmp olt double %x.0, 0x0170000000000000
	br i1 %6, label %11, label %13

7:
	%8 = phi double [ %3, %9 ], [ %29, %28 ], [ %32, %31 ]
	ret double %8

9:
	%10 = fcmp ole double %x.0, 0x7E70000000000000
	br i1 %10, label %7, label %5

11:
	%12 = fmul contract double %x.0, 0x4C70000000000000
	br label %13

13:
	%14 = phi double [ %x.0, %5 ], [ %12, %11 ]
	%15 = phi double [ 0x3FF0000000000000, %5 ], [ 0x4630000000000000, %11 ]
	%16 = fcmp ogt double %x.0, 0x7E70000000000000
	br i1 %16, label %17, label %19

17:
	%18 = fmul contract double %x.0, 0x3370000000000000
	br label %19

19:
	%20 = phi double [ %14, %13 ], [ %18, %17 ]
	%21 = phi double [ %15, %13 ], [ 0x39B0000000000000, %17 ]
	%22 = fdiv double 0x3FF0000000000000, %20
	%23 = call double @llvm.sqrt.f64(double %22)
	%24 = fmul contract double %23, %21
	%25 = fcmp oeq double %x.0, 0x0000000000000000
	br i1 %25, label %26, label %28

26:
	%27 = fdiv double 0x3FF0000000000000, %x.0
	br label %28

28:
	%29 = phi double [ %24, %19 ], [ %27, %26 ]
	%30 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %30, label %31, label %7

31:
	%32 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %7
}

declare double @llvm.sqrt.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
}


