define double @heddle.math.pow.f64(double %x.0, double %y.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = call { double, double } @heddle_heddle_internal_cpumath_logarithm(i64 %2)
	%4 = extractvalue { double, double } %3, 0
	%5 = extractvalue { double, double } %3, 1
	%6 = call { double, double } @heddle_heddle_internal_cpumath_times(double %4, double %5, double %y.1)
	%7 = extractvalue { double, double } %6, 0
	%8 = extractvalue { double, double } %6, 1
	%9 = call { double, double, double } @heddle_heddle_internal_cpumath_reduceExp64(double %7)
	%10 = extractvalue { double, double, double } %9, 0
	%11 = extractvalue { double, double, double } %9, 1
	%12 = extractvalue { double, double, double } %9, 2
	%13 = fsub contract double %11, %8
	%14 = fsub contract double %10, %13
	%15 = call double @heddle_heddle_internal_cpumath_tail64(double %14)
	%16 = fsub contract double %15, %13
	%17 = fadd contract double %10, %16
	%18 = fadd contract double 0x3FF0000000000000, %17
	%19 = call double @heddle_heddle_internal_cpumath_addExponent64(double %18, double %12)
	%20 = call i1 @heddle_heddle_internal_cpumath_unusualLog64(double %x.0)
	br i1 %20, label %21, label %25

21:
	%22 = call double @heddle_heddle_internal_cpumath_edgePow64(double %x.0, double %y.1)
	br label %23

23:
	%24 = phi double [ %19, %28 ], [ %22, %21 ]
	ret double %24

25:
	%26 = call double @llvm.fabs.f64(double %7)
	%27 = fcmp ole double %26, 0x4086200000000000
	br i1 %27, label %28, label %21

28:
	%29 = call double @llvm.fabs.f64(double %y.1)
	%30 = fcmp ole double %29, 0x7830000000000000
	br i1 %30, label %23, label %21
}

define internal { double, double } @heddle_heddle_internal_cpumath_logarithm(i64 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { double, double } @heddle_heddle_internal_cpumath_reduceLog64(i64 %bits.0)
	%3 = extractvalue { double, double } %2, 0
	%4 = extractvalue { double, double } %2, 1
	%5 = fadd contract double 0x4000000000000000, %3
	%6 = fdiv double 0x3FF0000000000000, %5
	%7 = fmul contract double %3, %6
	%8 = call double @heddle_heddle_internal_cpumath_top(double %7)
	%9 = call double @heddle_heddle_internal_cpumath_top(double %5)
	%10 = fsub contract double %5, %9
	%11 = fsub contract double %5, 0x4000000000000000
	%12 = fsub contract double %3, %11
	%13 = fadd contract double %10, %12
	%14 = fmul contract double %8, %9
	%15 = fsub contract double %3, %14
	%16 = fmul contract double %8, %13
	%17 = fsub contract double %15, %16
	%18 = fmul contract double %6, %17
	%19 = fadd contract double %8, %18
	%20 = fmul contract double %19, %19
	%21 = fmul contract double 0x3FC7098B14603419, %20
	%22 = fadd contract double %21, 0x3FC669D5A0275079
	%23 = fmul contract double %22, %20
	%24 = fadd contract double %23, 0x3FC99B1863368E9C
	%25 = fmul contract double %24, %20
	%26 = fadd contract double %25, 0x3FCD89D10F9BBD29
	%27 = fmul contract double %26, %20
	%28 = fadd contract double %27, 0x3FD1745D22B963DF
	%29 = fmul contract double %28, %20
	%30 = fadd contract double %29, 0x3FD55555554140D0
	%31 = fmul contract double %30, %20
	%32 = fadd contract double %31, 0x3FDB6DB6DB6DC91E
	%33 = fmul contract double %32, %20
	%34 = fadd contract double %33, 0x3FE3333333333330
	%35 = fmul contract double %8, %8
	%36 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double 0x4008000000000000, double %35)
	%37 = extractvalue { double, double } %36, 0
	%38 = extractvalue { double, double } %36, 1
	%39 = fadd contract double %8, %19
	%40 = fmul contract double %18, %39
	%41 = fmul contract double %20, %20
	%42 = fmul contract double %41, %34
	%43 = fadd contract double %40, %42
	%44 = fadd contract double %38, %43
	%45 = fadd contract double %37, %44
	%46 = call double @heddle_heddle_internal_cpumath_top(double %45)
	%47 = fsub contract double %37, %46
	%48 = fadd contract double %47, %44
	%49 = fmul contract double %8, %46
	%50 = fadd contract double %37, %44
	%51 = fmul contract double %18, %50
	%52 = fmul contract double %8, %48
	%53 = fadd contract double %51, %52
	%54 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %49, double %53)
	%55 = extractvalue { double, double } %54, 0
	%56 = extractvalue { double, double } %54, 1
	%57 = call double @heddle_heddle_internal_cpumath_top(double %55)
	%58 = fsub contract double %55, %57
	%59 = fadd contract double %58, %56
	%60 = fmul contract double %57, 0x3FE5555550000000
	%61 = fmul contract double %59, 0x3FE5555550000000
	%62 = fadd contract double %57, %59
	%63 = fmul contract double %62, 0x3E45555555555555
	%64 = fadd contract double %61, %63
	%65 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %60, double %64)
	%66 = extractvalue { double, double } %65, 0
	%67 = extractvalue { double, double } %65, 1
	%68 = fmul contract double %4, 0x3FE62E42FEFA3000
	%69 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %68, double %66)
	%70 = extractvalue { double, double } %69, 0
	%71 = extractvalue { double, double } %69, 1
	%72 = fmul contract double %4, 0x3D53DE6AF278ECE6
	%73 = fadd contract double %67, %72
	%74 = fadd contract double %71, %73
	%75 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %70, double %74)
	%76 = extractvalue { double, double } %75, 0
	%77 = extractvalue { double, double } %75, 1
	%78 = insertvalue { double, double } poison, double %76, 0
	%79 = insertvalue { double, double } %78, double %77, 1
	ret { double, double } %79
}

