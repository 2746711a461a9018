package ssa2ir

// This file bounds averages: of a sum and of how many were added up.
//
//	for ... {
//		if near(q) {
//			sum += int(q.R)      // 0 to 255
//			n++
//		}
//	}
//	mean := sum / n              // is between 0 and 255

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

const (
	maxSummand  = 1 << 16 // of how large numbers the sum does not wrap around: more than 1<<47 additions are no kernel's
	maxAverages = 24      // phi nodes that are looked into
)

// An averaging looks for what is added up.
type averaging struct {
	*prover
	seen map[[2]ssa.Value]bool
	sums []*ssa.BinOp             // that add one number
	over map[*ssa.BasicBlock]bool // where phi nodes of sums are
}

// averages is what iterations bring to a variable of a loop, if these are averages.
func (p *prover) averages(v *ssa.Phi, l *loop) (s span, any bool) {
	for i, from := range v.Block().Preds {
		if !l.blocks[from] || !p.know.taken(from, v.Block()) {
			continue
		}
		n := p.node(v.Edges[i])
		mean, ok := span{}, false
		if n.op == token.QUO {
			mean, ok = p.averaged(n)
		}
		if !ok {
			return span{}, false
		}
		if any {
			mean = mean.or(s)
		}
		s, any = mean, true
	}
	return s, any
}

// averaged is what n is, a sum by how many numbers were added up; false of others.
func (p *prover) averaged(n *node) (span, bool) {
	if n.x.op != opPhi || n.y.op != opPhi || n.x.intType != goInt || n.y.intType != goInt {
		return span{}, false
	}
	mean, known := p.means[n]
	if !known {
		a := p.averaging()
		if each, ok := a.each(n.x.v, n.y.v); ok && each.within(span{-maxSummand, maxSummand}) {
			mean = each
		}
		if len(p.assumed) == 0 || mean != (span{}) {
			p.means[n] = mean
		}
	}
	return mean, mean != span{}
}

func (p *prover) averaging() *averaging {
	return &averaging{prover: p, seen: map[[2]ssa.Value]bool{}, over: map[*ssa.BasicBlock]bool{}}
}

// each is what the numbers are of which s is the sum.
func (a *averaging) each(s, n ssa.Value) (each span, ok bool) {
	if !a.adds(s, n) {
		return span{}, false
	}
	for i, sum := range a.sums {
		q := a.typeSpan(sum.Y)
		if i > 0 {
			q = q.or(each)
		}
		each = q
	}
	return each, len(a.sums) > 0
}

// adds reports whether s is the sum of n numbers, wherever both are there.
func (a *averaging) adds(s, n ssa.Value) bool {
	pair := [2]ssa.Value{s, n}
	if a.seen[pair] {
		return true
	}
	a.seen[pair] = true
	if len(a.seen) > maxAverages {
		return false
	}
	switch n := n.(type) {
	case *ssa.Const:
		return isConst(s, 0) && isConst(n, 0)
	case *ssa.Phi:
		phi, ok := s.(*ssa.Phi)
		if !ok || phi.Block() != n.Block() {
			return false
		}
		a.over[n.Block()] = true
		for i, from := range n.Block().Preds {
			if a.know.taken(from, n.Block()) && !a.adds(phi.Edges[i], n.Edges[i]) {
				return false
			}
		}
		return true
	case *ssa.BinOp:
		sum, ok := s.(*ssa.BinOp)
		if !ok || n.Op != token.ADD || sum.Op != token.ADD || !isConst(n.Y, 1) {
			return false
		}
		a.sums = append(a.sums, sum)
		return a.adds(sum.X, n.X)
	}
	return false
}

// typeSpan is what a number may be, by what it was converted from.
func (a *averaging) typeSpan(v ssa.Value) span {
	if c, ok := v.(*ssa.Convert); ok {
		if t, ok := typeOf(c.X.Type()); ok && t.bits <= 16 {
			return t.full()
		}
	}
	return goInt.full()
}
