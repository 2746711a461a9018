package ssa2ir

// This file joins the checks of a run of instructions: those that follow each other in one
// block, with nothing in between that anybody could tell had happened. There is one
// branch for all of them, before the first; what it takes to compute their indices is
// computed there, too. If a check fails, the first one that does, in the order of the
// program, is the panic:
//
//	out[i] = in[i-1] + in[i] + in[i+1]
//
//	br (i-1 >= len(in) || i+1 >= len(in) || i >= len(out)), cold, ok
//	cold: the checks of in[i-1], in[i], in[i+1] and out[i], one after the other
//
// Of indices that differ by constants the least says enough: it is in range of a length that
// is shorter by what the greatest is ahead of it. Where that length would be computed for one check
// alone, the least is not negative and the greatest in range.
//
// Several comparisons in one branch pay on NVIDIA GPUs, where it is the branch that later
// loads wait for. On the others checks of one index, as of x[i], y[i] and z[i], are one
// comparison with the least of the lengths, and runs are joined only where one comparison is
// left: on AMD GPUs the lanes' votes on several are more work than the branches.

import (
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

const maxJoined = 32 // checks of a run

// A joint is a check of a run.
type joint struct {
	at     *ssa.IndexAddr
	index  *node
	length *node
	idx, n target.Value
	spare  bool  // others say enough
	longer bool  // it is spare, as a part of what is indexed is indexed alike
	reach  int64 // how far ahead of it spare ones of the same base are
	low    bool  // it is enough that it is not negative: it is less than another by little
	with   []int // which ones of the run have the same index, and are spare: it is to be below their lengths, too
}

// joined makes the checks of the run that begins with a, and reports whether there are
// several; they are noted as made.
func (f *function) joined(a *ssa.IndexAddr) bool {
	p := f.proof
	if f.isShort(a.Index) || f.opts.NoBounds || f.hoisted[a] || f.alone[a] {
		return false
	}
	run := f.run(a)
	if len(run) < 2 {
		return false
	}
	p.spare(run, a)
	if !f.M.T.Joins {
		leastLengths(run)
	}
	kept, longer := 0, 0
	for _, j := range run {
		if j.longer {
			longer++
		}
		if !j.spare {
			kept++
		}
		if j.reach > 0 {
			kept++ // the length is another operation
		}
	}
	if kept > 1 && !f.M.T.Joins {
		for _, j := range run {
			f.alone[j.at] = true
		}
		return false
	}
	back := f.comeBack()
	f.anchor = a
	for i := range run {
		j := &run[i]
		f.moveUp(j.at.X)
		f.moveUp(j.at.Index)
		j.idx = f.index(j.at.Index)
		j.n = f.lengthOf(j.at.X)
	}
	f.anchor = nil
	back()
	var bad target.Value
	for _, j := range run {
		f.hoisted[j.at] = true
		if j.spare {
			continue
		}
		fails := target.Value(nil)
		if j.low {
			fails = f.ICmp("slt", j.idx, target.Int(target.I64, 0))
		} else {
			n := f.shorter(j.n, j.reach)
			for _, k := range j.with {
				n = f.Intrinsic("llvm.umin.i64", target.I64, n, run[k].n)
			}
			fails = f.notBelow(j.at, a, j.idx, n)
		}
		if bad != nil {
			fails = f.Bin("or", bad, fails)
		}
		bad = fails
	}
	ok := f.failsAt(bad)
	var all []test
	for _, j := range run {
		all = append(all, test{at: j.at, idx: j.idx, n: j.n})
	}
	f.raiseFirst(all, kept+longer)
	f.Cur = ok
	back()
	return true
}

// lengthOf is the length of what is indexed.
func (f *function) lengthOf(v ssa.Value) target.Value {
	if p, ok := v.Type().Underlying().(*types.Pointer); ok {
		return target.Int(target.I64, p.Elem().Underlying().(*types.Array).Len())
	}
	return f.Elem(f.value(v), 1)
}

// run finds the checks that can be made together with that of a, in order.
func (f *function) run(a *ssa.IndexAddr) (run []joint) {
	all := a.Block().Instrs
	p := f.proof
	s := scope{function: f, begin: a}
	for _, i := range all[slices.Index(all, ssa.Instruction(a)):] {
		c, isIndex := i.(*ssa.IndexAddr)
		if isIndex && f.in.mayBeNil(c.X) {
			break // a nil pointer may be next
		}
		if isIndex && (c == a || !f.passes(c, c.Index, c.X)) {
			if len(run) == maxJoined || !s.early(c.Index, 0) || !s.early(c.X, 0) {
				break
			}
			run = append(run, joint{at: c, index: p.node(c.Index), length: p.length(c.X)})
			continue
		}
		if !f.in.harmless(i, nil) && !f.in.computes(i) {
			break
		}
		if st, ok := i.(*ssa.Store); ok {
			s.stores(st)
		}
	}
	return run
}

// computes reports whether an instruction does nothing but compute a scalar from its
// operands or from a local variable, so that it may as well be done earlier.
func (in *instance) computes(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.BinOp:
		return in.harmless(i, nil)
	case *ssa.UnOp:
		return i.Op != token.MUL || localRoot(i.X) != nil && !isBig(i.Type())
	case *ssa.FieldAddr:
		return localRoot(i) != nil
	case *ssa.Convert, *ssa.Field, *ssa.Extract:
		return true
	case *ssa.Index:
		return hasConstantIndex(i) && !isBig(i.X.Type())
	case *ssa.Call:
		if _, ok := i.Call.Value.(*ssa.Builtin); ok {
			return in.harmless(i, nil)
		}
		if c := in.calls[i]; c != nil && c.row == nil && c.inst != nil && len(c.fun.binds) == 0 && !c.inst.makesFuncs() {
			return c.inst.onlyComputes()
		}
		return in.facts(i).Free()
	}
	return false
}

