package ssa2ir

import (
	"go/token"
	"math"
	"testing"
)

// A spanOp is an operator of integers, before its result wraps around; false for a panic.
type spanOp struct {
	token token.Token
	of    func(a, b int64) (int64, bool)
}

var spanOps = []spanOp{
	{token.ADD, func(a, b int64) (int64, bool) { return a + b, true }},
	{token.SUB, func(a, b int64) (int64, bool) { return a - b, true }},
	{token.MUL, func(a, b int64) (int64, bool) { return a * b, true }},
	{token.AND, func(a, b int64) (int64, bool) { return a & b, true }},
	{token.OR, func(a, b int64) (int64, bool) { return a | b, true }},
	{token.XOR, func(a, b int64) (int64, bool) { return a ^ b, true }},
	{token.AND_NOT, func(a, b int64) (int64, bool) { return a &^ b, true }},
	{token.QUO, func(a, b int64) (int64, bool) {
		if b == 0 || a == -128 && b == -1 {
			return 0, false
		}
		return a / b, true
	}},
	{token.REM, func(a, b int64) (int64, bool) {
		if b == 0 {
			return 0, false
		}
		return a % b, true
	}},
	{token.SHR, func(a, b int64) (int64, bool) { return a >> min(uint64(b), 63), b >= 0 }},
	{token.SHL, func(a, b int64) (int64, bool) {
		if b > 40 {
			return 0, a == 0
		}
		return a << max(b, 0), b >= 0
	}},
}

// TestWideSpans holds the arithmetic at the ends of 64 bits.
func TestWideSpans(t *testing.T) {
	const least, most = math.MinInt64, math.MaxInt64
	u64 := intType{64, false}
	for _, c := range []struct {
		op    token.Token
		typ   intType
		x, y  span
		want  span
		exact bool
	}{
		{token.ADD, goInt, span{0, most}, span{1, 1}, span{least, most}, false},
		{token.ADD, goInt, span{0, most - 1}, span{1, 1}, span{1, most}, true},
		{token.SUB, goInt, span{least, 0}, span{1, 1}, span{least, most}, false},
		{token.SUB, goInt, span{0, most}, span{0, most}, span{-most, most}, true},
		{token.MUL, goInt, span{least, least}, span{-1, -1}, span{least, most}, false},
		{token.MUL, goInt, span{0, 1 << 31}, span{0, 1 << 31}, span{0, 1 << 62}, true},
		{token.MUL, goInt, span{0, 1 << 32}, span{0, 1 << 31}, span{least, most}, false},
		{token.ADD, u64, span{0, most}, span{0, 0}, span{0, most}, false},
		{token.SUB, u64, span{3, 9}, span{4, 4}, span{0, most}, false},
		{token.SHR, u64, span{0, most}, span{1, 1}, span{0, most}, true},
		{token.SHR, u64, span{0, most}, span{60, 60}, span{0, 15}, true},
		{token.AND, u64, span{0, most}, span{7, 7}, span{0, 7}, true},
		{token.REM, u64, span{0, most}, span{8, 8}, span{0, 7}, true},
		{token.QUO, goInt, span{least, most}, span{2, 2}, span{least / 2, most / 2}, true},
		{token.SHL, goInt, span{0, 1}, span{0, 63}, span{least, most}, false},
	} {
		if got, exact := spanOf(c.op, c.typ, c.typ, c.x, c.y); got != c.want || exact != c.exact {
			t.Errorf("%s of %v, %v is %v, %t; want %v, %t", c.op, c.x, c.y, got, exact, c.want, c.exact)
		}
	}
	if s, ok := convertSpan(goInt, u64, span{0, most}); ok || s != goInt.full() {
		t.Errorf("any uint64 as int is %v, %t", s, ok)
	}
	if _, ok := convertSpan(intType{32, true}, goInt, span{0, 1 << 31}); ok {
		t.Error("1<<31 fits int32")
	}
}
