define double @heddle.math.exp2.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fadd contract double %x.0, 0x4338000000000000
	%3 = fsub contract double %2, 0x4338000000000000
	%4 = fsub contract double %x.0, %3
	%5 = fmul contract double 0x3DBF63A57880A50A, %4
	%6 = fadd contract double %5, 0x3DFEBF112A569217
	%7 = fmul contract double %6, %4
	%8 = fadd contract double %7, 0x3E3E4AE364FB866B
	%9 = fmul contract double %8, %4
	%10 = fadd contract double %9, 0x3E7B52380E08E869
	%11 = fmul contract double %10, %4
	%12 = fadd contract double %11, 0x3EB62C02A061C319
	%13 = fmul contract double %12, %4
	%14 = fadd contract double %13, 0x3EEFFCBFD286BBAB
	%15 = fmul contract double %14, %4
	%16 = fadd contract double %15, 0x3F2430912F6DC639
	%17 = fmul contract double %16, %4
	%18 = fadd contract double %17, 0x3F55D87FE78798B9
	%19 = fmul contract double %18, %4
	%20 = fadd contract double %19, 0x3F83B2AB6FBA5265
	%21 = fmul contract double %20, %4
	%22 = fadd contract double %21, 0x3FAC6B08D704A1C4
	%23 = fmul contract double %22, %4
	%24 = fadd contract double %23, 0x3FCEBFBDFF82C58E
	%25 = fmul contract double 0x3FE0000000000000, %4
	%26 = fmul contract double 0x3FC8B90BFBE8E7BC, %4
	%27 = fmul contract double %4, %4
	%28 = fmul contract double %27, %24
	%29 = fadd contract double %26, %28
	%30 = fadd contract double %25, %29
	%31 = fadd contract double 0x3FF0000000000000, %30
	%32 = call double @heddle_heddle_internal_cpumath_addExponent64(double %31, double %2)
	%33 = call double @llvm.fabs.f64(double %x.0)
	%34 = fcmp ole double %33, 0x408FF00000000000
	br i1 %34, label %37, label %35

35:
	%36 = call double @heddle_heddle_internal_cpumath_edge64(double %31, double %2, double %x.0, double 0xC090E00000000000, double 0x4090020000000000)
	br label %37

37:
	%38 = phi double [ %32, %1 ], [ %36, %35 ]
	ret double %38
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

declare double @llvm.fabs.f64(double %0)

define internal double @heddle_heddle_internal_cpumath_edge64(double %p.0, double %t.1, double %x.2, double %low.3, double %high.4) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = fcmp oge double %x.2, %low.3
	br i1 %2, label %9, label %3

3:
	br label %4

4:
	%5 = phi double [ %t.1, %9 ], [ 0x4338000000000000, %3 ]
	%6 = call i32 @heddle_heddle_internal_cpumath_wholePart64(double %5)
	%7 = call double @heddle_heddle_internal_cpumath_scale64(double %p.0, i32 %6)
	%8 = fcmp olt double %x.2, %low.3
	br i1 %8, label %11, label %12

9:
	%10 = fcmp ole double %x.2, %high.4
	br i1 %10, label %4, label %3

11:
	br label %12

12:
	%13 = phi double [ %7, %4 ], [ 0x0000000000000000, %11 ]
	%14 = fcmp ogt double %x.2, %high.4
	br i1 %14, label %15, label %17

15:
	%16 = call double @heddle_heddle_internal_cpumath_infinity64()
	br label %17

17:
	%18 = phi double [ %13, %12 ], [ %16, %15 ]
	ret double %18
}

define internal i32 @heddle_heddle_internal_cpumath_wholePart64(double %t.0) convergent nounwind inlinehint {
0:
	br label %1

1:
	%2 = bitcast double %t.0 to i64
	%3 = trunc i64 %2 to i32
	ret i32 %3
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


