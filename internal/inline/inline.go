package inline

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Site is a call in whose place there is the body of the function.
type Site struct {
	Call  *ssa.Call // as it was
	Fn    *ssa.Function
	Outer *Site // of the function that it was part of; nil: the one that was given
}

// Sites say to which site what a function has in it belongs; what is not in them is its own.
type Sites struct {
	Of    map[ssa.Instruction]*Site
	Block map[*ssa.BasicBlock]*Site // whose block it was
	// Unrolled: there are loops that are not loops any more.
	Unrolled bool
}

// Position is where an instruction stands in the function that was given: of one that belongs to a site, the outermost call.
func (all *Sites) Position(i ssa.Instruction) token.Pos {
	s := all.Of[i]
	if s == nil {
		return i.Pos()
	}
	for s.Outer != nil {
		s = s.Outer
	}
	return s.Call.Pos()
}

// PositionIn is where an instruction stands in the function of a site: of one that belongs to a site in it, that call. It is the site's own call of
// what stands elsewhere.
func (all *Sites) PositionIn(i ssa.Instruction, in *Site) token.Pos {
	s := all.Of[i]
	if s == in {
		return i.Pos()
	}
	for s != nil && s.Outer != in {
		s = s.Outer
	}
	if s == nil {
		return in.Call.Pos()
	}
	return s.Call.Pos()
}

// Expand is a copy of fn of which the functions are part that choose wants for its calls, and for theirs. choose is asked once for each call of
// each copy that is known to be of one function, where outer is the site whose function has the call. It is nil if there is no such copy.
// unrolls says then whether short loops of few iterations may be unrolled, pure which calls only compute.
func Expand(fn *ssa.Function, unrolls func() bool, pure func(call *ssa.Call) bool, choose func(call *ssa.Call, of *ssa.Function, outer *Site) bool) (*ssa.Function, *Sites) {
	if !known.Get() || !canCopy(fn) {
		return nil, nil
	}
	x := &expander{Sites: newSites(), choose: choose, cells: map[*ssa.Alloc]ssa.Value{}}
	x.whole(fn)
	prune(x.to)
	dominate(x.to)
	drop(x.to) // closures have the addresses of variables
	forward(x.to, x.Of)
	raise(x.to)
	drop(x.to) // fields that have been taken before
	lift(x.to, &x.Sites)
	drop(x.to)
	if once(x.to, pure) {
		drop(x.to)
		dominate(x.to)
	}
	x.Unrolled = unrolls() && unroll(x.to, &x.Sites, (*loop).gathers)
	for changed := unify(x.to); changed; changed = collapse(x.to) {
		drop(x.to) // conditions, too
	}
	merge(x.to)
	dominate(x.to)
	for _, b := range x.to.Blocks {
		for _, i := range b.Instrs {
			if _, closure := i.(*ssa.MakeClosure); closure { // its function has fn as its parent
				return nil, nil
			}
		}
	}
	rename(x.to)
	return x.to, &x.Sites
}

func newSites() Sites {
	return Sites{Of: map[ssa.Instruction]*Site{}, Block: map[*ssa.BasicBlock]*Site{}}
}

// whole copies all of a function.
func (x *expander) whole(fn *ssa.Function) *copying {
	x.to = copied(fn)
	x.to.Params, x.to.FreeVars, x.to.Locals, x.to.Blocks = nil, nil, nil, nil
	vals := map[ssa.Value]ssa.Value{}
	for _, p := range fn.Params {
		q := copied(p)
		set(q, "parent", x.to)
		*q.Referrers() = nil
		x.to.Params = append(x.to.Params, q)
		vals[p] = q
	}
	for _, v := range fn.FreeVars {
		q := copied(v)
		set(q, "parent", x.to)
		*q.Referrers() = nil
		x.to.FreeVars = append(x.to.FreeVars, q)
		vals[v] = q
	}
	c := &copying{fn: fn, vals: vals}
	x.body(c, x.block(fn.Blocks[0], x.from.Block[fn.Blocks[0]]), func(b *ssa.BasicBlock, r *ssa.Return, results []ssa.Value) {
		n := copied(r)
		n.Results = results
		x.add(b, n, x.from.Of[r])
	})
	for i, b := range x.to.Blocks {
		b.Index = i
	}
	x.refer()
	return c
}

