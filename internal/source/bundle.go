package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"

	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/json"
	"heddle/internal/zips"
)

// This file reads and writes bundles. A bundle lies beside the sources that a
// package embeds and holds what its kernels need of packages that do not embed
// their own: the sources of those whose functions they call, of other modules
// and of the standard library, and the declarations of those that they name. It
// is a zip file:
//
//	index.json            what is in it
//	src/math/sin.go       sources, by import path
//	types/time            declarations, in export format

// BundleName is the name of the bundle among a package's embedded files, and
// TestBundleName that of what its tests need besides.
const (
	BundleName     = "heddle.zip"
	TestBundleName = "heddle_test.zip"
)

const (
	bundleFormat = 1
	indexJSON    = "index.json"
)

// A bundleIndex is what index.json holds.
type bundleIndex struct {
	Format   int
	Packages []bundled
}

// bundled is one package of a bundle.
type bundled struct {
	Path string
	Std  bool `json:",omitempty"`
	// Module and Version are those of the sources: a program that was built with
	// others does not use them.
	Module  string `json:",omitempty"`
	Version string `json:",omitempty"`
	Types   bool   `json:",omitempty"` // declarations only
}

// trimmedDir is the directory of the package's files in a binary that was built
// with -trimpath.
func (b *bundled) trimmedDir() string {
	if b.Version == "" || b.Module == "" {
		return b.Path
	}
	return b.Module + "@" + b.Version + strings.TrimPrefix(b.Path, b.Module)
}

// carried is what bundles provide, by import path; part of the registry.
type carried struct {
	std   map[string]*embedded
	types map[string]func() ([]byte, error)
	stale map[string]string // packages of other versions than the program's, and why
}

// moduleVersions are the versions of the modules that the binary was built from;
// "" where a directory replaces one.
var moduleVersions = sync.OnceValue(func() map[string]string {
	vs := map[string]string{}
	bi, ok := debug.ReadBuildInfo()
	if !ok {
		return vs
	}
	for _, m := range bi.Deps {
		v := m.Version
		if m.Replace != nil {
			v = m.Replace.Version
		}
		if v != "(devel)" {
			vs[m.Path] = v
		}
	}
	return vs
})

// addBundles adds the bundles of an embedded package, if there are any. The caller
// holds the registry's lock. A damaged one is an error once a kernel is looked for.
func addBundles(fsys fs.FS, owner string) {
	for _, name := range []string{BundleName, TestBundleName} {
		data, err := fs.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = readBundle(data)
		}
		if err != nil {
			registry.broken = errs.F("%s of package %s: %w", name, owner, err)
		}
	}
}

// generateCommand is the command that makes this binary carry what it needs.
//
//go:noinline
func generateCommand() string {
	if thisBinary.Get().underTest != "" {
		return "heddle generate -tests"
	}
	return "heddle generate"
}

// brokenBundle is why a bundle cannot be used.
func brokenBundle() error {
	registry.Lock()
	defer registry.Unlock()
	if registry.broken == nil {
		return nil
	}
	return &diag.Error{Msg: registry.broken.Error(), Hint: "run " + generateCommand() + ", and build the program anew"}
}

// readBundle adds what a bundle holds to the registry, except packages of modules
// in other versions than those that the binary was built from: of these neither
// functions nor types and constants are those that the binary has.
func readBundle(data []byte) error {
	files, err := zips.Files(data)
	if err != nil {
		return err
	}
	all, dirs := bundleDir{}, map[string]bundleDir{}
	for _, f := range files {
		read := func() ([]byte, error) { return f.Read(maxBundled) }
		all[f.Name] = read
		dir, name := path.Split(f.Name)
		if dirs[dir] == nil {
			dirs[dir] = bundleDir{}
		}
		dirs[dir][name] = read
	}
	text, err := all.read(indexJSON)
	if err != nil {
		return err
	}
	var index bundleIndex
	if err := json.Unmarshal(text, &index); err != nil {
		return err
	}
	if index.Format != bundleFormat {
		return errs.F("its format is %d, this heddle reads %d: run %s", index.Format, bundleFormat, generateCommand())
	}
	c := &registry.carried
	if c.std == nil {
		*c = carried{map[string]*embedded{}, map[string]func() ([]byte, error){}, map[string]string{}}
	}
	for _, p := range index.Packages {
		if v, known := moduleVersions()[p.Module]; !p.Std && known && v != p.Version {
			c.stale[p.Path] = fmt.Sprintf("%s has version %s of module %s, the program was built with %s", BundleName, p.Version, p.Module, cmp.Or(v, "a directory"))
			continue
		}
		switch e := (&embedded{path: p.Path, dir: p.trimmedDir(), inBundle: dirs["src/"+p.Path+"/"], bundled: true}); {
		case p.Types:
			c.types[p.Path] = func() ([]byte, error) { return all.read("types/" + p.Path) }
		case p.Std:
			c.std[p.Path] = e
		default:
			e.files = sync.OnceValues(e.read)
			registry.bundled = append(registry.bundled, e)
		}
	}
	return nil
}

