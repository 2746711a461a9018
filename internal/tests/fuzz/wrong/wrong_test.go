package wrong

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
)

var (
	seed  = flag.Uint64("seed", 0, "which kernels; 0: others each time")
	count = flag.Int("kernels", 40, "kernels of a program")
	long  = flag.Duration("for", 0, "make programs for so long")
	keep  = flag.String("keep", "", "leave the last program in this `directory`")
	archs = flag.String("arch", "gfx942,sm_90,x86-64-v3", "processors, of which each kernel is compiled for one")
)

// std are the packages whose exports are called. Those of imports are there too.
var std = []string{
	"bytes", "container/heap", "container/list", "crypto/sha256", "encoding/json", "hash/fnv", "html", "io/fs", "log", "math/cmplx", "math/rand", "net/url",
	"path", "regexp", "runtime", "sort", "strconv", "syscall", "text/template", "unicode/utf16", "cmp", "bufio", "expvar",
}

// imports are the packages that the tables mention.
var imports = []string{
	"context", "crypto/elliptic", "encoding/base64", "encoding/binary", "encoding/hex", "errors", "fmt", "hash/crc32", "io", "iter", "maps", "math", "math/big", "math/bits", "net/http", "os", "reflect", "slices", "strings", "sync", "sync/atomic", "time", "unicode", "unicode/utf8", "unsafe",
	module.DSL, module.Kernel, module.Launch, module.Vector,
}

// TestPrograms judges how the kernels of a program compile, or of as many as
// there is time for.
func TestPrograms(t *testing.T) {
	uni, importer := load(t)
	end := time.Now().Add(*long)
	for s := first(); ; s++ {
		t.Run(fmt.Sprintf("seed=%d", s), func(t *testing.T) {
			p := write(t, uni, importer, s)
			p.run(t)
			if t.Failed() {
				t.Logf("go test ./internal/tests/fuzz/wrong -seed %d -kernels %d -keep DIR", s, *count)
			}
		})
		if time.Now().After(end) {
			return
		}
	}
}

func first() uint64 {
	if *seed != 0 {
		return *seed
	}
	return uint64(rand.Uint32())
}

// load loads the declarations of the packages that kernels may mention.
func load(t *testing.T) (*universe, types.Importer) {
	t.Helper()
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}
	paths := slices.Concat(imports, std)
	ps, err := packages.Load(cfg, paths...)
	if err != nil {
		t.Fatal(err)
	}
	uni, known := &universe{}, imported{}
	packages.Visit(ps, nil, func(p *packages.Package) { known[p.PkgPath] = p.Types })
	for _, path := range paths {
		p := known[path]
		if p == nil || !p.Complete() {
			t.Fatalf("package %s could not be loaded", path)
		}
		if path == "unsafe" {
			continue
		}
		uni.packages = append(uni.packages, p)
		if path == module.DSL {
			uni.packages = append(uni.packages, slices.Repeat([]*types.Package{p}, 8)...)
		}
	}
	return uni, known
}

type imported map[string]*types.Package

func (m imported) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// A program is a main package with kernels, in a module of its own.
type program struct {
	dir  string
	text []byte
}

