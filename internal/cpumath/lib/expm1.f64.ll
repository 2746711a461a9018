define double @heddle.math.expm1.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fcmp olt double %x.0, 0xC04E000000000000
	br i1 %2, label %3, label %4

3:
	br label %4

4:
	%5 = phi double [ %x.0, %1 ], [ 0xC04E000000000000, %3 ]
	%6 = fcmp ogt double %5, 0x4086300000000000
	br i1 %6, label %7, label %8

7:
	br label %8

8:
	%9 = phi double [ %5, %4 ], [ 0x4086300000000000, %7 ]
	%10 = call { double, double, double } @heddle_heddle_internal_cpumath_reduceExp64(double %9)
	%11 = extractvalue { double, double, double } %10, 0
	%12 = extractvalue { double, double, double } %10, 1
	%13 = extractvalue { double, double, double } %10, 2
	%14 = fsub contract double %11, %12
	%15 = call double @heddle_heddle_internal_cpumath_tail64(double %14)
	%16 = fsub contract double %15, %12
	%17 = call i32 @heddle_heddle_internal_cpumath_wholePart64(double %13)
	%18 = icmp sgt i32 %17, 1000
	br i1 %18, label %19, label %20

19:
	br label %20

20:
	%21 = phi i32 [ %17, %8 ], [ 1000, %19 ]
	%22 = sub i32 0, %21
	%23 = call double @heddle_heddle_internal_cpumath_power64(i32 %22)
	%24 = fsub contract double 0x3FF0000000000000, %23
	%25 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %24, double %11)
	%26 = extractvalue { double, double } %25, 0
	%27 = extractvalue { double, double } %25, 1
	%28 = fadd contract double %27, %16
	%29 = fadd contract double %26, %28
	%30 = call double @heddle_heddle_internal_cpumath_scale64(double %29, i32 %17)
	%31 = fcmp ogt double %x.0, 0x40862E6666666666
	br i1 %31, label %32, label %34

32:
	%33 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %34

34:
	%35 = phi double [ %30, %20 ], [ %33, %32 ]
	%36 = fcmp oeq double %x.0, 0x0000000000000000
	br i1 %36, label %37, label %40

37:
	br label %38

38:
	%39 = phi double [ %35, %40 ], [ %x.0, %37 ]
	ret double %39

40:
	%41 = fcmp une double %x.0, %x.0
	br i1 %41, label %37, label %38
}

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

define internal i32 @heddle_heddle_internal_cpumath_wholePart64(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %t.0 to i64
	%3 = trunc i64 %2 to i32
	ret i32 %3
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

define internal double @heddle_heddle_internal_cpumath_scale64(double %y.0, i32 %n.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = ashr i32 %n.1, 1
	%3 = call double @heddle_heddle_internal_cpumath_power64(i32 %2)
	%4 = fmul contract double %y.0, %3
	%5 = sub i32 %n.1, %2
	%6 = call double @heddle_heddle_internal_cpumath_power64(i32 %5)
	%7 = fmul contract double %4, %6
	ret double %7
}

define internal double @heddle_heddle_internal_cpumath_infinity64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9218868437227405312 to double
	ret double %2
}


