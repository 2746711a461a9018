package source

import (
	"cmp"
	"errors"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"heddle/internal/env"
	"heddle/internal/exe"
	"heddle/internal/lazy"
)

// A pkg is one package loaded from source.
type pkg struct {
	path    string
	origin  string // "embedded", "go list" or "GOROOT"
	files   []*ast.File
	types   *types.Package
	info    *types.Info
	errs    []types.Error
	left    *leftOut                 // what was left out, nil if nothing; see trim.go
	trimmed map[*ast.FuncDecl]bool   // whose bodies were left out
	writes  map[*types.Var]token.Pos // package-level variables not read-only; see readonly.go
}

// A universe is one consistent set of packages: some from source, the rest
// as declarations only. Packages are added as kernels need them; when one that
// was taken as declarations turns out to be needed with bodies, or when the
// registry or the list changes, a new universe replaces it. Funcs keep the universe
// they were built in.
type universe struct {
	gen      int // of the registry
	fset     *token.FileSet
	embedded map[string]*embedded // by import path
	list     map[string]*listed   // by types path; nil unless go list ran
	order    []string             // keys of list, dependencies first
	bodies   map[string]bool      // packages that must come from source
	// only are the functions whose bodies are wanted of a standard package; a
	// package that is in bodies but not here has all.
	only     map[string]map[string]bool
	trimmer  *trimmer        // of packages that are not standard; nil: they have all bodies
	unkept   map[string]bool // names that were looked for in trimmed packages in vain
	src      map[string]*pkg
	types    map[string]*types.Package
	empty    map[string]bool      // imports that nothing is known about
	ownDecls map[string]*ownDecls // of heddle's own packages; see own.go
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
	world  *universe
	list   map[string]*listed
	order  []string
	tried  map[string]error // directories and packages that go list was asked about
	bodies map[string]bool
	only   map[string]map[string]bool
	grown  int    // how often only was added to
	seeds  *seeds // of the next universe
	full   bool   // the next universe has no seeds
	// testing is the package whose tests DiscoverTests looks at.
	testing string
	work    Work
}

// Work is what finding sources has cost the process so far, in units that do not
// depend on the machine.
type Work struct {
	Packages  int // parsed and type-checked
	Bytes     int // of their text, as far as it was not left out
	Functions int // built in SSA form
}

// Worked is the work so far.
func Worked() Work {
	shared.Lock()
	defer shared.Unlock()
	return shared.work
}

// forget makes all Finds begin anew, with the tests of a package.
func forget(testing string) {
	shared.world, shared.list, shared.order, shared.tried, shared.bodies, shared.only = nil, nil, nil, nil, nil, nil
	shared.grown, shared.seeds, shared.full, shared.testing = 0, nil, false, testing
}

// underTest is the import path of the package whose tests are looked at, of this
// binary or of another; "" for none. The caller holds shared's lock.
func underTest() string { return cmp.Or(shared.testing, thisBinary.Get().underTest) }

// currentUniverse returns the universe for the present registry, list and bodies.
// The caller holds shared's lock.
func currentUniverse() *universe {
	registry.Lock()
	gen := registry.gen
	byPath := map[string]*embedded{}
	for _, e := range registry.bundled {
		byPath[e.path] = e
	}
	for _, e := range registry.byDir {
		byPath[e.path] = e
	}
	registry.Unlock()
	if w := shared.world; w != nil && w.gen == gen {
		return w
	}
	w := &universe{
		gen: gen, fset: fileSet(), embedded: byPath,
		list: shared.list, order: slices.Clone(shared.order), bodies: map[string]bool{},
		src: map[string]*pkg{}, types: map[string]*types.Package{"unsafe": types.Unsafe},
		empty: map[string]bool{}, ownDecls: map[string]*ownDecls{}, unkept: map[string]bool{}, unknowns: map[types.Type]bool{}, checked: map[*ast.File]error{}, decls: map[types.Object]*declRef{}, ctxt: types.NewContext(),
	}
	for p := range shared.bodies {
		w.bodies[p] = true
	}
	w.only = maps.Clone(shared.only)
	if shared.seeds != nil {
		w.trimmer = newTrimmer(shared.seeds.clone())
	}
	// Export data refers to the packages it imports: those from source come
	// first, or there would be two of each.
	for _, p := range w.order {
		if w.fromSource(p) {
			w.load(p)
		}
	}
	for _, p := range ownPackages {
		if w.fromSource(p) && w.bodies[p] {
			w.load(p)
		}
	}
	shared.world = w
	return w
}

// loadInFull makes the next universes have all bodies. The caller holds shared's lock.
func loadInFull() { shared.full, shared.seeds, shared.world = true, nil, nil }

