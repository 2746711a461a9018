package ssa2ir

// This file implements constants: scalars, strings, and package-level
// variables that never change, which become tables in constant memory.

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"iter"
	"math"
	"math/big"
	"path/filepath"

	"github.com/llir/llvm/ir/enum"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/errs"
	"heddle/internal/target"
)

// 42:int   ->   i64 42
func (f *function) constant(c *ssa.Const) target.Value {
	t := c.Type()
	if isFunc(t) { // nil
		return target.NewAgg(target.Int(target.I64, 0))
	}
	if c.Value == nil {
		return f.zero(t)
	}
	if isString(t) {
		return f.stringConst(constant.StringVal(c.Value))
	}
	if isComplex(t) {
		e := target.ElemType(f.llType(t), 0)
		return &target.Agg{Typ: f.llType(t), Elems: []target.Value{floatConst(e, constant.Real(c.Value)), floatConst(e, constant.Imag(c.Value))}}
	}
	return f.scalarConst(t, c.Value)
}

// numberConst is scalarConst for complex types too.
func (y *layout) numberConst(t types.Type, v constant.Value) *target.Const {
	if !isComplex(t) {
		return y.scalarConst(t, v)
	}
	e := target.ElemType(y.llType(t), 0)
	parts := []*target.Const{floatConst(e, constant.Real(v)), floatConst(e, constant.Imag(v))}
	return joinConst(y.llType(t), "{", "}", parts, nil)
}

// scalarConst is a constant of a bool, integer or float type.
func (y *layout) scalarConst(t types.Type, v constant.Value) *target.Const {
	lt := y.llType(t)
	switch {
	case v.Kind() == constant.Bool:
		return target.Bool(constant.BoolVal(v))
	case isFloat(t):
		return floatConst(lt, v)
	}
	n, ok := new(big.Int).SetString(constant.ToInt(v).ExactString(), 10)
	if !ok {
		panic(fmt.Sprintf("constant %s of type %s", v, t))
	}
	if isSigned(t) || n.IsInt64() && target.Bits(lt) == 64 {
		return target.BigInt(lt, n)
	}
	// an unsigned number with the top bit set, as LLVM prints it
	if n.Bit(target.Bits(lt)-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(target.Bits(lt))))
	}
	return target.BigInt(lt, n)
}

func floatConst(t target.Type, v constant.Value) *target.Const {
	if t.Equal(target.F32) {
		f, _ := constant.Float32Val(v)
		return target.Float(t, float64(f))
	}
	f, _ := constant.Float64Val(v)
	return target.Float(t, f)
}

// stringConst is {ptr, len} of bytes in constant memory.
func (f *function) stringConst(s string) target.Value {
	t := f.str
	if s == "" {
		return target.Zero(t)
	}
	c := target.Bytes([]byte(s))
	p := f.Generic(f.readOnly("heddle_str_"+hashName(s), c.Typ, 1, c))
	return &target.Agg{Typ: t, Elems: []target.Value{p, target.Int(target.I64, int64(len(s)))}}
}

// readOnly is a module-level constant.
func (l *lowerer) readOnly(name string, t target.Type, align int, init *target.Const) *target.Global {
	g := l.m.Var(name, t, l.m.T.Constant, align, init)
	g.Linkage = enum.LinkageInternal
	if !g.Immutable {
		l.symbols.tables += tableBytes(t)
	}
	g.Immutable = true
	return g
}

func hashName(s string) string {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return fmt.Sprintf("%016x_%d", h, len(s))
}

// table is the initialiser of a package-level variable that never changes and of
// whose type a kernel can have values, and the type information to evaluate it. No
// initialiser stands for zero.
func (k *Kernel) table(g *ssa.Global) (ast.Expr, *types.Info, error) {
	if k.Init == nil {
		return nil, nil, errors.New("its initial value is not known")
	}
	e, info := k.Init(g)
	if info == nil {
		return nil, nil, k.changes(g)
	}
	t := deref(g.Type())
	if why, _ := unsupportedOutside(t); why != "" {
		return nil, nil, fmt.Errorf("it holds %s", errs.A(why))
	}
	if isFunc(t) {
		return nil, nil, errors.New("it holds a func")
	}
	return e, info, nil
}

