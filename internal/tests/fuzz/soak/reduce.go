package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file makes a kernel small that differs: it drops statements and whatever
// else can go, as long as the kernel still differs. A round builds many variants
// of the kernel into one program, and goes on with the smallest that differs.

// variants is how many variants a round tries.
const variants = 40

// An edit replaces a piece of the source.
type edit struct {
	from, to int
	text     string
}

func (e edit) saved() int { return e.to - e.from - len(e.text) }

// makeSmall prints the small kernel.
func (s *soak) makeSmall() error {
	names := s.where(0)
	if len(names) != 1 {
		return fmt.Errorf("-reduce needs one device, by -devices")
	}
	program := filepath.Join(s.temp, "batch.test")
	if err := s.compile(s.seed, program); err != nil {
		return err
	}
	_, found, err := s.device(program, names[0])
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("kernel %d of seed %d does not differ on %s", s.kernel, s.seed, names[0])
	}
	src, err := os.ReadFile(filepath.Join(s.temp, "batch.go"))
	if err != nil {
		return err
	}
	small := string(src)
	check := newChecker(s.root)
	begin := time.Now()
	for failed := map[string]bool{}; time.Since(begin) < s.time; {
		tries := s.variantsOf(small, check, failed)
		if len(tries) == 0 {
			break
		}
		better, err := s.smallest(tries, names[0], program)
		if err != nil {
			return err
		}
		for _, t := range tries {
			failed[t] = true
		}
		if better != "" {
			small = better
			fmt.Fprintf(os.Stderr, "%d bytes\n", len(small))
		}
	}
	_, small, _ = strings.Cut(small, "\n)\n")
	fmt.Print(small)
	return nil
}

// variantsOf are variants that are Go, the smallest first, without those that
// were tried.
func (s *soak) variantsOf(src string, check *checker, tried map[string]bool) (all []string) {
	edits := editsOf(src)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(b.saved(), a.saved()) })
	for _, e := range edits {
		if len(all) == variants {
			break
		}
		text := src[:e.from] + e.text + src[e.to:]
		if b, err := format.Source([]byte(text)); err == nil && check.valid(text) {
			if text = string(b); len(text) < len(src) && !tried[text] && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// smallest runs variants and returns the smallest that differs, or "".
func (s *soak) smallest(tries []string, device, program string) (string, error) {
	src := filepath.Join(s.temp, "variants.go")
	text, err := join(tries)
	if err == nil {
		err = os.WriteFile(src, []byte(text), 0o666)
	}
	if err == nil {
		err = s.compileFile(src, program)
	}
	if err != nil {
		return "", err
	}
	_, found, err := s.device(program, device)
	best := ""
	for i, t := range tries {
		differs := slices.ContainsFunc(found, func(d difference) bool { return d.kernel == fmt.Sprintf("r%d", i) })
		if differs && (best == "" || len(t) < len(best)) {
			best = t
		}
	}
	return best, err
}

// editsOf are the ways to make a source smaller.
func editsOf(src string) (edits []edit) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	text := func(n ast.Node) string { return src[at(n.Pos()):at(n.End())] }
	replace := func(n ast.Node, by string) { edits = append(edits, edit{at(n.Pos()), at(n.End()), by}) }
	list := func(all []ast.Stmt) {
		for i, st := range all {
			if keep(st) {
				continue
			}
			for n := 8; n > 0; n /= 2 { // some at once
				if i+n <= len(all) && !slices.ContainsFunc(all[i:i+n], keep) {
					edits = append(edits, edit{at(st.Pos()), at(all[i+n-1].End()), ""})
				}
			}
		}
	}
	inner := func(b *ast.BlockStmt) string { return src[at(b.Lbrace)+1 : at(b.Rbrace)] }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if runs(n) {
				return false
			}
			replace(n, "")
		case *ast.GenDecl:
			if n.Tok == token.IMPORT || strings.Contains(text(n), "Cases") {
				return false
			}
			replace(n, "")
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
			replace(n, "")
		case *ast.IfStmt:
			if skips(n) {
				return false
			}
			replace(n, "{"+inner(n.Body)+"}")
			if b, ok := n.Else.(*ast.BlockStmt); ok {
				replace(n, "{"+inner(b)+"}")
			}
			if n.Else != nil {
				edits = append(edits, edit{at(n.Body.End()), at(n.Else.End()), ""})
			}
		case *ast.RangeStmt:
			replace(n, "{"+inner(n.Body)+"}")
		case *ast.ForStmt:
			replace(n, "{"+inner(n.Body)+"}")
		case *ast.CompositeLit:
			if len(n.Elts) > 0 {
				edits = append(edits, edit{at(n.Lbrace) + 1, at(n.Rbrace), ""})
			}
		case *ast.BinaryExpr:
			replace(n, text(n.X))
			replace(n, text(n.Y))
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "pick" {
				replace(n, text(n.Args[1]))
				replace(n, text(n.Args[2]))
			}
		case *ast.ParenExpr:
			replace(n, text(n.X))
		}
		return true
	})
	return edits
}

