package spmd

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/lazy"
	"heddle/internal/spmd/ll"
)

// inst writes one instruction that is not a terminator.
func (e *emitter) inst(i *ll.Inst) {
	rule := rules.Get()[i.Op]
	if rule == nil {
		panic(fmt.Sprintf("spmd: @%s: no rule for %s", e.F.Name, i.Op))
	}
	memoryTypes(i)
	rule(e, i)
}

// rules are the instructions, by LLVM's word.
var rules lazy.Value[map[string]func(e *emitter, i *ll.Inst)]

func init() {
	rules.Make = func() map[string]func(e *emitter, i *ll.Inst) {
		all := map[string]func(e *emitter, i *ll.Inst){
			"phi":           func(*emitter, *ll.Inst) {}, // edges store into its slot
			"alloca":        (*emitter).alloca,
			"load":          (*emitter).load,
			"store":         (*emitter).store,
			"call":          (*emitter).call,
			"atomicrmw":     (*emitter).atomic,
			"cmpxchg":       (*emitter).atomic,
			"fence":         func(e *emitter, i *ll.Inst) { e.line("fence %s", i.Ordering) },
			"icmp":          (*emitter).compare,
			"fcmp":          (*emitter).compare,
			"select":        (*emitter).selection,
			"or":            (*emitter).or,
			"udiv":          (*emitter).divide,
			"sdiv":          (*emitter).divide,
			"urem":          (*emitter).divide,
			"srem":          (*emitter).divide,
			"frem":          (*emitter).frem,
			"fneg":          (*emitter).unary,
			"freeze":        (*emitter).unary,
			"extractvalue":  (*emitter).extract,
			"insertvalue":   (*emitter).insert,
			"getelementptr": (*emitter).address,
		}
		for _, op := range strings.Fields("add sub mul shl lshr ashr and xor fadd fsub fmul fdiv") {
			all[op] = (*emitter).binary
		}
		for _, op := range strings.Fields("trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast") {
			all[op] = (*emitter).cast
		}
		return all
	}
}

// flags are an instruction's flags, with a space behind them. What lane 0's
// operands stand for is computed even where that lane is not active, and must not be poison.
func (e *emitter) flags(i *ll.Inst) string {
	s := e.ShapeOf(i)
	if i.Flags == "" || s.Rows || s.Kind != divergence.Varying && slices.ContainsFunc(i.Args, func(x ll.Value) bool { return !e.one(x) }) {
		return ""
	}
	return i.Flags + " "
}

// one reports whether a value is one for all lanes.
//
//go:noinline
func (e *emitter) one(v ll.Value) bool {
	k := e.ShapeOf(v).Kind
	return k == divergence.Uniform || k == divergence.Unknown
}

// operands are an instruction's operands in the form of its result: the type
// once, and then the texts.
func (e *emitter) operand(i *ll.Inst, v ll.Value) string {
	if e.ShapeOf(i).Kind == divergence.Varying {
		return e.vector(v)
	}
	return e.get(v)
}

func (e *emitter) operandType(i *ll.Inst, v ll.Value) string {
	if e.ShapeOf(i).Kind == divergence.Varying {
		return e.vec(v.Type())
	}
	return v.Type().Text
}

func (e *emitter) binary(i *ll.Inst) {
	if n := divergence.Constant(i.Args[1]); i.Op == "and" && n != nil && *n >= 0 && *n < e.ShapeOf(i.Args[0]).Align && e.ShapeOf(i).Kind != divergence.Varying {
		e.set(i, "0") // lane 0's value has none of these bits
		return
	}
	x, y := e.operand(i, i.Args[0]), e.operand(i, i.Args[1])
	e.set(i, e.let("%s %s%s %s, %s", i.Op, e.flags(i), e.typeOf(i), x, y))
}

// or is a sum where no lane that matters has a bit twice; so lane 0's, which may not
// matter, must be a sum too, if the operands differ between lanes: even where their
// sum does not.
func (e *emitter) or(i *ll.Inst) {
	if !i.Has("disjoint") || !e.ShapeOf(i).Constant() || e.one(i.Args[0]) && e.one(i.Args[1]) {
		e.binary(i)
		return
	}
	e.set(i, e.let("add %s %s, %s", i.Typ.Text, e.get(i.Args[0]), e.get(i.Args[1])))
}

