// Command cross checks this module's packages, their tests included, for other systems
// and processors, without compiling anything:
//
//	go run ./internal/cross windows/arm64 darwin/amd64
//
// All that the compiler would refuse is found by the type checker, which reads other
// modules and the standard library without the bodies of their functions; then go vet's
// checks run, except those that need such bodies. That takes a tenth of what go vet
// does, which compiles the standard library first for each system. A file that is the
// same on two systems is read once.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/asmdecl"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/framepointer"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/loopclosure"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
)

// checks are go vet's, without those that ask about functions of other packages.
var checks = []*analysis.Analyzer{
	asmdecl.Analyzer, assign.Analyzer, atomic.Analyzer, bools.Analyzer, buildtag.Analyzer, composite.Analyzer, copylock.Analyzer,
	directive.Analyzer, errorsas.Analyzer, framepointer.Analyzer, ifaceassert.Analyzer, loopclosure.Analyzer, nilfunc.Analyzer,
	shift.Analyzer, sigchanyzer.Analyzer, stdmethods.Analyzer, stringintconv.Analyzer, structtag.Analyzer, testinggoroutine.Analyzer,
	tests.Analyzer, timeformat.Analyzer, unmarshal.Analyzer, unreachable.Analyzer, unsafeptr.Analyzer,
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("cross: ")
	if len(os.Args) < 2 {
		log.Fatal("usage: cross SYSTEM/PROCESSOR...")
	}
	c := &cross{dir: ".", fset: token.NewFileSet(), files: map[string]*file{}}
	bad := 0
	for _, target := range os.Args[1:] {
		found, n, err := c.check(target, module.Path, "./...")
		if err != nil {
			log.Fatalf("%s: %v", target, err)
		}
		fmt.Fprintf(os.Stderr, "cross: %s: %d packages\n", target, n)
		for _, text := range found {
			fmt.Fprintf(os.Stderr, "%s: %s\n", target, text)
		}
		bad += len(found)
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// A cross checks a module for one target after the other.
type cross struct {
	dir  string
	fset *token.FileSet
	mu   sync.Mutex
	// files are those that were read, by name. They are not changed once they are there.
	files map[string]*file
}

type file struct {
	once sync.Once
	ast  *ast.File
	err  error
}

// check returns what is wrong with the packages of a module that the patterns name, and
// how many there are.
func (c *cross) check(target, path string, patterns ...string) (found []string, n int, err error) {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return nil, 0, fmt.Errorf("want a system and a processor, as in windows/arm64")
	}
	root, err := filepath.Abs(c.dir)
	if err != nil {
		return nil, 0, err
	}
	cfg := &packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule,
		Dir:  root, Fset: c.fset, Tests: true,
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor),
		ParseFile: func(_ *token.FileSet, name string, src []byte) (*ast.File, error) {
			return c.parse(name, src, strings.HasPrefix(name, root+string(filepath.Separator)))
		},
	}
	roots, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, 0, err
	}
	var own []*packages.Package
	packages.Visit(roots, nil, func(p *packages.Package) {
		p.IllTyped = false // for want of bodies, if no error is found here
		if strings.HasSuffix(p.ID, ".test") {
			return // written by the go command
		}
		if p.PkgPath != path && !strings.HasPrefix(p.PkgPath, path+"/") {
			return // of others only what they declare was read
		}
		own = append(own, p)
		for _, e := range p.Errors {
			found = append(found, e.Error())
		}
	})
	if len(found) > 0 {
		return found, len(own), nil
	}
	graph, err := checker.Analyze(checks, roots, nil)
	if err != nil {
		return nil, 0, err
	}
	for act := range graph.All() {
		if act.Err != nil && act.IsRoot {
			found = append(found, fmt.Sprintf("%s: %s: %v", act.Package.ID, act.Analyzer.Name, act.Err))
		}
		for _, d := range act.Diagnostics {
			if act.IsRoot {
				found = append(found, fmt.Sprintf("%v: %s (%s)", c.fset.Position(d.Pos), d.Message, act.Analyzer.Name))
			}
		}
	}
	return found, len(own), nil
}

// parse reads a file. Functions keep their bodies if whole.
func (c *cross) parse(name string, src []byte, whole bool) (*ast.File, error) {
	c.mu.Lock()
	f := c.files[name]
	if f == nil {
		f = new(file)
		c.files[name] = f
	}
	c.mu.Unlock()
	f.once.Do(func() {
		f.ast, f.err = parser.ParseFile(c.fset, name, src, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		if f.err != nil || whole {
			return
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				fn.Body = &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Rbrace}
			}
		}
	})
	return f.ast, f.err
}
