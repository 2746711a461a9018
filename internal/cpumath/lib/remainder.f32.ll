define float @heddle.math.remainder.f32(float %x.0, float %y.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fpext float %x.0 to double
	%3 = fpext float %y.1 to double
	%4 = call double @heddle_heddle_internal_cpumath_RemainderF64(double %2, double %3)
	%5 = fptrunc double %4 to float
	ret float %5
}

define internal double @heddle_heddle_internal_cpumath_RemainderF64(double %x.0, double %y.1) convergent nounwind inlinehint {
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
	%2 = fcmp ogt double %b.1, 0x7E70000000000000
	br i1 %2, label %11, label %6

3:
	%4 = fmul contract double %a.0, 0x3C30000000000000
	%5 = fmul contract double %b.1, 0x3C30000000000000
	br label %6

6:
	%7 = phi double [ %a.0, %1 ], [ %a.0, %11 ], [ %4, %3 ]
	%8 = phi double [ %b.1, %1 ], [ %b.1, %11 ], [ %5, %3 ]
	%9 = phi double [ 0x3FF0000000000000, %1 ], [ 0x3FF0000000000000, %11 ], [ 0x43B0000000000000, %3 ]
	%10 = call i32 @heddle_heddle_internal_cpumath_exponent(double %8)
	br label %20

11:
	%12 = fcmp oge double %a.0, %b.1
	br i1 %12, label %3, label %6

13:
	%14 = call i32 @heddle_heddle_internal_cpumath_exponent(double %21)
	%15 = sub i32 %14, %10
	%16 = sub i32 %15, 23
	%17 = icmp sgt i32 %16, 1000
	br i1 %17, label %23, label %26

18:
	%19 = fmul contract double %21, %9
	ret double %19

20:
	%21 = phi double [ %7, %6 ], [ %53, %40 ], [ %56, %55 ]
	%22 = fcmp oge double %21, %8
	br i1 %22, label %13, label %18

23:
	%24 = fmul contract double %8, 0x7E70000000000000
	%25 = sub i32 %16, 1000
	br label %26

26:
	%27 = phi double [ %8, %13 ], [ %24, %23 ]
	%28 = phi i32 [ %16, %13 ], [ %25, %23 ]
	%29 = icmp sgt i32 %28, 1000
	br i1 %29, label %30, label %33

30:
	%31 = fmul contract double %27, 0x7E70000000000000
	%32 = sub i32 %28, 1000
	br label %33

33:
	%34 = phi double [ %27, %26 ], [ %31, %30 ]
	%35 = phi i32 [ %28, %26 ], [ %32, %30 ]
	%36 = icmp sgt i32 %35, 0
	br i1 %36, label %37, label %40

37:
	%38 = call double @heddle_heddle_internal_cpumath_power64(i32 %35)
	%39 = fmul contract double %34, %38
	br label %40

40:
	%41 = phi double [ %34, %33 ], [ %39, %37 ]
	%42 = fdiv contract double %21, %41
	%43 = call double @llvm.trunc.f64(double %42)
	%44 = bitcast double %41 to i64
	%45 = add i64 %44, 134217727
	%46 = xor i64 134217727, -1
	%47 = and i64 %45, %46
	%48 = bitcast i64 %47 to double
	%49 = fmul contract double %43, %48
	%50 = fsub contract double %21, %49
	%51 = fsub contract double %41, %48
	%52 = fmul contract double %43, %51
	%53 = fsub contract double %50, %52
	%54 = fcmp olt double %53, 0x0000000000000000
	br i1 %54, label %55, label %20

55:
	%56 = fadd contract double %53, %41
	br label %20
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


