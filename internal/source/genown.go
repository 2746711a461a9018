//go:build ignore

// Genown writes what a binary needs to compile kernels where there is no Go
// installation: the declarations of the few packages of the standard library
// that kernels name, in the toolchain's export format. It writes the
// declarations of heddle's own packages too, which are quicker to read than
// their sources, and the sources: run it again when these change.
package main

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
	"heddle/internal/zips"
)

func main() {
	log.SetFlags(0)
	root := "../.." // of this module
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"cmp", "iter", "maps", "math", "math/bits", "math/cmplx", "slices", "unicode/utf8")
	if err != nil {
		log.Fatal(err)
	}
	blobs, sources := map[string][]byte{}, map[string][]byte{}
	for _, p := range pkgs {
		blobs[p.PkgPath] = export(p.Fset, p.Types)
	}
	fset, own := token.NewFileSet(), imports{}
	for _, p := range []string{module.Vector, module.DSL, module.CG, module.Launch} {
		files := goFiles(root, p)
		host := p == module.Launch
		own[p] = declarations(fset, own, p, files, host)
		if host {
			blobs[p] = export(token.NewFileSet(), own[p]) // without positions: nobody is sent there
			continue
		}
		blobs[p] = export(fset, own[p])
		maps.Copy(sources, files)
	}
	pack("declarations.deflate", blobs)
	pack("sources.deflate", sources)
}

// export is a package's declarations.
func export(fset *token.FileSet, p *types.Package) []byte {
	var b bytes.Buffer
	if err := gcexportdata.Write(&b, fset, p); err != nil {
		log.Fatalf("%s: %v", p.Path(), err)
	}
	return b.Bytes()
}

func pack(name string, texts map[string][]byte) {
	packed, err := zips.Pack(texts)
	if err == nil {
		err = os.WriteFile(name, packed, 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// goFiles are the files of a package of this module, tests aside, by the names that a
// build with -trimpath gives them.
func goFiles(root, importPath string) map[string][]byte {
	dir := filepath.Join(root, strings.TrimPrefix(importPath, module.Path+"/"))
	bp, err := build.ImportDir(dir, 0)
	if err != nil {
		log.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range bp.GoFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			log.Fatal(err)
		}
		files[importPath+"/"+name] = comment.ReplaceAll(text, nil)
	}
	return files
}

// comment is a line's comment, where the line has nothing else and it is no directive:
// nobody reads it in a binary. The lines stay.
var comment = regexp.MustCompile(`(?m)^[ \t]*//( .*)?$`)

// imports are the packages that a package of heddle's own may refer to in what
// it exports.
type imports map[string]*types.Package

// Import gives every other package without declarations.
func (m imports) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	if m[p] == nil {
		m[p] = types.NewPackage(p, path.Base(p))
		m[p].MarkComplete()
	}
	return m[p], nil
}

// declarations are those of a package with these files. Of a package of the host, kernels
// see no more than the methods of what they capture: there exported is what is left.
func declarations(fset *token.FileSet, own imports, importPath string, texts map[string][]byte, host bool) *types.Package {
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		if host {
			f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool { return !exported(d) })
		}
		files = append(files, f)
	}
	// What only bodies and unexported functions mention may be unknown.
	conf := types.Config{Importer: own, IgnoreFuncBodies: true, Error: func(error) {}}
	p, _ := conf.Check(importPath, fset, files, nil)
	return p
}

// exported reports whether a declaration is one of exported names that mention
// only this module's vocabulary and Go's own types, and takes unexported names
// and fields out of it.
func exported(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			recv := d.Recv.List[0].Type
			if p, ok := recv.(*ast.StarExpr); ok {
				recv = p.X
			}
			if x, ok := recv.(*ast.IndexExpr); ok {
				recv = x.X
			}
			if !recv.(*ast.Ident).IsExported() {
				return false
			}
		}
		return d.Name.IsExported() && !foreign(d.Type)
	case *ast.GenDecl:
		d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if st, ok := s.Type.(*ast.StructType); ok {
					st.Fields.List = slices.DeleteFunc(st.Fields.List, func(f *ast.Field) bool {
						return len(f.Names) == 0 || !f.Names[0].IsExported() || foreign(f.Type)
					})
				}
				return !s.Name.IsExported() || foreign(s.Type)
			case *ast.ValueSpec:
				return d.Tok != token.CONST || !s.Names[0].IsExported()
			}
			return false
		})
		return len(d.Specs) > 0
	}
	return true
}

// foreign reports whether a type mentions a package other than vector.
func foreign(t ast.Node) bool {
	found := false
	ast.Inspect(t, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if p, ok := s.X.(*ast.Ident); ok && p.Name != "vector" {
				found = true
			}
		}
		return true
	})
	return found
}
