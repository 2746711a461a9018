package codegen

import (
	"math/bits"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file computes integers that depend on nothing but the lane's number, for each lane.

// lanesOf are the values of an integer of some bits, by lane.
type lanesOf struct {
	bits int
	v    [64]uint64
}

// laneValues are the values of a function's body.
type laneValues struct {
	warp  int
	lines map[string]string   // instructions by their results
	done  map[string]*lanesOf // nil: not known while compiling
}

// maxLaneDepth bounds how far values are followed.
const maxLaneDepth = 64

var (
	laneArith   = lazy.Regexp{Expr: `^(add|sub|mul|and|or|xor|shl|lshr|ashr|udiv|urem|sdiv|srem) (?:(?:nuw|nsw|exact|disjoint) )*(i\d+) ([^,]+), ([^,]+?)(?:, !.*)?$`}
	laneCast    = lazy.Regexp{Expr: `^(zext|sext|trunc) (?:(?:nneg|nuw|nsw) )*(i\d+) (\S+) to (i\d+)`}
	laneCompare = lazy.Regexp{Expr: `^icmp (?:samesign )?(\w+) (i\d+) ([^,]+), ([^,]+?)(?:, !.*)?$`}
	laneSelect  = lazy.Regexp{Expr: `^select i1 ([^,]+), (i\d+) ([^,]+), i\d+ ([^,]+?)(?:, !.*)?$`}
	laneFreeze  = lazy.Regexp{Expr: `^freeze (i\d+) ([^,]+?)(?:, !.*)?$`}
	laneCall    = lazy.Regexp{Expr: `^(?:tail )?call (?:(?:noundef|range\([^)]*\)) )*(i\d+) @llvm\.(amdgcn\.mbcnt\.lo|amdgcn\.mbcnt\.hi|umin|umax|smin|smax)(?:\.i\d+)?\(i\d+ (?:noundef )?([^,]+), i\d+ (?:noundef )?([^,)]+)\)`}
)

// operand is a name or a number.
func (k *laneValues) operand(typ, text string, depth int) *lanesOf {
	n := laneBits(typ)
	if n == 0 || depth > maxLaneDepth {
		return nil
	}
	if strings.HasPrefix(text, "%") {
		if v, ok := k.done[text]; ok {
			return v
		}
		k.done[text] = nil // of itself it is not known
		v := k.compute(k.lines[text], depth+1)
		k.done[text] = v
		return v
	}
	c, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text == "true":
		c = 1
	case text == "false":
		c = 0
	case err != nil:
		return nil
	}
	return perLane(n, func(int) uint64 { return uint64(c) })
}

// laneBits is the width of an integer type that is followed, else 0.
func laneBits(typ string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(typ, "i"))
	if err != nil || n > 64 || typ[0] != 'i' {
		return 0
	}
	return n
}

func perLane(n int, f func(l int) uint64) *lanesOf {
	out := &lanesOf{bits: n}
	for l := range out.v {
		out.v[l] = f(l) & (1<<(n-1)<<1 - 1)
	}
	return out
}

// signed is a value with its sign in all upper bits.
func (o *lanesOf) signed(l int) int64 {
	return int64(o.v[l]<<(64-o.bits)) >> (64 - o.bits)
}

