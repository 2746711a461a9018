; Integer division for AMD's processors; see divide.go. y is not 0.
;
; Each begins with the reciprocal of the divisor as a float, of which the hardware
; promises one unit in the last place. The scales are a little less than 2^32 and 2^64,
; by more than all roundings together, so that no estimate is above the true value.

; x and y are below 2^21. (x + 0.5) / y is at least 0.5 / y away from an integer, which is
; more than the roundings of the reciprocal and the product make of it.
define internal i32 @heddle.udiv.small(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %fx = uitofp i32 %x to float
  %fy = uitofp i32 %y to float
  %r = call float @llvm.amdgcn.rcp.f32(float %fy)
  %middle = fadd float %fx, 5.000000e-01
  %fq = fmul float %middle, %r
  %q = fptoui float %fq to i32
  ret i32 %q
}

; |x| and |y| are below 2^21.
define internal i32 @heddle.sdiv.small(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %fx = sitofp i32 %x to float
  %fy = sitofp i32 %y to float
  %r = call float @llvm.amdgcn.rcp.f32(float %fy)
  %half = call float @llvm.copysign.f32(float 5.000000e-01, float %fx)
  %middle = fadd float %fx, %half
  %fq = fmul float %middle, %r
  %q = fptosi float %fq to i32
  ret i32 %q
}

; z is 2^32 / y, less at most 2: an estimate, and one step of Newton's method. It leaves
; the quotient at most 2 too small. The scale is 2^32 - 2^11.
define internal i32 @heddle.inverse.i32(i32 %y) alwaysinline nounwind readnone {
  %fy = uitofp i32 %y to float
  %r = call float @llvm.amdgcn.rcp.f32(float %fy)
  %s = fmul float %r, 0x41EFFFFF00000000
  %z = fptoui float %s to i32
  %minus = sub i32 0, %y
  %e = mul i32 %minus, %z
  %d = call i32 @heddle.umulh.i32(i32 %z, i32 %e)
  %better = add i32 %z, %d
  ret i32 %better
}

define internal i32 @heddle.umulh.i32(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %p = mul i64 %wx, %wy
  %h = lshr i64 %p, 32
  %hi = trunc i64 %h to i32
  ret i32 %hi
}

define internal i32 @heddle.udiv.i32(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %z = call i32 @heddle.inverse.i32(i32 %y)
  %q = call i32 @heddle.umulh.i32(i32 %x, i32 %z)
  %p = mul i32 %q, %y
  %r = sub i32 %x, %p
  %c = icmp uge i32 %r, %y
  %q1 = add i32 %q, 1
  %r1 = sub i32 %r, %y
  %q2 = select i1 %c, i32 %q1, i32 %q
  %r2 = select i1 %c, i32 %r1, i32 %r
  %c2 = icmp uge i32 %r2, %y
  %q3 = add i32 %q2, 1
  %q4 = select i1 %c2, i32 %q3, i32 %q2
  ret i32 %q4
}

define internal i32 @heddle.urem.i32(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %z = call i32 @heddle.inverse.i32(i32 %y)
  %q = call i32 @heddle.umulh.i32(i32 %x, i32 %z)
  %p = mul i32 %q, %y
  %r = sub i32 %x, %p
  %r1 = sub i32 %r, %y
  %c = icmp uge i32 %r, %y
  %r2 = select i1 %c, i32 %r1, i32 %r
  %r3 = sub i32 %r2, %y
  %c2 = icmp uge i32 %r2, %y
  %r4 = select i1 %c2, i32 %r3, i32 %r2
  ret i32 %r4
}

define internal i32 @heddle.sdiv.i32(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %sx = ashr i32 %x, 31
  %sy = ashr i32 %y, 31
  %ax0 = add i32 %x, %sx
  %ay0 = add i32 %y, %sy
  %ax = xor i32 %ax0, %sx
  %ay = xor i32 %ay0, %sy
  %q = call i32 @heddle.udiv.i32(i32 %ax, i32 %ay)
  %s = xor i32 %sx, %sy
  %q0 = xor i32 %q, %s
  %q1 = sub i32 %q0, %s
  ret i32 %q1
}

