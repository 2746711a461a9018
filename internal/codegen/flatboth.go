package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// This file makes one branch of two, the second behind the first, that share a target:
//
//	    br i1 %c, label %b, label %f          %n = add i32 %x, 1
//	b:  %n = add i32 %x, 1                    %d = icmp slt i32 %n, %y
//	    %d = icmp slt i32 %n, %y        ->    %heddle.flat.1 = select i1 %c, i1 %d, i1 false
//	    br i1 %d, label %t, label %f          br i1 %heddle.flat.1, label %t, label %f
//
// Lanes part once then. LLVM does so where the second condition takes one instruction or two.

// A pair is two such branches.
type pair struct {
	first, second *flowBlock
	to, other     *flowBlock // where the branches lead if both conditions hold, and if one does not
}

// pairAt is the pair that begins with a block's branch, nil if there is none.
func (f *flattener) pairAt(b *flowBlock) *pair {
	if f.how.both == 0 || !f.isPlainBranch(b) {
		return nil
	}
	for n, s := range b.succs {
		p := &pair{first: b, second: s, other: b.succs[1-n]}
		f.arms = 0
		if s == b || len(s.preds) != 1 || !f.isPlainBranch(s) || !slices.Contains(s.succs, p.other) || !f.cheap(s) || f.arms > f.how.both || len(f.phisOf(s)) > 0 {
			continue
		}
		p.to = s.succs[1-slices.Index(s.succs, p.other)]
		if p.to != b && p.to != s && p.to != p.other && p.other != b && p.other != s && !f.panics(p.to) && !f.panics(p.other) && f.alike(p) {
			return p
		}
	}
	return nil
}

// isPlainBranch reports whether a block ends in a branch to two different blocks, on a value, without metadata for loops or weights.
func (f *flattener) isPlainBranch(b *flowBlock) bool {
	last := f.lines[b.end]
	return len(b.succs) == 2 && b.succs[0] != b.succs[1] && b.cond != "" && f.labelOf(b) != "" && strings.HasPrefix(last, "  br i1 ") && !strings.Contains(last, "!llvm.loop") && !strings.Contains(last, "!prof")
}

// panics reports whether a block is the way to a panic: how its checks come to it is for votePanics.
func (f *flattener) panics(b *flowBlock) bool {
	return strings.HasPrefix(strings.TrimSpace(f.lines[b.end]), "unreachable")
}

// alike reports whether the phis of the other block have the same values from both branches.
func (f *flattener) alike(p *pair) bool {
	return slices.Equal(f.incomingOf(p.other, p.first), f.incomingOf(p.other, p.second))
}

// joinPair makes one branch of a pair.
func (f *flattener) joinPair(p *pair) {
	loc := debugLoc.Get().FindString(f.lines[p.second.end])
	out := f.instructions(p.second)
	holds := func(b, to *flowBlock) string {
		if b.succs[0] == to {
			return b.cond
		}
		not := f.fresh()
		out = append(out, fmt.Sprintf("  %s = xor i1 %s, true%s", not, b.cond, loc))
		return not
	}
	first, second, both := holds(p.first, p.second), holds(p.second, p.to), f.fresh()
	out = append(out, fmt.Sprintf("  %s = select i1 %s, i1 %s, i1 false%s", both, first, second, loc),
		fmt.Sprintf("  br i1 %s, label %s, label %s%s", both, f.labelOf(p.to), f.labelOf(p.other), loc))
	from, label := f.labelOf(p.second), f.labelOf(p.first)
	for _, name := range f.phisOf(p.to) {
		v := f.values[name]
		f.lines[v.line] = strings.Replace(f.lines[v.line], ", "+from+" ]", ", "+label+" ]", 1)
	}
	for _, name := range f.phisOf(p.other) {
		typ, in, _ := f.values[name].phi()
		var ways []string
		for _, w := range in {
			if w[1] != from {
				ways = append(ways, fmt.Sprintf("[ %s, %s ]", w[0], w[1]))
			}
		}
		f.lines[f.values[name].line] = fmt.Sprintf("  %s = phi %s %s", name, typ, strings.Join(ways, ", "))
	}
	for n := p.second.begin - 1; n <= p.second.end; n++ {
		f.lines[n] = ""
	}
	f.lines[p.first.end] = strings.Join(out, "\n")
}
