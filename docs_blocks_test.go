package heddle

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?sm)^```go\n(.*?)^```$")

// around are the names that a piece of a program in a document may use, which are the
// program's: what every document calls them.
const around = `
var (
	dev, other *launch.Device
	s, stream  *launch.Stream
	x, y, v, in *launch.Buffer[float32]
	out         *launch.Buffer[float32]
	host, hostX, hostY []float32
	n, width, height int
	factor float32
	ctx context.Context
	scale *kernel.Kernel
)

const threads = 256
`

// TestDocumentBlocks compiles the Go code of the documents: whole programs, declarations, or
// statements of a function that returns an error. Declarations of a document are known to what
// follows there.
func TestDocumentBlocks(t *testing.T) {
	known, n := documentedPackages(t), 0
	for file, text := range documents(t) {
		declared := ""
		for _, at := range goBlock.FindAllStringSubmatchIndex(text, -1) {
			block, line := text[at[2]:at[3]], strings.Count(text[:at[2]], "\n")+1
			if numbered.MatchString(block) {
				continue // TestDebugging runs these
			}
			n++
			whole := strings.HasPrefix(block, "package ")
			isDecl := !whole && parses("package p\n"+block)
			program := block
			switch {
			case isDecl:
				program = "package p\n" + declared + block
			case !whole:
				program = "package p\n" + declared + "func _() error {\n" + block + "\nreturn nil\n}\n"
			}
			if err := compile(program, known, !whole); err != nil {
				t.Errorf("%s:%d: %v", file, line, err)
			}
			if isDecl {
				declared += block
			}
		}
	}
	if n < 15 {
		t.Errorf("%d blocks of Go in all documents, want 15 or more", n)
	}
}

func parses(program string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", program, 0)
	return err == nil
}

// compile checks a program's types. A part of a program gets the imports that it uses, and
// what it lacks of around.
func compile(program string, known map[string]*types.Package, part bool) error {
	fset := token.NewFileSet()
	parse := func(text string) (*ast.File, error) {
		return parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	}
	f, err := parse(program)
	if err != nil {
		return err
	}
	files := []*ast.File{f}
	if part {
		body := strings.TrimPrefix(program, "package p\n")
		var imports, names []string
		for name := range known {
			if regexp.MustCompile(`\b` + name + `\.`).MatchString(body) {
				imports = append(imports, fmt.Sprintf("import %q\n", known[name].Path()))
			}
		}
		own := regexp.MustCompile(`(?m)^(?:var|func|type|const) (\w+)`).FindAllStringSubmatch(body, -1)
		for _, m := range own {
			names = append(names, m[1])
		}
		if files[0], err = parse("package p\n" + strings.Join(imports, "") + body); err != nil {
			return err
		}
		rest, err := parse(fmt.Sprintf("package p\nimport (%q; %q; %q)\n", "context", known["launch"].Path(), known["kernel"].Path()) + without(names))
		if err != nil {
			return err
		}
		files = append(files, rest)
	}
	var first error
	config := types.Config{
		Importer: knownImporter(known),
		Error: func(err error) {
			if e, ok := err.(types.Error); first == nil && !(ok && e.Soft && part) {
				first = err
			}
		},
	}
	_, _ = config.Check("p", fset, files, nil)
	return first
}

// without is what around declares, but for names that the program has.
func without(names []string) string {
	return regexp.MustCompile(`\w+`).ReplaceAllStringFunc(around, func(word string) string {
		if slices.Contains(names, word) {
			return "_"
		}
		return word
	})
}

type knownImporter map[string]*types.Package

func (k knownImporter) Import(path string) (*types.Package, error) {
	for _, p := range k {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("documents do not import %s: add it to documented", path)
}

// TestTutorial: the code of docs/tutorial.md is that of examples/tutorial, whose test runs it.
func TestTutorial(t *testing.T) {
	doc, err := os.ReadFile("docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("examples/tutorial/*.go")
	if err != nil {
		t.Fatal(err)
	}
	program := ""
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		program += unindented(string(text))
	}
	blocks := goBlock.FindAllStringSubmatch(string(doc), -1)
	if len(blocks) < 8 {
		t.Fatalf("%d blocks of code", len(blocks))
	}
	for _, m := range blocks {
		if !strings.Contains(program, unindented(m[1])) {
			t.Errorf("docs/tutorial.md has\n%s\nwhich examples/tutorial has not", m[1])
		}
	}
}

// unindented is code without what its lines begin with.
func unindented(text string) string {
	return regexp.MustCompile(`(?m)^[\t ]+`).ReplaceAllString(text, "")
}