// needFuncs asks for the bodies of functions in the next universe: names by
// package. Of a standard package, and of heddle's own, it has these and what
// they call, which is many times quicker; after a few times everything. It
// reports whether there will be a difference. The caller holds shared's lock.
func (w *universe) needFuncs(names map[string]map[string]bool) bool {
	changed := false
	for p, fns := range names {
		if !w.partly(p) {
			continue
		}
		if shared.only == nil {
			shared.only = map[string]map[string]bool{}
		}
		switch old := shared.only[p]; {
		case !w.bodies[p]:
			shared.only[p] = fns
		case old != nil && shared.grown < maxGrown:
			shared.only[p] = maps.Clone(old)
			maps.Copy(shared.only[p], fns)
			shared.grown++
			changed = true
		case old != nil:
			delete(shared.only, p)
			changed = true
		}
	}
	if changed {
		shared.world = nil
	}
	return w.needBodies(slices.Collect(maps.Keys(names))) || changed
}

// maxGrown is how often in a process more bodies of packages that were loaded
// in part are worth another universe.
const maxGrown = 4

// partly reports whether p, from source, has only the bodies that are asked for.
func (w *universe) partly(p string) bool { return w.isStd(p) || slices.Contains(ownPackages, p) }

// needBodies asks for packages from source in the next universe. It reports
// whether that will make a difference. The caller holds shared's lock.
func (w *universe) needBodies(paths []string) bool {
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
func addList(id *exe.Ident) (bool, error) {
	key := path.Dir(id.File)
	if id.Wrapper() {
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
	if id.Wrapper() {
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
		// a universe may be using the old map
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
		case p.ForTest == "" || p.ForTest != underTest() || old.ForTest != "":
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
//
//go:noinline
func external(p string) (string, bool) { return strings.CutSuffix(p, "_test") }

// fromSource reports whether p is to be loaded from source.
func (w *universe) fromSource(p string) bool {
	if w.embedded[p] != nil {
		return w.bodies[p] || !slices.Contains(ownPackages, p) || thisBinary.Get().underTest == p
	}
	if base, ok := external(p); ok && w.embedded[base] != nil {
		return true
	}
	return w.bodies[p] && w.canSource(p)
}

// canSource reports whether the sources of p can be had.
func (w *universe) canSource(p string) bool {
	if w.embedded[p] != nil {
		return true
	}
	if l := w.list[p]; l != nil {
		return len(l.GoFiles)+len(l.CgoFiles) > 0
	}
	return w.isStd(p) && stdSource(p)
}

// isStd reports whether an import path is the standard library's.
func (w *universe) isStd(p string) bool {
	if l := w.list[p]; l != nil {
		return l.Standard
	}
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".") && (hasBlob(p) || stdSource(p))
}

// gorootSrc is the directory of a standard package's sources, "" if they are
// not on this machine.
func gorootSrc(p string) string {
	root := goroot.Get()
	if root == "" {
		return ""
	}
	dir := filepath.Join(root, "src", filepath.FromSlash(p))
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return ""
	}
	return dir
}

// goroot is where Go's own sources are, "" if that is not known, or if who started the
// process could choose it for one with more rights.
var goroot = lazy.Value[string]{Make: func() string {
	if env.Secure() {
		return ""
	}
	if r := build.Default.GOROOT; r != "" {
		return r
	}
	if p, err := filepath.EvalSymlinks(goCommand.Get()); err == nil && p != "" {
		return filepath.Dir(filepath.Dir(p))
	}
	if p, err := exec.LookPath("gofmt"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			return filepath.Dir(filepath.Dir(p))
		}
	}
	return ""
}}

// errNoFiles says that none of a package's files are for this binary.
var errNoFiles = errors.New("no Go files for " + runtime.GOOS + "/" + runtime.GOARCH)

// locate finds the package, from source, that holds a file of the function
// table. It returns nil if that package is not known or not from source yet.
func (w *universe) locate(file string) (*pkg, *ast.File, error) {
	dir := path.Dir(file)
	for _, e := range w.embedded {
		if !e.holdsDir(dir) {
			continue
		}
		if e.bundled {
			file = path.Join(e.dir, path.Base(filepath.ToSlash(file)))
		}
		for _, p := range []string{e.path, e.path + "_test"} {
			if p != e.path && thisBinary.Get().underTest != e.path {
				continue
			}
			if !w.fromSource(p) {
				return nil, nil, needSource{p}
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

// needSource is the error that asks for a universe with a package from source.
type needSource struct{ path string }

func (e needSource) Error() string { return "package " + e.path + " is needed from source" }

// fileNamed is the file of sp with a name of the function table. A file whose
// positions a //line directive moves is found by the moved name too.
func (w *universe) fileNamed(sp *pkg, file string) *ast.File {
	for _, f := range sp.files {
		if w.fset.File(f.FileStart).Name() == file {
			return f
		}
	}
	return nil
}
