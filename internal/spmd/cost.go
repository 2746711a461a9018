package spmd

import (
	"slices"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/spmd/divergence"
	"heddle/internal/spmd/ll"
)

// This file estimates what a kernel costs, for a gang and for its lanes one after the other.
// The unit is an instruction that waits for none. The figures are rough: they come from the
// tables of processors of 2019 to 2023, and from which form was faster for some 60 kernels.

// A cost is that of a gang, and that of its lanes one after the other.
type cost struct{ gang, one float64 }

// costs estimates what a function costs for as many threads as a gang has lanes.
type costs struct {
	*divergence.Analysis
	isa   string
	mod   *ll.Module
	calls map[*ll.Func]cost // of the functions that it calls; none yet of those that it is called by
	// visits are how often a gang comes to each block, and a lane, by Index.
	visits, lane []float64
	lost         []bool                           // the blocks from which no way leads to the function's end
	inside       map[*divergence.Loop][]*ll.Block // each loop's blocks that are not lost, in order
}

// estimate is the function's cost.
func (c *costs) estimate() (sum cost) {
	c.frequencies()
	n := float64(c.Lanes)
	work := map[*divergence.Loop]cost{} // outside of the loops within; one lane's
	for _, b := range c.Order {
		if c.lost[b.Index] {
			continue
		}
		in := cost{}
		for _, i := range b.Insts {
			in.gang += c.ofGang(i)
			in.one += c.ofLane(i)
		}
		in.gang *= c.visits[b.Index]
		in.one *= c.lane[b.Index]
		sum = cost{sum.gang + in.gang, sum.one + n*in.one}
		if loop := c.Loops[b.Index]; loop != nil {
			w := work[loop]
			work[loop] = cost{w.gang + in.gang, w.one + in.one}
		}
	}
	// No iteration is shorter than what the next one waits for.
	for _, l := range c.All {
		if c.lost[l.Header.Index] {
			continue
		}
		w, wait := work[l], perCycle*c.recurrence(l)
		sum.gang += max(0, wait*c.visits[l.Header.Index]-w.gang)
		sum.one += max(0, wait*c.lane[l.Header.Index]-w.one) * n
	}
	return sum
}

// perCycle is how many instructions a processor does in a cycle where none waits for another.
const perCycle = 3

// farLoad is how many cycles a load takes from memory that other threads read, too: not all of it is near.
const farLoad = 12

// latencies are those of instructions, in cycles, where it is not 1.
var latencies = lazy.Value[map[string]float64]{Make: func() map[string]float64 {
	return map[string]float64{"load": 5, "mul": 3, "fadd": 4, "fsub": 4, "fmul": 4, "fdiv": 12, "udiv": 14, "sdiv": 14, "urem": 14, "srem": 14,
		"atomicrmw": 20, "cmpxchg": 20, "phi": 0, "zext": 0, "trunc": 0, "getelementptr": 0.5, "sitofp": 4, "fptosi": 4, "uitofp": 4, "fptoui": 4}
}}

// recurrence is how many cycles a variable's value in the next iteration takes from that in this one, at most.
func (c *costs) recurrence(l *divergence.Loop) (most float64) {
	for _, i := range l.Header.Insts {
		if i.Op != "phi" {
			break
		}
		most = max(most, c.cycles(l, i))
	}
	return most
}

// cycles is recurrence for one of the loop's variables.
func (c *costs) cycles(l *divergence.Loop, phi *ll.Inst) float64 {
	from := map[ll.Value]float64{phi: 0} // cycles from the variable, for what depends on it
	for _, b := range c.inside[l] {
		for _, i := range b.Insts {
			if b == l.Header && i.Op == "phi" {
				continue
			}
			at, depends := 0.0, false
			for _, x := range i.Args {
				if t, ok := from[x]; ok {
					at, depends = max(at, t), true
				}
			}
			if depends {
				from[i] = at + c.latency(i)
			}
		}
	}
	return from[c.Incoming(phi, l.Latch)]
}

// latency is how many cycles an instruction's result takes.
func (c *costs) latency(i *ll.Inst) float64 {
	t, ok := latencies.Get()[i.Op]
	switch {
	case !ok:
		return 1
	case i.Op == "load" && !c.isPrivate(i.Args[0]):
		return farLoad
	}
	return t
}

// isPrivate reports whether p is in a private array.
func (c *costs) isPrivate(p ll.Value) bool {
	for {
		i, ok := p.(*ll.Inst)
		switch {
		case !ok:
			return false
		case i.Op == "alloca":
			return true
		case i.Op != "getelementptr":
			return false
		}
		p = i.Args[0]
	}
}

// slowOps are the instructions that take longer than others: for a lane, and for a register of lanes.
var slowOps = lazy.Value[map[string][2]float64]{Make: func() map[string][2]float64 {
	return map[string][2]float64{
		"udiv": {14, 18}, "sdiv": {14, 18}, "urem": {14, 18}, "srem": {14, 18}, "frem": {20, 20},
		"fdiv": {4, 8}, "phi": {0, 0}, "getelementptr": {0.3, 0.3}, "zext": {0.2, 1}, "sext": {0.5, 1}, "trunc": {0, 1},
	}
}}

