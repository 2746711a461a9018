package inline

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

const options = `
type option interface { Set() bool; Ways() int }
type yes struct{}
type no struct{}
func (yes) Set() bool { return true }
func (no) Set() bool { return false }
func (yes) Ways() int { return 4 }
func (no) Ways() int { return 1 }
func next[O option](at, end, step int) int { var o O; at += step; if o.Set() && at >= end { at -= 2 * step }; return at }
func skip[O option](at int) int { var o O; if !o.Set() || at > 3 { at++ }; return at }
func ways[O option](n int) (s int) { var o O; for k := range n { if o.Ways() == 4 { s += 4 * k; continue }; if k == 7 { break }; s += k }; return s }
func again[O option](n int) (s int) { var o O; for { s += n; n--; if o.Set() || n <= 0 { return s } } }
`

// TestPrune shows that nothing is left of ways that a constant forbids, and that the function does what it did.
func TestPrune(t *testing.T) {
	for _, c := range []struct {
		name, body string
		branches   int
	}{
		{"never", "for range 3 { a = next[no](a, b, 2) }; return a", 1},
		{"perhaps", "for range 3 { a = next[yes](a, b, 2) }; return a", 2},
		{"always", "return skip[no](a) + skip[no](b)", 0},
		{"or", "return skip[yes](a) + b", 1},
		{"a number", "return ways[yes](a) + b", 2},
		{"another number", "return ways[no](a) + b", 3},
		{"no loop", "return again[yes](a) + b", 0},
		{"a loop", "return again[no](a) + b", 1},
		{"what is left has no end", "if a < 100 { return a }; var y yes; for y.Set() { a++ }; return b", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := build(t, options+"func F(a, b int) int { "+c.body+" }").Func("F")
			to, _ := Expand(fn, never, noCalls, all)
			if to == nil {
				t.Fatal("it has no copy")
			}
			if err := wrong(to); err != nil {
				t.Errorf("%v in\n%s", err, text(to))
			}
			if got := strings.Count(text(to), "\tif "); got != c.branches {
				t.Errorf("%d branches, want %d, in\n%s", got, c.branches, text(to))
			}
			for _, b := range to.Blocks {
				for _, i := range b.Instrs {
					if phi, ok := i.(*ssa.Phi); ok && onlyEdge(phi) != nil {
						t.Errorf("%s is one value in\n%s", phi, text(to))
					}
				}
			}
			for a := range int64(20) {
				for _, b := range []int64{-3, 0, 5, 9} {
					if got, want := run(to, []int64{a, b}), run(fn, []int64{a, b}); !slices.Equal(got, want) {
						t.Errorf("F(%d, %d) is %d, want %d", a, b, got, want)
					}
				}
			}
		})
	}
}
