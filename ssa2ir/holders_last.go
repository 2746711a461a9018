package ssa2ir

// This file finds the store that a load reads, where straight code leads from the one to the
// other: what a variable holds later does not matter there.

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A spot is a part of a variable. Its way names an element of an array by the index if that is constant, else by someElement.
type spot struct {
	root *ssa.Alloc
	way  way
}

const (
	endsIndex   = ";"
	someElement = "?" // which one is not known
)

// spotOf is the spot that an address leads to. It has no root if that is not known.
func spotOf(addr ssa.Value) spot {
	switch a := addr.(type) {
	case *ssa.Alloc:
		return spot{a, ""}
	case *ssa.FieldAddr:
		p := spotOf(a.X)
		return spot{p.root, p.way + toField(a.Field)}
	case *ssa.IndexAddr:
		p := spotOf(a.X)
		if k, ok := a.Index.(*ssa.Const); ok {
			return spot{p.root, p.way + way(fmt.Sprint(toElement, k.Int64(), endsIndex))}
		}
		return spot{p.root, p.way + someElement}
	}
	return spot{}
}

// anyElement is a way without the elements' numbers.
func anyElement(p way) (all way) {
	inIndex := false
	for _, r := range p {
		if !inIndex && r != ';' {
			all += way(r)
		}
		inIndex = (inIndex || r == '#') && r != ';'
	}
	return all
}

// lastStored is the value that was stored last where a load finds what a path leads to, and
// the path from there. It is nil if that is not known.
func (p *planner) lastStored(load *ssa.UnOp, path way) (ssa.Value, way) {
	from := spotOf(load.X)
	if from.root == nil || strings.Contains(string(from.way), someElement) {
		return nil, ""
	}
	private := onlyNamed(from.root)
	block := load.Block()
	end := load
	const most = 16
	for range most {
		for n := len(block.Instrs) - 1; n >= 0; n-- {
			i := block.Instrs[n]
			if end != nil {
				if i == ssa.Instruction(end) {
					end = nil
				}
				continue
			}
			switch i := i.(type) {
			case *ssa.Alloc:
				if i == from.root {
					return nil, ""
				}
			case *ssa.Store:
				if v, rest, known := p.storedIn(i, from, path); known {
					return v, rest
				}
			case *ssa.Call:
				if !private {
					return nil, ""
				}
			}
		}
		if len(block.Preds) != 1 {
			break
		}
		block = block.Preds[0]
	}
	return nil, ""
}

// storedIn judges a store before a load: known says that no earlier one matters, with nil if
// this one may or may not be what is loaded.
func (p *planner) storedIn(s *ssa.Store, from spot, path way) (v ssa.Value, rest way, known bool) {
	to := spotOf(s.Addr)
	switch {
	case to.root == nil:
		return nil, "", len(p.funcPaths(s.Val.Type())) > 0
	case to.root != from.root:
		return nil, "", false
	case strings.Contains(string(to.way), someElement):
		return nil, "", true
	}
	if rest, ok := from.way.after(to.way); ok {
		return s.Val, anyElement(rest) + path, true
	}
	inner, ok := to.way.after(from.way)
	if !ok {
		return nil, "", false
	}
	if strings.Contains(string(inner), toElement) {
		return nil, "", true
	}
	if rest, ok := path.after(inner); ok {
		return s.Val, rest, true
	}
	return nil, "", false
}

// onlyNamed reports whether a variable is reached by its name alone, and in its own function.
func onlyNamed(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if !onlyNamed(r) {
				return false
			}
		case *ssa.IndexAddr:
			if !onlyNamed(r) {
				return false
			}
		case *ssa.Store:
			if r.Val == addr {
				return false
			}
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
