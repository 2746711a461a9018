package heddle

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
)

var update = flag.Bool("update", false, "write docs/host.md anew")

// hostPackages are those of the host's side of the language.
var hostPackages = []string{"kernel", "launch"}

const hostHead = `# The host's side

The functions and methods of packages kernel and launch, with the functions of HIP that do the same and the tests and
examples that call them. [language.md](language.md) has the kernel's side, [porting.md](porting.md) both by topic, and
[devices.md](devices.md#what-a-device-lacks) says what a device lacks. This file is generated: go test . -run
TestHost -update. A function that no test or example calls fails that test.
`

var hipFunction = regexp.MustCompile(`\bhip[A-Z]\w+`)

// A hostFunc is an exported function, or a method of an exported type.
type hostFunc struct {
	name, does string
	hip        []string
}

func hostFuncs(t *testing.T, dir string) (all []*hostFunc) {
	t.Helper()
	fset := token.NewFileSet()
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	pkg, err := doc.NewFromFiles(fset, parsed, dir)
	if err != nil {
		t.Fatal(err)
	}
	add := func(typ string, fs []*doc.Func) {
		for _, f := range fs {
			h := &hostFunc{name: f.Name, does: f.Doc}
			h.hip = slices.Compact(slices.Sorted(slices.Values(hipFunction.FindAllString(f.Doc, -1))))
			if typ != "" {
				h.name = typ + "." + f.Name
			}
			all = append(all, h)
		}
	}
	add("", pkg.Funcs)
	for _, typ := range pkg.Types {
		add("", typ.Funcs)
		add(typ.Name, typ.Methods)
	}
	slices.SortFunc(all, func(a, b *hostFunc) int { return strings.Compare(a.name, b.name) })
	return all
}

// exercised are the folders of tests and examples that use each exported function of the
// host's packages, by package and name.
func exercised(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile
	loaded, err := packages.Load(&packages.Config{Mode: mode, Tests: true}, "./kernel", "./launch/...", "./examples/...", "./internal/tests/...")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		for at, object := range p.TypesInfo.Uses {
			name := hostName(object)
			if name == "" {
				continue
			}
			file := p.Fset.Position(at.Pos()).Filename
			dir, err := filepath.Rel(root, filepath.Dir(file))
			dir = filepath.ToSlash(dir)
			isTest := strings.HasSuffix(file, "_test.go") || strings.HasPrefix(dir, "examples/") || strings.HasPrefix(dir, "internal/tests/")
			if err == nil && isTest && !slices.Contains(all[name], dir) {
				all[name] = append(all[name], dir)
			}
		}
	}
	for _, dirs := range all {
		slices.SortFunc(dirs, func(a, b string) int {
			if d := suite(a) - suite(b); d != 0 {
				return d
			}
			return strings.Compare(a, b)
		})
	}
	return all
}

// suite orders folders: the suites that run on every device come first.
func suite(dir string) int {
	switch {
	case strings.HasPrefix(dir, "internal/tests/"):
		return 0
	case strings.HasPrefix(dir, "examples/"):
		return 1
	}
	return 2
}

// hostName is "launch.Alloc" or "launch.Buffer.Close" of a function of the host's packages.
func hostName(object types.Object) string {
	f, ok := object.(*types.Func)
	if !ok || f.Pkg() == nil || !slices.Contains(hostPackages, strings.TrimPrefix(f.Pkg().Path(), module.Path+"/")) {
		return ""
	}
	name := f.Pkg().Name() + "."
	if recv := f.Signature().Recv(); recv != nil {
		typ := recv.Type()
		if p, ok := typ.(*types.Pointer); ok {
			typ = p.Elem()
		}
		named, ok := typ.(*types.Named)
		if !ok {
			return ""
		}
		name += named.Obj().Name() + "."
	}
	return name + f.Name()
}

// implied reports whether callers reach a method through an interface of the standard library.
func implied(name string) bool {
	return strings.HasSuffix(name, ".Error") || strings.HasSuffix(name, ".Unwrap") || strings.HasSuffix(name, ".String")
}

// TestHost holds docs/host.md to what the packages export and what exercises it.
func TestHost(t *testing.T) {
	var b strings.Builder
	b.WriteString(hostHead)
	used := exercised(t)
	for _, pkg := range hostPackages {
		fmt.Fprintf(&b, "\n## Package %s\n\n| function | HIP | called by |\n| --- | --- | --- |\n", pkg)
		for _, f := range hostFuncs(t, pkg) {
			by := used[pkg+"."+f.name]
			if len(by) == 0 && !implied(f.name) {
				t.Errorf("%s.%s is called by no test and no example", pkg, f.name)
			}
			if strings.TrimSpace(f.does) == "" && !implied(f.name) {
				t.Errorf("%s.%s has no comment", pkg, f.name)
			}
			const few = 3
			if n := len(by); n > few {
				by = append(by[:few:few], fmt.Sprintf("and %d more", n-few))
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, strings.Join(f.hip, ", "), strings.Join(by, ", "))
		}
	}
	const path = "docs/host.md"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil || string(have) != b.String() {
		t.Errorf("%s is out of date: go test . -run TestHost -update (%v)", path, err)
	}
}
