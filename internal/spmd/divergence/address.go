package divergence

import "heddle/internal/spmd/ll"

// Stripped takes constants out of an address: it is root and the terms and c
// bytes. Addresses that differ by constants have the same root and terms.
func (a *Analysis) Stripped(p ll.Value) (root ll.Value, terms []GepTerm, c int64) {
	i, ok := p.(*ll.Inst)
	if !ok || i.Op != "getelementptr" || a.Scale(i.Args[0]) != 1 {
		return p, nil, 0
	}
	root, terms, c = a.Stripped(i.Args[0])
	for _, t := range GepTerms(i) {
		switch {
		case t.Index == nil:
			c += t.Offset
			continue
		case t.Index.Type().Bits != 64:
			return p, nil, 0
		}
		for {
			j, ok := t.Index.(*ll.Inst)
			if !ok || j.Op != "add" && j.Op != "sub" && !(j.Op == "or" && (j.Has("disjoint") || a.disjoint(j))) || Constant(j.Args[1]) == nil {
				break
			}
			n := *Constant(j.Args[1]) * t.Offset
			if j.Op == "sub" {
				n = -n
			}
			c += n
			t.Index = j.Args[0]
		}
		terms = append(terms, t)
	}
	return root, terms, c
}

// AddressParts are the values that strip and rowHead use, for an access or
// comparison in another block than theirs.
func (a *Analysis) AddressParts(i *ll.Inst) (parts []ll.Value) {
	var p ll.Value
	switch i.Op {
	case "load":
		p = i.Args[0]
	case "store":
		p = i.Args[1]
	case "icmp":
		return append(a.rowLeaves(i.Args[0]), a.rowLeaves(i.Args[1])...)
	case "br":
		if len(i.Args) > 0 { // a check compares again
			if c, ok := i.Args[0].(*ll.Inst); ok && c.Op == "icmp" {
				return a.AddressParts(c)
			}
		}
		return nil
	default:
		return nil
	}
	if a.ShapeOf(p).Kind == Varying {
		return a.rowLeaves(p)
	}
	root, terms, _ := a.Stripped(p)
	for _, t := range terms {
		parts = append(parts, t.Index)
	}
	return append(parts, root)
}
