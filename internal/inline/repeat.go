package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file makes several iterations of a loop at a time, as long as there are as many, ahead of the loop, which makes the rest:
//
//	for n := a; n < b; n++ {           n := a
//		f(n)                           if b > 3 {
//	}                          ->          for ; n < b-3; n += 4 { f(n); f(n+1); f(n+2); f(n+3) }
//	                                   }
//	                                   for ; n < b; n++ { f(n) }
//
// LLVM does so, too, but never where threads do something together in the loop. A loop that tests its variable last, as one over an int does, is entered
// without a test: it makes one iteration at least.

const maxBound = 6 // instructions, one behind the other, that a bound is made of in the loop

// A Series is a loop that is left in one place, by a test whether its variable, which goes on by a constant, has come to a bound.
type Series struct {
	Header       *ssa.BasicBlock
	Blocks       map[*ssa.BasicBlock]bool
	First, Bound ssa.Value // what its variable begins with, and is compared with
	Times        int       // how many iterations are to be made at a time, at least 2
	variable     *ssa.Phi
	by           int64
	op           token.Token // LSS or LEQ
	test         *ssa.BinOp
	exit         *ssa.BasicBlock
	last         bool // the test is made at the end of an iteration, of the next value
}

// SeriesAt is the loop with a header, nil of others than those of which several iterations can be made at a time.
func SeriesAt(header *ssa.BasicBlock) *Series {
	if len(header.Preds) != 2 {
		return nil
	}
	s := &Series{Header: header, Blocks: map[*ssa.BasicBlock]bool{header: true}}
	back := slices.IndexFunc(header.Preds, header.Dominates)
	if back < 0 || header.Dominates(header.Preds[1-back]) {
		return nil
	}
	s.reach(header.Preds[back])
	for b := range s.Blocks {
		if b != header && slices.ContainsFunc(b.Preds, b.Dominates) { // a loop within
			return nil
		}
		for _, to := range b.Succs {
			if !s.Blocks[to] {
				if s.exit != nil {
					return nil
				}
				s.exit = b
			}
		}
	}
	if s.exit == nil || !(&loop{blocks: s.Blocks}).copies() || !s.count(header.Preds[back], back) {
		return nil
	}
	return s
}

func (s *Series) reach(b *ssa.BasicBlock) {
	if !s.Blocks[b] {
		s.Blocks[b] = true
		for _, p := range b.Preds {
			s.reach(p)
		}
	}
}

// count finds the variable.
func (s *Series) count(latch *ssa.BasicBlock, back int) bool {
	branch, ok := s.exit.Instrs[len(s.exit.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	if s.test, ok = branch.Cond.(*ssa.BinOp); !ok {
		return false
	}
	op, x, y := s.test.Op, s.test.X, s.test.Y
	if !s.Blocks[s.exit.Succs[0]] {
		op = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS}[op]
	}
	if op == token.GTR || op == token.GEQ {
		op, x, y = map[token.Token]token.Token{token.GTR: token.LSS, token.GEQ: token.LEQ}[op], y, x
	}
	next, _ := x.(*ssa.BinOp)
	if s.last = next != nil; s.last {
		x = next.X
	}
	if s.variable, ok = x.(*ssa.Phi); !ok || s.variable.Block() != s.Header || !counts(s.variable.Type()) {
		return false
	}
	step, ok := s.variable.Edges[back].(*ssa.BinOp)
	if !ok || step.Op != token.ADD || step.X != s.variable || s.last && (step != next || s.exit != latch) ||
		!s.last && (s.exit != s.Header || s.exit == latch) {
		return false
	}
	s.by, ok = intOf(step.Y)
	s.First, s.Bound, s.op = s.variable.Edges[1-back], y, op
	return ok && s.by > 0 && s.by < 1<<16 && (op == token.LSS || op == token.LEQ) && s.stays(y, 0)
}

// counts reports whether a type is one of integers of 32 bits at least.
func counts(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && sizes.Sizeof(b) >= 4
}

// stays reports whether a value is the same in all iterations, and may be computed ahead of the loop: that changes nothing, and does not panic.
func (s *Series) stays(v ssa.Value, deep int) bool {
	i, ok := v.(ssa.Instruction)
	if !ok || !s.Blocks[i.Block()] {
		return true
	}
	if deep > maxBound {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		switch v.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			return counts(v.Type()) && s.stays(v.X, deep+1) && s.stays(v.Y, deep+1)
		}
	case *ssa.Convert:
		return counts(v.Type()) && counts(v.X.Type()) && s.stays(v.X, deep+1)
	case *ssa.Call:
		of, ok := v.Call.Value.(*ssa.Builtin)
		return ok && of.Name() == "len" && s.stays(v.Call.Args[0], deep+1)
	}
	return false
}

