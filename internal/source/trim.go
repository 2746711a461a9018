package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Most of a package has nothing to do with the kernel in it, and type-checking
// function bodies is what finding a kernel would spend its time on. So the first
// world of a process keeps only the bodies that the kernel can reach, judged by
// name: the function that is asked for, and every function or method of a name
// that a kept body mentions. This keeps too much, never too little, except where
// code is called that no identifier names; the reach (reach.go) finds that, and
// another round adds it. A second kernel that needs more, and any error, makes
// everything load in full: errors are never judged by a part of the source.

// A place is a line of a file, by the file's base name: to keep a function too
// many does no harm.
type place struct {
	file string
	line int
}

func placeOf(file string, line int) place {
	return place{path.Base(filepath.ToSlash(file)), line}
}

// seeds say what a trimmed world keeps.
type seeds struct {
	places map[place]bool  // functions that start there, and what they mention
	around map[place]bool  // the body around, but not what it mentions
	names  map[string]bool // functions and methods, and what they mention
}

func newSeeds() *seeds {
	return &seeds{places: map[place]bool{}, around: map[place]bool{}, names: map[string]bool{}}
}

// add adds what finding id needs.
func (s *seeds) add(id *Ident) {
	if m, ok := parseMethod(id.Name); ok && id.wrapper() {
		s.names[m.name] = true
	} else if !id.wrapper() {
		s.places[placeOf(id.File, id.StartLine)] = true
	}
}

// covers reports whether what add would add is there.
func (s *seeds) covers(id *Ident) bool {
	if m, ok := parseMethod(id.Name); ok && id.wrapper() {
		return s.names[m.name]
	}
	return id.wrapper() || s.places[placeOf(id.File, id.StartLine)]
}

func (s *seeds) clone() *seeds {
	return &seeds{maps.Clone(s.places), maps.Clone(s.around), maps.Clone(s.names)}
}

func (s *seeds) size() int { return len(s.places) + len(s.around) + len(s.names) }

// A trimmer drops the bodies that nothing kept mentions from the packages of a
// world, one after the other: what one package mentions is kept in the next.
type trimmer struct {
	seeds *seeds
	names map[string]bool // all that kept bodies mention
}

func newTrimmer(s *seeds) *trimmer { return &trimmer{s, maps.Clone(s.names)} }

// trim replaces p's files by copies without the bodies, the imports and the
// blank variables that are not needed. nameOf is the name of an imported package.
func (t *trimmer) trim(p *pkg, fset *token.FileSet, nameOf func(path string) string) {
	k := &keeper{trimmer: t, fset: fset, byName: map[string][]*ast.FuncDecl{}, keep: map[ast.Node]bool{}}
	for _, f := range p.files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				k.byName[fd.Name.Name] = append(k.byName[fd.Name.Name], fd)
			}
		}
	}
	for _, f := range p.files {
		k.seedFile(f)
	}
	for _, n := range slices.Collect(maps.Keys(t.names)) {
		k.mentioned(n)
	}
	p.trimmed = map[*ast.FuncDecl]*ast.BlockStmt{}
	for i, f := range p.files {
		p.files[i] = k.copyFile(f, p, nameOf)
	}
}

// A keeper decides what to keep of one package.
type keeper struct {
	*trimmer
	fset   *token.FileSet
	byName map[string][]*ast.FuncDecl // those not kept yet
	keep   map[ast.Node]bool          // *ast.FuncDecl, *ast.ValueSpec
}

// follow keeps what the code under n mentions.
func (k *keeper) follow(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !k.names[id.Name] {
			k.names[id.Name] = true
			k.mentioned(id.Name)
		}
		return true
	})
}

// mentioned keeps the functions of a name.
func (k *keeper) mentioned(name string) {
	fds := k.byName[name]
	delete(k.byName, name)
	for _, fd := range fds {
		k.keep[fd] = true
		k.follow(fd.Body)
	}
}

// seedFile keeps what the seeds' places in a file say.
func (k *keeper) seedFile(f *ast.File) {
	tf := k.fset.File(f.FileStart)
	base := path.Base(filepath.ToSlash(tf.Name()))
	at := func(pos token.Pos) place { return place{base, tf.PositionFor(pos, false).Line} }
	lines := func(of map[place]bool, n ast.Node) (hit []int) {
		from, to := at(n.Pos()).line, at(n.End()).line
		for p := range of {
			if p.file == base && from <= p.line && p.line <= to {
				hit = append(hit, p.line)
			}
		}
		return hit
	}
	moved := movesLines(f) // then places may mean anything
	for _, d := range f.Decls {
		for _, part := range parts(d) {
			starts := lines(k.seeds.places, part)
			if moved || starts != nil || lines(k.seeds.around, part) != nil {
				k.keep[part] = true
			}
			if moved {
				k.follow(part)
			}
			for _, line := range starts {
				k.followFrom(part, func(p token.Pos) bool { return at(p).line == line })
			}
		}
	}
}

// parts are the separate pieces of a declaration.
func parts(d ast.Decl) []ast.Node {
	gd, ok := d.(*ast.GenDecl)
	if !ok {
		return []ast.Node{d}
	}
	var specs []ast.Node
	for _, s := range gd.Specs {
		specs = append(specs, s)
	}
	return specs
}

