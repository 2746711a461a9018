package ll

import (
	"math"
	"strconv"
	"strings"
)

// attr passes one attribute and returns its text: nounwind, align 8,
// memory(none), "key"="value", range(i32 0, 8), alignstack=8, #0 spelled out.
func (p *parser) attr() string {
	from := p.pos
	switch t := p.next(); t.kind {
	case tokHash:
		return p.group(t)
	case tokString:
		if p.accept("=") {
			p.str()
		}
	case tokWord:
		switch {
		case p.peek().is("("):
			p.balanced()
		case p.accept("="):
			p.number()
		case t.text == "align" || t.text == "cc":
			p.number()
		}
	default:
		p.failf("expected an attribute, found %q", t.text)
	}
	return p.verbatim(from, p.pos)
}

// startsAttr reports whether the current token can begin an attribute.
//
//go:noinline
func (p *parser) startsAttr() bool {
	k := p.peek().kind
	return k == tokHash || k == tokString || k == tokWord
}

// rangeAttr gives an instruction the range of an attribute range(i32 0, 8);
// other attributes have none.
func (i *Inst) rangeAttr(attr string) {
	text, ok := strings.CutPrefix(attr, "range(")
	if !ok {
		return
	}
	typ, limits, _ := strings.Cut(strings.TrimSuffix(text, ")"), " ")
	lo, hi, _ := strings.Cut(limits, ",")
	i.setRange(typ, lo, hi)
}

// rangeMeta gives an instruction the range of a node !{i32 0, i32 8}; of
// several ranges what holds all of them.
func (i *Inst) rangeMeta(node string) {
	node, ok := strings.CutPrefix(node, "!{")
	if !ok {
		return
	}
	limits := strings.Split(strings.TrimSuffix(node, "}"), ",")
	typ, lo, _ := strings.Cut(limits[0], " ")
	_, hi, _ := strings.Cut(strings.TrimSpace(limits[len(limits)-1]), " ")
	if len(limits)%2 == 0 {
		i.setRange(typ, lo, hi)
	}
}

// setRange sets a range that is one of signed numbers; others say nothing.
func (i *Inst) setRange(typ, lo, hi string) {
	from, err1 := strconv.ParseInt(strings.TrimSpace(lo), 10, 64)
	to, err2 := strconv.ParseInt(strings.TrimSpace(hi), 10, 64)
	bits, err3 := strconv.Atoi(strings.TrimPrefix(typ, "i"))
	if err1 != nil || err2 != nil || err3 != nil || bits < 1 || bits > 64 {
		return
	}
	// [0, 2^31) of i32 ends at -2147483648
	if smallest := int64(math.MinInt64) >> (64 - bits); to == smallest && bits < 64 {
		to = -smallest
	}
	if from < to {
		i.Range = [2]int64{from, to}
	}
}

// metaValue passes the node of an attachment: !5, !{i32 0}, !DILocation(...).
func (p *parser) metaValue() string {
	from := p.pos
	switch t := p.next(); {
	case t.is("!") && p.peek().is("{"), t.kind == tokMeta && p.peek().is("("):
		p.balanced()
	case t.kind != tokMeta:
		p.failf("expected metadata, found %q", t.text)
	}
	return p.verbatim(from, p.pos)
}

// attachments reads the metadata after an instruction: `, !range !5, !dbg !7`.
func (p *parser) attachments(i *Inst) {
	for p.peek().is(",") && p.peekAt(1).kind == tokMeta {
		p.next()
		name := p.next().text
		value := p.metaValue()
		switch name {
		case "!range":
			if node, ok := p.mod.Meta[value]; ok {
				value = node
			}
			i.rangeMeta(value)
		case "!llvm.loop":
			i.Loop = value
		}
	}
}
