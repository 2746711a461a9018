package ssa2ir

// This file makes the checks of version.go that come before their time, and what they need.

import (
	"go/constant"
	"go/token"
	"math"
	"slices"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/ops"
	"heddle/internal/target"
)

// A guard makes checks ahead.
type guard struct {
	*version
	proof  *prover        // of the function
	values []target.Value // of the loop's variables
	or     *ir.Block      // where it goes if a check fails
	into   []target.Value // phis there
	bad    target.Value   // a check that has been made fails; nil if there is none
	runs   target.Value   // there is a first iteration; nil if that is one of the checks
	made   map[ssa.Instruction]target.Value
	// loads are what has been loaded ahead of the loop. The copies use these, and not what
	// another thread may have put there since.
	loads map[ssa.Instruction]target.Value
	// checked are accesses of which the index has been checked ahead of the loop, as it is.
	checked map[*ssa.IndexAddr]bool
	// straights are indices of the first version that are computed by steps.
	straights map[*ssa.IndexAddr]*line
	// inGroup: what is loaded is known to be there.
	inGroup bool
	steps   int          // iterations of the group
	high    target.Value // the upper halves of indices in rows (version_row.go)
}

// begin gives the loop's variables their values.
func (g *guard) begin() {
	g.made = map[ssa.Instruction]target.Value{}
	for i, phi := range g.phis {
		g.f.setPhi(phi, g.values[i])
	}
}

// fails says that the loop is run as it was if bad holds.
func (g *guard) fails(bad target.Value) {
	if g.bad != nil {
		bad = g.f.Bin("or", g.bad, bad)
	}
	g.bad = bad
}

// holds says that the loop is run as it was unless ok holds.
func (g *guard) holds(ok target.Value) { g.fails(g.f.Bin("xor", ok, target.Bool(true))) }

// decide branches by the checks that have been made: all lanes alike where they vote.
func (g *guard) decide() {
	if g.bad == nil {
		return
	}
	f := g.f
	ok := f.NewBlock()
	if f.M.T.Votes {
		g.bad = f.Do(ops.Any, nil, g.bad)
	}
	f.CondBr(g.bad, g.or, ok)
	f.unlikely()
	g.goes(g.into, g.values, f.Cur)
	f.Cur, g.bad = ok, nil
}

// value makes a value, and what it needs.
func (g *guard) value(x ssa.Value) target.Value {
	g.make(x)
	return g.f.value(x)
}

// make makes a value of the loop and what it needs. Outside a group, what is loaded is checked
// to be there first.
func (g *guard) make(x ssa.Value) {
	f := g.f
	i, ok := x.(ssa.Instruction)
	if !ok || !g.loop.blocks[i.Block()] || f.vals[x] != nil {
		return
	}
	if u, ok := x.(*ssa.UnOp); ok && u.Op == token.MUL {
		if s := g.stored(u); s != nil {
			y := g.value(s.Val)
			for _, k := range pathOf(u.X) {
				y = f.Elem(y, k)
			}
			f.set(x, y)
			g.made[i] = y
			return
		}
	}
	for _, o := range i.Operands(nil) {
		if *o != nil {
			g.make(*o)
		}
	}
	switch i := i.(type) {
	case *ssa.IndexAddr:
		if !f.hoisted[i] && !g.inGroup && !g.isSure(i) {
			g.fails(g.beyondEnd(i))
			g.checked[i] = true
		}
		f.hoisted[i] = true
	case *ssa.UnOp:
		if i.Op == token.MUL && !g.inGroup && localRoot(i.X) == nil {
			g.runsFirst()
			g.decide()
		}
	}
	if c, ok := i.(*ssa.Convert); ok && g.inGroup && g.shortens(c) {
		g.shorten(c)
	} else {
		f.instruction(i)
	}
	if u, ok := i.(*ssa.UnOp); ok && u.Op == token.MUL && g.inGroup && isInteger(x.Type()) && sizeof(x.Type()) <= 4 {
		f.set(x, f.Emit(f.vals[x].Type(), "freeze ", target.T(f.vals[x])))
	}
	g.made[i] = f.vals[x]
	if u, ok := i.(*ssa.UnOp); ok && u.Op == token.MUL && !g.inGroup {
		g.loads[i] = f.vals[x]
	}
}

