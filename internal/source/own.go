package source

import (
	_ "embed"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/module"
	"heddle/internal/zips"
)

//go:generate go run genown.go

// Declarations of standard packages, and of package launch, in export format, by their
// paths; the files of ownPackages without the bodies of functions; and the sources of ownPackages,
// "heddle/dsl/math.go". All are packed: few kernels need the sources.
//
//go:embed declarations.deflate
var packedDeclarations string

//go:embed vector.deflate
var packedVector string

//go:embed texture.deflate
var packedTexture string

//go:embed dsl.deflate
var packedDSL string

//go:embed cg.deflate
var packedCG string

//go:embed sources.deflate
var packedSources string

var blobs = lazy.Value[map[string]string]{Make: func() map[string]string { return unpack(packedDeclarations) }}

var ownSources = lazy.Value[map[string]string]{Make: func() map[string]string { return unpack(packedSources) }}

// unpack unpacks what is a part of heddle.
func unpack(packed string) map[string]string {
	texts, err := zips.Unpack(packed)
	if err != nil {
		panic("heddle: the declarations and sources inside it are damaged: " + err.Error())
	}
	return texts
}

// ownPackages are heddle's packages that kernels import, dependencies first. Few
// kernels need a body of theirs.
var ownPackages = []string{module.Vector, module.Texture, module.DSL, module.CG}

// hostPackage is the package of heddle whose types kernels capture but do not
// look into: what its blob declares has no unexported fields.
const hostPackage = module.Launch

// parts are the files of a package of heddle's own without the bodies of functions. A
// program that launches one kernel looks at no more of them than its file mentions.
type parts struct {
	texts map[string]string // by the file's name
	needs map[string]string // the files whose declarations a file needs, "half.go,geometry.go"
	files map[string]string // by the names that they export
}

var ownParts = map[string]*lazy.Value[parts]{
	module.Vector:  {Make: func() parts { return unpackParts(packedVector) }},
	module.Texture: {Make: func() parts { return unpackParts(packedTexture) }},
	module.DSL:     {Make: func() parts { return unpackParts(packedDSL) }},
	module.CG:      {Make: func() parts { return unpackParts(packedCG) }},
}

func unpackParts(packed string) parts {
	p := parts{unpack(packed), map[string]string{}, map[string]string{}}
	for line := range strings.Lines(p.texts["names"]) {
		words := strings.Fields(line)
		p.needs[words[0]] = words[1]
		for _, n := range words[2:] {
			p.files[n] = words[0]
		}
	}
	delete(p.texts, "names")
	return p
}

// An ownDecls is what a universe has read so far of a package's parts.
type ownDecls struct {
	path  string
	parts parts
	check *types.Checker
	done  map[string]bool // by file
	// busy: the checker is at work; waiting are the files for when it is done.
	busy    bool
	waiting []*ast.File
}

// own is the state of one of heddle's own packages, nil of others, and where its
// declarations come from elsewhere.
func (w *universe) own(p string) *ownDecls {
	if l := w.list[p]; ownParts[p] == nil || w.fromSource(p) || l != nil && l.Export != "" {
		return nil
	}
	o := w.ownDecls[p]
	if o == nil {
		if w.types[p] == nil {
			w.types[p] = types.NewPackage(p, path.Base(p))
		}
		w.types[p].MarkComplete() // with what somebody mentions
		// What nobody outside sees may be unknown.
		conf := &types.Config{Importer: ownImports{w}, Context: w.ctxt, Sizes: sizes, IgnoreFuncBodies: true, Error: func(error) {}}
		o = &ownDecls{path: p, parts: ownParts[p].Get(), check: types.NewChecker(conf, w.fset, w.types[p], nil), done: map[string]bool{}}
		w.ownDecls[p] = o
	}
	return o
}

// ownImports are what heddle's own packages import: of each other what they mention, and
// nothing of others.
type ownImports struct{ w *universe }

func (i ownImports) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	if i.w.own(p) != nil {
		return i.w.types[p], nil
	}
	if ownParts[p] != nil { // known from source, or by export data
		return i.w.Import(p)
	}
	t := types.NewPackage(p, path.Base(p))
	t.MarkComplete()
	return t, nil
}

// mentioned declares what a package's files mention of heddle's own packages, where these
// are known by their declarations, before the files are checked.
func (w *universe) mentioned(files []*ast.File) {
	for _, f := range files {
		own := map[string]*ownDecls{} // by what f calls the packages
		for _, s := range f.Imports {
			p := strings.Trim(s.Path.Value, "\"`")
			if o := w.own(p); o != nil {
				name := importName(s, path.Base)
				own[name] = o
				if name == "." {
					w.declareAll(o)
				}
			}
		}
		if len(own) == 0 {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok && own[id.Name] != nil {
					w.declare(own[id.Name], sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// declare adds what a name of a package of heddle's own needs, if it exports that name.
func (w *universe) declare(o *ownDecls, name string) {
	if file := o.parts.files[name]; file != "" && !o.done[file] {
		w.add(o, strings.Split(o.parts.needs[file], ","))
	}
}

// declareNames declares names before export data that mentions them is read, which would
// bring them along: a package has one of each.
func (w *universe) declareNames(p string, names []string) {
	if o := w.own(p); o != nil && len(names) > 0 {
		for _, n := range names {
			w.declare(o, n)
		}
	}
}

func (w *universe) declareAll(o *ownDecls) { w.add(o, slices.Sorted(maps.Keys(o.parts.texts))) }

// add adds files to a package of heddle's own.
func (w *universe) add(o *ownDecls, names []string) {
	var files []*ast.File
	for _, name := range names {
		if o.done[name] {
			continue
		}
		o.done[name] = true
		f, err := parse(o.path+"/"+name, []byte(o.parts.texts[name]))
		if err != nil {
			panic("heddle: the declarations inside it are damaged: " + err.Error())
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return
	}
	w.mentioned(files)
	// While a checker is busy it cannot take more: an import brings packages that mention this one.
	o.waiting = append(o.waiting, files...)
	for !o.busy && len(o.waiting) > 0 {
		files, o.waiting, o.busy = o.waiting, nil, true
		o.check.Files(files) // what it complains of is no one's who imports the package
		o.busy = false
	}
}

// blob is the export data of a package of others, "" if there is none.
func blob(importPath string) string { return blobs.Get()[importPath] }

// hasBlob reports whether every program has the declarations of a package.
func hasBlob(importPath string) bool { return blob(importPath) != "" || ownParts[importPath] != nil }
