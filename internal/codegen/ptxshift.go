package codegen

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"heddle/internal/lazy"
)

// This file avoids a fault of ptxas (CUDA 11.8 and 13.0, and the driver's), which at O1 and
// above replaces some sums and differences by rotations: x<<n + x>>(64-n) of an int64, and
// x<<n - x>>(64-n) of an int64 or a uint64. 58 of the 696 forms of sums, differences, "or" and "xor" of shifts that were tried on an H200 are
// wrong, and all are of one number, by constants, and together by 64. So where a function
// shifts a number so, the right shift is written as one of halves:
//
//	%r = call i64 asm "{ .reg .b32 l, h; mov.b64 {l, h}, $1; ... mov.b64 $0, {l, h}; }", "=l,l"(i64 %x)

var wideShift = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = (shl|mul|lshr|ashr)(?: nuw| nsw| exact)* i64 (%(?:"[^"\n]*"|[-\w$.]+)), (-?\d+)(.*)$`}

// partShifts rewrites such right shifts in a module's text.
func partShifts(text string) (fixed string, ok bool) {
	fixed = eachFunction(text, func(body string) string {
		left := map[string]bool{}
		for _, m := range wideShift.Get().FindAllStringSubmatch(body, -1) {
			switch c, _ := strconv.ParseInt(m[4], 10, 64); {
			case m[2] == "shl":
				left[m[3]+" "+m[4]] = true
			case m[2] == "mul" && bits.OnesCount64(uint64(max(c, -c))) == 1: // by 1<<n or -1<<n
				left[m[3]+" "+strconv.Itoa(bits.TrailingZeros64(uint64(c)))] = true
			}
		}
		if len(left) == 0 {
			return body
		}
		return wideShift.Get().ReplaceAllStringFunc(body, func(line string) string {
			m := wideShift.Get().FindStringSubmatch(line)
			n, _ := strconv.Atoi(m[4])
			if m[2] == "shl" || m[2] == "mul" || !left[m[3]+" "+strconv.Itoa(64-n)] {
				return line
			}
			ok = true
			return fmt.Sprintf("  %s = call i64 asm \"{ .reg .b32 l, h; mov.b64 {l, h}, $1; %s mov.b64 $0, {l, h}; }\", \"=l,l\"(i64 %s) nounwind readnone%s", m[1], halfShifts(m[2], n), m[3], m[5])
		})
	})
	return fixed, ok
}

// halfShifts shifts the number of which l and h are the halves to the right.
func halfShifts(op string, n int) string {
	typ := map[string]string{"lshr": "u32", "ashr": "s32"}[op]
	if n < 32 {
		return fmt.Sprintf("shf.r.wrap.b32 l, l, h, %d; shr.%s h, h, %d;", n, typ, n)
	}
	return fmt.Sprintf("shr.%s l, h, %d; shr.%s h, h, 32;", typ, n-32, typ) // by 32 and more as by 31
}

// partDifferences avoids another fault: of a difference a-b of 32 bits ptxas may keep b-a, and where the difference is shifted to the right and added to
// something it makes one instruction of both, LEA.HI or LEA.HI.SX32, with b-a negated. That is one too small or too great where bits are
// shifted out, as the negation is one of all bits and a carry that comes too late. As an extract of bits the shift is one of its own:
//
//	%r = call i32 asm "bfe.s32 $0, $1, 19, 13;", "=r,r"(i32 %x)
func partDifferences(text string) (fixed string, ok bool) {
	fixed = eachFunction(text, func(body string) string {
		differences := map[string]bool{}
		for _, m := range difference.Get().FindAllStringSubmatch(body, -1) {
			differences[m[1]] = true
		}
		if len(differences) == 0 {
			return body
		}
		return shortShift.Get().ReplaceAllStringFunc(body, func(line string) string {
			m := shortShift.Get().FindStringSubmatch(line)
			n, _ := strconv.Atoi(m[4])
			if !differences[m[3]] || n < 1 || n > 30 {
				return line
			}
			ok = true
			typ := map[string]string{"lshr": "u32", "ashr": "s32"}[m[2]]
			return fmt.Sprintf("  %s = call i32 asm \"bfe.%s $0, $1, %d, %d;\", \"=r,r\"(i32 %s) nounwind readnone%s", m[1], typ, n, 32-n, m[3], m[5])
		})
	})
	return fixed, ok
}

// shiftWhole avoids a fault of LLVM 17. Where a number is shifted to the right with its sign, and its low bits have been masked off
// before, NVPTX extracts the bits without a sign. Those bits are shifted out, so the number itself will do:
//
//	%a = and i32 %x, -65536
//	%r = ashr i32 %a, 16        ->   %r = ashr i32 %x, 16
func shiftWhole(text string) (fixed string, ok bool) {
	type mask struct {
		of  string
		low int // bits that are masked off
	}
	fixed = eachFunction(text, func(body string) string {
		masks := map[string]mask{}
		for _, m := range highMask.Get().FindAllStringSubmatch(body, -1) {
			if c, err := strconv.ParseInt(m[3], 10, 64); err == nil && c != math.MinInt64 && bits.OnesCount64(uint64(-c)) == 1 {
				masks[m[1]] = mask{m[2], bits.TrailingZeros64(uint64(-c))}
			}
		}
		if len(masks) == 0 {
			return body
		}
		return arithmeticShift.Get().ReplaceAllStringFunc(body, func(line string) string {
			m := arithmeticShift.Get().FindStringSubmatch(line)
			n, _ := strconv.Atoi(m[4])
			a, masked := masks[m[3]]
			if !masked || a.low > n {
				return line
			}
			ok = true
			return fmt.Sprintf("  %s = ashr %s %s, %s%s", m[1], m[2], a.of, m[4], m[5])
		})
	})
	return fixed, ok
}

var (
	highMask        = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = and i(?:32|64) (%(?:"[^"\n]*"|[-\w$.]+)), (-\d+)(?:,.*)?$`}
	arithmeticShift = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = ashr(?: exact)* (i32|i64) (%(?:"[^"\n]*"|[-\w$.]+)), (\d+)(.*)$`}
	difference      = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = sub(?: nuw| nsw)* i32 `}
	shortShift      = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = (lshr|ashr)(?: exact)* i32 (%(?:"[^"\n]*"|[-\w$.]+)), (\d+)(.*)$`}
)
