package inline

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file has what is computed twice computed once, where the first time comes before the second: helpers that are called
// again for the same place compute the same index. What is known of one value then holds for the other, and is found once.
// A phi is what its block's dominator has branched to, by conditions and values:
//
//	wrap(x, n):                        0: if x < 0 goto 1 else 2
//	                                   1: t = x + n, goto 4
//	                                   2: if x >= n goto 3 else 4
//	                                   3: u = x - n, goto 4
//	                                   4: phi [1: t, 2: x, 3: u]   is  x < 0 ? x+n : (x >= n ? x-n : x)
//
// (Alpern, Wegman and Zadeck, "Detecting equality of variables in programs", 1988; gated phis: Tu and Padua, 1995.)

// maxGates is how many branches a phi may be made of, on all the ways to it.
const maxGates = 32

// A numbering gives values numbers: what has the same one is the same wherever both are made.
type numbering struct {
	numbers map[ssa.Value]int
	same    map[string]int // the number of what is computed alike
	made    map[int][]ssa.Value
}

// unify replaces numbers and conditions that have been computed before by what they were then.
func unify(fn *ssa.Function) (any bool) {
	n := &numbering{map[ssa.Value]int{}, map[string]int{}, map[int][]ssa.Value{}}
	gone := map[ssa.Instruction]bool{}
	for _, b := range ReversePostorder(fn) {
		for _, i := range b.Instrs {
			v, ok := i.(ssa.Value)
			if !ok {
				continue
			}
			if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&(types.IsInteger|types.IsBoolean) == 0 {
				continue
			}
			key := n.key(v)
			if key == "" {
				continue
			}
			num := n.keyed(key)
			n.numbers[v] = num
			if at := slices.IndexFunc(n.made[num], func(o ssa.Value) bool { return Before(o.(ssa.Instruction), i) }); at >= 0 {
				replace(v, n.made[num][at])
				gone[i] = true
			} else {
				n.made[num] = append(n.made[num], v)
			}
		}
	}
	for _, b := range fn.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i ssa.Instruction) bool {
			if gone[i] {
				unrefer(i)
			}
			return gone[i]
		})
	}
	return len(gone) > 0
}

// keyed is the number of what is computed as a key says.
func (n *numbering) keyed(key string) int {
	num, ok := n.same[key]
	if !ok {
		num = len(n.same) + 1
		n.same[key] = num
	}
	return num
}

// number is a value's; what is computed in an unknown way has its own.
func (n *numbering) number(v ssa.Value) int {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		return n.keyed(fmt.Sprintf("const %s %s", c.Value.ExactString(), typeName(c.Type())))
	}
	num, ok := n.numbers[v]
	if !ok {
		num = n.keyed(fmt.Sprintf("value %p", v))
		n.numbers[v] = num
	}
	return num
}

// typeName tells types from each other.
func typeName(t types.Type) string { return types.TypeString(t, nil) }

// key says how a value is computed, of which numbers; "" where that is not known, or may be another each time.
func (n *numbering) key(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.BinOp:
		return fmt.Sprintf("%s %d %d %s", v.Op, n.number(v.X), n.number(v.Y), typeName(v.Type()))
	case *ssa.UnOp:
		if v.Op == token.MUL || v.Op == token.ARROW {
			return ""
		}
		return fmt.Sprintf("%s %d %s", v.Op, n.number(v.X), typeName(v.Type()))
	case *ssa.Convert:
		return fmt.Sprintf("to %d %s", n.number(v.X), typeName(v.Type()))
	case *ssa.ChangeType:
		return fmt.Sprintf("to %d %s", n.number(v.X), typeName(v.Type()))
	case *ssa.Index:
		return fmt.Sprintf("element %d %d", n.number(v.X), n.number(v.Index))
	case *ssa.Call:
		if f, ok := v.Call.Value.(*ssa.Builtin); ok && (f.Name() == "len" || f.Name() == "cap" || f.Name() == "min" || f.Name() == "max") {
			var b strings.Builder
			b.WriteString(f.Name())
			for _, a := range v.Call.Args {
				fmt.Fprintf(&b, " %d", n.number(a))
			}
			return b.String()
		}
	case *ssa.Phi:
		g := &gates{numbering: n, phi: v, top: v.Block().Idom()}
		if g.top == nil || slices.ContainsFunc(v.Block().Preds, v.Block().Dominates) || !g.behind(g.top) {
			return ""
		}
		return g.String()
	}
	return ""
}

// gates are the branches that choose a phi's value.
type gates struct {
	strings.Builder
	*numbering
	phi *ssa.Phi
	top *ssa.BasicBlock
	n   int
}

// behind writes what the phi is behind a block; false if that is not known.
func (g *gates) behind(b *ssa.BasicBlock) bool {
	if g.n++; g.n > maxGates || b != g.top && (b == g.phi.Block() || !g.top.Dominates(b)) {
		return false
	}
	switch i := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.If:
		fmt.Fprintf(g, "if %d(", g.number(i.Cond))
	case *ssa.Jump:
		g.WriteString("(")
	default:
		g.WriteString("left")
		return true
	}
	for k, s := range b.Succs {
		if k > 0 {
			g.WriteString(", ")
		}
		if s != g.phi.Block() {
			if !g.behind(s) {
				return false
			}
			continue
		}
		at := slices.Index(s.Preds, b)
		if slices.Contains(s.Preds[at+1:], b) {
			return false
		}
		fmt.Fprintf(g, "%d", g.number(g.phi.Edges[at]))
	}
	g.WriteString(")")
	return true
}
