define double @heddle.math.remainder.f64(double %x.0, double %y.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = call double @llvm.fabs.f64(double %y.1)
	%4 = fcmp ole double %2, 0x7FEFFFFFFFFFFFFF
	br i1 %4, label %9, label %7

5:
	%6 = fcmp ogt double %3, 0x0000000000000000
	br label %7

7:
	%8 = phi i1 [ false, %1 ], [ false, %9 ], [ %6, %5 ]
	br i1 %8, label %11, label %13

9:
	%10 = fcmp ole double %3, 0x7FEFFFFFFFFFFFFF
	br i1 %10, label %5, label %7

11:
	%12 = fcmp olt double %3, 0x7FE0000000000000
	br i1 %12, label %15, label %18

13:
	%14 = phi double [ %2, %7 ], [ %19, %24 ], [ %22, %21 ], [ %22, %29 ], [ %28, %27 ]
	br i1 %8, label %34, label %41

15:
	%16 = fadd contract double %3, %3
	%17 = call double @heddle_heddle_internal_cpumath_modulo(double %2, double %16)
	br label %18

18:
	%19 = phi double [ %2, %11 ], [ %17, %15 ]
	%20 = fcmp ogt double %19, %3
	br i1 %20, label %21, label %24

21:
	%22 = fsub contract double %19, %3
	%23 = fcmp oge double %22, 0x0000000000000000
	br i1 %23, label %29, label %13

24:
	%25 = fsub contract double %3, %19
	%26 = fcmp ogt double %19, %25
	br i1 %26, label %21, label %13

27:
	%28 = fsub contract double %22, %3
	br label %13

29:
	%30 = fsub contract double %3, %22
	%31 = fcmp oge double %22, %30
	br i1 %31, label %27, label %13

32:
	%33 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %34

34:
	%35 = phi double [ %14, %13 ], [ %14, %43 ], [ %33, %32 ]
	%36 = bitcast double %35 to i64
	%37 = bitcast double %x.0 to i64
	%38 = and i64 %37, -9223372036854775808
	%39 = xor i64 %36, %38
	%40 = bitcast i64 %39 to double
	ret double %40

41:
	%42 = fcmp ole double %2, 0x7FEFFFFFFFFFFFFF
	br i1 %42, label %43, label %32

43:
	%44 = fcmp ogt double %3, 0x7FEFFFFFFFFFFFFF
	br i1 %44, label %34, label %32
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_modulo(double %a.0, double %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call i32 @heddle_heddle_internal_cpumath_exponent(double %b.1)
	br label %9

3:
	%4 = call i32 @heddle_heddle_internal_cpumath_exponent(double %10)
	%5 = sub i32 %4, %2
	%6 = sub i32 %5, 23
	%7 = icmp sgt i32 %6, 1000
	br i1 %7, label %12, label %15

8:
	ret double %10

9:
	%10 = phi double [ %a.0, %1 ], [ %56, %54 ]
	%11 = fcmp oge double %10, %b.1
	br i1 %11, label %3, label %8

12:
	%13 = fmul contract double %b.1, 0x7E70000000000000
	%14 = sub i32 %6, 1000
	br label %15

15:
	%16 = phi double [ %b.1, %3 ], [ %13, %12 ]
	%17 = phi i32 [ %6, %3 ], [ %14, %12 ]
	%18 = icmp sgt i32 %17, 1000
	br i1 %18, label %19, label %22

19:
	%20 = fmul contract double %16, 0x7E70000000000000
	%21 = sub i32 %17, 1000
	br label %22

22:
	%23 = phi double [ %16, %15 ], [ %20, %19 ]
	%24 = phi i32 [ %17, %15 ], [ %21, %19 ]
	%25 = icmp sgt i32 %24, 0
	br i1 %25, label %26, label %29

26:
	%27 = call double @heddle_heddle_internal_cpumath_power64(i32 %24)
	%28 = fmul contract double %23, %27
	br label %29

29:
	%30 = phi double [ %23, %22 ], [ %28, %26 ]
	%31 = fcmp ogt double %10, 0x7E70000000000000
	br i1 %31, label %32, label %35

32:
	%33 = fmul contract double %10, 0x3C30000000000000
	%34 = fmul contract double %30, 0x3C30000000000000
	br label %35

35:
	%36 = phi double [ %10, %29 ], [ %33, %32 ]
	%37 = phi double [ %30, %29 ], [ %34, %32 ]
	%38 = phi double [ 0x3FF0000000000000, %29 ], [ 0x43B0000000000000, %32 ]
	%39 = fdiv double %36, %37
	%40 = call double @llvm.trunc.f64(double %39)
	%41 = bitcast double %37 to i64
	%42 = add i64 %41, 134217727
	%43 = xor i64 134217727, -1
	%44 = and i64 %42, %43
	%45 = bitcast i64 %44 to double
	%46 = fmul contract double %40, %45
	%47 = fsub contract double %36, %46
	%48 = fsub contract double %37, %45
	%49 = fmul contract double %40, %48
	%50 = fsub contract double %47, %49
	%51 = fcmp olt double %50, 0x0000000000000000
	br i1 %51, label %52, label %54

52:
	%53 = fadd contract double %50, %37
	br label %54

54:
	%55 = phi double [ %50, %35 ], [ %53, %52 ]
	%56 = fmul contract double %55, %38
	br label %9
}

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
}

define internal i32 @heddle_heddle_internal_cpumath_exponent(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call i64 @heddle_heddle_internal_cpumath_normal64(double %x.0)
	%3 = lshr i64 %2, 32
	%4 = trunc i64 %3 to i32
	%5 = ashr i32 %4, 20
	%6 = sub i32 %5, 1023
	ret i32 %6
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

declare double @llvm.trunc.f64(double %0)

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


