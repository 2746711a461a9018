package spmd

import (
	"slices"
	"strconv"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file is an interpreter of scalar IR: it runs a function for one thread
// after the other, as LLVM's language reference has it, and so says what the
// analyses and the vector code must agree with.

// A Val is a value of one thread: an integer or a pointer, zero-extended, or an
// aggregate of two. Poison and what comes of it, freeze included, is any value.
type Val struct {
	Hi, Lo uint64
	Any    bool
	Two    *[2]Val
}

// maxTurns bounds a loop's iterations.
const maxTurns = 4

// A Trace is what a gang's threads computed: of each instruction that has a
// result and each of its instances (one for each iteration of the loops around
// it) the value of each lane, and whether the lane came there.
type Trace struct {
	Insts []*ll.Inst
	Cells []Val
	Ran   []bool
	Lanes int
	first []int // instance of each instruction, and their number
	steps map[*ll.Inst]*step
}

// A step is an instruction with what is known of it before it runs.
type step struct {
	at       int // in Insts, -1 without a result
	operands []operand
	terms    []divergence.GepTerm
	eval     func(i *ll.Inst, n int, args []Val) (Val, bool)
	width    int // of the first operand
}

// An operand is a value: fixed, or what the instruction at computed last.
type operand struct {
	at    int
	fixed Val
}

// A Machine is what a thread runs in.
type Machine struct {
	Call   func(name string, lane int) (uint64, bool) // the thread's place
	Params map[string]uint64
	// Load reads bytes of memory, Store gets what is written and how many bytes it is.
	Load  func(address uint64, size int) (uint64, bool)
	Store func(lane int, address uint64, v Val, size int)
}

// errUndefined is why a function says nothing: it does what is undefined, or panics, or runs too long.
type errUndefined string

func (e errUndefined) Error() string { return string(e) }

// Interpret runs f for each lane of a gang of so many; 0: nothing is kept of what they computed. The error is an errUndefined if f is no test of anything.
func Interpret(f *ll.Func, m *Machine, lanes []int, width int) (t *Trace, err error) {
	defer func() {
		if e := recover(); e != nil {
			u, ok := e.(errUndefined)
			if !ok {
				panic(e)
			}
			err = u
		}
	}()
	t = &Trace{Lanes: width, steps: map[*ll.Inst]*step{}}
	cfg := divergence.NewCFG(f)
	t.prepare(f, m, cfg)
	args := make([]Val, 16)
	for _, lane := range lanes {
		th := &thread{Machine: m, trace: t, lane: lane, CFG: cfg, now: make([]Val, len(t.Insts)), turns: map[*divergence.Loop]int{}, args: args}
		th.run(f)
	}
	return t, nil
}

// prepare makes steps of f's instructions, and room for their values.
func (t *Trace) prepare(f *ll.Func, m *Machine, cfg *divergence.CFG) {
	at := 0
	for _, b := range f.Blocks {
		n := 1
		for l := cfg.Loops[b.Index]; l != nil; l = l.Parent {
			n *= maxTurns
		}
		for _, i := range b.Insts {
			t.steps[i] = &step{at: -1}
			if i.Typ.Kind != ll.Void {
				t.steps[i].at = len(t.Insts)
				t.Insts = append(t.Insts, i)
				t.first = append(t.first, at)
				at += n
			}
		}
	}
	t.first = append(t.first, at)
	t.Cells = make([]Val, at*t.Lanes)
	t.Ran = make([]bool, at*t.Lanes)
	for i, s := range t.steps {
		for _, x := range i.Args {
			o := operand{at: -1}
			if def, ok := x.(*ll.Inst); ok {
				o.at = t.steps[def].at
			} else {
				o.fixed = m.fixed(x)
			}
			s.operands = append(s.operands, o)
		}
		if i.Op == "getelementptr" {
			s.terms = divergence.GepTerms(i)
		}
		s.eval = evals[i.Op]
		if len(i.Args) > 0 && i.Args[0].Type().Kind != ll.Struct {
			s.width = width(i.Args[0].Type())
		}
	}
}

// A thread runs a function for one lane.
type thread struct {
	*Machine
	*divergence.CFG
	trace *Trace
	lane  int
	now   []Val // latest values
	args  []Val // of the current instruction
	turns map[*divergence.Loop]int
}

func (t *thread) run(f *ll.Func) {
	var from *ll.Block
	for b := f.Blocks[0]; b != nil; {
		if l := t.Loops[b.Index]; l != nil && l.Header == b {
			if l.Has(from) && from != nil {
				t.turns[l]++
			} else {
				t.turns[l] = 0
			}
			if t.turns[l] >= maxTurns {
				panic(errUndefined("too many iterations"))
			}
		}
		instance := 0
		for l := t.Loops[b.Index]; l != nil; l = l.Parent {
			instance = instance*maxTurns + t.turns[l]
		}
		var phis []Val
		for n, i := range b.Insts {
			s := t.trace.steps[i]
			if i.Op != "phi" {
				for k, v := range phis {
					t.set(t.trace.steps[b.Insts[k]], instance, v)
				}
				phis = nil
			}
			switch {
			case i.Op == "phi":
				phis = append(phis, t.val(s.operands[slices.Index(i.Blocks, from)]))
			case n == len(b.Insts)-1:
				from, b = b, t.next(i, s)
			case i.Typ.Kind == ll.Void:
				t.effect(i, s)
			default:
				t.set(s, instance, t.eval(i, s))
			}
		}
	}
}

func (t *thread) set(s *step, instance int, v Val) {
	t.now[s.at] = v
	if t.trace.Lanes > 0 {
		at := (t.trace.first[s.at]+instance)*t.trace.Lanes + t.lane
		t.trace.Cells[at], t.trace.Ran[at] = v, true
	}
}

// next is the block after a terminator.
func (t *thread) next(i *ll.Inst, s *step) *ll.Block {
	switch {
	case i.Op == "ret":
		return nil
	case i.Op == "unreachable":
		panic(errUndefined("a panic"))
	case len(i.Args) == 0:
		return i.Blocks[0]
	}
	c := t.val(s.operands[0])
	if c.Any {
		panic(errUndefined("a branch by poison"))
	}
	return i.Blocks[1-c.Lo]
}

func (t *thread) effect(i *ll.Inst, s *step) {
	switch {
	case i.Op == "store":
		p := t.val(s.operands[1])
		if p.Any {
			panic(errUndefined("a store to poison"))
		}
		t.Store(t.lane, p.Lo, t.val(s.operands[0]), stored(i.Args[0].Type()))
	case i.Callee == "heddle.panic":
		panic(errUndefined("a panic"))
	default:
		panic("interpreter: " + i.Op + " " + i.Callee)
	}
}

// stored is how many bytes a value takes in memory.
func stored(t *ll.Type) int {
	if t.Kind == ll.Int {
		return (t.Bits + 7) / 8
	}
	return t.Size()
}

// val is an operand's value.
func (t *thread) val(o operand) Val {
	if o.at >= 0 {
		return t.now[o.at]
	}
	return o.fixed
}

// fixed is the value of a parameter or a constant.
func (m *Machine) fixed(v ll.Value) Val {
	c, ok := v.(*ll.Const)
	switch {
	case !ok:
		return cut(Val{Lo: m.Params[v.(*ll.Param).Name]}, width(v.Type()))
	case divergence.IsUndef(c):
		return Val{Any: true}
	case c.Text == "true":
		return Val{Lo: 1}
	case c.Text == "false" || c.Text == "null":
		return Val{}
	}
	if n, err := strconv.ParseInt(c.Text, 10, 64); err == nil {
		return cut(Val{Hi: uint64(n >> 63), Lo: uint64(n)}, width(c.Typ))
	}
	panic("interpreter: constant " + c.Text)
}

// eval is an instruction's result.
func (t *thread) eval(i *ll.Inst, s *step) Val {
	args := t.args[:len(i.Args)]
	poison := false
	for n, x := range s.operands {
		args[n] = t.val(x)
		poison = poison || args[n].Any
	}
	switch {
	case i.Op == "select":
		if args[0].Any {
			return args[0]
		}
		return args[2-args[0].Lo]
	case i.Op == "call" && len(i.Args) == 0:
		n, ok := t.Call(i.Callee, t.lane)
		if !ok {
			panic("interpreter: call of " + i.Callee)
		}
		return Val{Lo: n}
	case i.Op == "extractvalue":
		if args[0].Two == nil {
			return Val{Any: true}
		}
		return args[0].Two[i.Index[0]]
	case i.Op == "insertvalue":
		two := [2]Val{{Any: true}, {Any: true}}
		if args[0].Two != nil {
			two = *args[0].Two
		}
		two[i.Index[0]] = args[1]
		return Val{Two: &two}
	case poison && undefinedOf[i.Op]:
		panic(errUndefined(i.Op + " of poison"))
	case poison:
		return Val{Any: true}
	case i.Op == "load":
		v, ok := t.Load(args[0].Lo, stored(i.Typ))
		if !ok {
			panic(errUndefined("a load from nowhere"))
		}
		return cut(Val{Lo: v}, width(i.Typ))
	case i.Op == "getelementptr":
		p := args[0]
		for _, g := range s.terms {
			if g.Index == nil {
				p = add(p, Val{Lo: uint64(g.Offset)})
				continue
			}
			x := args[slices.Index(i.Args, g.Index)]
			p = add(p, mul(extend(x, g.Index.Type().Bits), Val{Lo: uint64(g.Offset)}))
		}
		return cut(p, 64)
	case i.Op == "call":
		return t.intrinsic(i, args)
	}
	if s.eval == nil {
		panic("interpreter: " + i.Op)
	}
	r, ok := s.eval(i, s.width, args)
	if !ok {
		return Val{Any: true}
	}
	return cut(r, width(i.Typ))
}
