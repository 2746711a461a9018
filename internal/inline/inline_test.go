package inline

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// build is a package's functions in SSA form.
func build(t *testing.T, source string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{f}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// all chooses whatever can be.
func all(_ *ssa.Call, fn *ssa.Function, _ *Site) bool { return CanInline(fn) }

// wrong says what is wrong with a function's form.
func wrong(fn *ssa.Function) error {
	for n, b := range fn.Blocks {
		if b.Parent() != fn || b.Index != n {
			return fmt.Errorf("block %d is %d of %s", n, b.Index, b.Parent())
		}
		for k, i := range b.Instrs {
			if i.Block() != b {
				return fmt.Errorf("%d.%d %s says that it is in block %s", n, k, i, i.Block())
			}
			if err := wrongOperands(i); err != nil {
				return fmt.Errorf("%d.%d %s: %w", n, k, i, err)
			}
		}
		for _, s := range b.Succs {
			if !slices.Contains(s.Preds, b) {
				return fmt.Errorf("block %d leads to %d, which does not know it", n, s.Index)
			}
		}
		for _, c := range fn.Blocks {
			if got, want := b.Dominates(c), c != fn.Blocks[0] && !reaches(fn.Blocks[0], c, b) || b == c; got != want {
				return fmt.Errorf("block %d dominates %d: %v, want %v", n, c.Index, got, want)
			}
			if c.Idom() == b && !slices.Contains(b.Dominees(), c) {
				return fmt.Errorf("block %d has not %d among those that it dominates", n, c.Index)
			}
		}
	}
	return nil
}

// reaches reports whether a way leads from one block to another, but not through a third.
func reaches(from, to, but *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{but: true}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		return b == to || slices.ContainsFunc(b.Succs, visit)
	}
	return visit(from)
}

func wrongOperands(i ssa.Instruction) error {
	for k, v := range i.Operands(nil) {
		if *v == nil {
			continue
		}
		if r := referrers(*v); r != nil && !slices.Contains(*r, i) {
			return fmt.Errorf("%s does not know that it is used", (*v).Name())
		}
		d, ok := (*v).(ssa.Instruction)
		if !ok {
			if (*v).Parent() != nil && (*v).Parent() != i.Parent() {
				return fmt.Errorf("%s is of another function", (*v).Name())
			}
			continue
		}
		if _, isPhi := i.(*ssa.Phi); isPhi {
			if !d.Block().Dominates(i.Block().Preds[k]) {
				return fmt.Errorf("%s is not made on the way", (*v).Name())
			}
		} else if !Before(d, i) {
			return fmt.Errorf("%s is made later", (*v).Name())
		}
	}
	if v, ok := i.(ssa.Value); ok && v.Referrers() != nil {
		for _, r := range *v.Referrers() {
			if !slices.ContainsFunc(r.Operands(nil), func(o *ssa.Value) bool { return *o == v }) {
				return fmt.Errorf("%s does not use it", r)
			}
		}
	}
	return nil
}

func text(fn *ssa.Function) string {
	var b bytes.Buffer
	_, _ = fn.WriteTo(&b)
	return b.String()
}

// uses counts what refers to a package's functions and to what is in them.
func uses(pkg *ssa.Package) (n int) {
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if r := fn.Referrers(); r != nil {
			n += len(*r)
		}
		for _, p := range fn.Params {
			n += len(*p.Referrers())
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if v, ok := i.(ssa.Value); ok && v.Referrers() != nil {
					n += len(*v.Referrers())
				}
			}
		}
	}
	return n
}

const helpers = `
type Matrix struct { Data []float32; Width, Height int }
func (m Matrix) at(y, x int) float32 { return m.Data[y*m.Width+x] }
func (m Matrix) inside(y, x int) bool { return x >= 0 && x < m.Width && y >= 0 && y < m.Height }
func (m Matrix) or(y, x int, o float32) float32 { if !m.inside(y, x) { return o }; return m.at(y, x) }
func (m Matrix) mean(y, x int) float32 { return (m.or(y, x-1, 0) + m.or(y, x+1, 0)) / 2 }
func clamp(v, lo, hi int) int { if v < lo { return lo }; if v > hi { return hi }; return v }
func both(a, b int) (int, int) { if a < b { return b, a }; return a, b }
func sum(x []int) (s int) { for _, v := range x { if v < 0 { continue }; s += v }; return s }
func set(x []int, i, v int) { if i < len(x) { x[i] = v } }
func two(a, b int) int { lo, hi := both(a, b); return clamp(a, lo, hi) }
func whole(m Matrix) int { if m.Width > len(m.Data) { return whole(Matrix{m.Data, m.Height, m.Width}) }; return m.Height }
func area(m Matrix) int { if m.Width > 1 { return m.Height }; return m.Width + m.Height }
func empty(i int) int { return area(Matrix{}) + i }
func clamped(a, b int) int { return clamp(b, a, 9) }
func fold(x []int, op func(a, b int) int) (s int) { for _, v := range x { s = op(s, v) }; return s }
func twice(op func(a, b int) int, n int) int { return fold([]int{n}, op) + fold(nil, op) }
type mapping func(int) int
func named(m mapping, i int) int { return m(m(i)) }
func each(at func(y, x int) float32, n int) (s float32) { for k := range n { s += at(k, k) }; return s }
func generic[T int | float32](a, b T) T { if a < b { return a }; return b }
`

