package ssa2ir

// This file holds the frame of the translation: the module, the kernel's
// entry, functions, blocks and phi nodes.

import (
	"fmt"
	"go/token"
	"go/types"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	lltypes "github.com/llir/llvm/ir/types"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/abi"
	"heddle/internal/inline"
	"heddle/internal/target"
)

// A lowerer translates one program for one machine.
type lowerer struct {
	layout
	prog  *Program
	m     *target.Module
	opts  Options
	funcs map[*instance]*ir.Func
	queue []*instance // declared, not yet translated
	sites []*site
	fmf   string // fast-math flags of floating-point operations
	debugInfo
	fatal     *ir.Func     // the panic function, once one is needed
	lock      target.Value // abi.LockSymbol, likewise
	prints    printing
	symbols   symbolsOf
	atomics   []abi.Place
	offsets   map[*types.Struct][]int64
	exits     map[*ir.Func]*panicExit
	dynamic   bool
	largest   abi.Shared
	frames    []*frame
	ofInst    map[*instance]*frame
	plain     bool                       // no hidden parameters: see maxNumbers
	orders    map[*ssa.BasicBlock]*order // see orderOf
	known     map[*instance]*evaluator
	passedAt  []int         // Program.passing
	asked     *bounded      // what the host sees to; nil if nothing
	leastAt   map[int]int64 // the least bytes of what is passed, by the place of its address
	shortAt   map[int]span  // ints that need 32 bits then, by their place in the argument block
	fewerAt   map[int]bool  // slices that have less than 1<<31 elements then, by the place of their pointers
	apartAt   map[int]bool  // slices that lie apart from all that is written then, likewise
	condition abi.Condition // Result.Condition
}

// lowering of one program takes turns: a row that declines extends the plan.
var lowering sync.Mutex

// Lower translates the program for a machine. It fails only where the machine
// lacks something: a device library, a body for a function.
func (prog *Program) Lower(m *target.Machine, opts Options) (res *Result, err error) {
	defer recoverBug(&err, prog.Kernel)
	lowering.Lock()
	defer lowering.Unlock()
	prog = prog.forked(m, opts).repeated(m)
	if res = prog.lower(m, opts, false); res == nil {
		res = prog.lower(m, opts, true)
	}
	return res, nil
}

// newLowerer is a lowerer without a module.
func newLowerer(prog *Program, m *target.Machine, opts Options, plain bool) *lowerer {
	l := &lowerer{
		layout: newLayout(m),
		prog:   prog, opts: opts, plain: plain, fmf: "contract ",
		funcs: map[*instance]*ir.Func{}, ofInst: map[*instance]*frame{}, known: map[*instance]*evaluator{},
		exits: map[*ir.Func]*panicExit{}, offsets: map[*types.Struct][]int64{}, passedAt: prog.passing(),
	}
	switch {
	case opts.FastMath:
		l.fmf = "fast "
	case prog.roundsProducts():
		l.fmf = ""
	}
	return l
}

// lower translates the program, nil if it has too many contexts to be numbered.
func (prog *Program) lower(m *target.Machine, opts Options, plain bool) *Result {
	defer prog.plan.keepPlan()()
	l := newLowerer(prog, m, opts, plain)
	l.m = target.NewModule(m, sourceName(prog.Kernel.Fn, prog.plan.pos(prog.Kernel.Fn.Pos()).Filename))
	l.m.MaxThreads, l.m.FastAtomics = prog.Kernel.Bounds.MaxThreads, opts.FastAtomics
	l.debugInfo.init(l)
	symbol := strings.TrimPrefix(prog.root.name, symbolPrefix)
	l.ask()
	kernel := l.entry(symbol)
	for len(l.queue) > 0 {
		in := l.queue[0]
		l.queue = l.queue[1:]
		l.function(in)
	}
	if l.symbols.bank != nil && l.symbols.tables+l.symbols.bankSize > constantSpace {
		opts.noBank = true
		return prog.lower(m, opts, plain)
	}
	bounds := prog.Kernel.Bounds
	m.Finish(l.m, kernel, target.KernelInfo{MaxThreads: bounds.MaxThreads, MinBlocks: bounds.MinBlocks})
	if !l.number() {
		return nil
	}
	symbols := l.symbols.finish(l.m.T.Target)
	res := &Result{IR: []byte(l.m.LL.String()), Symbol: symbol, Shared: l.dynamic || l.m.UsesShared(), Dynamic: l.dynamic, Largest: l.largest, Files: l.real}
	res.Frames, res.Sites = l.table()
	res.Prints, res.Condition = l.prints.table, l.condition
	res.Symbols, res.Atomics, res.reached = symbols, l.atomics, prog.reached()
	return res
}