// A bundleDir is a directory of a bundle: what reads its files, by their names.
type bundleDir map[string]func() ([]byte, error)

// read is what a file holds.
func (d bundleDir) read(name string) ([]byte, error) {
	if read := d[name]; read != nil {
		return read()
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// holdsDir reports whether a directory of the function table is the package's:
// in the module cache, vendored, or trimmed.
func (e *embedded) holdsDir(dir string) bool {
	if !e.bundled || dir == e.dir {
		return dir == e.dir
	}
	dir = capitals(filepath.ToSlash(dir))
	return strings.HasSuffix(dir, "/"+e.dir) || strings.HasSuffix(dir, "/vendor/"+e.path) || strings.HasSuffix(dir, "/"+e.path)
}

// capitals undoes the module cache's spelling of capital letters: "!azure" for "Azure".
func capitals(dir string) string {
	var b bytes.Buffer
	for i := 0; i < len(dir); i++ {
		if dir[i] == '!' && i+1 < len(dir) {
			i++
			b.WriteString(strings.ToUpper(dir[i : i+1]))
		} else {
			b.WriteByte(dir[i])
		}
	}
	return b.String()
}

// stdFiles are the sources of a standard package: from a bundle, else from the
// Go installation. A portable one has the files for a machine without assembly.
func stdFiles(p string) (map[string][]byte, error) {
	ctx := thisBinary.Get().buildContext()
	if isPortable(p) {
		ctx = portableContext()
		if p == byteAlgorithms {
			ctx.GOARCH = "sparc64" // that of mips64le has assembly
		}
	}
	if e := bundledStd(p); e != nil {
		return e.matching(ctx)
	}
	dir := gorootSrc(p)
	if dir == "" {
		return nil, nil
	}
	return (&embedded{path: p, dir: dir, fsys: folder(dir)}).matching(ctx)
}

// bundledStd is a standard package from a bundle, nil if none has it.
func bundledStd(p string) *embedded {
	registry.Lock()
	defer registry.Unlock()
	return registry.carried.std[p]
}

// stdSource reports whether the sources of a standard package can be had.
func stdSource(p string) bool { return bundledStd(p) != nil || gorootSrc(p) != "" }

// bundledTypes are the declarations of a package from a bundle, nil if none has them.
func bundledTypes(p string) []byte {
	registry.Lock()
	read := registry.carried.types[p]
	registry.Unlock()
	if read == nil {
		return nil
	}
	data, err := read()
	if err != nil {
		return nil
	}
	return data
}

// staleHint says that a bundle has a package in another version, "" if not.
func staleHint(p string) string {
	registry.Lock()
	defer registry.Unlock()
	return registry.carried.stale[p]
}

// A Bundle is made for a package by a tool.
type Bundle struct {
	index bundleIndex
	files map[string][]byte
}

// Empty reports whether the package needs no bundle.
func (b *Bundle) Empty() bool { return len(b.index.Packages) == 0 }

// add adds a package with its files, by their base names; types is export data.
func (b *Bundle) add(p bundled, files map[string][]byte, types []byte) {
	if b.files == nil {
		b.files = map[string][]byte{}
	}
	b.index.Packages = append(b.index.Packages, p)
	for name, text := range files {
		b.files["src/"+p.Path+"/"+path.Base(filepath.ToSlash(name))] = text
	}
	if p.Types {
		b.files["types/"+p.Path] = types
	}
}

// LeaveOut removes what another bundle has.
func (b *Bundle) LeaveOut(other *Bundle) {
	b.index.Packages = slices.DeleteFunc(b.index.Packages, func(p bundled) bool {
		return slices.ContainsFunc(other.index.Packages, func(o bundled) bool { return o.Path == p.Path && (p.Types || !o.Types) })
	})
	maps.DeleteFunc(b.files, func(name string, _ []byte) bool {
		return !slices.ContainsFunc(b.index.Packages, func(p bundled) bool { return name == "types/"+p.Path || path.Dir(name) == "src/"+p.Path })
	})
}

// Bytes is the bundle as a file. The same packages make the same bytes, with the
// same release of Go.
func (b *Bundle) Bytes() ([]byte, error) {
	b.index.Format = bundleFormat
	slices.SortFunc(b.index.Packages, func(x, y bundled) int { return strings.Compare(x.Path, y.Path) })
	text, err := json.MarshalLines(&b.index)
	if err != nil {
		return nil, err
	}
	files := maps.Clone(b.files)
	if files == nil {
		files = map[string][]byte{}
	}
	files[indexJSON] = text
	var out bytes.Buffer
	err = zips.Write(&out, files)
	return out.Bytes(), err
}

// SameBundle reports whether two bundles hold the same, however compressed.
func SameBundle(a, b []byte) bool {
	x, err1 := bundleContents(a)
	y, err2 := bundleContents(b)
	return err1 == nil && err2 == nil && slices.Equal(x, y)
}

// maxBundled is how large a file in a bundle may be, in bytes.
const maxBundled = 64 << 20

func bundleContents(data []byte) (all []string, err error) {
	files, err := zips.Files(data)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := f.Read(maxBundled)
		if err != nil {
			return nil, err
		}
		all = append(all, f.Name, string(text))
	}
	return all, nil
}

// exportOf is the declarations of a package of a universe, without positions: they
// would tell where it was made.
func (w *universe) exportOf(p string) ([]byte, error) {
	t := w.types[p]
	if t == nil || w.empty[p] {
		return nil, errs.F("nothing is known of package %s", p)
	}
	var b bytes.Buffer
	err := gcexportdata.Write(&b, token.NewFileSet(), t)
	return b.Bytes(), err
}

// A folder is one on this machine. os.DirFS has more methods, which would be a part of
// every program.
type folder string

func (f folder) Open(name string) (fs.File, error) {
	return os.Open(filepath.Join(string(f), filepath.FromSlash(name)))
}

// readDir is what is at the root of fsys, in any order: the sort function of fs.ReadDir
// would be 10 KB of a program.
func readDir(fsys fs.FS) ([]fs.DirEntry, error) {
	if d, ok := fsys.(fs.ReadDirFS); ok {
		return d.ReadDir(".")
	}
	f, err := fsys.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, errors.New("the file system lists no files")
	}
	return d.ReadDir(-1)
}

