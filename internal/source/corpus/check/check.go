// Package check finds every function of the corpus and checks what was found.
// It runs inside the tests of package source and inside a command that they
// build in many modes.
package check

import (
	"embed"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	gotypes "go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/source"
	"heddle/internal/source/corpus/lib"
)

//go:embed *.go
var sources embed.FS

// Register embeds the sources of the corpus, or of one package of it.
func Register(only ...string) error {
	if len(only) == 0 || only[0] == "check" {
		source.RegisterCaller(sources, 0)
	}
	if len(only) == 0 || only[0] == "lib" {
		return source.RegisterFunc(lib.Sources, lib.Small)
	}
	return nil
}

// Run finds all functions, reports failures to w and returns how many there
// were. Every source must come from origin. n must be 2.
func Run(w io.Writer, origin string, n int) int {
	c := &Checker{N: n, Origin: origin, Out: w}
	functions(c)
	generics(c)
	methods(c)
	values(c)
	statements(c)
	funcs(c)
	standard(c)
	fmt.Fprintf(w, "%d units, %d values, %d failures\n", c.units, c.values, c.Failures)
	return c.Failures
}

// A Checker finds functions and compares what was found with what is wanted.
type Checker struct {
	N        int // 2, but the compiler must not know
	Origin   string
	Out      io.Writer
	Failures int

	units, values int
}

// Types are wanted type arguments.
type Types string

// Calls is the wanted ID of a function that is called.
type Calls string

func (c *Checker) errorf(format string, args ...any) {
	c.Failures++
	_, _, line, _ := runtime.Caller(2)
	fmt.Fprintf(c.Out, "FAIL line %d: %s\n", line, fmt.Sprintf(format, args...))
}

// Check finds fn, whose body must call lib.ID(id), and compares what it
// captures: want holds names and values, Types and Calls.
func (c *Checker) Check(id string, fn any, want ...any) *source.Func {
	_, file, line, _ := runtime.Caller(1)
	u, err := source.Find(fn, source.Options{CallFile: file, CallLine: line})
	if err != nil {
		c.errorf("%s: %v", id, err)
		return nil
	}
	c.units++
	if c.Origin != "" && u.Origin != c.Origin {
		c.errorf("%s: source is from %s", id, u.Origin)
	}
	if got := marker(u.Fn); got != id {
		c.errorf("%s: found %q instead: %s at %s", id, got, u.Name, u.Pos)
	}
	c.compare(u, (*[2]unsafe.Pointer)(unsafe.Pointer(&fn))[1], id, want)
	return u
}

func (c *Checker) compare(u *source.Func, obj unsafe.Pointer, id string, want []any) {
	wantTypes := ""
	for len(want) > 0 {
		switch w := want[0].(type) {
		case Types:
			wantTypes = string(w)
			want = want[1:]
		case Calls:
			if !callsMarked(u.Fn, string(w)) {
				c.errorf("%s: does not call a function marked %s", id, w)
			}
			want = want[1:]
		case string:
			c.value(u, obj, w, want[1])
			want = want[2:]
		}
	}
	var ts []string
	for _, t := range u.TypeArgs {
		ts = append(ts, gotypes.TypeString(t, (*gotypes.Package).Name))
	}
	if got := strings.Join(ts, ","); got != wantTypes {
		c.errorf("%s: type arguments %s, want %s", id, got, wantTypes)
	}
	if len(u.Captures) != len(u.Fn.FreeVars) {
		c.errorf("%s: %d captures for %d free variables", id, len(u.Captures), len(u.Fn.FreeVars))
	}
	if !u.Current(obj) {
		c.errorf("%s: not current right after it was found", id)
	}
}

func (c *Checker) value(u *source.Func, obj unsafe.Pointer, name string, want any) {
	caps := u.Captures
	if u.Recv != nil {
		r := *u.Recv
		r.Name = "receiver"
		caps = append(caps, r)
	}
	for i := range caps {
		if caps[i].Name != name {
			continue
		}
		c.values++
		t := reflect.TypeOf(want)
		if name == "dyn" || name == "empty" && t == nil {
			t = reflect.TypeFor[any]()
		}
		if t.Size() != caps[i].Size {
			c.errorf("captured %s has %d bytes, want %d", name, caps[i].Size, t.Size())
			return
		}
		got := reflect.NewAt(t, caps[i].Addr(obj)).Elem()
		if !same(got, want) {
			c.errorf("captured %s is %v, want %v", name, got, want)
		}
		return
	}
	c.errorf("%s is not captured", name)
}