// recoverBug turns a panic of this package's own into an error at its edge.
func recoverBug(err *error, k *Kernel) {
	switch e := recover().(type) {
	case nil:
	case Errors:
		*err = e
	case *bug:
		*err = e
	default:
		*err = &bug{k.Fset.Position(k.Fn.Pos()), fmt.Sprintf("%v\n%s", e, debug.Stack())}
	}
}

// A function is one instance under translation.
type function struct {
	*lowerer
	*target.Builder
	in        *instance
	vals      map[ssa.Value]target.Value
	allocs    *ir.Block  // the first block: stack slots only
	know      *evaluator // what is known of the instance's values on this machine
	start     map[*ssa.BasicBlock]*ir.Block
	end       map[*ssa.BasicBlock]*ir.Block
	latches   map[*ssa.BasicBlock]*latch // of loops with several ways back and of those that wait, by header
	phis      []pendingPhi
	here      *ssa.BasicBlock // the block that is being made
	joins     []*memory       // large phi nodes of the current block, whose value is yet to be copied
	halves    []pendingPhi    // phi nodes of the current block that are yet to be widened
	holdings  map[*ssa.Phi]holding
	ins       map[*memory]target.Value // where edges copy such values to
	outs      []*ir.Param              // where large results go
	scope     *metadata.DISubprogram
	frame     *frame
	caller    *inlined                            // set where the body is part of its caller's
	inlined   map[*inline.Site]*inlinedPart       // what is part of it; of nil, its own
	inside    *inline.Site                        // to which the instruction being translated belongs
	calledAt  *metadata.DILocation                // that part's call
	hints     map[*ssa.BasicBlock]*metadata.Tuple // loops, by header
	windows   map[*ssa.BasicBlock]Unroll          // how many iterations loops make at most, see windowTest
	hoists    map[*ssa.BasicBlock]*hoist          // by loop header
	streams   map[*ssa.UnOp]bool                  // what is loaded once beside what is gathered
	hoisted   map[*ssa.IndexAddr]bool             // checked before the loop
	lines     map[*ssa.IndexAddr]*line            // indices as the loops around them go
	meetings  map[meeting]*ir.Block
	both      map[*ssa.BasicBlock]*ssa.BasicBlock  // a loop's second test, which is one with that of the header
	doubles   map[*ssa.BasicBlock]*version         // loops of which there are two, by header
	copying   *version                             // of which a copy is being made
	proof     *prover                              // of spans and checks; nil if neither is wanted
	wrapping  map[ssa.Value]*wrappedSum            // values that are computed in 32 bits, and may wrap around
	anchor    ssa.Instruction                      // before which others' work is done, if any
	moved     map[ssa.Instruction]bool             // they have been made
	shortInts map[*ssa.Convert]span                // ints of floats that are made in 32 bits, and what they may be
	exactArgs map[target.Value]func() target.Value // what such an int is, for a panic to say
	splits    map[target.Value]*splitInt           // ints of floats of which parts are known
	steps     map[ssa.Value]*step                  // next values of variables, to be widened where they are used
	alone     map[*ssa.IndexAddr]bool              // checks that are not worth joining
	twice     *bounded                             // the section of a kernel that is made by others, in two versions; nil if there is none
	bounded   *bounded                             // that section, of which this makes the first version; nil of anything else
	other     *bounded                             // that section, of which this makes the second version; nil of anything else
	chooses   map[*ssa.Alloc]bool                  // local arrays of which an element is chosen by its index
	fewIndex  map[*ssa.IndexAddr]target.Value      // the index of such an element
	compact   map[*ssa.Alloc]span                  // local arrays that are held in 32 bits, and what they hold
	section   map[*ssa.BasicBlock]bool             // the blocks of that section, of which this makes a version; nil of anything else
	pos       token.Pos                            // of the instruction being translated
}

