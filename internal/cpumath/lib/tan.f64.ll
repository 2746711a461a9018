@heddle_var_370b429936902486_29 = internal constant [21 x i64] [i64 0, i64 2935890503282001226, i64 9154082963658192752, i64 3952090531849364496, i64 9193070505571053912, i64 7910884519577875640, i64 113236205062349959, i64 4577762542105553359, i64 -5034868814120038111, i64 4208363204685324176, i64 5648769086999809661, i64 2819561105158720014, i64 -4035746434778044925, i64 -302932621132653753, i64 -2644281811660520851, i64 -3183605296591799669, i64 6722166367014452318, i64 -3512299194304650054, i64 -7278142537965807806, i64 1549462648408431338, i64 -273612334050767481], align 16

define double @heddle.math.tan.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = fmul contract double %2, 0x3FE45F306DC9C883
	%4 = fadd contract double %3, 0x4338000000000000
	%5 = fsub contract double %4, 0x4338000000000000
	%6 = bitcast double %4 to i64
	%7 = fmul contract double %5, 0x3FF921FB54000000
	%8 = fsub contract double %2, %7
	%9 = fmul contract double %5, 0x3E110B4600000000
	%10 = fsub contract double %8, %9
	%11 = fmul contract double %5, 0x3C91A62633100000
	%12 = fsub contract double %10, %11
	%13 = fsub contract double %10, %12
	%14 = fmul contract double %5, 0x3C91A62633100000
	%15 = fsub contract double %13, %14
	%16 = fmul contract double %5, 0x3A71701B839A2520
	%17 = fsub contract double %15, %16
	%18 = fcmp ole double %2, 0x4120000000000000
	br i1 %18, label %24, label %19

19:
	%20 = call { double, double, i64 } @heddle_heddle_internal_cpumath_reduceHuge(double %2)
	%21 = extractvalue { double, double, i64 } %20, 0
	%22 = extractvalue { double, double, i64 } %20, 1
	%23 = extractvalue { double, double, i64 } %20, 2
	br label %24

24:
	%25 = phi i64 [ %6, %1 ], [ %23, %19 ]
	%26 = phi double [ %12, %1 ], [ %21, %19 ]
	%27 = phi double [ %17, %1 ], [ %22, %19 ]
	%28 = fmul contract double %26, 0x3FE0000000000000
	%29 = fmul contract double %28, %28
	%30 = fmul contract double 0x3F358B5435E847DB, %29
	%31 = fadd contract double %30, 0x3F4252321B01598F
	%32 = fmul contract double %31, %29
	%33 = fadd contract double %32, 0x3F57F231EE1151C2
	%34 = fmul contract double %33, %29
	%35 = fadd contract double %34, 0x3F6D6BEAFFCC6C28
	%36 = fmul contract double %35, %29
	%37 = fadd contract double %36, 0x3F8226E908A9E52F
	%38 = fmul contract double %37, %29
	%39 = fadd contract double %38, 0x3F9664F46A943EAC
	%40 = fmul contract double %39, %29
	%41 = fadd contract double %40, 0x3FABA1BA1BF8744B
	%42 = fmul contract double %41, %29
	%43 = fadd contract double %42, 0x3FC111111110D2E0
	%44 = fmul contract double %43, %29
	%45 = fadd contract double %44, 0x3FD5555555555574
	%46 = fmul contract double 0x3FE0000000000000, %27
	%47 = fmul contract double %28, %29
	%48 = fmul contract double %47, %45
	%49 = fadd contract double %46, %48
	%50 = fadd contract double %28, %49
	%51 = fmul contract double 0x4000000000000000, %50
	%52 = fmul contract double %50, %50
	%53 = fsub contract double 0x3FF0000000000000, %52
	%54 = and i64 %25, 1
	%55 = icmp ne i64 %54, 0
	br i1 %55, label %56, label %58

56:
	%57 = fneg contract double %53
	br label %58

58:
	%59 = phi double [ %51, %24 ], [ %57, %56 ]
	%60 = phi double [ %53, %24 ], [ %51, %56 ]
	%61 = fdiv double %59, %60
	%62 = bitcast double %61 to i64
	%63 = bitcast double %x.0 to i64
	%64 = and i64 %63, -9223372036854775808
	%65 = xor i64 %62, %64
	%66 = bitcast i64 %65 to double
	ret double %66
}

