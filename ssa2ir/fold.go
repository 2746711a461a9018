package ssa2ir

// This file computes what single instructions make of values that are known, as Go does:
// integers wrap around.

import (
	"go/constant"
	"go/token"
	"go/types"
	"math/big"

	"golang.org/x/tools/go/ssa"
)

// fold is what an instruction computes, nil if that is not known or a panic.
func fold(i ssa.Instruction, get func(ssa.Value) constant.Value) constant.Value {
	switch i := i.(type) {
	case *ssa.BinOp:
		return foldBinary(i, get(i.X), get(i.Y))
	case *ssa.ChangeType:
		return get(i.X)
	case *ssa.Convert:
		x := get(i.X)
		if x == nil || x.Kind() != constant.Int || !isInteger(i.Type()) {
			return nil
		}
		return wrapped(x, i.Type())
	case *ssa.Slice:
		return foldSlice(i, get)
	case *ssa.Index: // a byte of a string
		s, at := get(i.X), get(i.Index)
		if s == nil || at == nil || s.Kind() != constant.String {
			return nil
		}
		text := constant.StringVal(s)
		if n, ok := constant.Int64Val(at); ok && 0 <= n && n < int64(len(text)) {
			return constant.MakeInt64(int64(text[n]))
		}
	}
	return nil
}

// foldSlice is a part of a string.
func foldSlice(i *ssa.Slice, get func(ssa.Value) constant.Value) constant.Value {
	s := get(i.X)
	if s == nil || s.Kind() != constant.String {
		return nil
	}
	text := constant.StringVal(s)
	ends := [2]int64{0, int64(len(text))}
	for n, v := range []ssa.Value{i.Low, i.High} {
		if v == nil {
			continue
		}
		x := get(v)
		if x == nil {
			return nil
		}
		ends[n], _ = constant.Int64Val(x)
	}
	if ends[0] < 0 || ends[0] > ends[1] || ends[1] > int64(len(text)) {
		return nil
	}
	return constant.MakeString(text[ends[0]:ends[1]])
}

func foldUnary(i *ssa.UnOp, x constant.Value) constant.Value {
	if x == nil {
		return nil
	}
	switch i.Op {
	case token.NOT:
		return constant.MakeBool(!constant.BoolVal(x))
	case token.SUB, token.XOR:
		return wrapped(constant.UnaryOp(i.Op, x, 0), i.Type())
	}
	return nil
}

func foldBinary(i *ssa.BinOp, x, y constant.Value) constant.Value {
	if x == nil || y == nil || x.Kind() != y.Kind() {
		return nil
	}
	switch i.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(x, i.Op, y))
	case token.SHL, token.SHR:
		n, ok := constant.Uint64Val(y)
		if !ok || constant.Sign(y) < 0 {
			return nil
		}
		return wrapped(constant.Shift(x, i.Op, uint(min(n, 64))), i.Type())
	case token.QUO, token.REM:
		if x.Kind() != constant.Int || constant.Sign(y) == 0 {
			return nil
		}
		op := i.Op
		if op == token.QUO {
			op = token.QUO_ASSIGN // of integers
		}
		return wrapped(constant.BinaryOp(x, op, y), i.Type())
	case token.ADD:
		if x.Kind() == constant.String {
			return constant.BinaryOp(x, token.ADD, y)
		}
	}
	if x.Kind() != constant.Int {
		return nil
	}
	return wrapped(constant.BinaryOp(x, i.Op, y), i.Type())
}

// foldBuiltin is len, min or max.
func foldBuiltin(name string, args []constant.Value) constant.Value {
	for _, x := range args {
		if x == nil {
			return nil
		}
	}
	switch name {
	case "len":
		if args[0].Kind() == constant.String {
			return constant.MakeInt64(int64(len(constant.StringVal(args[0]))))
		}
	case "min", "max":
		op := map[string]token.Token{"min": token.LSS, "max": token.GTR}[name]
		best := args[0]
		for _, x := range args[1:] {
			if constant.Compare(x, op, best) {
				best = x
			}
		}
		return best
	}
	return nil
}

// wrapped is an integer as a value of type t.
func wrapped(x constant.Value, t types.Type) constant.Value {
	bits := uint(8 * sizeof(t))
	n, ok := new(big.Int).SetString(x.ExactString(), 10)
	if !ok || x.Kind() != constant.Int {
		return nil
	}
	one := big.NewInt(1)
	n.And(n, new(big.Int).Sub(new(big.Int).Lsh(one, bits), one))
	if isSigned(t) && n.Bit(int(bits)-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(one, bits))
	}
	return constant.Make(n)
}
