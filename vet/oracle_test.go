package vet_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
	"heddle/vet"
)

// unseen are kernels of package kernel's tests whose errors an analyzer cannot
// find, and why.
var unseen = map[string]string{
	"rand": body, "strings": body,
	"MakeFunc": value, "interface method value": value,
}

const (
	body  = "the body of another package's function"
	value = "the function is known at run time only"
)

var (
	sectionStart = regexp.MustCompile(`^// bad (.+)$`)
	wantComment  = regexp.MustCompile(`// want(@-1| nowhere)? (".*)$`)
)

// The bad kernels of package kernel's tests, whose errors kernel.Check is held
// to, have the same errors at the same places here.
func TestSameAsCompiler(t *testing.T) {
	dir, err := filepath.Abs("testdata/same")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string][]byte{}
	wants := map[string]map[string]string{} // by file:line, patterns and their sections
	for _, name := range []string{"bad_types", "bad_calls"} {
		text, err := os.ReadFile("../kernel/" + name + "_test.go")
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("package kernel_test"), []byte("package same"), 1)
		text = bytes.Replace(text, []byte("//lint:file-ignore heddle"), []byte("// not silenced:"), 1)
		overlay[filepath.Join(dir, name+".go")] = text
		overlay[filepath.Join(dir, name+"_made.go")] = makeAll(t, name, text, wants)
	}
	got := analyse(t, dir, overlay)
	for place, msgs := range got {
		for _, msg := range msgs {
			met := false
			for pattern := range wants[place] {
				if regexp.MustCompile(pattern).MatchString(msg) {
					delete(wants[place], pattern)
					met = true
					break
				}
			}
			if !met {
				t.Errorf("%s: unexpected: %s", place, msg)
			}
		}
	}
	missing := map[string]bool{}
	for place, ws := range wants {
		for pattern, section := range ws {
			if unseen[section] == "" {
				t.Errorf("%s: %s: missing: %s", place, section, pattern)
			}
			missing[section] = true
		}
	}
	for section, why := range unseen {
		if !missing[section] {
			t.Errorf("%s: unseen because of %s, but its errors are reported", section, why)
		}
	}
}

// makeAll is a file that makes the kernels of a file's table, map[string]any. It
// adds what the file wants to wants.
func makeAll(t *testing.T, name string, text []byte, wants map[string]map[string]string) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name+".go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	section := ""
	for _, group := range f.Comments {
		for _, c := range group.List {
			if m := sectionStart.FindStringSubmatch(c.Text); m != nil {
				section = m[1]
			} else if m := wantComment.FindStringSubmatch(c.Text); m != nil {
				line := fset.Position(c.Pos()).Line
				if m[1] == "@-1" {
					line--
				}
				place := fmt.Sprintf("%s.go:%d", name, line)
				if wants[place] == nil {
					wants[place] = map[string]string{}
				}
				for rest := m[2]; rest != ""; {
					q, err := strconv.QuotedPrefix(rest)
					if err != nil {
						t.Fatal(err)
					}
					pattern, _ := strconv.Unquote(q)
					wants[place][strings.ReplaceAll(pattern, module.Kernel+"_test.", `\S*\.`)] = section
					rest = strings.TrimSpace(rest[len(q):])
				}
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("package same\n\nimport \"" + module.Kernel + "\"\n\n")
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			if m, ok := lit.Type.(*ast.MapType); ok && fmt.Sprint(m.Key, m.Value) == "string any" {
				for _, e := range lit.Elts {
					b.WriteString("var _ = kernel.New(")
					if err := format.Node(&b, fset, e.(*ast.KeyValueExpr).Value); err != nil {
						t.Fatal(err)
					}
					b.WriteString(")\n")
				}
			}
			return false
		}
		_, isFunc := n.(*ast.FuncDecl)
		return !isFunc
	})
	return b.Bytes()
}

// analyse runs the analyzer on a package of files that are not on disk: what it
// reports as "column: message", by file:line.
func analyse(t *testing.T, dir string, overlay map[string][]byte) map[string][]string {
	var files []string
	for f := range overlay {
		files = append(files, f)
	}
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Dir: filepath.Dir(filepath.Dir(dir)), Overlay: overlay}
	pkgs, err := packages.Load(cfg, files...)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the kernels do not compile")
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, root := range graph.Roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
		for _, d := range root.Diagnostics {
			p := root.Package.Fset.Position(d.Pos)
			place := fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
			text := fmt.Sprintf("%d: %s", p.Column, d.Message)
			for _, r := range d.Related {
				text += "\n\tcalled from " + root.Package.Fset.Position(r.Pos).String()
			}
			got[place] = append(got[place], text)
		}
	}
	return got
}
