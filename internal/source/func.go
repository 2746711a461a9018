package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"heddle/internal/exe"

	"golang.org/x/tools/go/ssa"
)

// A Func is a kernel, or a func that one captures, ready to be compiled. Funcs
// of one Find share a program. A Func belongs to the code, not to one closure:
// closures of one literal differ only in what Captures read.
type Func struct {
	ID   exe.ID
	Name string        // "main.Saxpy", "main.main.func1", "pkg.Reduce[float32]"
	Fn   *ssa.Function // built; an instance if it is generic
	Prog *ssa.Program
	Fset *token.FileSet
	Pos  token.Position // of the func keyword's declaration or literal
	// TypeArgs are the type arguments of the function, of the receiver of a
	// method, or of the function around a literal.
	TypeArgs []types.Type
	Captures []Capture // parallel to Fn.FreeVars
	// Recv is the receiver of a bound method value: Fn.Params[0]. Else nil.
	Recv *Capture
	// Directives are the //heddle: and //go: comments of the declaration, or
	// right above a literal or the statement that begins with it.
	Directives []Directive
	Origin     string // of the source: "embedded", "go list" or "GOROOT"

	program *program
	target  *resolved
}

// A program is what the Funcs of one Find share.
type program struct {
	w     *universe
	reach *reach
	loops map[*ast.File]map[Line][]Directive
}

// A Line is a line of a source file.
type Line struct {
	File string
	Line int
}

// A Directive is a comment such as //heddle:unroll 4.
type Directive struct {
	Pos  token.Pos
	Name string   // "unroll" of //heddle:unroll, "go:noinline" of //go:noinline
	Args []string // the words after it
}

// parseDirective reads a comment as a directive.
func parseDirective(c *ast.Comment) (Directive, bool) {
	text, ok := strings.CutPrefix(c.Text, "//heddle:")
	if !ok {
		if text, ok = strings.CutPrefix(c.Text, "//go:"); !ok {
			return Directive{}, false
		}
		text = "go:" + text
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return Directive{}, false
	}
	return Directive{Pos: c.Pos(), Name: words[0], Args: words[1:]}, true
}

// CommentDirectives are the directives in a comment, of a declared function for
// one. g may be nil.
func CommentDirectives(g *ast.CommentGroup) (ds []Directive) {
	if g == nil {
		return nil
	}
	for _, c := range g.List {
		if d, ok := parseDirective(c); ok {
			ds = append(ds, d)
		}
	}
	return ds
}

// pos is where t's source begins.
func (t *resolved) pos() token.Pos {
	if t.lit != nil {
		return t.lit.Pos()
	}
	return t.decl.Name.Pos()
}

// directives are those of t itself.
func (w *universe) directives(t *resolved) []Directive {
	if t.lit == nil {
		return CommentDirectives(t.decl.Doc)
	}
	return LitDirectives(w.fset, t.file, enclosingDecl(t), t.lit)
}

// LitDirectives are the directives on the lines above a function literal of a
// declaration of a file, or above the statement that holds it.
func LitDirectives(fset *token.FileSet, file *ast.File, decl ast.Node, lit *ast.FuncLit) []Directive {
	lineOf := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	line := lineOf(lit.Pos())
	lines := map[int]bool{line: true}
	// the statement or declaration that holds the literal may begin lines above
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil || n.Pos() > lit.Pos() || n.End() < lit.End() || n == lit {
			return n != lit
		}
		switch n.(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.DeclStmt, *ast.GenDecl, *ast.ValueSpec:
			lines[lineOf(n.Pos())] = true
		case *ast.BlockStmt, *ast.FuncLit:
			lines = map[int]bool{line: true}
		}
		return true
	})
	var ds []Directive
	for _, g := range file.Comments {
		if lines[lineOf(g.End())+1] {
			ds = append(ds, CommentDirectives(g)...)
		}
	}
	return ds
}

func (w *universe) line(p token.Pos) int { return w.fset.PositionFor(p, false).Line }

// DirectivesOf are the directives in the doc comment of a function the kernel
// calls: //go:noinline, //heddle:inline.
func (u *Func) DirectivesOf(fn *ssa.Function) []Directive {
	if fn == u.Fn {
		return u.Directives
	}
	if fd, ok := originOf(fn).Syntax().(*ast.FuncDecl); ok {
		return CommentDirectives(fd.Doc)
	}
	return nil
}

