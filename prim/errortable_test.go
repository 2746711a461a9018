package prim_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"heddle/launch"
	"heddle/prim"
)

// A bad is a call's arguments, of which one is wrong.
type bad struct {
	t       *testing.T
	s       *launch.Stream
	dev     *launch.Device
	arena   *launch.Buffer[byte]
	o       prim.Options
	n       int
	null    string // this buffer or func is nil
	closed  string // this buffer is closed
	short   string // this buffer has an element less
	over    [2]string
	offsets map[string]int // of the buffers in the arena
}

const (
	errorLen   = 64 // elements of most buffers
	arenaSize  = 1 << 16
	arenaSlots = 16
)

// buf is an argument's buffer. Each has a part of the arena to itself; only the first of over shares memory with the second.
func buf[T any](b *bad, name string, n int) *launch.Buffer[T] {
	b.t.Helper()
	size := int(unsafe.Sizeof(*new(T)))
	switch name {
	case b.null:
		return nil
	case b.closed:
		c := alloc[T](b.t, b.dev, n)
		must(b.t, c.Close())
		return c
	case b.short:
		n--
	}
	if _, isBool := any(*new(T)).(bool); isBool { // which have no view
		return alloc[T](b.t, b.dev, n)
	}
	at := b.place(name)
	if name == b.over[0] {
		at = b.place(b.over[1]) // it shares memory from its first element on, but is not the same
		if size == 4 {
			at += size
		}
		n = min(n, errorLen)
	}
	v, err := launch.View[T](b.arena.Slice(at, at+n*size))
	must(b.t, err)
	return v
}

func (b *bad) place(name string) int {
	at, ok := b.offsets[name]
	if !ok {
		at = len(b.offsets) * arenaSize / arenaSlots
		b.offsets[name] = at
	}
	return at
}

// op is a func of the arguments.
func op[F any](b *bad, name string, f F) F {
	if name == b.null {
		return *new(F)
	}
	return f
}

// An errorRow is what is refused of a function. Buffers and funcs that are nil or closed are found in its declaration.
type errorRow struct {
	outs  string // what it stores in
	short string // buffers for which an element less is refused
	may   string // pairs of buffers that may share memory: "out/in"
	temp  bool   // it needs temporary memory for as many elements as there are
	call  func(b *bad) error
}

func lessU(a, b uint32) bool { return a < b }

// words is a buffer of most of the rows.
func words(b *bad, name string) *launch.Buffer[uint32] { return buf[uint32](b, name, errorLen) }

func counted(b *bad, name string) *launch.Buffer[int] { return buf[int](b, name, 1) }

// tiny has several tiles of errorLen elements.
var tiny = prim.Tuning{Threads: 64, Items: 1, Blocks: 1}

// TestErrorTable refuses each wrong argument of each exported function, and stores nothing then.
func TestErrorTable(t *testing.T) {
	dev, err := launch.Open("sim")
	must(t, err)
	defer dev.Close()
	declared := deviceFuncs(t)
	for name, f := range declared {
		row, ok := errorRows[name]
		if !ok {
			t.Errorf("%s has no row in the error table", name)
			continue
		}
		t.Run(name, func(t *testing.T) { row.test(t, dev, name, f) })
	}
	for name := range errorRows {
		if _, ok := declared[name]; !ok {
			t.Errorf("no function %s", name)
		}
	}
}

// A declared func's arguments.
type declared struct {
	buffers, funcs []string
	n              bool
}

// deviceFuncs are the exported functions that take a stream.
func deviceFuncs(t *testing.T) map[string]declared {
	t.Helper()
	all := map[string]declared{}
	entries, err := os.ReadDir(".")
	must(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		must(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				if args, ok := arguments(f.Type.Params.List); ok {
					all[f.Name.Name] = args
				}
			}
		}
	}
	if len(all) < 40 {
		t.Fatalf("%d functions take a stream", len(all))
	}
	return all
}

func arguments(params []*ast.Field) (d declared, stream bool) {
	for _, p := range params {
		kind := ""
		switch x := p.Type.(type) {
		case *ast.FuncType:
			kind = "func"
		case *ast.Ident:
			kind = x.Name
		case *ast.StarExpr:
			of := x.X
			if index, ok := of.(*ast.IndexExpr); ok {
				of = index.X
			}
			if sel, ok := of.(*ast.SelectorExpr); ok {
				kind = sel.Sel.Name
			}
		}
		for _, name := range p.Names {
			switch kind {
			case "Stream":
				stream = true
			case "Buffer":
				d.buffers = append(d.buffers, name.Name)
			case "func":
				d.funcs = append(d.funcs, name.Name)
			case "int":
				d.n = d.n || name.Name == "n"
			}
		}
	}
	return d, stream
}

func (row errorRow) test(t *testing.T, dev *launch.Device, name string, f declared) {
	arena := alloc[byte](t, dev, arenaSize)
	run := func(what, arg string, change func(b *bad)) {
		t.Helper()
		b := &bad{t: t, s: dev.Stream(), dev: dev, arena: arena, n: errorLen, offsets: map[string]int{}, o: prim.Options{Tuning: tiny}}
		for _, buffer := range f.buffers { // in places that do not depend on what is wrong
			b.place(buffer)
		}
		change(b)
		if err := arena.Clear(dev.Stream()); err != nil {
			t.Fatal(err)
		}
		err := row.call(b)
		var own *prim.Error
		switch {
		case arg == "":
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			must(t, dev.Sync())
			return
		case !errors.As(err, &own):
			t.Errorf("%s: the error is %v, no *prim.Error", what, err)
		case own.Func != name || !slices.Contains(strings.Split(arg, "|"), own.Arg):
			t.Errorf("%s: the error is %v, not one of %s's %s", what, err, name, arg)
		}
		must(t, dev.Sync())
		for i, v := range download(t, arena) {
			if v != 0 {
				t.Fatalf("%s: byte %d of the arguments was stored", what, i)
			}
		}
	}
	run("all is right", "", func(b *bad) {})
	run("nil stream", "s", func(b *bad) { b.s = nil })
	for _, x := range f.buffers {
		run("nil "+x, x, func(b *bad) { b.null = x })
		run("closed "+x, x, func(b *bad) { b.closed = x })
	}
	for _, x := range f.funcs {
		run("nil "+x, x, func(b *bad) { b.null = x })
	}
	if f.n {
		run("negative n", "n", func(b *bad) { b.n = -1 })
	}
	for x := range strings.FieldsSeq(row.short) {
		run("short "+x, x, func(b *bad) { b.short = x })
	}
	outs, may := strings.Fields(row.outs), strings.Fields(row.may)
	for _, x := range outs {
		if !slices.Contains(f.buffers, x) {
			t.Errorf("no argument %s", x)
		}
		for _, y := range f.buffers {
			if x != y && !slices.Contains(may, x+"/"+y) {
				run(x+" over "+y, x+"|"+y, func(b *bad) { b.over = [2]string{x, y} })
			}
		}
	}
	if row.temp {
		run("little temporary memory", "Options.Temp", func(b *bad) { b.o.Temp = alloc[byte](t, dev, 16) })
		run("closed temporary memory", "Options.Temp", func(b *bad) {
			b.o.Temp = alloc[byte](t, dev, arenaSize)
			must(t, b.o.Temp.Close())
		})
	}
}
