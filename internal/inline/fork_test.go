package inline

import (
	"fmt"
	"math/rand"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// forksOf are forks behind all blocks that make integers of floats but such as others dominate, each with the first integers that do not depend on
// another one.
func forksOf(fn *ssa.Function, r *rand.Rand) (all []Fork) {
	for _, b := range fn.DomPreorder() {
		k := Fork{Block: b}
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Convert)
			if ok && fmt.Sprint(c.X.Type()) == "float32" && (len(k.Ints) == 0 || r.Intn(2) == 0 && !dependsOn(c, k.Ints[0])) {
				k.Ints = append(k.Ints, c)
			}
		}
		if len(k.Ints) > 0 && !dominatesOne(all, b) {
			all = append(all, k)
		}
	}
	return all
}

func dominatesOne(all []Fork, b *ssa.BasicBlock) bool {
	for _, k := range all {
		if k.Block.Dominates(b) {
			return true
		}
	}
	return false
}

// dependsOn reports whether a value is made of another one of its block.
func dependsOn(v, of ssa.Value) bool {
	if v == of {
		return true
	}
	i, ok := v.(ssa.Instruction)
	if !ok || i.Block() != of.(ssa.Instruction).Block() {
		return false
	}
	if _, phi := v.(*ssa.Phi); phi {
		return false
	}
	for _, o := range i.Operands(nil) {
		if *o != nil && dependsOn(*o, of) {
			return true
		}
	}
	return false
}

// belonging is how many instructions of a function belong to sites.
func belonging(fn *ssa.Function, sites *Sites) (n int) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if sites.Of[i] != nil {
				n++
			}
		}
	}
	return n
}

// TestForkRandom executes functions with forks, whose integers are sometimes small and sometimes not.
func TestForkRandom(t *testing.T) {
	forked := 0
	for seed := range int64(150) {
		g := &writer{r: rand.New(rand.NewSource(seed)), floats: true}
		g.block(3)
		g.remade(t, seed, true, 30, func(fn *ssa.Function, sites *Sites) (*ssa.Function, *Sites) {
			forks := forksOf(fn, g.r)
			forked += len(forks)
			return NewForked(fn, sites, forks)
		})
	}
	if forked < 100 {
		t.Errorf("%d forks", forked)
	}
}

// remade makes a function of what was written, has it made again in another form, and executes both with some arguments.
func (w *writer) remade(t *testing.T, seed int64, unrolls bool, runs int, again func(fn *ssa.Function, sites *Sites) (*ssa.Function, *Sites)) {
	t.Helper()
	source := helpers + records + "func pick(a, x, y int) int { if a < 1 { return x }; return y }\nfunc F(a, b, c int) int {\nvar p, q record\n" + w.String() +
		"\nreturn a + 3*b + 5*c + 7*p.n + 11*q.in.u + 13*p.in.v + 17*q.n }"
	fn := build(t, source).Func("F")
	whole, sites := Expand(fn, func() bool { return unrolls }, noCalls, all)
	before := text(whole)
	to, toSites := again(whole, sites)
	if err := wrong(to); err != nil {
		t.Fatalf("seed %d: %v in\n%s\n%s", seed, err, source[len(helpers):], text(to))
	}
	if text(whole) != before {
		t.Fatalf("seed %d: what was given has changed", seed)
	}
	if got, want := belonging(to, toSites), belonging(whole, sites); got < want {
		t.Errorf("seed %d: %d instructions belong to sites, and %d did before", seed, got, want)
	}
	for k := range runs {
		args := []int64{int64(k%5 - 2), int64(k/5 - 2), int64(k%7 - 3)}
		if got, want := run(to, args)[0], run(fn, args)[0]; got != want {
			t.Fatalf("seed %d: F(%d) is %d, want %d:\n%s\n%s\n%s", seed, args, got, want, source[len(helpers):], before, text(to))
		}
	}
}

// TestForkReferrers: each value knows what refers to it, once for each operand.
func TestForkReferrers(t *testing.T) {
	fn := build(t, `func F(f, g float32, w int) (s int) {
	for k := range w {
		x, y := int(f*float32(k)), int(g)
		if x > w { continue }
		s += x%w + y*y
	}
	return s
}`).Func("F")
	whole, sites := Expand(fn, never, noCalls, all)
	to, _ := NewForked(whole, sites, forksOf(whole, rand.New(rand.NewSource(1))))
	want := map[ssa.Value]int{}
	for _, b := range to.Blocks {
		for _, i := range b.Instrs {
			for _, o := range i.Operands(nil) {
				if *o != nil {
					want[*o]++
				}
			}
		}
	}
	for _, b := range to.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok && len(*v.Referrers()) != want[v] {
				t.Errorf("%s has %d referrers, want %d", v.Name(), len(*v.Referrers()), want[v])
			}
		}
	}
}