// runsFirst has the lanes that run no iteration vote for the loop as it was: they may not load
// what the program does not.
func (g *guard) runsFirst() {
	if g.runs != nil {
		g.holds(g.runs)
		g.runs = nil
	}
}

// shortens reports whether a float that becomes an int, in each iteration, is made one of 32 bits.
func (g *guard) shortens(c *ssa.Convert) bool {
	t, ok := typeOf(c.Type())
	return ok && t == goInt && isFloat(c.X.Type()) && g.everyTime(c.Block()) && g.f.M.T.Narrow
}

// shorten makes an int from a float by way of 32 bits, if it fits; else the loop goes on as it
// was. What is computed from it, and the float that it may become again, take fewer instructions.
//
//	t1 = convert int <- float32 (t0)   ->   fails unless fcmp olt (fabs %t0), 0x1p31;  sext (freeze (fptosi %t0 to i32))
func (g *guard) shorten(c *ssa.Convert) {
	f := g.f
	x := f.value(c.X)
	g.holds(f.fitsSigned(x, 32))
	n := f.Emit(target.I32, "freeze ", target.T(f.Cast("fptosi", x, target.I32))) // poison if it does not fit
	f.set(c, f.IntCast(n, target.I64, true))
}

// pathOf are the fields by which v points into a local variable, the outermost first.
func pathOf(v ssa.Value) (path []int) {
	if a, ok := v.(*ssa.FieldAddr); ok {
		return append(pathOf(a.X), a.Field)
	}
	return nil
}

// wide is an integer as an i64.
func (g *guard) wide(x ssa.Value) target.Value {
	return g.f.IntCast(g.value(x), target.I64, isSigned(x.Type()))
}

// The limits of what a loop's variable and an index change by: neither wraps around.
const (
	maxRange = 1 << 40 // where the slope is a constant
	steep    = 1 << 16 // of such a slope
	maxScale = 1 << 31 // where it is not, of slope and range
)

// makeAhead makes the checks for all iterations. The variable goes from its first value to
// its last in steps of one size, and so does each index. If both its ends are in range, and
// the way between them is too short to go around, all of it is.
func (g *guard) makeAhead() {
	f := g.f
	if g.count == nil {
		g.makeMost()
		g.forget()
		return
	}
	far := g.makeRange()
	if !f.M.T.Votes {
		g.decide()
	}
	if slices.ContainsFunc(g.ahead, func(c *guarded) bool { return c.at.Block() == g.header }) {
		g.runsFirst() // such a check is made where no iteration is run, too
	}
	few := g.isFew()
	for _, c := range g.ahead {
		idx, n := f.IntCast(g.value(c.at.Index), target.I64, isSigned(c.at.Index.Type())), f.lengthOf(c.at.X)
		by := f.slopeValue(c.slope, g.value)
		g.noteLine(c, idx, by)
		last := f.Bin("add", idx, f.Bin("mul", by, far))
		switch rises := c.slope.c > 0 == (g.count.by >= 0); {
		case !c.slope.constant() && few && c.slope.rises():
			g.rises(c, by, idx, last)
		case !c.slope.constant():
			g.fails(f.ICmp("uge", idx, n))
			g.fails(f.isSteep(by))
			g.fails(f.ICmp("uge", last, n))
		case c.slope.c == 0 && g.checked[c.at]: // as the place of what the loop's test loads is
		case c.slope.c == 0:
			g.fails(g.beyondEnd(c.at))
		case rises:
			g.fails(g.outside(c, idx, last, n))
		default:
			g.fails(g.outside(c, last, idx, n))
		}
	}
	if g.runs != nil && g.bad != nil {
		g.bad = f.Bin("and", g.runs, g.bad)
	}
	g.decide()
	g.loadStaying()
	g.forget()
}

const fewTrips = 16 // of loops whose checks ahead are worth sharing

// isFew reports whether the loop runs a few times, and how often is known.
func (v *version) isFew() bool {
	l := v.f.in.loops[v.header]
	return l != nil && l.trips > 0 && l.trips <= fewTrips
}