declare double @llvm.fabs.f64(double %0)

define internal { double, double, i64 } @heddle_heddle_internal_cpumath_reduceHuge(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %x.0 to i64
	%3 = xor i64 -9223372036854775808, -1
	%4 = and i64 %2, %3
	%5 = and i64 %4, 4503599627370495
	%6 = or i64 %5, 4503599627370496
	%7 = lshr i64 %4, 52
	%8 = sub i64 %7, 1075
	%9 = add i64 %8, 64
	%10 = call i64 @heddle_heddle_internal_cpumath_window(i64 %9)
	%11 = call { i64, i64 } @heddle_heddle_internal_cpumath_multiply64(i64 %6, i64 %10)
	%12 = extractvalue { i64, i64 } %11, 0
	%13 = extractvalue { i64, i64 } %11, 1
	%14 = add i64 %9, 64
	%15 = call i64 @heddle_heddle_internal_cpumath_window(i64 %14)
	%16 = call { i64, i64 } @heddle_heddle_internal_cpumath_multiply64(i64 %6, i64 %15)
	%17 = extractvalue { i64, i64 } %16, 0
	%18 = extractvalue { i64, i64 } %16, 1
	%19 = add i64 %9, 128
	%20 = call i64 @heddle_heddle_internal_cpumath_window(i64 %19)
	%21 = call { i64, i64 } @heddle_heddle_internal_cpumath_multiply64(i64 %6, i64 %20)
	%22 = extractvalue { i64, i64 } %21, 0
	%23 = extractvalue { i64, i64 } %21, 1
	%24 = add i64 %18, %22
	%25 = add i64 %13, %17
	%26 = icmp ult i64 %24, %22
	br i1 %26, label %27, label %29

27:
	%28 = add i64 %25, 1
	br label %29

29:
	%30 = phi i64 [ %25, %1 ], [ %28, %27 ]
	%31 = add i64 %30, 2305843009213693952
	%32 = lshr i64 %31, 62
	%33 = shl i64 %32, 62
	%34 = sub i64 %30, %33
	%35 = lshr i64 %34, 63
	%36 = icmp ne i64 %35, 0
	br i1 %36, label %37, label %40

37:
	%38 = xor i64 %34, -1
	%39 = xor i64 %24, -1
	br label %40

40:
	%41 = phi i64 [ %34, %29 ], [ %38, %37 ]
	%42 = phi i64 [ %24, %29 ], [ %39, %37 ]
	%43 = lshr i64 %41, 32
	%44 = trunc i64 %43 to i32
	%45 = uitofp i32 %44 to double
	%46 = fmul contract double %45, 0x3DF0000000000000
	%47 = and i64 %41, 4294967295
	%48 = trunc i64 %47 to i32
	%49 = uitofp i32 %48 to double
	%50 = fmul contract double %49, 0x3BF0000000000000
	%51 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %46, double %50)
	%52 = extractvalue { double, double } %51, 0
	%53 = extractvalue { double, double } %51, 1
	%54 = lshr i64 %42, 32
	%55 = trunc i64 %54 to i32
	%56 = uitofp i32 %55 to double
	%57 = fmul contract double %56, 0x39F0000000000000
	%58 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %52, double %57)
	%59 = extractvalue { double, double } %58, 0
	%60 = extractvalue { double, double } %58, 1
	%61 = fadd contract double %53, %60
	%62 = and i64 %42, 4294967295
	%63 = trunc i64 %62 to i32
	%64 = uitofp i32 %63 to double
	%65 = fmul contract double %64, 0x37F0000000000000
	%66 = fadd contract double %61, %65
	%67 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %59, double %66)
	%68 = extractvalue { double, double } %67, 0
	%69 = extractvalue { double, double } %67, 1
	%70 = call { double, double } @heddle_heddle_internal_cpumath_product(double %68, double 0x401921FB54442D18)
	%71 = extractvalue { double, double } %70, 0
	%72 = extractvalue { double, double } %70, 1
	%73 = fmul contract double %68, 0x3CB1A62633145C07
	%74 = fadd contract double %72, %73
	%75 = fmul contract double %69, 0x401921FB54442D18
	%76 = fadd contract double %74, %75
	%77 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %71, double %76)
	%78 = extractvalue { double, double } %77, 0
	%79 = extractvalue { double, double } %77, 1
	%80 = icmp ne i64 %35, 0
	br i1 %80, label %81, label %84

