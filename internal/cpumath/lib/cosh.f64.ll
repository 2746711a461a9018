define double @heddle.math.cosh.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fcmp ogt double %2, 0x4086400000000000
	br i1 %3, label %4, label %5

4:
	br label %5

5:
	%6 = phi double [ %2, %1 ], [ 0x4086400000000000, %4 ]
	%7 = call { double, double } @heddle_heddle_internal_cpumath_halfExp(double %6)
	%8 = extractvalue { double, double } %7, 0
	%9 = extractvalue { double, double } %7, 1
	%10 = fdiv double 0x3FD0000000000000, %8
	%11 = fadd contract double %9, %10
	%12 = fadd contract double %8, %11
	%13 = fcmp ogt double %8, 0x7FEFFFFFFFFFFFFF
	br i1 %13, label %14, label %15

14:
	br label %15

15:
	%16 = phi double [ %12, %5 ], [ %8, %14 ]
	ret double %16
}

declare double @llvm.fabs.f64(double %0)

define internal { double, double } @heddle_heddle_internal_cpumath_halfExp(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { double, double, i32 } @heddle_heddle_internal_cpumath_exponential(double %x.0, double 0x0000000000000000)
	%3 = extractvalue { double, double, i32 } %2, 0
	%4 = extractvalue { double, double, i32 } %2, 1
	%5 = extractvalue { double, double, i32 } %2, 2
	%6 = sub i32 %5, 1
	%7 = call double @heddle_heddle_internal_cpumath_scale64(double %3, i32 %6)
	%8 = sub i32 %5, 1
	%9 = call double @heddle_heddle_internal_cpumath_scale64(double %4, i32 %8)
	%10 = insertvalue { double, double } poison, double %7, 0
	%11 = insertvalue { double, double } %10, double %9, 1
	ret { double, double } %11
}

define internal { double, double, i32 } @heddle_heddle_internal_cpumath_exponential(double %a.0, double %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { double, double, double } @heddle_heddle_internal_cpumath_reduceExp64(double %a.0)
	%3 = extractvalue { double, double, double } %2, 0
	%4 = extractvalue { double, double, double } %2, 1
	%5 = extractvalue { double, double, double } %2, 2
	%6 = fsub contract double %b.1, %4
	%7 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %3, double %6)
	%8 = extractvalue { double, double } %7, 0
	%9 = extractvalue { double, double } %7, 1
	%10 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double 0x3FF0000000000000, double %8)
	%11 = extractvalue { double, double } %10, 0
	%12 = extractvalue { double, double } %10, 1
	%13 = call double @heddle_heddle_internal_cpumath_tail64(double %8)
	%14 = fadd contract double 0x3FF0000000000000, %8
	%15 = fmul contract double %9, %14
	%16 = fadd contract double %13, %15
	%17 = fadd contract double %12, %16
	%18 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %11, double %17)
	%19 = extractvalue { double, double } %18, 0
	%20 = extractvalue { double, double } %18, 1
	%21 = call i32 @heddle_heddle_internal_cpumath_wholePart64(double %5)
	%22 = insertvalue { double, double, i32 } poison, double %19, 0
	%23 = insertvalue { double, double, i32 } %22, double %20, 1
	%24 = insertvalue { double, double, i32 } %23, i32 %21, 2
	ret { double, double, i32 } %24
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


