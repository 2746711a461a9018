package source

import (
	"bytes"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	_ "unsafe" // go:linkname

	"heddle/internal/diag"
	"heddle/internal/embeds"
	"heddle/internal/errs"
	"heddle/internal/exe"
	"heddle/internal/lazy"
)

// embedded is one package whose sources are part of the binary.
type embedded struct {
	path string // import path
	dir  string // of its files, as the binary's function table names them
	fsys fs.FS
	// bundled says that it comes from another package's bundle, which has inBundle of
	// it, and that dir is what a build with -trimpath calls its directory.
	bundled  bool
	inBundle bundleDir
	own      bool // ownSources has it
	// files reads those of the package's files that this binary was built from:
	// name in the function table -> text.
	files func() (map[string][]byte, error)
}

// registry holds the embedded packages. gen counts the registrations, so that a
// universe knows whether it has seen all of them.
var registry struct {
	sync.Mutex
	byDir   map[string]*embedded
	bundled []*embedded // of bundles; those of byDir go first
	carried carried
	broken  error // a bundle that cannot be read
	loose   bool  // a file system is none of the binary's own; see Lasting
	gen     int
}

// Register records the sources of the package importPath: the Go files at the
// root of fsys. dir is the directory of these files as the binary's function
// table has it, path.Dir of what runtime.Caller gives in that package. A
// package registered twice keeps the later sources. Call it from the
// initialisation of a package: a later call makes everything load anew.
func Register(fsys fs.FS, importPath, dir string) {
	registry.Lock()
	defer registry.Unlock()
	e := &embedded{path: strings.TrimSuffix(importPath, "_test"), dir: dir, fsys: fsys}
	if old := registry.byDir[dir]; old != nil && old.path == e.path && reflect.TypeOf(fsys).Comparable() && old.fsys == fsys {
		return // what is loaded stays good
	}
	registry.loose = registry.loose || !inBinary(fsys)
	e.register()
	addBundles(fsys, importPath)
}

// register makes e the package of its directory. The caller holds the registry's lock.
func (e *embedded) register() {
	if registry.byDir == nil {
		registry.byDir = map[string]*embedded{}
	}
	e.files = sync.OnceValues(e.read)
	registry.byDir[e.dir] = e
	registry.gen++
}

// RegisterOwn is RegisterFunc for a function of one of ownPackages, whose sources every
// program has.
func RegisterOwn(fn any) error {
	id, err := exe.Identify(fn)
	if err != nil {
		return err
	}
	registry.Lock()
	defer registry.Unlock()
	if dir := path.Dir(id.File); registry.byDir[dir] == nil {
		(&embedded{path: importPathOf(id.Name), dir: dir, own: true}).register()
	}
	return nil
}

// RegisterCaller is Register for the package of a caller: 0 is the function
// that calls RegisterCaller.
func RegisterCaller(fsys fs.FS, skip int) {
	pc, file, _, ok := runtime.Caller(skip + 1)
	if ok {
		Register(fsys, importPathOf(runtime.FuncForPC(pc).Name()), path.Dir(file))
	}
}

// registerPending registers what packages have put into package sources.
func registerPending() {
	for _, p := range embeds.Take() {
		if f := runtime.FuncForPC(p.PC); f != nil {
			Register(p.FS, importPathOf(f.Name()), path.Dir(p.File))
		}
	}
}

// RegisterFunc is Register for the package that declares the function fn.
func RegisterFunc(fsys fs.FS, fn any) error {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return &diag.Error{Msg: "RegisterFunc needs a function of the package"}
	}
	id, err := exe.Identify(fn)
	if err != nil {
		return err
	}
	Register(fsys, importPathOf(id.Name), path.Dir(id.File))
	return nil
}

// importPathOf is the import path in a symbol's name.
func importPathOf(symbol string) string {
	pkg, _ := splitSymbol(symbol)
	return importPath(unescape(pkg))
}

// importPath is the import path of the package that the run time calls pkg.
func importPath(pkg string) string {
	if pkg == "main" {
		return thisBinary.Get().mainPath
	}
	return pkg
}