// onlyComputes reports whether a function has one block, in which it only computes.
func (in *instance) onlyComputes() bool {
	if in.pure == 0 {
		in.pure = -1
		if in.computesAlone() {
			in.pure = 1
		}
	}
	return in.pure > 0
}

func (in *instance) computesAlone() bool {
	const most = 150
	if len(in.fn.Blocks) != 1 || len(in.fn.Blocks[0].Instrs) > most {
		return false
	}
	for _, i := range in.fn.Blocks[0].Instrs {
		switch i := i.(type) {
		case *ssa.Return, *ssa.DebugRef, *ssa.Alloc:
		case *ssa.Store:
			if localRoot(i.Addr) == nil {
				return false
			}
		default:
			if !in.computes(i) {
				return false
			}
		}
	}
	return true
}

// moveUp makes what a value needs, here.
func (f *function) moveUp(v ssa.Value) {
	i, ok := v.(ssa.Instruction)
	if !ok || f.vals[v] != nil {
		return
	}
	for _, o := range i.Operands(nil) {
		if *o != nil {
			f.moveUp(*o)
		}
	}
	f.instruction(i)
	f.moved[i] = true
}

// spare finds the checks of a run that others make needless, before instruction at.
func (p *prover) spare(run []joint, at ssa.Instruction) {
	p.reaches(run, at)
	for i := range run {
		for k := range run {
			if i == k || run[i].spare || run[k].spare || run[i].reach > 0 {
				continue
			}
			if run[i].length == run[k].length {
				run[i].spare = p.ordered(run[i].index, run[k].index, at)
			} else if run[i].index == run[k].index && run[k].length.isOfPart() { // of a part of the same, which is shorter
				run[i].spare = p.ordered(run[k].length, run[i].length, at)
				run[i].longer = run[i].spare
			}
		}
	}
}

// leastLengths makes one check of those of the same index.
func leastLengths(run []joint) {
	plain := func(j *joint) bool { return !j.spare && !j.low && j.reach == 0 }
	for i := range run {
		for k := i + 1; k < len(run); k++ {
			if plain(&run[i]) && plain(&run[k]) && run[i].index == run[k].index {
				run[k].spare, run[i].with = true, append(run[i].with, k)
			}
		}
	}
}