// write makes a program of what gc takes of the kernels of a seed.
func write(t *testing.T, uni *universe, importer types.Importer, seed uint64) *program {
	t.Helper()
	p := &program{dir: t.TempDir(), text: source(uni, seed)}
	if *keep != "" {
		p.dir = *keep
		if err := os.MkdirAll(p.dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		bad := check(t, p.text, importer)
		if len(bad) == 0 {
			break
		}
		p.text = blank(t, p.text, bad)
	}
	return p
}

// source is a program with everything that was generated.
func source(uni *universe, seed uint64) []byte {
	var b, table bytes.Buffer
	b.WriteString("// Package main is made by internal/tests/fuzz/wrong.\npackage main\n\nimport (\n")
	for _, path := range slices.Concat(imports, std) {
		if path == "math/rand" {
			b.WriteString("mathrand \"math/rand/v2\"\n")
		}
		fmt.Fprintf(&b, "%q\n", path)
	}
	b.WriteString(")\n")
	b.WriteString(prelude)
	for i := range *count {
		decls, expr := newGen(uni, seed, i).kernel()
		if !parses(decls) {
			continue // what parses in one place need not in another
		}
		fmt.Fprintf(&b, "\n%s", decls)
		fmt.Fprintf(&table, "add(%q, func() { _ = %[2]s }, func() *kernel.Kernel { return kernel.New(%[2]s) })\n", expr, expr)
	}
	fmt.Fprintf(&b, "\nfunc init() {\n%s}\n", table.Bytes())
	if pretty, err := format.Source(b.Bytes()); err == nil {
		return pretty
	}
	return b.Bytes()
}

// check lists the offsets at which go/types finds a fault.
func check(t *testing.T, text []byte, importer types.Importer) (bad []int) {
	t.Helper()
	fset := token.NewFileSet()
	main, err := parser.ParseFile(fset, "main.go", mainFile, 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(fset, "kernels.go", text, parser.ParseComments|parser.AllErrors)
	var syntax scanner.ErrorList
	if errors.As(err, &syntax) {
		t.Fatalf("a template is not Go: %v\n%s", syntax[0], bytes.Split(text, []byte("\n"))[syntax[0].Pos.Line-1])
	}
	conf := types.Config{Importer: importer, GoVersion: "go1.26", Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		e := err.(types.Error)
		if fset.File(e.Pos).Name() == "main.go" {
			t.Fatal(e)
		}
		bad = append(bad, fset.Position(e.Pos).Offset)
	}}
	_, _ = conf.Check("main", fset, []*ast.File{f, main}, nil)
	return bad
}

// blank replaces the smallest statements and declarations around some offsets by
// blanks, so that lines stay where they are.
func blank(t *testing.T, text []byte, offsets []int) []byte {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "kernels.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Clone(text)
	parts := removable(f)
	for _, at := range offsets {
		var smallest ast.Node
		for _, n := range parts {
			if lo, hi := int(n.Pos()-f.FileStart), int(n.End()-f.FileStart); lo <= at && at <= hi && (smallest == nil || n.End()-n.Pos() < smallest.End()-smallest.Pos()) {
				smallest = n
			}
		}
		if smallest == nil { // a directive of what has been left out
			for i := bytes.LastIndexByte(text[:at], '\n') + 1; text[i] != '\n'; i++ {
				text[i] = ' '
			}
			continue
		}
		for i := smallest.Pos() - f.FileStart; i < smallest.End()-f.FileStart; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	return text
}

// removable are the parts of a file without which it may still be Go.
func removable(f *ast.File) (parts []ast.Node) {
	list := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			parts = append(parts, s)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		case *ast.FuncDecl:
			parts = append(parts, n)
		case *ast.GenDecl:
			if n.Lparen.IsValid() {
				for _, s := range n.Specs {
					parts = append(parts, s)
				}
			} else {
				parts = append(parts, n)
			}
		}
		return true
	})
	return parts
}

// assembly makes functions without a body lawful.
const assembly = "TEXT ·asm(SB), 4, $0-8\n\tRET\n"

// lay writes the program's module.
func (p *program) lay(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	require := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module example.com/wrong\nrequire "+module.Path+" v0.0.0\nreplace "+module.Path+" => "+root)
	for name, text := range map[string]string{"go.mod": require, "go.sum": string(sums), "main.go": mainFile, "spent.go": unixFile, "kernels.go": string(p.text), "asm.s": assembly} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// build compiles the program, and leaves out what gc alone refuses: frames and
// types that are too large.
func (p *program) build(t *testing.T) {
	t.Helper()
	var out []byte
	for range 20 {
		p.lay(t)
		cmd := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", "-o", "wrong", ".")
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+p.dir)
		var err error
		if out, err = cmd.CombinedOutput(); err == nil {
			return
		}
		var bad []int
		for _, m := range regexp.MustCompile(`(?m)^\./kernels\.go:(\d+):(\d+): `).FindAllSubmatch(out, -1) {
			bad = append(bad, offset(p.text, atoi(m[1]), atoi(m[2])))
		}
		if len(bad) == 0 {
			break
		}
		p.text = blank(t, p.text, bad)
	}
	if bytes.Contains(out, []byte(" too large (")) {
		t.Skipf("go build: %s", out) // it does not say where
	}
	t.Fatalf("go build: %s", out)
}

