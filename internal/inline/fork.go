package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file has a function go on in two ways where integers are made of floats: in one of them it is known that these are small, by comparisons as
// a program might have. The other one is for what is not, and for NaN.
//
//	x, y := int(f), int(g)      if f < 1<<30 && f > -1<<30 && g < 1<<30 && g > -1<<30 {
//	... x%w, y%h           ->       x, y := int(f), int(g); ... x%w, y%h
//	                            } else {
//	                                x, y := int(f), int(g); ... x%w, y%h
//	                            }

// ForkLimit is what the floats are less than, and their negatives.
const ForkLimit = 1 << 30

// A Fork is a place in a block from which on a function is there twice: behind the last of the floats, of which integers are made in the block.
type Fork struct {
	Block *ssa.BasicBlock
	Ints  []*ssa.Convert
}

// NewForked is a copy of a function, of which sites are part, that goes on in two ways at each fork, with its sites; nil if it cannot be copied. No fork's
// block dominates another's.
func NewForked(fn *ssa.Function, sites *Sites, forks []Fork) (*ssa.Function, *Sites) {
	if !known.Get() || !canCopy(fn) {
		return nil, nil
	}
	x, c := again(fn, sites)
	for _, k := range forks {
		x.dominate()
		f := &forker{expander: x, ahead: c.start[k.Block], copies: map[*ssa.BasicBlock]*ssa.BasicBlock{}, vals: map[ssa.Value]ssa.Value{}}
		for _, v := range k.Ints {
			f.ints = append(f.ints, c.vals[v].(*ssa.Convert))
		}
		f.fork()
	}
	return x.made()
}

// again makes a function again, of which sites are part, as it is.
func again(fn *ssa.Function, sites *Sites) (*expander, *copying) {
	x := &expander{Sites: newSites(), from: *sites, choose: func(*ssa.Call, *ssa.Function, *Site) bool { return false }}
	c := x.whole(fn)
	x.Unrolled = sites.Unrolled
	return x, c
}

// made is the function that has been changed, with its sites.
func (x *expander) made() (*ssa.Function, *Sites) {
	x.dominate()
	x.referAgain()
	drop(x.to) // what has been made again
	rename(x.to)
	return x.to, &x.Sites
}

// dominate makes the dominator tree anew, of blocks that may be new.
func (x *expander) dominate() {
	for i, b := range x.to.Blocks {
		b.Index = i
	}
	dominate(x.to)
}

// referAgain gives each value anew those that refer to it.
func (x *expander) referAgain() {
	forget := func(v ssa.Value) {
		if r := v.Referrers(); r != nil {
			*r = nil
		}
	}
	for _, p := range x.to.Params {
		forget(p)
	}
	for _, v := range x.to.FreeVars {
		forget(v)
	}
	for _, b := range x.to.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok {
				forget(v)
			}
		}
	}
	for _, b := range x.to.Blocks {
		for _, i := range b.Instrs {
			refer(i)
		}
	}
}

// A forker makes one fork.
type forker struct {
	*expander
	ahead  *ssa.BasicBlock // the block that is cut
	ints   []*ssa.Convert
	tail   *ssa.BasicBlock                     // what follows the cut
	twice  []*ssa.BasicBlock                   // that, and what ahead dominates
	copies map[*ssa.BasicBlock]*ssa.BasicBlock // of these
	vals   map[ssa.Value]ssa.Value             // what is made in the copies
}

func (f *forker) fork() {
	for _, b := range f.to.Blocks {
		if b != f.ahead && f.ahead.Dominates(b) {
			f.twice = append(f.twice, b)
		}
	}
	f.cut()
	f.twice = append(f.twice, f.tail)
	f.remake()
	for _, b := range f.twice {
		f.copies[b] = f.like(b)
	}
	for _, b := range f.twice {
		f.copyBlock(b)
	}
	for _, b := range f.twice {
		c := f.copies[b]
		for _, i := range c.Instrs {
			for _, v := range i.Operands(nil) {
				if *v != nil {
					*v = f.value(*v)
				}
			}
		}
		for k, s := range b.Succs {
			if f.copies[s] == nil {
				f.enter(s, b, c, b.Succs[:k])
			}
		}
	}
	f.compare()
}

// value is what a value is in the copies.
func (f *forker) value(v ssa.Value) ssa.Value {
	if x := f.vals[v]; x != nil {
		return x
	}
	return v
}

// like is a new block like another.
func (f *forker) like(b *ssa.BasicBlock) *ssa.BasicBlock { return f.block(b, f.Block[b]) }

