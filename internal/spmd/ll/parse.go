package ll

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// A parser reads a module in two passes: the first goes over the top level,
// where types, attribute groups and metadata may come after their uses, the
// second over the bodies of the functions.
type parser struct {
	src      string
	toks     []token
	pos      int
	depth    int // of nested types
	mod      *Module
	types    map[string]*namedType
	interned map[string]*Type
	groups   map[string]string // attribute groups: "#0" -> "nounwind willreturn"
	// what the first pass leaves to the second
	globalSpans, funcSpans []span
	*body
}

// A span is a range of tokens.
type span struct{ from, to int }

// Parse reads a module as LLVM prints it. Debug information, comdats, module
// assembly and the target's description are skipped. What it does not know is
// an error with the line.
func Parse(text string) (m *Module, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case syntaxError:
			m, err = nil, fmt.Errorf("line %d: %s: %s", e.line, e.msg, lineOf(text, e.line))
		default:
			panic(e)
		}
	}()
	p := &parser{
		src:      text,
		toks:     lex(text),
		mod:      &Module{Meta: map[string]string{}, named: map[string]*Func{}},
		types:    map[string]*namedType{},
		interned: map[string]*Type{},
		groups:   map[string]string{},
	}
	p.topLevel()
	p.globals()
	p.functions()
	return p.mod, nil
}

// lineOf is a line of the text, cut where it is very long.
func lineOf(text string, line int) string {
	for range line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	if text = strings.TrimSpace(text); len(text) > 300 {
		text = text[:300] + "..."
	}
	return text
}

// failf ends the parse; the error is about the last token taken.
//
//go:noinline
func (p *parser) failf(format string, args ...any) {
	p.failAt(p.toks[max(p.pos-1, 0)].line, format, args...)
}

//go:noinline
func (p *parser) failAt(line int, format string, args ...any) {
	panic(syntaxError{line, fmt.Sprintf(format, args...)})
}

func (p *parser) peek() token { return p.toks[p.pos] }

func (p *parser) peekAt(n int) token { return p.toks[min(p.pos+n, len(p.toks)-1)] }

//go:noinline
func (p *parser) next() token {
	t := p.toks[p.pos]
	if t.kind != tokEnd {
		p.pos++
	}
	return t
}

//go:noinline
func (p *parser) accept(text string) bool {
	if p.peek().is(text) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if t := p.next(); !t.is(text) {
		p.failf("expected %q, found %q", text, t.text)
	}
}

// onLine reports whether the current token is on the line of the one before it.
//
//go:noinline
func (p *parser) onLine() bool {
	t := p.peek()
	return t.kind != tokEnd && p.pos > 0 && t.line == p.toks[p.pos-1].line
}

// closers are the brackets that end a group.
var closers = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}
}}