func same(got reflect.Value, want any) bool {
	switch got.Kind() {
	case reflect.Func:
		return got.Pointer() == reflect.ValueOf(want).Pointer()
	case reflect.Pointer, reflect.Map:
		return got.Pointer() == reflect.ValueOf(want).Pointer()
	}
	return reflect.DeepEqual(got.Interface(), want)
}

// captured checks the func that u captures as name.
func (c *Checker) captured(u *source.Func, name, id string, want ...any) {
	if u == nil {
		return
	}
	for i := range u.Captures {
		if u.Captures[i].Name != name {
			continue
		}
		f := u.Captures[i].Func
		if f == nil {
			c.errorf("captured func %s was not resolved", name)
			return
		}
		if got := marker(f.Fn); got != id {
			c.errorf("captured func %s is %s, want %s", name, got, id)
		}
		for j := range f.Captures {
			if f.Captures[j].Dead {
				c.errorf("%s of captured func %s is dead", f.Captures[j].Name, name)
			}
		}
		return
	}
	c.errorf("func %s is not captured", name)
}

// capturedBound checks the method value that u captures as name: it calls the
// method marked id, and its one capture is the receiver.
func (c *Checker) capturedBound(u *source.Func, name, id string, recv any) {
	if u == nil {
		return
	}
	i := slices.IndexFunc(u.Captures, func(x source.Capture) bool { return x.Name == name })
	if i < 0 || u.Captures[i].Func == nil {
		c.errorf("method value %s was not resolved", name)
		return
	}
	f := u.Captures[i].Func
	if !callsMarked(f.Fn, id) || f.Recv != nil || len(f.Captures) != 1 || len(f.Fn.FreeVars) != 1 {
		c.errorf("method value %s is %s with captures %v", name, f.Name, f.Captures)
		return
	}
	if got, want := f.Captures[0].Type.String(), reflect.TypeOf(recv).Name(); !strings.HasSuffix(got, "."+want) {
		c.errorf("the receiver of %s is a %s, want %s", name, got, want)
	}
}

// fail checks that none of fns is found, for a reason that mentions want.
func (c *Checker) fail(want string, fns ...any) {
	for _, fn := range fns {
		u, err := source.Find(fn, source.Options{})
		switch {
		case err == nil && marker(u.Fn) == "":
			// two literals on a line may be told apart by the symbol's name
			if !strings.Contains(want, "separate") {
				c.errorf("found %s, want an error about %s", u.Name, want)
			}
		case err != nil && !strings.Contains(err.Error(), want):
			c.errorf("%v, want an error about %s", err, want)
		}
	}
}

// alike checks that fn, one of two alike literals on a line, is not taken for
// the other: it may be refused.
func (c *Checker) alike(id string, fn any) {
	u, err := source.Find(fn, source.Options{})
	if err != nil && !strings.Contains(err.Error(), "separate lines") {
		c.errorf("%s: %v", id, err)
	}
	if got := ""; err == nil {
		if got = marker(u.Fn); got != id {
			c.errorf("%s: found %q instead", id, got)
		}
	}
}

// marker is the argument of the call of lib.ID in fn's body.
func marker(fn *ssa.Function) string {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if f := call.Call.StaticCallee(); f != nil && f.Name() == "ID" {
				if k, ok := call.Call.Args[0].(*ssa.Const); ok {
					return strings.Trim(k.Value.ExactString(), `"`)
				}
			}
		}
	}
	return ""
}

func callsMarked(fn *ssa.Function, id string) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				if f := call.Call.StaticCallee(); f != nil && marker(f) == id {
					return true
				}
			}
		}
	}
	return false
}

func reflected(p lib.Plain) any { return reflect.ValueOf(p).MethodByName("Mul").Interface() }
