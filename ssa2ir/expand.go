package ssa2ir

// This file makes functions that a kernel calls part of the kernel's own, where they are about indices: what finds out
// that a check is not needed looks at one function.
//
//	func (m Matrix) At(y, x int) float32 { return m.Data[y*m.Width+x] }
//
// Panics and positions are those of the function, by the calls that lead there.

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/inline"
	"heddle/internal/module"
	"heddle/intrinsics"
)

// maxWhole is how many SSA instructions a kernel may have with what is made part of it.
const maxWhole = 4000

// expanded is the kernel with others' bodies, nil if there are none.
func (prog *Program) expanded() *Kernel {
	if prog.Kernel.Partial {
		return nil
	}
	e := &expansion{prog: prog, sizes: map[*instance]int{}, known: map[*instance]*evaluator{}, about: map[*instance]bool{}, directed: prog.root.directed}
	for _, b := range prog.root.fn.Blocks {
		e.size += len(b.Instrs)
	}
	fn, sites := inline.Expand(prog.root.fn, func() bool { return !e.directed }, onlyComputes, e.choose)
	if fn == nil || len(sites.Of) == 0 && !sites.Unrolled && !e.shrunk(fn) {
		return nil
	}
	k := *prog.Kernel
	k.Fn, k.sites = fn, sites
	return &k
}

// onlyComputes reports whether a call is one of a function of which it makes no difference when and how often it is done.
func onlyComputes(call *ssa.Call) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return slices.Contains([]string{"len", "cap", "min", "max"}, b.Name())
	}
	callee := call.Call.StaticCallee()
	if callee == nil {
		return false
	}
	row := intrinsics.Lookup(fullName(callee))
	return row != nil && row.Free()
}

// An expansion chooses what becomes part of a kernel.
type expansion struct {
	prog  *Program
	size  int
	sizes map[*instance]int
	known map[*instance]*evaluator // on some machine
	about map[*instance]bool       // indices
	// directed: there is //heddle:unroll above a loop of the kernel, or of what becomes part of it. If loops were unrolled here, another one might take that.
	directed bool
}

// shrunk reports whether the copy has less in it than the kernel.
func (e *expansion) shrunk(fn *ssa.Function) bool {
	count := func(fn *ssa.Function) (n int) {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if _, info := i.(*ssa.DebugRef); !info {
					n++
				}
			}
		}
		return n
	}
	return count(fn) < count(e.prog.root.fn)
}

// instance is what has been planned for a site.
func (e *expansion) instance(s *inline.Site) *instance {
	if s == nil {
		return e.prog.root
	}
	return e.instance(s.Outer).calls[s.Call].inst
}

// choose reports whether a function becomes part of what calls it.
func (e *expansion) choose(call *ssa.Call, of *ssa.Function, outer *inline.Site) bool {
	c := e.instance(outer).calls[call]
	if c == nil || c.row != nil || c.inst == nil || c.fun.chosen() || of != c.inst.fn {
		return false
	}
	in := c.inst
	if in.inlining == inlineNever || in.makesFuncs() || e.isLibrary(in.fn) || e.isKnown(e.instance(outer), call) && !isConstant(in.fn) || !inline.CanInline(in.fn) {
		return false
	}
	wanted := len(in.free) > 0 || isConstant(in.fn) || e.aboutIndices(in)
	for _, b := range in.bound() {
		if b.fun != nil && b.fun.chosen() || len(b.parts) > 0 || b.dynamic != nil || b.flag != nil {
			return false
		}
		wanted = wanted || b.fun != nil && b.fun.captures()
	}
	if !wanted {
		return false
	}
	for _, r := range *call.Referrers() {
		switch r.(type) {
		case *ssa.Extract, *ssa.DebugRef:
		default:
			if _, tuple := call.Type().(*types.Tuple); tuple {
				return false
			}
		}
	}
	if outer != nil { // counted with what it is part of
		e.directed = e.directed || in.directed
		return true
	}
	size := e.whole(in)
	if e.size+size > maxWhole {
		return false
	}
	e.size += size
	e.directed = e.directed || in.directed
	return true
}

// isKnown reports whether a call's result is known while compiling, as of what asks for the architecture. What it is made of may not be.
func (e *expansion) isKnown(in *instance, call *ssa.Call) bool {
	return in.evaluator(someMachine.Get(), e.known).value(call) != nil
}

// isConstant reports whether all that a function does is to return constants, as methods of types do that stand for options:
//
//	func (No) Checked() bool { return false }
func isConstant(fn *ssa.Function) bool {
	return len(fn.Blocks) == 1 && fn.Signature.Results().Len() > 0 && !slices.ContainsFunc(fn.Blocks[0].Instrs, func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Return:
			return slices.ContainsFunc(i.Results, func(v ssa.Value) bool { c, ok := v.(*ssa.Const); return !ok || c.Value == nil })
		}
		return true
	})
}

// isLibrary reports whether a function is the standard library's or heddle's, but in the kernel's own package.
func (e *expansion) isLibrary(fn *ssa.Function) bool {
	path, own := packagePath(fn), packagePath(e.prog.Kernel.Fn)
	return path != own && (module.Has(path) || libraryOf(path, own))
}

