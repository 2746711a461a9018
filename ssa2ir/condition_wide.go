package ssa2ir

// This file finds which int64s that are passed are numbers like ints: those that indices are made of, and that these are compared with. Others are
// data, such as keys, and may be any.
//
//	type accessor struct { data []float32; sizes, strides [4]int64 }
//	t.data[n*t.strides[0]+x*t.strides[3]]   ->   t.strides[0] and t.strides[3] have 32 bits

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// indexInts are the nodes of which the indices of a function are made, and those that they are compared with.
func (p *prover) indexInts(fn *ssa.Function) map[*node]bool {
	all := map[*node]bool{}
	var bounds [][2]*node
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.IndexAddr:
				p.madeOf(p.node(i.Index), all)
			case *ssa.Slice:
				for _, v := range []ssa.Value{i.Low, i.High, i.Max} {
					if v != nil {
						p.madeOf(p.node(v), all)
					}
				}
			case *ssa.BinOp:
				switch i.Op {
				case token.LSS, token.LEQ, token.GTR, token.GEQ:
					if t, _ := typeOf(i.X.Type()); t == goInt {
						bounds = append(bounds, [2]*node{p.node(i.X), p.node(i.Y)})
					}
				}
			}
		}
	}
	for _, b := range bounds {
		if all[b[0]] || all[b[1]] {
			p.madeOf(b[0], all)
			p.madeOf(b[1], all)
		}
	}
	return all
}

// madeOf adds what a node is made of, as far as that is about as large.
func (p *prover) madeOf(n *node, all map[*node]bool) {
	if n == nil || all[n] {
		return
	}
	all[n] = true
	switch n.op {
	case token.ADD, token.SUB, token.MUL, token.QUO, opMin, opMax, opConvert:
		p.madeOf(n.x, all)
		p.madeOf(n.y, all)
	case token.REM:
		p.madeOf(n.y, all)
	case opPhi:
		for _, v := range n.v.(*ssa.Phi).Edges {
			p.madeOf(p.node(v), all)
		}
	}
}
