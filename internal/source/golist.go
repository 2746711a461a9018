package source

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/json"
	"heddle/internal/lazy"
)

// This file asks the go command about packages, which is how sources are found
// in development: the binary's own build flags give the very files and the
// very export data that it was built from.

// A listed is one package as go list reports it.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	Export     string // file of export data
	ForTest    string
	Standard   bool
	DepOnly    bool
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
	// what the compiler gets, cgo's output in place of CgoFiles: of discovery only
	CompiledGoFiles []string
	// of the package itself, not of its test variants
	TestGoFiles, XTestGoFiles []string
	Module                    *struct {
		Path, Version, GoVersion, GoMod string
		Main                            bool
		Replace                         *struct{ Path, Version string }
	}
	Error *struct{ Err string }

	forTool bool // see listForTool
}

// typesPath is the import path that the type checker knows p by: a test
// variant "p [p.test]" takes the place of p.
func (p *listed) typesPath() string {
	s, _, _ := strings.Cut(p.ImportPath, " ")
	return s
}

// fileName is the name that the function table has for the file base of p.
func (p *listed) fileName(base string) string {
	if filepath.IsAbs(base) {
		return base
	}
	if p.forTool || thisBinary.Get().settings["-trimpath"] != "true" {
		return filepath.Join(p.Dir, base)
	}
	dir := strings.TrimSuffix(p.typesPath(), "_test")
	if m := p.Module; m != nil && m.Version != "" {
		dir = m.Path + "@" + m.Version + strings.TrimPrefix(dir, m.Path)
	}
	return path.Join(dir, base)
}

// diskName is where the file base of p lies.
func (p *listed) diskName(base string) string {
	if filepath.IsAbs(base) {
		return base
	}
	return filepath.Join(p.Dir, base)
}

// holds reports whether file, a name in the function table, belongs to p.
func (p *listed) holds(file string) bool {
	base := path.Base(filepath.ToSlash(file))
	if !slices.Contains(p.GoFiles, base) && !slices.Contains(p.CgoFiles, base) {
		return false
	}
	if p.fileName(base) == file {
		return true
	}
	if !filepath.IsAbs(file) {
		return false
	}
	a, err1 := os.Stat(p.diskName(base))
	b, err2 := os.Stat(file)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// renames reports whether a //line directive in p names file.
func (p *listed) renames(file string) bool {
	base := []byte(path.Base(filepath.ToSlash(file)))
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		b, err := os.ReadFile(p.diskName(name))
		if err != nil {
			continue
		}
		for {
			i := bytes.Index(b, []byte("//line "))
			if i < 0 {
				break
			}
			line, rest, _ := bytes.Cut(b[i:], []byte("\n"))
			if bytes.Contains(line, base) {
				return true
			}
			b = rest
		}
	}
	return false
}

// goCommand is the path of the go command, "" if there is none, or if who started
// the process could choose it for one with more rights.
var goCommand = lazy.Value[string]{Make: func() string {
	if p, err := exec.LookPath("go"); err == nil && !env.Secure() {
		return p
	}
	return ""
}}

// listFile lists the package that holds file, a name of the function table,
// and everything that it and the running program import. The order is that of
// dependencies.
func listFile(file string) ([]*listed, error) {
	if !filepath.IsAbs(file) {
		p := packageOfTrimmed(file)
		if !strings.HasSuffix(file, ".go") { // named by a //line directive
			p = thisBinary.Get().mainPath
		}
		if p == "" {
			return nil, errs.F("%s was built from files on the command line with -trimpath", file)
		}
		return listPackage(p)
	}
	if _, err := os.Stat(file); err != nil {
		return nil, errs.F("%s is not on this machine", file)
	}
	dir := filepath.Dir(file)
	ps, err := runGoList(dir, withMain("."))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(ps, func(p *listed) bool { return p.holds(file) }) {
		// go run FILE: a file that its directory's package leaves out
		more, err := runGoList(dir, []string{file})
		if err != nil {
			return nil, err
		}
		ps = append(ps, more...)
	}
	return ps, nil
}

