define float @heddle.math.pow.f32(float %x.0, float %y.1) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = call { float, double } @heddle_heddle_internal_cpumath_power(i32 %2, float %y.1)
	%4 = extractvalue { float, double } %3, 0
	%5 = extractvalue { float, double } %3, 1
	%6 = call i1 @heddle_heddle_internal_cpumath_unusualLog32(float %x.0)
	br i1 %6, label %7, label %11

7:
	%8 = call float @heddle_heddle_internal_cpumath_edgePow32(float %x.0, float %y.1)
	br label %9

9:
	%10 = phi float [ %4, %11 ], [ %8, %7 ]
	ret float %10

11:
	%12 = call double @llvm.fabs.f64(double %5)
	%13 = fcmp ole double %12, 0x405F800000000000
	br i1 %13, label %9, label %7
}

define internal { float, double } @heddle_heddle_internal_cpumath_power(i32 %bits.0, float %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call { float, float } @heddle_heddle_internal_cpumath_reduceLog32(i32 %bits.0)
	%3 = extractvalue { float, float } %2, 0
	%4 = extractvalue { float, float } %2, 1
	%5 = fpext float %3 to double
	%6 = fmul contract double 0x3FC4294250320470, %5
	%7 = fsub contract double %6, 0x3FC542C4E0741543
	%8 = fmul contract double %7, %5
	%9 = fadd contract double %8, 0x3FBFA27FEFB43E7A
	%10 = fmul contract double %9, %5
	%11 = fsub contract double %10, 0x3FC198606BE04060
	%12 = fmul contract double %11, %5
	%13 = fadd contract double %12, 0x3FC4980B0C4EE5F9
	%14 = fmul contract double %13, %5
	%15 = fsub contract double %14, 0x3FC724A5BFCEC1D8
	%16 = fmul contract double %15, %5
	%17 = fadd contract double %16, 0x3FCA60B31AD6D701
	%18 = fmul contract double %17, %5
	%19 = fsub contract double %18, 0x3FCEC687CBDBA293
	%20 = fmul contract double %19, %5
	%21 = fadd contract double %20, 0x3FD2776E20F3798E
	%22 = fmul contract double %21, %5
	%23 = fsub contract double %22, 0x3FD715484F7F1AD1
	%24 = fmul contract double %23, %5
	%25 = fadd contract double %24, 0x3FDEC709D9032A0A
	%26 = fmul contract double %25, %5
	%27 = fsub contract double %26, 0x3FE7154764B35A69
	%28 = fmul contract double %27, %5
	%29 = fadd contract double %28, 0x3FF71547652BBE64
	%30 = fpext float %y.1 to double
	%31 = fpext float %4 to double
	%32 = fmul contract double %5, %29
	%33 = fadd contract double %31, %32
	%34 = fmul contract double %30, %33
	%35 = fadd contract double %34, 0x4338000000000000
	%36 = fsub contract double %35, 0x4338000000000000
	%37 = fsub contract double %34, %36
	%38 = fptrunc double %37 to float
	%39 = call float @heddle_heddle_internal_cpumath_power2of32(float %38)
	%40 = bitcast float %39 to i32
	%41 = bitcast double %35 to i64
	%42 = trunc i64 %41 to i32
	%43 = shl i32 %42, 23
	%44 = add i32 %40, %43
	%45 = bitcast i32 %44 to float
	%46 = insertvalue { float, double } poison, float %45, 0
	%47 = insertvalue { float, double } %46, double %34, 1
	ret { float, double } %47
}

define internal i1 @heddle_heddle_internal_cpumath_unusualLog32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = sub i32 %2, 8388608
	%4 = icmp uge i32 %3, 2130706432
	ret i1 %4
}