define internal i32 @heddle.srem.i32(i32 %x, i32 %y) alwaysinline nounwind readnone {
  %sx = ashr i32 %x, 31
  %sy = ashr i32 %y, 31
  %ax0 = add i32 %x, %sx
  %ay0 = add i32 %y, %sy
  %ax = xor i32 %ax0, %sx
  %ay = xor i32 %ay0, %sy
  %r = call i32 @heddle.urem.i32(i32 %ax, i32 %ay)
  %r0 = xor i32 %r, %sx
  %r1 = sub i32 %r0, %sx
  ret i32 %r1
}

; x and y are extended from i32 with their signs. The quotient may be 2^31.
define internal i64 @heddle.sdiv.short(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %nx = trunc i64 %x to i32
  %ny = trunc i64 %y to i32
  %sx = ashr i32 %nx, 31
  %sy = ashr i32 %ny, 31
  %ax0 = add i32 %nx, %sx
  %ay0 = add i32 %ny, %sy
  %ax = xor i32 %ax0, %sx
  %ay = xor i32 %ay0, %sy
  %q = call i32 @heddle.udiv.i32(i32 %ax, i32 %ay)
  %s = xor i32 %sx, %sy
  %wq = zext i32 %q to i64
  %ws = sext i32 %s to i64
  %q0 = xor i64 %wq, %ws
  %q1 = sub i64 %q0, %ws
  ret i64 %q1
}

define internal i64 @heddle.srem.short(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %nx = trunc i64 %x to i32
  %ny = trunc i64 %y to i32
  %r = call i32 @heddle.srem.i32(i32 %nx, i32 %ny)
  %wr = sext i32 %r to i64
  ret i64 %wr
}

define internal i64 @heddle.umulh.i64(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %x0 = and i64 %x, 4294967295
  %x1 = lshr i64 %x, 32
  %y0 = and i64 %y, 4294967295
  %y1 = lshr i64 %y, 32
  %p00 = mul i64 %x0, %y0
  %c00 = lshr i64 %p00, 32
  %p10 = mul i64 %x1, %y0
  %s10 = add i64 %p10, %c00
  %l10 = and i64 %s10, 4294967295
  %c10 = lshr i64 %s10, 32
  %p01 = mul i64 %x0, %y1
  %s01 = add i64 %p01, %l10
  %c01 = lshr i64 %s01, 32
  %p11 = mul i64 %x1, %y1
  %s11 = add i64 %p11, %c10
  %h = add i64 %s11, %c01
  ret i64 %h
}

; As for i32, with two steps of Newton's method. The scale is 2^64 - 2^44.
define internal i64 @heddle.inverse.i64(i64 %y) alwaysinline nounwind readnone {
  %y0 = trunc i64 %y to i32
  %h = lshr i64 %y, 32
  %y1 = trunc i64 %h to i32
  %f0 = uitofp i32 %y0 to float
  %f1 = uitofp i32 %y1 to float
  %fy = call float @llvm.fma.f32(float %f1, float 0x41F0000000000000, float %f0)
  %r = call float @llvm.amdgcn.rcp.f32(float %fy)
  %s = fmul float %r, 0x43EFFFFE00000000
  %s1 = fmul float %s, 0x3DF0000000000000
  %t1 = call float @llvm.trunc.f32(float %s1)
  %t0 = call float @llvm.fma.f32(float %t1, float 0xC1F0000000000000, float %s)
  %z0 = fptoui float %t0 to i32
  %z1 = fptoui float %t1 to i32
  %w0 = zext i32 %z0 to i64
  %w1 = zext i32 %z1 to i64
  %wh = shl i64 %w1, 32
  %z = add i64 %wh, %w0
  %minus = sub i64 0, %y
  %e = mul i64 %minus, %z
  %d = call i64 @heddle.umulh.i64(i64 %z, i64 %e)
  %better = add i64 %z, %d
  %e2 = mul i64 %minus, %better
  %d2 = call i64 @heddle.umulh.i64(i64 %better, i64 %e2)
  %best = add i64 %better, %d2
  ret i64 %best
}

