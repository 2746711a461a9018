package inline

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestUnify says how many operations, phis and branches are left of a function.
func TestUnify(t *testing.T) {
	for _, c := range []struct {
		name, body          string
		ops, phis, branches int
	}{
		{"a sum", "return (i + n) * (i + n)", 2, 0, 0},
		{"conversions", "return int(int32(i)) + int(int32(i))", 1, 0, 0},
		{"lengths", "return len(x)*i - len(x)*i", 2, 0, 0},
		{"operands the other way", "return (i - n) * (n - i)", 3, 0, 0},
		{"types", "return int(int32(i)+1) + int(int16(i)+1)", 3, 0, 0},
		{"a helper", "return clamp(i, 0, n) - clamp(i, 0, n)", 3, 1, 2},
		{"another argument", "return clamp(i, 0, n) - clamp(i, 1, n)", 5, 2, 4},
		{"a helper of a helper", "return two(i, n) + two(i, n) + clamp(i, 0, 5)", 7, 4, 5},
		{"a helper behind a condition", "c := clamp(i, 0, n); if n > 5 { return clamp(i, 0, n) + 1 }; return c", 4, 1, 3},
		{"on one way only", "if n > 5 { i = clamp(n, 0, 7) } else { i = clamp(n, 0, 7) - 1 }; return i", 6, 3, 5},
		{"in a loop", "for k := range n { i += clamp(k, 0, 5) * clamp(k, 0, 5) }; return i", 7, 4, 4},
		{"what a loop has changed", "c := clamp(i, 0, n); for range n { i++; c += clamp(i, 0, n) }; return c", 9, 6, 6},
		{"what is loaded", "a := x[0] + x[1]; x[0] = n; return a + x[0] + x[1]", 3, 0, 0},
		{"quotients", "return i/n + i/n", 2, 0, 0},
		{"a condition", "if i < n { n++ }; if i < n { n++ }; return n", 4, 2, 2},
		{"the same condition", "m := 0; if i < n { m++ }; if i < n { m += 2 }; return m", 3, 2, 2},
		{"a loop's variable", "a, b := 0, 0; for k := range n { a += k; b += k }; return a - b", 6, 5, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := build(t, helpers+"func F(i, n int, x []int) int { "+c.body+" }").Func("F")
			to, _ := Expand(fn, always, noCalls, all)
			if err := wrong(to); err != nil {
				t.Errorf("%v in\n%s", err, text(to))
			}
			ops, phis, branches := 0, 0, 0
			for _, b := range to.Blocks {
				for _, i := range b.Instrs {
					switch i.(type) {
					case *ssa.BinOp:
						ops++
					case *ssa.Phi:
						phis++
					case *ssa.If:
						branches++
					}
				}
			}
			if ops != c.ops || phis != c.phis || branches != c.branches {
				t.Errorf("%d operations, %d phis, %d branches, want %d, %d, %d, in\n%s", ops, phis, branches, c.ops, c.phis, c.branches, text(to))
			}
		})
	}
}

// TestUnifyRandom executes random functions and their copies, half of them with loops unrolled, and wants the same results.
func TestUnifyRandom(t *testing.T) {
	unrolled := 0
	for seed := range int64(120) {
		g := &writer{r: rand.New(rand.NewSource(seed))}
		g.block(3)
		source := helpers + records + "func pick(a, x, y int) int { if a < 1 { return x }; return y }\nfunc F(a, b, c int) int {\nvar p, q record\n" + g.String() +
			"\nreturn a + 3*b + 5*c + 7*p.n + 11*q.in.u + 13*p.in.v + 17*q.n }"
		fn := build(t, source).Func("F")
		to, sites := Expand(fn, always, noCalls, func(_ *ssa.Call, of *ssa.Function, _ *Site) bool { return CanInline(of) && of.Name() != "made" })
		if seed%2 == 0 {
			unroll(to, sites, func(*loop) bool { unrolled++; return true })
		}
		if err := wrong(to); err != nil {
			t.Fatalf("seed %d: %v in\n%s\n%s", seed, err, source[len(helpers):], text(to))
		}
		for k := range 30 {
			args := []int64{int64(k%5 - 2), int64(k/5 - 2), int64(k%7 - 3)}
			if got, want := run(to, args)[0], run(fn, args)[0]; got != want {
				t.Fatalf("seed %d: F(%d) is %d, want %d:\n%s\n%s", seed, args, got, want, source[len(helpers):], text(to))
			}
		}
	}
	if unrolled < 10 {
		t.Errorf("%d loops were unrolled", unrolled)
	}
}

// records are structures whose fields are read and written, also by methods and as a whole, and a helper that has the address of a number.
const records = `
type record struct { n int; in inner }
type inner struct { u, v int }
func (r *record) add(k int) int { r.n += k; r.in.u = k; return r.in.v }
func made(k int) record { return record{k, inner{k + 1, k - 1}} }
func (r record) sum() int { return r.n + r.in.u - r.in.v }
func bump(p *int, k int) int { *p += k; return *p - 1 }
`

// A writer writes statements of few variables and helpers, so that much is computed twice.
type writer struct {
	strings.Builder
	r      *rand.Rand
	deep   int
	floats bool // integers are made of floats, too
	counts bool // loops run as often as variables say, too
}

