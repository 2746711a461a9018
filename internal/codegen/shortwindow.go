package codegen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file tests in 32 bits whether a number of 32 bits is in a window, which LLVM does in 64 where two tests of an int become one in a function that
// is inlined later:
//
//	func left(x uint32, by int) uint32 { if by > 0 && by < 32 { return x << by }; return x }
//
//	%x = sext i32 %n to i64
//	%a = add i64 %x, -1                    %heddle.short.q = add i32 %n, -1
//	%q = icmp ult i64 %a, 31          ->   %q = icmp ult i32 %heddle.short.q, 31
//
// Vectors of such numbers, which LLVM makes of loops, are tested so, too.

const windowNumber = `(-?\d+|<i64 -?\d+(?:, i64 -?\d+)*>|splat \(i64 -?\d+\))`

var (
	windowTest   = lazy.Regexp{Expr: `^icmp (ult|ule|ugt|uge) (i64|<\d+ x i64>) (` + valueName + `), ` + windowNumber + `((?:, !.*)?)$`}
	windowSum    = lazy.Regexp{Expr: `^add (?:(?:nuw|nsw) )*(i64|<\d+ x i64>) (` + valueName + `), ` + windowNumber + `(?:, !.*)?$`}
	windowExtend = lazy.Regexp{Expr: `^(zext|sext) (?:nneg )?(?:i32|<\d+ x i32>) (` + valueName + `) to `}
)

// window is the test of a sum in 32 bits, and the sum, if that is the same: false if it may not be.
func (f *shortener) window(name string, v *flowValue) (sum, test string, ok bool) {
	m := windowTest.Get().FindStringSubmatch(v.text)
	if m == nil || f.values[m[3]] == nil || f.isShort(m[3]) {
		return "", "", false
	}
	add := windowSum.Get().FindStringSubmatch(f.values[m[3]].text)
	if add == nil {
		return "", "", false
	}
	low, x, ok := f.extended(add[2])
	by, ok2 := windowConst(add[3])
	most, ok3 := windowConst(m[4])
	if !ok || !ok2 || !ok3 || !sameWindow(x, by, most) {
		return "", "", false
	}
	typ, short := strings.Replace(m[2], "i64", "i32", 1), shortName(name)
	return fmt.Sprintf("%s = add %s %s, %s", short, typ, low, constants(typ, by)),
		fmt.Sprintf("icmp %s %s %s, %s%s", m[1], typ, short, constants(typ, most), m[5]), true
}

// sameWindow reports whether what is in x, and by, is compared with most in 32 bits as in 64. A sum below 0 is above all that is in the window in 64 bits,
// and in 32 where it is not so far below that it gets there again.
func sameWindow(x interval, by, most int64) bool {
	return by >= math.MinInt32 && by <= math.MaxInt32 && most >= 0 && most <= math.MaxInt32 && x.lo+by+1<<32 > most && x.hi+by < 1<<32
}

// extended is what an operand of 64 bits is made of, of 32, and what it may be.
func (f *shortener) extended(operand string) (low string, x interval, ok bool) {
	v := f.values[operand]
	if v == nil {
		return "", interval{}, false
	}
	if f.width(v) == 64 && f.isShort(operand) {
		return f.low(operand), f.of(operand, 64), true
	}
	m := windowExtend.Get().FindStringSubmatch(v.text)
	if m == nil {
		return "", interval{}, false
	}
	if x = interval32; m[1] == "zext" {
		x = interval{0, math.MaxUint32}
	}
	return m[2], x, true
}

// windowConst is a number, or the one that all elements of a vector are.
func windowConst(text string) (k int64, ok bool) {
	for i, s := range strings.Split(strings.Trim(strings.TrimPrefix(text, "splat "), "<>()"), ", ") {
		n, err := strconv.ParseInt(strings.TrimPrefix(s, "i64 "), 10, 64)
		if err != nil || i > 0 && n != k {
			return 0, false
		}
		k = n
	}
	return k, true
}

// constants is a number, or a vector of it.
func constants(typ string, k int64) string {
	count, _, ok := strings.Cut(strings.TrimPrefix(typ, "<"), " x ")
	if !ok {
		return strconv.FormatInt(k, 10)
	}
	n, _ := strconv.Atoi(count)
	return "<" + strings.Repeat(fmt.Sprintf("i32 %d, ", k), n-1) + fmt.Sprintf("i32 %d>", k)
}
