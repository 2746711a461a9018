package source_test

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
	"unsafe"

	gotypes "go/types"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/diag"
	"heddle/internal/exe"
	"heddle/internal/module"
	"heddle/internal/source"
	"heddle/internal/source/corpus/check"
	"heddle/internal/source/corpus/lib"
)

//go:embed *.go
var sources embed.FS

// two is 2, but the compiler does not know.
var two = len(os.Args[:1]) + 1

// modes are the ways this test binary can find its sources.
var modes = []struct {
	origin string
	setup  func(t testing.TB)
}{
	{"go list", func(testing.TB) {}},
	{"embedded", func(t testing.TB) {
		source.RegisterCaller(sources, 0)
		if err := check.Register(); err != nil {
			t.Fatal(err)
		}
	}},
}

// inEachMode runs f with sources from go list, then from this binary.
func inEachMode(t *testing.T, f func(t *testing.T, origin string)) {
	for _, m := range modes {
		t.Run(m.origin, func(t *testing.T) {
			source.Reset(true)
			t.Cleanup(func() { source.Reset(true) })
			m.setup(t)
			f(t, m.origin)
		})
	}
}

func TestCorpus(t *testing.T) {
	inEachMode(t, func(t *testing.T, origin string) {
		var out strings.Builder
		if check.Run(&out, origin, two) > 0 {
			t.Error(out.String())
		}
	})
}

// TestMixed has the sources of some packages embedded and lists the others.
func TestMixed(t *testing.T) {
	for _, embedded := range []string{"lib", "check"} {
		t.Run(embedded, func(t *testing.T) {
			source.Reset(true)
			defer source.Reset(true)
			if err := check.Register(embedded); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if check.Run(&out, "", two) > 0 {
				t.Error(out.String())
			}
		})
	}
}

// TestIncomplete embeds a package without the file that is asked for.
func TestIncomplete(t *testing.T) {
	source.Reset(true)
	defer source.Reset(true)
	source.RegisterCaller(fstest.MapFS{"other.go": {Data: []byte("package source")}}, 0)
	_, err := source.Find(declared, source.Options{})
	if err == nil || !strings.Contains(err.Error(), "the embedded sources of package "+module.Internal+"source lack source_test.go") {
		t.Error(err)
	}
}

// TestBroken embeds a file that is no Go.
func TestBroken(t *testing.T) {
	source.Reset(true)
	defer source.Reset(true)
	source.RegisterCaller(fstest.MapFS{"source_test.go": {Data: []byte("package source_test\nfunc {")}}, 0)
	_, err := source.Find(declared, source.Options{})
	if err == nil || !strings.Contains(err.Error(), "source_test.go:2:6: expected") {
		t.Error(err)
	}
}

type local float32

// TestTestFiles finds functions of test files, of which there is no package in
// the ordinary sense.
func TestTestFiles(t *testing.T) {
	inEachMode(t, func(t *testing.T, origin string) {
		c := &check.Checker{N: two, Origin: origin, Out: testWriter{t}}
		n := two
		c.Check("inTest", func(x int) int { lib.ID("inTest"); return x + n }, "n", n)
		c.Check("declared", declared)
		c.Check("reduce", lib.Reduce[local], check.Types("source_test.local"))
		t.Run("sub", func(t *testing.T) {
			c.Check("inSub", func(x int) int { lib.ID("inSub"); return x * n }, "n", n)
		})
		if c.Failures > 0 {
			t.Fail()
		}
	})
}

func declared(x int) int { lib.ID("declared"); return x }

type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) { w.t.Log(string(b)); return len(b), nil }

var weights = [...]float32{1, 2, 3}
var matrix = [][]float32{{1}, {2}}
var scaled float32 = 2
var leaked = []int{1}
var zeroed [4]int
var called, _ = math.Modf(1.5)

func change() { scaled = 3 }

func leak() []int { return leaked }

//heddle:launchbounds 256 2
//go:noinline
func directed(y []float32) {
	//heddle:unroll 4
	for i := range y {
		y[i] = helper(y[i])*weights[0] + matrix[1][0] + scaled + float32(leaked[0]) + float32(zeroed[i&3]) + float32(called)
	}
}

//heddle:inline
func helper(x float32) float32 { return x }

