package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/module"
	"heddle/kernel"
)

// This file writes docs/language.md: which functions a kernel may call, and which cases
// of the suite do.

const languageFile = "../../../docs/language.md"

// languagePackages are those whose exported functions and methods are the language.
var languagePackages = []struct{ path, dir, title string }{
	{module.DSL, "../../../dsl", "Package dsl"},
	{module.DSL + "/cg", "../../../dsl/cg", "Package dsl/cg: cooperative groups"},
}

const languageHead = `# The kernel language

What a kernel may call, beside Go itself and package math. **HIP** is HIP's name for the function, or CUDA's where
HIP has none; - says that neither has one. **devices** are those that a kernel may call the function on. **cases** are
the cases of the conformance suite that call it.

This file is generated: go test ./internal/tests/conformance -run TestLanguage -update. A function that no case calls
fails that test. [devices.md](devices.md#what-a-device-lacks) says what a device lacks of the host's side.
`

// A word is one function or method of the language.
type word struct {
	name, hip string
	makes     string // the type that it makes a value of on the host, whose methods' cases are its own
	refuses   bool   // its Go body, which the simulator runs, refuses the call
	cases     []string
}

// words are the functions and methods that a package exports, with HIP's names.
func words(t *testing.T, dir string) (all []*word) {
	t.Helper()
	fset := token.NewFileSet()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	var parsed []*ast.File
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, f, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	p, err := doc.NewFromFiles(fset, parsed, "p", doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	add := func(prefix, makes string, fs []*doc.Func) {
		for _, f := range fs {
			w := &word{name: prefix + f.Name, hip: cmp.Or(hipName(f.Doc), "-"), refuses: calls(f.Decl, "refuse")}
			if f.Name == "New"+makes {
				w.makes = makes
			}
			all = append(all, w)
		}
	}
	add("", "", p.Funcs)
	for _, typ := range p.Types {
		add("", typ.Name, typ.Funcs)
		add(typ.Name+".", "", typ.Methods)
	}
	slices.SortFunc(all, func(a, b *word) int { return strings.Compare(a.name, b.name) })
	return all
}

// calls reports whether a function calls another of its package.
func calls(f *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if ok {
			id, isName := c.Fun.(*ast.Ident)
			found = found || isName && id.Name == name
		}
		return true
	})
	return found
}

var inHIP = regexp.MustCompile(`\((?:HIP|CUDA)(?:'s)?(?: and CUDA's)? (&?[A-Za-z_:][\w:<>.]*(?: [*/] \w+)?(?: [+] \w+)?)`)

// hipName is the function of HIP that a comment names, "" if it names none.
func hipName(text string) string {
	if m := inHIP.FindStringSubmatch(strings.ReplaceAll(text, "\n", " ")); m != nil {
		return strings.TrimRight(m[1], ".:")
	}
	return ""
}

var method = regexp.MustCompile(`\(\*?([\w./]+)\.(\w+)(?:\[[^()]*\])?\)\.(\w+)`)

// called are the functions that the SSA form of a kernel names, as path.Name or path.Type.Method.
func called(ssa string) map[string]bool {
	all := map[string]bool{}
	for _, m := range method.FindAllStringSubmatch(ssa, -1) {
		all[m[1]+"."+m[2]+"."+m[3]] = true
	}
	for _, p := range languagePackages {
		for _, m := range regexp.MustCompile(regexp.QuoteMeta(p.path)+`\.(\w+)`).FindAllStringSubmatch(ssa, -1) {
			all[p.path+"."+m[1]] = true
		}
	}
	return all
}

// language is the text of the document, and what is wrong with the suite.
func language(t *testing.T) string {
	byCase := map[string]map[string]bool{}
	for _, c := range Cases() {
		if strings.HasPrefix(c.Name, image.area+"/") {
			continue // the functions of texture/ again, which not all machines compile
		}
		byCase[c.Name] = map[string]bool{}
		for _, k := range c.Kernels {
			var b bytes.Buffer
			if err := k.Dump(&b, "gfx90a", 0, kernel.SSA); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			maps.Copy(byCase[c.Name], called(b.String()))
		}
	}
	listed, err := os.ReadFile("testdata/h200.txt")
	if err != nil {
		t.Fatal(err)
	}
	onH200 := map[string]bool{}
	for name := range strings.FieldsSeq(string(listed)) {
		onH200[name] = true
	}
	var b strings.Builder
	states := newStates(t, onH200)
	for _, p := range languagePackages {
		fmt.Fprintf(&b, "\n## %s\n\n| function | HIP | devices | cases |\n| --- | --- | --- | --- |\n", p.title)
		for _, w := range words(t, p.dir) {
			for _, name := range slices.Sorted(maps.Keys(byCase)) {
				if calls := byCase[name]; calls[p.path+"."+w.name] || w.makes != "" && callsMethod(calls, p.path+"."+w.makes) {
					w.cases = append(w.cases, name)
				}
			}
			if len(w.cases) == 0 && !withoutCase[w.name] {
				t.Errorf("%s.%s is called by no case of the suite", p.path, w.name)
			}
			shown := w.cases
			const few = 4
			if len(shown) > few {
				shown = append(slices.Clone(shown[:few]), fmt.Sprintf("and %d more", len(shown)-few))
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", w.name, w.hip, states.of(p.path, w), strings.Join(shown, ", "))
		}
	}
	return languageHead + states.summary() + b.String() + states.notes() + omitted()
}

// callsMethod reports whether one of the functions is a method of a type.
func callsMethod(calls map[string]bool, typ string) bool {
	for name := range calls {
		if strings.HasPrefix(name, typ+".") {
			return true
		}
	}
	return false
}

// withoutCase are functions that no kernel of the suite calls, and where their test is.
var withoutCase = map[string]bool{}

// TestLanguage holds docs/language.md to the exported names and the suite.
func TestLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads every kernel")
	}
	want := language(t)
	if *update {
		if err := os.WriteFile(languageFile, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(languageFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is out of date: go test ./internal/tests/conformance -run TestLanguage -update", languageFile)
		lines := strings.Split(string(have), "\n")
		for i, line := range strings.Split(want, "\n") {
			if i >= len(lines) || lines[i] != line {
				t.Errorf("line %d should be %s", i+1, line)
				break
			}
		}
	}
}
