package ll

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// scalars are the types that one word names, integers and pointers aside.
var scalars = lazy.Value[map[string]*Type]{Make: func() map[string]*Type {
	return map[string]*Type{
		"void":      voidType,
		"half":      {Kind: Float, Text: "half", Bits: 16},
		"bfloat":    {Kind: Float, Text: "bfloat", Bits: 16},
		"float":     {Kind: Float, Text: "float", Bits: 32},
		"double":    {Kind: Float, Text: "double", Bits: 64},
		"x86_fp80":  {Kind: Float, Text: "x86_fp80", Bits: 80},
		"fp128":     {Kind: Float, Text: "fp128", Bits: 128},
		"ppc_fp128": {Kind: Float, Text: "ppc_fp128", Bits: 128},
		"label":     {Kind: Other, Text: "label"},
		"token":     {Kind: Other, Text: "token"},
		"metadata":  {Kind: Other, Text: "metadata"},
		"x86_amx":   {Kind: Other, Text: "x86_amx"},
		"x86_mmx":   {Kind: Other, Text: "x86_mmx"},
	}
}}

var (
	voidType = &Type{Kind: Void, Text: "void"}
	boolType = &Type{Kind: Int, Text: "i1", Bits: 1}
	ptrType  = &Type{Kind: Ptr, Text: "ptr"}
)

// Bounds on what a type may be, so that no text makes sizes overflow or memory
// run out.
const (
	maxTypeDepth = 100
	maxTypeText  = 1 << 16
	maxTypeSize  = 1 << 40 // bytes
	maxIntBits   = 1 << 23 // LLVM's limit
)

// A namedType is the definition of a struct type, parsed when it is first used.
type namedType struct {
	at   int // token of the definition's body
	typ  *Type
	busy bool
}

// startsType reports whether a type begins at the current token.
func (p *parser) startsType() bool {
	t := p.peek()
	switch t.kind {
	case tokLocal:
		return true
	case tokPunct:
		return t.text == "{" || t.text == "[" || t.text == "<"
	case tokWord:
		return scalars.Get()[t.text] != nil || t.text == "ptr" || isIntType(t.text) ||
			t.text == "target" && p.peekAt(1).is("(")
	}
	return false
}

