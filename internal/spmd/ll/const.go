package ll

import (
	"bytes"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// constWords are the constants of one word that are no numbers.
var constWords = lazy.Words{Text: "true false null undef poison zeroinitializer none"}

// constOps begin constant expressions and what else has its operands in
// parentheses: "splat (i32 1)".
var constOps = lazy.Words{Text: `getelementptr ptrtoint ptrtoaddr inttoptr bitcast addrspacecast
	trunc zext sext fptrunc fpext uitofp sitofp fptoui fptosi
	add sub mul shl lshr ashr and or xor udiv sdiv urem srem fneg fadd fsub fmul fdiv frem
	icmp fcmp select extractelement insertelement shufflevector extractvalue insertvalue
	splat blockaddress ptrauth`}

// constRefs stand before a global's name.
var constRefs = lazy.Words{Text: "dso_local_equivalent no_cfi"}

// specialFloats are floating-point numbers that are spelled as words.
var specialFloats = lazy.Words{Text: "inf pinf ninf nan qnan snan"}

// startsValue reports whether a value begins at the current token, as opposed
// to an attribute.
func (p *parser) startsValue() bool {
	switch t := p.peek(); t.kind {
	case tokLocal, tokGlobal:
		return true
	case tokString:
		return t.text[0] == 'c'
	case tokPunct:
		return strings.Contains("[{<", t.text)
	case tokWord:
		return isNumber(t.text) || constWords.Has(t.text) || constOps.Has(t.text) || constRefs.Has(t.text) || t.text == "asm"
	}
	return false
}

// isNumber knows 42, -1, 0x7FF0000000000000, 0xH3C00, f0x3F800000, s0xFF, +inf.
func isNumber(word string) bool {
	unsigned := strings.TrimLeft(word, "+-")
	if unsigned == "" {
		return false
	}
	return isDigit(unsigned[0]) || specialFloats.Has(unsigned) ||
		len(unsigned) > 3 && unsigned[1:3] == "0x" && strings.Contains("fsu", unsigned[:1])
}

// constant parses a constant of a type; it stays text.
func (p *parser) constant(typ *Type) *Const {
	from := p.pos
	t := p.peek()
	switch {
	case typ.Text == "metadata":
		p.metadataOperand()
		return &Const{typ, p.verbatim(from, p.pos)}
	case !p.startsValue() || t.kind == tokLocal:
		p.next()
		p.failf("expected a value of type %s, found %q", typ, t.text)
	case t.kind == tokPunct:
		p.balanced()
	case t.is("asm"):
		p.asm()
	case constOps.Has(t.text):
		p.next()
		for p.peek().kind == tokWord { // inbounds, inrange(-8, 8), eq
			if p.next(); p.peek().is("(") && p.toks[p.pos-1].is("inrange") {
				p.balanced()
			}
		}
		if !p.peek().is("(") {
			p.failf("expected \"(\" after %s", t.text)
		}
		p.balanced()
	case constRefs.Has(t.text):
		p.next()
		if p.next().kind != tokGlobal {
			p.failf("expected a global after %s", t.text)
		}
	default:
		p.next()
		if specialFloats.Has(strings.TrimLeft(t.text, "+-")) && p.peek().is("(") {
			p.balanced()
		}
	}
	return &Const{typ, p.verbatim(from, p.pos)}
}

// metadataOperand passes what follows the type metadata: a node, a string or a
// typed value.
func (p *parser) metadataOperand() {
	for !p.peek().is(",") && !p.peek().is(")") {
		switch t := p.peek(); {
		case t.kind == tokEnd:
			p.failf("unfinished metadata operand")
		case t.is("(") || t.is("{") || t.is("[") || t.is("<"):
			p.balanced()
		default:
			p.next()
		}
	}
}

// asm passes `asm sideeffect "text", "constraints"`.
func (p *parser) asm() {
	for p.peek().kind == tokWord {
		p.next()
	}
	p.str()
	p.expect(",")
	p.str()
}

func (p *parser) str() {
	if t := p.next(); t.kind != tokString {
		p.failf("expected a string, found %q", t.text)
	}
}

// number parses an unsigned number: an index, an alignment (2^32 for null).
func (p *parser) number() int {
	t := p.next()
	n, err := strconv.ParseInt(t.text, 10, 34)
	if err != nil || n < 0 {
		p.failf("expected a number, found %q", t.text)
	}
	return int(n)
}

// verbatim is the text of tokens, with the space they have on a line, but with
// named types and attribute groups spelled out.
func (p *parser) verbatim(from, to int) string {
	var b bytes.Buffer
	block := false // the tokens are those of blockaddress(@f, %block)
	for i := from; i < to; i++ {
		t := p.toks[i]
		if i > from {
			prev := p.toks[i-1]
			if gap := p.src[prev.end():t.off]; strings.ContainsAny(gap, "\n;") {
				b.WriteByte(' ')
			} else {
				b.WriteString(gap)
			}
		}
		switch t.kind {
		case tokLocal:
			n := p.types[bareName(t.text[1:])]
			if n == nil || block {
				b.WriteString("%" + bareName(t.text[1:]))
				break
			}
			b.WriteString(p.named(t).Text)
		case tokGlobal:
			b.WriteString("@" + bareName(t.text[1:]))
		case tokHash:
			b.WriteString(p.group(t))
		default:
			b.WriteString(t.text)
			block = t.text == "blockaddress" || block && !t.is(")")
		}
		if b.Len() > maxVerbatim {
			p.failf("more than %d characters of constants", maxVerbatim)
		}
	}
	return b.String()
}

// maxVerbatim bounds a constant's text, which grows when types are spelled out.
const maxVerbatim = 1 << 26

// group is the text of an attribute group.
func (p *parser) group(t token) string {
	attrs, ok := p.groups[t.text]
	if !ok {
		p.failAt(t.line, "attribute group %s is not defined", t.text)
	}
	return attrs
}