// listPackage is listFile for an import path.
func listPackage(p string) ([]*listed, error) {
	dir := ""
	if f := thisBinary.Get().mainFile; filepath.IsAbs(f) {
		if _, err := os.Stat(f); err == nil {
			dir = filepath.Dir(f)
		}
	}
	if p == commandLine {
		p = "."
	}
	return runGoList(dir, withMain(p))
}

// commandLine is the import path of a main package that was built from a list of
// files. To go list it is the package in their directory.
const commandLine = "command-line-arguments"

// withMain adds the running program's main package, so that one go list serves
// all kernels of a program.
func withMain(pattern string) []string {
	m := thisBinary.Get().mainPath
	if m == "main" || m == commandLine || m == "" || m == pattern {
		return []string{pattern}
	}
	return []string{pattern, m}
}

const listFields = "-json=ImportPath,Name,Dir,Export,ForTest,Standard,DepOnly,GoFiles,CgoFiles,CompiledGoFiles,Imports,TestGoFiles,XTestGoFiles,Module,Error"

func runGoList(dir string, patterns []string, flags ...string) ([]*listed, error) {
	if goCommand.Get() == "" {
		return nil, errors.New("there is no go command in PATH")
	}
	b := thisBinary.Get()
	args := slices.Concat([]string{"list", "-e", "-export", "-deps", listFields}, flags, b.listFlags())
	if underTest() != "" {
		args = append(args, "-test")
	}
	cmd := exec.Command(goCommand.Get(), append(args, patterns...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), b.listEnv()...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		msg := strings.TrimSpace(stderr.String())
		if msg == "" {
			msg = err.Error()
		}
		return nil, errs.F("go list: %s", msg)
	}
	var ps []*listed
	for len(out) > 0 {
		p := new(listed)
		if out, err = json.Decode(out, p); err != nil {
			return nil, errs.F("go list: %w", err)
		}
		if b.mainPath == commandLine && p.Name == "main" && p.Dir == filepath.Dir(b.mainFile) {
			p.ImportPath = commandLine
		}
		if !strings.HasSuffix(p.typesPath(), ".test") {
			ps = append(ps, p)
		}
	}
	return ps, nil
}

// listForTool is runGoList for what looks at other programs' packages. Their files
// have the names that they have on the disk: how this binary, the tool, was built
// says nothing about them.
func listForTool(dir string, patterns []string, flags ...string) ([]*listed, error) {
	ps, err := runGoList(dir, patterns, flags...)
	for _, p := range ps {
		p.forTool = true
	}
	return ps, err
}

// packageOfTrimmed is the import path of a file name that -trimpath shortened:
// "mod/path@v1.2.3/sub/x.go", "mod/path/sub/x.go" or "math/x.go".
func packageOfTrimmed(file string) string {
	dir := path.Dir(file)
	if at := strings.IndexByte(dir, '@'); at >= 0 {
		rest := ""
		if i := strings.IndexByte(dir[at:], '/'); i >= 0 {
			rest = dir[at+i:]
		}
		dir = dir[:at] + rest
	}
	if dir == "." || strings.HasPrefix(dir, "./") || dir == commandLine {
		return ""
	}
	return dir
}

// processStart is about when this process began.
var processStart = time.Now()

// builtAt is when the running binary was built. go run and go test build just
// before they start the program, or take it from the build cache, whose files
// are older than a freshly checked out source: there the process's start counts.
var builtAt = lazy.Value[time.Time]{Make: func() time.Time {
	exe, err := os.Executable()
	if err != nil {
		return processStart
	}
	st, err := os.Stat(exe)
	if err != nil || strings.Contains(filepath.ToSlash(exe), "/go-build") {
		return processStart
	}
	return st.ModTime()
}}
