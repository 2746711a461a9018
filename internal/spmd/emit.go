package spmd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// An emitter writes one function for a gang.
//
// Values that are used in other blocks than their own, and phi nodes, live in
// stack slots; LLVM's SROA makes registers of them again, wherever they are
// needed in the new control flow.
type emitter struct {
	*vectorizer
	*divergence.Analysis
	*text
	block *ll.Block
	// slots of values and of masks
	slots     map[ll.Value]string
	maskSlots map[*ll.Block]string
	// maskSources say whose masks blocks have, by Index.
	maskSources []maskSource
	entryMask   string // text of the function's own mask
	// own are the texts of values in the current block; vecs their vector forms.
	own, vecs map[ll.Value]string
	masks     map[*ll.Block]string // by root block, in the current block
	outside   map[ll.Value]bool    // used in other blocks
	pending   map[*ll.Block]map[*ll.Block]bool
	fresher   map[*ll.Block][]*ll.Block // see findFreshers
	retSlot   string
	// loads and numbers of the instructions in the blocks loadsOf and numbersOf: see record.go.
	loads              map[string]map[int64]int
	number             map[*ll.Inst]int
	loadsOf, numbersOf *ll.Block
	// gatherCalls: gathers and scatters are calls, for there are so many; divideCalls:
	// divisions are; laneCalls: what is done lane by lane is, too.
	gatherCalls, divideCalls, laneCalls bool
	isWhole                             bool // a gang is the whole block
	// sharesTraps: checks share the code that ends the launch. traps are those that take
	// more checks, by what they get; sprung the ways that lead to traps instead, unwritten
	// the blocks that nothing comes to for that.
	sharesTraps bool
	traps       map[string]*trap
	allTraps    []*trap
	sprung      map[[2]*ll.Block]bool
	unwritten   map[*ll.Block]bool
	// fast are the blocks that have a fast copy; isFast: such is written now. See fast.go.
	fast   map[*ll.Block]bool
	isFast bool
	// turns are the loops in which gangs take turns, with the slots that count iterations.
	turns map[*divergence.Loop]string
	// streams are the loops of a gang that is a whole block in which memory is read ahead as there.
	streams map[*divergence.Loop]bool
	// pairs are, by slot, the two lanes of four bytes that were read last, while lanes are
	// written out in their order.
	pairs map[string]string
	// partSlots are the slots of this block that values with such parts were put into: see bytes.go.
	partSlots map[ll.Value]string
}

// A text is that of a function's body, as it is written.
type text struct {
	body    bytes.Buffer
	allocas bytes.Buffer
	next    int // number of the last name
	lines   int // of body
}

func (v *vectorizer) newEmitter(a *divergence.Analysis, entryMask string) *emitter {
	e := &emitter{vectorizer: v, Analysis: a, text: &text{}, slots: map[ll.Value]string{}, maskSlots: map[*ll.Block]string{},
		maskSources: make([]maskSource, len(a.F.Blocks)), entryMask: entryMask, pending: map[*ll.Block]map[*ll.Block]bool{}, outside: map[ll.Value]bool{},
		turns: map[*divergence.Loop]string{}}
	e.gatherCalls = v.n*scattered(a, v.o.ISA) > maxUnrolled
	e.divideCalls = v.n*laneDivisions(a) > maxUnrolled
	e.laneCalls = e.laneLoops() > maxLaneLoops
	if trapCount(a.CFG) > maxTraps {
		e.sharesTraps, e.traps = true, map[string]*trap{}
		e.sprung, e.unwritten = map[[2]*ll.Block]bool{}, map[*ll.Block]bool{}
	}
	for _, b := range a.Order {
		for _, i := range b.Insts {
			for n, x := range i.Args {
				def, ok := x.(*ll.Inst)
				if !ok {
					continue
				}
				at := b
				if i.Op == "phi" {
					at = i.Blocks[n]
				}
				if def.Block != at || def.Op == "phi" {
					e.outside[x] = true
				}
			}
			for _, x := range a.AddressParts(i) {
				if def, ok := x.(*ll.Inst); ok && def.Block != b {
					e.outside[x] = true
				}
			}
		}
	}
	return e
}

// line writes an instruction without a result.
func (t *text) line(format string, args ...any) {
	t.lines++
	t.body.WriteString("  ")
	fmt.Fprintf(&t.body, format, args...)
	t.body.WriteByte('\n')
}

//go:noinline
func (t *text) fresh(prefix string) string {
	t.next++
	return fmt.Sprintf("%s%d", prefix, t.next)
}

// let writes an instruction and returns its result's name.
func (t *text) let(format string, args ...any) string {
	name := t.fresh("%v")
	t.line("%s = %s", name, fmt.Sprintf(format, args...))
	return name
}

//go:noinline
func (t *text) label(name string) { fmt.Fprintf(&t.body, "%s:\n", name) }

