package ssa2ir

// This file makes the two versions of version.go.

import (
	"maps"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// makeVersions makes both versions of the loop, from the block on that leads to its header.
func (f *function) makeVersions(v *version) {
	was := f.proof
	f.at(v.header.Instrs[0])
	f.Cur = f.start[v.header]
	entry := v.variables(entering)
	v.slow = f.NewBlock()
	f.Cur = v.slow
	v.into = v.joined()
	v.prepareEnd()
	f.Cur = f.start[v.header]
	g := &guard{version: v, proof: was, values: entry, or: v.slow, into: v.into, loads: map[ssa.Instruction]target.Value{}, checked: map[*ssa.IndexAddr]bool{}, straights: map[*ssa.IndexAddr]*line{}}
	f.proof = nil // nothing is known ahead of the loop that holds in it
	g.begin()
	g.makeAhead()
	if len(v.group) > 0 {
		v.makeGroups(g, entry, was)
	} else {
		f.proof = was
		v.makeFast(g, entry)
	}
	f.proof = was
	v.makeSlow()
}

// variables makes phis of the header's variables in the current block, which are to be filled
// from some of the ways to it.
func (v *version) variables(which edges) []target.Value {
	all := v.joined()
	for i, phi := range v.phis {
		v.f.phis = append(v.f.phis, pendingPhi{phi, all[i], which})
	}
	return all
}

// joined makes phis for the header's variables in the current block.
func (v *version) joined() []target.Value {
	all := make([]target.Value, len(v.phis))
	for i, phi := range v.phis {
		all[i] = v.f.splitPhi(v.f.phiType(phi))
	}
	return all
}

// goes adds a way from a block to where phis are.
func (v *version) goes(phis, values []target.Value, from *ir.Block) {
	f := v.f
	was := f.Cur
	f.Cur = from
	for i, x := range values {
		f.addEdge(phis[i], x, from)
	}
	f.Cur = was
}

// enter makes the header of a loop, given what its variables are before it, and their phis.
func (v *version) enter(entry []target.Value) (head *ir.Block, in []target.Value) {
	f := v.f
	from := f.Cur
	head = f.NewBlock()
	f.Br(head)
	f.Cur = head
	in = v.joined()
	v.goes(in, entry, from)
	return head, in
}

// makeFast makes the version of a loop without the checks that have been made ahead of it.
func (v *version) makeFast(g *guard, entry []target.Value) {
	f := v.f
	end := v.beginSums(entry)
	head, in := v.enter(entry)
	maps.Copy(f.lines, g.straights)
	out := v.makeCopy(v.ahead, in, g.loads, false)
	for a := range g.straights {
		delete(f.lines, a)
	}
	f.Br(head)
	u := f.unrolling(v.header)
	switch {
	case (u == unrollGather || v.second != nil) && len(v.group) > 0:
		u = 1 // few iterations are left
	case u == unrollAsIs && f.M.T.UnrollsMedium && len(v.group) == 0 && v.size <= maxGrouped/2:
		u = grouped
	}
	f.hintAs(v.header, u)
	v.goes(in, out, f.Cur)
	end()
}

// makeGroups makes the version that takes iterations by groups, and behind it one for those
// that are left, if that needs fewer checks than the loop as it was. Where loads wait for others, groups are twice as long, and
// of those that are left four and two are groups, too.
func (v *version) makeGroups(g *guard, entry []target.Value, proof *prover) {
	f := v.f
	head, in := v.enter(entry)
	deep := v.count != nil && v.size < minMedium && !v.writes && v.loop.gathers()
	g.values, g.steps = in, grouped
	if deep {
		g.steps = 2 * grouped
	}
	if len(v.ahead) > 0 || deep {
		v.otherwise(g)
	}
	out := v.makeGroup(g, proof)
	f.Br(head)
	f.hintAs(v.header, 1)
	v.goes(in, out, f.Cur)
	if len(v.ahead) == 0 && !deep {
		return
	}
	f.Cur = g.or
	for steps := grouped; deep && steps > 1; steps /= 2 {
		g.values, g.steps = g.into, steps
		v.otherwise(g)
		f.proof = nil
		out := v.makeGroup(g, proof)
		f.Br(g.or)
		v.goes(g.into, out, f.Cur)
		f.Cur = g.or
	}
	if len(v.ahead) > 0 {
		v.makeFast(g, g.into)
		return
	}
	f.Br(v.slow)
	v.goes(v.into, g.into, f.Cur)
}

// otherwise makes the block where a group goes whose checks fail.
func (v *version) otherwise(g *guard) {
	f := v.f
	was := f.Cur
	g.or = f.NewBlock()
	f.Cur = g.or
	g.into = v.joined()
	f.Cur = was
}

// makeGroup makes the checks of a group and its iterations, and returns what the variables are behind them.
func (v *version) makeGroup(g *guard, proof *prover) []target.Value {
	out := g.values
	made := g.makeGroup()
	v.f.proof = proof
	for _, m := range made {
		out = v.makeCopy(slices.Concat(v.ahead, v.group), out, m, v.count != nil)
	}
	return out
}

// makeCopy makes one iteration without the checks that have been passed, given the values of
// the loop's variables and others that are known already. It returns what the variables are
// next, in the current block.
func (v *version) makeCopy(passed []*guarded, in []target.Value, made map[ssa.Instruction]target.Value, sure bool) []target.Value {
	f := v.f
	starts := map[*ssa.BasicBlock]*ir.Block{}
	for _, b := range v.blocks {
		starts[b] = f.start[b]
		f.start[b] = f.Cur
		if b != v.header {
			f.start[b] = f.NewBlock()
		}
	}
	v.copy = &copied{latch: f.NewBlock(), sure: sure}
	if v.adding {
		v.copy.verify = f.NewBlock()
	}
	f.copying = v
	for i, phi := range v.phis {
		f.setPhi(phi, in[i])
	}
	for i, x := range made {
		if y, ok := i.(ssa.Value); ok {
			f.set(y, x)
		}
		f.moved[i] = true
	}
	for _, g := range passed {
		f.hoisted[g.at] = true
	}
	pending := len(f.phis)
	for _, b := range v.blocks {
		f.block(b)
	}
	f.fillPhis(pending)
	f.Cur = v.copy.latch
	out := v.joined()
	for _, b := range v.blocks {
		for k, s := range b.Succs {
			switch {
			case !f.know.taken(b, s) || v.isSureAt(b) && !v.loop.blocks[s]:
			case !v.loop.blocks[s] && v.copy.verify != nil:
				v.verify()
			case !v.loop.blocks[s] && b == v.tests && v.after != nil:
				v.ends(f.end[b])
			case !v.loop.blocks[s]:
				v.goes(v.into, in, f.end[b])
			case s == v.header && !slices.Contains(b.Succs[:k], s):
				next := make([]target.Value, len(v.phis))
				for i, phi := range v.phis {
					next[i] = f.value(phi.Edges[slices.Index(v.header.Preds, b)])
				}
				v.goes(out, next, f.end[b])
			}
		}
	}
	v.forget()
	for b, s := range starts {
		f.start[b] = s
	}
	f.Cur, f.copying = v.copy.latch, nil
	return out
}

// forget forgets what has been made of the loop.
func (v *version) forget() {
	f := v.f
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			delete(f.moved, i)
			if a, ok := i.(*ssa.IndexAddr); ok {
				delete(f.hoisted, a)
				delete(f.alone, a)
			}
			if x, ok := i.(ssa.Value); ok {
				delete(f.vals, x)
			}
		}
		delete(f.end, b)
	}
}

