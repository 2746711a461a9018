package source

import (
	"errors"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"heddle/internal/errs"
	"heddle/internal/module"
)

// This file says what a program has to carry for its kernels to be found where
// there is neither Go nor the source tree.

// Needs are the packages that kernels reach.
type Needs struct {
	bodies map[string]bool // whose functions run, or whose variables are read
	names  map[string]bool // whose types and constants are mentioned
	worlds map[string]*universe
}

// Add adds what a Func that Discover has found needs.
func (n *Needs) Add(u *Func) {
	if n.bodies == nil {
		n.bodies, n.names, n.worlds = map[string]bool{}, map[string]bool{}, map[string]*universe{}
	}
	c := &needsCollector{n: n, w: u.program.w, seen: map[types.Type]bool{}}
	r := u.program.reach
	for fd, re := range r.funcs {
		if re.noBody {
			c.mention(re.pkg.types)
			c.node(re.pkg.info, fd.Type)
			continue
		}
		c.body(re.pkg)
		c.node(re.pkg.info, fd)
	}
	for spec, d := range r.vars {
		c.body(d.pkg)
		c.node(d.pkg.info, spec)
	}
	for p := range r.external {
		c.mention(p)
	}
	c.unit(u, map[*Func]bool{})
}

// A needsCollector walks over what one Func reaches.
type needsCollector struct {
	n    *Needs
	w    *universe
	seen map[types.Type]bool
}

// unit adds a kernel's own function, what it captures and the funcs it captures.
func (c *needsCollector) unit(u *Func, seen map[*Func]bool) {
	if seen[u] {
		return
	}
	seen[u] = true
	t := u.target
	c.body(t.pkg)
	if t.lit != nil {
		c.node(t.info, t.lit)
	}
	for _, a := range t.args {
		c.typ(a)
	}
	if t.recv != nil {
		c.typ(t.recv)
	}
	for i := range u.Captures {
		c.typ(u.Captures[i].Type)
		if f := u.Captures[i].Func; f != nil {
			c.unit(f, seen)
		}
		for _, p := range u.Captures[i].Parts {
			if p.Func != nil {
				c.unit(p.Func, seen)
			}
		}
	}
}

func (c *needsCollector) body(p *pkg) {
	c.n.bodies[p.path] = true
	c.n.worlds[p.path] = c.w
}

func (c *needsCollector) mention(p *types.Package) {
	if p != nil && p != types.Unsafe {
		c.n.names[p.Path()] = true
		c.n.worlds[p.Path()] = c.w
	}
}

// node adds what checked code mentions.
func (c *needsCollector) node(info *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			c.typ(info.TypeOf(e))
		}
		if id, ok := n.(*ast.Ident); ok {
			if o := info.Uses[id]; o != nil {
				c.mention(o.Pkg())
			}
		}
		return true
	})
}

// typ adds the packages of the types that a type is made of.
func (c *needsCollector) typ(t types.Type) {
	if t == nil || c.seen[t] {
		return
	}
	c.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		c.mention(t.Obj().Pkg())
		c.typ(types.Unalias(t))
	case *types.Named:
		c.mention(t.Obj().Pkg())
		for a := range t.TypeArgs().Types() {
			c.typ(a)
		}
		c.typ(t.Underlying())
	case *types.Struct:
		for f := range t.Fields() {
			c.typ(f.Type())
		}
	case *types.Signature:
		c.typ(t.Params())
		c.typ(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			c.typ(v.Type())
		}
	case *types.Map:
		c.typ(t.Key())
		c.typ(t.Elem())
	case interface{ Elem() types.Type }:
		c.typ(t.Elem())
	}
}

// A Carrier is a package of the module at hand that has to embed its sources.
type Carrier struct {
	Path, Name, Dir string
	// Registers says that its files call kernel.Source already.
	Registers bool
	// Tests says that it is a package under test, whose tests have to embed them.
	Tests bool
}

// Carriers are the packages of the main module, and of others in a workspace,
// whose sources the kernels need. Where those are kernels of tests, tested is the
// import path of the package under test.
func (n *Needs) Carriers(tested string) (all []Carrier) {
	for _, p := range slices.Sorted(maps.Keys(n.all())) {
		w := n.worlds[p]
		l := w.list[p]
		if l == nil || !l.own() || heddleOwn(p) {
			continue
		}
		c := Carrier{Path: p, Dir: l.Dir, Name: guessName(p), Tests: tested != "" && strings.TrimSuffix(p, "_test") == tested}
		if t := w.types[p]; t != nil {
			c.Name = t.Name()
		}
		for _, f := range l.GoFiles {
			if f == GeneratedName || f == GeneratedTestName || strings.HasSuffix(f, "_test.go") && !c.Tests {
				continue
			}
			text, err := os.ReadFile(filepath.Join(l.Dir, f))
			c.Registers = c.Registers || err == nil && (strings.Contains(string(text), "kernel.Source(") || strings.Contains(string(text), "sources.Embed("))
		}
		all = append(all, c)
	}
	return all
}

// GeneratedName is the file that embeds a package's sources, GeneratedTestName the
// one that does so for its tests.
const (
	GeneratedName     = "heddle_generated.go"
	GeneratedTestName = "heddle_generated_test.go"
)

func (n *Needs) all() map[string]bool {
	all := maps.Clone(n.bodies)
	maps.Copy(all, n.names)
	return all
}

// heddleOwn reports whether a package is one of heddle's that every program has: not its tests.
func heddleOwn(p string) bool {
	inside := strings.HasPrefix(p, module.Internal) && !strings.HasPrefix(p, module.Internal+"tests/")
	return inside || slices.Contains(ownPackages, p) || p == hostPackage || p == module.Kernel || p == module.Sources
}

// Bundle collects the packages that embed no sources themselves: those of other
// modules and of the standard library.
func (n *Needs) Bundle() (*Bundle, error) {
	b := new(Bundle)
	for _, p := range slices.Sorted(maps.Keys(n.all())) {
		w := n.worlds[p]
		l := w.list[p]
		if heddleOwn(p) || l != nil && l.own() {
			continue
		}
		if !n.bodies[p] && (hasBlob(p) || w.types[p] == nil) {
			continue // every program has it
		}
		entry := bundled{Path: p, Std: w.isStd(p)}
		if !entry.Std {
			if l == nil || l.Module == nil {
				return nil, errs.F("package %s belongs to no module", p)
			}
			entry.Module, entry.Version = l.Module.Path, l.Module.Version
			if r := l.Module.Replace; r != nil {
				entry.Version = r.Version
			}
		}
		var files map[string][]byte
		var export []byte
		var err error
		switch {
		case !n.bodies[p]:
			entry.Types = true
			export, err = w.exportOf(p)
		case entry.Std:
			if files, err = stdFiles(p); err == nil && files == nil {
				err = errors.New("they are not on this machine")
			}
		default:
			files, err = goFiles(l.Dir)
		}
		if err != nil {
			return nil, errs.F("the sources of package %s: %w", p, err)
		}
		b.add(entry, files, export)
	}
	return b, nil
}

// goFiles are a directory's Go files for every platform, tests aside.
func goFiles(dir string) (map[string][]byte, error) {
	ents, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, ent := range ents {
		name := ent.Name()
		if ent.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}
