package source

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"sync"
)

// parsed holds the syntax of every file, for all universes: a universe that replaces
// another one parses nothing anew. Syntax is never changed but by withStack, ahead of parsing.
var parsed struct {
	sync.Mutex
	fset  *token.FileSet
	files map[string]parsedFile
}

type parsedFile struct {
	text []byte
	file *ast.File
}

// fileSet holds the positions of all files of all universes.
func fileSet() *token.FileSet {
	parsed.Lock()
	defer parsed.Unlock()
	if parsed.fset == nil {
		parsed.fset, parsed.files = token.NewFileSet(), map[string]parsedFile{}
	}
	return parsed.fset
}

// parse parses a file with the name that the function table has for it.
func parse(name string, text []byte) (*ast.File, error) {
	fset := fileSet()
	parsed.Lock()
	defer parsed.Unlock()
	if p, ok := parsed.files[name]; ok && bytes.Equal(p.text, text) {
		return p.file, nil
	}
	f, err := parser.ParseFile(fset, name, withStack(name, text), parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	parsed.files[name] = parsedFile{text, f}
	return f, nil
}

// externalTest reports whether a file belongs to the external test package of
// its directory.
func externalTest(name string, text []byte) (bool, error) {
	if !strings.HasSuffix(name, "_test.go") {
		return false, nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.SkipObjectResolution)
	if err != nil {
		return false, err
	}
	return strings.HasSuffix(f.Name.Name, "_test"), nil
}
