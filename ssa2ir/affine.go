package ssa2ir

// This file finds loops that count, and how an index changes with the loop's variable. Both
// say which indices a loop comes to before it is run: those of the first iteration, of the
// last, and between them.

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// A count is the variable of a loop that goes by steps of one size to a bound:
//
//	for i := a; i < b; i += s
type count struct {
	phi  *ssa.Phi   // of integers that are int64's
	test *ssa.BinOp // the loop goes on while it holds
	next bool       // it tests the variable's next value ahead of an iteration: for i := range s
	by   int64      // the step; 0 if it is a value that is taken to be above 0
	step ssa.Value
}

// countOf is how the loop counts, nil if it does not.
func (v *version) countOf() *count {
	test, ok := v.tests.Instrs[len(v.tests.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp)
	if !ok || !v.loop.blocks[v.tests.Succs[0]] || !v.invariant(test.Y, 0) {
		return nil
	}
	c := &count{phi: counter(test.X), test: test}
	if c.phi == nil || c.phi.Block() != v.header || !isInteger(c.phi.Type()) || endsAt64(c.phi.Type()) {
		return nil
	}
	next, ok := v.back(c.phi).(*ssa.BinOp)
	if !ok || next.X != c.phi || next.Op != token.ADD && next.Op != token.SUB || test.X != c.phi && test.X != next {
		return nil
	}
	c.next, c.step = test.X == next && !v.atEnd, next.Y
	if v.atEnd && test.X != next {
		return nil
	}
	if k, ok := v.f.intConst(next.Y); ok {
		c.by = k
		if next.Op == token.SUB {
			c.by = -k
		}
		const far = 1 << 20
		if c.by == 0 || c.by > far || c.by < -far {
			return nil
		}
	} else if next.Op == token.SUB || c.next || !v.invariant(next.Y, 0) || endsAt64(next.Y.Type()) {
		return nil
	}
	ends := false
	switch rises := c.by >= 0; test.Op {
	case token.LSS, token.LEQ:
		ends = rises
	case token.GTR, token.GEQ:
		ends = !rises
	case token.NEQ:
		ends = c.by == 1 || c.by == -1
	}
	if !ends {
		return nil
	}
	return c
}

// order is the loop's test as one that orders: of != where the variable comes closer by 1.
func (c *count) order() token.Token {
	switch {
	case c.test.Op != token.NEQ:
		return c.test.Op
	case c.by < 0:
		return token.GTR
	}
	return token.LSS
}

// endsAt64 reports whether not all values of a type of integers are values of int64.
func endsAt64(t types.Type) bool { return sizeof(t) == 8 && !isSigned(t) }

// intConst is the value of an integer that is known while compiling.
func (f *function) intConst(v ssa.Value) (int64, bool) {
	k := f.know.value(v)
	if k == nil || k.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(k)
}

// back is the value that a variable of the loop gets in every way back, nil if it differs.
func (v *version) back(phi *ssa.Phi) (x ssa.Value) {
	for i, from := range phi.Block().Preds {
		if !v.loop.blocks[from] || !v.f.know.taken(from, phi.Block()) {
			continue
		}
		if x != nil && x != phi.Edges[i] {
			return nil
		}
		x = phi.Edges[i]
	}
	return x
}

// A slope is how much an integer of 64 bits changes when a loop's variable grows by 1,
// modulo 1<<64: by c, and by the products.
type slope struct {
	c  int64
	by []product
}

// A product is k times values that are the same in all iterations.
type product struct {
	k  int64
	of []ssa.Value
}

func (s slope) constant() bool { return len(s.by) == 0 }

// plus is s + k*t.
func (s slope) plus(t slope, k int64) slope {
	sum := slope{c: s.c + k*t.c, by: slices.Clone(s.by)}
	for _, b := range t.by {
		sum.by = append(sum.by, product{k * b.k, b.of})
	}
	return sum
}

// times is s * v.
func (s slope) times(v ssa.Value) (all slope) {
	if s.c != 0 {
		all.by = append(all.by, product{s.c, []ssa.Value{v}})
	}
	for _, b := range s.by {
		all.by = append(all.by, product{b.k, append(slices.Clone(b.of), v)})
	}
	return all
}

const (
	maxSlope    = 12 // how deep an index is looked into
	maxProducts = 4  // in a slope
)

// A tangent finds slopes.
type tangent struct {
	f     *function
	fixed func(ssa.Value) bool         // the same in all iterations
	phi   func(*ssa.Phi) (slope, bool) // of the variables
	exact bool                         // what is asked for is computed in the first iteration, if anything follows it
}

// of is the slope of a value.
func (t *tangent) of(x ssa.Value, deep int) (slope, bool) {
	if t.fixed(x) {
		return slope{}, true
	}
	if deep == maxSlope {
		return slope{}, false
	}
	switch x := x.(type) {
	case *ssa.Phi:
		return t.phi(x)
	case *ssa.Convert:
		if !isInteger(x.Type()) || !isInteger(x.X.Type()) || !keepsValue(x.X.Type(), x.Type()) {
			return slope{}, false
		}
		return t.of(x.X, deep+1)
	case *ssa.BinOp:
		if !isInteger(x.Type()) || sizeof(x.Type()) < 8 && (!t.exact || t.f.proof.wraps(x, x)) || t.f.wrapping[x] != nil {
			return slope{}, false
		}
		s, ok := t.ofSum(x, deep+1)
		return s, ok && len(s.by) <= maxProducts
	}
	return slope{}, false
}

func (t *tangent) ofSum(x *ssa.BinOp, deep int) (slope, bool) {
	a, ok1 := t.of(x.X, deep)
	b, ok2 := t.of(x.Y, deep)
	if !ok1 || !ok2 {
		return slope{}, false
	}
	switch x.Op {
	case token.ADD:
		return a.plus(b, 1), true
	case token.SUB:
		return a.plus(b, -1), true
	case token.SHL:
		k, ok := t.f.intConst(x.Y)
		return slope{}.plus(a, 1<<max(min(k, 62), 0)), ok && k >= 0 && k < 32
	case token.MUL:
		y := x.Y
		if t.fixed(x.X) {
			a, y = b, x.X
		}
		if k, ok := t.f.intConst(y); ok {
			return slope{}.plus(a, k), k < 1<<31 && k > -1<<31
		}
		return a.times(y), t.fixed(y)
	}
	return slope{}, false
}

// keepsValue reports whether a conversion of integers keeps each value modulo 1<<64.
func keepsValue(from, to types.Type) bool {
	switch n, m := sizeof(from), sizeof(to); {
	case m == 8:
		return true
	case m < n:
		return false
	case isSigned(from):
		return isSigned(to)
	default:
		return m > n || !isSigned(to)
	}
}

// slopeOf is the slope of a value by the loop's variable. exact is that of tangent.
func (v *version) slopeOf(x ssa.Value, exact bool) (slope, bool) {
	t := &tangent{f: v.f, exact: exact,
		fixed: func(x ssa.Value) bool { return v.invariant(x, 0) },
		phi: func(x *ssa.Phi) (slope, bool) {
			if x == v.count.phi {
				return slope{c: 1}, true
			}
			return v.slopeOfOther(x)
		}}
	return t.of(x, 0)
}

// slopeOfOther is the slope of a variable that goes by steps of its own while the loop counts
// by 1.
func (v *version) slopeOfOther(x *ssa.Phi) (slope, bool) {
	if x.Block() != v.header || v.count.by != 1 && v.count.by != -1 {
		return slope{}, false
	}
	return v.f.goesBy(x, v.back(x), func(x ssa.Value) bool { return v.invariant(x, 0) }, v.count.by)
}

const maxSums = 8 // sums that a variable's next value is made by

// goesBy is by how much an integer of 64 bits goes on from one iteration to the next, times a sign, if what is added is the same in all.
func (f *function) goesBy(x *ssa.Phi, next ssa.Value, fixed func(ssa.Value) bool, sign int64) (all slope, ok bool) {
	if sizeof(x.Type()) != 8 || !isInteger(x.Type()) {
		return slope{}, false
	}
	for range maxSums {
		op, isOp := next.(*ssa.BinOp)
		if !isOp || op.Op != token.ADD && op.Op != token.SUB || !fixed(op.Y) {
			return slope{}, false
		}
		by := sign
		if op.Op == token.SUB {
			by = -by
		}
		if k, ok := f.intConst(op.Y); ok {
			all.c += by * k
		} else {
			all = all.plus(slope{c: by}.times(op.Y), 1)
		}
		if next = op.X; next == x {
			return all, len(all.by) <= maxProducts
		}
	}
	return slope{}, false
}

// slopeValue makes a slope, given how its values are made.
func (f *function) slopeValue(s slope, value func(ssa.Value) target.Value) target.Value {
	var sum target.Value = target.Int(target.I64, s.c)
	for _, b := range s.by {
		var x target.Value = target.Int(target.I64, b.k)
		for _, v := range b.of {
			x = f.Bin("mul", x, f.IntCast(value(v), target.I64, isSigned(v.Type())))
		}
		sum = f.Bin("add", sum, x)
	}
	return sum
}

// rises reports whether a slope is above 0 if its values are.
func (s slope) rises() bool {
	return s.c >= 0 && !slices.ContainsFunc(s.by, func(p product) bool { return p.k < 0 })
}

// isSteep says that a slope is too much to be sure that indices do not wrap around.
func (f *function) isSteep(slope target.Value) target.Value {
	return f.ICmp("uge", f.Bin("add", slope, target.Int(target.I64, maxScale)), target.Int(target.I64, 2*maxScale))
}

// slopeLimits are below what a value is held by which an index grows, the first that will do. An array with rows as long as
// the last is hardly met.
var slopeLimits = [...]int64{maxScale, 1 << 26, 1 << 24}

// rowLimit is of a slope with one value, as of rows, below what that has to be, and not negative, so that the index of a check
// is never negative: then only its greatest value is left to be compared. The value is nil if there is no such limit.
func (f *function) rowLimit(p *prover, c *ssa.IndexAddr, s slope) (row ssa.Value, limit int64) {
	if p == nil || s.c < 0 || s.c > steep || len(s.by) != 1 || len(s.by[0].of) != 1 || s.by[0].k <= 0 {
		return nil, 0
	}
	if t, ok := typeOf(c.Index.Type()); !ok || t.bits == 64 && !t.signed {
		return nil, 0 // the first index may be so great that the last begins anew at 0
	}
	by := s.by[0]
	n, index, at := p.node(by.of[0]), p.node(c.Index), p.placeBefore(c)
	if n.op == opConst {
		return nil, 0
	}
	for _, most := range slopeLimits {
		limit = most / by.k
		p.begin()
		ok := false
		p.suppose(map[*node]span{n: {0, limit - 1}}, func() { ok = limit > 1 && p.spanAt(index, at).lo >= 0 })
		p.done()
		if ok {
			return by.of[0], limit
		}
	}
	return nil, 0
}

// isBeyond says that an integer is negative or not below a limit.
func (f *function) isBeyond(x ssa.Value, made target.Value, limit int64) target.Value {
	return f.ICmp("uge", f.IntCast(made, target.I64, isSigned(x.Type())), target.Int(target.I64, limit))
}

// bitTrips is how often a loop is run at most that goes through the bits or the digits of a number until none is left, 0 for
// another loop:
//
//	for ; x != 0; x >>= 1    for ; x != 0; x &= x - 1    for ; x > 0; x /= 10
func (v *version) bitTrips() int64 {
	br := v.tests.Instrs[len(v.tests.Instrs)-1].(*ssa.If)
	test, ok := br.Cond.(*ssa.BinOp)
	if !ok || v.atEnd || !v.loop.blocks[v.tests.Succs[0]] || test.Op != token.NEQ && test.Op != token.GTR {
		return 0
	}
	phi, ok := test.X.(*ssa.Phi)
	zero, known := v.f.intConst(test.Y)
	if !ok || phi.Block() != v.header || !known || zero != 0 || !isInteger(phi.Type()) {
		return 0
	}
	next, ok := v.back(phi).(*ssa.BinOp)
	if !ok || next.X != phi {
		return 0
	}
	bits := sizeof(phi.Type()) * 8
	switch k, _ := v.f.intConst(next.Y); next.Op {
	case token.SHR:
		if k >= 1 && (!isSigned(phi.Type()) || test.Op == token.GTR) { // -1 >> 1 is -1
			return bits
		}
	case token.QUO:
		if k >= 2 {
			return bits
		}
	case token.AND:
		less, ok := next.Y.(*ssa.BinOp)
		if !ok || less.X != phi {
			return 0
		}
		if one, ok := v.f.intConst(less.Y); ok && (less.Op == token.SUB && one == 1 || less.Op == token.ADD && one == -1) {
			return bits
		}
	}
	return 0
}