// NewRepeated is a copy of a function, of which sites are part, that makes several iterations of loops at a time, with its sites; nil if it cannot be copied.
func NewRepeated(fn *ssa.Function, sites *Sites, all []*Series) (*ssa.Function, *Sites) {
	if !known.Get() || !canCopy(fn) {
		return nil, nil
	}
	x, c := again(fn, sites)
	for _, s := range all {
		(&repeater{expander: x, Series: s.in(c)}).repeat()
	}
	return x.made()
}

// in is the loop in a copy of its function.
func (s *Series) in(c *copying) *Series {
	n := *s
	n.Header, n.exit, n.First, n.Bound = c.start[s.Header], c.start[s.exit], c.value(s.First), c.value(s.Bound)
	n.variable, n.test = c.vals[s.variable].(*ssa.Phi), c.vals[s.test].(*ssa.BinOp)
	n.Blocks = map[*ssa.BasicBlock]bool{}
	for b := range s.Blocks {
		n.Blocks[c.start[b]] = true
	}
	return &n
}

// A repeater makes the loop of several iterations.
type repeater struct {
	*expander
	*Series
	start *ssa.BasicBlock // the header of that loop
	back  int             // the edge of the loop's header by which it comes back
	turns []*turn
}

func (r *repeater) repeat() {
	n := len(r.to.Blocks)
	r.back = slices.IndexFunc(r.Header.Preds, func(b *ssa.BasicBlock) bool { return r.Blocks[b] })
	from := r.Header.Preds[1-r.back]
	guard, ahead := r.like(), r.like()
	r.start = r.like()
	from.Succs[slices.Index(from.Succs, r.Header)] = guard
	guard.Preds = []*ssa.BasicBlock{from}
	left := int64(r.Times-1) * r.by // an iteration is the last but these of several
	if r.last {
		left += r.by // one is left for the loop, which is entered without a test
	}
	limit := ssa.NewConst(constant.MakeInt64(left), r.variable.Type())
	bound := r.ahead(r.Bound, guard)
	rest := r.like()
	r.branch(guard, r.binary(guard, token.GTR, bound, limit), ahead, rest)
	less := r.binary(ahead, token.SUB, bound, limit)
	r.jump(ahead, r.start, r.Of[r.test])
	phis := r.begin()
	first := r.turn(0)
	r.branch(r.start, r.binary(r.start, r.op, phis[r.variable], less), first.blocks[r.Header], rest)
	for k := 1; k < r.Times; k++ {
		r.turn(k)
	}
	r.lead()
	for _, i := range r.Header.Instrs {
		if phi, ok := i.(*ssa.Phi); ok {
			phis[phi].Edges = []ssa.Value{phi.Edges[1-r.back], r.turns[r.Times-1].value(phi.Edges[r.back])}
			at := copied(phi)
			at.Edges = []ssa.Value{phi.Edges[1-r.back], phis[phi]}
			r.add(rest, at, r.Of[phi])
			phi.Edges[1-r.back] = at
		}
	}
	jump := &ssa.Jump{}
	r.add(rest, jump, r.Of[r.test])
	rest.Succs = []*ssa.BasicBlock{r.Header}
	r.Header.Preds[1-r.back] = rest
	added := slices.Clone(r.to.Blocks[n:])
	r.to.Blocks = slices.Insert(r.to.Blocks[:n], slices.Index(r.to.Blocks, r.Header), added...)
}

// like is a new block like the header.
func (r *repeater) like() *ssa.BasicBlock { return r.block(r.Header, r.Block[r.Header]) }

