package inline

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// seriesOf are the loops of a function of which several iterations can be made at a time.
func seriesOf(fn *ssa.Function, times func() int) (all []*Series) {
	for _, b := range fn.Blocks {
		if s := SeriesAt(b); s != nil {
			s.Times = times()
			all = append(all, s)
		}
	}
	return all
}

// TestRepeatRandom executes functions with loops of which several iterations are made at a time.
func TestRepeatRandom(t *testing.T) {
	repeated, ways := 0, map[string]bool{}
	for seed := range int64(40) {
		g := &writer{r: rand.New(rand.NewSource(seed)), counts: true}
		g.counted(2)
		g.block(1)
		g.remade(t, seed, false, 20, func(fn *ssa.Function, sites *Sites) (*ssa.Function, *Sites) {
			series := seriesOf(fn, func() int { return 2 + g.r.Intn(3) })
			for _, s := range series {
				ways[fmt.Sprint(s.last, s.op)] = true
			}
			repeated += len(series)
			return NewRepeated(fn, sites, series)
		})
	}
	if repeated < 40 || len(ways) < 3 {
		t.Errorf("%d loops: %v", repeated, ways)
	}
}

// TestRepeatEnds: nothing wraps around at the ends of an int, and iterations are made several at a time where there are as many.
func TestRepeatEnds(t *testing.T) {
	for _, loop := range []string{
		"for n := a; n < b; n++ { s = 3*s + n }",
		"for n := a; n < b; n += 2 { s = 3*s + n }",
		"for n := a; n <= b; n++ { s = 3*s + n }",
		"for n := a; ; n++ { if n >= b+1 { break }; s = 3*s + n }",
		"for n := range b - a { s = 3*s + n + a }",
	} {
		fn := build(t, "func F(a, b int) (s, r int) { s = 1; "+loop+"; return s, a }").Func("F")
		whole, sites := Expand(fn, never, noCalls, all)
		series := seriesOf(whole, func() int { return 4 })
		if len(series) != 1 {
			t.Errorf("%s: %d loops", loop, len(series))
			continue
		}
		to, _ := NewRepeated(whole, sites, series)
		for _, a := range []int64{math.MinInt64, math.MinInt64 + 1, -5, -1, 0, 1, 2, 3, 4, math.MaxInt64 - 20} {
			for n := range int64(20) {
				for _, b := range []int64{a + n, a - n, math.MinInt64, math.MinInt64 + 2} {
					if d := float64(b) - float64(a); d > 20 || b-a > 20 { // it takes long
						continue
					}
					if got, want := run(to, []int64{a, b})[0], run(fn, []int64{a, b})[0]; got != want {
						t.Fatalf("%s: F(%d, %d) is %d, want %d:\n%s", loop, a, b, got, want, text(to))
					}
				}
			}
		}
	}
}

// TestSeries says which loops are found.
func TestSeries(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"to a bound", "for k := a; k < n; k++ { s += k }", 1},
		{"over an int", "for k := range n { s += k }", 1},
		{"by any step", "for k := 0; k < n; k += a { s += k }", 0},
		{"downwards", "for k := n; k > 0; k-- { s += k }", 0},
		{"left early", "for k := 0; k < n; k++ { if k == s { break }; s += k }", 0},
		{"with a loop within", "for k := 0; k < n; k++ { for range a { s++ } }", 1},
		{"to a bound that changes", "for k := 0; k < n; k++ { if s > k { n-- }; s += k }", 0},
		{"to a length", "for k := 0; k < len(x); k++ { s += x[k] }", 1},
		{"to what is loaded", "for k := 0; k < x[0]; k++ { x[1] = k }", 0},
		{"to a quotient", "for k := 0; k < a/n; k++ { s += k }", 0},
		{"of short ints", "for k := int8(0); k < int8(n); k++ { s += int(k) }", 0},
		{"of unsigned ints", "for k := uint32(0); k < uint32(n); k++ { s += int(k) }", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := build(t, "func F(a, n int, x []int) (s int) { "+c.body+"; return s }").Func("F")
			whole, _ := Expand(fn, never, noCalls, all)
			if got := len(seriesOf(whole, func() int { return 2 })); got != c.want {
				t.Errorf("%d loops, want %d, in\n%s", got, c.want, text(whole))
			}
		})
	}
}
