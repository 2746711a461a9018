package heddle

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"heddle/internal/module"
)

// reading are the public folders that are there to be read, not imported: their exported
// functions are the compiler's own.
var reading = []string{"ssa2ir", "intrinsics"}

// publicPackages are those that users import. Their types come from what the compiler
// exports, not from source, and no other package has to be compiled for it.
func publicPackages(t *testing.T) []*packages.Package {
	t.Helper()
	var paths []string
	for _, p := range load(t, packages.NeedName, "./...") {
		name, _ := strings.CutPrefix(p.PkgPath, module.Path+"/")
		folder, _, _ := strings.Cut(name, "/")
		switch {
		case p.Name == "main" || p.PkgPath == module.Path, strings.Contains("/"+name+"/", "/internal/"), folder == "examples", slices.Contains(reading, folder):
		default:
			paths = append(paths, p.PkgPath)
		}
	}
	if len(paths) < 8 {
		t.Fatalf("%d public packages: %v", len(paths), paths)
	}
	return load(t, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedTypes|packages.NeedExportFile, paths...)
}

func load(t *testing.T, mode packages.LoadMode, patterns ...string) []*packages.Package {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	all, err := packages.Load(&packages.Config{Mode: mode}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
	}
	return all
}

// A face looks for internal types in what is exported.
type face struct {
	t    *testing.T
	fset *token.FileSet
	seen map[*types.Named]bool // whose members were looked at
}

// see reports a type that mentions an internal one; what is the exported thing.
func (f *face) see(what types.Object, t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		f.name(what, t.Obj())
		f.see(what, t.Rhs())
	case *types.Named:
		f.name(what, t.Obj())
		for a := range t.TypeArgs().Types() {
			f.see(what, a)
		}
		if p := t.Obj().Pkg(); p != nil && p == what.Pkg() && !t.Obj().Exported() {
			f.members(what, t.Origin()) // embedded, or a result: users reach what it has
		}
	case *types.Pointer:
		f.see(what, t.Elem())
	case *types.Slice:
		f.see(what, t.Elem())
	case *types.Array:
		f.see(what, t.Elem())
	case *types.Chan:
		f.see(what, t.Elem())
	case *types.Map:
		f.see(what, t.Key())
		f.see(what, t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			f.see(what, v.Type())
		}
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			f.see(what, p.Constraint())
		}
		f.see(what, t.Params())
		f.see(what, t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() || v.Embedded() {
				f.see(v, v.Type())
			}
		}
	case *types.Union:
		for term := range t.Terms() {
			f.see(what, term.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			f.see(m, m.Type())
		}
		for e := range t.EmbeddedTypes() {
			f.see(what, e)
		}
	}
}

func (f *face) name(what types.Object, named *types.TypeName) {
	if p := named.Pkg(); p != nil && strings.HasPrefix(p.Path(), module.Internal) {
		f.t.Errorf("%v: %s %s mentions %s.%s, which users cannot import", f.fset.Position(what.Pos()), what.Pkg().Name(), what.Name(), p.Path(), named.Name())
	}
}

// object looks at an exported thing, a type with its methods and what it is made of.
func (f *face) object(o types.Object) {
	f.see(o, o.Type())
	tn, ok := o.(*types.TypeName)
	if !ok || tn.IsAlias() {
		return
	}
	f.members(o, o.Type().(*types.Named))
}

// members looks at the fields and methods of a type that users reach by o.
func (f *face) members(o types.Object, named *types.Named) {
	if f.seen[named] {
		return
	}
	f.seen[named] = true
	f.see(o, named.Underlying())
	for p := range named.TypeParams().TypeParams() {
		f.see(o, p.Constraint())
	}
	for m := range named.Methods() {
		if m.Exported() {
			f.see(m, m.Type())
		}
	}
}

// No exported signature of a package that users import mentions an internal type.
func TestPublicFace(t *testing.T) {
	for _, p := range publicPackages(t) {
		f := &face{t, p.Fset, map[*types.Named]bool{}}
		for _, name := range p.Types.Scope().Names() {
			if o := p.Types.Scope().Lookup(name); o.Exported() {
				f.object(o)
			}
		}
	}
}

// The test finds what it is to find.
func TestPublicFaceFinds(t *testing.T) {
	hidden := types.NewPackage(module.Internal+"abi", "abi")
	shown := types.NewPackage(module.Path+"/kernel", "kernel")
	inner := types.NewNamed(types.NewTypeName(token.NoPos, hidden, "Object", nil), types.NewStruct(nil, nil), nil)
	// what users reach by an unexported type: its fields and its methods
	field := types.NewStruct([]*types.Var{types.NewField(token.NoPos, shown, "Info", inner, false)}, nil)
	fields := types.NewNamed(types.NewTypeName(token.NoPos, shown, "fields", nil), field, nil)
	methods := types.NewNamed(types.NewTypeName(token.NoPos, shown, "methods", nil), types.NewStruct(nil, nil), nil)
	results := types.NewTuple(types.NewParam(token.NoPos, shown, "", inner))
	receiver := types.NewParam(token.NoPos, shown, "m", types.NewPointer(methods))
	methods.AddMethod(types.NewFunc(token.NoPos, shown, "Info", types.NewSignatureType(receiver, nil, nil, nil, results, false)))
	for _, typ := range []types.Type{
		inner, types.NewPointer(inner), types.NewMap(types.Typ[types.Int], types.NewSlice(inner)),
		types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, shown, "o", inner)), nil, false),
		types.NewStruct([]*types.Var{types.NewField(token.NoPos, shown, "object", inner, true)}, nil),
		types.NewStruct([]*types.Var{types.NewField(token.NoPos, shown, "O", inner, false)}, nil),
		fields, types.NewStruct([]*types.Var{types.NewField(token.NoPos, shown, "methods", types.NewPointer(methods), true)}, nil),
	} {
		other := new(testing.T)
		f := &face{other, token.NewFileSet(), map[*types.Named]bool{}}
		f.see(types.NewVar(token.NoPos, shown, "X", typ), typ)
		if !other.Failed() {
			t.Errorf("%v passes", typ)
		}
	}
}

// Every package that users import has an example that runs.
func TestExamples(t *testing.T) {
	for _, p := range publicPackages(t) {
		tests, err := filepath.Glob(filepath.Join(filepath.Dir(p.GoFiles[0]), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, file := range tests {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, parsed)
		}
		if !slices.ContainsFunc(doc.Examples(files...), func(e *doc.Example) bool { return e.Output != "" }) {
			t.Errorf("%s has no example with output", p.PkgPath)
		}
	}
}
