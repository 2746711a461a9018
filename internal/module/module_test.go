package module_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"heddle/internal/module"
)

const root = "../.."

var touched = flag.Bool("touched", false, "build all of the renamed copy, and run the tests of all packages that spell paths")

// go.mod has the path, too.
func TestPath(t *testing.T) {
	mod, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(mod), "module "+module.Path+"\n") {
		t.Errorf("go.mod is not module %s's", module.Path)
	}
}

// packages are the paths of the module's packages in a text.
func packages(t *testing.T, path string) *regexp.Regexp {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			folders = append(folders, regexp.QuoteMeta(e.Name()))
		}
	}
	return regexp.MustCompile(`(?:^|[^\w./$-])` + regexp.QuoteMeta(path) + `/(?:` + strings.Join(folders, "|") + `|"|\.\.\.)(?:_test)?(?:\W|$)`)
}

// eachFile calls f for the files of a module's folder that are not git's.
func eachFile(t *testing.T, dir string, f func(file string, d fs.DirEntry) error) {
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if name == ".git" || file != dir && (name == "out" || name == "bin") {
				return fs.SkipDir
			}
			return nil
		}
		return f(file, d)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The code has the path in this package and in import declarations only. Tests may
// quote it: what they expect to be said is theirs to spell.
func TestOnePlace(t *testing.T) {
	own, n := packages(t, module.Path), 0
	eachFile(t, root, func(file string, d fs.DirEntry) error {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(filepath.ToSlash(file), "/testdata/") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		n++
		ast.Inspect(f, func(node ast.Node) bool {
			switch x := node.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				if x.Kind == token.STRING && own.MatchString(x.Value) {
					t.Errorf("%v: %s has the module's path; write it with package internal/module", fset.Position(x.Pos()), x.Value)
				}
			}
			return true
		})
		return nil
	})
	if n < 300 {
		t.Errorf("looked at %d files", n)
	}
}

// A copy of the module gets another path, runs the quick start and passes tests that have
// to do with paths; nothing in it has the old path. With -touched it builds and passes
// vet, and many more tests.
func TestRename(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the whole module")
	}
	const path = "example.org/tools/loom"
	dir := t.TempDir()
	eachFile(t, root, func(file string, d fs.DirEntry) error {
		rel, err := filepath.Rel(root, file)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, rel)), 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, rel), data, st.Mode().Perm())
	})
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// Without the temporary folder's name in it the work can be taken from the cache.
		cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off", "HEDDLE_DEVICE=sim")
		begin := time.Now()
		out, err := cmd.CombinedOutput()
		t.Logf("go %s: %v", strings.Join(args, " "), time.Since(begin).Round(time.Second))
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("run", "./internal/module/rename", path)

	old, all := packages(t, module.Path), packages(t, path)
	n := 0
	eachFile(t, dir, func(file string, d fs.DirEntry) error {
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(text), "\x00") {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if old.MatchString(line) {
				t.Errorf("%s:%d: %s", file, i+1, line)
			}
			if all.MatchString(line) {
				n++
			}
		}
		return nil
	})
	if n < 500 {
		t.Errorf("the new path is in %d lines", n)
	}
	if *touched {
		run("build", "./...")
		run("vet", "./internal/module/...", "./examples/quickstart")
	}
	if out := run("run", "./examples/quickstart"); !strings.Contains(out, "sim") {
		t.Errorf("the quick start said %s", out)
	}
	run("test", "-vet=off", "-short", "-run", "TestImports|TestEmulatorImported|TestPath|TestOnePlace|TestLibraryOf", ".", "./internal/module", "./ssa2ir")
	if *touched {
		run("test", "-timeout", "1h", ".", "./cmd/heddle", "./internal/tests/fuzz/closures/...", "./internal/tests/fuzz/wrong", "./internal/tests/matrix", "./internal/simt",
			"./internal/source", "./intrinsics", "./kernel", "./launch", "./vet")
	}
}
