package source

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path"
	"path/filepath"

	"heddle/internal/diag"
)

// This file refuses sources that have changed since the binary was built from them: what is
// compiled from them would not be what the program's own functions do.

// fresh refuses a file that changed on disk after the binary was built.
func (w *universe) fresh(p *pkg, f *ast.File) error {
	l := w.list[p.path]
	if p.origin != "go list" || l == nil {
		return nil
	}
	err, ok := w.checked[f]
	if !ok {
		err = checkFresh(l.diskName(path.Base(filepath.ToSlash(w.fset.File(f.FileStart).Name()))))
		w.checked[f] = err
	}
	return err
}

// checkFresh refuses a source file that changed after the binary was built:
// its functions may no longer be the ones that run.
func checkFresh(file string) error {
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	if st.ModTime().After(builtAt.Get()) {
		return &diag.Error{Msg: fmt.Sprintf("%s is newer than the running program", file), Hint: "rebuild it, or embed the sources with kernel.Source so that they cannot differ"}
	}
	return nil
}

// declared refuses the files of what code mentions of a package besides functions, and of
// what that is declared with: a constant's value is in no function.
func (r *reach) declared(o types.Object) {
	p := r.w.src[o.Pkg().Path()]
	if p == nil || p.origin != "go list" || o.Parent() != o.Pkg().Scope() || r.mentioned[o] {
		return
	}
	r.mentioned[o] = true
	for _, f := range p.files {
		if o.Pos() < f.FileStart || f.FileEnd <= o.Pos() {
			continue
		}
		if err := r.w.fresh(p, f); err != nil {
			r.stale = err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Pos() <= o.Pos() && o.Pos() < d.End() {
				r.declaration(p.info, d, o)
			}
		}
	}
}

// declaration is declared for what an object's declaration mentions. Constants have that of
// their whole group, whose expressions may be repeated.
func (r *reach) declaration(info *types.Info, d *ast.GenDecl, o types.Object) {
	_, isConst := o.(*types.Const)
	for _, spec := range d.Specs {
		if !isConst && (o.Pos() < spec.Pos() || spec.End() <= o.Pos()) {
			continue
		}
		ast.Inspect(spec, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if used := info.Uses[id]; used != nil && used.Pkg() != nil {
					r.declared(used)
				}
			}
			return true
		})
	}
}
