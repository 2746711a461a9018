@heddle_var_370b429936902486_29 = internal constant [21 x i64] [i64 0, i64 2935890503282001226, i64 9154082963658192752, i64 3952090531849364496, i64 9193070505571053912, i64 7910884519577875640, i64 113236205062349959, i64 4577762542105553359, i64 -5034868814120038111, i64 4208363204685324176, i64 5648769086999809661, i64 2819561105158720014, i64 -4035746434778044925, i64 -302932621132653753, i64 -2644281811660520851, i64 -3183605296591799669, i64 6722166367014452318, i64 -3512299194304650054, i64 -7278142537965807806, i64 1549462648408431338, i64 -273612334050767481], align 16

define float @heddle.math.tan.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = call { float, i32 } @heddle_heddle_internal_cpumath_reduceQuarter32(float %x.0)
	%3 = extractvalue { float, i32 } %2, 0
	%4 = extractvalue { float, i32 } %2, 1
	%5 = fmul contract float %3, %3
	%6 = fmul contract float 0x3F833D97E0000000, %5
	%7 = fadd contract float %6, 0x3F696DD460000000
	%8 = fmul contract float %7, %5
	%9 = fadd contract float %8, 0x3F9906C720000000
	%10 = fmul contract float %9, %5
	%11 = fadd contract float %10, 0x3FAB585D80000000
	%12 = fmul contract float %11, %5
	%13 = fadd contract float %12, 0x3FC112DE60000000
	%14 = fmul contract float %13, %5
	%15 = fadd contract float %14, 0x3FD5554DE0000000
	%16 = fmul contract float %3, %5
	%17 = fmul contract float %16, %15
	%18 = fadd contract float %3, %17
	%19 = and i32 %4, 1
	%20 = icmp ne i32 %19, 0
	br i1 %20, label %21, label %23

21:
	%22 = fdiv float 0xBFF0000000000000, %18
	br label %23

23:
	%24 = phi float [ %18, %1 ], [ %22, %21 ]
	%25 = bitcast float %24 to i32
	%26 = bitcast float %x.0 to i32
	%27 = and i32 %26, -2147483648
	%28 = xor i32 %25, %27
	%29 = bitcast i32 %28 to float
	ret float %29
}

define internal { float, i32 } @heddle_heddle_internal_cpumath_reduceQuarter32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%3 = fmul contract float %2, 0x3FE45F3060000000
	%4 = fadd contract float %3, 0x4168000000000000
	%5 = fsub contract float %4, 0x4168000000000000
	%6 = fmul contract float %5, 0x3FF921F000000000
	%7 = fsub contract float %2, %6
	%8 = fmul contract float %5, 0x3EE6A88000000000
	%9 = fsub contract float %7, %8
	%10 = fmul contract float %5, 0x3DD0B46120000000
	%11 = fsub contract float %9, %10
	%12 = bitcast float %4 to i32
	%13 = fcmp ole float %2, 0x4068E00000000000
	br i1 %13, label %18, label %14

14:
	%15 = call { float, i32 } @heddle_heddle_internal_cpumath_reduceFar32(float %2)
	%16 = extractvalue { float, i32 } %15, 0
	%17 = extractvalue { float, i32 } %15, 1
	br label %18

18:
	%19 = phi float [ %11, %1 ], [ %16, %14 ]
	%20 = phi i32 [ %12, %1 ], [ %17, %14 ]
	%21 = insertvalue { float, i32 } poison, float %19, 0
	%22 = insertvalue { float, i32 } %21, i32 %20, 1
	ret { float, i32 } %22
}

define internal float @heddle_heddle_internal_cpumath_abs32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = xor i32 -2147483648, -1
	%4 = and i32 %2, %3
	%5 = bitcast i32 %4 to float
	ret float %5
}

define internal { float, i32 } @heddle_heddle_internal_cpumath_reduceFar32(float %a.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fpext float %a.0 to double
	%3 = fmul contract double %2, 0x3FE45F306DC9C883
	%4 = fadd contract double %3, 0x4338000000000000
	%5 = fsub contract double %4, 0x4338000000000000
	%6 = fmul contract double %5, 0x3FF921FB54400000
	%7 = fsub contract double %2, %6
	%8 = fmul contract double %5, 0x3DD0B4611A626331
	%9 = fsub contract double %7, %8
	%10 = bitcast double %4 to i64
	%11 = fcmp ole float %a.0, 0x4130000000000000
	br i1 %11, label %17, label %12

12:
	%13 = call { double, double, i64 } @heddle_heddle_internal_cpumath_reduceHuge(double %2)
	%14 = extractvalue { double, double, i64 } %13, 0
	%15 = extractvalue { double, double, i64 } %13, 1
	%16 = extractvalue { double, double, i64 } %13, 2
	br label %17

17:
	%18 = phi double [ %9, %1 ], [ %14, %12 ]
	%19 = phi i64 [ %10, %1 ], [ %16, %12 ]
	%20 = fptrunc double %18 to float
	%21 = trunc i64 %19 to i32
	%22 = insertvalue { float, i32 } poison, float %20, 0
	%23 = insertvalue { float, i32 } %22, i32 %21, 1
	ret { float, i32 } %23
}

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


