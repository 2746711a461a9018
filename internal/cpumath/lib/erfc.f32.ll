define float @heddle.math.erfc.f32(float %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fpext float %x.0 to double
	%3 = call double @heddle_heddle_internal_cpumath_ErfcF64(double %2)
	%4 = fptrunc double %3 to float
	ret float %4
}

define internal double @heddle_heddle_internal_cpumath_ErfcF64(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call double @llvm.fabs.f64(double %x.0)
	%3 = call double @heddle_heddle_internal_cpumath_erfNear(double %x.0)
	%4 = fadd contract double %x.0, %3
	%5 = fsub contract double 0x3FF0000000000000, %4
	%6 = fcmp oge double %2, 0x3FE0000000000000
	br i1 %6, label %7, label %9

7:
	%8 = fcmp ogt double %2, 0x403C000000000000
	br i1 %8, label %11, label %12

9:
	%10 = phi double [ %5, %1 ], [ %14, %12 ], [ %17, %16 ]
	ret double %10

11:
	br label %12

12:
	%13 = phi double [ %2, %7 ], [ 0x403C000000000000, %11 ]
	%14 = call double @heddle_heddle_internal_cpumath_complement(double %13)
	%15 = fcmp olt double %x.0, 0x0000000000000000
	br i1 %15, label %16, label %9

16:
	%17 = fsub contract double 0x4000000000000000, %14
	br label %9
}

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_erfNear(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract double %x.0, %x.0
	%3 = fmul contract double 0xBE0A165B5C15E79D, %2
	%4 = fadd contract double %3, 0x3E4D39CF3652B835
	%5 = fmul contract double %4, %2
	%6 = fsub contract double %5, 0x3E85B8435D71A5B3
	%7 = fmul contract double %6, %2
	%8 = fadd contract double %7, 0x3EBB96A3036A7A34
	%9 = fmul contract double %8, %2
	%10 = fsub contract double %9, 0x3EEF4C815F8DB322
	%11 = fmul contract double %10, %2
	%12 = fadd contract double %11, 0x3F1F9A29563D5888
	%13 = fmul contract double %12, %2
	%14 = fsub contract double %13, 0x3F4C02DAEAC3BEB6
	%15 = fmul contract double %14, %2
	%16 = fadd contract double %15, 0x3F7565BCCEEA75E4
	%17 = fmul contract double %16, %2
	%18 = fsub contract double %17, 0x3F9B82CE311A88B0
	%19 = fmul contract double %18, %2
	%20 = fadd contract double %19, 0x3FBCE2F21A03F89F
	%21 = fmul contract double %20, %2
	%22 = fsub contract double %21, 0x3FD812746B03799D
	%23 = fmul contract double %22, %2
	%24 = fadd contract double %23, 0x3FC06EBA8214DB68
	%25 = fmul contract double %x.0, %24
	ret double %25
}

define internal double @heddle_heddle_internal_cpumath_complement(double %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fsub contract double %x.0, 0x4010000000000000
	%3 = fadd contract double %x.0, 0x4010000000000000
	%4 = fdiv double %2, %3
	%5 = fmul contract double 0x3DDC8DE333D9DED3, %4
	%6 = fsub contract double %5, 0x3E41826D5291D919
	%7 = fmul contract double %6, %4
	%8 = fsub contract double %7, 0x3E41C703FDEA8FDA
	%9 = fmul contract double %8, %4
	%10 = fadd contract double %9, 0x3E7B0A2F9C6BAE1C
	%11 = fmul contract double %10, %4
	%12 = fadd contract double %11, 0x3E6DAD09560E0170
	%13 = fmul contract double %12, %4
	%14 = fsub contract double %13, 0x3EAB7BBEF1662CBE
	%15 = fmul contract double %14, %4
	%16 = fadd contract double %15, 0x3E9513CD8FBACF35
	%17 = fmul contract double %16, %4
	%18 = fadd contract double %17, 0x3ED7F160F9846F6B
	%19 = fmul contract double %18, %4
	%20 = fsub contract double %19, 0x3EE78F8FC0BC962A
	%21 = fmul contract double %20, %4
	%22 = fsub contract double %21, 0x3EF995D4ADE2AD73
	%23 = fmul contract double %22, %4
	%24 = fadd contract double %23, 0x3F23BE30C971DFDB
	%25 = fmul contract double %24, %4
	%26 = fsub contract double %25, 0x3F2A1DECA08CFDE0
	%27 = fmul contract double %26, %4
	%28 = fsub contract double %27, 0x3F48D4AC620A4D63
	%29 = fmul contract double %28, %4
	%30 = fadd contract double %29, 0x3F749C671B44CEE3
	%31 = fmul contract double %30, %4
	%32 = fsub contract double %31, 0x3F90962384EE8617
	%33 = fmul contract double %32, %4
	%34 = fadd contract double %33, 0x3FA3079EDFA6BC5B
	%35 = fmul contract double %34, %4
	%36 = fsub contract double %35, 0x3FB0FB06DFF8056C
	%37 = fmul contract double %36, %4
	%38 = fadd contract double %37, 0x3FB7FEE004DEC54D
	%39 = fmul contract double %38, %4
	%40 = fsub contract double %39, 0x3FB9DDB23C3DA9B3
	%41 = fmul contract double %40, %4
	%42 = fadd contract double %41, 0x3FB16ECEFCFA67B2
	%43 = fmul contract double %42, %4
	%44 = fadd contract double %43, 0x3F8F7F5DF66FB5D7
	%45 = fmul contract double %44, %4
	%46 = fsub contract double %45, 0x3FC1DF1AD154A2A6
	%47 = fmul contract double %46, %4
	%48 = fadd contract double %47, 0x3FF3BA5916E9FD7F
	%49 = call { double, double } @heddle_heddle_internal_cpumath_product(double %x.0, double %x.0)
	%50 = extractvalue { double, double } %49, 0
	%51 = extractvalue { double, double } %49, 1
	%52 = fneg contract double %50
	%53 = fneg contract double %51
	%54 = call { double, double, i32 } @heddle_heddle_internal_cpumath_exponential(double %52, double %53)
	%55 = extractvalue { double, double, i32 } %54, 0
	%56 = extractvalue { double, double, i32 } %54, 1
	%57 = extractvalue { double, double, i32 } %54, 2
	%58 = fadd contract double %55, %56
	%59 = fmul contract double 0x4000000000000000, %x.0
	%60 = fadd contract double 0x3FF0000000000000, %59
	%61 = fdiv double %48, %60
	%62 = fmul contract double %58, %61
	%63 = call double @heddle_heddle_internal_cpumath_scale64(double %62, i32 %57)
	ret double %63
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