// runs reports whether a function is the kernel, of all inputs, which only calls the one
// to make small for each thread. A kernel that does nothing differs, too.
func runs(f *ast.FuncDecl) bool {
	params := f.Type.Params.List
	if len(params) == 0 || len(f.Body.List) > 1 {
		return false
	}
	list, ok := params[0].Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	of, ok := list.Elt.(*ast.Ident)
	return ok && of.Name == "Input"
}

// keep reports whether a statement has to stay, or a loop might not end.
func keep(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.IncDecStmt:
		id, ok := st.X.(*ast.Ident)
		return ok && strings.HasPrefix(id.Name, "i")
	case *ast.IfStmt:
		if len(st.Body.List) != 1 {
			return false
		}
		_, jump := st.Body.List[0].(*ast.BranchStmt)
		return jump || skips(st)
	}
	return false
}

// skips reports whether a statement returns from threads that are to do nothing. Without it a kernel that is the launched
// function itself differs for those that panic.
func skips(st *ast.IfStmt) bool {
	or, ok := st.Cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	skip, ok := or.Y.(*ast.SelectorExpr)
	return ok && skip.Sel.Name == "Skip"
}

// A checker tells whether a source of kernels is Go.
type checker struct {
	fset *token.FileSet
	lib  []*ast.File
	from types.Importer
}

func newChecker(root string) *checker {
	c := &checker{fset: token.NewFileSet()}
	c.from = importer.ForCompiler(c.fset, "source", nil)
	for _, name := range []string{"lib.go", "data.go", "lists.go"} {
		if f, err := parser.ParseFile(c.fset, filepath.Join(root, "internal", "tests", "fuzz", name), nil, 0); err == nil {
			c.lib = append(c.lib, f)
		}
	}
	return c
}

func (c *checker) valid(src string) bool {
	f, err := parser.ParseFile(c.fset, "", src, 0)
	if err != nil {
		return false
	}
	conf := types.Config{Importer: c.from, Error: func(error) {}}
	_, err = conf.Check("fuzz", c.fset, append(slices.Clone(c.lib), f), nil)
	return err == nil
}

// join makes one source of many, the package-level names in each made its own and
// the kernels called r0, r1 and so on.
func join(sources []string) (string, error) {
	var all, table strings.Builder
	for i, src := range sources {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", src, 0)
		if err != nil {
			return "", err
		}
		names := map[string]bool{}
		for _, d := range f.Decls {
			for _, id := range declared(d) {
				names[id.Name] = id.Name != "_"
			}
		}
		var edits []edit
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && names[id.Name] {
				p := fset.Position(id.Pos()).Offset
				edits = append(edits, edit{p, p + len(id.Name), fmt.Sprintf("%s_r%d", id.Name, i)})
			}
			return true
		})
		slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
		edits = slices.Compact(edits)
		for _, e := range edits {
			src = src[:e.from] + e.text + src[e.to:]
		}
		if i > 0 { // one header is enough
			_, src, _ = strings.Cut(src, "\n)\n")
		}
		entry := fmt.Sprintf("var Cases_r%d = []Case{", i)
		before, after, _ := strings.Cut(src, entry)
		row, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
		first := strings.Index(row, `"`)
		second := first + 1 + strings.Index(row[first+1:], `"`)
		fmt.Fprintf(&table, "%s\"r%d%s\n", row[:first], i, row[second:])
		all.WriteString(before)
	}
	return all.String() + "\nvar Cases = []Case{\n" + table.String() + "}\n", nil
}

// declared are the package-level names of a declaration.
func declared(d ast.Decl) (ids []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			ids = append(ids, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				ids = append(ids, spec.Name)
			case *ast.ValueSpec:
				ids = append(ids, spec.Names...)
			}
		}
	}
	return ids
}