// slot is a new stack slot of a type.
func (t *text) slot(typ string) string {
	name := t.fresh("%s")
	fmt.Fprintf(&t.allocas, "  %s = alloca %s\n", name, typ)
	return name
}

// function is the text of the function with the given head, whose body goes on at the
// label first where slots have their place before it.
//
//go:noinline
func (t *text) function(head, first string) string {
	if first != "" {
		first = "  br label %" + first + "\n"
	}
	return head + " {\nentry:\n" + t.allocas.String() + first + t.body.String() + "}\n\n"
}

//go:noinline
func labelOf(b *ll.Block) string { return fmt.Sprintf("b%d", b.Index) }

// typeOf is the type that a value has in the vector code.
func (e *emitter) typeOf(v ll.Value) string {
	if e.ShapeOf(v).Kind == divergence.Varying {
		return e.vec(v.Type())
	}
	return v.Type().Text
}

// slotOf is the stack slot of a value.
func (e *emitter) slotOf(v ll.Value) string {
	s := e.slots[v]
	if s == "" {
		s = e.slot(e.typeOf(v))
		e.slots[v] = s
	}
	return s
}

// get is a value as it is kept: lane 0's for a linear or patterned one, a vector for a varying one.
func (e *emitter) get(v ll.Value) string {
	switch v := v.(type) {
	case *ll.Const:
		return v.Text
	case *ll.Param:
		return e.paramName(v)
	}
	if s := e.own[v]; s != "" {
		return s
	}
	s := e.let("load %s, ptr %s", e.typeOf(v), e.slotOf(v))
	e.own[v] = s
	return s
}

func (e *emitter) paramName(p *ll.Param) string { return "%p." + p.Name }

// set makes text the value of i.
func (e *emitter) set(i *ll.Inst, text string) {
	e.own[i] = text
	if e.outside[i] {
		e.line("store %s %s, ptr %s", e.typeOf(i), text, e.slotOf(i))
	}
}

// vector is a value as a vector.
func (e *emitter) vector(v ll.Value) string {
	if c, ok := v.(*ll.Const); ok {
		return e.splatConst(c)
	}
	if e.ShapeOf(v).Kind == divergence.Varying {
		return e.get(v)
	}
	if s := e.vecs[v]; s != "" {
		return s
	}
	x, t := e.get(v), v.Type()
	s := e.ShapeOf(v)
	text := ""
	switch {
	case s.Kind != divergence.Uniform && s.Kind != divergence.Unknown && t.Kind == ll.Ptr:
		text = e.let("getelementptr i8, ptr %s, %s", x, e.offsetVector(e.Offsets(s)))
	case s.Kind != divergence.Uniform && s.Kind != divergence.Unknown:
		text = e.let("add %s %s, %s", e.vec(t), e.splat(t, x), e.numbers(t.Text, e.Offsets(s)))
	default:
		text = e.splat(t, x)
	}
	e.vecs[v] = text
	return text
}

// iotaText is the vector 0, stride, 2*stride, ...
func (e *emitter) iotaText(elem string, stride int64) string {
	return e.numbers(elem, e.Offsets(divergence.Shape{Kind: divergence.Linear, Stride: stride}))
}

// offsetVector is the typed vector of address offsets.
func (e *emitter) offsetVector(offs []int64) string {
	elem := "i32"
	for _, n := range offs {
		if int64(int32(n)) != n {
			elem = "i64"
		}
	}
	return fmt.Sprintf("<%d x %s> %s", e.n, elem, e.numbers(elem, offs))
}

// numbers is the vector of numbers, which wrap as elem's arithmetic does.
func (e *emitter) numbers(elem string, numbers []int64) string {
	var b bytes.Buffer
	for _, n := range numbers {
		switch elem {
		case "i32":
			n = int64(int32(n))
		case "i16":
			n = int64(int16(n))
		case "i8":
			n = int64(int8(n))
		}
		fmt.Fprintf(&b, ", %s %d", elem, n)
	}
	return "<" + b.String()[2:] + ">"
}

// splat is a scalar in every lane. Aggregates are taken apart.
func (e *emitter) splat(t *ll.Type, x string) string {
	if e.elems(t) != nil {
		return e.aggregate(t, e.vec, func(i int, elem *ll.Type) string {
			return e.splat(elem, e.let("extractvalue %s %s, %d", t.Text, x, i))
		})
	}
	v := e.vec(t)
	one := e.let("insertelement %s poison, %s %s, i64 0", v, t.Text, x)
	return e.let("shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", v, one, v, e.n)
}

// aggregate makes an aggregate of its elements. form is a type as it is written: e.vec
// for the vectors of all lanes, scalarForm for one lane's values.
func (e *emitter) aggregate(t *ll.Type, form func(*ll.Type) string, part func(n int, elem *ll.Type) string) string {
	out := "poison"
	for n, elem := range e.elems(t) {
		x := part(n, elem)
		out = e.let("insertvalue %s %s, %s %s, %d", form(t), out, form(elem), x, n)
	}
	return out
}

func scalarForm(t *ll.Type) string { return t.Text }