// LoopDirectives are the directives on the lines right above the statement at
// pos: //heddle:unroll 4 above a for.
func (u *Func) LoopDirectives(pos token.Pos) []Directive {
	shared.Lock()
	defer shared.Unlock()
	p := u.program
	for _, sp := range p.w.src {
		for _, f := range sp.files {
			if f.FileStart <= pos && pos < f.FileEnd {
				return p.fileDirectives(f)[Line{p.w.fset.PositionFor(pos, false).Filename, p.w.line(pos)}]
			}
		}
	}
	return nil
}

// fileDirectives are all directives of a file by the line below them.
func (p *program) fileDirectives(f *ast.File) map[Line][]Directive {
	if m := p.loops[f]; m != nil {
		return m
	}
	m := map[Line][]Directive{}
	for _, g := range f.Comments {
		if ds := CommentDirectives(g); len(ds) > 0 {
			q := p.w.fset.PositionFor(g.End(), false)
			m[Line{q.Filename, q.Line + 1}] = ds
		}
	}
	if p.loops == nil {
		p.loops = map[*ast.File]map[Line][]Directive{}
	}
	p.loops[f] = m
	return m
}

// Missing says why a function that the kernel calls has no Blocks, as the end
// of a sentence "F has no body: ...".
func (u *Func) Missing(fn *ssa.Function) string {
	if fn.Blocks != nil {
		return ""
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return "it is made by the compiler"
	}
	shared.Lock()
	defer shared.Unlock()
	if why := u.program.reach.missing[obj.Origin()]; why != "" {
		return why
	}
	if p := obj.Pkg(); p != nil {
		return fmt.Sprintf("package %s has no sources here: embed them with kernel.Source in that package", p.Path())
	}
	return "it is built into Go"
}

// readableName is the name of t for people: unlike the symbol's it spells out
// type arguments and does not depend on inlining.
func (t *resolved) readableName() string {
	pkgName := t.pkg.types.Name()
	if pkgName != "main" {
		pkgName = path.Base(t.pkg.path)
	}
	var b bytes.Buffer
	b.WriteString(pkgName)
	b.WriteByte('.')
	switch {
	case t.decl == nil:
		b.WriteString(t.initialisedVar())
	case t.decl.Recv != nil:
		b.WriteString(t.receiverName() + "." + t.decl.Name.Name)
	default:
		b.WriteString(t.decl.Name.Name + t.argList())
	}
	if t.lit != nil {
		b.WriteString(t.literalPath())
	}
	return b.String()
}

func (t *resolved) argList() string {
	if len(t.args) == 0 {
		return ""
	}
	var names []string
	for _, a := range t.args {
		names = append(names, types.TypeString(a, func(p *types.Package) string { return p.Name() }))
	}
	return "[" + strings.Join(names, ",") + "]"
}

// receiverName is T or (*T), with type arguments.
func (t *resolved) receiverName() string {
	recv := types.Unalias(t.fn.Signature().Recv().Type())
	ptr, isPtr := recv.(*types.Pointer)
	if isPtr {
		recv = types.Unalias(ptr.Elem())
	}
	name := "?"
	if n, ok := recv.(*types.Named); ok {
		name = n.Obj().Name() + t.argList()
	}
	if isPtr {
		return "(*" + name + ")"
	}
	return name
}

// initialisedVar is the package variable whose initialiser holds t's literal.
func (t *resolved) initialisedVar() string {
	name := "init"
	ast.Inspect(enclosingDecl(t), func(n ast.Node) bool {
		if vs, ok := n.(*ast.ValueSpec); ok && vs.Pos() <= t.lit.Pos() && t.lit.Pos() < vs.End() {
			name = vs.Names[0].Name
			for i, v := range vs.Values {
				if i < len(vs.Names) && v.Pos() <= t.lit.Pos() && t.lit.Pos() < v.End() {
					name = vs.Names[i].Name
				}
			}
		}
		return true
	})
	return name
}

// literalPath numbers t's literal as the compiler does without inlining:
// ".func2" inside a function, ".func2.1" inside that.
func (t *resolved) literalPath() string {
	suffix, sep := "", ".func"
	outer := ast.Node(enclosingDecl(t))
	for outer != ast.Node(t.lit) {
		n := 0
		var next ast.Node
		ast.Inspect(outer, func(x ast.Node) bool {
			l, ok := x.(*ast.FuncLit)
			if !ok || x == outer || next != nil {
				return next == nil
			}
			n++
			if l.Pos() <= t.lit.Pos() && t.lit.End() <= l.End() {
				next = l
			}
			return false
		})
		if next == nil {
			break
		}
		suffix += fmt.Sprintf("%s%d", sep, n)
		outer, sep = next, "."
	}
	return suffix
}
