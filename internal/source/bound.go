package source

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file gives a captured method value the form of a closure: go/ssa's bound
// wrapper, whose one free variable is the receiver. Where the method value is
// the kernel itself, its receiver is a parameter instead (Func.Recv).

// boundWrapper is the function behind the method value recv.M, the method that
// sel selects. go/ssa makes it for uses in source, so this builds a package with
// one:
//
//	func use(recv T) S { return recv.M }
func (b *builder) boundWrapper(recv types.Type, sel *types.Selection) *ssa.Function {
	p := types.NewPackage("heddle.bound", "bound")
	p.MarkComplete()
	x, param := &ast.Ident{Name: "recv"}, &ast.Ident{Name: "recv"}
	name, method := &ast.Ident{Name: "use"}, &ast.SelectorExpr{X: x, Sel: &ast.Ident{Name: sel.Obj().Name()}}
	v := types.NewParam(token.NoPos, p, "recv", recv)
	info := newInfo()
	info.Defs[param], info.Uses[x], info.Uses[method.Sel] = v, v, sel.Obj()
	info.Types[x] = types.TypeAndValue{Type: recv}
	info.Types[method] = types.TypeAndValue{Type: sel.Type()}
	info.Selections[method] = sel
	result := types.NewTuple(types.NewParam(token.NoPos, p, "", sel.Type()))
	info.Defs[name] = types.NewFunc(token.NoPos, p, name.Name, types.NewSignatureType(nil, nil, nil, types.NewTuple(v), result, false))
	fields := func(f *ast.Field) *ast.FieldList { return &ast.FieldList{List: []*ast.Field{f}} }
	fd := &ast.FuncDecl{Name: name,
		Type: &ast.FuncType{Params: fields(&ast.Field{Names: []*ast.Ident{param}, Type: &ast.Ident{Name: "T"}}), Results: fields(&ast.Field{Type: &ast.Ident{Name: "S"}})},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{method}}}}}
	sp := b.prog.CreatePackage(p, []*ast.File{{Name: &ast.Ident{Name: p.Name()}, Decls: []ast.Decl{fd}}}, info, false)
	sp.Build()
	for _, blk := range sp.Func(name.Name).Blocks {
		for _, in := range blk.Instrs {
			if mk, ok := in.(*ssa.MakeClosure); ok {
				return mk.Fn.(*ssa.Function)
			}
		}
	}
	return nil
}

// receiverSlot is where a bound method value's closure keeps the receiver, as far
// as the source tells.
func (t *resolved) receiverSlot() slot {
	return slot{v: types.NewVar(token.NoPos, nil, "receiver", t.recv), typ: t.recv, mode: byValue}
}

// receiverCapture is the receiver of a bound method value as a capture.
func (t *resolved) receiverCapture(name string) Capture {
	s := t.slots[0]
	return Capture{Name: name, Type: t.recv, Pos: t.pos(), Field: Field{Offset: s.offset, Size: uintptr(sizes.Sizeof(t.recv))}}
}