// ofLane is what an instruction costs one lane.
func (c *costs) ofLane(i *ll.Inst) float64 {
	switch slow, ok := slowOps.Get()[i.Op]; {
	case ok && len(i.Args) == 2 && divergence.Constant(i.Args[1]) != nil:
		return 5
	case ok && i.Typ.Kind == ll.Int && i.Typ.Bits > 32 && slow[0] > 8:
		return 24
	case ok:
		return slow[0]
	case i.Op == "call":
		return c.ofCall(i, 1).one
	case i.Op == "br":
		switch {
		case len(i.Args) == 0:
			return 0.5
		case c.Parted[i.Block]: // which the processor may not foresee
			return 4
		}
		return 1
	case i.Op == "atomicrmw" || i.Op == "cmpxchg":
		return 20
	}
	return 1
}

// ofCall is what a call costs; a gang, if its values fill so many registers.
func (c *costs) ofCall(i *ll.Inst, registers float64) cost {
	f := c.mod.Func(i.Callee)
	switch {
	case f != nil && len(f.Blocks) > 0:
		in, ok := c.calls[f]
		if !ok {
			c.calls[f] = cost{} // if it calls itself
			params := map[*ll.Param]divergence.Shape{}
			for _, p := range f.Params {
				params[p] = divergence.IsVarying
			}
			callee := costs{Analysis: divergence.Analyse(f, c.Lanes, c.WarpSize, false, 0, params), isa: c.isa, mod: c.mod, calls: c.calls}
			in = callee.estimate()
			c.calls[f] = in
		}
		return cost{10 + in.gang, 10 + in.one/float64(c.Lanes)}
	case strings.HasPrefix(i.Callee, "heddle.") || isDropped(i.Callee):
		return cost{}
	case divergence.IsElementwise(i.Callee):
		return cost{registers, 1}
	}
	return cost{20 * registers, 20}
}

// registers are how many registers hold the gang's values of a type.
func (c *costs) registers(t *ll.Type) float64 {
	return max(1, float64(c.Lanes)*float64(t.Size())/float64(registersOf(c.isa).bytes))
}

// ofGang is what an instruction costs a gang.
func (c *costs) ofGang(i *ll.Inst) float64 {
	switch {
	case i.Op == "br" && c.Parted[i.Block]:
		return c.ofParting(i)
	case i.Op == "load":
		return c.ofAccess(i, i.Args[0], i.Typ)
	case i.Op == "store":
		return c.ofAccess(i, i.Args[1], i.Args[0].Type())
	case i.Op == "atomicrmw" || i.Op == "cmpxchg":
		return 25 * float64(c.Lanes)
	case i.Op == "call" && (i.Typ.Kind == ll.Void || c.ShapeOf(i).Kind == divergence.Varying):
		registers := 1.0
		if i.Typ.Kind != ll.Void {
			registers = c.registers(i.Typ)
		}
		return c.ofCall(i, registers).gang
	case i.Typ.Kind == ll.Void || c.ShapeOf(i).Kind != divergence.Varying:
		return c.ofLane(i)
	}
	return c.ofVector(i)
}

// ofParting is what a gang pays at a branch: for the masks of both ways, the test for none, and the
// values that the ways choose.
func (c *costs) ofParting(i *ll.Inst) float64 {
	sum := 8.0
	for _, s := range i.Blocks {
		for _, phi := range s.Insts {
			if phi.Op != "phi" {
				break
			}
			if c.ShapeOf(phi).Kind == divergence.Varying && c.Meets[s.Index] {
				sum += c.registers(phi.Typ)
			}
		}
	}
	return sum
}

// ofAccess is what a gang's load or store costs.
func (c *costs) ofAccess(i *ll.Inst, p ll.Value, t *ll.Type) float64 {
	switch s := c.ShapeOf(p); {
	case s.Kind == divergence.Uniform:
		return 1
	case s.Kind == divergence.Linear && s.Stride == int64(t.Size()):
		return c.registers(t)
	}
	n, all := float64(c.Lanes), c.lane[i.Block.Index] == c.visits[i.Block.Index]
	switch g := gathers(c.isa, t); {
	case g && i.Op == "store":
		return 10 * n
	case g && all:
		return 4 * n
	case all || g:
		return 6 * n
	}
	return 10 * n
}

// ofVector is what arithmetic costs a gang.
func (c *costs) ofVector(i *ll.Inst) float64 {
	n, t := float64(c.Lanes), i.Typ
	if slices.Contains([]string{"icmp", "fcmp", "trunc"}, i.Op) {
		t = i.Args[0].Type()
	}
	registers := c.registers(t)
	slow, ok := slowOps.Get()[i.Op]
	switch {
	case isDividedByLane(c.Analysis, i):
		return 24 * n
	case strings.HasSuffix(i.Op, "div") && i.Op[0] != 'f' || strings.HasSuffix(i.Op, "rem"):
		if divergence.Constant(i.Args[1]) != nil {
			return 6 * registers
		}
		return 12 * n // as doubles
	case ok:
		return slow[1] * registers
	case i.Op == "mul" && t.Bits == 64:
		return 4 * registers
	}
	return registers
}
