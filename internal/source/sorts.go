package source

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// This file gives package slices's sorts a stack of their own. They call themselves, which
// no kernel may do: a thread's stack has a fixed size.
//
//	func pdqsortOrdered[E cmp.Ordered](data []E, a, b, limit int) {
//		for {
//			...
//			pdqsortOrdered(data, a, mid, limit)
//
// becomes, on the same lines,
//
//	func pdqsortOrdered[E cmp.Ordered](data []E, a, b, limit int) { var todo [32][3]int; ...
//		for {
//			...
//			later(data, a, mid, limit)
//
// A part of the slice is then sorted when the whole has been partitioned, not at once. The
// parts are disjoint, and of the elements around its part a call reads one that has its place
// already. So each compares and moves the same elements, and the result is that of the host.

// A deferred function is one of package slices whose calls of itself can wait.
type deferred struct {
	ints [3]string // those of its parameters that say what to sort
	room int       // how many calls wait at most
	full string    // what sorts it where there is no room; %s is the name's ending
}

var (
	pdqsort = &deferred{[3]string{"a", "b", "limit"}, 64, "heapSort%s(data, a, b"}
	// A call makes two, each of about half of its elements at most.
	symMerge = &deferred{[3]string{"a", "m", "b"}, 64, ""}
)

// sortsOf are the functions by file of package slices, and by name.
var sortsOf = map[string]map[string]*deferred{
	"zsortordered.go": {"pdqsortOrdered": pdqsort},
	"zsortanyfunc.go": {"pdqsortCmpFunc": pdqsort, "symMergeCmpFunc": symMerge},
}

// withStack is a file's text, if that is package slices's, with sorts that do not call themselves.
// A text that does not look like it is returned as it is: such a sort is refused, as it was.
func withStack(name string, text []byte) []byte {
	dir, base := path.Split(filepath.ToSlash(name))
	sorts := sortsOf[base]
	if sorts == nil || !strings.HasSuffix("/"+dir, "/slices/") {
		return text
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil || f.Name.Name != "slices" {
		return text
	}
	var all []edit
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil {
			continue
		}
		if how, ok := sorts[fn.Name.Name]; ok {
			all = append(all, how.edits(fn, text, func(p token.Pos) int { return fset.Position(p).Offset })...)
		}
	}
	return edited(text, all)
}

// An edit puts a text in another's place.
type edit struct {
	from, to int
	text     string
}

func edited(text []byte, all []edit) []byte {
	slices.SortFunc(all, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	at := 0
	for _, e := range all {
		out.Write(text[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(text[at:])
	return out.Bytes()
}

// edits are those of a function: nil if it is not what is expected.
func (d *deferred) edits(fn *ast.FuncDecl, text []byte, offset func(token.Pos) int) (all []edit) {
	params := string(text[offset(fn.Type.Params.Opening):offset(fn.Type.Params.Closing)]) + ")"
	var names []string
	for _, p := range fn.Type.Params.List {
		for _, n := range p.Names {
			names = append(names, n.Name)
		}
	}
	others := len(names) - len(d.ints) - 1
	if fn.Type.Results != nil || others < 0 || others > 1 || names[0] != "data" || !slices.Equal(names[1:len(d.ints)+1], d.ints[:]) {
		return nil
	}
	last := "" // the comparison
	if others == 1 {
		last = ", " + names[len(names)-1]
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == fn.Name.Name {
				all = append(all, edit{offset(id.Pos()), offset(id.End()), "later"})
			}
		}
		return true
	})
	if len(all) == 0 {
		return nil
	}
	full := ""
	if d.full != "" {
		ending := fn.Name.Name[len("pdqsort"):]
		full = fmt.Sprintf("if n == len(todo) { "+d.full+"%s); return }; ", ending, last)
	}
	ints := strings.Join(d.ints[:], ", ")
	open, end := offset(fn.Body.Lbrace)+1, offset(fn.Body.Rbrace)
	return append(all,
		edit{open, open, fmt.Sprintf(" var todo [%d][3]int; n := 0; later := func%s { %stodo[n] = [3]int{%s}; n++ }; one := func%s {", d.room, params, full, ints, params)},
		edit{end, end, fmt.Sprintf("}; later(data, %s%s); for n > 0 { n--; t := todo[n]; one(data, t[0], t[1], t[2]%s) } ", ints, last, last)})
}
