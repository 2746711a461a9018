package spmd

import (
	"fmt"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file lets checks, and polls of loops, share the code that ends a launch, where a
// function has very many of them. Code of their own is an exit of every loop around it, with
// values of the loop that it reports; LLVM's LCSSA pass takes their number times the exits',
// and its register allocator sees a call at each. As phi nodes of few blocks the values
// cost nothing there, but a move before the check; so few checks keep their own.

const (
	// maxTraps is up to how many checks and loops of a function have code of their own.
	maxTraps = 64
	// trapChecks is up to how many checks share such code: phi nodes of thousands of
	// values would be quadratic for LLVM's coalescer.
	trapChecks = 32
)

// A trap is code that ends the launch for several checks.
type trap struct {
	label string
	// forms are those of site and values, slots theirs and, the first, that of the mask.
	forms  [3]trapForm
	masked bool // the mask is kept as such, not as bits
	slots  [4]string
	checks int
	halts  bool // for loops: there are no values, and site is an i32
}

// A trapForm is how a value comes to a trap.
type trapForm struct {
	typ   *ll.Type
	shape divergence.Shape
}

// trapped finds what heddle.panic gets once control goes from b to the dead end s, if
// nothing else happens there: site and two values, known in b.
func trapped(c *divergence.CFG, b, s *ll.Block) (call *ll.Inst, args [3]ll.Value, ok bool) {
	phis := map[ll.Value]ll.Value{}
	known := func(v ll.Value) ll.Value {
		if x, ok := phis[v]; ok {
			return x
		}
		return v
	}
	for range c.F.Blocks { // through the exits of loops
		in := map[ll.Value]ll.Value{}
		n := 0
		for ; s.Insts[n].Op == "phi"; n++ {
			in[s.Insts[n]] = known(c.Incoming(s.Insts[n], b))
		}
		for phi, x := range in {
			phis[phi] = x
		}
		rest := s.Insts[n:]
		switch t := s.Term(); {
		case len(rest) == 1 && t.Op == "br" && len(t.Args) == 0:
			b, s = s, t.Blocks[0]
			continue
		case len(rest) != 2 || rest[0].Op != "call" || rest[0].Callee != "heddle.panic" || t.Op != "unreachable":
			return nil, args, false
		}
		for k := range args {
			args[k] = known(rest[0].Args[k])
		}
		return rest[0], args, true
	}
	return nil, args, false
}

// trapCount counts the checks and loops that could share the code behind them.
func trapCount(c *divergence.CFG) (n int) {
	n = len(c.All)
	for _, b := range c.Order {
		if dead, ok := c.IsCheck(b); ok {
			if _, _, ok := trapped(c, b, b.Term().Blocks[dead]); ok {
				n++
			}
		}
	}
	return n
}

// spring goes from b to the dead end s by way of code that checks share, for the lanes
// of mask, and reports whether there is any. own tells that the mask is of this check
// alone.
func (e *emitter) spring(b, s *ll.Block, mask string, own bool) bool {
	if !e.sharesTraps {
		return false
	}
	_, args, ok := trapped(e.CFG, b, s)
	if !ok {
		return false
	}
	want := trap{masked: !own && !e.isFull(mask)}
	key := fmt.Sprint(want.masked)
	for k, v := range args {
		f := trapForm{v.Type(), e.ShapeOf(v)}
		if e.one(v) {
			f.shape = divergence.IsUniform
		}
		want.forms[k] = f
		key += fmt.Sprintf(" %s %s", f.typ, f.shape.Describe())
	}
	t := e.traps[key]
	if t == nil || t.checks == trapChecks {
		want.label = e.fresh("trap")
		t = &want
		e.traps[key] = t
		e.allTraps = append(e.allTraps, t)
		t.slots[0] = e.slot(e.trapMask(t))
		for k, f := range t.forms {
			t.slots[k+1] = e.slot(e.trapType(f))
		}
	}
	t.checks++
	if !t.masked {
		mask = e.bits(mask)
	}
	e.line("store %s %s, ptr %s", e.trapMask(t), mask, t.slots[0])
	for k, v := range args {
		e.line("store %s %s, ptr %s", e.trapType(t.forms[k]), e.get(v), t.slots[k+1])
	}
	e.line("br label %%%s", t.label)
	e.sprung[[2]*ll.Block{b, s}] = true
	return true
}

// jumpToHalt is halt by way of code that loops share.
func (e *emitter) jumpToHalt(site int, mask string) {
	t := e.traps["halt"]
	if t == nil || t.checks == trapChecks {
		t = &trap{label: e.fresh("trap"), masked: true, halts: true, slots: [4]string{e.slot(e.maskType()), e.slot("i32")}}
		e.traps["halt"] = t
		e.allTraps = append(e.allTraps, t)
	}
	t.checks++
	e.line("store %s %s, ptr %s", e.maskType(), mask, t.slots[0])
	e.line("store i32 %d, ptr %s", site, t.slots[1])
	e.line("br label %%%s", t.label)
}

func (e *emitter) trapMask(t *trap) string {
	if t.masked {
		return e.maskType()
	}
	return fmt.Sprintf("i%d", e.n)
}

func (e *emitter) trapType(f trapForm) string {
	if f.shape.Kind == divergence.Varying {
		return e.vec(f.typ)
	}
	return f.typ.Text
}

// isSprung reports whether nothing comes to a dead end, for traps take all that would.
func (e *emitter) isSprung(s *ll.Block) bool {
	if !e.sharesTraps || !e.Dead[s.Index] {
		return false
	}
	for _, p := range s.Preds {
		if !e.sprung[[2]*ll.Block{p, s}] && !e.unwritten[p] {
			return false
		}
	}
	e.unwritten[s] = true
	return true
}

// writeTraps writes the traps.
func (e *emitter) writeTraps() {
	for _, t := range e.allTraps {
		e.label(t.label)
		bits := e.let("load %s, ptr %s", e.trapMask(t), t.slots[0])
		if t.halts {
			e.halt(e.let("load i32, ptr %s", t.slots[1]), bits)
			continue
		}
		if t.masked {
			bits = e.bits(bits)
		}
		lane := e.firstLane(bits)
		var args [3]string
		for k, f := range t.forms {
			typ := e.trapType(f)
			x := e.let("load %s, ptr %s", typ, t.slots[k+1])
			args[k] = e.trapLane(f, x, lane)
		}
		e.fail(args[0], args[1], args[2], lane)
		e.line("unreachable")
	}
}

// trapLane is a lane's value.
func (e *emitter) trapLane(f trapForm, x, lane string) string {
	switch {
	case f.shape.Kind == divergence.Varying:
		return e.pick(f.typ, x, lane)
	case f.shape.Kind == divergence.Uniform:
		return x
	}
	offs := e.let("extractelement <%d x %s> %s, i32 %s", e.n, f.typ, strings.TrimSpace(e.numbers(f.typ.Text, e.Offsets(f.shape))), lane)
	return e.let("add %s %s, %s", f.typ, x, offs)
}

// panics ends the launch with the first active lane's values.
func (e *emitter) panics(i *ll.Inst) {
	lane := e.firstLane(e.bits(e.mask()))
	of := func(v ll.Value) string {
		if e.one(v) {
			return e.get(v)
		}
		return e.pick(v.Type(), e.vector(v), lane)
	}
	e.fail(of(i.Args[0]), of(i.Args[1]), of(i.Args[2]), lane)
}

// firstLane is the number, an i32, of the first lane in bits.
func (e *emitter) firstLane(bits string) string {
	f := e.declare(fmt.Sprintf("i%d @llvm.cttz.i%d(i%d, i1 immarg)", e.n, e.n, e.n))
	return e.widenLane(e.let("call i%d %s(i%d %s, i1 false)", e.n, f, e.n, bits))
}

// fail ends the launch for a lane.
func (e *emitter) fail(site, x, y, lane string) {
	var at [3]string
	v := fmt.Sprintf("<%d x i32>", e.n)
	for n, axis := range []string{"x", "y", "z"} {
		switch {
		case e.Tile > 0 && n == 0:
			at[n] = e.let("urem i32 %s, %d", lane, divergence.TileRow)
		case e.Tile > 0 && n == 1:
			at[n] = e.let("add i32 %%thread.y, %s", e.let("udiv i32 %s, %d", lane, divergence.TileRow))
		case !e.Rows:
			at[n] = e.let("extractelement %s %%thread.%s.v, i32 %s", v, axis, lane)
		case n == 0:
			at[n] = e.let("add i32 %%thread.x, %s", lane)
		default:
			at[n] = "%thread." + axis
		}
	}
	e.line("call void @heddle.fail(ptr %%launch, ptr %%worker, i32 %s, i64 %s, i64 %s, i32 %s, i32 %s, i32 %s, i32 %%block.x, i32 %%block.y, i32 %%block.z)",
		site, x, y, at[0], at[1], at[2])
}
