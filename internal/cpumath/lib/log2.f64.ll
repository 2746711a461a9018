define double @heddle.math.log2.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = call double @heddle_heddle_internal_cpumath_binary64(i64 %2)
	%4 = call i1 @heddle_heddle_internal_cpumath_unusualLog64(double %x.0)
	br i1 %4, label %5, label %9

5:
	%6 = call i64 @heddle_heddle_internal_cpumath_normal64(double %x.0)
	%7 = call double @heddle_heddle_internal_cpumath_binary64(i64 %6)
	%8 = call double @heddle_heddle_internal_cpumath_edgeLog64(double %x.0, double %7)
	br label %9

9:
	%10 = phi double [ %3, %1 ], [ %8, %5 ]
	ret double %10
}

define internal double @heddle_heddle_internal_cpumath_binary64(i64 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @heddle_heddle_internal_cpumath_logTo64(i64 %bits.0, double 0x3FF0000000000000, double 0x0000000000000000, double 0x3FF7154760000000, double 0x3E54AE0BF85DDF44)
	ret double %2
}

define internal i1 @heddle_heddle_internal_cpumath_unusualLog64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = sub i64 %2, 4503599627370496
	%4 = icmp uge i64 %3, 9214364837600034816
	ret i1 %4
}

define internal i64 @heddle_heddle_internal_cpumath_normal64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = icmp ult i64 %2, 4503599627370496
	br i1 %3, label %4, label %8

4:
	%5 = fmul contract double %x.0, 0x4330000000000000
	%6 = bitcast double %5 to i64
	%7 = sub i64 %6, 234187180623265792
	br label %8

8:
	%9 = phi i64 [ %2, %1 ], [ %7, %4 ]
	ret i64 %9
}

define internal double @heddle_heddle_internal_cpumath_edgeLog64(double %x.0, double %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp oeq double %x.0, 0x0000000000000000
	br i1 %2, label %3, label %6

3:
	%4 = call double @heddle_heddle_internal_cpumath_infinity64()
	%5 = fneg contract double %4
	br label %6

6:
	%7 = phi double [ %y.1, %1 ], [ %5, %3 ]
	%8 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %8, label %9, label %11

9:
	%10 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %11

11:
	%12 = phi double [ %7, %6 ], [ %10, %9 ]
	%13 = fcmp ole double %x.0, 0x7FEFFFFFFFFFFFFF
	br i1 %13, label %15, label %14

14:
	br label %15

15:
	%16 = phi double [ %12, %11 ], [ %x.0, %14 ]
	ret double %16
}

define internal double @heddle_heddle_internal_cpumath_logTo64(i64 %bits.0, double %unit.1, double %unitLo.2, double %scale.3, double %scaleLo.4) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { double, double } @heddle_heddle_internal_cpumath_reduceLog64(i64 %bits.0)
	%3 = extractvalue { double, double } %2, 0
	%4 = extractvalue { double, double } %2, 1
	%5 = call { double, double } @heddle_heddle_internal_cpumath_log1p64(double %3)
	%6 = extractvalue { double, double } %5, 0
	%7 = extractvalue { double, double } %5, 1
	%8 = fneg contract double %6
	%9 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %3, double %8)
	%10 = extractvalue { double, double } %9, 0
	%11 = extractvalue { double, double } %9, 1
	%12 = call double @heddle_heddle_internal_cpumath_top(double %10)
	%13 = fsub contract double %10, %12
	%14 = fadd contract double %11, %7
	%15 = fadd contract double %13, %14
	%16 = fmul contract double %4, %unit.1
	%17 = fmul contract double %12, %scale.3
	%18 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %16, double %17)
	%19 = extractvalue { double, double } %18, 0
	%20 = extractvalue { double, double } %18, 1
	%21 = fmul contract double %15, %scale.3
	%22 = fadd contract double %12, %15
	%23 = fmul contract double %22, %scaleLo.4
	%24 = fadd contract double %21, %23
	%25 = fmul contract double %4, %unitLo.2
	%26 = fadd contract double %24, %25
	%27 = fadd contract double %20, %26
	%28 = fadd contract double %19, %27
	ret double %28
}

define internal double @heddle_heddle_internal_cpumath_infinity64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9218868437227405312 to double
	ret double %2
}

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
}

define internal { double, double } @heddle_heddle_internal_cpumath_reduceLog64(i64 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call i32 @heddle_heddle_internal_cpumath_exponentLog64(i64 %bits.0)
	%3 = zext i32 %2 to i64
	%4 = shl i64 %3, 52
	%5 = sub i64 %bits.0, %4
	%6 = bitcast i64 %5 to double
	%7 = fsub contract double %6, 0x3FF0000000000000
	%8 = sitofp i32 %2 to double
	%9 = insertvalue { double, double } poison, double %7, 0
	%10 = insertvalue { double, double } %9, double %8, 1
	ret { double, double } %10
}

define internal { double, double } @heddle_heddle_internal_cpumath_log1p64(double %f.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fadd contract double 0x4000000000000000, %f.0
	%3 = fdiv double %f.0, %2
	%4 = fmul contract double %3, %3
	%5 = fmul contract double 0x3FC2F13965109ECC, %4
	%6 = fadd contract double %5, 0x3FC39A069EA2C84D
	%7 = fmul contract double %6, %4
	%8 = fadd contract double %7, 0x3FC74664B0246B22
	%9 = fmul contract double %8, %4
	%10 = fadd contract double %9, 0x3FCC71C51D321582
	%11 = fmul contract double %10, %4
	%12 = fadd contract double %11, 0x3FD249249422DEE0
	%13 = fmul contract double %12, %4
	%14 = fadd contract double %13, 0x3FD999999997F9D9
	%15 = fmul contract double %14, %4
	%16 = fadd contract double %15, 0x3FE5555555555593
	%17 = fmul contract double 0x3FE0000000000000, %f.0
	%18 = fmul contract double %17, %f.0
	%19 = fmul contract double %4, %16
	%20 = fadd contract double %18, %19
	%21 = fmul contract double %3, %20
	%22 = insertvalue { double, double } poison, double %18, 0
	%23 = insertvalue { double, double } %22, double %21, 1
	ret { double, double } %23
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

define internal i32 @heddle_heddle_internal_cpumath_exponentLog64(i64 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = sub i64 %bits.0, 4604544271217802189
	%3 = lshr i64 %2, 32
	%4 = trunc i64 %3 to i32
	%5 = ashr i32 %4, 20
	ret i32 %5
}