func isIntType(word string) bool {
	if len(word) < 2 || word[0] != 'i' {
		return false
	}
	for _, c := range []byte(word[1:]) {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// typ parses a type.
func (p *parser) typ() *Type {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxTypeDepth {
		p.failf("types nested more than %d deep", maxTypeDepth)
	}
	t := p.intern(p.rawType())
	if p.peek().is("*") {
		p.failf("typed pointer: only opaque pointers (ptr) are known, print the module with LLVM 15 or newer")
	}
	return t
}

func (p *parser) rawType() *Type {
	t := p.next()
	switch {
	case t.kind == tokLocal:
		return p.named(t)
	case t.is("{"):
		return p.structType("{ ", " }", "}", false)
	case t.is("["):
		n := p.length()
		elem := p.typ()
		p.expect("]")
		return &Type{Kind: Array, Text: fmt.Sprintf("[%d x %s]", n, elem), Len: n, Elem: elem}
	case t.is("<") && p.accept("{"):
		return p.structType("<{ ", " }>", "}", true)
	case t.is("<"):
		n := p.length()
		elem := p.typ()
		p.expect(">")
		if elem.Kind != Int && elem.Kind != Float && elem.Kind != Ptr || n == 0 {
			p.failf("a vector of %d x %s", n, elem)
		}
		return &Type{Kind: Vector, Text: fmt.Sprintf("<%d x %s>", n, elem), Len: n, Elem: elem}
	case t.kind != tokWord:
	case scalars.Get()[t.text] != nil:
		return scalars.Get()[t.text]
	case t.text == "ptr":
		if p.peek().is("addrspace") {
			from := p.pos
			p.next()
			p.balanced()
			return &Type{Kind: Ptr, Text: "ptr " + p.verbatim(from, p.pos)}
		}
		return ptrType
	case isIntType(t.text):
		bits, err := strconv.Atoi(t.text[1:])
		if err != nil || bits < 1 || bits > maxIntBits {
			p.failf("no integer type %s", t.text)
		}
		return &Type{Kind: Int, Text: "i" + strconv.Itoa(bits), Bits: bits}
	case t.text == "target" && p.peek().is("("):
		from := p.pos - 1
		p.balanced()
		return &Type{Kind: Other, Text: p.verbatim(from, p.pos)}
	}
	p.failf("expected a type, found %q", t.text)
	return nil
}

// length parses the "4 x" of an array or a vector.
func (p *parser) length() int {
	t := p.next()
	n, err := strconv.Atoi(t.text)
	if t.is("vscale") {
		p.failf("scalable vectors are not supported")
	}
	if err != nil || n < 0 {
		p.failf("expected a number of elements, found %q", t.text)
	}
	p.expect("x")
	return n
}

func (p *parser) structType(open, shut, end string, packed bool) *Type {
	t := &Type{Kind: Struct, Packed: packed}
	var text bytes.Buffer
	for !p.peek().is(end) {
		if len(t.Elems) > 0 {
			p.expect(",")
			text.WriteString(", ")
		}
		e := p.typ()
		if e.Kind == Void || e.Kind == Other {
			p.failf("a struct with an element of type %s", e)
		}
		t.Elems = append(t.Elems, e)
		text.WriteString(e.Text)
		if text.Len() > maxTypeText {
			p.failf("a type of more than %d characters", maxTypeText)
		}
	}
	p.expect(end)
	if packed {
		p.expect(">")
	}
	t.Text = open + text.String() + shut
	if len(t.Elems) == 0 {
		t.Text = strings.ReplaceAll(open+shut, " ", "")
	}
	return t
}

// named is the type that a name stands for; an opaque one keeps its name.
func (p *parser) named(t token) *Type {
	name := bareName(t.text[1:])
	n := p.types[name]
	switch {
	case n == nil:
		p.failf("type %s is not defined", t.text)
	case n.busy:
		p.failf("type %s contains itself", t.text)
	case n.typ == nil:
		back := p.pos
		p.pos, n.busy = n.at, true
		if p.accept("opaque") {
			n.typ = &Type{Kind: Other, Text: "%" + name}
		} else {
			n.typ = p.typ()
		}
		p.pos, n.busy = back, false
	}
	return n.typ
}

// intern makes types of one text one Type, and refuses those whose size is out
// of bounds.
func (p *parser) intern(t *Type) *Type {
	if have := p.interned[t.Text]; have != nil {
		return have
	}
	if !t.sane() || len(t.Text) > maxTypeText {
		p.failf("type %.100s is too large", t.Text)
	}
	p.interned[t.Text] = t
	return t
}

// sane reports whether the type, whose elements are known to be sane, takes no
// more than maxTypeSize bytes.
func (t *Type) sane() bool {
	switch t.Kind {
	case Array, Vector:
		size := max(t.Elem.Size(), 1)
		return t.Len <= maxTypeSize/size && (t.Kind == Array || t.Len <= maxIntBits)
	case Struct:
		sum := 0
		for _, e := range t.Elems {
			if sum += e.Size() + e.Align(); sum > maxTypeSize {
				return false
			}
		}
	}
	return true
}

// vectorLike is elem where shape is a scalar, and a vector of elem as long as
// shape where that is a vector.
func (p *parser) vectorLike(shape, elem *Type) *Type {
	if shape.Kind != Vector || elem.Kind == Vector {
		return p.intern(elem)
	}
	return p.intern(&Type{Kind: Vector, Text: fmt.Sprintf("<%d x %s>", shape.Len, elem), Len: shape.Len, Elem: elem})
}
