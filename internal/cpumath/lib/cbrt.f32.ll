define float @heddle.math.cbrt.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fpext float %x.0 to double
	%3 = call double @heddle_heddle_internal_cpumath_CbrtF64(double %2)
	%4 = fptrunc double %3 to float
	ret float %4
}

define internal double @heddle_heddle_internal_cpumath_CbrtF64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fcmp olt double %2, 0x0010000000000000
	br i1 %3, label %4, label %6

4:
	%5 = fmul contract double %2, 0x4350000000000000
	br label %6

6:
	%7 = phi double [ %2, %1 ], [ %5, %4 ]
	%8 = phi double [ 0x3FF0000000000000, %1 ], [ 0x3ED0000000000000, %4 ]
	%9 = bitcast double %7 to i64
	%10 = lshr i64 %9, 32
	%11 = trunc i64 %10 to i32
	%12 = udiv i32 %11, 3
	%13 = sub i32 1430188287, %12
	%14 = zext i32 %13 to i64
	%15 = shl i64 %14, 32
	%16 = bitcast i64 %15 to double
	%17 = call double @heddle_heddle_internal_cpumath_inverseCube(double %7, double %16)
	%18 = call double @heddle_heddle_internal_cpumath_inverseCube(double %7, double %17)
	%19 = fmul contract double %7, %18
	%20 = fmul contract double %19, %18
	%21 = call double @heddle_heddle_internal_cpumath_top(double %20)
	%22 = fmul contract double %21, %21
	%23 = call { double, double } @heddle_heddle_internal_cpumath_product(double %22, double %21)
	%24 = extractvalue { double, double } %23, 0
	%25 = extractvalue { double, double } %23, 1
	%26 = fsub contract double %7, %24
	%27 = fsub contract double %26, %25
	%28 = fmul contract double %18, %18
	%29 = fmul contract double %28, 0x3FD5555555555555
	%30 = fmul contract double %27, %29
	%31 = fmul contract double %30, %30
	%32 = fmul contract double %31, %18
	%33 = fadd contract double %30, %32
	%34 = fadd contract double %21, %33
	%35 = fmul contract double %34, %8
	%36 = fcmp oeq double %7, 0x0000000000000000
	br i1 %36, label %37, label %41

37:
	br label %38

38:
	%39 = phi double [ %35, %41 ], [ %7, %37 ]
	%40 = call double @heddle_heddle_internal_cpumath_signed64(double %39, double %x.0)
	ret double %40

41:
	%42 = fcmp ole double %7, 0x7FEFFFFFFFFFFFFF
	br i1 %42, label %38, label %37
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_inverseCube(double %a.0, double %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double %a.0, %y.1
	%3 = fmul contract double %2, %y.1
	%4 = fmul contract double %3, %y.1
	%5 = fsub contract double 0x3FF0000000000000, %4
	%6 = fmul contract double %5, 0x3FC61F9ADD3C0CA4
	%7 = fadd contract double 0x3FCC71C71C71C71C, %6
	%8 = fmul contract double %5, %7
	%9 = fadd contract double 0x3FD5555555555555, %8
	%10 = fmul contract double %5, %9
	%11 = fmul contract double %y.1, %10
	%12 = fadd contract double %y.1, %11
	ret double %12
}

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

define internal { double, double } @heddle_heddle_internal_cpumath_product(double %a.0, double %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @heddle_heddle_internal_cpumath_top(double %a.0)
	%3 = call double @heddle_heddle_internal_cpumath_top(double %b.1)
	%4 = fsub contract double %a.0, %2
	%5 = fsub contract double %b.1, %3
	%6 = fmul contract double %2, %3
	%7 = fmul contract double %2, %5
	%8 = fmul contract double %4, %3
	%9 = fadd contract double %7, %8
	%10 = fmul contract double %4, %5
	%11 = fadd contract double %9, %10
	%12 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %6, double %11)
	%13 = extractvalue { double, double } %12, 0
	%14 = extractvalue { double, double } %12, 1
	%15 = insertvalue { double, double } poison, double %13, 0
	%16 = insertvalue { double, double } %15, double %14, 1
	ret { double, double } %16
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

define internal { double, double } @heddle_heddle_internal_cpumath_fastSum(double %a.0, double %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fadd contract double %a.0, %b.1
	%3 = fsub contract double %2, %a.0
	%4 = fsub contract double %b.1, %3
	%5 = insertvalue { double, double } poison, double %2, 0
	%6 = insertvalue { double, double } %5, double %4, 1
	ret { double, double } %6
}