define internal { double, double } @heddle_heddle_internal_cpumath_times(double %hi.0, double %lo.1, double %y.2) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @heddle_heddle_internal_cpumath_top(double %hi.0)
	%3 = call double @heddle_heddle_internal_cpumath_top(double %y.2)
	%4 = fsub contract double %hi.0, %2
	%5 = fadd contract double %4, %lo.1
	%6 = fsub contract double %y.2, %3
	%7 = fmul contract double %2, %3
	%8 = fmul contract double %2, %6
	%9 = fmul contract double %5, %y.2
	%10 = fadd contract double %8, %9
	%11 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %7, double %10)
	%12 = extractvalue { double, double } %11, 0
	%13 = extractvalue { double, double } %11, 1
	%14 = insertvalue { double, double } poison, double %12, 0
	%15 = insertvalue { double, double } %14, double %13, 1
	ret { double, double } %15
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

define internal i1 @heddle_heddle_internal_cpumath_unusualLog64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = sub i64 %2, 4503599627370496
	%4 = icmp uge i64 %3, 9214364837600034816
	ret i1 %4
}

define internal double @heddle_heddle_internal_cpumath_edgePow64(double %x.0, double %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = call double @llvm.fabs.f64(double %y.1)
	%4 = call i64 @heddle_heddle_internal_cpumath_normal64(double %2)
	%5 = call { double, double } @heddle_heddle_internal_cpumath_logarithm(i64 %4)
	%6 = extractvalue { double, double } %5, 0
	%7 = extractvalue { double, double } %5, 1
	%8 = fcmp ogt double %3, 0x4450000000000000
	br i1 %8, label %9, label %11

9:
	%10 = call double @heddle_heddle_internal_cpumath_signed64(double 0x4450000000000000, double %y.1)
	br label %11

11:
	%12 = phi double [ %y.1, %1 ], [ %10, %9 ]
	%13 = call { double, double } @heddle_heddle_internal_cpumath_times(double %6, double %7, double %12)
	%14 = extractvalue { double, double } %13, 0
	%15 = extractvalue { double, double } %13, 1
	%16 = fcmp ogt double %14, 0x4086300000000000
	%17 = fcmp olt double %14, 0xC087500000000000
	br i1 %16, label %18, label %28

18:
	br label %19

19:
	%20 = phi double [ %14, %28 ], [ 0x0000000000000000, %18 ]
	%21 = phi double [ %15, %28 ], [ 0x0000000000000000, %18 ]
	%22 = call { double, double, i32 } @heddle_heddle_internal_cpumath_exponential(double %20, double %21)
	%23 = extractvalue { double, double, i32 } %22, 0
	%24 = extractvalue { double, double, i32 } %22, 1
	%25 = extractvalue { double, double, i32 } %22, 2
	%26 = fadd contract double %23, %24
	%27 = call double @heddle_heddle_internal_cpumath_scale64(double %26, i32 %25)
	br i1 %17, label %29, label %30

28:
	br i1 %17, label %18, label %19

29:
	br label %30

30:
	%31 = phi double [ %27, %19 ], [ 0x0000000000000000, %29 ]
	br i1 %16, label %32, label %34

32:
	%33 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %34

34:
	%35 = phi double [ %31, %30 ], [ %33, %32 ]
	%36 = fcmp oeq double %2, 0x0000000000000000
	br i1 %36, label %37, label %50

37:
	%38 = fcmp ogt double %2, 0x3FF0000000000000
	%39 = fcmp ogt double %y.1, 0x0000000000000000
	%40 = icmp eq i1 %38, %39
	br i1 %40, label %52, label %41

41:
	%42 = phi double [ %35, %48 ], [ 0x0000000000000000, %37 ], [ %53, %52 ]
	%43 = call double @llvm.trunc.f64(double %3)
	%44 = fcmp oeq double %43, %3
	%45 = bitcast double %x.0 to i64
	%46 = and i64 %45, -9223372036854775808
	%47 = icmp ne i64 %46, 0
	br i1 %47, label %54, label %55

48:
	%49 = fcmp ole double %3, 0x7FEFFFFFFFFFFFFF
	br i1 %49, label %41, label %37

50:
	%51 = fcmp ole double %2, 0x7FEFFFFFFFFFFFFF
	br i1 %51, label %48, label %37

52:
	%53 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %41

54:
	br i1 %44, label %62, label %60

55:
	%56 = phi double [ %42, %41 ], [ %61, %60 ], [ %61, %71 ], [ %61, %69 ], [ %68, %67 ]
	%57 = fcmp une double %x.0, %x.0
	br i1 %57, label %73, label %78

58:
	%59 = fneg contract double %42
	br label %60

60:
	%61 = phi double [ %42, %54 ], [ %42, %62 ], [ %59, %58 ]
	br i1 %44, label %55, label %71

62:
	%63 = fmul contract double %3, 0x3FE0000000000000
	%64 = call double @llvm.trunc.f64(double %63)
	%65 = fmul contract double %3, 0x3FE0000000000000
	%66 = fcmp une double %64, %65
	br i1 %66, label %58, label %60

67:
	%68 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %55

69:
	%70 = fcmp ole double %2, 0x7FEFFFFFFFFFFFFF
	br i1 %70, label %67, label %55

71:
	%72 = fcmp une double %2, 0x0000000000000000
	br i1 %72, label %69, label %55

73:
	%74 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %75

75:
	%76 = phi double [ %56, %78 ], [ %74, %73 ]
	%77 = fcmp oeq double %x.0, 0x3FF0000000000000
	br i1 %77, label %80, label %85

78:
	%79 = fcmp une double %y.1, %y.1
	br i1 %79, label %73, label %75

80:
	br label %81

81:
	%82 = phi double [ %76, %83 ], [ %76, %87 ], [ 0x3FF0000000000000, %80 ]
	ret double %82

83:
	%84 = fcmp oeq double %x.0, 0xBFF0000000000000
	br i1 %84, label %87, label %81

85:
	%86 = fcmp oeq double %y.1, 0x0000000000000000
	br i1 %86, label %80, label %83

87:
	%88 = fcmp ogt double %3, 0x7FEFFFFFFFFFFFFF
	br i1 %88, label %80, label %81
}

declare double @llvm.fabs.f64(double %0)

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

define internal double @heddle_heddle_internal_cpumath_infinity64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9218868437227405312 to double
	ret double %2
}

declare double @llvm.trunc.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
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


