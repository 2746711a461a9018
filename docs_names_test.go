package heddle

import (
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
)

// documents are the files that users read.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md", "examples/*.md", "examples/*/README.md", "interop/*/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(text)
		}
	}
	return all
}

// documented are the packages that documents call by their names.
var documented = []string{"ccl", "dsl", "dsl/cg", "kernel", "launch", "launch/emu", "prim/rand", "vector", "fmt", "log", "math", "time", "image", "context", "embed", "errors"}

func documentedPackages(t *testing.T) map[string]*types.Package {
	t.Helper()
	var paths []string
	for _, p := range documented {
		if _, err := os.Stat(p); err == nil {
			p = module.Path + "/" + p
		}
		paths = append(paths, p)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*types.Package{}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		all[p.Types.Name()] = p.Types
	}
	return all
}

var (
	qualified = regexp.MustCompile(`\b(ccl|dsl|cg|kernel|launch|vector)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
	methodOf  = regexp.MustCompile("`(Device|Stream|Event|Buffer|Kernel)\\.([A-Z]\\w*)")
)

// TestDocumentNames: what documents call dsl.X, launch.X.Y or `Buffer.X` is there.
func TestDocumentNames(t *testing.T) {
	known := documentedPackages(t)
	for file, text := range documents(t) {
		for _, m := range qualified.FindAllStringSubmatch(text, -1) {
			if why := missing(known[m[1]], m[2], m[3]); why != "" {
				t.Errorf("%s: %s: %s", file, m[0], why)
			}
		}
		for _, m := range methodOf.FindAllStringSubmatch(text, -1) {
			pkg := known["launch"]
			if m[1] == "Kernel" {
				pkg = known["kernel"]
			}
			if why := missing(pkg, m[1], m[2]); why != "" {
				t.Errorf("%s: %s`: %s", file, m[0], why)
			}
		}
	}
}

// missing says what of pkg.name.member is not there; member may be "".
func missing(pkg *types.Package, name, member string) string {
	object := pkg.Scope().Lookup(name)
	if object == nil || !object.Exported() {
		return "package " + pkg.Name() + " has no " + name
	}
	if member == "" {
		return ""
	}
	if found, _, _ := types.LookupFieldOrMethod(types.NewPointer(object.Type()), true, pkg, member); found == nil {
		if found, _, _ = types.LookupFieldOrMethod(object.Type(), true, pkg, member); found == nil {
			return strings.TrimPrefix(object.Type().String(), module.Path+"/") + " has no " + member
		}
	}
	return ""
}

var linked = regexp.MustCompile(`\[[^\]]+\]\(([\w./-]+)(?:#[^)]*)?\)`)

// code is what documents show of programs, in which a link may be a call.
var code = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

// TestLinks: the files that documents link to are there, and README leads to every document.
func TestLinks(t *testing.T) {
	all := documents(t)
	for file, text := range all {
		for _, m := range linked.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		if strings.HasPrefix(file, "docs/") && !strings.Contains(all["README.md"], "]("+file+")") {
			t.Errorf("README.md has no link to %s", file)
		}
	}
}