// rises makes the check of an index whose slope is taken to rise, as in hoist.go, whose checks then share what is compared.
func (g *guard) rises(c *guarded, by, first, last target.Value) {
	f, n := g.f, g.f.lengthOf(c.at.X)
	if g.count.by < 0 {
		first, last = last, first
	}
	if row, limit := f.rowLimit(g.proof, c.at, c.slope); row != nil {
		g.fails(f.isBeyond(row, g.value(row), limit))
		g.fails(f.ICmp("uge", last, n))
		return
	}
	g.fails(f.ICmp("uge", by, target.Int(target.I64, maxScale)))
	g.fails(f.outside(first, last, n))
}

// noteLine notes an index of the first version as a line (hoist_make.go). LLVM unrolls a loop of few iterations wholly,
// and each index is then the one before it and a step.
func (g *guard) noteLine(c *guarded, begin, by target.Value) {
	if !g.f.M.T.Votes || c.slope.constant() || !g.isFew() || sizeof(c.at.Index.Type()) != 8 {
		return
	}
	if at, _ := phiSteps(g.count.phi); at != nil {
		if first, ok := constant.Int64Val(at); ok {
			g.straights[c.at] = &line{begin: begin, by: []target.Value{by}, phis: []*ssa.Phi{g.count.phi}, first: []int64{first}}
		}
	}
}

// makeMost makes the checks for as many iterations as there may be.
func (g *guard) makeMost() {
	f := g.f
	for _, c := range g.ahead {
		idx, n := f.IntCast(g.value(c.at.Index), target.I64, isSigned(c.at.Index.Type())), f.lengthOf(c.at.X)
		last := f.Bin("add", idx, target.Int(target.I64, c.by*(g.trips-1)))
		switch {
		case c.by == 0:
			g.fails(f.ICmp("uge", idx, n))
		case c.by > 0:
			g.fails(f.outside(idx, last, n))
		default:
			g.fails(f.outside(last, idx, n))
		}
	}
	g.decide()
}

// makeRange makes what there is to check of the variable, and how far it goes.
func (g *guard) makeRange() target.Value {
	f, c := g.f, g.count
	i64 := func(k int64) target.Value { return target.Int(target.I64, k) }
	first := g.wide(c.phi)
	if c.next {
		first = f.Bin("add", first, i64(c.by))
	}
	bound := g.wide(c.test.Y)
	rises, op := c.by >= 0, c.order()
	runs := f.ICmp(predicates.Get()[op][0], first, bound)
	if f.M.T.Votes && !g.atEnd {
		g.runs = runs // lanes that run no iteration have no vote in the end
	} else {
		g.holds(runs)
	}
	last := bound
	switch op {
	case token.LSS:
		last = f.Bin("sub", bound, i64(1))
	case token.GTR:
		last = f.Bin("add", bound, i64(1))
	}
	far := f.Bin("sub", last, first)
	if !rises {
		far = f.Bin("sub", first, last)
	}
	t, _ := typeOf(c.phi.Type())
	least, most := t.full().lo, t.full().hi
	switch {
	case c.by == 0:
		by := g.wide(c.step)
		g.holds(f.ICmp("sgt", by, i64(0)))
		g.fails(f.ICmp("ugt", by, i64(maxRange)))
		g.fails(f.ICmp("sgt", last, f.Bin("sub", i64(most), by)))
	case c.by > 1:
		g.fails(f.ICmp("sgt", last, i64(most-c.by)))
		far = f.Bin("sub", far, f.Bin("urem", far, i64(c.by)))
	case c.by < -1:
		g.fails(f.ICmp("slt", last, i64(least-c.by)))
		far = f.Bin("sub", far, f.Bin("urem", far, i64(-c.by)))
	case op == token.LEQ:
		g.fails(f.ICmp("eq", last, i64(most)))
	case op == token.GEQ:
		g.fails(f.ICmp("eq", last, i64(least)))
	}
	limit := int64(maxRange)
	for _, a := range g.ahead {
		if !a.slope.constant() {
			limit = maxScale
		}
	}
	if limit < maxRange || !g.isShort() {
		g.fails(f.ICmp("uge", far, i64(limit)))
	}
	if !rises {
		far = f.Bin("sub", i64(0), far)
	}
	return far
}