// changes says that a package-level variable is written.
func (k *Kernel) changes(g *ssa.Global) error {
	if k.Writer != nil {
		if at := k.Writer(g); at.IsValid() {
			p := k.Fset.Position(at)
			return fmt.Errorf("it may change: %s:%d writes it or lets it be written", filepath.Base(p.Filename), p.Line)
		}
	}
	return errors.New("it may change")
}

// checkTable says why a package-level variable is no constant, nil if it is one.
func (k *Kernel) checkTable(g *ssa.Global) error {
	e, info, err := k.table(g)
	if err != nil || e == nil {
		return err
	}
	y := newLayout(nil)
	switch t := deref(g.Type()); u := t.Underlying().(type) {
	case *types.Slice:
		_, _, err = y.evalSlice(e, u, info)
	default:
		if !isString(t) || info.Types[e].Value == nil {
			_, err = y.evalConst(e, t, info)
		}
	}
	return err
}

// tableVar is the constant that stands for a package-level variable.
func (f *function) tableVar(g *ssa.Global) *target.Global {
	t := deref(g.Type())
	c := target.Zero(f.constType(t))
	e, info, err := f.prog.Kernel.table(g)
	if err == nil && e != nil {
		c, err = f.evalConst(e, t, info)
	}
	f.passed(g, err)
	return f.readOnly("heddle_var_"+hashName(g.String()), f.constType(t), max(alignof(t), 16), c)
}

// passed panics where an error comes up that the check should have found.
func (f *function) passed(g *ssa.Global, err error) {
	if err != nil {
		panic(&bug{f.prog.plan.pos(g.Pos()), "package variable passed the check: " + err.Error()})
	}
}

// tableValue is the value of a package-level variable of slice or string type, whose
// elements are in constant memory; nil for others, which are loaded.
func (f *function) tableValue(g *ssa.Global) target.Value {
	t := deref(g.Type())
	slice, isSlice := t.Underlying().(*types.Slice)
	if !isSlice && !isString(t) {
		return nil
	}
	e, info, err := f.prog.Kernel.table(g)
	f.passed(g, err)
	switch {
	case e == nil:
		return target.Zero(f.llType(t))
	case isString(t):
		return f.stringConst(constant.StringVal(info.Types[e].Value))
	}
	data, n, err := f.evalSlice(e, slice, info)
	f.passed(g, err)
	if data == nil {
		return target.Zero(f.slice)
	}
	p := f.Generic(f.readOnly("heddle_var_"+hashName(g.String()), data.Typ, max(alignof(slice.Elem()), 16), data))
	length := target.Int(target.I64, n)
	return &target.Agg{Typ: f.slice, Elems: []target.Value{p, length, length}}
}

// evalSlice evaluates the initialiser of a slice to its elements and their number;
// no elements stand for nil.
func (y *layout) evalSlice(e ast.Expr, t *types.Slice, info *types.Info) (*target.Const, int64, error) {
	e = ast.Unparen(e)
	if info.Types[e].IsNil() {
		return nil, 0, nil
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		if _, from := info.TypeOf(call.Args[0]).Underlying().(*types.Slice); from || info.Types[call.Args[0]].IsNil() {
			return y.evalSlice(call.Args[0], t, info)
		}
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, 0, errNotConstant
	}
	n := literalLen(lit, info)
	if n == 0 { // not nil for that
		return target.Zero(target.Array(1, target.I8)), 0, nil
	}
	c, err := y.evalElems(lit, types.NewArray(t.Elem(), n), info)
	return c, n, err
}

var errNotConstant = errors.New("its initial value is not made of constants")

// literalElems are the elements of a literal of an array or a slice with their indices, where they are given.
func literalElems(lit *ast.CompositeLit, info *types.Info) iter.Seq2[int64, ast.Expr] {
	return func(yield func(int64, ast.Expr) bool) {
		next := int64(0)
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				next, _ = constant.Int64Val(constant.ToInt(info.Types[kv.Key].Value))
				e = kv.Value
			}
			if !yield(next, e) {
				return
			}
			next++
		}
	}
}