define internal float @heddle_heddle_internal_cpumath_edgePow32(float %x.0, float %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call float @heddle_heddle_internal_cpumath_abs32(float %x.0)
	%3 = call i32 @heddle_heddle_internal_cpumath_normal32(float %2)
	%4 = call { float, double } @heddle_heddle_internal_cpumath_power(i32 %3, float %y.1)
	%5 = extractvalue { float, double } %4, 0
	%6 = extractvalue { float, double } %4, 1
	%7 = fcmp ogt double %6, 0x4060200000000000
	br i1 %7, label %8, label %9

8:
	br label %9

9:
	%10 = phi double [ %6, %1 ], [ 0x4060200000000000, %8 ]
	%11 = fcmp olt double %10, 0xC062E00000000000
	br i1 %11, label %12, label %13

12:
	br label %13

13:
	%14 = phi double [ %10, %9 ], [ 0xC062E00000000000, %12 ]
	%15 = fadd contract double %14, 0x4338000000000000
	%16 = fsub contract double %15, 0x4338000000000000
	%17 = fsub contract double %14, %16
	%18 = fptrunc double %17 to float
	%19 = call float @heddle_heddle_internal_cpumath_power2of32(float %18)
	%20 = bitcast double %15 to i64
	%21 = trunc i64 %20 to i32
	%22 = call float @heddle_heddle_internal_cpumath_scale32(float %19, i32 %21)
	%23 = fcmp ole double %14, 0xC062E00000000000
	br i1 %23, label %24, label %25

24:
	br label %25

25:
	%26 = phi float [ %22, %13 ], [ 0x0000000000000000, %24 ]
	%27 = fcmp oeq float %2, 0x0000000000000000
	br i1 %27, label %28, label %39

28:
	%29 = call float @heddle_heddle_internal_cpumath_infinite32(float %2, float %y.1)
	br label %30

30:
	%31 = phi float [ %26, %36 ], [ %29, %28 ]
	%32 = fpext float %y.1 to double
	%33 = call double @llvm.fabs.f64(double %32)
	%34 = call double @llvm.trunc.f64(double %33)
	%35 = fcmp oeq double %34, %33
	br i1 %35, label %41, label %46

36:
	%37 = call float @heddle_heddle_internal_cpumath_abs32(float %y.1)
	%38 = fcmp ole float %37, 0x47EFFFFFE0000000
	br i1 %38, label %30, label %28

39:
	%40 = fcmp ole float %2, 0x47EFFFFFE0000000
	br i1 %40, label %36, label %28

41:
	%42 = fdiv double %33, 0x4000000000000000
	%43 = call double @llvm.trunc.f64(double %42)
	%44 = fdiv double %33, 0x4000000000000000
	%45 = fcmp une double %43, %44
	br label %46

46:
	%47 = phi i1 [ false, %30 ], [ %45, %41 ]
	%48 = bitcast float %x.0 to i32
	%49 = and i32 %48, -2147483648
	%50 = icmp ne i32 %49, 0
	br i1 %50, label %51, label %52

51:
	br i1 %47, label %55, label %57

52:
	%53 = phi float [ %31, %46 ], [ %58, %57 ], [ %58, %63 ], [ %58, %61 ], [ %60, %59 ]
	%54 = fcmp une float %x.0, %x.0
	br i1 %54, label %65, label %70

55:
	%56 = fneg contract float %31
	br label %57

57:
	%58 = phi float [ %31, %51 ], [ %56, %55 ]
	br i1 %35, label %52, label %63

59:
	%60 = call float @heddle_heddle_internal_cpumath_nan32()
	br label %52

61:
	%62 = fcmp ole float %2, 0x47EFFFFFE0000000
	br i1 %62, label %59, label %52

63:
	%64 = fcmp une float %2, 0x0000000000000000
	br i1 %64, label %61, label %52

65:
	%66 = call float @heddle_heddle_internal_cpumath_nan32()
	br label %67

67:
	%68 = phi float [ %53, %70 ], [ %66, %65 ]
	%69 = fcmp oeq float %x.0, 0x3FF0000000000000
	br i1 %69, label %72, label %77

70:
	%71 = fcmp une float %y.1, %y.1
	br i1 %71, label %65, label %67

72:
	br label %73

73:
	%74 = phi float [ %68, %75 ], [ %68, %79 ], [ 0x3FF0000000000000, %72 ]
	ret float %74

75:
	%76 = fcmp oeq float %x.0, 0xBFF0000000000000
	br i1 %76, label %79, label %73

77:
	%78 = fcmp oeq float %y.1, 0x0000000000000000
	br i1 %78, label %72, label %75

79:
	%80 = fcmp ogt double %33, 0x7FEFFFFFFFFFFFFF
	br i1 %80, label %72, label %73
}

