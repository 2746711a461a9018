package source

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// notEvaluated tells go/ssa not to evaluate the operands of unsafe.Sizeof and unsafe.Alignof under n: Go never does. Where the size
// is known, so is the call's value; where it depends on a type parameter, go/ssa calls a builtin function, and unsafe.Sizeof(*p) would
// read p. The operands become constants of their types, which nothing but the call looks at.
func notEvaluated(info *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Sizeof" && sel.Sel.Name != "Alignof" {
			return true
		}
		if f := info.Types[call.Fun]; !f.IsBuiltin() || info.Types[call].Value != nil {
			return true
		}
		arg := ast.Unparen(call.Args[0])
		tv := info.Types[arg]
		tv.Value = constant.MakeInt64(0)
		info.Types[arg] = tv
		return false
	})
}