// literalFields are likewise the fields of a literal of a structure.
func literalFields(lit *ast.CompositeLit, t *types.Struct) iter.Seq2[int, ast.Expr] {
	return func(yield func(int, ast.Expr) bool) {
		for i, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
				name := kv.Key.(*ast.Ident).Name
				for j := range t.NumFields() {
					if t.Field(j).Name() == name {
						i = j
					}
				}
			}
			if !yield(i, e) {
				return
			}
		}
	}
}

// literalLen is the length of a slice's literal.
func literalLen(lit *ast.CompositeLit, info *types.Info) (n int64) {
	for i := range literalElems(lit, info) {
		n = max(n, i+1)
	}
	return n
}

// evalElems evaluates the elements of an array or a slice.
func (y *layout) evalElems(lit *ast.CompositeLit, t *types.Array, info *types.Info) (*target.Const, error) {
	elems := make([]*target.Const, t.Len())
	for i, e := range literalElems(lit, info) {
		c, err := y.evalConst(e, t.Elem(), info)
		if err != nil {
			return nil, err
		}
		elems[i] = c
	}
	zero := target.Zero(y.constType(t.Elem()))
	return joinConst(y.constType(t), "[", "]", elems, func(int) *target.Const { return zero }), nil
}

// evalConst evaluates an initialiser made of constants and composite literals.
func (y *layout) evalConst(e ast.Expr, t types.Type, info *types.Info) (*target.Const, error) {
	e = ast.Unparen(e)
	lt := y.constType(t)
	if v := info.Types[e].Value; v != nil {
		if isString(t) {
			return nil, errors.New("it holds strings, and only a string of its own is a constant")
		}
		return constInMemory(y.numberConst(t, v)), nil
	}
	if info.Types[e].IsNil() {
		return target.Zero(lt), nil
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
			return y.evalConst(call.Args[0], t, info)
		}
		return y.evalCall(e, t, info)
	}
	if opaque(t) != nil {
		if len(lit.Elts) > 0 {
			return nil, errNotConstant
		}
		return target.Zero(lt), nil
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return y.evalElems(lit, u, info)
	case *types.Struct:
		elems := make([]*target.Const, u.NumFields())
		for i, e := range literalFields(lit, u) {
			c, err := y.evalConst(e, u.Field(i).Type(), info)
			if err != nil {
				return nil, err
			}
			elems[i] = c
		}
		return joinConst(lt, "{", "}", elems, func(i int) *target.Const { return target.Zero(y.constType(u.Field(i).Type())) }), nil
	}
	if _, ok := t.Underlying().(*types.Slice); ok {
		return nil, errors.New("it holds slices, where arrays would be a table of constants")
	}
	return nil, errNotConstant
}

// constInMemory is a scalar as it lies in memory.
func constInMemory(c *target.Const) *target.Const {
	if c.Typ != target.I1 {
		return c
	}
	n := int64(0)
	if c.Text == "true" {
		n = 1
	}
	return target.Int(target.I8, n)
}

// evalCall knows the functions that std tables of floats are written with.
func (y *layout) evalCall(e ast.Expr, t types.Type, info *types.Info) (*target.Const, error) {
	call, ok := e.(*ast.CallExpr)
	if ok && len(call.Args) <= 1 {
		name := ""
		switch fn := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			name = fn.Name
		case *ast.SelectorExpr:
			name = fn.Sel.Name
		}
		fn, isFunc := info.Uses[funIdent(call.Fun)].(*types.Func)
		if isFunc && fn.Pkg() != nil && fn.Pkg().Path() == "math" && isFloat(t) {
			switch {
			case name == "NaN":
				return target.Float(y.llType(t), math.NaN()), nil
			case name == "Inf" && len(call.Args) == 1:
				if v := info.Types[call.Args[0]].Value; v != nil {
					return target.Float(y.llType(t), math.Inf(constant.Sign(v)*2+1)), nil
				}
			}
		}
	}
	return nil, errNotConstant
}

func funIdent(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

func joinConst(t target.Type, open, close string, elems []*target.Const, zero func(int) *target.Const) *target.Const {
	var b bytes.Buffer
	b.WriteString(open)
	for i, e := range elems {
		if i > 0 {
			b.WriteString(", ")
		}
		if e == nil {
			e = zero(i)
		}
		b.WriteString(e.String())
	}
	b.WriteString(close)
	return &target.Const{Typ: t, Text: b.String()}
}