declare double @llvm.fabs.f64(double %0)

define internal { float, float } @heddle_heddle_internal_cpumath_reduceLog32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = call i32 @heddle_heddle_internal_cpumath_exponentLog32(i32 %bits.0)
	%3 = shl i32 %2, 23
	%4 = sub i32 %bits.0, %3
	%5 = bitcast i32 %4 to float
	%6 = fsub contract float %5, 0x3FF0000000000000
	%7 = sitofp i32 %2 to float
	%8 = insertvalue { float, float } poison, float %6, 0
	%9 = insertvalue { float, float } %8, float %7, 1
	ret { float, float } %9
}

define internal float @heddle_heddle_internal_cpumath_power2of32(float %f.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fmul contract float 0x3F2470BB00000000, %f.0
	%3 = fadd contract float %2, 0x3F55F735E0000000
	%4 = fmul contract float %3, %f.0
	%5 = fadd contract float %4, 0x3F83B270E0000000
	%6 = fmul contract float %5, %f.0
	%7 = fadd contract float %6, 0x3FAC6AE700000000
	%8 = fmul contract float %7, %f.0
	%9 = fadd contract float %8, 0x3FCEBFBE20000000
	%10 = fmul contract float %9, %f.0
	%11 = fadd contract float %10, 0x3FC8B90C00000000
	%12 = fmul contract float 0x3FE0000000000000, %f.0
	%13 = fmul contract float %f.0, %11
	%14 = fadd contract float %12, %13
	%15 = fadd contract float 0x3FF0000000000000, %14
	ret float %15
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

define internal i32 @heddle_heddle_internal_cpumath_normal32(float %x.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast float %x.0 to i32
	%3 = icmp ult i32 %2, 8388608
	br i1 %3, label %4, label %8

4:
	%5 = fmul contract float %x.0, 0x4160000000000000
	%6 = bitcast float %5 to i32
	%7 = sub i32 %6, 192937984
	br label %8

8:
	%9 = phi i32 [ %2, %1 ], [ %7, %4 ]
	ret i32 %9
}

define internal float @heddle_heddle_internal_cpumath_scale32(float %y.0, i32 %n.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = ashr i32 %n.1, 1
	%3 = call float @heddle_heddle_internal_cpumath_power32(i32 %2)
	%4 = fmul contract float %y.0, %3
	%5 = sub i32 %n.1, %2
	%6 = call float @heddle_heddle_internal_cpumath_power32(i32 %5)
	%7 = fmul contract float %4, %6
	ret float %7
}

define internal float @heddle_heddle_internal_cpumath_infinite32(float %a.0, float %y.1) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp ogt float %a.0, 0x3FF0000000000000
	%3 = fcmp ogt float %y.1, 0x0000000000000000
	%4 = icmp eq i1 %2, %3
	br i1 %4, label %5, label %7

5:
	%6 = call float @heddle_heddle_internal_cpumath_infinity32()
	br label %7

7:
	%8 = phi float [ 0x0000000000000000, %1 ], [ %6, %5 ]
	ret float %8
}

declare double @llvm.trunc.f64(double %0)

define internal float @heddle_heddle_internal_cpumath_nan32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2143289344 to float
	ret float %2
}

define internal i32 @heddle_heddle_internal_cpumath_exponentLog32(i32 %bits.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = sub i32 %bits.0, 1059760811
	%3 = ashr i32 %2, 23
	ret i32 %3
}

define internal float @heddle_heddle_internal_cpumath_power32(i32 %n.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = add i32 %n.0, 127
	%3 = shl i32 %2, 23
	%4 = bitcast i32 %3 to float
	ret float %4
}

define internal float @heddle_heddle_internal_cpumath_infinity32() convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast i32 2139095040 to float
	ret float %2
}


