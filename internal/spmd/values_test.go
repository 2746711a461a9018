package spmd

import (
	"fmt"
	"math/bits"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file computes instructions on integers of up to 128 bits.

// width is a type's bits.
func width(t *ll.Type) int {
	switch t.Kind {
	case ll.Ptr:
		return 64
	case ll.Int, ll.Float:
		return t.Bits
	}
	panic("interpreter: type " + t.Text)
}

// cut is v in n bits.
func cut(v Val, n int) Val {
	switch {
	case n < 64:
		v.Lo &= 1<<n - 1
		v.Hi = 0
	case n < 128:
		v.Hi &= 1<<(n-64) - 1
	}
	return v
}

// extend is v of n bits with its sign in all of them.
func extend(v Val, n int) Val {
	return ashr(shl(v, 128-n), 128-n)
}

func negative(v Val, n int) bool { return extend(v, n).Hi>>63 == 1 }

func add(x, y Val) Val {
	lo, c := bits.Add64(x.Lo, y.Lo, 0)
	hi, _ := bits.Add64(x.Hi, y.Hi, c)
	return Val{Hi: hi, Lo: lo}
}

func neg(x Val) Val { return add(Val{Hi: ^x.Hi, Lo: ^x.Lo}, Val{Lo: 1}) }

func mul(x, y Val) Val {
	hi, lo := bits.Mul64(x.Lo, y.Lo)
	return Val{Hi: hi + x.Hi*y.Lo + x.Lo*y.Hi, Lo: lo}
}

func shl(x Val, n int) Val {
	if n >= 64 {
		return Val{Hi: x.Lo << (n - 64)}
	}
	return Val{Hi: x.Hi<<n | x.Lo>>(64-n), Lo: x.Lo << n}
}

func lshr(x Val, n int) Val {
	hi := uint64(0)
	if n >= 64 {
		hi = x.Hi >> (n - 64)
	} else if n > 0 {
		hi = x.Hi << (64 - n)
	}
	return Val{Hi: x.Hi >> n, Lo: x.Lo>>n | hi}
}

func ashr(x Val, n int) Val {
	r := lshr(x, n)
	if x.Hi>>63 == 1 && n > 0 {
		ones := shl(Val{Hi: ^uint64(0), Lo: ^uint64(0)}, 128-n)
		r.Hi |= ones.Hi
		r.Lo |= ones.Lo
	}
	return r
}

func less(x, y Val) bool { return x.Hi < y.Hi || x.Hi == y.Hi && x.Lo < y.Lo }

func same(x, y Val) bool {
	if x.Two != nil && y.Two != nil {
		return (x.Two[0].Any || y.Two[0].Any || same(x.Two[0], y.Two[0])) && (x.Two[1].Any || y.Two[1].Any || same(x.Two[1], y.Two[1]))
	}
	return x.Hi == y.Hi && x.Lo == y.Lo
}

func boolVal(b bool) Val {
	if b {
		return Val{Lo: 1}
	}
	return Val{}
}

// undefinedOf are the instructions that may not have poison as an operand.
var undefinedOf = map[string]bool{"udiv": true, "sdiv": true, "urem": true, "srem": true, "load": true}

// evals are the instructions on integers of n bits; they report whether the result is no poison.
var evals = map[string]func(i *ll.Inst, n int, args []Val) (Val, bool){}

func init() {
	// exact is a result computed in 128 bits; it must be in n bits by the flags.
	wrapping := func(f func(x, y Val) Val) func(i *ll.Inst, n int, a []Val) (Val, bool) {
		return func(i *ll.Inst, n int, a []Val) (Val, bool) {
			if n > 64 && i.Flags != "" { // 128 bits cannot tell
				return Val{}, false
			}
			r := f(a[0], a[1])
			if i.Has("nuw") && cut(r, n) != r {
				return Val{}, false
			}
			s := f(extend(a[0], n), extend(a[1], n))
			return r, !i.Has("nsw") || extend(cut(s, n), n) == s
		}
	}
	evals["add"] = wrapping(add)
	evals["sub"] = wrapping(func(x, y Val) Val { return add(x, neg(y)) })
	evals["mul"] = wrapping(mul)
	shift := func(f func(i *ll.Inst, n int, x Val, by int) (Val, bool)) func(i *ll.Inst, n int, a []Val) (Val, bool) {
		return func(i *ll.Inst, n int, a []Val) (Val, bool) {
			if a[1].Hi != 0 || a[1].Lo >= uint64(n) {
				return Val{}, false
			}
			return f(i, n, a[0], int(a[1].Lo))
		}
	}
	evals["shl"] = shift(func(i *ll.Inst, n int, x Val, by int) (Val, bool) {
		r := cut(shl(x, by), n)
		ok := !(i.Has("nuw") && !same(lshr(r, by), x)) && !(i.Has("nsw") && !same(cut(ashr(extend(r, n), by), n), x))
		return r, ok
	})
	evals["lshr"] = shift(func(i *ll.Inst, n int, x Val, by int) (Val, bool) {
		r := lshr(x, by)
		return r, !i.Has("exact") || same(shl(r, by), x)
	})
	evals["ashr"] = shift(func(i *ll.Inst, n int, x Val, by int) (Val, bool) {
		r := ashr(extend(x, n), by)
		return r, !i.Has("exact") || same(cut(shl(r, by), n), x)
	})
	evals["and"] = func(_ *ll.Inst, _ int, a []Val) (Val, bool) {
		return Val{Hi: a[0].Hi & a[1].Hi, Lo: a[0].Lo & a[1].Lo}, true
	}
	evals["or"] = func(i *ll.Inst, _ int, a []Val) (Val, bool) {
		return Val{Hi: a[0].Hi | a[1].Hi, Lo: a[0].Lo | a[1].Lo}, !i.Has("disjoint") || a[0].Lo&a[1].Lo|a[0].Hi&a[1].Hi == 0
	}
	evals["xor"] = func(_ *ll.Inst, _ int, a []Val) (Val, bool) {
		return Val{Hi: a[0].Hi ^ a[1].Hi, Lo: a[0].Lo ^ a[1].Lo}, true
	}
	evals["zext"] = func(i *ll.Inst, n int, a []Val) (Val, bool) { return a[0], !(i.Has("nneg") && negative(a[0], n)) }
	evals["sext"] = func(_ *ll.Inst, n int, a []Val) (Val, bool) { return extend(a[0], n), true }
	evals["trunc"] = func(i *ll.Inst, n int, a []Val) (Val, bool) {
		m := i.Typ.Bits
		r := cut(a[0], m)
		return r, !(i.Has("nuw") && !same(r, a[0])) && !(i.Has("nsw") && !same(extend(r, m), extend(a[0], n)))
	}
	for _, op := range strings.Fields("freeze bitcast ptrtoint inttoptr") {
		evals[op] = func(_ *ll.Inst, _ int, a []Val) (Val, bool) { return a[0], true }
	}
	for _, op := range strings.Fields("udiv urem sdiv srem") {
		evals[op] = func(i *ll.Inst, n int, a []Val) (Val, bool) { return divided(i, op, n, a[0], a[1]) }
	}
	evals["icmp"] = func(i *ll.Inst, n int, a []Val) (Val, bool) {
		ok := !i.Has("samesign") || negative(a[0], n) == negative(a[1], n)
		return boolVal(compared(i.Pred, n, a[0], a[1])), ok
	}
}

func compared(pred string, n int, x, y Val) bool {
	switch pred {
	case "eq":
		return same(x, y)
	case "ne":
		return !same(x, y)
	}
	if pred[0] == 's' { // the sign's bit turned, unsigned order
		turn := shl(Val{Lo: 1}, n-1)
		x, y = Val{Hi: x.Hi ^ turn.Hi, Lo: x.Lo ^ turn.Lo}, Val{Hi: y.Hi ^ turn.Hi, Lo: y.Lo ^ turn.Lo}
	}
	switch pred[1:] {
	case "lt":
		return less(x, y)
	case "le":
		return !less(y, x)
	case "gt":
		return less(y, x)
	}
	return !less(x, y)
}

func divided(i *ll.Inst, op string, n int, x, y Val) (Val, bool) {
	if n > 64 {
		panic("interpreter: division of " + i.Typ.Text)
	}
	if y.Lo == 0 {
		panic(errUndefined("a division by 0"))
	}
	var q, r uint64
	if op[0] == 'u' {
		q, r = x.Lo/y.Lo, x.Lo%y.Lo
	} else {
		a, b := int64(extend(x, n).Lo), int64(extend(y, n).Lo)
		if b == -1 && a == -1<<(n-1) {
			panic(errUndefined("a division that overflows"))
		}
		q, r = uint64(a/b), uint64(a%b)
	}
	if op[1:] == "rem" {
		return Val{Lo: r}, true
	}
	return Val{Lo: q}, !i.Has("exact") || r == 0
}

// intrinsic is a call of one of LLVM's functions on integers.
func (t *thread) intrinsic(i *ll.Inst, a []Val) Val {
	base, _ := divergence.IntrinsicBase(i.Callee)
	n := width(i.Args[0].Type())
	if n > 64 {
		panic("interpreter: " + i.Callee)
	}
	x, y := a[0], Val{}
	if len(a) > 1 {
		y = a[1]
	}
	sx, sy := int64(extend(x, n).Lo), int64(extend(y, n).Lo)
	lo := int64(-1) << (n - 1)
	num := func(v uint64) Val { return cut(Val{Lo: v}, n) }
	switch name := strings.TrimPrefix(base, "llvm."); name {
	case "smin":
		return num(uint64(min(sx, sy)))
	case "smax":
		return num(uint64(max(sx, sy)))
	case "umin":
		return num(min(x.Lo, y.Lo))
	case "umax":
		return num(max(x.Lo, y.Lo))
	case "abs":
		if sx == lo && y.Lo == 1 {
			return Val{Any: true}
		}
		return num(uint64(max(sx, -sx)))
	case "ctpop":
		return num(uint64(bits.OnesCount64(x.Lo)))
	case "ctlz", "cttz":
		if x.Lo == 0 {
			return Val{Lo: uint64(n) & (1<<n - 1), Any: y.Lo == 1}
		}
		if name == "ctlz" {
			return num(uint64(bits.LeadingZeros64(x.Lo) - 64 + n))
		}
		return num(uint64(bits.TrailingZeros64(x.Lo)))
	case "bswap":
		return num(bits.ReverseBytes64(x.Lo) >> (64 - n))
	case "bitreverse":
		return num(bits.Reverse64(x.Lo) >> (64 - n))
	case "fshl", "fshr":
		by := int(a[2].Lo % uint64(n))
		if name == "fshr" {
			by = n - by
		}
		return num(cut(lshr(shl(add(shl(x, n), y), by), n), n).Lo)
	case "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat":
		return num(saturating(name, x, y, n))
	case "uadd.with.overflow", "usub.with.overflow", "umul.with.overflow", "sadd.with.overflow", "ssub.with.overflow", "smul.with.overflow":
		return overflowing(name, x, y, n)
	}
	panic(fmt.Sprintf("interpreter: %s", i.Callee))
}

// saturating is an addition or subtraction that stops at the type's ends.
func saturating(name string, x, y Val, n int) uint64 {
	switch name {
	case "uadd.sat":
		return min(add(x, y).saturated(n), 1<<n-1)
	case "usub.sat":
		return x.Lo - min(x.Lo, y.Lo)
	}
	s := add(extend(x, n), extend(y, n))
	if name == "ssub.sat" {
		s = add(extend(x, n), neg(extend(y, n)))
	}
	switch {
	case extend(cut(s, n), n) == s:
		return s.Lo
	case s.Hi>>63 == 1:
		return uint64(int64(-1) << (n - 1))
	}
	return uint64(int64(-1)<<(n-1) ^ -1)
}

// overflowing is an operation's result, and whether the type does not hold it.
func overflowing(name string, x, y Val, n int) Val {
	if name[0] == 's' {
		x, y = extend(x, n), extend(y, n)
	}
	var r Val
	switch name[1:4] {
	case "add":
		r = add(x, y)
	case "sub":
		r = add(x, neg(y))
	case "mul":
		r = mul(x, y)
	}
	back := cut(r, n)
	if name[0] == 's' {
		back = extend(back, n)
	}
	return Val{Two: &[2]Val{cut(r, n), boolVal(back != r)}}
}

// saturated is v, at most what 64 bits hold.
func (v Val) saturated(n int) uint64 {
	if v.Hi != 0 {
		return ^uint64(0)
	}
	return v.Lo
}
