define double @heddle.math.tgamma.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = call double @heddle_heddle_internal_cpumath_nan64()
	%4 = fcmp olt double %2, 0x4028000000000000
	br i1 %4, label %5, label %14

5:
	%6 = call { double, double, double } @heddle_heddle_internal_cpumath_shifted(double %2, double 0x3FF8000000000000)
	%7 = extractvalue { double, double, double } %6, 0
	%8 = extractvalue { double, double, double } %6, 1
	%9 = extractvalue { double, double, double } %6, 2
	%10 = call double @heddle_heddle_internal_cpumath_gammaNear(double %7)
	%11 = fmul contract double %10, %8
	%12 = fdiv double %11, %9
	%13 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %13, label %17, label %14

14:
	%15 = phi double [ %3, %1 ], [ %12, %5 ], [ %21, %17 ], [ %24, %23 ]
	%16 = fcmp oge double %2, 0x4028000000000000
	br i1 %16, label %25, label %27

17:
	%18 = call double @heddle_heddle_internal_cpumath_sinPi(double %2)
	%19 = fmul contract double %2, %18
	%20 = fmul contract double %19, %12
	%21 = fdiv double 0xC00921FB54442D18, %20
	%22 = call i1 @heddle_heddle_internal_cpumath_odd(double %2)
	br i1 %22, label %23, label %14

23:
	%24 = fneg contract double %21
	br label %14

25:
	%26 = call double @heddle_heddle_internal_cpumath_gammaFar(double %x.0)
	br label %27

27:
	%28 = phi double [ %15, %14 ], [ %26, %25 ]
	%29 = fcmp olt double %2, 0x3C30000000000000
	br i1 %29, label %30, label %32

30:
	%31 = fdiv double 0x3FF0000000000000, %x.0
	br label %32

32:
	%33 = phi double [ %28, %27 ], [ %31, %30 ]
	%34 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %34, label %39, label %37

35:
	%36 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %37

37:
	%38 = phi double [ %33, %32 ], [ %33, %39 ], [ %36, %35 ]
	ret double %38

39:
	%40 = call double @llvm.trunc.f64(double %x.0)
	%41 = fcmp oeq double %40, %x.0
	br i1 %41, label %35, label %37
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
}

define internal { double, double, double } @heddle_heddle_internal_cpumath_shifted(double %x.0, double %least.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp olt double %x.0, 0x3FE0000000000000
	br i1 %2, label %3, label %9

3:
	%4 = fadd contract double 0x3FF0000000000000, %x.0
	%5 = fmul contract double %x.0, %4
	%6 = insertvalue { double, double, double } poison, double %x.0, 0
	%7 = insertvalue { double, double, double } %6, double 0x3FF0000000000000, 1
	%8 = insertvalue { double, double, double } %7, double %5, 2
	ret { double, double, double } %8

9:
	%10 = fcmp olt double %x.0, %least.1
	br i1 %10, label %11, label %24

11:
	%12 = fsub contract double %x.0, 0x3FF0000000000000
	%13 = insertvalue { double, double, double } poison, double %12, 0
	%14 = insertvalue { double, double, double } %13, double 0x3FF0000000000000, 1
	%15 = insertvalue { double, double, double } %14, double %x.0, 2
	ret { double, double, double } %15

16:
	%17 = fsub contract double %25, 0x3FF0000000000000
	%18 = fmul contract double %26, %17
	br label %24

19:
	%20 = fsub contract double %25, 0x4000000000000000
	%21 = insertvalue { double, double, double } poison, double %20, 0
	%22 = insertvalue { double, double, double } %21, double %26, 1
	%23 = insertvalue { double, double, double } %22, double 0x3FF0000000000000, 2
	ret { double, double, double } %23

24:
	%25 = phi double [ %x.0, %9 ], [ %17, %16 ]
	%26 = phi double [ 0x3FF0000000000000, %9 ], [ %18, %16 ]
	%27 = fcmp ogt double %25, 0x4004000000000000
	br i1 %27, label %16, label %19
}