// makeSlow makes the loop as it was.
func (v *version) makeSlow() {
	f := v.f
	head := f.NewBlock()
	f.Cur = v.slow
	f.Br(head)
	f.Cur = head
	pending := len(f.phis)
	vars := v.variables(repeating)
	v.goes(vars, v.into, v.slow)
	for i, phi := range v.phis {
		f.setPhi(phi, vars[i])
	}
	if l := f.latches[v.header]; l != nil {
		l.end.Term = ir.NewBr(head)
	}
	guard := f.start[v.header]
	f.start[v.header] = head
	for _, b := range v.blocks {
		f.block(b)
	}
	f.start[v.header] = guard
	f.fillPhis(pending)
	if v.after == nil {
		return
	}
	v.ends(f.end[v.tests])
	for i, x := range v.outs {
		f.set(x, v.met[i])
	}
	f.Cur = v.after
	for _, s := range v.tests.Succs {
		if !v.loop.blocks[s] {
			f.Br(f.toBlock(v.tests, s))
			f.hintBack(v.tests, s)
		}
	}
	f.end[v.tests] = v.after
}

// prepareEnd makes the block where both versions end, if the loop's test is the only way out.
func (v *version) prepareEnd() {
	if v.exits {
		return
	}
	f := v.f
	for _, b := range v.blocks {
		for _, i := range b.Instrs {
			if x, ok := i.(ssa.Value); ok && v.isUsedBehind(x) {
				v.outs = append(v.outs, x)
			}
		}
	}
	v.after = f.NewBlock()
	f.Cur = v.after
	for _, x := range v.outs {
		v.met = append(v.met, f.splitPhi(f.valueType(x)))
	}
}

// ends adds a way from a block to the end of both versions.
func (v *version) ends(from *ir.Block) {
	all := make([]target.Value, len(v.outs))
	for i, x := range v.outs {
		all[i] = v.f.value(x)
	}
	v.goes(v.met, all, from)
}

// unlikely says that the branch at the end of the current block goes the second way.
func (f *function) unlikely() {
	br := f.Cur.Term.(*ir.TermCondBr)
	weights := f.M.Tuple("unlikely", &metadata.String{Value: "branch_weights"}, target.Int(target.I32, 1), target.Int(target.I32, 2000))
	br.Metadata = append(br.Metadata, &metadata.Attachment{Name: "prof", Node: weights})
}

// hintAs says how the loop whose branch back ends the current block is unrolled.
func (f *function) hintAs(header *ssa.BasicBlock, u Unroll) {
	if u == unrollAsIs && !f.M.T.LoopSites {
		return
	}
	at := &metadata.Attachment{Name: "llvm.loop", Node: f.loopMetadata(header, u)}
	attach(f.Cur, at)
}

// attach adds to what the branch at a block's end says of itself.
func attach(b *ir.Block, at *metadata.Attachment) {
	switch t := b.Term.(type) {
	case *ir.TermBr:
		t.Metadata = append(t.Metadata, at)
	case *ir.TermCondBr:
		t.Metadata = append(t.Metadata, at)
	}
}