// A pendingPhi waits for the values of its edges.
type pendingPhi struct {
	phi   *ssa.Phi
	val   target.Value
	edges edges
}

// edges are ways to a block: all, or if it is a loop's header, those from ahead of the loop or
// those back.
type edges uint8

const (
	anyEdge edges = iota
	entering
	repeating
)

// entry makes the kernel proper: it brings the arguments into Go's form,
// copies captured variables into slots, and calls the root instance.
func (l *lowerer) entry(symbol string) *ir.Func {
	k := l.prog.Kernel
	var params []*ir.Param
	byParam := make([][]*ir.Param, len(l.prog.Sig.Params))
	goTypes := l.prog.paramTypes()
	for i, p := range l.prog.Sig.Params {
		byParam[i] = l.kernelParams(p, goTypes[i], k.NoAlias)
		params = append(params, byParam[i]...)
	}
	uniqueNames(params)
	fn := l.m.LL.NewFunc(symbol, target.Void, params...)
	fn.CallingConv = l.m.T.KernelConv
	fn.FuncAttrs = append(fn.FuncAttrs, convergent, target.Attr("nounwind"))
	f := l.newFunction(fn, l.prog.root)
	f.scope = l.subprogram(fn, k.Fn, k.Name)
	f.Loc = f.location(k.Fn.Pos())
	args := make([]target.Value, len(l.prog.Sig.Params))
	for i, p := range l.prog.Sig.Params {
		args[i] = f.argument(p, goTypes[i], byParam[i])
	}
	f.assumeSlices(args)
	next := 0
	take := func() target.Value { next++; return args[next-1] }
	var call []target.Value
	n := len(k.Fn.Params)
	if k.Receiver {
		call = append(call, nil)
		n--
	}
	for range n {
		call = append(call, take())
	}
	if k.Receiver {
		if v := k.ReceiverValue; v != nil {
			call[0] = f.capturedConst(k.Fn.Params[0].Type(), v)
		} else {
			call[0] = take()
		}
	}
	call = append(call, f.captured(k, take)...)
	f.call(l.prog.root, call)
	f.Ret(nil)
	f.finish()
	return fn
}

// uniqueNames renames parameters that have another's name: a kernel and the
// funcs it captures may capture variables of one name.
func uniqueNames(params []*ir.Param) {
	seen := map[string]bool{}
	for i, p := range params {
		name := p.LocalName
		for seen[p.LocalName] {
			p.SetName(fmt.Sprintf("%s.%d", name, i))
			i++
		}
		seen[p.LocalName] = true
	}
}

// captured brings captured variables into the form of free variables: the
// address of a slot that holds the value (or the value, where the free
// variable is one). take returns the next hidden argument.
func (f *function) captured(k *Kernel, take func() target.Value) []target.Value {
	var out []target.Value
	for i, c := range k.Captures {
		var v target.Value
		if c.Func != nil {
			binds := f.captured(c.Func, take)
			for i := range binds {
				binds[i] = f.placed(binds[i]) // as lowerMakeClosure does
			}
			v = target.NewAgg(binds...)
		} else if c.Value != nil {
			v = f.capturedConst(c.Type, c.Value)
		} else {
			v = take()
		}
		if t := k.Fn.FreeVars[i].Type(); types.Identical(t, c.Type) && !pointsToFunc(t) {
			out = append(out, v)
			continue
		}
		slot := f.slot(f.inMemory(v.Type()))
		if c.Func != nil {
			f.storeRaw(v, slot)
		} else {
			f.store(c.Type, v, slot)
			f.capturedParts(&c, slot, take)
		}
		out = append(out, slot)
	}
	return out
}