define internal double @heddle_heddle_internal_cpumath_gammaNear(double %f.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double 0xBEC8CBA015528A29, %f.0
	%3 = fadd contract double %2, 0x3EC5AE642861732B
	%4 = fmul contract double %3, %f.0
	%5 = fsub contract double %4, 0x3EBBF0B120CE78C9
	%6 = fmul contract double %5, %f.0
	%7 = fadd contract double %6, 0x3EDE767592E9BF9B
	%8 = fmul contract double %7, %f.0
	%9 = fsub contract double %8, 0x3EF10DFD9159DC7D
	%10 = fmul contract double %9, %f.0
	%11 = fadd contract double %10, 0x3F0004F43DEE68F1
	%12 = fmul contract double %11, %f.0
	%13 = fsub contract double %12, 0x3F0FBA9CFAA793B9
	%14 = fmul contract double %13, %f.0
	%15 = fadd contract double %14, 0x3F1FE445936822FA
	%16 = fmul contract double %15, %f.0
	%17 = fsub contract double %16, 0x3F2F961FEB80F1ED
	%18 = fmul contract double %17, %f.0
	%19 = fadd contract double %18, 0x3F4011B0BC29AC86
	%20 = fmul contract double %19, %f.0
	%21 = fsub contract double %20, 0x3F4E21E8AA0501C1
	%22 = fmul contract double %21, %f.0
	%23 = fadd contract double %22, 0x3F613C448F4B3CEC
	%24 = fmul contract double %23, %f.0
	%25 = fsub contract double %24, 0x3F675E6EB1841C85
	%26 = fmul contract double %25, %f.0
	%27 = fadd contract double %26, 0x3F86D7EEACB93A7D
	%28 = fmul contract double %27, %f.0
	%29 = fsub contract double %28, 0x3F317F3738CA54E9
	%30 = fmul contract double %29, %f.0
	%31 = fadd contract double %30, 0x3FB301FBB0F24E72
	%32 = fmul contract double %31, %f.0
	%33 = fadd contract double %32, 0x3FB4E2399846333D
	%34 = fmul contract double %33, %f.0
	%35 = fadd contract double %34, 0x3FDA5B978B96BEC2
	%36 = fmul contract double %35, %f.0
	%37 = fadd contract double %36, 0x3FDB0EE6072093D6
	%38 = fmul contract double %f.0, %37
	%39 = fadd contract double 0x3FF0000000000000, %38
	ret double %39
}

define internal double @heddle_heddle_internal_cpumath_sinPi(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.rint.f64(double %x.0)
	%3 = fsub contract double %x.0, %2
	%4 = call double @llvm.fabs.f64(double %3)
	%5 = fcmp ogt double %4, 0x3FD0000000000000
	br i1 %5, label %6, label %8

6:
	%7 = fsub contract double 0x3FE0000000000000, %4
	br label %8

8:
	%9 = phi double [ %4, %1 ], [ %7, %6 ]
	%10 = fmul contract double 0x400921FB54442D18, %9
	%11 = call { double, double } @heddle_heddle_internal_cpumath_sincos64(double %10)
	%12 = extractvalue { double, double } %11, 0
	%13 = extractvalue { double, double } %11, 1
	br i1 %5, label %14, label %15

14:
	br label %15

15:
	%16 = phi double [ %12, %8 ], [ %13, %14 ]
	ret double %16
}

define internal i1 @heddle_heddle_internal_cpumath_odd(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.trunc.f64(double %x.0)
	%3 = fmul contract double %2, 0x3FE0000000000000
	%4 = call double @llvm.trunc.f64(double %3)
	%5 = fcmp une double %4, %3
	ret i1 %5
}

define internal double @heddle_heddle_internal_cpumath_gammaFar(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fcmp ogt double %2, 0x4069000000000000
	br i1 %3, label %4, label %5

4:
	br label %5

5:
	%6 = phi double [ %2, %1 ], [ 0x4069000000000000, %4 ]
	%7 = bitcast double %6 to i64
	%8 = call { double, double } @heddle_heddle_internal_cpumath_logarithm(i64 %7)
	%9 = extractvalue { double, double } %8, 0
	%10 = extractvalue { double, double } %8, 1
	%11 = fsub contract double %6, 0x3FE0000000000000
	%12 = call { double, double } @heddle_heddle_internal_cpumath_times(double %9, double %10, double %11)
	%13 = extractvalue { double, double } %12, 0
	%14 = extractvalue { double, double } %12, 1
	%15 = fneg contract double %6
	%16 = call { double, double } @heddle_heddle_internal_cpumath_sum(double %13, double %15)
	%17 = extractvalue { double, double } %16, 0
	%18 = extractvalue { double, double } %16, 1
	%19 = call { double, double } @heddle_heddle_internal_cpumath_sum(double %17, double 0x3FED67F1C864BEB5)
	%20 = extractvalue { double, double } %19, 0
	%21 = extractvalue { double, double } %19, 1
	%22 = fadd contract double %21, 0xBC865B5A1B7FF5DF
	%23 = fadd contract double %18, %22
	%24 = call double @heddle_heddle_internal_cpumath_stirling(double %6)
	%25 = fadd contract double %23, %24
	%26 = fadd contract double %14, %25
	%27 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %20, double %26)
	%28 = extractvalue { double, double } %27, 0
	%29 = extractvalue { double, double } %27, 1
	%30 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %30, label %31, label %34

31:
	%32 = fneg contract double %28
	%33 = fneg contract double %29
	br label %34

