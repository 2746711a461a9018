package source

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// A pkg is one package loaded from source.
type pkg struct {
	path   string
	origin string // "embedded", "go list" or "GOROOT"
	files  []*ast.File
	types  *types.Package
	info   *types.Info
	errs   []types.Error
	writes map[*types.Var]bool // package-level variables not read-only; see readonly.go
}

// A world is one consistent universe of packages: some from source, the rest
// as declarations only. Packages are added as kernels need them; when one that
// was taken as declarations turns out to be needed with bodies, or when the
// registry or the list changes, a new world replaces it. Units keep the world
// they were built in.
type world struct {
	gen      int // of the registry
	fset     *token.FileSet
	embedded map[string]*embedded // by import path
	list     map[string]*listed   // by types path; nil unless go list ran
	order    []string             // keys of list, dependencies first
	bodies   map[string]bool      // packages that must come from source
	src      map[string]*pkg
	types    map[string]*types.Package
	empty    map[string]bool // imports that nothing is known about
	decls    map[types.Object]*declRef
	unknowns map[types.Type]bool // memo of unknown
	checked  map[*ast.File]error // memo of fresh
	ctxt     *types.Context
}

// A declRef is where an object is declared.
type declRef struct {
	pkg  *pkg
	file *ast.File
	fd   *ast.FuncDecl  // of a function
	spec *ast.ValueSpec // of a package-level variable
}

// shared is the state of all Finds: one lock, so that a package is loaded once
// however many goroutines ask.
var shared struct {
	sync.Mutex
	world  *world
	list   map[string]*listed
	order  []string
	tried  map[string]error // directories and packages that go list was asked about
	bodies map[string]bool
}

// currentWorld returns the world for the present registry, list and bodies.
// The caller holds shared's lock.
func currentWorld() *world {
	registry.Lock()
	gen := registry.gen
	byPath := map[string]*embedded{}
	for _, e := range registry.byDir {
		byPath[e.path] = e
	}
	registry.Unlock()
	if w := shared.world; w != nil && w.gen == gen {
		return w
	}
	w := &world{
		gen: gen, fset: token.NewFileSet(), embedded: byPath,
		list: shared.list, order: slices.Clone(shared.order), bodies: map[string]bool{},
		src: map[string]*pkg{}, types: map[string]*types.Package{"unsafe": types.Unsafe},
		empty: map[string]bool{}, unknowns: map[types.Type]bool{}, checked: map[*ast.File]error{}, decls: map[types.Object]*declRef{}, ctxt: types.NewContext(),
	}
	for p := range shared.bodies {
		w.bodies[p] = true
	}
	// Export data refers to the packages it imports: those from source come
	// first, or there would be two of each.
	for _, p := range w.order {
		if w.fromSource(p) {
			w.load(p)
		}
	}
	shared.world = w
	return w
}

// needBodies asks for packages from source in the next world. It reports
// whether that will make a difference. The caller holds shared's lock.
func (w *world) needBodies(paths []string) bool {
	changed := false
	for _, p := range paths {
		if !w.bodies[p] && w.canSource(p) {
			if shared.bodies == nil {
				shared.bodies = map[string]bool{}
			}
			shared.bodies[p] = true
			changed = true
		}
	}
	if changed {
		shared.world = nil
	}
	return changed
}

// addList runs go list for the package of a file, or of a symbol where the file
// is not known, once. It reports whether that brought anything new. The caller
// holds shared's lock.
func addList(id *Ident) (bool, error) {
	key := path.Dir(id.File)
	if id.wrapper() {
		key = importPathOf(id.Name)
	}
	if shared.tried == nil {
		shared.tried = map[string]error{}
	}
	if err, ok := shared.tried[key]; ok {
		return false, err
	}
	var ps []*listed
	var err error
	if id.wrapper() {
		ps, err = listPackage(key)
	} else {
		ps, err = listFile(id.File)
	}
	shared.tried[key] = err
	if err != nil {
		return false, err
	}
	addListed(ps)
	return true, nil
}

// addListed adds packages to the list. The caller holds shared's lock.
func addListed(ps []*listed) {
	if shared.list == nil {
		shared.list = map[string]*listed{}
	} else {
		// a world may be using the old map
		m := make(map[string]*listed, len(shared.list))
		for k, v := range shared.list {
			m[k] = v
		}
		shared.list = m
	}
	for _, p := range ps {
		tp := p.typesPath()
		old := shared.list[tp]
		switch {
		case old == nil:
			shared.order = append(shared.order, tp)
		case p.ForTest == "" || p.ForTest != thisBinary().underTest || old.ForTest != "":
			continue // known, and p is not the variant under test
		default:
			// the variant's imports are listed before it: move it behind them
			shared.order = slices.DeleteFunc(shared.order, func(s string) bool { return s == tp })
			shared.order = append(shared.order, tp)
		}
		shared.list[tp] = p
	}
	shared.world = nil
}

// external is the part of an import path that names an external test package's
// package under test.
func external(p string) (string, bool) { return strings.CutSuffix(p, "_test") }

// fromSource reports whether p is to be loaded from source.
func (w *world) fromSource(p string) bool {
	if w.embedded[p] != nil {
		return true
	}
	if base, ok := external(p); ok && w.embedded[base] != nil {
		return true
	}
	return w.bodies[p] && w.canSource(p)
}

