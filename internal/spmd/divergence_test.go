package spmd

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file tests the analyses of control flow: random functions in the form
// that Vectorize reads are run one lane after the other, and what the analysis
// claims of values, masks and loops is held against what the lanes did.

var divergenceFuncs = flag.Int("divergence", 600, "random functions of TestDivergence")

// TestDivergence runs random functions of nested loops, left and continued from
// any depth. Lanes that are in the same iteration of every loop are in a block
// together, so there a value that is claimed uniform must be one number, the
// lanes of a block those of the block whose mask it has, and a loop that is not
// claimed divergent must end for all at once.
func TestDivergence(t *testing.T) {
	ran := 0
	for seed := range uint64(*divergenceFuncs) {
		text := randomFlow(rand.New(rand.NewPCG(seed, 0)))
		if text == "" {
			continue
		}
		mod, err := ll.Parse(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		f := mod.Func("k")
		params := map[*ll.Param]divergence.Shape{}
		for _, p := range f.Params {
			params[p] = divergence.IsUniform
		}
		const lanes = 8
		a := divergence.Analyse(f, lanes, 32, true, 0, params)
		w := &witness{a: a, e: (&vectorizer{n: lanes, mod: mod}).newEmitter(a, "all"), values: map[string]map[*ll.Inst]map[int]int64{},
			present: map[string]map[*ll.Block][]int{}, trips: map[string]int{},
			came: map[string]map[*ll.Block]map[int]string{}}
		ends := true
		for lane := 0; ends && lane < lanes; lane++ {
			ends = w.run(f, lane, int64(seed%3))
		}
		if !ends {
			continue
		}
		ran++
		w.check()
		if w.fault != "" {
			t.Fatalf("seed %d: %s\n%s", seed, w.fault, text)
		}
		if seed%20 > 0 {
			continue // emission takes longer than all the rest
		}
		if _, err := Vectorize(text, Options{Kernel: "k", ISA: "x86-64-v3", WarpSize: 32}); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
	t.Logf("%d functions ran", ran)
}

// A witness has seen what each lane did.
type witness struct {
	a *divergence.Analysis
	e *emitter
	// values holds the results by iterations and instruction, present the lanes
	// by iterations and block: iterations are the numbers of those of the loops
	// around, "2.0".
	values  map[string]map[*ll.Inst]map[int]int64
	present map[string]map[*ll.Block][]int
	trips   map[string]int // iterations of a loop's visit
	// came holds in which iterations a lane of a block was in the one whose mask that has.
	came  map[string]map[*ll.Block]map[int]string
	fault string
}

// depth is how many loops are around a block.
func (w *witness) depth(b *ll.Block) int {
	n := 0
	for l := w.a.Loops[b.Index]; l != nil; l = l.Parent {
		n++
	}
	return n
}

func iterations(counts []int) string { return fmt.Sprint(counts) }

// run is one lane; false: it does not end.
func (w *witness) run(f *ll.Func, lane int, arg int64) bool {
	vals := map[ll.Value]int64{}
	for _, p := range f.Params {
		vals[p] = arg
	}
	get := func(v ll.Value) int64 {
		if n := divergence.Constant(v); n != nil {
			return *n
		}
		return vals[v]
	}
	var counts []int // of the loops around, outermost first
	var prev *ll.Block
	b := f.Blocks[0]
	last := map[*ll.Block]string{}
	for range 3000 {
		d := w.depth(b)
		if l := w.a.Loops[b.Index]; l != nil && l.Header == b {
			if prev == l.Latch {
				counts = counts[:d]
				counts[d-1]++
			} else {
				counts = append(counts[:d-1], 0)
			}
		}
		if prev != nil {
			for l := w.a.Loops[prev.Index]; l != nil && !l.Has(b); l = l.Parent {
				w.leave(l, counts[:w.depth(l.Header)], lane)
			}
		}
		counts = counts[:d]
		key := iterations(counts)
		if w.present[key] == nil {
			w.present[key], w.values[key] = map[*ll.Block][]int{}, map[*ll.Inst]map[int]int64{}
		}
		w.present[key][b] = append(w.present[key][b], lane)
		last[b] = key
		if from := w.e.maskFrom(b); from != nil {
			if w.came[key] == nil {
				w.came[key] = map[*ll.Block]map[int]string{}
			}
			if w.came[key][b] == nil {
				w.came[key][b] = map[int]string{}
			}
			w.came[key][b][lane] = last[from]
		}
		phis := map[ll.Value]int64{}
		for _, i := range b.Insts {
			if i.Op == "phi" {
				phis[i] = get(i.Args[slices.Index(i.Blocks, prev)])
			}
		}
		for _, i := range b.Insts {
			switch i.Op {
			case "phi":
				vals[i] = phis[i]
			case "ret":
				return true
			case "br":
				next := i.Blocks[0]
				if len(i.Args) > 0 && get(i.Args[0]) == 0 {
					next = i.Blocks[1]
				}
				prev, b = b, next
				continue
			default:
				vals[i] = laneValue(i, lane, get)
			}
			if w.values[key][i] == nil {
				w.values[key][i] = map[int]int64{}
			}
			w.values[key][i][lane] = vals[i]
		}
	}
	return false
}

// laneValue is a lane's result of an instruction.
func laneValue(i *ll.Inst, lane int, get func(ll.Value) int64) int64 {
	switch i.Op {
	case "call":
		return int64(lane)
	case "add":
		return int64(int32(get(i.Args[0]) + get(i.Args[1])))
	case "xor":
		return get(i.Args[0]) ^ get(i.Args[1])
	case "and":
		return get(i.Args[0]) & get(i.Args[1])
	case "icmp":
		if x, y := get(i.Args[0]), get(i.Args[1]); i.Pred == "eq" && x == y || i.Pred == "sgt" && x > y {
			return 1
		}
	}
	return 0
}

// leave notes how often a lane went around a loop.
func (w *witness) leave(l *divergence.Loop, counts []int, lane int) {
	if l.Divergent {
		return
	}
	n := counts[len(counts)-1]
	visit := l.Header.Name + iterations(counts[:len(counts)-1])
	if old, ok := w.trips[visit]; ok && old != n {
		w.fault = fmt.Sprintf("the loop at %%%s is not said to be divergent, but lane %d leaves it in iteration %d, others in %d", l.Header.Name, lane, n, old)
	}
	w.trips[visit] = n
}

func (w *witness) check() {
	for key, insts := range w.values {
		for i, byLane := range insts {
			s := w.a.Shapes[i]
			if !s.Flat() {
				continue
			}
			first := true
			var base int64
			for lane, n := range byLane {
				if n -= int64(lane) * s.Stride; first {
					base, first = n, false
				} else if int32(n) != int32(base) {
					w.fault = fmt.Sprintf("%%%s is said to be %s, but in iterations %s it is %v", i.Name, s.Describe(), key, byLane)
				}
			}
		}
	}
	for key, blocks := range w.present {
		for b, lanes := range blocks {
			from := w.e.maskFrom(b)
			if from == nil {
				continue
			}
			for _, lane := range lanes {
				if have := w.present[w.came[key][b][lane]][from]; !slices.Equal(have, lanes) {
					w.fault = fmt.Sprintf("%%%s is said to have the lanes of %%%s, but in iterations %s has %v of %v", b.Name, from.Name, key, lanes, have)
				}
			}
		}
	}
}

// A flowGen writes a random function with structured control flow, with phi
// nodes for each of its variables wherever ways meet.
type flowGen struct {
	r      *rand.Rand
	blocks []*flowBlock
	cur    *flowBlock
	vars   []string
	next   int
	loops  []*flowLoop
	size   int
}

type flowBlock struct {
	name  string
	phis  []string   // results
	in    [][]string // operands by predecessor
	preds []string
	lines []string
}

// A flowLoop is a loop around the current place.
type flowLoop struct{ latch, after *flowBlock }

const (
	flowVars = 5
	fuel     = 4 // the variable that counts iterations of all loops
)

func randomFlow(r *rand.Rand) string {
	g := &flowGen{r: r}
	g.cur = g.block("b")
	g.line("%%lane = call i32 @heddle.lane()")
	g.vars = []string{"%lane", "0", "%p", "7", "0"}
	g.statements(0)
	if g.cur == nil {
		return "" // it cannot end
	}
	g.line("ret void")
	var b strings.Builder
	b.WriteString("define void @k(i32 %p) {\n")
	for _, x := range g.blocks {
		if len(x.preds) == 0 && x != g.blocks[0] {
			continue // nothing leads here
		}
		b.WriteString(x.name + ":\n")
		for n, phi := range x.phis {
			var in []string
			for k, pred := range x.preds {
				in = append(in, fmt.Sprintf("[ %s, %%%s ]", x.in[k][n], pred))
			}
			fmt.Fprintf(&b, "  %s = phi i32 %s\n", phi, strings.Join(in, ", "))
		}
		for _, l := range x.lines {
			b.WriteString("  " + l + "\n")
		}
	}
	b.WriteString("}\n\ndeclare i32 @heddle.lane()\n")
	return b.String()
}

func (g *flowGen) fresh() string { g.next++; return fmt.Sprintf("v%d", g.next) }

func (g *flowGen) block(kind string) *flowBlock {
	b := &flowBlock{name: kind + g.fresh()}
	g.blocks = append(g.blocks, b)
	return b
}

func (g *flowGen) line(format string, args ...any) {
	g.cur.lines = append(g.cur.lines, fmt.Sprintf(format, args...))
}

func (g *flowGen) let(format string, args ...any) string {
	name := "%" + g.fresh()
	g.line("%s = %s", name, fmt.Sprintf(format, args...))
	return name
}

// comes notes an edge from the current block; goTo also ends the block.
func (g *flowGen) comes(to *flowBlock) {
	to.preds, to.in = append(to.preds, g.cur.name), append(to.in, slices.Clone(g.vars))
}

func (g *flowGen) goTo(to *flowBlock) {
	g.comes(to)
	g.line("br label %%%s", to.name)
}

// begin goes on in a block where ways may meet.
func (g *flowGen) begin(b *flowBlock) {
	// Blocks are printed in the order in which they are begun.
	g.blocks = append(slices.DeleteFunc(g.blocks, func(x *flowBlock) bool { return x == b }), b)
	g.cur, g.vars = b, nil
	for range flowVars {
		b.phis = append(b.phis, "%"+g.fresh())
	}
	g.vars = slices.Clone(b.phis)
}

func (g *flowGen) branch(yes, no *flowBlock) {
	cond := g.let("icmp eq i32 %s, %d", g.let("and i32 %s, %d", g.vars[g.r.IntN(flowVars)], 1+2*g.r.IntN(2)), g.r.IntN(2))
	g.comes(yes)
	g.comes(no)
	g.line("br i1 %s, label %%%s, label %%%s", cond, yes.name, no.name)
}

// statements ends with a current block, or nil where control never comes.
func (g *flowGen) statements(depth int) {
	for range 1 + g.r.IntN(4) {
		if g.cur == nil || g.size > 25 {
			return
		}
		g.size++
		switch k := g.r.IntN(9); {
		case k < 3:
			op := []string{"add", "xor"}[g.r.IntN(2)]
			with := []string{"1", "3", g.vars[g.r.IntN(flowVars)]}[g.r.IntN(3)]
			n := g.r.IntN(fuel)
			g.vars[n] = g.let("%s i32 %s, %s", op, g.vars[n], with)
		case k < 5:
			g.conditional(depth)
		case k < 7 && depth < 3:
			g.loop(depth)
		case len(g.loops) > 0: // if c { break or continue, of any loop around }
			out, stay := g.block("out"), g.block("stay")
			g.branch(out, stay)
			g.begin(out)
			n := g.r.IntN(len(g.loops))
			g.jump(n, g.r.IntN(2) == 0)
			g.begin(stay)
		}
	}
}

// jump leaves or continues a loop around; leaving goes by a block of its own.
func (g *flowGen) jump(n int, leave bool) {
	l := g.loops[n]
	to := l.latch
	if leave {
		to = l.after
	}
	g.goTo(to)
	g.cur = nil
}

func (g *flowGen) conditional(depth int) {
	yes, no, end := g.block("yes"), g.block("no"), g.block("end")
	g.branch(yes, no)
	for _, b := range []*flowBlock{yes, no} {
		g.begin(b)
		if b == yes || g.r.IntN(2) == 0 {
			g.statements(depth + 1)
		}
		if g.cur != nil {
			g.goTo(end)
		}
	}
	g.resume(end)
}

// resume goes on at a block unless nothing leads there.
func (g *flowGen) resume(b *flowBlock) {
	if len(b.preds) == 0 {
		g.cur = nil
		return
	}
	g.begin(b)
}

// loop is a loop of a few iterations, counted by itself, or endless but for
// what leaves it or a count of all iterations.
func (g *flowGen) loop(depth int) {
	header, body, latch, done, after := g.block("head"), g.block("body"), g.block("latch"), g.block("done"), g.block("after")
	pre := g.cur.name
	g.goTo(header)
	g.begin(header)
	count, next := "%"+g.fresh(), "%"+g.fresh()
	g.line("%s = add i32 %s.phi, 0", count, count)
	g.loops = append(g.loops, &flowLoop{latch, after})
	cond, to := "", after
	switch g.r.IntN(4) {
	case 0: // it ends by what is in it, if at all
	case 1: // or once all loops together have run often enough, and others with it
		g.vars[fuel] = g.let("add i32 %s, 1", g.vars[fuel])
		cond = g.let("icmp sgt i32 %s, %d", g.vars[fuel], 10)
		to = g.loops[g.r.IntN(len(g.loops))].after
	default:
		cond = g.let("icmp sgt i32 %s, %d", count, 1+g.r.IntN(3))
	}
	if cond == "" {
		g.goTo(body)
	} else {
		g.comes(done)
		g.comes(body)
		g.line("br i1 %s, label %%%s, label %%%s", cond, done.name, body.name)
	}
	g.begin(body)
	g.statements(depth + 1)
	g.loops = g.loops[:len(g.loops)-1]
	if g.cur != nil {
		g.goTo(latch)
	}
	if len(latch.preds) > 0 {
		g.begin(latch)
		g.line("%s = add i32 %s, 1", next, count)
		g.goTo(header)
		header.lines[0] = fmt.Sprintf("%s.phi = phi i32 [ 0, %%%s ], [ %s, %%%s ]", count, pre, next, latch.name)
		header.lines = slices.Insert(header.lines, 1, fmt.Sprintf("%s = add i32 %s.phi, 0", count, count))
	} else {
		header.lines[0] = fmt.Sprintf("%s = add i32 0, 0", count)
	}
	if cond != "" {
		g.begin(done)
		g.goTo(to)
	}
	g.resume(after)
}