// elems are the element types of an aggregate, which may have none; nil for other types.
func (v *vectorizer) elems(t *ll.Type) []*ll.Type {
	switch {
	case t.Kind == ll.Struct && len(t.Elems) > 0:
		return t.Elems
	case t.Kind == ll.Array && t.Len > 0:
		return slices.Repeat([]*ll.Type{t.Elem}, t.Len)
	case t.Kind == ll.Struct || t.Kind == ll.Array:
		return []*ll.Type{}
	}
	return nil
}

// vec is the type of a gang's values of type t.
func (v *vectorizer) vec(t *ll.Type) string {
	if parts := v.elems(t); parts != nil {
		if t.Kind == ll.Array {
			return fmt.Sprintf("[%d x %s]", t.Len, v.vec(t.Elem))
		}
		texts := make([]string, len(parts))
		for i, p := range parts {
			texts[i] = v.vec(p)
		}
		return "{ " + strings.Join(texts, ", ") + " }"
	}
	switch t.Kind {
	case ll.Int, ll.Float, ll.Ptr:
		return fmt.Sprintf("<%d x %s>", v.n, t.Text)
	case ll.Void:
		return "void"
	}
	panic(fmt.Sprintf("spmd: no vector of %s", t.Text))
}

// splatConst is a constant in every lane.
func (e *emitter) splatConst(c *ll.Const) string {
	switch c.Text {
	case "poison", "undef", "zeroinitializer":
		return c.Text
	case "null", "false", "0":
		return "zeroinitializer"
	}
	if c.Typ.Kind == ll.Int || c.Typ.Kind == ll.Float {
		return "<" + strings.Repeat(", "+c.Typ.Text+" "+c.Text, e.n)[2:] + ">"
	}
	return e.splat(c.Typ, c.Text)
}

// scalar is a uniform value, or lane 0's of a linear one, with its type.
func (e *emitter) scalar(v ll.Value) string {
	if e.ShapeOf(v).Kind == divergence.Varying {
		panic(fmt.Sprintf("spmd: %s is not uniform", v.Ident()))
	}
	return v.Type().Text + " " + e.get(v)
}

// typedVector is a value as a vector, with its type.
func (e *emitter) typedVector(v ll.Value) string { return e.vec(v.Type()) + " " + e.vector(v) }

// function writes the body.
func (e *emitter) function() {
	e.findFreshers()
	for _, b := range e.Order {
		if e.isSprung(b) {
			continue
		}
		e.label(labelOf(b))
		e.blockBody(b)
	}
	e.writeFast()
	e.writeTraps()
}

// blockBody writes what follows a block's label.
func (e *emitter) blockBody(b *ll.Block) {
	e.block = b
	e.own, e.vecs, e.masks = map[ll.Value]string{}, map[ll.Value]string{}, map[*ll.Block]string{}
	e.partSlots = map[ll.Value]string{}
	e.freshen(b)
	if !e.isFast {
		e.guard(b)
		if l := e.Loops[b.Index]; l != nil && l.Header == b && l.Divergent {
			for _, x := range l.Exits() {
				if !e.Dead[x.Index] {
					e.wait(b, x)
				}
			}
		}
	}
	from := e.lines
	for _, i := range b.Insts[:len(b.Insts)-1] {
		e.inst(i)
		from = e.breakBlock(from)
	}
	e.terminator(b)
}

// freshen empties the masks of the blocks that lanes come to by way of b, and forgets
// what their blended phi nodes held. It is done there, rather than at the beginning of
// the function or loop: LLVM's SROA takes time for each block that a mask is alive in.
func (e *emitter) freshen(b *ll.Block) {
	for _, s := range e.fresher[b] {
		if e.maskFrom(s) == nil {
			e.line("store %s zeroinitializer, ptr %s", e.maskType(), e.maskSlot(s))
		}
		for _, i := range s.Insts {
			if i.Op != "phi" {
				break
			}
			if e.ShapeOf(i).Kind == divergence.Varying && e.outside[i] {
				e.line("store %s poison, ptr %s", e.typeOf(i), e.slotOf(i))
			}
		}
	}
}

// findFreshers finds at which block each is freshened: the last of its own loop, outside of
// loops within that, which all lanes come by that come to it. Loops' headers and dead ends
// need none, for their masks and phi nodes are never added to.
func (e *emitter) findFreshers() {
	e.fresher = map[*ll.Block][]*ll.Block{}
	for _, b := range e.Order[1:] {
		l := e.Loops[b.Index]
		if e.Dead[b.Index] || l != nil && l.Header == b {
			continue
		}
		d := e.Idom[b.Index]
		for e.Loops[d.Index] != l {
			d = e.Idom[e.Loops[d.Index].Header.Index]
		}
		e.fresher[d] = append(e.fresher[d], b)
	}
}

// finish is the text of the function with the given head.
func (e *emitter) finish(head string) string { return e.text.function(head, labelOf(e.Order[0])) }