// declare is the LLVM function of an instance, queued for translation at first use.
func (l *lowerer) declare(in *instance) *ir.Func {
	if fn := l.funcs[in]; fn != nil {
		return fn
	}
	var ps []*ir.Param
	add := func(name string, b binding) {
		if t := l.bindType(b); !isEmpty(t) {
			ps = append(ps, ir.NewParam(fmt.Sprintf("%s.%d", name, len(ps)), t))
		}
	}
	for i, p := range in.fn.Params {
		add(p.Name(), in.params[i])
	}
	for i, p := range in.fn.FreeVars {
		add(p.Name(), in.free[i])
	}
	ret, outs := l.resultType(in.results())
	for range outs {
		ps = append(ps, ir.NewParam(fmt.Sprintf("result.%d", len(ps)), l.ptr))
	}
	if in != l.prog.root && !l.plain {
		context := ir.NewParam("context", target.I32)
		l.frameOf(in).context = context
		ps = append(ps, context)
	}
	if isEmpty(ret) {
		ret = target.Void
	}
	fn := l.m.LL.NewFunc(in.name, ret, ps...)
	fn.Linkage = enum.LinkageInternal
	fn.FuncAttrs = append(fn.FuncAttrs, convergent, target.Attr("nounwind"), target.Attr(l.inlining(in)))
	l.funcs[in] = fn
	l.queue = append(l.queue, in)
	return fn
}

// convergent keeps LLVM from moving a call under another condition: the function
// may hold a barrier or a warp operation. LLVM drops it where it proves otherwise.
const convergent = target.Attr("convergent")

// inlining is the attribute of an instance: the kernel's own function always
// becomes part of its entry, the others as LLVM sees fit.
func (l *lowerer) inlining(in *instance) string {
	if in == l.prog.root {
		return inlineAlways.attribute()
	}
	return in.inlining.attribute()
}

func (l *lowerer) newFunction(fn *ir.Func, in *instance) *function {
	f := &function{lowerer: l, in: in, vals: map[ssa.Value]target.Value{}, holdings: map[*ssa.Phi]holding{}, ins: map[*memory]target.Value{},
		start: map[*ssa.BasicBlock]*ir.Block{}, end: map[*ssa.BasicBlock]*ir.Block{}}
	f.Builder = &target.Builder{M: l.m, F: fn, FMF: l.fmf}
	f.allocs = f.NewBlock()
	f.Cur = f.NewBlock()
	return f
}

// finish joins the block of stack slots to the body.
func (f *function) finish() {
	first := f.F.Blocks[1]
	f.Cur = f.allocs
	f.Br(first)
}

// function translates an instance.
func (l *lowerer) function(in *instance) {
	fn := l.funcs[in]
	f := l.newFunction(fn, in)
	f.scope = l.subprogram(fn, in.fn, readable(in.fn))
	f.Loc = f.location(token.NoPos)
	f.frame = l.frameOf(in)
	params := fn.Params
	var args []target.Value
	for _, b := range in.bound() {
		t := l.bindType(b)
		if isEmpty(t) {
			args = append(args, f.explode(target.Zero(t)))
			continue
		}
		args, params = append(args, f.explode(params[0])), params[1:]
	}
	if f.frame.context != nil { // the last one
		params = params[:len(params)-1]
	}
	f.outs = params
	f.body(args)
	f.finish()
}

// explode takes a parameter of struct type apart once, not at every use.
func (f *function) explode(v target.Value) target.Value {
	if b, ok := v.Type().(*bigType); ok {
		return f.large(b.goT, v)
	}
	st, ok := v.Type().(*lltypes.StructType)
	if !ok {
		return v
	}
	a := &target.Agg{Typ: st}
	for i := range st.Fields {
		a.Elems = append(a.Elems, f.explode(f.Extract(v, i)))
	}
	return a
}

// valueType is the LLVM type of an SSA value.
func (f *function) valueType(v ssa.Value) target.Type {
	if isFunc(v.Type()) {
		return f.funcType(f.in.resolve(v))
	}
	if t := f.in.dynamic(v); t != nil {
		return f.llType(t)
	}
	return f.llType(v.Type())
}

// value is an operand.
func (f *function) value(v ssa.Value) target.Value {
	if x := f.vals[v]; x != nil {
		return x
	}
	switch v := v.(type) {
	case *ssa.Const:
		return f.constant(v)
	case *ssa.Function:
		return target.NewAgg()
	case *ssa.Global:
		return f.Generic(f.tableVar(v))
	}
	panic(&bug{f.prog.plan.pos(v.Pos()), fmt.Sprintf("%s = %s (%T) has no value in %s", v.Name(), v, v, f.in.fn)})
}

//go:noinline
func (f *function) set(v ssa.Value, x target.Value) { f.vals[v] = x }