// splitSymbol splits "a/b%2ec.T.M" after the package path.
func splitSymbol(name string) (pkg, rest string) {
	end := len(name)
	if i := strings.IndexAny(name, "[("); i >= 0 {
		end = i
	}
	slash := strings.LastIndexByte(name[:end], '/') + 1
	i := strings.IndexByte(name[slash:end], '.')
	if i < 0 {
		return "", name
	}
	return name[:slash+i], name[slash+i+1:]
}

// unescape undoes the linker's %xx escapes in a package path.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b bytes.Buffer
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// read is files.
func (e *embedded) read() (map[string][]byte, error) {
	files, err := e.matching(thisBinary.Get().buildContext())
	if err != nil {
		return nil, errs.F("embedded sources of %s: %w", e.path, err)
	}
	return files, nil
}

// name is the package's name, "" if no file says it.
func (e *embedded) name() string {
	files, err := e.files()
	if err != nil {
		return ""
	}
	for _, n := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(token.NewFileSet(), n, files[n], parser.PackageClauseOnly|parser.SkipObjectResolution)
		if err == nil && !strings.HasSuffix(n, "_test.go") {
			return f.Name.Name
		}
	}
	return ""
}

// binaryInfo is what the running binary says of its own build.
type binaryInfo struct {
	mainPath  string // import path of what the binary calls package main
	underTest string // import path of the package a test binary tests, else ""
	mainFile  string // of main.main
	settings  map[string]string
}

//go:linkname mainMain main.main
func mainMain()

var thisBinary = lazy.Value[*binaryInfo]{Make: func() *binaryInfo {
	b := &binaryInfo{mainPath: "main", settings: map[string]string{}}
	bi, ok := debug.ReadBuildInfo()
	if ok {
		// The path of a test binary ends in .test, but not when it tests a main package.
		b.mainPath = strings.TrimSuffix(bi.Path, ".test")
		for _, s := range bi.Settings {
			b.settings[s.Key] = s.Value
		}
	}
	f := runtime.FuncForPC(reflect.ValueOf(mainMain).Pointer())
	if f != nil {
		b.mainFile, _ = f.FileLine(f.Entry())
		if b.mainFile == "_testmain.go" {
			b.underTest = b.mainPath
		}
	}
	return b
}}

// tags are the build tags the binary was built with.
func (b *binaryInfo) tags() []string {
	return strings.FieldsFunc(b.settings["-tags"], func(r rune) bool { return r == ',' || r == ' ' })
}

// buildContext selects the files that the binary was built from.
func (b *binaryInfo) buildContext() build.Context {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH = runtime.GOOS, runtime.GOARCH
	ctx.BuildTags = b.tags()
	ctx.CgoEnabled = b.settings["CGO_ENABLED"] != "0"
	for _, s := range []string{"race", "msan", "asan"} {
		if b.settings["-"+s] == "true" {
			ctx.BuildTags = append(ctx.BuildTags, s)
		}
	}
	return ctx
}

// portableContext selects the pure Go files of the standard library: mips64le
// has 64-bit ints, little-endian memory and no assembly in package math.
func portableContext() build.Context {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH = "linux", "mips64le"
	ctx.CgoEnabled = false
	ctx.BuildTags = []string{"purego"}
	return ctx
}

// listFlags are the flags of the go command that reproduce the binary's build.
func (b *binaryInfo) listFlags() []string {
	flags := []string{"-buildvcs=false"}
	for _, k := range []string{"-race", "-msan", "-asan", "-trimpath", "-cover"} {
		if b.settings[k] == "true" {
			flags = append(flags, k)
		}
	}
	for _, k := range []string{"-tags", "-gcflags", "-asmflags", "-covermode", "-coverpkg", "-mod", "-modfile"} {
		if v := b.settings[k]; v != "" {
			flags = append(flags, k+"="+v)
		}
	}
	return flags
}

// listEnv are the environment settings of the binary's build.
func (b *binaryInfo) listEnv() []string {
	var env []string
	keys := []string{"CGO_ENABLED", "GOEXPERIMENT", "GOAMD64", "GOARM64"}
	for _, k := range keys {
		if v, ok := b.settings[k]; ok {
			env = append(env, k+"="+v)
		}
	}
	return slices.Concat(env, []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH})
}