// canSource reports whether the sources of p can be had.
func (w *world) canSource(p string) bool {
	if w.embedded[p] != nil {
		return true
	}
	if l := w.list[p]; l != nil {
		return len(l.GoFiles)+len(l.CgoFiles) > 0
	}
	return w.isStd(p) && gorootSrc(p) != ""
}

// isStd reports whether an import path is the standard library's.
func (w *world) isStd(p string) bool {
	if l := w.list[p]; l != nil {
		return l.Standard
	}
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".") && (blob(p) != nil || gorootSrc(p) != "")
}

// gorootSrc is the directory of a standard package's sources, "" if they are
// not on this machine.
func gorootSrc(p string) string {
	root := goroot()
	if root == "" {
		return ""
	}
	dir := filepath.Join(root, "src", filepath.FromSlash(p))
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return ""
	}
	return dir
}

var goroot = sync.OnceValue(func() string {
	if r := build.Default.GOROOT; r != "" {
		return r
	}
	if p, err := filepath.EvalSymlinks(goCommand()); err == nil && p != "" {
		return filepath.Dir(filepath.Dir(p))
	}
	if p, err := exec.LookPath("gofmt"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			return filepath.Dir(filepath.Dir(p))
		}
	}
	return ""
})

// Import implements types.Importer. It never fails: an import that nothing is
// known about becomes an empty package, so that host code in a kernel's file
// may use anything. What a kernel itself uses of it is an error at its use.
func (w *world) Import(p string) (*types.Package, error) {
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
	if b := blob(p); b != nil {
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

func (w *world) readExport(p, file string) (*types.Package, error) {
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
func (w *world) load(p string) (*pkg, error) {
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
		if dir := gorootSrc(p); dir != "" {
			return w.loadStd(p, dir)
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
var portable = map[string]bool{
	"bytes": true, "cmp": true, "container": true, "encoding": true, "hash": true, "image": true, "index": true, "iter": true,
	"maps": true, "math": true, "slices": true, "sort": true, "strconv": true, "strings": true, "unicode": true,
}

// loadStd loads a standard package; of a portable one the files for a machine
// without assembly, where every function has a Go body.
func (w *world) loadStd(p, dir string) (*pkg, error) {
	ctx := thisBinary().buildContext()
	if top, _, _ := strings.Cut(p, "/"); portable[top] {
		ctx = portableContext()
	}
	ents, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, ent := range ents {
		name := ent.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := ctx.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files[filepath.Join(dir, name)] = b
	}
	return w.check(p, "GOROOT", files, false, "")
}

func (w *world) loadListed(p string, l *listed) (*pkg, error) {
	files := map[string][]byte{}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
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
func (w *world) check(p, origin string, files map[string][]byte, external bool, version string) (*pkg, error) {
	sp := &pkg{path: p, origin: origin}
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		f, err := parser.ParseFile(w.fset, n, files[n], parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Name.Name, "_test") && strings.HasSuffix(n, "_test.go") == external {
			sp.files = append(sp.files, f)
		} else if !external && !strings.HasSuffix(f.Name.Name, "_test") {
			sp.files = append(sp.files, f)
		}
	}
	if len(sp.files) == 0 {
		return nil, fmt.Errorf("package %s: %w", p, errNoFiles)
	}
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
func (w *world) index(sp *pkg) {
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

// errNoFiles says that none of a package's files are for this binary.
var errNoFiles = errors.New("no Go files for " + runtime.GOOS + "/" + runtime.GOARCH)

// locate finds the package, from source, that holds a file of the function
// table. It returns nil if that package is not known or not from source yet.
func (w *world) locate(file string) (*pkg, *ast.File, error) {
	dir := path.Dir(file)
	for _, e := range w.embedded {
		if e.dir != dir {
			continue
		}
		for _, p := range []string{e.path, e.path + "_test"} {
			if p != e.path && thisBinary().underTest != e.path {
				continue
			}
			sp, err := w.load(p)
			if errors.Is(err, errNoFiles) {
				continue // a package without external tests, or tests alone
			}
			if err != nil {
				return nil, nil, err
			}
			if f := w.fileNamed(sp, file); f != nil {
				return sp, f, nil
			}
		}
	}
	for _, p := range w.order {
		l := w.list[p]
		if !l.holds(file) {
			continue
		}
		if w.src[p] == nil && !w.fromSource(p) {
			return nil, nil, needSource{p}
		}
		sp, err := w.load(p)
		if errors.Is(err, errNoFiles) {
			continue // the embedded sources lack them
		}
		if err != nil {
			return nil, nil, err
		}
		if f := w.fileNamed(sp, l.fileName(path.Base(filepath.ToSlash(file)))); f != nil {
			return sp, f, nil
		}
	}
	return nil, nil, nil
}

// needSource is the error that asks for a world with a package from source.
type needSource struct{ path string }

func (e needSource) Error() string { return "package " + e.path + " is needed from source" }

// fileNamed is the file of sp with a name of the function table. A file whose
// positions a //line directive moves is found by the moved name too.
func (w *world) fileNamed(sp *pkg, file string) *ast.File {
	for _, f := range sp.files {
		if w.fset.File(f.FileStart).Name() == file {
			return f
		}
	}
	return nil
}
