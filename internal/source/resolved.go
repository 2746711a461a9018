package source

import (
	"go/ast"
	"go/types"

	"heddle/internal/exe"
)

// A resolved is a func value mapped to its declaration.
type resolved struct {
	id   exe.Ident
	pkg  *pkg
	file *ast.File
	decl *ast.FuncDecl // declared function, or the one around lit; nil: a package variable's initialiser
	lit  *ast.FuncLit  // nil for a declared function
	info *types.Info   // of lit, where it had to be checked again; else pkg.info
	fn   *types.Func   // decl's object, of generic origin
	args []types.Type  // type arguments of decl, or of its receiver
	// recv is the receiver type of a method value, and sel selects the method.
	recv   types.Type
	sel    *types.Selection
	slots  []slot       // captured variables in the compiler's order
	unused bool         // some of args are stand-ins, for type parameters that lit does not depend on
	found  []types.Type // args with nil for the stand-ins, if there are any
	// captured says that another captures it.
	captured bool
}

// typeParams are the type parameters that args stand for.
//
//go:noinline
func (t *resolved) typeParams() *types.TypeParamList {
	if t.fn == nil {
		return nil
	}
	return typeParamsOf(t.fn)
}

func (t *resolved) generic() bool { return t.typeParams().Len() > 0 }

func (t *resolved) substitution() substitution {
	m := substitution{}
	tps := t.typeParams()
	for i := range min(tps.Len(), len(t.args)) {
		m[tps.At(i)] = t.args[i]
	}
	return m
}

// signature is the generic signature of t's function or literal.
func (t *resolved) signature() *types.Signature {
	if t.lit != nil {
		if sig, ok := t.info.TypeOf(t.lit).(*types.Signature); ok {
			return sig
		}
	}
	return t.fn.Signature()
}