func (e *emitter) unary(i *ll.Inst) {
	e.set(i, e.let("%s %s%s %s", i.Op, e.flags(i), e.typeOf(i), e.operand(i, i.Args[0])))
}

func (e *emitter) cast(i *ll.Inst) {
	if e.roundsTwice(i) {
		e.set(i, e.roundOnce(i))
		return
	}
	x := e.operand(i, i.Args[0])
	e.set(i, e.let("%s %s%s %s to %s", i.Op, e.flags(i), e.operandType(i, i.Args[0]), x, e.typeOf(i)))
}

func (e *emitter) compare(i *ll.Inst) {
	x, y := i.Args[0], i.Args[1]
	if e.ShapeOf(i).Kind == divergence.Uniform { // of linear values with one stride: lane 0's
		e.set(i, e.let("%s %s%s %s %s, %s", i.Op, e.flags(i), i.Pred, x.Type().Text, e.get(x), e.get(y)))
		return
	}
	if i.Op == "icmp" && (e.compareOne(i) || e.compareUsual(i) || e.compareTogether(i)) {
		return
	}
	e.set(i, e.compareEach(i))
}

// compareEach compares lane by lane.
func (e *emitter) compareEach(i *ll.Inst) string {
	a, b := e.vector(i.Args[0]), e.vector(i.Args[1])
	return e.let("%s %s%s %s %s, %s", i.Op, e.flags(i), i.Pred, e.vec(i.Args[0].Type()), a, b)
}

func (e *emitter) selection(i *ll.Inst) {
	c, x, y := i.Args[0], i.Args[1], i.Args[2]
	if e.one(c) && e.elems(i.Typ) == nil {
		a, b := e.operand(i, x), e.operand(i, y)
		t := e.typeOf(i)
		e.set(i, e.let("select %si1 %s, %s %s, %s %s", e.flags(i), e.get(c), t, a, t, b))
		return
	}
	if e.ShapeOf(i).Kind == divergence.Uniform {
		e.set(i, e.let("select i1 %s, %s, %s", e.get(c), e.scalar(x), e.scalar(y)))
		return
	}
	cond, a, b := e.vector(c), e.vector(x), e.vector(y)
	if e.elems(i.Typ) != nil {
		e.set(i, e.blend(i.Typ, cond, a, b))
		return
	}
	t := e.typeOf(i)
	e.set(i, e.let("select %s%s %s, %s %s, %s %s", e.flags(i), e.maskType(), cond, t, a, t, b))
}

func indices(n []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(n), " ", ", "), "[]")
}

func (e *emitter) extract(i *ll.Inst) {
	x := e.operand(i, i.Args[0])
	e.set(i, e.let("extractvalue %s %s, %s", e.operandType(i, i.Args[0]), x, indices(i.Index)))
}

func (e *emitter) insert(i *ll.Inst) {
	agg, x := e.operand(i, i.Args[0]), e.operand(i, i.Args[1])
	e.set(i, e.let("insertvalue %s %s, %s %s, %s", e.typeOf(i), agg, e.operandType(i, i.Args[1]), x, indices(i.Index)))
}