; Most numbers of 64 bits are small.
define internal i64 @heddle.udiv.i64(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %any = or i64 %x, %y
  %high = lshr i64 %any, 32
  %high32 = trunc i64 %high to i32
  %short = icmp eq i32 %high32, 0
  br i1 %short, label %narrow, label %wide
narrow:
  %nx = trunc i64 %x to i32
  %ny = trunc i64 %y to i32
  %nq = call i32 @heddle.udiv.i32(i32 %nx, i32 %ny)
  %wnq = zext i32 %nq to i64
  br label %done
wide:
  %z = call i64 @heddle.inverse.i64(i64 %y)
  %q = call i64 @heddle.umulh.i64(i64 %x, i64 %z)
  %p = mul i64 %q, %y
  %r = sub i64 %x, %p
  %c = icmp uge i64 %r, %y
  %q1 = add i64 %q, 1
  %r1 = sub i64 %r, %y
  %q2 = select i1 %c, i64 %q1, i64 %q
  %r2 = select i1 %c, i64 %r1, i64 %r
  %c2 = icmp uge i64 %r2, %y
  %q3 = add i64 %q2, 1
  %q4 = select i1 %c2, i64 %q3, i64 %q2
  br label %done
done:
  %result = phi i64 [ %wnq, %narrow ], [ %q4, %wide ]
  ret i64 %result
}

define internal i64 @heddle.urem.i64(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %any = or i64 %x, %y
  %high = lshr i64 %any, 32
  %high32 = trunc i64 %high to i32
  %short = icmp eq i32 %high32, 0
  br i1 %short, label %narrow, label %wide
narrow:
  %nx = trunc i64 %x to i32
  %ny = trunc i64 %y to i32
  %nr = call i32 @heddle.urem.i32(i32 %nx, i32 %ny)
  %wnr = zext i32 %nr to i64
  br label %done
wide:
  %z = call i64 @heddle.inverse.i64(i64 %y)
  %q = call i64 @heddle.umulh.i64(i64 %x, i64 %z)
  %p = mul i64 %q, %y
  %r = sub i64 %x, %p
  %r1 = sub i64 %r, %y
  %c = icmp uge i64 %r, %y
  %r2 = select i1 %c, i64 %r1, i64 %r
  %r3 = sub i64 %r2, %y
  %c2 = icmp uge i64 %r2, %y
  %r4 = select i1 %c2, i64 %r3, i64 %r2
  br label %done
done:
  %result = phi i64 [ %wnr, %narrow ], [ %r4, %wide ]
  ret i64 %result
}

define internal i64 @heddle.sdiv.i64(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %sx = ashr i64 %x, 63
  %sy = ashr i64 %y, 63
  %ax0 = add i64 %x, %sx
  %ay0 = add i64 %y, %sy
  %ax = xor i64 %ax0, %sx
  %ay = xor i64 %ay0, %sy
  %q = call i64 @heddle.udiv.i64(i64 %ax, i64 %ay)
  %s = xor i64 %sx, %sy
  %q0 = xor i64 %q, %s
  %q1 = sub i64 %q0, %s
  ret i64 %q1
}

define internal i64 @heddle.srem.i64(i64 %x, i64 %y) alwaysinline nounwind readnone {
  %sx = ashr i64 %x, 63
  %sy = ashr i64 %y, 63
  %ax0 = add i64 %x, %sx
  %ay0 = add i64 %y, %sy
  %ax = xor i64 %ax0, %sx
  %ay = xor i64 %ay0, %sy
  %r = call i64 @heddle.urem.i64(i64 %ax, i64 %ay)
  %r0 = xor i64 %r, %sx
  %r1 = sub i64 %r0, %sx
  ret i64 %r1
}
