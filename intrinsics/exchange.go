package intrinsics

import (
	"fmt"
	"go/types"

	lltypes "github.com/llir/llvm/ir/types"

	"heddle/internal/target"
)

// This file has values that lanes exchange, whatever their type.

// The largest values that lanes exchange: bytes, and numbers that are not parts of others.
const (
	maxExchange = 32
	maxParts    = 16
)

// checkExchange refuses a type argument whose values lanes do not exchange.
func checkExchange(s *Site) (msg, hint string) {
	t := s.TypeArgs[0]
	if size := types.SizesFor("gc", "amd64").Sizeof(t); size > maxExchange {
		return fmt.Sprintf("a value of %s has %d bytes", t, size), fmt.Sprintf("exchange its parts, or %d bytes at most", maxExchange)
	}
	n := partsOf(t)
	switch {
	case n < 0:
		return fmt.Sprintf("%s holds an address", t), "exchange numbers; an index can stand for the address"
	case n > maxParts:
		return fmt.Sprintf("%s has %d parts", t, n), fmt.Sprintf("use wider numbers: %d at most", maxParts)
	}
	return "", ""
}

// partsOf is of how many numbers and bools a type is made, -1 if it has anything else.
func partsOf(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsComplex != 0:
			return 2
		case u.Info()&(types.IsNumeric|types.IsBoolean) != 0:
			return 1
		}
	case *types.Array:
		if n := partsOf(u.Elem()); n >= 0 {
			return n * int(u.Len())
		}
	case *types.Struct:
		all := 0
		for f := range u.Fields() {
			n := partsOf(f.Type())
			if n < 0 {
				return n
			}
			all += n
		}
		return all
	}
	return -1
}

// exchange applies a function of an i32 to a value, part by part.
func exchange(b *target.Builder, v target.Value, f func(target.Value) target.Value) target.Value {
	t := v.Type()
	switch t.(type) {
	case *lltypes.StructType, *lltypes.ArrayType:
		parts := make([]target.Value, target.NumElems(t))
		for i := range parts {
			parts[i] = exchange(b, b.Elem(v, i), f)
		}
		return &target.Agg{Typ: t, Elems: parts}
	}
	n := widthOf(t)
	whole := lltypes.NewInt(uint64(n))
	bits := b.Cast("bitcast", v, whole)
	if n <= 32 {
		return b.Cast("bitcast", b.IntCast(f(b.IntCast(bits, target.I32, false)), whole, false), t)
	}
	var out target.Value
	for at := 0; at < n; at += 32 {
		part := bits
		if at > 0 {
			part = b.Bin("lshr", bits, target.Int(whole, int64(at)))
		}
		got := b.IntCast(f(b.IntCast(part, target.I32, false)), whole, false)
		if at > 0 {
			got = b.Bin("or", out, b.Bin("shl", got, target.Int(whole, int64(at))))
		}
		out = got
	}
	return b.Cast("bitcast", out, t)
}

// widthOf is the bits of a number's type, or of a vector's of them.
func widthOf(t target.Type) int {
	switch t := t.(type) {
	case *lltypes.IntType:
		return int(t.BitSize)
	case *lltypes.VectorType:
		return int(t.Len) * widthOf(t.ElemType)
	}
	if n := floatBits(t); n > 0 {
		return n
	}
	return 16 // half and its like
}