// TestExpand makes functions of all forms part of others, and looks at what comes of it.
func TestExpand(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"one block", "return Matrix{f, n, n}.at(i, n)"},
		{"blocks", "return float32(clamp(i, 0, n))"},
		{"in a loop", "for k := range n { i += clamp(k, 1, i) }; return float32(i)"},
		{"in a condition", "for k := 0; clamp(k, 0, 9) < n; k += clamp(k, 1, 3) { i++ }; return float32(i)"},
		{"a loop in a loop", "for k := range n { i += sum(x[k:]) }; return float32(i)"},
		{"two results", "a, b := both(i, n); return float32(a - b)"},
		{"no result", "set(x, i, n); set(x, n, i); return 0"},
		{"nested", "m := Matrix{f, n, n}; return m.mean(i, n) + m.mean(n, i)"},
		{"one block of several", "return float32(two(i, n) + two(n, i))"},
		{"generic", "return float32(generic(i, n)) + generic(f[0], f[1])"},
		{"closure", "at := func(k int) float32 { if k < n { return f[k+i] }; return 0 }; return at(1) + at(i)"},
		{"closure that writes", "s := 0; add := func(k int) { s += k }; add(1); for k := range n { add(k) }; return float32(s)"},
		{"closures that call one", "at := func(k int) int { return i + k }; get := func(k int) float32 { return f[at(k)] }; two := func(k int) float32 { return get(k) + get(at(k)) }; return two(1) + get(n)"},
		{"closures that call one in a loop", "for k := range n { at := func(j int) int { return j*k + i }; get := func(j int) float32 { return f[at(j)] }; f[0] += get(k) + get(at(1)) }; return 0"},
		{"function that is passed", "return float32(fold(x, clamped) + fold(x[i:], func(a, b int) int { return a + b }))"},
		{"closure that is passed", "s := 1; at := func(a, b int) int { s++; return a + x[b+s+i] }; return float32(fold(x, at) + twice(at, n) + s)"},
		{"closure of a named type", "return float32(named(func(k int) int { if k > n { return i }; return k }, i))"},
		{"method that is passed", "m := Matrix{f, n, n}; return each(m.at, n)"},
		{"short circuit", "if clamp(i, 0, 1) == 0 && sum(x) > 1 || sum(x[1:]) > 2 { i = sum(x[2:]) }; return float32(i)"},
		{"a constant's fields", "if i > 0 { i = empty(i) } else { i = empty(n) }; return float32(i)"},
		{"arguments of calls", "return float32(clamp(clamp(i, 0, n), sum(x), clamp(n, i, i)))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pkg := build(t, helpers+"func F(i, n int, x []int, f []float32) float32 { "+c.body+" }")
			fn := pkg.Func("F")
			was, used := text(fn), uses(pkg)
			to, sites := Expand(fn, always, noCalls, all)
			if to == nil {
				t.Fatal("it has no copy")
			}
			if now := text(fn); now != was {
				t.Errorf("what was given has changed:\n%s\n%s", was, now)
			}
			if now := uses(pkg); now != used {
				t.Errorf("the package's functions were referred to %d times, and are %d times", used, now)
			}
			if err := wrong(to); err != nil {
				t.Errorf("%v in\n%s", err, text(to))
			}
			for _, b := range to.Blocks {
				for _, i := range b.Instrs {
					if call, ok := i.(*ssa.Call); ok && call.Call.StaticCallee() != nil {
						t.Errorf("%s is still there", call)
					}
				}
			}
			if len(sites.Of) == 0 {
				t.Error("it has no sites")
			}
			for i, s := range sites.Of {
				for s.Outer != nil {
					s = s.Outer
				}
				if sites.Position(i) != s.Call.Pos() || s.Call.Parent() != fn {
					t.Errorf("%s stands at %v", i, sites.Position(i))
				}
			}
		})
	}
}

