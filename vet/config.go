package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// This file looks at the shape of launches that is written out in the call: one that
// launches less than it seems to, or in blocks that leave a GPU idle.

// bigGrid is from how many blocks on blocks of one thread are no accident of a test.
const bigGrid = 64

// checkConfig looks at a launch's configuration.
func (v *vetter) checkConfig(e ast.Expr) {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.CompositeLit:
		v.checkConfigLit(e)
	case *ast.CallExpr: // Linear(n, 1)
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok || len(e.Args) != 2 {
			return
		}
		fn, ok := v.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
		if ok && fn.FullName() == launchPath+".Linear" && v.constInt(e.Args[1]) == 1 && v.constInt(e.Args[0]) >= bigGrid {
			v.report(e.Args[1].Pos(), "blocks of one thread leave most of a warp idle (use 256)")
		}
	}
}

func (v *vetter) checkConfigLit(lit *ast.CompositeLit) {
	fields := map[string]ast.Expr{}
	for i, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			fields[kv.Key.(*ast.Ident).Name] = kv.Value
		} else if i < 2 {
			fields[[]string{"Grid", "Block"}[i]] = el
		}
	}
	grid, block := fields["Grid"], fields["Block"]
	blocks, threads := v.extent(grid), v.extent(block)
	switch {
	case grid == nil && block == nil:
		v.report(lit.Pos(), "a launch.Config without Grid and Block launches one thread (use launch.Linear(n, 256); where one is meant, Block: launch.Dim3{X: 1})")
	case block == nil && (blocks < 0 || blocks >= bigGrid):
		v.report(lit.Pos(), "a launch.Config without Block launches blocks of one thread, which leave most of a warp idle (set Block, or use launch.Linear(n, 256))")
	case threads == 1 && blocks >= bigGrid:
		v.report(block.Pos(), "blocks of one thread leave most of a warp idle (use 256)")
	}
}

// extent is the product of a Dim3's axes, 1 for none, -1 if it is not known.
func (v *vetter) extent(e ast.Expr) int64 {
	if e == nil {
		return 1
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return -1
	}
	product := int64(1)
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		n := v.constInt(el)
		if n < 0 || n > 1<<31 {
			return -1
		}
		product = min(product*max(n, 1), 1<<31)
	}
	return product
}

// constInt is a constant's value, -1 for what is none.
func (v *vetter) constInt(e ast.Expr) int64 {
	value := v.pass.TypesInfo.Types[e].Value
	if value == nil || value.Kind() != constant.Int || constant.Compare(value, token.LSS, constant.MakeInt64(0)) {
		return -1
	}
	n, ok := constant.Int64Val(value)
	if !ok {
		return -1
	}
	return n
}