34:
	%35 = phi double [ %28, %5 ], [ %32, %31 ]
	%36 = phi double [ %29, %5 ], [ %33, %31 ]
	%37 = call { double, double, i32 } @heddle_heddle_internal_cpumath_exponential(double %35, double %36)
	%38 = extractvalue { double, double, i32 } %37, 0
	%39 = extractvalue { double, double, i32 } %37, 1
	%40 = extractvalue { double, double, i32 } %37, 2
	%41 = fadd contract double %38, %39
	%42 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %42, label %43, label %50

43:
	%44 = call double @llvm.fabs.f64(double %x.0)
	%45 = call double @heddle_heddle_internal_cpumath_sinPi(double %44)
	%46 = fmul contract double %6, %45
	%47 = fdiv double 0x400921FB54442D18, %46
	%48 = fmul contract double %41, %47
	%49 = call i1 @heddle_heddle_internal_cpumath_odd(double %44)
	br i1 %49, label %50, label %53

50:
	%51 = phi double [ %41, %34 ], [ %48, %43 ], [ %54, %53 ]
	%52 = call double @heddle_heddle_internal_cpumath_scale64(double %51, i32 %40)
	ret double %52

53:
	%54 = fneg contract double %48
	br label %50
}

declare double @llvm.trunc.f64(double %0)

declare double @llvm.rint.f64(double %0)

define internal { double, double } @heddle_heddle_internal_cpumath_sincos64(double %r.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double %r.0, %r.0
	%3 = fmul contract double 0x3DE5D8B69510EAB6, %2
	%4 = fsub contract double %3, 0x3E5AE5E4BC56FB91
	%5 = fmul contract double %4, %2
	%6 = fadd contract double %5, 0x3EC71DE35557A6F2
	%7 = fmul contract double %6, %2
	%8 = fsub contract double %7, 0x3F2A01A019BE9743
	%9 = fmul contract double %8, %2
	%10 = fadd contract double %9, 0x3F8111111110F732
	%11 = fmul contract double %10, %2
	%12 = fsub contract double %11, 0x3FC5555555555548
	%13 = fmul contract double %r.0, %2
	%14 = fmul contract double %13, %12
	%15 = fadd contract double %r.0, %14
	%16 = fmul contract double 0xBDA8FA60691E5D67, %2
	%17 = fadd contract double %16, 0x3E21EE9DAF5645A2
	%18 = fmul contract double %17, %2
	%19 = fsub contract double %18, 0x3E927E4F7F080093
	%20 = fmul contract double %19, %2
	%21 = fadd contract double %20, 0x3EFA01A019C8E000
	%22 = fmul contract double %21, %2
	%23 = fsub contract double %22, 0x3F56C16C16C1500E
	%24 = fmul contract double %23, %2
	%25 = fadd contract double %24, 0x3FA555555555554B
	%26 = fmul contract double 0x3FE0000000000000, %2
	%27 = fsub contract double 0x3FF0000000000000, %26
	%28 = fsub contract double 0x3FF0000000000000, %27
	%29 = fsub contract double %28, %26
	%30 = fmul contract double %2, %2
	%31 = fmul contract double %30, %25
	%32 = fadd contract double %29, %31
	%33 = fadd contract double %27, %32
	%34 = insertvalue { double, double } poison, double %15, 0
	%35 = insertvalue { double, double } %34, double %33, 1
	ret { double, double } %35
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

define internal { double, double } @heddle_heddle_internal_cpumath_sum(double %a.0, double %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fadd contract double %a.0, %b.1
	%3 = fsub contract double %2, %a.0
	%4 = fsub contract double %2, %3
	%5 = fsub contract double %a.0, %4
	%6 = fsub contract double %b.1, %3
	%7 = fadd contract double %5, %6
	%8 = insertvalue { double, double } poison, double %2, 0
	%9 = insertvalue { double, double } %8, double %7, 1
	ret { double, double } %9
}

define internal double @heddle_heddle_internal_cpumath_stirling(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fdiv double 0x3FF0000000000000, %x.0
	%3 = fmul contract double %2, %2
	%4 = fmul contract double 0x3F722670B406B68C, %3
	%5 = fsub contract double %4, 0x3F5E7D581F546366
	%6 = fmul contract double %5, %3
	%7 = fadd contract double %6, 0x3F4B8E79AEDB7029
	%8 = fmul contract double %7, %3
	%9 = fsub contract double %8, 0x3F43812C138B3FF6
	%10 = fmul contract double %9, %3
	%11 = fadd contract double %10, 0x3F4A01A00FD02E20
	%12 = fmul contract double %11, %3
	%13 = fsub contract double %12, 0x3F66C16C16C09DAF
	%14 = fmul contract double %13, %3
	%15 = fadd contract double %14, 0x3FB5555555555555
	%16 = fmul contract double %2, %15
	ret double %16
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


