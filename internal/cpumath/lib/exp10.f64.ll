define double @heddle.math.exp10.f64(double %x.0) convergent nounwind alwaysinline {
0:
	br label %1

1:
	%2 = fmul contract double %x.0, 0x400A934F0979A371
	%3 = fadd contract double %2, 0x4338000000000000
	%4 = fsub contract double %3, 0x4338000000000000
	%5 = fmul contract double %4, 0x3FD34413509F7000
	%6 = fsub contract double %x.0, %5
	%7 = fmul contract double %4, 0x3D43FDE623E2566B
	%8 = fsub contract double %6, %7
	%9 = fmul contract double 0x3EFD6E1CE2F9EFE3, %8
	%10 = fadd contract double %9, 0x3F2F6F1FFBD717E5
	%11 = fmul contract double %10, %8
	%12 = fadd contract double %11, 0x3F52EEFE88B7CCD8
	%13 = fmul contract double %12, %8
	%14 = fadd contract double %13, 0x3F7489A1F3833599
	%15 = fmul contract double %14, %8
	%16 = fadd contract double %15, 0x3F94116967BB68C7
	%17 = fmul contract double %16, %8
	%18 = fadd contract double %17, 0x3FB16E4DED287CBA
	%19 = fmul contract double %18, %8
	%20 = fadd contract double %19, 0x3FCA7ED708C0F712
	%21 = fmul contract double %20, %8
	%22 = fadd contract double %21, 0x3FE1429FFD2284F8
	%23 = fmul contract double %22, %8
	%24 = fadd contract double %23, 0x3FF2BD7609FD8B41
	%25 = fmul contract double %24, %8
	%26 = fadd contract double %25, 0x4000470591DE2B25
	%27 = fmul contract double %26, %8
	%28 = fadd contract double %27, 0x40053524C73CEA6A
	%29 = fmul contract double 0x4000000000000000, %6
	%30 = fmul contract double 0x3FD35D8DDDAAA8B2, %6
	%31 = fmul contract double %8, %8
	%32 = fmul contract double %31, %28
	%33 = fadd contract double %30, %32
	%34 = fmul contract double 0x40026BB1BBB55516, %7
	%35 = fsub contract double %33, %34
	%36 = fadd contract double %29, %35
	%37 = fadd contract double 0x3FF0000000000000, %36
	%38 = call double @heddle_heddle_internal_cpumath_addExponent64(double %37, double %3)
	%39 = call double @llvm.fabs.f64(double %x.0)
	%40 = fcmp ole double %39, 0x4073300000000000
	br i1 %40, label %43, label %41

41:
	%42 = call double @heddle_heddle_internal_cpumath_edge64(double %37, double %3, double %x.0, double 0xC074400000000000, double 0x4073500000000000)
	br label %43

43:
	%44 = phi double [ %38, %1 ], [ %42, %41 ]
	ret double %44
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