// reaches finds, of the checks whose indices have one base, those that say enough; the others
// are spare. If no index is negative that is the check of the greatest. Where a shorter length
// costs nothing it is that of the least, and elsewhere both.
func (p *prover) reaches(run []joint, at ssa.Instruction) {
	type group struct {
		least, most int
		from, far   int64
	}
	groups := map[string]*group{}
	for i := range run {
		base, offset, ok := p.ring(run[i].index, run[i].length)
		if !ok {
			continue
		}
		g := groups[base]
		if g == nil {
			groups[base] = &group{i, i, offset, offset}
			continue
		}
		run[i].spare = true
		if offset < g.from {
			run[g.least].spare, run[i].spare = true, false
			g.least, g.from = i, offset
		}
		if offset > g.far {
			g.most, g.far = i, offset
		}
	}
	for _, g := range groups {
		least, most := &run[g.least], &run[g.most]
		switch {
		case g.most == g.least:
		case p.ordered(least.index, most.index, at):
			least.spare, most.spare = true, false
		case p.steady(least.length, at):
			least.reach = g.far - g.from
		default:
			least.low, most.spare = true, false
		}
	}
}

// steady reports whether what is computed from a length alone is a constant, or can be
// computed ahead of the loop around an instruction.
func (p *prover) steady(length *node, at ssa.Instruction) bool {
	if length.base.lo == length.base.hi {
		return true
	}
	around := p.around(at.Block())
	return len(around) > 0 && !around[len(around)-1].blocks[length.block]
}

// shorter is a length less what others are ahead of an index, at least 0: if the index is in
// range of that, so are they.
//
//	i >= n || i+1 >= n   ->   i >= usub.sat(n, 1)
func (f *function) shorter(n target.Value, reach int64) target.Value {
	if c, ok := n.(*target.Const); ok && reach > 0 {
		if k, err := strconv.ParseInt(c.Text, 10, 64); err == nil {
			return target.Int(target.I64, max(k-reach, 0))
		}
	}
	if reach == 0 {
		return n
	}
	return f.Intrinsic("llvm.usub.sat.i64", target.I64, n, target.Int(target.I64, reach))
}

// ring takes an index apart as sums of 64 bits are that may wrap around. Indices of one
// base that differ by little are in range if the least and the greatest are: between
// these two no sum wraps around.
func (p *prover) ring(index, length *node) (base string, offset int64, ok bool) {
	if index.bits != 64 {
		return "", 0, false
	}
	l, ok := ringOf(index, 0)
	const far = math.MaxInt64 / 4
	if !ok || l.c > far || l.c < -far {
		return "", 0, false
	}
	key := []byte{}
	for _, t := range l.terms {
		key = appendInts(key, int64(t.n.id), t.k)
	}
	return string(appendInts(key, int64(length.id))), l.c, true
}

func appendInts(b []byte, all ...int64) []byte {
	for _, n := range all {
		for range 8 {
			b, n = append(b, byte(n)), n>>8
		}
	}
	return b
}

// ringOf is the sum that a node of 64 bits is, modulo 1<<64.
func ringOf(n *node, deep int) (linear, bool) {
	if n.op == opConst {
		return linear{c: n.k}, true
	}
	if deep > maxLinear || n.bits != 64 {
		return single(n), true
	}
	switch n.op {
	case token.ADD, token.SUB:
		x, ok1 := ringOf(n.x, deep+1)
		y, ok2 := ringOf(n.y, deep+1)
		by := int64(1)
		if n.op == token.SUB {
			by = -1
		}
		if l, ok := x.plus(y, by); ok && ok1 && ok2 {
			return l, true
		}
	case token.MUL, token.SHL:
		k := n.y.k
		if n.op == token.SHL {
			k = 1 << max(min(k, 62), 0)
		}
		if n.y.op != opConst || n.op == token.SHL && (n.y.k < 0 || n.y.k > 62) {
			break
		}
		if x, ok := ringOf(n.x, deep+1); ok {
			if l, ok := (linear{}).plus(x, k); ok {
				return l, true
			}
		}
	}
	return single(n), true
}

// mayBeNil reports whether v is a pointer that may be nil.
func (in *instance) mayBeNil(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Pointer)
	return ok && !in.nonNil(v)
}
