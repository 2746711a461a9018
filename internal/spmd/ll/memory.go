package ll

import "strings"

// optAlign parses `, align 8`.
func (p *parser) optAlign(i *Inst) {
	if p.peek().is(",") && p.peekAt(1).is("align") {
		p.pos += 2
		i.Align = p.number()
	}
}

// ordering parses `syncscope("agent") acq_rel monotonic`: up to n orderings.
func (p *parser) ordering(i *Inst, n int) {
	if p.accept("syncscope") {
		p.expect("(")
		p.str()
		i.Scope = strings.Trim(p.toks[p.pos-1].text, `"`)
		p.expect(")")
	}
	var words []string
	for range n {
		words = append(words, p.word(orderings.Get(), "memory ordering"))
	}
	i.Ordering = strings.Join(words, " ")
}

// access takes the words atomic and volatile out of the flags, and reports the
// first.
func (i *Inst) access() (atomic bool) {
	i.Volatile = i.Has("volatile")
	atomic = i.Has("atomic")
	i.Flags = ""
	return atomic
}

// load atomic volatile i32, ptr %p syncscope("agent") acquire, align 4
func (p *parser) load(i *Inst) {
	atomic := i.access()
	i.Typ = p.valueType()
	p.expect(",")
	p.pointer(i)
	if atomic {
		p.ordering(i, 1)
	}
	p.optAlign(i)
}

// store i32 %a, ptr %p, align 4
func (p *parser) store(i *Inst) {
	atomic := i.access()
	p.typedOperand(i)
	p.expect(",")
	p.pointer(i)
	if atomic {
		p.ordering(i, 1)
	}
	p.optAlign(i)
}

// alloca [4 x i32], i64 %n, align 16
func (p *parser) alloca(i *Inst) {
	i.Elem = p.valueType()
	i.Typ = ptrType
	if p.peek().is(",") && p.peekAt(1).kind == tokWord && isIntType(p.peekAt(1).text) {
		p.next()
		p.typedOperand(i)
	}
	p.optAlign(i)
	if p.peek().is(",") && p.peekAt(1).is("addrspace") {
		p.next()
		from := p.pos
		p.next()
		p.balanced()
		i.Typ = p.intern(&Type{Kind: Ptr, Text: "ptr " + p.verbatim(from, p.pos)})
	}
}

// getelementptr inbounds %T, ptr %p, i64 %i, i32 2
func (p *parser) gep(i *Inst) {
	i.Elem = p.valueType()
	p.expect(",")
	i.Typ = p.pointer(i)
	for p.peek().is(",") && p.peekAt(1).kind != tokMeta {
		p.next()
		i.Typ = p.vectorLike(p.typedOperand(i), i.Typ)
	}
}

// atomicrmw volatile add ptr %p, i32 %a syncscope("agent") monotonic, align 4
func (p *parser) atomicrmw(i *Inst) {
	i.access()
	i.Pred = p.word(rmwOps.Get(), "atomic operation")
	p.pointer(i)
	p.expect(",")
	i.Typ = p.typedOperand(i)
	p.ordering(i, 1)
	p.optAlign(i)
}

// cmpxchg weak ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4
func (p *parser) cmpxchg(i *Inst) {
	weak := i.Has("weak")
	i.access()
	if weak {
		i.Flags = "weak"
	}
	p.pointer(i)
	p.expect(",")
	t := p.typedOperand(i)
	p.expect(",")
	p.typedOperand(i)
	p.ordering(i, 2)
	p.optAlign(i)
	i.Typ = p.intern(&Type{Kind: Struct, Text: "{ " + t.Text + ", i1 }", Elems: []*Type{t, p.intern(boolType)}})
}

// fence syncscope("agent") release
func (p *parser) fence(i *Inst) { p.ordering(i, 1) }