// whole is how many instructions a function has, with what it calls; more than maxWhole, if it has.
func (e *expansion) whole(in *instance) int {
	if n, ok := e.sizes[in]; ok {
		return n
	}
	n := 0
	for _, b := range in.fn.Blocks {
		n += len(b.Instrs) - 1
		for _, i := range b.Instrs {
			if call, ok := i.(*ssa.Call); ok {
				if c := in.calls[call]; c != nil && c.row == nil && c.inst != nil {
					n = min(n+e.whole(c.inst), maxWhole+1)
				}
			}
		}
	}
	e.sizes[in] = n
	return n
}

// aboutIndices reports whether a function has checks of indices in it or in what it calls, or returns what these are made of, or
// stores it where its caller says, or whether it takes longer with ints of 64 bits.
func (e *expansion) aboutIndices(in *instance) bool {
	about, ok := e.about[in]
	if !ok {
		about = e.findIndices(in)
		e.about[in] = about
	}
	return about
}

func (e *expansion) findIndices(in *instance) bool {
	for v := range in.fn.Signature.Results().Variables() {
		if hasIndices(v.Type()) || isKind(v.Type(), types.IsBoolean) && slices.ContainsFunc(in.fn.Params, func(p *ssa.Parameter) bool { return hasIndices(p.Type()) }) {
			return true
		}
	}
	for _, b := range in.fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.IndexAddr, *ssa.Slice, *ssa.Index, *ssa.Lookup:
				return true
			case *ssa.Convert, *ssa.BinOp:
				if ofLongInts(i) {
					return true
				}
			case *ssa.Store:
				if isPassed(i.Addr) && hasIndices(i.Val.Type()) {
					return true
				}
			case *ssa.Call:
				if c := in.calls[i]; c != nil && c.row == nil && c.inst != nil && e.aboutIndices(c.inst) {
					return true
				}
			}
		}
	}
	return false
}

// ofLongInts reports whether an instruction makes floats of integers of 64 bits, or divides them. GPUs take several times as long as with
// 32 bits, which the prover finds out where it knows what a function is passed.
func ofLongInts(i ssa.Instruction) bool {
	isLong := func(t types.Type) bool { n, ok := typeOf(t); return ok && n.bits == 64 }
	switch i := i.(type) {
	case *ssa.Convert:
		return isFloat(i.Type()) && isLong(i.X.Type())
	case *ssa.BinOp:
		_, byConst := i.Y.(*ssa.Const)
		return (i.Op == token.QUO || i.Op == token.REM) && isLong(i.Type()) && !byConst
	}
	return false
}

// isPassed reports whether an address is passed to a function, or is that of a part of what is there.
func isPassed(addr ssa.Value) bool {
	switch a := addr.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.FieldAddr:
		return isPassed(a.X)
	}
	return false
}

// hasIndices reports whether a value of type t may be an index or be indexed.
func hasIndices(t types.Type) bool {
	if opaque(t) != nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		n, ok := typeOf(t)
		return ok && n.bits == 64 || isString(t)
	case *types.Slice:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if hasIndices(f.Type()) {
				return true
			}
		}
	}
	return false
}

// An inlinedPart is what the code of a function has that is part of another.
type inlinedPart struct {
	scope *metadata.DISubprogram
	frame *frame
	at    *metadata.DILocation
}

// findParts makes what is needed for the code of all parts. Their contexts are made here, so that they hold everywhere.
func (f *function) findParts() {
	if len(f.in.sites.Of) == 0 {
		return
	}
	f.inlined = map[*inline.Site]*inlinedPart{nil: {f.scope, f.frame, nil}}
	for _, b := range f.in.fn.Blocks {
		for _, i := range b.Instrs {
			f.partOf(f.in.sites.Of[i])
		}
	}
	f.goInto(nil)
	f.Loc = f.location(f.in.fn.Pos())
}

func (f *function) partOf(s *inline.Site) *inlinedPart {
	if p := f.inlined[s]; p != nil {
		return p
	}
	f.partOf(s.Outer)
	f.goInto(s.Outer)
	f.pos = callPos(s.Call)
	f.Loc = f.location(f.pos)
	p := &inlinedPart{scope: f.inlinedScope(s.Fn), frame: f.newFrame(s.Fn), at: f.Loc}
	f.inlined[s] = p
	p.frame.context = f.called(p.frame)
	return p
}

// goInto has what is made next belong to a site.
func (f *function) goInto(s *inline.Site) {
	p := f.inlined[s]
	f.inside, f.scope, f.frame, f.calledAt = s, p.scope, p.frame, p.at
}

// enter has what is made next belong to the site that an instruction does.
func (f *function) enter(i ssa.Instruction) {
	if f.inlined == nil {
		return
	}
	if s := f.in.sites.Of[i]; s != f.inside {
		f.goInto(s)
	}
}

// comeBack returns what has the things made next belong to where they do now.
func (f *function) comeBack() func() {
	pos, loc, inside := f.pos, f.Loc, f.inside
	return func() {
		if f.inlined != nil {
			f.goInto(inside)
		}
		f.pos, f.Loc = pos, loc
	}
}

// origin is the function that the instruction being translated was written in.
func (f *function) origin() *ssa.Function {
	if f.inside != nil {
		return f.inside.Fn
	}
	return f.in.fn
}
