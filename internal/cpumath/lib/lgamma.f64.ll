define double @heddle.math.lgamma.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = call double @heddle_heddle_internal_cpumath_lgammaNear(double %2)
	%4 = fcmp oge double %2, 0x4020000000000000
	br i1 %4, label %5, label %14

5:
	%6 = call double @heddle_heddle_internal_cpumath_LogF64(double %2)
	%7 = fsub contract double %2, 0x3FE0000000000000
	%8 = fsub contract double %6, 0x3FF0000000000000
	%9 = fmul contract double %7, %8
	%10 = call double @heddle_heddle_internal_cpumath_stirling(double %2)
	%11 = fadd contract double 0x3FDACFE390C97D6A, %10
	%12 = fadd contract double %9, %11
	%13 = fcmp ogt double %2, 0x43B0000000000000
	br i1 %13, label %17, label %14

14:
	%15 = phi double [ %3, %1 ], [ %12, %5 ], [ %19, %17 ]
	%16 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %16, label %20, label %27

17:
	%18 = fsub contract double %6, 0x3FF0000000000000
	%19 = fmul contract double %2, %18
	br label %14

20:
	%21 = call double @heddle_heddle_internal_cpumath_sinPi(double %2)
	%22 = fmul contract double %2, %21
	%23 = fdiv double 0x400921FB54442D18, %22
	%24 = call double @heddle_heddle_internal_cpumath_LogF64(double %23)
	%25 = fsub contract double %24, %15
	%26 = fcmp oeq double %21, 0x0000000000000000
	br i1 %26, label %30, label %27

27:
	%28 = phi double [ %15, %14 ], [ %25, %20 ], [ %31, %30 ]
	%29 = fcmp olt double %2, 0x3C30000000000000
	br i1 %29, label %32, label %35

30:
	%31 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %27

32:
	%33 = call double @heddle_heddle_internal_cpumath_LogF64(double %2)
	%34 = fneg contract double %33
	br label %35

35:
	%36 = phi double [ %28, %27 ], [ %34, %32 ]
	%37 = fcmp une double %x.0, %x.0
	br i1 %37, label %38, label %39

38:
	br label %39

39:
	%40 = phi double [ %36, %35 ], [ %x.0, %38 ]
	%41 = fcmp ogt double %2, 0x7FEFFFFFFFFFFFFF
	br i1 %41, label %42, label %43

42:
	br label %43

43:
	%44 = phi double [ %40, %39 ], [ %2, %42 ]
	ret double %44
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_lgammaNear(double %a.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp olt double %a.0, 0x4020000000000000
	br i1 %2, label %4, label %3

3:
	br label %4

4:
	%5 = phi double [ %a.0, %1 ], [ 0x4020000000000000, %3 ]
	%6 = call { double, double, double } @heddle_heddle_internal_cpumath_shifted(double %5, double 0x3FF3333333333333)
	%7 = extractvalue { double, double, double } %6, 0
	%8 = extractvalue { double, double, double } %6, 1
	%9 = extractvalue { double, double, double } %6, 2
	%10 = fmul contract double 0x3E642C9A387E036F, %7
	%11 = fadd contract double %10, 0x3E73082A3ADAEDA0
	%12 = fmul contract double %11, %7
	%13 = fadd contract double %12, 0x3E65241E512CC8B4
	%14 = fmul contract double %13, %7
	%15 = fsub contract double %14, 0x3E786FB97842C0EB
	%16 = fmul contract double %15, %7
	%17 = fsub contract double %16, 0x3E52A9304A6DA0B0
	%18 = fmul contract double %17, %7
	%19 = fsub contract double %18, 0x3E76DD69D884A83F
	%20 = fmul contract double %19, %7
	%21 = fadd contract double %20, 0x3E90D1E1896BA18A
	%22 = fmul contract double %21, %7
	%23 = fsub contract double %22, 0x3E9DD40DD0CADD0D
	%24 = fmul contract double %23, %7
	%25 = fadd contract double %24, 0x3EAFA9EE22EDA7BB
	%26 = fmul contract double %25, %7
	%27 = fsub contract double %26, 0x3EC12285EF3D51EC
	%28 = fmul contract double %27, %7
	%29 = fadd contract double %28, 0x3ED25B92C4B25E14
	%30 = fmul contract double %29, %7
	%31 = fsub contract double %30, 0x3EE3CB552137B209
	%32 = fmul contract double %31, %7
	%33 = fadd contract double %32, 0x3EF580CFC149F51B
	%34 = fmul contract double %33, %7
	%35 = fsub contract double %34, 0x3F078DE9A443B832
	%36 = fmul contract double %35, %7
	%37 = fadd contract double %36, 0x3F1A127B3B6A3485
	%38 = fmul contract double %37, %7
	%39 = fsub contract double %38, 0x3F2D3FD4B400FD58
	%40 = fmul contract double %39, %7
	%41 = fadd contract double %40, 0x3F40B36AF8472C7B
	%42 = fmul contract double %41, %7
	%43 = fsub contract double %42, 0x3F538AC5C2DACD82
	%44 = fmul contract double %43, %7
	%45 = fadd contract double %44, 0x3F67ADD6EADB5272
	%46 = fmul contract double %45, %7
	%47 = fsub contract double %46, 0x3F7E404FC218CF46
	%48 = fmul contract double %47, %7
	%49 = fadd contract double %48, 0x3F951322AC7D84AC
	%50 = fmul contract double %49, %7
	%51 = fsub contract double %50, 0x3FB13E001A55760C
	%52 = fmul contract double %51, %7
	%53 = fadd contract double %52, 0x3FD4A34CC4A60FA6
	%54 = fmul contract double %53, %7
	%55 = fadd contract double %54, 0x3FDB0EE6072093CE
	%56 = fmul contract double %8, %9
	%57 = call double @heddle_heddle_internal_cpumath_LogF64(double %56)
	%58 = fcmp une double %9, 0x3FF0000000000000
	br i1 %58, label %59, label %61

59:
	%60 = fneg contract double %57
	br label %61

61:
	%62 = phi double [ %57, %4 ], [ %60, %59 ]
	%63 = fmul contract double %7, %55
	%64 = fadd contract double %63, %62
	ret double %64
}

define internal double @heddle_heddle_internal_cpumath_LogF64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = call double @heddle_heddle_internal_cpumath_log64(i64 %2)
	%4 = call i1 @heddle_heddle_internal_cpumath_unusualLog64(double %x.0)
	br i1 %4, label %5, label %9

5:
	%6 = call i64 @heddle_heddle_internal_cpumath_normal64(double %x.0)
	%7 = call double @heddle_heddle_internal_cpumath_log64(i64 %6)
	%8 = call double @heddle_heddle_internal_cpumath_edgeLog64(double %x.0, double %7)
	br label %9

9:
	%10 = phi double [ %3, %1 ], [ %8, %5 ]
	ret double %10
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

define internal double @heddle_heddle_internal_cpumath_infinity64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9218868437227405312 to double
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


