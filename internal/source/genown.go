//go:build ignore

// Genown writes what a binary needs to compile kernels where there is no Go
// installation: the declarations of the few packages of the standard library
// that kernels name, in the toolchain's export format. It writes the
// declarations of heddle's own packages too, which are quicker to read than
// their sources, and the sources: run it again when these change.
package main

import (
	"bytes"
	"fmt"
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
	standard, sources := map[string][]byte{}, map[string][]byte{}
	for _, p := range pkgs {
		standard[p.PkgPath] = export(p.Fset, p.Types)
	}
	fset, own := token.NewFileSet(), imports{}
	for _, p := range []string{module.Vector, module.Texture, module.DSL, module.CG, module.Launch} {
		files := goFiles(root, p)
		host := p == module.Launch
		if host { // arrays and textures are no variables that kernels capture
			maps.DeleteFunc(files, func(name string, _ []byte) bool {
				return path.Base(name) == "array.go" || path.Base(name) == "texture.go"
			})
		}
		parsed := parse(fset, files, host)
		own[p] = check(fset, own, p, parsed)
		if host {
			standard[p] = export(token.NewFileSet(), own[p]) // without positions: nobody is sent there
			standard[p+".needs"] = []byte(strings.Join(namesOf(standard[p], p, module.Vector), " "))
			continue
		}
		pack(path.Base(p)+".deflate", parts(fset, own, p, parsed, files))
		maps.Copy(sources, files)
	}
	pack("declarations.deflate", standard)
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

// namesOf are those of package of that the export data of package p has.
func namesOf(data []byte, p, of string) []string {
	read := map[string]*types.Package{}
	if _, err := gcexportdata.Read(bytes.NewReader(data), token.NewFileSet(), read, p); err != nil {
		log.Fatal(err)
	}
	for other := range read {
		if other != p && other != of {
			log.Fatalf("%s mentions %s", p, other)
		}
	}
	return read[of].Scope().Names()
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

// parse parses the files of a package. Of a package of the host, kernels see no more than
// the methods of what they capture: there exported is what is left.
func parse(fset *token.FileSet, texts map[string][]byte, host bool) (files []*ast.File) {
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
	return files
}

// check is a package of these files.
func check(fset *token.FileSet, own imports, importPath string, files []*ast.File) *types.Package {
	p, _ := checkInfo(fset, own, importPath, files)
	return p
}

func checkInfo(fset *token.FileSet, own imports, importPath string, files []*ast.File) (*types.Package, *types.Info) {
	// What only bodies and unexported functions mention may be unknown.
	conf := types.Config{Importer: own, IgnoreFuncBodies: true, Error: func(error) {}}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	p, _ := conf.Check(importPath, fset, files, info)
	return p, info
}

// parts are the files of a package without the bodies of functions, on the same lines. The
// text "names" has a line for each: the file, the files whose declarations it needs, itself
// among them, and what it exports: "half.go half.go,geometry.go Half MakeHalf".
func parts(fset *token.FileSet, own imports, importPath string, files []*ast.File, texts map[string][]byte) map[string][]byte {
	_, info := checkInfo(fset, own, importPath, files)
	r := newRefs(info, files)
	all := map[string][]byte{}
	var index strings.Builder
	for _, f := range files {
		if len(f.Decls) == 0 {
			continue // its package's documentation
		}
		keep := r.closure(f.Decls)
		var needs []string
		for _, g := range files {
			if slices.ContainsFunc(g.Decls, func(d ast.Decl) bool { return keep[d] && !isImport(d) }) {
				needs = append(needs, path.Base(fset.File(g.FileStart).Name()))
			}
		}
		full := fset.File(f.FileStart).Name()
		name := path.Base(full)
		fmt.Fprintln(&index, name, strings.Join(needs, ","), strings.Join(exportedNames(f), " "))
		all[name] = withoutBodies(fset, f, texts[full])
	}
	all["names"] = []byte(index.String())
	return all
}

// withoutBodies is the text of a file without the bodies of functions and what stands
// behind its last line.
func withoutBodies(fset *token.FileSet, f *ast.File, text []byte) []byte {
	var b bytes.Buffer
	done := 0
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
			from, to := fset.Position(fd.Body.Lbrace).Offset, fset.Position(fd.Body.Rbrace).Offset+1
			b.Write(text[done:from])
			b.WriteString(strings.Repeat("\n", bytes.Count(text[from:to], []byte("\n"))))
			done = to
		}
	}
	b.Write(text[done:])
	return bytes.TrimRight(b.Bytes(), "\n")
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// exportedNames are those that a file declares in its package's scope.
func exportedNames(f *ast.File) (names []string) {
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, id.Name)
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					add(s.Names...)
				}
			}
		}
	}
	return names
}

// refs knows which declarations of a package need which: a function's signature what it
// mentions, a type its methods too.
type refs struct {
	info    *types.Info
	of      map[types.Object]ast.Decl
	methods map[types.Object][]ast.Decl
}

func newRefs(info *types.Info, files []*ast.File) *refs {
	r := &refs{info, map[types.Object]ast.Decl{}, map[types.Object][]ast.Decl{}}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				r.of[info.Defs[d.Name]] = d
				if d.Recv != nil {
					ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok {
							if t, ok := info.Uses[id].(*types.TypeName); ok {
								r.methods[t] = append(r.methods[t], d)
							}
						}
						return true
					})
				}
			case *ast.GenDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && info.Defs[id] != nil {
						r.of[info.Defs[id]] = d
					}
					return true
				})
			}
		}
	}
	return r
}

// closure is some declarations and what they need.
func (r *refs) closure(decls []ast.Decl) map[ast.Decl]bool {
	keep := map[ast.Decl]bool{}
	var add func(d ast.Decl)
	mention := func(o types.Object) {
		if d := r.of[o]; d != nil {
			add(d)
		}
		for _, m := range r.methods[o] {
			add(m)
		}
	}
	add = func(d ast.Decl) {
		if keep[d] {
			return
		}
		keep[d] = true
		ast.Inspect(d, func(n ast.Node) bool {
			if _, body := n.(*ast.BlockStmt); body {
				return false
			}
			if id, ok := n.(*ast.Ident); ok {
				mention(r.info.Uses[id])
				if t, ok := r.info.Defs[id].(*types.TypeName); ok {
					mention(t)
				}
			}
			return true
		})
	}
	for _, d := range decls {
		add(d)
	}
	return keep
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
