// Rename gives the module another path, github.com/you/heddle say: in go.mod, in
// import declarations, in package internal/module, in what tests, tables and documents
// say of its packages, and in generated files. It works on the module around the
// working directory; run it once, in a clean checkout, and commit what it changed.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	xmodule "golang.org/x/mod/module"

	"heddle/internal/module"
)

func main() {
	log.SetFlags(0)
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: make module MODULE=github.com/you/heddle")
		os.Exit(2)
	}
	flag.Parse()
	if flag.NArg() != 1 || flag.Arg(0) == "" {
		flag.Usage()
	}
	if err := run(module.Path, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(old, path string) error {
	if err := xmodule.CheckPath(path); err != nil {
		return fmt.Errorf("%w\na published module's path is like github.com/you/heddle", err)
	}
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil || old == path {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	if err := rename(root, old, path); err != nil {
		return err
	}
	// The declarations and sources of heddle's packages for programs without Go, by path.
	generate := exec.Command("go", "generate", "./internal/source")
	generate.Dir = root
	generate.Stdout, generate.Stderr = os.Stdout, os.Stderr
	return generate.Run()
}

// rename rewrites the module in a folder.
func rename(root, old, path string) error {
	text, err := newRewriter(root, old, path)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "out" || d.Name() == "bin" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil || bytes.IndexByte(data, 0) >= 0 { // no text
			return err
		}
		out := text.rewrite(data)
		if bytes.Equal(data, out) {
			return nil
		}
		if tidy, err := format.Source(data); strings.HasSuffix(file, ".go") && err == nil && bytes.Equal(tidy, data) {
			if out, err = format.Source(out); err != nil { // imports have another order
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		st, err := d.Info()
		return errors.Join(err, os.WriteFile(file, out, st.Mode().Perm()))
	})
}

// A rewriter changes a module's path in texts.
type rewriter struct {
	packages, declared *regexp.Regexp
	path               string
}

// newRewriter makes one for the module in root: the path of a package is old and one
// of the folders there. The module's name alone is also that of the command, so it is
// its path only where a module is declared or required.
func newRewriter(root, old, path string) (*rewriter, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			folders = append(folders, regexp.QuoteMeta(e.Name()))
		}
	}
	quoted := regexp.QuoteMeta(old)
	return &rewriter{
		packages: regexp.MustCompile(`(^|[^\w./$-])` + quoted + `(/(?:(?:` + strings.Join(folders, "|") + `)(?:_test)?(?:\W|$)|"|\.\.\.))`),
		declared: regexp.MustCompile(`(?m)(^module |^require |^replace |^\t|-require=|-replace=|^const Path = ")` + quoted + `($| v\d| =>|@v\d|=|"$)`),
		path:     strings.ReplaceAll(path, "$", "$$"),
	}, nil
}

func (r *rewriter) rewrite(text []byte) []byte {
	text = r.declared.ReplaceAll(text, []byte("${1}"+r.path+"${2}"))
	for { // a match's last byte may be the next one's first
		out := r.packages.ReplaceAll(text, []byte("${1}"+r.path+"${2}"))
		if bytes.Equal(out, text) {
			return out
		}
		text = out
	}
}
