define double @heddle.math.exp.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call { double, double, double } @heddle_heddle_internal_cpumath_reduceExp64(double %x.0)
	%3 = extractvalue { double, double, double } %2, 0
	%4 = extractvalue { double, double, double } %2, 1
	%5 = extractvalue { double, double, double } %2, 2
	%6 = fsub contract double %3, %4
	%7 = call double @heddle_heddle_internal_cpumath_tail64(double %6)
	%8 = fsub contract double %7, %4
	%9 = fadd contract double %3, %8
	%10 = fadd contract double 0x3FF0000000000000, %9
	%11 = call double @heddle_heddle_internal_cpumath_addExponent64(double %10, double %5)
	%12 = call double @llvm.fabs.f64(double %x.0)
	%13 = fcmp ole double %12, 0x4086200000000000
	br i1 %13, label %16, label %14

14:
	%15 = call double @heddle_heddle_internal_cpumath_edge64(double %10, double %5, double %x.0, double 0xC087500000000000, double 0x4086300000000000)
	br label %16

16:
	%17 = phi double [ %11, %1 ], [ %15, %14 ]
	ret double %17
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

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_edge64(double %p.0, double %t.1, double %x.2, double %low.3, double %high.4) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp oge double %x.2, %low.3
	br i1 %2, label %9, label %3

3:
	br label %4

4:
	%5 = phi double [ %t.1, %9 ], [ 0x4338000000000000, %3 ]
	%6 = call i32 @heddle_heddle_internal_cpumath_wholePart64(double %5)
	%7 = call double @heddle_heddle_internal_cpumath_scale64(double %p.0, i32 %6)
	%8 = fcmp olt double %x.2, %low.3
	br i1 %8, label %11, label %12

9:
	%10 = fcmp ole double %x.2, %high.4
	br i1 %10, label %4, label %3

11:
	br label %12

12:
	%13 = phi double [ %7, %4 ], [ 0x0000000000000000, %11 ]
	%14 = fcmp ogt double %x.2, %high.4
	br i1 %14, label %15, label %17

15:
	%16 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %17

17:
	%18 = phi double [ %13, %12 ], [ %16, %15 ]
	ret double %18
}

define internal i32 @heddle_heddle_internal_cpumath_wholePart64(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %t.0 to i64
	%3 = trunc i64 %2 to i32
	ret i32 %3
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


