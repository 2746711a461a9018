package inline

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// noCalls says of no call that it only computes.
func noCalls(*ssa.Call) bool { return false }

// A loop of which each iteration computes the same runs once, and one in which an iteration knows of another, or is seen, as often as it did.
func TestOnce(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"a number of rounds", "e := a; for range b { e = a*a - b }; return e", true},
		{"of 32 bits", "e := a; for range int32(b) { e = a*a - b }; return e", true},
		{"with branches", "e, f := 0, 1; for range b { if e = a - b; a > b { e = f - e } else { e += 3 }; if e > 4 { e = 4 } }; return e", true},
		{"with a loop", "e := 0; for range b { e = a; for e > 9 { e -= b + 5 } }; return e", true},
		{"no result", "for range b { _ = a * a }; return b", true},
		{"a pure call", "e := 0; for range b { e = pure(a, b) }; return e", true},
		{"another call", "e := 0; for range b { e = other(a, b) }; return e", false},
		{"a sum", "e := 0; for range b { e += a }; return e", false},
		{"what was before", "e, was := a, 0; for range b { was = e; e = a*a - b }; return e - was", false},
		{"a choice of what was before", "e := a; for range b { if a > 2 { e = a - e } }; return e", false},
		{"the counter", "e := 0; for i := range b { e = a + i }; return e", false},
		{"left in the middle", "e := 0; for range b { if e = a * b; e > 7 { break }; e -= 2 }; return e", false},
		{"continued", "e := 0; for range b { if e = a * b; e > 7 { continue }; e -= 2 }; return e", true},
		{"a bound that changes", "e := 0; for i := 0; ; { e = a - b; if i++; i >= e { break } }; return e", false},
		{"steps of two", "e, i := 0, 0; for { e = a - b; if i += 2; i >= b { return e } }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := build(t, "type pair struct{ a, b int }\nfunc pure(a, b int) int { return a - b }\nfunc other(a, b int) int { return a + b }\nfunc F(a, b int) int { "+c.body+" }").Func("F")
			pure := func(call *ssa.Call) bool { return call.Call.StaticCallee().Name() == "pure" }
			to, _ := Expand(fn, never, pure, func(*ssa.Call, *ssa.Function, *Site) bool { return false })
			if to == nil {
				t.Fatal("it has no copy")
			}
			if err := wrong(to); err != nil {
				t.Errorf("%v in\n%s", err, text(to))
			}
			loops := func(fn *ssa.Function) (n int) {
				for _, b := range fn.Blocks {
					n += len(slices.DeleteFunc(slices.Clone(b.Succs), func(s *ssa.BasicBlock) bool { return !s.Dominates(b) }))
				}
				return n
			}
			if got := loops(to) < loops(fn); got != c.want {
				t.Errorf("it runs once: %v, want %v:\n%s", got, c.want, text(to))
			}
			for a := range int64(20) {
				for _, b := range []int64{-3, 0, 1, 2, 5, 9} {
					if got, want := run(to, []int64{a, b}), run(fn, []int64{a, b}); !slices.Equal(got, want) {
						t.Errorf("F(%d, %d) is %d, want %d", a, b, got, want)
					}
				}
			}
		})
	}
}