// followFrom follows the functions that start on a line, or where none does the
// names on it: an instance of a generic function, used as a value.
func (k *keeper) followFrom(n ast.Node, onLine func(token.Pos) bool) {
	starts := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if onLine(n.Type.Func) && n.Body != nil {
				starts = true
				k.follow(n.Body)
			}
		case *ast.FuncLit:
			if onLine(n.Type.Func) {
				starts = true
				k.follow(n.Body)
			}
		}
		return true
	})
	if starts {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && onLine(id.Pos()) {
			k.follow(id)
		}
		return true
	})
}

// movesLines reports whether a //line directive is in f.
func movesLines(f *ast.File) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// copyFile is f without what is not kept. f itself stays as it is: other worlds
// use it.
func (k *keeper) copyFile(f *ast.File, p *pkg, nameOf func(string) string) *ast.File {
	c := *f
	c.Decls = nil
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil || k.keep[d] {
				c.Decls = append(c.Decls, d)
				continue
			}
			fd := *d
			fd.Body = nil
			p.trimmed[&fd] = d.Body
			c.Decls = append(c.Decls, &fd)
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				d = k.copyVars(d, p)
			}
			if len(d.Specs) > 0 {
				c.Decls = append(c.Decls, d)
			}
		default:
			c.Decls = append(c.Decls, d)
		}
	}
	dropImports(&c, nameOf)
	return &c
}

// copyVars is a declaration without its blank variables.
func (k *keeper) copyVars(d *ast.GenDecl, p *pkg) *ast.GenDecl {
	blank := func(s ast.Spec) bool {
		vs, ok := s.(*ast.ValueSpec)
		return ok && !k.keep[vs] && !slices.ContainsFunc(vs.Names, func(n *ast.Ident) bool { return n.Name != "_" })
	}
	if !slices.ContainsFunc(d.Specs, blank) {
		return d
	}
	c := *d
	c.Specs = nil
	for _, s := range d.Specs {
		if blank(s) {
			p.dropped = append(p.dropped, s)
		} else {
			c.Specs = append(c.Specs, s)
		}
	}
	return &c
}

// dropImports drops the imports that f does not mention.
func dropImports(f *ast.File, nameOf func(string) string) {
	mentioned := map[string]bool{}
	for _, d := range f.Decls {
		if gd, ok := d.(*ast.GenDecl); ok && gd.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					mentioned[id.Name] = true
				}
			}
			return true
		})
	}
	var decls []ast.Decl
	for _, d := range f.Decls {
		if gd, ok := d.(*ast.GenDecl); ok && gd.Tok == token.IMPORT {
			c := *gd
			c.Specs = slices.DeleteFunc(slices.Clone(gd.Specs), func(s ast.Spec) bool {
				name := importName(s.(*ast.ImportSpec), nameOf)
				return name != "." && !mentioned[name]
			})
			if len(c.Specs) == 0 {
				continue
			}
			d = &c
		}
		decls = append(decls, d)
	}
	f.Decls = decls
}

// importName is what a file calls an imported package.
func importName(s *ast.ImportSpec, nameOf func(string) string) string {
	if s.Name != nil {
		return s.Name.Name
	}
	return nameOf(strings.Trim(s.Path.Value, "\"`"))
}

// mayWrite reports whether code that was not type-checked may change the
// package-level variable v: whether it mentions its name other than to read an
// element or the length.
func mayWrite(n ast.Node, v *types.Var) bool {
	if e, ok := v.Type().Underlying().(interface{ Elem() types.Type }); ok && sharesMemory(e.Elem()) {
		return mentions(n, v.Name())
	}
	found := false
	var visit func(n ast.Node) bool
	reads := func(e ast.Expr) bool { return mentionsOnlyAsBase(e, v.Name()) }
	visit = func(n ast.Node) bool {
		if found {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			found = n.Name == v.Name()
		case *ast.IndexExpr:
			if reads(n.X) {
				ast.Inspect(n.Index, visit)
				return false
			}
		case *ast.SelectorExpr:
			found = n.Sel.Name == v.Name()
		case *ast.AssignStmt:
			found = slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return mentions(e, v.Name()) })
		case *ast.IncDecStmt:
			found = mentions(n.X, v.Name())
		case *ast.UnaryExpr:
			found = n.Op == token.AND && mentions(n.X, v.Name())
		case *ast.SliceExpr:
			found = mentions(n.X, v.Name())
		case *ast.RangeStmt:
			found = n.Key != nil && mentions(n.Key, v.Name()) || n.Value != nil && mentions(n.Value, v.Name())
		case *ast.CallExpr:
			// a method may change what it is called on
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				found = mentions(sel, v.Name())
			}
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") && len(n.Args) == 1 && reads(n.Args[0]) {
				return false
			}
		}
		return !found
	}
	ast.Inspect(n, visit)
	return found
}

// mentionsOnlyAsBase reports whether e is the variable of a name, of this or of
// another package.
func mentionsOnlyAsBase(e ast.Expr, name string) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name == name
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		return ok && x.Name != name && e.Sel.Name == name
	}
	return false
}

func mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}
