package ll

import (
	"fmt"
	"strings"
)

// A tokenKind is the sort of a token.
type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokWord             // keywords, types, numbers, labels: i32, -1, 0x7FF0000000000000, 1.5e+00, ...
	tokLocal            // %x
	tokGlobal           // @x
	tokMeta             // !x, !5
	tokHash             // #0, #dbg_value
	tokString           // "x", c"x", $"x"
	tokPunct            // one character: ( ) [ ] { } < > , = * : ! |
)

// A token is a piece of the source, at a byte offset and on a line.
type token struct {
	kind tokenKind
	text string
	off  int
	line int
}

func (t token) end() int { return t.off + len(t.text) }

//go:noinline
func (t token) is(text string) bool {
	return t.text == text && (t.kind == tokPunct || t.kind == tokWord)
}

// A syntaxError says what is wrong on which line; parse functions panic with
// one, and Parse returns it.
type syntaxError struct {
	line int
	msg  string
}

// lex splits text into tokens and drops the comments. The last token is of
// kind tokEnd.
func lex(text string) []token {
	toks := make([]token, 0, len(text)/4+1)
	line := 1
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == '\n':
			line++
			at++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			at++
			continue
		case c == ';':
			for at < len(text) && text[at] != '\n' {
				at++
			}
			continue
		}
		kind, end := scan(text, at, line)
		toks = append(toks, token{kind, text[at:end], at, line})
		line += strings.Count(text[at:end], "\n")
		at = end
	}
	return append(toks, token{tokEnd, "", len(text), line})
}

// sigils begin a name: a token of their kind if a name follows.
var sigils = [256]tokenKind{
	'%': tokLocal, '@': tokGlobal, '!': tokMeta, '#': tokHash,
}

// scan finds the kind and the end of the token that begins at text[at].
func scan(text string, at, line int) (kind tokenKind, end int) {
	c := text[at]
	quoted := func(at int) bool { return at < len(text) && text[at] == '"' }
	switch {
	case quoted(at):
		return tokString, scanString(text, at, line)
	case (c == 'c' || c == '$') && quoted(at+1):
		return tokString, scanString(text, at+1, line)
	case isWordByte(c):
		return tokWord, scanWord(text, at)
	case (c == '%' || c == '@') && quoted(at+1):
		return sigils[c], scanString(text, at+1, line)
	case sigils[c] != tokEnd:
		end = at + 1
		// names of metadata have escapes: !a\20b
		for end < len(text) && (isWordByte(text[end]) || c == '!' && text[end] == '\\') {
			end++
		}
		if end > at+1 {
			return sigils[c], end
		}
	case c < ' ' || c > '~':
		panic(syntaxError{line, fmt.Sprintf("unexpected byte %#x", c)})
	}
	return tokPunct, at + 1
}

func scanString(text string, at, line int) (end int) {
	n := strings.IndexByte(text[at+1:], '"')
	if n < 0 {
		panic(syntaxError{line, "string without its closing quote"})
	}
	return at + 1 + n + 1
}

func scanWord(text string, at int) (end int) {
	for end = at; end < len(text) && isWordByte(text[end]); end++ {
	}
	return end
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) ||
		c == '_' || c == '.' || c == '$' || c == '-' || c == '+'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// bareName takes the quotes off a name that needs none, and leaves the others:
// `"heddle.x"` is heddle.x, `"a b"` stays.
func bareName(name string) string {
	if len(name) < 3 || name[0] != '"' {
		return name
	}
	inner := name[1 : len(name)-1]
	if isDigit(inner[0]) {
		return name
	}
	for i := range len(inner) {
		if !isWordByte(inner[i]) || inner[i] == '+' {
			return name
		}
	}
	return inner
}