func find(t testing.TB, fn any) *source.Func {
	t.Helper()
	u, err := source.Find(fn, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestDirectives(t *testing.T) {
	inEachMode(t, func(t *testing.T, _ string) {
		u := find(t, directed)
		if got := fmt.Sprint(names(u.Directives)); got != "[launchbounds 256 2 go:noinline]" {
			t.Errorf("directives of a function: %s", got)
		}
		//heddle:noalias
		k := func(x int) int {
			return x + two
		}
		u2 := find(t, k)
		if got := fmt.Sprint(names(u2.Directives)); got != "[noalias]" {
			t.Errorf("directives of a literal: %s", got)
		}
		loops := 0
		ast.Inspect(u.Fn.Syntax(), func(n ast.Node) bool {
			if s, ok := n.(*ast.RangeStmt); ok {
				loops++
				if got := fmt.Sprint(names(u.LoopDirectives(s.Pos()))); got != "[unroll 4]" {
					t.Errorf("directives of a loop: %s", got)
				}
			}
			return true
		})
		callees := 0
		for fn := range calls(u.Fn) {
			if fn.Name() == "helper" {
				callees++
				if got := fmt.Sprint(names(u.DirectivesOf(fn))); got != "[inline]" {
					t.Errorf("directives of a callee: %s", got)
				}
			}
		}
		if loops != 1 || callees != 1 {
			t.Errorf("%d loops, %d callees", loops, callees)
		}
	})
}

func names(ds []source.Directive) (words []string) {
	for _, d := range ds {
		words = append(words, strings.Join(append([]string{d.Name}, d.Args...), " "))
	}
	return words
}

// calls are the functions that fn calls statically.
func calls(fn *ssa.Function) map[*ssa.Function]bool {
	m := map[*ssa.Function]bool{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				if f := c.Common().StaticCallee(); f != nil {
					m[f] = true
				}
			}
		}
	}
	return m
}

func TestReadOnly(t *testing.T) {
	_, _ = change, leak
	inEachMode(t, func(t *testing.T, _ string) {
		u := find(t, directed)
		want := map[string]bool{"weights": true, "matrix": true, "zeroed": true, "scaled": false, "leaked": false, "called": false}
		seen := 0
		for _, b := range u.Fn.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					g, ok := (*op).(*ssa.Global)
					if !ok {
						continue
					}
					seen++
					if got := u.ReadOnly(g); got != want[g.Name()] {
						t.Errorf("%s: read-only %v", g.Name(), got)
					}
					e, info := u.Init(g)
					if g.Name() == "weights" && (e == nil || info.TypeOf(e) == nil) {
						t.Error("weights has no initialiser")
					}
					if g.Name() == "zeroed" && e != nil {
						t.Error("zeroed has an initialiser")
					}
				}
			}
		}
		if seen < len(want) {
			t.Errorf("saw %d globals", seen)
		}
	})
}

func mathKernel(y []float64) {
	for i := range y {
		y[i] = math.Sin(y[i]) + math.Pow(y[i], 3) + math.Floor(y[i]) + cmplx.Abs(complex(y[i], 1))
	}
}

// TestMathBodies checks that functions of math have Go bodies all the way down.
func TestMathBodies(t *testing.T) {
	inEachMode(t, func(t *testing.T, _ string) {
		find(t, lib.Hypotenuse) // first with a part of math, then with more
		u := find(t, mathKernel)
		seen := map[*ssa.Function]bool{}
		var walk func(fn *ssa.Function)
		walk = func(fn *ssa.Function) {
			if seen[fn] {
				return
			}
			seen[fn] = true
			if fn.Blocks == nil {
				t.Errorf("%s has no body: %s", fn, u.Missing(fn))
			}
			for f := range calls(fn) {
				walk(f)
			}
		}
		walk(u.Fn)
		if len(seen) < 10 {
			t.Errorf("only %d functions", len(seen))
		}
	})
}

func TestIntrinsic(t *testing.T) {
	inEachMode(t, func(t *testing.T, _ string) {
		u, err := source.Find(mathKernel, source.Options{Intrinsic: func(f *gotypes.Func) bool { return f.Pkg().Path() == "math" }})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for fn := range calls(u.Fn) {
			if fn.Pkg.Pkg.Path() == "math" {
				n++
				if fn.Blocks != nil || u.Missing(fn) == "" {
					t.Errorf("%s has a body", fn)
				}
			}
		}
		if n != 3 {
			t.Errorf("%d calls of math", n)
		}
	})
}