// TestKept shows that a function that keeps a closure has no copy, and that nothing of it is touched: one whose address is passed, and one in a variable
// that closures share, which is given another, is given one on a way alone, or by a closure.
func TestKept(t *testing.T) {
	for _, body := range []string{
		"f := func(k int) int { return clamp(k, i, n) }; return call(&f, n)",
		"f := func(k int) int { return k + i }; g := func(k int) int { return f(k) }; if n > 3 { f = func(k int) int { return k - i } }; return g(n)",
		"var f func(int) int; if n > 3 { f = func(k int) int { return k + i } }; g := func(k int) int { return f(k) }; return g(n)",
		"f := func(k int) int { return k + i }; g := func(k int) int { f = func(k int) int { return k - i }; return k }; h := func(k int) int { return f(k) }; return g(n) + h(n)",
	} {
		pkg := build(t, helpers+"func call(f *func(int) int, n int) int { for range n { n = (*f)(n) }; return n }\nfunc F(i, n int) int { "+body+" }")
		used := uses(pkg)
		if to, _ := Expand(pkg.Func("F"), always, noCalls, all); to != nil {
			t.Errorf("%s: there is a copy:\n%s", body, text(to))
		}
		if now := uses(pkg); now != used {
			t.Errorf("%s: the package's functions were referred to %d times, and are %d times", body, used, now)
		}
	}
}

// TestForward says of which variables the loads are replaced.
func TestForward(t *testing.T) {
	for _, c := range []struct {
		name, body string
		left       int // loads of local variables
	}{
		{"a field", "m := Matrix{f, n, n}; for k := range m.Width { i += len(m.Data[k:]) }; return i", 0},
		{"all fields", "m := Matrix{f, n, n}; o := m; return o.Width + len(o.Data)", 0},
		{"a struct in a struct", "m := struct{ a, b Matrix }{Matrix{f, n, n}, Matrix{f[1:], i, i}}; return m.a.Width + len(m.b.Data)", 0},
		{"written again", "m := Matrix{f, n, n}; m.Width = i; return m.Width + m.Height", 0},
		{"written on one way", "var m Matrix; if i > 0 { m.Width = n }; return m.Width", 0},
		{"written later", "var m Matrix; for range n { i += m.Width; m.Width = i }; return i", 0},
		{"a slice that is written later", "var m Matrix; for range n { i += len(m.Data); m.Data = f[i:] }; return i", 1},
		{"a copy of one that is written later", "var m Matrix; for range n { o := m; m.Width = i; i += o.Width }; return i", 0},
		{"a variable of each iteration", "for range n { var m Matrix; i += m.Width; m.Width = i; i += m.Width }; return i", 0},
		{"its address is kept", "var m Matrix; p := make([]*Matrix, n); p[i] = &m; for range n { p[i].Width += i; i = m.Width }; return i", 1},
		{"passed as a whole", "m := Matrix{f, n, n}; for range n { m.Width += i; i = whole(m) }; return i", 3},
		{"too many numbers", "var m struct { a, b, c, d, e, f [2]int; x [3]struct{ a, b int }; n, o, p, q, r, s, t, u, v, w, y, z, A, B, C, D, E, F, G, H, I, J, K, L, M int }; for range n { m.n += i; i = m.n }; return i", 1},
		{"a number whose address is taken", "p := &n; for range i { *p += i; i -= n }; return n", 0},
		{"a number whose address is elsewhere", "p := &n; if i > 1 { p = &i }; *p = 1; return n + i", 3},
		{"its address is elsewhere", "m := Matrix{f, n, n}; p := &m; if n > 1 { p = new(Matrix) }; p.Width = 1; return m.Width", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := build(t, helpers+"func F(i, n int, f []float32) int { "+c.body+" }").Func("F")
			to, _ := Expand(fn, always, noCalls, func(*ssa.Call, *ssa.Function, *Site) bool { return false })
			if err := wrong(to); err != nil {
				t.Errorf("%v in\n%s", err, text(to))
			}
			left := 0
			for _, b := range to.Blocks {
				for _, i := range b.Instrs {
					if u, ok := i.(*ssa.UnOp); ok && u.Op == token.MUL && isLocal(u.X) {
						left++
					}
				}
			}
			if left != c.left {
				t.Errorf("%d loads are left, want %d, in\n%s", left, c.left, text(to))
			}
		})
	}
}

// TestKnown fails where go/ssa has other fields than those that are set: then nothing is made part of anything.
func TestKnown(t *testing.T) {
	if !known.Get() {
		t.Error("fields.go does not know this version of go/ssa")
	}
}

func always() bool { return true }

func never() bool { return false }