// makeGroup makes the checks of the next iterations, if there are as many, and returns what
// has been computed for each.
func (g *guard) makeGroup() (all []map[ssa.Instruction]target.Value) {
	f := g.f
	g.inGroup = true
	at := slices.Clone(g.values)
	if g.count != nil {
		g.begin()
		g.passed()
		g.makeRest()
	}
	for k := range g.steps {
		g.made = map[ssa.Instruction]target.Value{}
		for i, phi := range g.phis {
			if g.lines[phi] {
				f.setPhi(phi, at[i])
			}
		}
		g.passed()
		for _, a := range g.group {
			if f.opts.NoBounds {
				if g.lowSum(a.at) == nil {
					g.value(a.at.Index)
				}
				continue
			}
			reach := a.reach
			if a.straight {
				if a.by >= 0 && k > 0 || a.by < 0 && k < g.steps-1 {
					continue
				}
				reach = max(a.by, -a.by) * int64(g.steps-1)
			}
			if a.spare {
				continue
			}
			n := f.shorter(f.lengthOf(a.at.X), reach)
			var bad target.Value
			if len(a.when) == 0 {
				bad = g.rowBeyond(a.at, n)
			}
			if bad == nil {
				bad = g.beyond(a.at.Index, n)
			}
			for _, w := range a.when {
				cond := g.value(w.v)
				if !w.truth {
					cond = f.not(cond)
				}
				bad = f.Bin("and", bad, cond)
			}
			g.fails(bad)
		}
		for _, u := range g.loaded {
			g.make(u)
		}
		for i, phi := range g.phis {
			if g.lines[phi] {
				at[i] = g.value(g.back(phi))
			}
		}
		all = append(all, g.made)
		g.forget()
	}
	g.useLoads(all)
	if g.high != nil {
		g.fails(f.ICmp("ugt", g.high, target.Int(target.I64, math.MaxUint32)))
		g.high = nil
	}
	g.decide()
	return all
}

// useLoads has LLVM leave ahead of the checks what is loaded there: the loads are under way together.
func (g *guard) useLoads(all []map[ssa.Instruction]target.Value) {
	uses := g.f.M.T.Uses
	if uses == nil {
		return
	}
	for _, made := range all {
		for _, u := range g.loaded {
			if v := made[u]; v != nil {
				uses(g.f.Builder, v)
			}
		}
	}
}

// beyond is whether an index is not below n, a length. One that has been made from an integer of 32 bits is compared in as
// many; where n is 2^32 or more, the greatest uint32 then counts as beyond.
func (g *guard) beyond(index ssa.Value, n target.Value) target.Value {
	f := g.f
	x := g.value(index)
	from := index
	if c, ok := index.(*ssa.Convert); ok && isInteger(c.X.Type()) && sizeof(c.X.Type()) < sizeof(c.Type()) {
		from = c.X // the value is the same, or negative
	}
	t, ok := typeOf(from.Type())
	if !ok || t.bits > 32 || !f.M.T.Narrow {
		return f.ICmp("uge", f.IntCast(x, target.I64, isSigned(index.Type())), n)
	}
	limit := int64(math.MaxUint32)
	if t.signed {
		limit = 1 << 31 // as a negative index is
	}
	n = f.IntCast(f.Intrinsic("llvm.umin.i64", target.I64, n, target.Int(target.I64, limit)), target.I32, false)
	return f.ICmp("uge", f.IntCast(g.value(from), target.I32, t.signed), n)
}

// passed notes the checks that have been made for all iterations, and what was loaded for them.
func (g *guard) passed() {
	for i, x := range g.loads {
		g.f.set(i.(ssa.Value), x)
		g.made[i] = x
	}
	for _, a := range g.ahead {
		g.f.hoisted[a.at] = true
	}
}

// makeRest checks that the loop's test will hold for a group of iterations. The variable is
// not behind its last value, and that is not too far away.
func (g *guard) makeRest() {
	f, c := g.f, g.count
	i64 := func(k int64) target.Value { return target.Int(target.I64, k) }
	at, bound := g.wide(c.phi), g.wide(c.test.Y)
	steps := int64(g.steps - 1)
	if c.next || g.atEnd {
		steps++
	}
	far := i64(steps * c.by)
	if c.by == 0 {
		far = f.Bin("mul", g.wide(c.step), i64(steps))
	}
	g.holds(f.ICmp(predicates.Get()[c.order()][0], far, f.Bin("sub", bound, at)))
	g.makeSecond()
	g.decide()
	g.forget()
}