// TestErrors checks the texts and places of errors.
func TestErrors(t *testing.T) {
	var nilFunc func()
	tests := []struct {
		name string
		fn   any
		want string
	}{
		{"not a func", 1, "a kernel must be a func, not int (pass the function itself, without calling it)"},
		{"nil", nilFunc, "nil func of type func()"},
		{"interface", lib.Muler(lib.Plain{}).Mul, "method value of an interface"},
		{"two on a line", twoOnALine[0], "2 function literals of type func(int) int start on this line (put them on separate lines)"},
	}
	source.Reset(true)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := source.Find(tt.fn, source.Options{})
			var e *diag.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.Hint == "" {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

var twoOnALine = [...]func(int) int{func(x int) int { return x + 1 }, func(x int) int { return x + 2 }}

func TestStale(t *testing.T) {
	f := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(f, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(f, old, old); err != nil {
		t.Fatal(err)
	}
	if err := source.CheckFresh(f); err != nil {
		t.Error(err)
	}
	soon := time.Now().Add(time.Hour)
	if err := os.Chtimes(f, soon, soon); err != nil {
		t.Fatal(err)
	}
	if err := source.CheckFresh(f); err == nil || !strings.Contains(err.Error(), "newer than the running program") {
		t.Errorf("stale source: %v", err)
	}
}

// TestConcurrent finds many kernels at once; each package is loaded once.
func TestConcurrent(t *testing.T) {
	source.Reset(true)
	defer source.Reset(true)
	modes[1].setup(t)
	n := two
	kernels := []any{declared, lib.Small, lib.MakeAdder(n), lib.Reduce[float32], lib.Reduce[local], func(x int) int { return x + n }}
	var wg sync.WaitGroup
	for i := range 8 * len(kernels) {
		wg.Go(func() {
			u, err := source.Find(kernels[i%len(kernels)], source.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if u.Fn.Blocks == nil {
				t.Error("no body")
			}
		})
	}
	wg.Wait()
	if got := source.Loaded(); got != 4 { // this package, its tests, check and lib
		t.Errorf("%d packages loaded from source", got)
	}
}

// TestCurrent changes a captured func and a captured value after Find.
func TestCurrent(t *testing.T) {
	inEachMode(t, func(t *testing.T, _ string) {
		f := declared
		n := 1
		k := func(x int) int { return f(x) + n }
		u := find(t, k)
		var fn any = k
		obj := (*[2]unsafe.Pointer)(unsafe.Pointer(&fn))[1]
		n = 5
		for i := range u.Captures {
			if c := &u.Captures[i]; c.Name == "n" {
				if got := *(*int)(c.Addr(obj)); got != 5 {
					t.Errorf("n is %d", got)
				}
			}
		}
		if !u.Current(obj) {
			t.Error("not current after a value changed")
		}
		f = lib.Small
		if u.Current(obj) {
			t.Error("current after a func changed")
		}
	})
}

func TestName(t *testing.T) {
	inEachMode(t, func(t *testing.T, _ string) {
		v := lib.Vec[float32]{}
		tests := []struct {
			fn   any
			want string
		}{
			{lib.Small, "lib.Small"},
			{lib.Reduce[float32], "lib.Reduce[float32]"},
			{lib.MakeAdder(1), "lib.MakeAdder.func1"},
			{lib.MakeDeep(1)(2), "lib.MakeDeep.func1.1"},
			{lib.Table["b"], "lib.Table.func2"},
			{lib.GenAdder[float64](1), "lib.GenAdder[float64].func1"},
			{v.Sum, "lib.Vec[float32].Sum"},
			{v.Len, "lib.(*Vec[float32]).Len"},
			{(*lib.Plain).PMul, "lib.(*Plain).PMul"},
		}
		for _, tt := range tests {
			u := find(t, tt.fn)
			if u.Name != tt.want {
				t.Errorf("name %s, want %s", u.Name, tt.want)
			}
			if !u.Pos.IsValid() || filepath.Base(u.Pos.Filename) != "lib.go" || u.Pos.Column == 0 {
				t.Errorf("%s: position %s", u.Name, u.Pos)
			}
		}
	})
}

func TestIdentify(t *testing.T) {
	ids := map[exe.ID]string{}
	for name, fn := range map[string]any{
		"small": lib.Small, "reduce32": lib.Reduce[float32], "reduceLocal": lib.Reduce[local],
		"adder32": lib.GenAdder[float32](1), "adderLocal": lib.GenAdder[local](1),
		"phantomInt": lib.PhantomLit[int, float32](1), "phantomLocal": lib.PhantomLit[local, float32](1),
	} {
		id, err := exe.Identify(fn)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := ids[id.ID]; ok {
			t.Errorf("%s and %s have one ID", name, other)
		}
		ids[id.ID] = name
	}
	a, _ := exe.Identify(lib.MakeAdder(1))
	b, _ := exe.Identify(lib.MakeAdder(2))
	if a.PC != b.PC && a.File != b.File || a.Obj == b.Obj {
		t.Error("closures of one literal")
	}
}