// canCopy reports whether a function's body can be copied.
func canCopy(fn *ssa.Function) bool {
	return len(fn.Blocks) > 0 && fn.Recover == nil && len(fn.Blocks[0].Preds) == 0
}

// CanInline reports whether a function's body can stand in the place of its calls, as far as its form tells.
func CanInline(fn *ssa.Function) bool {
	return canCopy(fn) && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		_, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return returns
	})
}

// An expander makes one function.
type expander struct {
	Sites
	to     *ssa.Function
	from   Sites // those of what is copied as a whole
	choose func(call *ssa.Call, of *ssa.Function, outer *Site) bool
	phis   []pending
	cells  map[*ssa.Alloc]ssa.Value // what variables hold that are funcs and are given nothing else
}

// A pending phi has its edges yet to be looked up.
type pending struct {
	phi  *ssa.Phi
	vals map[ssa.Value]ssa.Value
}

// A copying is one copy of a function's body.
type copying struct {
	fn         *ssa.Function
	site       *Site
	vals       map[ssa.Value]ssa.Value // what its values are in the copy
	start, end map[*ssa.BasicBlock]*ssa.BasicBlock
}

func (c *copying) value(v ssa.Value) ssa.Value {
	if x := c.vals[v]; x != nil {
		return x
	}
	return v // a constant, a function, a package's variable
}

// block adds a block like b.
func (x *expander) block(b *ssa.BasicBlock, site *Site) *ssa.BasicBlock {
	n := &ssa.BasicBlock{Comment: b.Comment}
	set(n, "parent", x.to)
	x.to.Blocks = append(x.to.Blocks, n)
	if site != nil {
		x.Block[n] = site
	}
	return n
}

// add adds an instruction to a block.
func (x *expander) add(b *ssa.BasicBlock, i ssa.Instruction, site *Site) {
	set(i, "block", b)
	b.Instrs = append(b.Instrs, i)
	if site != nil {
		x.Of[i] = site
	}
}

// jump ends a block.
func (x *expander) jump(from, to *ssa.BasicBlock, site *Site) {
	x.add(from, &ssa.Jump{}, site)
	from.Succs = append(from.Succs, to)
	to.Preds = append(to.Preds, from)
}

// body copies a function's blocks, the first of them into a block that is given. leave ends the copy of a block that returns.
func (x *expander) body(c *copying, entry *ssa.BasicBlock, leave func(b *ssa.BasicBlock, r *ssa.Return, results []ssa.Value)) {
	c.start, c.end = map[*ssa.BasicBlock]*ssa.BasicBlock{c.fn.Blocks[0]: entry}, map[*ssa.BasicBlock]*ssa.BasicBlock{}
	for _, b := range c.fn.Blocks[1:] {
		c.start[b] = x.block(b, x.site(c, x.from.Block[b]))
	}
	for _, b := range c.fn.DomPreorder() { // operands come first
		cur := c.start[b]
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.DebugRef:
				continue
			case *ssa.Extract:
				if c.vals[i] != nil { // of a call that has been inlined
					continue
				}
			case *ssa.Call:
				if fn, binds := x.callee(c, i); fn != nil && x.choose(i, fn, c.site) {
					cur = x.inline(c, i, fn, binds, cur)
					continue
				}
			case *ssa.Return:
				var results []ssa.Value
				for _, r := range i.Results {
					results = append(results, c.value(r))
				}
				leave(cur, i, results)
				continue
			}
			n := x.instruction(c, i)
			x.add(cur, n, x.site(c, x.from.Of[i]))
			x.noteCell(i, n)
		}
		c.end[b] = cur
	}
	for _, b := range c.fn.Blocks {
		for _, s := range b.Succs {
			c.end[b].Succs = append(c.end[b].Succs, c.start[s])
		}
		for _, p := range b.Preds {
			c.start[b].Preds = append(c.start[b].Preds, c.end[p])
		}
	}
}

// site is where what is copied belongs.
func (x *expander) site(c *copying, was *Site) *Site {
	if c.site != nil {
		return c.site
	}
	return was
}