// compute is the result of an instruction.
func (k *laneValues) compute(text string, depth int) *lanesOf {
	if m := laneArith.Get().FindStringSubmatch(text); m != nil {
		x, y := k.operand(m[2], m[3], depth), k.operand(m[2], m[4], depth)
		return combined(m[1], x, y)
	}
	if m := laneCast.Get().FindStringSubmatch(text); m != nil {
		x, n := k.operand(m[2], strings.TrimSuffix(m[3], ","), depth), laneBits(m[4])
		if x == nil || n == 0 {
			return nil
		}
		return perLane(n, func(l int) uint64 {
			if m[1] == "sext" {
				return uint64(x.signed(l))
			}
			return x.v[l]
		})
	}
	if m := laneCompare.Get().FindStringSubmatch(text); m != nil {
		return compared(m[1], k.operand(m[2], m[3], depth), k.operand(m[2], m[4], depth))
	}
	if m := laneSelect.Get().FindStringSubmatch(text); m != nil {
		c, x, y := k.operand("i1", m[1], depth), k.operand(m[2], m[3], depth), k.operand(m[2], m[4], depth)
		if c == nil || x == nil || y == nil {
			return nil
		}
		return perLane(x.bits, func(l int) uint64 {
			if c.v[l] != 0 {
				return x.v[l]
			}
			return y.v[l]
		})
	}
	if m := laneFreeze.Get().FindStringSubmatch(text); m != nil {
		return k.operand(m[1], m[2], depth)
	}
	if m := laneCall.Get().FindStringSubmatch(text); m != nil {
		return called(m[2], k.operand(m[1], m[3], depth), k.operand(m[1], m[4], depth))
	}
	return nil
}

// combined is the result of an operation of two integers; nil if LLVM leaves it open.
func combined(op string, x, y *lanesOf) *lanesOf {
	f := map[string]func(x, y uint64) uint64{
		"add": func(x, y uint64) uint64 { return x + y }, "sub": func(x, y uint64) uint64 { return x - y },
		"mul": func(x, y uint64) uint64 { return x * y }, "and": func(x, y uint64) uint64 { return x & y },
		"or": func(x, y uint64) uint64 { return x | y }, "xor": func(x, y uint64) uint64 { return x ^ y },
		"shl": func(x, y uint64) uint64 { return x << y }, "lshr": func(x, y uint64) uint64 { return x >> y },
		"udiv": func(x, y uint64) uint64 { return x / y }, "urem": func(x, y uint64) uint64 { return x % y },
	}[op]
	if x == nil || y == nil || f == nil && op != "ashr" {
		return nil
	}
	for _, n := range y.v {
		if strings.HasPrefix(op, "u") && n == 0 || (op == "shl" || strings.HasSuffix(op, "shr")) && n >= uint64(x.bits) {
			return nil
		}
	}
	return perLane(x.bits, func(l int) uint64 {
		if op == "ashr" {
			return uint64(x.signed(l) >> y.v[l])
		}
		return f(x.v[l], y.v[l])
	})
}

func compared(pred string, x, y *lanesOf) *lanesOf {
	if x == nil || y == nil {
		return nil
	}
	return perLane(1, func(l int) uint64 {
		a, b := x.v[l], y.v[l]
		less, same := a < b, a == b
		if pred[0] == 's' {
			less = x.signed(l) < y.signed(l)
		}
		switch strings.TrimLeft(pred, "su") {
		case "eq":
			return uint64(b2i(same))
		case "ne":
			return uint64(b2i(!same))
		case "lt":
			return uint64(b2i(less))
		case "le":
			return uint64(b2i(less || same))
		case "gt":
			return uint64(b2i(!less && !same))
		}
		return uint64(b2i(!less))
	})
}

// called is the result of one of LLVM's functions.
func called(fn string, x, y *lanesOf) *lanesOf {
	if x == nil || y == nil {
		return nil
	}
	return perLane(x.bits, func(l int) uint64 {
		switch fn {
		case "amdgcn.mbcnt.lo":
			return y.v[l] + uint64(bits.OnesCount64(x.v[l]&(1<<min(l, 32)-1)))
		case "amdgcn.mbcnt.hi":
			return y.v[l] + uint64(bits.OnesCount64(x.v[l]&(1<<max(l-32, 0)-1)))
		case "umin":
			return min(x.v[l], y.v[l])
		case "umax":
			return max(x.v[l], y.v[l])
		case "smin":
			return uint64(min(x.signed(l), y.signed(l)))
		}
		return uint64(max(x.signed(l), y.signed(l)))
	})
}
