package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"heddle/internal/exe"
	"heddle/internal/split"
)

// Most of a package has nothing to do with the kernel in it, and reading and
// checking it is what finding a kernel would spend its time on. So the first
// universe of a process holds only the declarations that the kernel can reach,
// judged by name before anything is parsed: the function that is asked for, the
// declarations of every name that it mentions, and so on. This keeps too much,
// never too little, except where code is called, or a type is meant, that no
// identifier names; the reach (reach.go) finds the former, and another round
// adds it. A second kernel that needs more, and any error, makes everything load
// in full: errors are never judged by a part of the source. The methods of a
// type are always declared, so that it has the method set it has in full.

// A place is a line of a file, by the file's base name: to keep a function too
// many does no harm.
type place struct {
	file string
	line int
}

func placeOf(file string, line int) place { return place{baseName(file), line} }

func baseName(file string) string { return path.Base(filepath.ToSlash(file)) }

// seeds say what a trimmed universe keeps.
type seeds struct {
	places map[place]bool  // functions that start there, and what they mention
	around map[place]bool  // declarations around, and declarations of what they mention
	names  map[string]bool // functions and methods, and what they mention
}

func newSeeds() *seeds {
	return &seeds{places: map[place]bool{}, around: map[place]bool{}, names: map[string]bool{}}
}

// add adds what finding id needs.
func (s *seeds) add(id *exe.Ident) {
	if m, ok := parseMethod(id.Name); ok && id.Wrapper() {
		s.names[m.name], s.names[m.recv] = true, true
	} else if !id.Wrapper() {
		s.places[placeOf(id.File, id.StartLine)] = true
	}
}

// covers reports whether what add would add is there.
func (s *seeds) covers(id *exe.Ident) bool {
	if m, ok := parseMethod(id.Name); ok && id.Wrapper() {
		return s.names[m.name] && s.names[m.recv]
	}
	return id.Wrapper() || s.places[placeOf(id.File, id.StartLine)]
}

func (s *seeds) clone() *seeds {
	return &seeds{maps.Clone(s.places), maps.Clone(s.around), maps.Clone(s.names)}
}

func (s *seeds) size() int { return len(s.places) + len(s.around) + len(s.names) }

// mentions reports whether a place in a file of that name is seeded.
func (s *seeds) mentions(base string) bool {
	for _, places := range []map[place]bool{s.places, s.around} {
		for p := range places {
			if p.file == base {
				return true
			}
		}
	}
	return false
}

// A need is how much of a declaration is needed.
type need int

const (
	declared need = iota + 1 // of a function without its body
	defined
)

// A trimmer trims the packages of a universe, one after the other: what one
// package mentions is kept in the next.
type trimmer struct {
	seeds    *seeds
	names    map[string]need
	exported bool // everything exported is declared: packages to come may refer to it
}

//go:noinline
func newTrimmer(s *seeds) *trimmer {
	t := &trimmer{seeds: s, names: map[string]need{}}
	for n := range s.names {
		t.names[n] = defined
	}
	return t
}

// A textFile is one file of a package that is being trimmed.
type textFile struct {
	name   string // in the function table
	text   string
	header int
	chunks []split.Decl
	state  []state // of the chunks
	whole  bool    // it is not trimmed
}

// A state is how much of a declaration is kept, and of what it mentions.
type state struct{ self, mentioned need }

// A keeper decides what to keep of one package.
type keeper struct {
	*trimmer
	files  []*textFile
	byName map[string][]chunkRef
	byRecv map[string][]chunkRef // methods
}

type chunkRef struct {
	file  *textFile
	index int
}

func (r chunkRef) chunk() *split.Decl { return &r.file.chunks[r.index] }