// balanced passes a bracketed group: the current token is its opening bracket.
func (p *parser) balanced() {
	if first := p.peek(); closers.Get()[first.text] == "" {
		p.next()
		p.failf("expected a bracket, found %q", first.text)
	}
	var open []token
	for {
		t := p.next()
		switch {
		case t.kind == tokPunct && closers.Get()[t.text] != "":
			open = append(open, t)
		case t.kind == tokEnd, t.kind == tokPunct && strings.Contains(")]}>", t.text):
			last := open[len(open)-1]
			if t.text != closers.Get()[last.text] {
				p.failAt(last.line, "%q without its closing bracket", last.text)
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return
		}
	}
}

// restOfLine passes what is left of the line; brackets may span lines.
func (p *parser) restOfLine() {
	for p.onLine() {
		if t := p.peek(); t.is("(") || t.is("[") || t.is("{") {
			p.balanced()
		} else {
			p.next()
		}
	}
}

// topLevel records where everything is and reads what needs nothing else.
func (p *parser) topLevel() {
	for p.peek().kind != tokEnd {
		at := p.pos
		t := p.next()
		switch {
		case t.kind == tokLocal && p.accept("="):
			p.expect("type")
			name := bareName(t.text[1:])
			if p.types[name] != nil {
				p.failf("type %s is defined twice", t.text)
			}
			p.types[name] = &namedType{at: p.pos}
			p.restOfLine()
		case t.kind == tokGlobal && p.peek().is("="):
			p.restOfLine()
			p.mod.Globals = append(p.mod.Globals, Global{Name: bareName(t.text[1:])})
			p.globalSpans = append(p.globalSpans, span{at, p.pos})
		case t.kind == tokMeta && p.accept("="):
			from := p.pos
			p.restOfLine()
			if from < p.pos {
				p.mod.Meta[t.text] = p.src[p.toks[from].off:p.toks[p.pos-1].end()]
			}
		case t.is("define"):
			p.findBody()
			p.funcSpans = append(p.funcSpans, span{at, p.pos})
		case t.is("declare"):
			p.restOfLine()
			p.funcSpans = append(p.funcSpans, span{at, p.pos})
		case t.is("attributes"):
			p.attributeGroup()
		case t.is("source_filename"), t.is("target"), t.is("module"), t.is("^"), t.is("uselistorder"),
			t.is("uselistorder_bb"), t.text[0] == '$':
			p.restOfLine()
		default:
			p.failf("%q is no beginning of a definition", t.text)
		}
	}
}

// findBody goes to the end of a function's definition: its body is the first
// braces after the parameters, which follow its name.
func (p *parser) findBody() {
	for p.peek().kind != tokGlobal && p.peek().kind != tokEnd {
		p.next()
	}
	p.next()
	for !p.peek().is("{") && p.peek().kind != tokEnd {
		if p.peek().is("(") {
			p.balanced()
		} else {
			p.next()
		}
	}
	if p.peek().kind == tokEnd {
		p.failf("a function without a body")
	}
	p.balanced()
}

// attributeGroup reads `#0 = { nounwind alignstack=8 "k"="v" }`.
func (p *parser) attributeGroup() {
	name := p.next()
	if name.kind != tokHash {
		p.failf("expected the number of an attribute group, found %q", name.text)
	}
	p.expect("=")
	p.expect("{")
	var attrs []string
	for !p.accept("}") {
		attrs = append(attrs, groupSpelling(p.attr()))
	}
	p.groups[name.text] = strings.Join(attrs, " ")
}

// groupSpelling turns the form that attributes have in groups only into the
// one they have elsewhere.
func groupSpelling(attr string) string {
	key, value, ok := strings.Cut(attr, "=")
	switch {
	case ok && key == "align":
		return "align " + value
	case ok && key == "alignstack":
		return "alignstack(" + value + ")"
	}
	return attr
}

// globals fills in the lines of the module's variables.
func (p *parser) globals() {
	for i, g := range p.globalSpans {
		p.mod.Globals[i].Line = p.globalLine(g.from, g.to)
	}
}

// globalLine is a variable's definition without metadata and comdats, which
// the module does not keep.
func (p *parser) globalLine(from, to int) string {
	var parts []string
	flush := func(at int) {
		if text := p.verbatim(from, at); text != "" {
			parts = append(parts, text)
		}
	}
	for p.pos = from; p.pos < to; {
		comma := p.peek().is(",")
		switch t := p.peekAt(1); {
		case comma && t.kind == tokMeta:
			flush(p.pos)
			p.pos += 2
			p.metaValue()
			from = p.pos
		case comma && t.is("comdat"):
			flush(p.pos)
			if p.pos += 2; p.peek().is("(") {
				p.balanced()
			}
			from = p.pos
		case p.peek().is("(") || p.peek().is("[") || p.peek().is("{"):
			p.balanced()
		default:
			p.next()
		}
	}
	flush(min(p.pos, to))
	return strings.ReplaceAll(strings.Join(parts, ""), " ,", ",")
}