func atoi(b []byte) int {
	n, _ := strconv.Atoi(string(b))
	return n
}

// offset is that of a line and a column.
func offset(text []byte, line, col int) int {
	at := 0
	for range line - 1 {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at + col - 1
}

type result struct {
	Name, Check, Object, Panic, Arch string
	Seconds                          float64
}

// run runs the program and judges what it prints.
func (p *program) run(t *testing.T) {
	t.Helper()
	p.build(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(p.dir, "wrong"), *archs)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "HEDDLE_CACHE=off", "PWD="+p.dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("the program: %v\n%s", err, &stderr)
	}
	results, refused := 0, 0
	for line := range bytes.Lines(out) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		results++
		if r.Check != "" {
			refused++
		}
		p.judge(t, &r)
	}
	t.Logf("%d kernels, %d refused", results, refused)
	if results < *count/4 {
		t.Errorf("%d of %d kernels are Go", results, *count)
	}
}

// maxSeconds is how much of the processor's time a kernel may take, on all cores.
const maxSeconds = 20

var (
	located = regexp.MustCompile(`^(?:kernel [^:]+: )?(\S+\.go):(\d+):\d+: (.+)$`)
	noHint  = regexp.MustCompile(`: want |takes no arguments$`)
	twice   = regexp.MustCompile(`\([a-z]+ [^()]*\) \([^()]*\)$`)
)

// judge reports what is wrong with a verdict.
func (p *program) judge(t *testing.T, r *result) {
	t.Helper()
	if r.Panic != "" {
		t.Errorf("%s: a panic: %s", r.Name, r.Panic)
	}
	if r.Seconds > maxSeconds {
		t.Errorf("%s: %.0f s of processor time", r.Name, r.Seconds)
	}
	for _, text := range []string{r.Check, r.Object} {
		if text == "" {
			continue
		}
		for _, own := range []string{"internal ", "goroutine ", "llvm", "LLVM", "codegen", "a bug in heddle", "(no value)", "<nil>", "%!"} {
			if strings.Contains(text, own) {
				t.Errorf("%s for %s: heddle's own fault: %.300s\n%s", r.Name, r.Arch, text, ownFrames(text))
				return
			}
		}
		for line := range strings.SplitSeq(text, "\n") {
			line, called := strings.CutPrefix(line, "\tcalled from ")
			if called {
				line += ": (a call)" // of which the same is expected
			}
			m := located.FindStringSubmatch(line)
			switch {
			case m == nil || filepath.Dir(m[1]) != p.dir || !strings.HasPrefix(filepath.Base(m[1]), "kernels"):
				t.Errorf("%s for %s: no place in the program: %s", r.Name, r.Arch, line)
			case atoi([]byte(m[2])) > bytes.Count(p.text, []byte("\n")):
				t.Errorf("%s: a line that is not there: %s", r.Name, line)
			case !strings.HasSuffix(line, ")") && !noHint.MatchString(line):
				t.Errorf("%s: no hint: %s", r.Name, line)
			case twice.MatchString(line):
				t.Errorf("%s: two hints: %s", r.Name, line)
			}
		}
	}
}

// ownFrames are the functions of heddle in a stack trace.
func ownFrames(trace string) string {
	var own []string
	for line := range strings.SplitSeq(trace, "\n") {
		if fn, _, ok := strings.Cut(line, "("); ok && strings.HasPrefix(fn, module.Path+"/") && !strings.Contains(fn, "recoverBug") && len(own) < 8 {
			own = append(own, "\t"+line[:min(len(line), 80)])
		}
	}
	return strings.Join(own, "\n")
}
