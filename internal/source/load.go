package source

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/module"
)

// This file adds packages to a universe: from embedded sources, from disk, from
// export data, or as nothing but a name.

// Import implements types.Importer. It never fails: an import that nothing is
// known about becomes an empty package, so that host code in a kernel's file
// may use anything. What a kernel itself uses of it is an error at its use.
func (w *universe) Import(p string) (*types.Package, error) {
	if t := w.types[p]; t != nil && t.Complete() {
		return t, nil
	}
	if w.fromSource(p) {
		if sp, err := w.load(p); err == nil && sp != nil {
			return sp.types, nil
		}
	}
	if l := w.list[p]; l != nil && l.Export != "" {
		if t, err := w.readExport(p, l.Export); err == nil {
			return t, nil
		}
	}
	if w.own(p) != nil {
		return w.types[p], nil
	}
	if b := blob(p); b != "" {
		w.declareNames(module.Vector, strings.Fields(blob(p+".needs")))
		if t, err := gcexportdata.Read(strings.NewReader(b), w.fset, w.types, p); err == nil {
			return t, nil
		}
	}
	if b := bundledTypes(p); b != nil {
		if !w.isStd(p) { // the standard library does not mention heddle's own
			for _, own := range ownPackages {
				if o := w.own(own); o != nil {
					w.declareAll(o)
				}
			}
		}
		if t, err := gcexportdata.Read(bytes.NewReader(b), w.fset, w.types, p); err == nil {
			return t, nil
		}
	}
	t := types.NewPackage(p, guessName(p))
	t.MarkComplete()
	w.types[p] = t
	w.empty[p] = true
	return t, nil
}

func (w *universe) readExport(p, file string) (*types.Package, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 go list -export of Go 1.26 and 1.27 gives archives
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, w.fset, w.types, p)
}

// nameOf is the name of an imported package, as far as it can be known without
// loading it.
func (w *universe) nameOf(p string) string {
	if t := w.types[p]; t != nil {
		return t.Name()
	}
	if e := w.embedded[p]; e != nil {
		if name := e.name(); name != "" {
			return name
		}
	}
	return guessName(p)
}

// guessName is the usual package name for an import path.
func guessName(p string) string {
	name := path.Base(p)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" && path.Dir(p) != "." {
		name = path.Base(path.Dir(p)) // major version suffix
	}
	name = strings.TrimPrefix(name, "go-")
	if i := strings.LastIndex(name, ".v"); i > 0 {
		name = name[:i] // gopkg.in style
	}
	return strings.ReplaceAll(name, "-", "_")
}

// load returns the package p from source, nil if it has no sources.
func (w *universe) load(p string) (*pkg, error) {
	if sp := w.src[p]; sp != nil {
		return sp, nil
	}
	base, ext := external(p)
	switch e := w.embedded[p]; {
	case e != nil:
		files, err := e.files()
		if err != nil {
			return nil, err
		}
		return w.check(p, "embedded", files, false, "")
	case ext && w.embedded[base] != nil:
		files, err := w.embedded[base].files()
		if err != nil {
			return nil, err
		}
		return w.check(p, "embedded", files, true, "")
	}
	if w.isStd(p) {
		if files, err := stdFiles(p); files != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return w.check(p, "GOROOT", files, false, "")
		}
	}
	if l := w.list[p]; l != nil {
		return w.loadListed(p, l)
	}
	return nil, nil
}

// portable are the parts of the standard library that are the same on every
// machine, except that some functions have assembly on some. The others may
// declare types that differ.
var portable = lazy.Words{Text: "bytes cmp container encoding hash image index iter maps math slices sort strconv strings unicode"}

// byteAlgorithms is what packages bytes and strings find and compare bytes with.
const byteAlgorithms = "internal/bytealg"

func isPortable(p string) bool {
	top, _, _ := strings.Cut(p, "/")
	return portable.Has(top) || p == byteAlgorithms
}

func (w *universe) loadListed(p string, l *listed) (*pkg, error) {
	files, err := l.cgoOutput()
	if err != nil {
		return nil, err
	}
	names := l.GoFiles
	if len(files) == 0 {
		names = slices.Concat(l.GoFiles, l.CgoFiles)
	}
	for _, name := range names {
		b, err := os.ReadFile(l.diskName(name))
		if err != nil {
			return nil, err
		}
		files[l.fileName(name)] = b
	}
	_, ext := external(p)
	version := ""
	if l.Module != nil && l.Module.GoVersion != "" {
		version = "go" + l.Module.GoVersion
	}
	return w.check(p, "go list", files, ext, version)
}

// check parses and type-checks a package. Of files that hold both a package and
// its external test, external says which of the two is wanted. Errors are kept
// in the result: only those in code that a kernel reaches will count.
func (w *universe) check(p, origin string, files map[string][]byte, external bool, version string) (*pkg, error) {
	sp := &pkg{path: p, origin: origin}
	for n, text := range files {
		isExternal, err := externalTest(n, text)
		if err != nil {
			return nil, err
		}
		if isExternal != external {
			files = maps.Clone(files)
			delete(files, n)
		}
	}
	if len(files) == 0 {
		return nil, errs.F("package %s: %w", p, errNoFiles)
	}
	switch names := w.only[p]; {
	case names != nil:
		t := newTrimmer(&seeds{names: names})
		t.exported = true
		files, sp.left = t.trim(files)
	case w.trimmer != nil && !w.isStd(p):
		files, sp.left = w.trimmer.trim(files)
	}
	shared.work.Packages++
	for _, n := range slices.Sorted(maps.Keys(files)) {
		shared.work.Bytes += len(files[n])
		f, err := parse(n, files[n])
		if err != nil {
			return nil, err
		}
		sp.files = append(sp.files, f)
	}
	if sp.left != nil {
		w.trimmed(sp)
	}
	w.mentioned(sp.files)
	sp.info = newInfo()
	conf := types.Config{
		Importer: w, Context: w.ctxt, Sizes: sizes, GoVersion: version, FakeImportC: true,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				sp.errs = append(sp.errs, e)
			}
		},
	}
	sp.types, _ = conf.Check(p, w.fset, sp.files, sp.info)
	w.src[p], w.types[p] = sp, sp.types
	w.index(sp)
	return sp, nil
}

// trimmed completes what trim has done to the files' text.
func (w *universe) trimmed(p *pkg) {
	p.trimmed = map[*ast.FuncDecl]bool{}
	for i, f := range p.files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body == nil {
				q := w.fset.PositionFor(fd.Type.Func, false)
				p.trimmed[fd] = p.left.bodies[placeOf(q.Filename, q.Line)]
			}
		}
		c := *f // f itself may be another universe's too
		dropImports(&c, w.nameOf)
		p.files[i] = &c
	}
}

//go:noinline
func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
}

// sizes are those of the host, which are the device's too.
var sizes = types.SizesFor("gc", runtime.GOARCH)

// index records where sp's functions and variables are declared.
func (w *universe) index(sp *pkg) {
	for _, f := range sp.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if o := sp.info.Defs[d.Name]; o != nil {
					w.decls[o] = &declRef{pkg: sp, file: f, fd: d}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					vs, ok := s.(*ast.ValueSpec)
					if !ok || d.Tok != token.VAR {
						continue
					}
					for _, n := range vs.Names {
						if o := sp.info.Defs[n]; o != nil {
							w.decls[o] = &declRef{pkg: sp, file: f, spec: vs}
						}
					}
				}
			}
		}
	}
}