func (w *writer) value() string {
	if w.r.Intn(4) == 0 {
		return fmt.Sprint(w.r.Intn(3) - 1)
	}
	return string("abc"[w.r.Intn(3)])
}

func (w *writer) sum() string {
	x, y := w.value(), w.value()
	if w.floats && w.r.Intn(3) == 0 {
		return fmt.Sprintf("int(float32(%s)*%s) - int(float32(%s-c))", x, []string{"4e8", "3"}[w.r.Intn(2)], y)
	}
	switch w.r.Intn(7) {
	case 0:
		return fmt.Sprintf("clamp(%s, %s, 2)", x, y)
	case 1:
		return fmt.Sprintf("two(%s, %s)", x, y)
	case 2:
		return fmt.Sprintf("generic(%s, %s)", x, y)
	case 4:
		return fmt.Sprintf("pick(%s, %s, %s) - pick(%[1]s, %[2]s, %[4]s)", x, y, w.value(), w.value())
	case 3:
		return fmt.Sprintf("int(int8(%s*%s))", x, y)
	}
	return x + " " + string("+-*"[w.r.Intn(3)]) + " " + y
}

// change writes a statement about a record.
func (w *writer) change() {
	r, o := string("pq"[w.r.Intn(2)]), string("pq"[w.r.Intn(2)])
	f := [...]string{"n", "in.u", "in.v"}[w.r.Intn(3)]
	switch w.r.Intn(10) {
	case 0:
		fmt.Fprintf(w, "%s = %s\n", r, o)
	case 1:
		fmt.Fprintf(w, "%s.in = %s.in\n", r, o)
	case 2:
		fmt.Fprintf(w, "%s = record{%s, inner{v: %s.%s}}\n", r, w.sum(), o, f)
	case 3:
		fmt.Fprintf(w, "a = %s.add(%s)\n", r, w.value())
	case 4:
		fmt.Fprintf(w, "b = %s.sum()\n", r)
	case 5:
		fmt.Fprintf(w, "c = %s.%s\n", r, f)
	case 6:
		fmt.Fprintf(w, "{ t := made(%[2]s); if a > b { %[1]s = t }; a += %[1]s.%[3]s; b += t.%[3]s; c += t.%[3]s }\n", r, w.value(), f)
	case 7:
		fmt.Fprintf(w, "%s.%s = %s\n%[1]s.%[2]s += %[4]s\nc += %[1]s.%[2]s\n", r, f, w.sum(), w.value())
	case 8:
		fmt.Fprintf(w, "a = bump(&%c, %s)\nb += bump(&%[1]c, c)\n", "abc"[w.r.Intn(3)], w.value())
	default:
		fmt.Fprintf(w, "%s.%s = %s\n", r, f, w.sum())
	}
}

func (w *writer) block(n int) {
	for range 1 + w.r.Intn(n+1) {
		v := string("abc"[w.r.Intn(3)])
		switch k := w.r.Intn(9); {
		case k > 6:
			w.change()
		case k == 0 && w.deep < 3:
			fmt.Fprintf(w, "if %s < %s {\n", w.sum(), w.sum())
			w.inner(n)
			if w.r.Intn(2) == 0 {
				w.WriteString("} else {\n")
				w.inner(n)
			}
			w.WriteString("}\n")
		case k < 3 && w.counts && w.deep < 2:
			w.counted(n)
		case k == 1 && w.deep < 3:
			fmt.Fprintf(w, "%s\n", [...]string{"for k := range 3 { a += k", "for k := 4; k > 0; k -= 2 { b -= k", "for k := 0; k < 3; k++ { c += k"}[w.r.Intn(3)])
			w.inner(n)
			fmt.Fprintf(w, "%s}\n", [...]string{"", "if " + w.sum() + " == 0 { break }\n"}[w.r.Intn(2)])
		default:
			fmt.Fprintf(w, "%s = %s\n", v, w.sum())
		}
	}
}

func (w *writer) inner(n int) {
	w.deep++
	w.block(n)
	w.deep--
}

// counted writes a loop to a bound that is a variable.
func (w *writer) counted(n int) {
	first, by := w.value(), 1+w.r.Intn(3)
	bound := [...]string{"m", "m", "m*2 - o", "m + 1"}[w.r.Intn(4)]
	fmt.Fprintf(w, "{ m, o := clamp(%s, -3, 9), clamp(%s, -1, 4)\n_ = o\n", w.sum(), first)
	switch w.r.Intn(5) {
	case 0:
		fmt.Fprintf(w, "for k := range m { a += k\n")
	case 1:
		fmt.Fprintf(w, "for k := o; k <= %s; k += %d { b -= k\n", bound, by)
	case 2:
		fmt.Fprintf(w, "for k := o; %s > k; k += %d { b += k\n", bound, by)
	case 3:
		fmt.Fprintf(w, "for k := o; ; k += %d { if k >= %s { break }\nc += k\n", by, bound)
	default:
		fmt.Fprintf(w, "for k := o; k < %s; k++ { a, b, c = b, c, a + k\n", bound)
	}
	if w.r.Intn(3) == 0 {
		fmt.Fprintf(w, "if %s < %s { continue }\n", w.sum(), w.sum())
	}
	w.inner(n)
	w.WriteString("} }\n")
}
