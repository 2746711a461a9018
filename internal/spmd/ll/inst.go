package ll

import "strings"

// inst parses an instruction; it is nil for those that only describe the source.
func (p *parser) inst() *Inst {
	i := &Inst{Typ: voidType}
	start := p.next()
	name, op := "", start
	if start.kind == tokLocal {
		name = start.text
		p.expect("=")
		op = p.next()
	}
	if (op.is("tail") || op.is("musttail") || op.is("notail")) && p.peek().is("call") {
		op = p.next()
	}
	how, ok := opcodes.Get()[op.text]
	if !ok || op.kind != tokWord {
		p.failf("unknown instruction %q", op.text)
	}
	i.Op = op.text
	i.Flags = p.flags(i.Op)
	how.parse(p, i)
	p.attachments(i)
	if i.Op == "call" && strings.HasPrefix(i.Callee, "llvm.dbg.") {
		return nil
	}
	switch {
	case i.Typ.Kind != Void:
		i.Name = p.define(name, i)
	case name != "":
		p.failAt(start.line, "%s has no result", i.Op)
	}
	return i
}

// flags takes the words that an instruction may have as flags.
func (p *parser) flags(op string) string {
	var have []string
	for opcodes.Get()[op].flagSet[p.peek().text] && p.peek().kind == tokWord {
		have = append(have, p.next().text)
	}
	return strings.Join(have, " ")
}

// operand parses a value whose type is known and appends it to the operands.
func (p *parser) operand(i *Inst, typ *Type) {
	if typ.Kind == Void || typ.Text == "label" {
		p.failf("a value of type %s", typ)
	}
	t := p.peek()
	if t.kind != tokLocal || typ.Text == "metadata" {
		i.Args = append(i.Args, p.constant(typ))
		return
	}
	p.next()
	v := p.values[bareName(t.text[1:])]
	if v == nil {
		p.fixes = append(p.fixes, fix{i, len(i.Args), typ, t})
	} else {
		p.checkType(t, v, typ)
	}
	i.Args = append(i.Args, v)
}

// typedOperand parses `i32 %x`.
func (p *parser) typedOperand(i *Inst) *Type {
	t := p.typ()
	p.operand(i, t)
	return t
}

// pointer parses `ptr %x`, also a vector of pointers.
func (p *parser) pointer(i *Inst) *Type {
	t := p.typ()
	if t.Kind != Ptr && (t.Kind != Vector || t.Elem.Kind != Ptr) {
		p.failf("expected a pointer, found a %s", t)
	}
	p.operand(i, t)
	return t
}

// target parses `label %x`, the keyword aside if bare.
func (p *parser) target(i *Inst, bare bool) {
	if !bare {
		p.expect("label")
	}
	t := p.next()
	if t.kind != tokLocal {
		p.failf("expected a block, found %q", t.text)
	}
	b := p.blockNamed(bareName(t.text[1:]))
	p.refs = append(p.refs, blockRef{b, t})
	i.Blocks = append(i.Blocks, b)
}

// add nuw i32 %a, %b
func (p *parser) binary(i *Inst) {
	i.Typ = p.typedOperand(i)
	p.expect(",")
	p.operand(i, i.Typ)
}

// fneg float %a
func (p *parser) unary(i *Inst) { i.Typ = p.typedOperand(i) }

// zext nneg i32 %a to i64
func (p *parser) cast(i *Inst) {
	p.typedOperand(i)
	p.expect("to")
	i.Typ = p.valueType()
}

// word takes a word of a set.
func (p *parser) word(set map[string]bool, what string) string {
	t := p.next()
	if t.kind != tokWord || !set[t.text] {
		p.failf("unknown %s %q", what, t.text)
	}
	return t.text
}

// icmp eq i32 %a, %b
func (p *parser) compare(i *Inst) {
	preds := &intPreds
	if i.Op == "fcmp" {
		preds = &floatPreds
	}
	i.Pred = p.word(preds.Get(), "predicate")
	t := p.typedOperand(i)
	p.expect(",")
	p.operand(i, t)
	i.Typ = p.vectorLike(t, boolType)
}

