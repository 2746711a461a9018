define float @heddle.math.atanh.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fpext float %x.0 to double
	%3 = call double @heddle_heddle_internal_cpumath_AtanhF64(double %2)
	%4 = fptrunc double %3 to float
	ret float %4
}

define internal double @heddle_heddle_internal_cpumath_AtanhF64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fmul contract double 0x4000000000000000, %2
	%4 = fmul contract double %3, %2
	%5 = fsub contract double 0x3FF0000000000000, %2
	%6 = fdiv double %4, %5
	%7 = fadd contract double %3, %6
	%8 = fcmp oge double %2, 0x3FE0000000000000
	br i1 %8, label %9, label %12

9:
	%10 = fsub contract double 0x3FF0000000000000, %2
	%11 = fdiv double %3, %10
	br label %12

12:
	%13 = phi double [ %7, %1 ], [ %11, %9 ]
	%14 = call double @heddle_heddle_internal_cpumath_Log1pF64(double %13)
	%15 = fmul contract double 0x3FE0000000000000, %14
	%16 = call double @heddle_heddle_internal_cpumath_signed64(double %15, double %x.0)
	ret double %16
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_Log1pF64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fadd contract double 0x3FF0000000000000, %x.0
	%3 = fsub contract double %2, 0x3FF0000000000000
	%4 = fsub contract double %x.0, %3
	%5 = fcmp ogt double %x.0, 0x3FF0000000000000
	br i1 %5, label %6, label %9

6:
	%7 = fsub contract double %2, %x.0
	%8 = fsub contract double 0x3FF0000000000000, %7
	br label %9

9:
	%10 = phi double [ %4, %1 ], [ %8, %6 ]
	%11 = bitcast double %2 to i64
	%12 = call { double, double } @heddle_heddle_internal_cpumath_reduceLog64(i64 %11)
	%13 = extractvalue { double, double } %12, 0
	%14 = extractvalue { double, double } %12, 1
	%15 = bitcast double %2 to i64
	%16 = call i32 @heddle_heddle_internal_cpumath_exponentLog64(i64 %15)
	%17 = sub i32 0, %16
	%18 = call double @heddle_heddle_internal_cpumath_power64(i32 %17)
	%19 = fmul contract double %10, %18
	%20 = fcmp oeq double %14, 0x0000000000000000
	br i1 %20, label %21, label %22

21:
	br label %22

22:
	%23 = phi double [ %19, %9 ], [ 0x0000000000000000, %21 ]
	%24 = phi double [ %13, %9 ], [ %x.0, %21 ]
	%25 = call { double, double } @heddle_heddle_internal_cpumath_log1p64(double %24)
	%26 = extractvalue { double, double } %25, 0
	%27 = extractvalue { double, double } %25, 1
	%28 = fmul contract double %14, 0x3FE62E42FEFA3000
	%29 = fmul contract double %14, 0x3D53DE6AF278ECE6
	%30 = fmul contract double %23, %24
	%31 = fsub contract double %23, %30
	%32 = fadd contract double %29, %31
	%33 = fadd contract double %27, %32
	%34 = fsub contract double %26, %33
	%35 = fsub contract double %34, %24
	%36 = fsub contract double %28, %35
	%37 = fcmp ogt double %x.0, 0xBFF0000000000000
	br i1 %37, label %45, label %38

38:
	%39 = call i64 @heddle_heddle_internal_cpumath_normal64(double %2)
	%40 = call double @heddle_heddle_internal_cpumath_log64(i64 %39)
	%41 = call double @heddle_heddle_internal_cpumath_edgeLog64(double %2, double %40)
	br label %42

42:
	%43 = phi double [ %36, %45 ], [ %41, %38 ]
	%44 = fcmp oeq double %x.0, 0x0000000000000000
	br i1 %44, label %47, label %48

45:
	%46 = fcmp ole double %x.0, 0x7E70000000000000
	br i1 %46, label %42, label %38

47:
	br label %48

48:
	%49 = phi double [ %43, %42 ], [ %x.0, %47 ]
	ret double %49
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

define internal double @heddle_heddle_internal_cpumath_power64(i32 %n.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = add i32 %n.0, 1023
	%3 = sext i32 %2 to i64
	%4 = shl i64 %3, 52
	%5 = bitcast i64 %4 to double
	ret double %5
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

define internal double @heddle_heddle_internal_cpumath_log64(i64 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { double, double } @heddle_heddle_internal_cpumath_reduceLog64(i64 %bits.0)
	%3 = extractvalue { double, double } %2, 0
	%4 = extractvalue { double, double } %2, 1
	%5 = call { double, double } @heddle_heddle_internal_cpumath_log1p64(double %3)
	%6 = extractvalue { double, double } %5, 0
	%7 = extractvalue { double, double } %5, 1
	%8 = fmul contract double %4, 0x3FE62E42FEFA3000
	%9 = fmul contract double %4, 0x3D53DE6AF278ECE6
	%10 = fadd contract double %7, %9
	%11 = fsub contract double %6, %10
	%12 = fsub contract double %11, %3
	%13 = fsub contract double %8, %12
	ret double %13
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