// cut makes two blocks of ahead, the second of which begins behind the floats.
func (f *forker) cut() {
	b := f.ahead
	at := slices.IndexFunc(b.Instrs, func(i ssa.Instruction) bool { _, phi := i.(*ssa.Phi); return !phi })
	for _, v := range f.ints {
		if i, ok := v.X.(ssa.Instruction); ok {
			at = max(at, slices.Index(b.Instrs, i)+1)
		}
	}
	f.tail = f.like(b)
	f.tail.Instrs, f.tail.Succs = slices.Clone(b.Instrs[at:]), b.Succs
	b.Instrs, b.Succs = slices.Clip(b.Instrs[:at]), nil
	for _, i := range f.tail.Instrs {
		set(i, "block", f.tail)
	}
	for _, s := range f.tail.Succs {
		for k, p := range s.Preds {
			if p == b {
				s.Preds[k] = f.tail
			}
		}
	}
}

// remake makes the integers again behind the cut that are made ahead of it, for what uses them there.
func (f *forker) remake() {
	made := map[ssa.Value]ssa.Value{}
	var first []ssa.Instruction
	for _, v := range f.ints {
		if v.Block() == f.tail {
			continue
		}
		c := copied(v)
		set(c, "block", f.tail)
		if s := f.Of[v]; s != nil {
			f.Of[c] = s
		}
		made[v] = c
		first = append(first, c)
	}
	put := func(o *ssa.Value) {
		if *o != nil && made[*o] != nil {
			*o = made[*o]
		}
	}
	for _, b := range f.to.Blocks {
		within := slices.Contains(f.twice, b)
		for _, i := range b.Instrs {
			if phi, ok := i.(*ssa.Phi); ok {
				for k := range phi.Edges {
					if slices.Contains(f.twice, b.Preds[k]) {
						put(&phi.Edges[k])
					}
				}
				continue
			}
			if within {
				for _, o := range i.Operands(nil) {
					put(o)
				}
			}
		}
	}
	f.tail.Instrs = slices.Insert(f.tail.Instrs, 0, first...)
}

// copyBlock copies a block's instructions and successors. fork replaces the operands and adds the copy to the predecessors of its successors.
func (f *forker) copyBlock(b *ssa.BasicBlock) {
	c := f.copies[b]
	for _, i := range b.Instrs {
		n := cloned(f.to, i)
		if v, ok := n.(ssa.Value); ok {
			f.vals[i.(ssa.Value)] = v
		}
		f.add(c, n, f.Of[i])
	}
	for _, p := range b.Preds { // all are there twice, too
		c.Preds = append(c.Preds, f.copies[p])
	}
	for _, s := range b.Succs {
		if t := f.copies[s]; t != nil {
			s = t
		}
		c.Succs = append(c.Succs, s)
	}
}

// enter has a block that is there once come from c, too, as it does from b. before are those that b leads to otherwise first.
func (f *forker) enter(to, b, c *ssa.BasicBlock, before []*ssa.BasicBlock) {
	skip := 0
	for _, s := range before {
		if s == to {
			skip++
		}
	}
	at := slices.IndexFunc(to.Preds, func(p *ssa.BasicBlock) bool {
		if p == b {
			skip--
		}
		return p == b && skip < 0
	})
	to.Preds = append(to.Preds, c)
	for _, i := range to.Instrs {
		phi, ok := i.(*ssa.Phi)
		if !ok {
			break
		}
		phi.Edges = append(phi.Edges, f.value(phi.Edges[at]))
	}
}

// compare has ahead lead to the tail by comparisons that are true, else to its copy.
func (f *forker) compare() {
	other := f.copies[f.tail]
	cur, last := f.ahead, len(f.ints)-1
	for n, v := range f.ints {
		of := f.Of[v]
		for k, op := range []token.Token{token.LSS, token.GTR} {
			limit := ssa.NewConst(constant.MakeInt64(ForkLimit-2*ForkLimit*int64(k)), v.X.Type())
			less := &ssa.BinOp{Op: op, X: v.X, Y: limit}
			set(less, "typ", types.Type(types.Typ[types.Bool]))
			f.add(cur, less, of)
			f.add(cur, &ssa.If{Cond: less}, of)
			next := f.tail
			if n < last || k == 0 {
				next = f.like(f.ahead)
			}
			cur.Succs = []*ssa.BasicBlock{next, other}
			next.Preds = append(next.Preds, cur)
			other.Preds = append(other.Preds, cur)
			cur = next
		}
	}
}