// divide computes integer quotients and remainders. Lanes that are not active
// must not trap, and processors divide numbers of 32 bits fastest as doubles,
// which represent them and their quotients' integral parts exactly.
func (e *emitter) divide(i *ll.Inst) {
	if e.ShapeOf(i).Kind != divergence.Varying {
		e.binary(i)
		return
	}
	t := e.vec(i.Typ)
	x := e.vector(i.Args[0])
	if divergence.Constant(i.Args[1]) != nil { // LLVM multiplies
		e.set(i, e.let("%s %s %s, %s", i.Op, t, x, e.vector(i.Args[1])))
		return
	}
	one := e.splatText(i.Typ.Text, "1")
	y := e.vector(i.Args[1])
	if m := e.mask(); !e.isFull(m) {
		// What an inactive lane has may be poison, as what it has not loaded is, and LLVM (19)
		// makes a divisor of 0 of that in spite of the select.
		y = e.let("freeze %s %s", t, y)
		y = e.let("select %s %s, %s %s, %s %s", e.maskType(), m, t, y, t, one)
		x = e.let("select %s %s, %s %s, %s %s", e.maskType(), m, t, x, t, one)
	}
	if i.Typ.Bits > 32 {
		e.set(i, e.divideLanes(i, x, y))
		return
	}
	signed := i.Op[0] == 's'
	to, from := "uitofp", "fptoui"
	if signed {
		to, from = "sitofp", "fptosi"
	}
	d := fmt.Sprintf("<%d x double>", e.n)
	q := e.let("fdiv %s %s, %s", d, e.let("%s %s %s to %s", to, t, x, d), e.let("%s %s %s to %s", to, t, y, d))
	wide := fmt.Sprintf("<%d x i64>", e.n)
	if i.Typ.Bits == 32 && !signed { // there is no conversion to unsigned before AVX-512
		q = e.let("trunc %s %s to %s", wide, e.let("fptosi %s %s to %s", d, q, wide), t)
	} else {
		q = e.let("%s %s %s to %s", from, d, q, t)
	}
	if strings.HasSuffix(i.Op, "rem") {
		q = e.let("sub %s %s, %s", t, x, e.let("mul %s %s, %s", t, q, y))
	}
	e.set(i, q)
}

// frem has no vector form: each lane calls the C library.
func (e *emitter) frem(i *ll.Inst) {
	if e.ShapeOf(i).Kind != divergence.Varying {
		e.binary(i)
		return
	}
	e.set(i, e.perLane(i.Typ, i.Args, false, func(args []string) string {
		return e.let("frem %s %s, %s", i.Typ.Text, args[0], args[1])
	}))
}

// address computes addresses. In a private array whose grains lie side by side
// offsets are larger by as many lanes.
func (e *emitter) address(i *ll.Inst) {
	base := i.Args[0]
	if s := e.Scale(base); s != 1 {
		e.grainAddress(i, s)
		return
	}
	if e.ShapeOf(i).Kind != divergence.Varying {
		parts := make([]string, len(i.Args))
		for n, x := range i.Args {
			parts[n] = e.scalar(x)
		}
		e.set(i, e.let("getelementptr %s%s, %s", e.flags(i), i.Elem.Text, strings.Join(parts, ", ")))
		return
	}
	parts := make([]string, len(i.Args))
	all := true
	for n, x := range i.Args {
		if e.ShapeOf(x).Kind == divergence.Uniform {
			parts[n] = e.scalar(x)
		} else {
			parts[n], all = e.typedVector(x), false
		}
	}
	if all { // the analysis could not tell: make it a vector
		parts[0] = e.typedVector(base)
	}
	e.set(i, e.let("getelementptr %s%s, %s", e.flags(i), i.Elem.Text, strings.Join(parts, ", ")))
}

// grainAddress is address in such an array.
func (e *emitter) grainAddress(i *ll.Inst, scale int64) {
	asVector := e.ShapeOf(i).Kind == divergence.Varying
	t := "i64"
	if asVector {
		t = fmt.Sprintf("<%d x i64>", e.n)
	}
	offset := ""
	add := func(x string) {
		if offset != "" {
			x = e.let("add %s %s, %s", t, offset, x)
		}
		offset = x
	}
	num := func(n int64) string {
		if asVector {
			return e.splatText("i64", fmt.Sprint(n))
		}
		return fmt.Sprint(n)
	}
	for _, g := range divergence.GepTerms(i) {
		if g.Index == nil {
			if g.Offset != 0 {
				add(num(g.Offset * scale))
			}
			continue
		}
		x, from := "", ""
		if asVector {
			x, from = e.vector(g.Index), e.vec(g.Index.Type())
		} else {
			x, from = e.get(g.Index), g.Index.Type().Text
		}
		if g.Index.Type().Bits < 64 {
			x = e.let("sext %s %s to %s", from, x, t)
		}
		add(e.let("mul %s %s, %s", t, x, num(g.Offset*scale)))
	}
	if offset == "" {
		offset = num(0)
	}
	base := e.operandType(i, i.Args[0]) + " " + e.operand(i, i.Args[0])
	e.set(i, e.let("getelementptr i8, %s, %s %s", base, t, offset))
}