// select i1 %c, i32 %a, i32 %b
func (p *parser) choose(i *Inst) {
	p.typedOperand(i)
	p.expect(",")
	i.Typ = p.typedOperand(i)
	p.expect(",")
	if t := p.typedOperand(i); t != i.Typ {
		p.failf("select of a %s and a %s", i.Typ, t)
	}
}

// phi i32 [ %a, %block ], [ 0, %entry ]
func (p *parser) phi(i *Inst) {
	i.Typ = p.valueType()
	for {
		p.expect("[")
		p.operand(i, i.Typ)
		p.expect(",")
		p.target(i, true)
		p.expect("]")
		if !p.peek().is(",") || !p.peekAt(1).is("[") {
			return
		}
		p.next()
	}
}

// index parses `, 0, 1` and is the type found there in an aggregate.
func (p *parser) index(i *Inst, t *Type) *Type {
	for p.peek().is(",") && p.peekAt(1).kind == tokWord {
		p.next()
		n := p.number()
		switch {
		case t.Kind == Array && n < t.Len:
			t = t.Elem
		case t.Kind == Struct && n < len(t.Elems):
			t = t.Elems[n]
		default:
			p.failf("no element %d in %s", n, t)
		}
		i.Index = append(i.Index, n)
	}
	if len(i.Index) == 0 {
		p.failf("%s without an index", i.Op)
	}
	return t
}

// extractvalue { i32, i1 } %a, 1
func (p *parser) extractvalue(i *Inst) {
	i.Typ = p.index(i, p.typedOperand(i))
}

// insertvalue { i32, i1 } %a, i1 %b, 1
func (p *parser) insertvalue(i *Inst) {
	i.Typ = p.typedOperand(i)
	p.expect(",")
	elem := p.typedOperand(i)
	if t := p.index(i, i.Typ); t != elem {
		p.failf("insertvalue of a %s where %s has a %s", elem, i.Typ, t)
	}
}

// vector parses an operand that is a vector.
func (p *parser) vector(i *Inst) *Type {
	t := p.typedOperand(i)
	if t.Kind != Vector {
		p.failf("%s of a %s, which is no vector", i.Op, t)
	}
	return t
}

// extractelement <4 x i32> %a, i64 1
func (p *parser) extractelement(i *Inst) {
	i.Typ = p.vector(i).Elem
	p.expect(",")
	p.typedOperand(i)
}

// insertelement <4 x i32> %a, i32 %b, i64 1
func (p *parser) insertelement(i *Inst) {
	i.Typ = p.vector(i)
	p.expect(",")
	p.typedOperand(i)
	p.expect(",")
	p.typedOperand(i)
}

// shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
func (p *parser) shufflevector(i *Inst) {
	t := p.vector(i)
	p.expect(",")
	p.typedOperand(i)
	p.expect(",")
	i.Typ = p.vectorLike(p.vector(i), t.Elem)
}

// br label %a; br i1 %c, label %a, label %b
func (p *parser) br(i *Inst) {
	if p.peek().is("label") {
		p.target(i, false)
		return
	}
	p.typedOperand(i)
	p.expect(",")
	p.target(i, false)
	p.expect(",")
	p.target(i, false)
}

// switch i32 %a, label %d [ i32 0, label %b ... ]
func (p *parser) switchOn(i *Inst) {
	t := p.typedOperand(i)
	p.expect(",")
	p.target(i, false)
	p.expect("[")
	for !p.accept("]") {
		if p.typ() != t {
			p.failf("a case of another type than %s", t)
		}
		i.Args = append(i.Args, p.constant(t))
		p.expect(",")
		p.target(i, false)
	}
}

// ret i32 %a; ret void
func (p *parser) ret(i *Inst) {
	t := p.typ()
	if t != p.fn.Ret {
		p.failf("a function of type %s returns a %s", p.fn.Ret, t)
	}
	if t.Kind != Void {
		p.operand(i, t)
	}
}