// binary adds an operation that stands where the test does.
func (r *repeater) binary(b *ssa.BasicBlock, op token.Token, x, y ssa.Value) *ssa.BinOp {
	n := copied(r.test)
	n.Op, n.X, n.Y = op, x, y
	if op == token.SUB {
		set(n, "typ", x.Type())
	}
	r.add(b, n, r.Of[r.test])
	return n
}

// branch ends a block.
func (r *repeater) branch(b *ssa.BasicBlock, cond ssa.Value, then, or *ssa.BasicBlock) {
	r.add(b, &ssa.If{Cond: cond}, r.Of[r.test])
	b.Succs = []*ssa.BasicBlock{then, or}
	then.Preds, or.Preds = append(then.Preds, b), append(or.Preds, b)
}

// ahead computes a value that stays the same ahead of the loop.
func (r *repeater) ahead(v ssa.Value, b *ssa.BasicBlock) ssa.Value {
	i, ok := v.(ssa.Instruction)
	if !ok || !r.Blocks[i.Block()] {
		return v
	}
	n := copied(i)
	if call, ok := n.(*ssa.Call); ok {
		call.Call.Args = slices.Clone(call.Call.Args)
	}
	for _, o := range n.Operands(nil) {
		if *o != nil {
			*o = r.ahead(*o, b)
		}
	}
	r.add(b, n, r.Of[i])
	return n.(ssa.Value)
}

// begin makes the variables of the loop of several iterations, without their edges.
func (r *repeater) begin() map[*ssa.Phi]*ssa.Phi {
	all := map[*ssa.Phi]*ssa.Phi{}
	for _, i := range r.Header.Instrs {
		if phi, ok := i.(*ssa.Phi); ok {
			all[phi] = copied(phi)
			r.add(r.start, all[phi], r.Of[phi])
		}
	}
	r.turns = []*turn{{vals: map[ssa.Value]ssa.Value{}}}
	for phi, n := range all {
		r.turns[0].vals[phi] = n
	}
	return all
}

// turn copies the blocks of one iteration and replaces their operands. lead sets their successors.
func (r *repeater) turn(k int) *turn {
	t := r.turns[0]
	if k > 0 {
		t = &turn{n: k, vals: map[ssa.Value]ssa.Value{}}
		r.turns = append(r.turns, t)
		for _, i := range r.Header.Instrs {
			if phi, ok := i.(*ssa.Phi); ok {
				t.vals[phi] = r.turns[k-1].value(phi.Edges[r.back])
			}
		}
	}
	t.blocks = map[*ssa.BasicBlock]*ssa.BasicBlock{}
	for _, b := range slices.Clone(r.to.Blocks) {
		if r.Blocks[b] {
			t.blocks[b] = r.block(b, r.Block[b])
			r.copy(b, t)
		}
	}
	for _, c := range t.blocks {
		for _, i := range c.Instrs {
			for _, v := range i.Operands(nil) {
				if *v != nil {
					*v = t.value(*v)
				}
			}
		}
	}
	return t
}

// copy copies a block's instructions. turn replaces their operands.
func (r *repeater) copy(b *ssa.BasicBlock, t *turn) {
	for _, i := range b.Instrs {
		if _, phi := i.(*ssa.Phi); phi && b == r.Header {
			continue
		}
		if _, ok := i.(*ssa.If); ok && b == r.exit {
			r.add(t.blocks[b], &ssa.Jump{}, r.Of[i])
			continue
		}
		n := cloned(r.to, i)
		if v, ok := n.(ssa.Value); ok {
			t.vals[i.(ssa.Value)] = v
		}
		r.add(t.blocks[b], n, r.Of[i])
	}
}

// lead has the blocks of each iteration lead to others of it, and to the next one.
func (r *repeater) lead() {
	for k, t := range r.turns {
		next := r.start
		if k+1 < r.Times {
			next = r.turns[k+1].blocks[r.Header]
		}
		for b, c := range t.blocks {
			for _, s := range b.Succs {
				switch {
				case s == r.Header:
					c.Succs = append(c.Succs, next)
					next.Preds = append(next.Preds, c)
				case r.Blocks[s]:
					c.Succs = append(c.Succs, t.blocks[s])
				}
			}
			if b != r.Header {
				for _, p := range b.Preds {
					c.Preds = append(c.Preds, t.blocks[p])
				}
			}
		}
	}
}