// trim returns what to keep of a package's files, name -> text, and what is
// left out of them.
func (t *trimmer) trim(files map[string][]byte) (kept map[string][]byte, out *leftOut) {
	k := &keeper{trimmer: t, byName: map[string][]chunkRef{}, byRecv: map[string][]chunkRef{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		k.addFile(name, string(files[name]))
	}
	k.aliased()
	for name, n := range maps.Clone(t.names) {
		k.named(name, n)
	}
	for _, f := range k.files {
		k.seedFile(f)
	}
	kept, out = map[string][]byte{}, &leftOut{bodies: map[place]bool{}}
	for _, f := range k.files {
		if f.whole {
			kept[f.name] = files[f.name]
		} else if text := f.keep(out); text != nil || t.seeds.mentions(baseName(f.name)) {
			kept[f.name] = append([]byte(f.text[:f.header]), text...)
		}
	}
	if len(kept) == 0 && len(k.files) > 0 { // at least the package's name
		kept[k.files[0].name] = []byte(k.files[0].text[:k.files[0].header])
	}
	return kept, out
}

// addFile takes a file apart.
func (k *keeper) addFile(name, text string) {
	f := &textFile{name: name, text: text}
	k.files = append(k.files, f)
	var err error
	f.header, f.chunks, err = split.File(text)
	// with //line directives places may mean anything
	f.whole = err != nil || strings.Contains(text, "//line ") || strings.Contains(text, "/*line ")
	f.state = make([]state, len(f.chunks))
	for i := range f.chunks {
		c := &f.chunks[i]
		if c.Recv != "" {
			k.byRecv[c.Recv] = append(k.byRecv[c.Recv], chunkRef{f, i})
		}
		for _, n := range c.Names {
			k.byName[n] = append(k.byName[n], chunkRef{f, i})
			if k.exported && c.Recv == "" && token.IsExported(n) {
				k.names[n] = max(k.names[n], declared)
			}
		}
	}
}

// seedFile keeps what the seeds' places in a file say.
func (k *keeper) seedFile(f *textFile) {
	if f.whole {
		k.mention(f.text, defined)
		return
	}
	base := baseName(f.name)
	for i := range f.chunks {
		c := &f.chunks[i]
		if c.Keyword == "import" {
			f.state[i].self = declared
			continue
		}
		for p := range k.seeds.around {
			if p.file == base && c.Line <= p.line && p.line <= c.Last {
				k.keep(chunkRef{f, i}, defined, declared)
			}
		}
		for p := range k.seeds.places {
			if p.file == base && c.Line <= p.line && p.line <= c.Last {
				k.keep(chunkRef{f, i}, defined, declared)
				k.mention(c.From(f.text, p.line), defined)
			}
		}
	}
}

// aliased keeps the types that methods name by an alias.
func (k *keeper) aliased() {
	for recv := range k.byRecv {
		for _, r := range k.byName[recv] {
			if c := r.chunk(); c.Keyword == "type" && strings.Contains(r.file.text[c.Code:c.End], "=") {
				k.mention(recv, declared)
			}
		}
	}
}

// keep keeps a declaration, and of what it mentions as much as said.
func (k *keeper) keep(r chunkRef, self, mentioned need) {
	c, s := r.chunk(), &r.file.state[r.index]
	if s.self >= self && s.mentioned >= mentioned {
		return
	}
	s.self, s.mentioned = max(s.self, self), max(s.mentioned, mentioned)
	end := c.End
	if c.Body > 0 && s.self == declared {
		end = c.Body
	}
	k.mention(r.file.text[c.Code:end], mentioned)
	if c.Keyword != "type" {
		return
	}
	for _, name := range c.Names {
		k.names[name] = max(k.names[name], declared)
		for _, m := range k.byRecv[name] {
			n := max(k.names[m.chunk().Names[0]], declared)
			k.keep(m, n, n)
		}
	}
}

// mention keeps what a piece of code mentions.
func (k *keeper) mention(text string, n need) {
	split.Words(text, func(word string) {
		if k.names[word] < n && word != "_" {
			k.names[word] = n
			k.named(word, n)
		}
	})
}

// named keeps the declarations of a name: what a variable or a type mentions
// only has to be declared.
func (k *keeper) named(name string, n need) {
	for _, r := range k.byName[name] {
		switch c := r.chunk(); {
		case c.Keyword != "func":
			k.keep(r, n, declared)
		case c.Recv == "" || k.names[c.Recv] > 0:
			k.keep(r, n, n)
		}
	}
}

// keep is the text that is kept of f's declarations, at their lines and
// columns; nil if nothing is. What is left out is added to out.
func (f *textFile) keep(out *leftOut) []byte {
	var b []byte
	kept := false
	for i := range f.chunks {
		c := &f.chunks[i]
		switch {
		case f.state[i].self == 0:
			b = appendSpace(b, f.text[c.Start:c.End])
			out.code = append(out.code, leftChunk{f.text[c.Code:c.End], c})
		case f.state[i].self == declared && c.Body > 0:
			b = append(b, f.text[c.Start:c.Body]...)
			b = appendSpace(b, f.text[c.Body:c.End])
			out.code = append(out.code, leftChunk{f.text[c.Code:c.End], c})
			out.bodies[placeOf(f.name, c.Line)] = true
			kept = true
		default:
			b = append(b, f.text[c.Start:c.End]...)
			kept = kept || c.Keyword != "import"
		}
	}
	if !kept {
		return nil
	}
	return b
}

// appendSpace appends what takes as many lines and columns as text.
func appendSpace(b []byte, text string) []byte {
	last := strings.LastIndexByte(text, '\n')
	b = append(b, strings.Repeat("\n", strings.Count(text, "\n"))...)
	return append(b, strings.Repeat(" ", len(text)-last-1)...)
}

// leftOut is what was left out of a package.
type leftOut struct {
	code   []leftChunk
	bodies map[place]bool // functions that are only declared
}

type leftChunk struct {
	text string
	*split.Decl
}

// writers are the functions left out of the package that may change v, by name.
// ok is false if other declarations may.
func (o *leftOut) writers(v *types.Var) (names []string, ok bool) {
	ok = true
	for _, c := range o.code {
		if !mentionsWord(c.text, v.Name()) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p;"+c.text, parser.SkipObjectResolution)
		switch {
		case err == nil && !mayWrite(f.Decls[0], v):
		case c.Keyword == "func":
			names = append(names, c.Names[0])
		default:
			ok = false
		}
	}
	return names, ok
}

func mentionsWord(text, word string) bool {
	if !strings.Contains(text, word) {
		return false
	}
	found := false
	split.Words(text, func(w string) { found = found || w == word })
	return found
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
