package env_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/env"
)

func TestCheck(t *testing.T) {
	for _, v := range env.Variables {
		t.Setenv(v.Name, "")
	}
	for _, c := range []struct{ name, value, want string }{
		{env.Opt, "O2", ""},
		{env.Opt, "O9", `HEDDLE_OPT="O9": want O0, O1, O2 or O3`},
		{env.Opt, "o3", "want O0"},
		{env.Log, "compile,leaks,launch,cache", ""},
		{env.Log, "compile,", ""},
		{env.Log, "compil", `HEDDLE_LOG="compil": what is "compil"? It lists cache, compile, launch or leaks`},
		{env.Backend, "gcc", "want llvm or comgr"},
		{env.Archive, "on", "want off"},
		{env.Sim, "relaxed", "want lax"},
		{env.Dump, "Saxpy", ""},
		{env.Dump, "", ""},
		{env.Dump, ":asm", ""},
		{env.Dump, "main.K:ssa,ir,scalar,vector,opt,asm,res", ""},
		{env.Dump, "Saxpy:ir,obj", `what is "obj"?`},
		{env.Dump, "a:b:c", `what is "b:c"?`},
		{env.Cache, "anything", ""},
	} {
		t.Setenv(c.name, c.value)
		err := env.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v, want %q", c.name, c.value, err, c.want)
		}
		t.Setenv(c.name, "")
	}
	t.Setenv(env.Opt, "9")
	t.Setenv(env.Log, "all")
	if err := env.Check(); err == nil || strings.Count(err.Error(), "HEDDLE_") != 2 {
		t.Errorf("two wrong values: %v", err)
	}
}

func TestUnknown(t *testing.T) {
	t.Setenv("HEDDLE_LOGS", "compile")
	if u := env.Unknown(); !slices.Contains(u, "HEDDLE_LOGS") || slices.Contains(u, env.Log) {
		t.Error(u)
	}
}

var update = flag.Bool("update", false, "write the table of variables anew")

// The table of docs/settings.md is made of ours.
func TestSettings(t *testing.T) {
	const path = "../../docs/settings.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "| variable | meaning | values | default |\n|---|---|---|---|\n"
	for _, v := range env.Variables {
		want += fmt.Sprintf("| `%s` | %s | %s | %s |\n", v.Name, v.Meaning, v.Allowed(), v.Default)
	}
	switch old := regexp.MustCompile(`(?m)^\| variable \|.*\n(\|.*\n)*`).FindString(string(text)); {
	case old == "":
		t.Error(path + " has no table of the variables")
	case old == want:
	case *update:
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, want, 1)), 0o644); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("docs/settings.md is out of date: go test ./internal/env -update\nwant\n%s", want)
	}
}

// TestOnePlace finds variables that are read elsewhere, or are not in docs/settings.md.
func TestOnePlace(t *testing.T) {
	settings, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, v := range env.Variables {
		known[v.Name] = true
		if !strings.Contains(string(settings), "| `"+v.Name+"` |") {
			t.Errorf("docs/settings.md lacks %s", v.Name)
		}
	}
	ours := regexp.MustCompile(`^HEDDLE_[A-Z_]+$`)
	files := 0
	err = filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2) {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "../../internal/env" {
			return nil
		}
		files++
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		// What users see are literals; a test of kernel holds them to the table.
		public := filepath.Dir(path) == "../../kernel" || filepath.Dir(path) == "../../launch"
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && public && strings.HasPrefix(v.Names[0].Name, "Env") {
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && ours.MatchString(s) {
					t.Errorf("%s: %s is named here: use package internal/env", fset.Position(lit.Pos()), s)
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Getenv" && sel.Sel.Name != "LookupEnv" {
				return true
			}
			if arg, ok := call.Args[0].(*ast.SelectorExpr); ok {
				if p, ok := arg.X.(*ast.Ident); ok && p.Name == "env" {
					t.Errorf("%s: use env.Get", fset.Position(call.Pos()))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 {
		t.Errorf("only %d files", files)
	}
}