// instruction is a copy of one.
func (x *expander) instruction(c *copying, i ssa.Instruction) ssa.Instruction {
	n := cloned(x.to, i)
	if phi, ok := n.(*ssa.Phi); ok {
		x.phis = append(x.phis, pending{phi, c.vals})
	} else {
		for _, v := range n.Operands(nil) {
			if *v != nil {
				*v = c.value(*v)
			}
		}
	}
	if v, ok := n.(ssa.Value); ok {
		*v.Referrers() = nil
		c.vals[i.(ssa.Value)] = v
	}
	return n
}

// inline copies a function's body to the place of a call, and returns the block that goes on behind it.
func (x *expander) inline(c *copying, call *ssa.Call, fn *ssa.Function, binds []ssa.Value, cur *ssa.BasicBlock) *ssa.BasicBlock {
	d := &copying{fn: fn, site: &Site{call, fn, c.site}, vals: map[ssa.Value]ssa.Value{}}
	for i, p := range fn.Params {
		d.vals[p] = c.value(call.Call.Args[i])
	}
	for i, v := range fn.FreeVars {
		d.vals[v] = binds[i]
	}
	if len(fn.Blocks) == 1 {
		last := cur
		x.body(d, cur, func(b *ssa.BasicBlock, _ *ssa.Return, results []ssa.Value) {
			x.returned(c, call, results)
			last = b
		})
		return last
	}
	next := &ssa.BasicBlock{Comment: "inlined"}
	set(next, "parent", x.to)
	if c.site != nil {
		x.Block[next] = c.site
	}
	n := len(x.to.Blocks)
	var all [][]ssa.Value
	x.body(d, cur, func(b *ssa.BasicBlock, _ *ssa.Return, results []ssa.Value) {
		x.jump(b, next, d.site)
		all = append(all, results)
	})
	added := append(slices.Clone(x.to.Blocks[n:]), next)
	x.to.Blocks = slices.Insert(x.to.Blocks[:n], slices.Index(x.to.Blocks, cur)+1, added...)
	if len(all) == 1 {
		x.returned(c, call, all[0])
		return next
	}
	var results []ssa.Value
	for k := range fn.Signature.Results().Len() {
		phi := &ssa.Phi{Comment: "result"}
		set(phi, "typ", fn.Signature.Results().At(k).Type())
		for _, r := range all {
			phi.Edges = append(phi.Edges, r[k])
		}
		x.add(next, phi, c.site)
		results = append(results, phi)
	}
	x.returned(c, call, results)
	return next
}

// returned says what a call's results are.
func (x *expander) returned(c *copying, call *ssa.Call, results []ssa.Value) {
	if _, several := call.Type().(*types.Tuple); !several {
		c.vals[call] = results[0]
		return
	}
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok {
			c.vals[e] = results[e.Index]
		}
	}
}

// refer gives phi nodes their edges, and each value those that refer to it.
func (x *expander) refer() {
	for _, p := range x.phis {
		for i, e := range p.phi.Edges {
			p.phi.Edges[i] = (&copying{vals: p.vals}).value(e)
		}
	}
	for _, b := range x.to.Blocks {
		for _, i := range b.Instrs {
			refer(i)
		}
	}
}

// refer notes an instruction as one that refers to its operands.
func refer(i ssa.Instruction) {
	for _, v := range i.Operands(nil) {
		if *v == nil {
			continue
		}
		if r := referrers(*v); r != nil {
			*r = append(*r, i)
		}
	}
}

// referrers are those of a value that only the copy has; nil of others, which are not touched.
func referrers(v ssa.Value) *[]ssa.Instruction {
	if _, shared := v.(*ssa.Function); shared {
		return nil
	}
	return v.Referrers()
}

// rename numbers values in their order.
func rename(fn *ssa.Function) {
	n := 0
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok && v.Referrers() != nil {
				set(v, "num", n)
				n++
			}
		}
	}
}

// fieldOf is the type of a field of a struct.
func fieldOf(t types.Type, i int) types.Type { return t.Underlying().(*types.Struct).Field(i).Type() }

// Functions are those of the sites.
func (all *Sites) Functions() map[*ssa.Function]bool {
	found := map[*ssa.Function]bool{}
	for _, s := range all.Of {
		found[s.Fn] = true
	}
	return found
}