81:
	%82 = fneg contract double %78
	%83 = fneg contract double %79
	br label %84

84:
	%85 = phi double [ %78, %40 ], [ %82, %81 ]
	%86 = phi double [ %79, %40 ], [ %83, %81 ]
	%87 = icmp uge i64 %4, 9218868437227405312
	br i1 %87, label %88, label %90

88:
	%89 = call double @heddle_heddle_internal_cpumath_nan64()
	br label %90

90:
	%91 = phi double [ %85, %84 ], [ %89, %88 ]
	%92 = insertvalue { double, double, i64 } poison, double %91, 0
	%93 = insertvalue { double, double, i64 } %92, double %86, 1
	%94 = insertvalue { double, double, i64 } %93, i64 %32, 2
	ret { double, double, i64 } %94
}

define internal i64 @heddle_heddle_internal_cpumath_window(i64 %bit.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = lshr i64 %bit.0, 6
	%3 = and i64 %2, 31
	%4 = and i64 %bit.0, 63
	%5 = icmp ugt i64 %3, 19
	br i1 %5, label %6, label %7

6:
	br label %7

7:
	%8 = phi i64 [ %3, %1 ], [ 19, %6 ]
	%9 = icmp uge i64 %8, 21
	%10 = getelementptr inbounds [21 x i64], ptr @heddle_var_370b429936902486_29, i64 0, i64 %8
	%11 = load i64, ptr %10, align 8
	%12 = icmp ult i64 %4, 64
	%13 = shl i64 %11, %4
	%14 = select i1 %12, i64 %13, i64 0
	%15 = add i64 %8, 1
	%16 = icmp uge i64 %15, 21
	%17 = getelementptr inbounds [21 x i64], ptr @heddle_var_370b429936902486_29, i64 0, i64 %15
	%18 = load i64, ptr %17, align 8
	%19 = lshr i64 %18, 1
	%20 = sub i64 63, %4
	%21 = icmp ult i64 %20, 64
	%22 = lshr i64 %19, %20
	%23 = select i1 %21, i64 %22, i64 0
	%24 = or i64 %14, %23
	ret i64 %24
}

define internal { i64, i64 } @heddle_heddle_internal_cpumath_multiply64(i64 %a.0, i64 %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = and i64 %a.0, 4294967295
	%3 = lshr i64 %a.0, 32
	%4 = and i64 %b.1, 4294967295
	%5 = lshr i64 %b.1, 32
	%6 = mul i64 %3, %4
	%7 = mul i64 %2, %4
	%8 = lshr i64 %7, 32
	%9 = add i64 %6, %8
	%10 = mul i64 %2, %5
	%11 = and i64 %9, 4294967295
	%12 = add i64 %10, %11
	%13 = mul i64 %3, %5
	%14 = lshr i64 %9, 32
	%15 = add i64 %13, %14
	%16 = lshr i64 %12, 32
	%17 = add i64 %15, %16
	%18 = mul i64 %a.0, %b.1
	%19 = insertvalue { i64, i64 } poison, i64 %17, 0
	%20 = insertvalue { i64, i64 } %19, i64 %18, 1
	ret { i64, i64 } %20
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

define internal { double, double } @heddle_heddle_internal_cpumath_product(double %a.0, double %b.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @heddle_heddle_internal_cpumath_top(double %a.0)
	%3 = call double @heddle_heddle_internal_cpumath_top(double %b.1)
	%4 = fsub contract double %a.0, %2
	%5 = fsub contract double %b.1, %3
	%6 = fmul contract double %2, %3
	%7 = fmul contract double %2, %5
	%8 = fmul contract double %4, %3
	%9 = fadd contract double %7, %8
	%10 = fmul contract double %4, %5
	%11 = fadd contract double %9, %10
	%12 = call { double, double } @heddle_heddle_internal_cpumath_fastSum(double %6, double %11)
	%13 = extractvalue { double, double } %12, 0
	%14 = extractvalue { double, double } %12, 1
	%15 = insertvalue { double, double } poison, double %13, 0
	%16 = insertvalue { double, double } %15, double %14, 1
	ret { double, double } %16
}

define internal double @heddle_heddle_internal_cpumath_nan64() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i64 9221120237041090560 to double
	ret double %2
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


