package ssa2ir

// This file implements device variables: package variables that dsl.NewGlobal, NewConstant
// and NewManaged make. The value of one is the address of the device's instance, which the
// loader stores into a table of the module (abi.SymbolsSymbol).

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"path/filepath"

	"github.com/llir/llvm/ir/enum"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/module"
	"heddle/internal/symbol"
	"heddle/internal/target"
)

// symbolType is the kind of a device variable's type, and the type of its contents; nil for
// other types.
func symbolType(t types.Type) (symbol.Kind, types.Type) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != module.DSL || n.TypeArgs().Len() != 1 {
		return 0, nil
	}
	for _, k := range []symbol.Kind{symbol.Global, symbol.Constant, symbol.Managed} {
		if n.Obj().Name() == k.String() {
			return k, n.TypeArgs().At(0)
		}
	}
	return 0, nil
}

// checkSymbol says why a package variable is no device variable.
func (k *Kernel) checkSymbol(g *ssa.Global) error {
	kind, elem := symbolType(deref(g.Type()))
	if k.Init == nil {
		return errors.New("its initial value is not known")
	}
	e, info := k.Init(g)
	switch {
	case info == nil:
		return k.changes(g)
	case e == nil && k.Partial && g.Pkg != k.Fn.Pkg:
		return nil
	}
	if why, _ := unsupportedOutside(elem); why != "" {
		return fmt.Errorf("it holds %s", errs.A(why))
	}
	if c, ok := ast.Unparen(e).(*ast.CallExpr); e != nil && ok && calls(c, info) == "New"+kind.String() {
		return nil
	}
	return errors.New("it is not made where it is declared")
}

// calls is the name of the function of package dsl that a call is one of, "" for others.
func calls(c *ast.CallExpr, info *types.Info) string {
	fun := ast.Unparen(c.Fun)
	if x, ok := fun.(*ast.IndexExpr); ok {
		fun = ast.Unparen(x.X)
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return ""
	}
	if fn, ok := info.Uses[id].(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == module.DSL {
		return fn.Name()
	}
	return ""
}

// symbolsOf are the device variables that a module names.
type symbolsOf struct {
	table  []abi.Symbol
	number map[*ssa.Global]int
	slots  *target.Global
	// The copies of constants (bank.go).
	bank     *target.Global
	bankSize int
	tables   int // bytes of tables, of which the bank leaves room for so many
}

// symbolValue is the address of a device variable's instance, or its copy in the bank, given its
// load; nil for other package variables.
func (f *function) symbolValue(g *ssa.Global, u *ssa.UnOp) target.Value {
	kind, elem := symbolType(deref(g.Type()))
	if elem == nil {
		return nil
	}
	all := &f.symbols
	n, known := all.number[g]
	if !known {
		n = len(all.table)
		if all.number == nil {
			all.number = map[*ssa.Global]int{}
		}
		all.number[g] = n
		all.table = append(all.table, f.symbolEntry(g, kind, elem))
	}
	t := f.M.T.Target
	if all.slots == nil {
		all.slots = f.m.Var(abi.SymbolsSymbol, target.Array(0, target.Ptr(t.Global)), t.Constant, 8, target.Zero(target.I64))
		all.slots.ExternallyInitialized, all.slots.Visibility = true, enum.VisibilityProtected
	}
	space := t.Global
	if kind == symbol.Constant {
		if at := f.banked(u, n); at != nil {
			return at
		}
		space = t.ReadOnly
	}
	slot := f.GEP(target.I8, all.slots, target.Int(target.I64, int64(8*n)))
	at := f.Builder.Load(target.Ptr(space), slot, 8)
	f.Aligned(at, symbolAlign)
	return f.Generic(at)
}

// symbolAlign is what every driver aligns the instances of device variables to, at least: LLVM
// reads neighbours at once then.
const symbolAlign = 16

// symbolEntry is what the loader needs to know of a device variable.
func (f *function) symbolEntry(g *ssa.Global, kind symbol.Kind, elem types.Type) abi.Symbol {
	k := f.prog.Kernel
	e, _ := k.Init(g)
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		panic(&bug{f.prog.plan.pos(g.Pos()), "device variable passed the check"})
	}
	p := k.Fset.Position(c.Lparen)
	s := abi.Symbol{
		Name: g.String(), Package: g.Pkg.Pkg.Path(), Main: g.Pkg.Pkg.Name() == "main", File: path.Base(filepath.ToSlash(p.Filename)), Line: p.Line,
		Kind: uint8(kind), Type: typeName(elem), Size: int(sizeof(elem)),
	}
	return s
}

// finish gives the table of addresses its size.
func (all *symbolsOf) finish(t *target.Target) []abi.Symbol {
	if all.slots != nil {
		all.slots.ContentType = target.Array(int64(len(all.table)), target.Ptr(t.Global))
		all.slots.Init = target.Zero(all.slots.ContentType)
	}
	if all.bank != nil {
		all.bank.ContentType = target.Array(int64(all.bankSize), target.I8)
		all.bank.Init = target.Zero(all.bank.ContentType)
	}
	return all.table
}