// names are those of the package's files, in any order.
func (e *embedded) names() (all []string, err error) {
	switch {
	case e.bundled:
		return slices.Collect(maps.Keys(e.inBundle)), nil
	case e.own:
		for name := range ownSources.Get() {
			if dir, base := path.Split(name); dir == e.path+"/" {
				all = append(all, base)
			}
		}
		return all, nil
	}
	ents, err := readDir(e.fsys)
	for _, ent := range ents {
		if !ent.IsDir() {
			all = append(all, ent.Name())
		}
	}
	return all, err
}

// text is what a file holds.
func (e *embedded) text(name string) ([]byte, error) {
	switch {
	case e.bundled:
		return e.inBundle.read(name)
	case e.own:
		return []byte(ownSources.Get()[e.path+"/"+name]), nil
	}
	return fs.ReadFile(e.fsys, name)
}

// matching are the files that a build context selects, by their names in the
// function table.
func (e *embedded) matching(ctx build.Context) (map[string][]byte, error) {
	names, err := e.names()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") && thisBinary.Get().underTest != e.path || !nameMatches(&ctx, name) {
			continue
		}
		text, err := e.text(name)
		if err != nil {
			return nil, err
		}
		if textMatches(&ctx, string(text)) {
			files[path.Join(e.dir, name)] = text
		}
	}
	return files, nil
}
