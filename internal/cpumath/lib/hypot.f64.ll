define double @heddle.math.hypot.f64(double %x.0, double %y.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = call double @llvm.fabs.f64(double %y.1)
	%4 = fcmp olt double %2, %3
	br i1 %4, label %5, label %6

5:
	br label %6

6:
	%7 = phi double [ %2, %1 ], [ %3, %5 ]
	%8 = phi double [ %3, %1 ], [ %2, %5 ]
	%9 = bitcast double %7 to i64
	%10 = lshr i64 %9, 52
	%11 = trunc i64 %10 to i32
	%12 = sub i32 %11, 1023
	%13 = icmp sgt i32 %12, 1000
	br i1 %13, label %14, label %15

14:
	br label %15

15:
	%16 = phi i32 [ %12, %6 ], [ 1000, %14 ]
	%17 = icmp slt i32 %16, -1000
	br i1 %17, label %18, label %19

18:
	br label %19

19:
	%20 = phi i32 [ %16, %15 ], [ -1000, %18 ]
	%21 = sub i32 0, %20
	%22 = call double @heddle_heddle_internal_cpumath_power64(i32 %21)
	%23 = fmul contract double %7, %22
	%24 = fmul contract double %8, %22
	%25 = fmul contract double %23, %23
	%26 = fmul contract double %24, %24
	%27 = fadd contract double %25, %26
	%28 = call double @llvm.sqrt.f64(double %27)
	%29 = call double @heddle_heddle_internal_cpumath_power64(i32 %20)
	%30 = fmul contract double %28, %29
	%31 = fcmp ogt double %7, 0x7FEFFFFFFFFFFFFF
	br i1 %31, label %32, label %36

32:
	%33 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %34

34:
	%35 = phi double [ %30, %36 ], [ %33, %32 ]
	ret double %35

36:
	%37 = fcmp ogt double %8, 0x7FEFFFFFFFFFFFFF
	br i1 %37, label %32, label %34
}

declare double @llvm.fabs.f64(double %0)

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

declare double @llvm.sqrt.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_infinity64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9218868437227405312 to double
	ret double %2
}


